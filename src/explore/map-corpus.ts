// What is in this file, or in this repository? An outline with lines; for a repository the most important files, by PageRank.

import { cutAtBody, findSignature } from '../answer/assemble/find-signature.ts'
import { rankByFlow } from '../corpus/graph/rank-documents.ts'
import { ArtifactFinder } from '../corpus/lookup/find-artifact.ts'
import { isTestPath, isVendoredPath } from '../corpus/resolve/code/code-roles.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import { clip, cut } from '../model/mark-invisible.ts'
import type { ArtifactRow, FileRow } from '../model/section.ts'
import { isCodeKind, languageOfKind, shapeOfKind } from '../read/parse/artifact-kinds.ts'

export type OutlineEntry = Pick<ArtifactRow, 'id' | 'name' | 'level' | 'lines' | 'tokens'>

export interface MappedFile {
  readonly path: string
  readonly title: string
  /** Personalised PageRank for the question. */
  readonly weight: number
  readonly entries: readonly OutlineEntry[]
}

/** Maximum characters of a signature; a longer one is cut, and overloads still differ. */
const LONGEST_SIGNATURE = 100
/** Names that do not describe a file's content. */
const hidden: ReadonlySet<string> = new Set(['import', 'docstring', 'block'])
/** Entries of one file in the map of a repository. */
const MAPPED_ENTRIES = 8
/** Weight of tests and vendored code in a map, unless the question is about them. */
const ASIDE = 0.2

const isShown = ({ level, kind }: ArtifactRow): boolean =>
  level > 0 && !(isCodeKind(kind) && hidden.has(shapeOfKind(kind)))

/** Code by its signature, so that the call can be written without reading more. */
export function signatureOf(reader: CorpusReader, row: ArtifactRow): string {
  if (!isCodeKind(row.kind)) return row.name
  const signature = findSignature(reader.text(row.rowId).text, row.name, row.lines.start)
  const own = cutAtBody(signature?.text ?? '', languageOfKind(row.kind))
  const written = own.replaceAll(/\s+/g, ' ').replaceAll(/(?<=[([]) |,? (?=[)\]])/g, '')
  return written === '' ? row.name : cut(written.replace(/[{:]$/, '').trimEnd(), LONGEST_SIGNATURE)
}

function toEntry(reader: CorpusReader, row: ArtifactRow): OutlineEntry {
  const { id, level, lines, tokens } = row
  return { id, name: signatureOf(reader, row), level, lines, tokens }
}

/** The outline of a document, in the order of the text. Throws BAD_INPUT. */
export function outlineFile(reader: CorpusReader, named: string): MappedFile {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const { row, file } = finder.around(finder.find(named))
    const rows = finder.document(file.path)?.rows ?? []
    const below =
      row.level === 0 ? rows : rows.filter(({ id }) => id === row.id || id.startsWith(`${row.id}.`))
    const entries = below.filter(isShown).map((one) => toEntry(reader, one))
    return { path: file.path, title: file.title, weight: 1, entries }
  })
}

/** Search results of a question: the share of each file, and the sections; empty without a question. */
export interface FoundParts {
  readonly files: ReadonlyMap<string, number>
  readonly sections: ReadonlySet<string>
}

/** Every file, by weight. */
export function mapCorpus(
  reader: CorpusReader,
  { files: asked, sections }: FoundParts,
  most: number,
): readonly MappedFile[] {
  return reader.snapshot(() => {
    const files = reader.files()
    const restart = files.map(({ path }) => {
      if (asked.size > 0) return asked.get(path) ?? 0
      return isTestPath(path) || isVendoredPath(path) ? ASIDE : 1
    })
    const edges = reader.references().documentEdges()
    const ids = files.map(({ id }) => id)
    const weights = rankByFlow(ids, edges, restart)
    const weightOf = (file: FileRow, at: number): number => {
      const aside = (isTestPath(file.path) || isVendoredPath(file.path)) && !asked.has(file.path)
      return (weights[at] as number) * (aside ? ASIDE : 1)
    }
    return files
      .map((file, at) => ({ file, weight: weightOf(file, at) }))
      .sort((a, b) => b.weight - a.weight || (a.file.path < b.file.path ? -1 : 1))
      .slice(0, most)
      .map(({ file, weight }) => ({
        path: file.path,
        title: file.title,
        weight,
        entries: topEntries(reader, file, sections),
      }))
  })
}

/** Search results in a file, then its largest top-level parts; in the order of the text. */
function topEntries(reader: CorpusReader, file: FileRow, sections: FoundParts['sections']): OutlineEntry[] {
  const rows = reader.artifactsOf(file.id).filter(isShown)
  const top = Math.min(...rows.map(({ level }) => level))
  const size = ({ lines }: ArtifactRow): number => lines.end - lines.start
  const outer = rows.filter(({ level }) => level === top)
  // A page has one heading at the top: those below it say more.
  const shown = outer.length === 1 ? rows.filter(({ level }) => level <= top + 1) : outer
  const found = rows.filter(({ id }) => sections.has(id))
  const largest = shown.toSorted((a, b) => size(b) - size(a) || a.rowId - b.rowId)
  return [...new Set([...found, ...largest])]
    .slice(0, MAPPED_ENTRIES)
    .sort((a, b) => a.rowId - b.rowId)
    .map((row) => toEntry(reader, row))
}

function listEntries(entries: readonly OutlineEntry[]): string[] {
  const top = Math.min(...entries.map(({ level }) => level))
  return entries.map(
    ({ name, level, lines }) => `${'  '.repeat(level - top + 1)}${lines.start}-${lines.end} ${clip(name)}`,
  )
}

export const listMap = (files: readonly MappedFile[]): string[] =>
  files.flatMap(({ path, entries }) => [clip(path, 240), ...listEntries(entries)])
