// What is true of the whole index? Named values, each with a type and a checksum.
import type { DatabaseSync } from 'node:sqlite'
import type { FileStamp } from '../../../model/source-file.ts'
import type { MentionOptions } from '../../../read/parse/markdown/find-mentions.ts'
import type { ModuleSettings } from '../../resolve/code/code-catalogue.ts'
import { metaSum, metaTable } from '../schema.ts'
import { damaged } from './checksum.ts'
import { type Prepare, select } from './table.ts'

interface Codec<T> {
  readonly encode: (value: T) => string
  readonly decode: (stored: string) => T | null
}

const text: Codec<string> = { encode: (value) => value, decode: (stored) => stored }
const number: Codec<number> = { encode: String, decode: Number }
/** An empty text is a cleared value. */
function json<T>(): Codec<T> {
  return {
    encode: (value) => JSON.stringify(value),
    decode: (stored) => (stored === '' ? null : (JSON.parse(stored) as T)),
  }
}

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

/** Totals of all documents, independent of the order in which they were indexed. */
export interface CorpusContents {
  /** The sum of the hashes of all documents, in hexadecimal. */
  readonly sum: string
  readonly tokens: number
  readonly bytes: number
}

/** What a document was parsed for. */
export interface ParsedFor extends MentionOptions {
  readonly maskSecrets: boolean
  /** The extracted formats with their versions, languages, text formats and forms of mentions that were known. */
  readonly formats: readonly string[]
}

const codecs = {
  /** Grows with every commit. */
  generation: number,
  /** The folder of the corpus, and the folder of the index inside it. */
  root: text,
  place: text,
  statistics: json<LexicalStatistics>(),
  contents: json<CorpusContents>(),
  /** Identifies the documents, whatever order they were indexed in. */
  fingerprint: text,
  /** Checksum of the table `names`; empty during a run, and after one that was stopped. */
  namesSum: text,
  /** Hash of all document names, and of all definitions of code, that references were resolved with. */
  names: text,
  outlines: text,
  modules: json<ModuleSettings>(),
  /** The setting `ids` of the last complete resolution; cleared while a run is unfinished. */
  resolvedWith: json<readonly string[]>(),
  readMentions: json<ParsedFor>(),
  readLimits: json<number>(),
  maskSecrets: text,
  /** Milliseconds since 1970 at which the last whole run began. */
  indexedAt: number,
  /** Whether documents came from a walk of the folder or from given changes. */
  fedBy: text as Codec<'walk' | 'changes'>,
  gitHead: text,
  /** JSON of the named roots; empty without any (read/source/walk/corpus-roots.ts). */
  roots: text,
  /** Versions of fetched folders, by folder. */
  origins: json<readonly (readonly [string, string])[]>(),
  /** Links to files that are indexed under another name, with that name. */
  otherNames: json<Readonly<Record<string, string>>>(),
  ignoreFiles: json<readonly FileStamp[]>(),
  ignored: number,
  unsupported: json<Readonly<Record<string, number>>>(),
} as const

export type MetaKey = keyof typeof codecs
export type MetaValue<K extends MetaKey> = (typeof codecs)[K] extends Codec<infer T> ? T : never

/** Holds the keys of all values, in JSON: a damaged key is not found by itself. */
const listKey = 'keys'

function readText(prepare: Prepare, key: string): string | null {
  const row = select(prepare, metaTable.pick(['key', 'value', 'sum']), 'FROM meta WHERE key = ?').get(key)
  if (row !== undefined) return metaSum.verified(row, `the value ${key}`).value
  if (key !== listKey && listKeys(prepare).includes(key)) throw damaged(`the value ${key}`)
  return null
}

function listKeys(prepare: Prepare): string[] {
  return JSON.parse(readText(prepare, listKey) ?? '[]') as string[]
}

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
  return stored === null ? null : (codecs[key].decode(stored) as MetaValue<K> | null)
}

/** Is every one of these values stored as given? */
export function hasMeta(prepare: Prepare, values: { readonly [K in MetaKey]?: MetaValue<K> }): boolean {
  return Object.entries(values).every(
    ([key, value]) => readText(prepare, key) === (codecs[key as MetaKey] as Codec<unknown>).encode(value),
  )
}

export function writeMeta<K extends MetaKey>(db: DatabaseSync, key: K, value: MetaValue<K>): void {
  writeText(db, key, (codecs[key] as Codec<unknown>).encode(value))
}

/** Marks values as unknown. */
export function clearMeta(db: DatabaseSync, ...keys: readonly MetaKey[]): void {
  for (const key of keys) writeText(db, key, '')
}

/** Tells readers that the index changed. */
export function raiseGeneration(db: DatabaseSync): void {
  writeMeta(db, 'generation', (readMeta(db, 'generation') ?? 0) + 1)
}
