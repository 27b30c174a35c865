// What is true of the whole index? Named values as JSON, each with a type and a checksum.

import type { DatabaseSync } from 'node:sqlite'
import type { MentionOptions } from '../../../read/parse/markdown/find-mentions.ts'
import type { NamedRoot } from '../../../read/source/walk/corpus-roots.ts'
import type { WalkResult } from '../../../read/source/walk/walk-files.ts'
import type { ModuleSettings } from '../../resolve/code/code-catalogue.ts'
import { metaSum, metaTable } from '../schema.ts'
import { damaged } from './checksum.ts'
import { type Prepare, select } from './table.ts'

/** Counts of the full-text index; written with every commit, so that opening it counts nothing. */
export interface LexicalStatistics {
  readonly fragments: number
  readonly documents: number
  /** Body words of all living fragments. */
  readonly words: number
  /** Rows of the table `segments`. */
  readonly segments: number
  /** Number of dead fragments, and the sum of their ids. */
  readonly dead: number
  readonly deadSum: number
}

/** What a document was parsed for. */
export interface ParsedFor extends MentionOptions {
  readonly maskSecrets: boolean
  /** The extracted formats with their versions, languages, text formats and forms of mentions that were known. */
  readonly formats: readonly string[]
}

interface MetaValues extends Pick<WalkResult, 'otherNames' | 'ignoreFiles' | 'ignored' | 'unsupported'> {
  /** Grows with every commit. */
  readonly generation: number
  /** The folder of the corpus, and the folder of the index inside it. */
  readonly root: string
  readonly place: string
  readonly statistics: LexicalStatistics
  /** Number of different words of sections. */
  readonly vocabulary: number
  /** Identifies the documents, whatever order they were indexed in. */
  readonly fingerprint: string
  /** Hash of all document names, and of all definitions of code, that references were resolved with. */
  readonly names: string
  readonly outlines: string
  readonly modules: ModuleSettings
  /** The setting `ids` of the last complete resolution; cleared while a run is unfinished. */
  readonly resolvedWith: readonly string[]
  readonly readMentions: ParsedFor
  readonly readLimits: number
  readonly maskSecrets: string
  /** Milliseconds since 1970 at which the last whole run began. */
  readonly indexedAt: number
  /** Whether documents came from a walk of the folder or from given changes. */
  readonly fedBy: 'walk' | 'changes'
  readonly gitHead: string
  readonly roots: readonly NamedRoot[]
  /** Versions of fetched folders, by folder. */
  readonly origins: readonly (readonly [string, string])[]
}

export type MetaKey = keyof MetaValues
export type MetaValue<K extends MetaKey> = MetaValues[K]

/** Holds the keys of all values, in JSON: a damaged key is not found by itself. */
const listKey = 'keys'

function readText(prepare: Prepare, key: string): string | null {
  const row = select(prepare, metaTable.pick(['key', 'value', 'sum']), 'FROM meta WHERE key = ?').get(key)
  if (row !== undefined) return metaSum.verified(row, `the value ${key}`).value
  if (key !== listKey && listKeys(prepare).includes(key)) throw damaged(`the value ${key}`)
  return null
}

const listKeys = (prepare: Prepare): string[] => JSON.parse(readText(prepare, listKey) ?? '[]') as string[]

function writeText(db: DatabaseSync, key: string, value: string): void {
  if (key !== listKey) {
    const keys = listKeys((sql) => db.prepare(sql))
    if (!keys.includes(key)) writeText(db, listKey, JSON.stringify([...keys, key].sort()))
  }
  db.prepare(
    'INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum',
  ).run(key, value, metaSum.of({ key, value }))
}

/** A value; null when it was never written or was cleared. */
export function readMeta<K extends MetaKey>(from: DatabaseSync | Prepare, key: K): MetaValue<K> | null {
  const stored = readText(typeof from === 'function' ? from : (sql) => from.prepare(sql), key)
  return stored === null || stored === '' ? null : JSON.parse(stored)
}

/** Is every one of these values stored as given? */
export const hasMeta = (prepare: Prepare, values: { readonly [K in MetaKey]?: MetaValue<K> }): boolean =>
  Object.entries(values).every(([key, value]) => readText(prepare, key) === JSON.stringify(value))

export function writeMeta<K extends MetaKey>(db: DatabaseSync, key: K, value: MetaValue<K>): void {
  writeText(db, key, JSON.stringify(value))
}

/** Marks values as unknown. */
export function clearMeta(db: DatabaseSync, ...keys: readonly MetaKey[]): void {
  for (const key of keys) writeText(db, key, '')
}

/** Tells readers that the index changed. */
export function raiseGeneration(db: DatabaseSync): void {
  writeMeta(db, 'generation', (readMeta(db, 'generation') ?? 0) + 1)
}
