// What is known of a document, and of all of them? Its text, sections, references and authority; the graph of the corpus in pages.

import { nameFile } from '../answer/assemble/name-passage.ts'
import { rankByFlow } from '../corpus/graph/rank-documents.ts'
import { canonicalStatus, scoreCanonicality } from '../corpus/graph/score-canonicality.ts'
import { ArtifactFinder, type FoundDocument } from '../corpus/lookup/find-artifact.ts'
import { fileKindOf } from '../corpus/lookup/kind-of-file.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import { isCodeLanguage } from '../model/code-languages.ts'
import type { Canonicality, CanonicalStatus } from '../model/digest.ts'
import type { FileKind } from '../model/file-kind.ts'
import { compareText } from '../model/paths.ts'
import type { Freshness } from '../model/report.ts'
import type { ArtifactRow, FileRow } from '../model/section.ts'
import { isCodeKind } from '../read/parse/artifact-kinds.ts'
import { type OutlineEntry, outlineFile, signatureOf } from './map-corpus.ts'
import { readText } from './read-passage.ts'

export interface DocumentReference extends Pick<ReferenceRow, 'line' | 'target' | 'form' | 'outcome'> {
  readonly path: string
  /** The target, as a path or a canonical id; null without any. */
  readonly to: string | null
  /** The signature and lines of the definition in code that it leads to. */
  readonly definition?: Pick<OutlineEntry, 'name' | 'lines'>
  /** Of the section or document that it leads to. */
  readonly title?: string
}

export interface DocumentDescription extends Pick<FileRow, 'path' | 'title' | 'language' | 'modifiedAt'> {
  readonly text: string
  readonly tokens: number
  readonly canonicality: Canonicality
  readonly status: CanonicalStatus
  readonly sections: readonly (OutlineEntry & Pick<ArtifactRow, 'anchor' | 'headings'>)[]
  /** By line, without names in code that lead out of the corpus. */
  readonly references: readonly DocumentReference[]
  /** From other documents, by path and line. */
  readonly referencedBy: readonly DocumentReference[]
  readonly freshness: Freshness
}

interface DescribeContext {
  readonly reader: CorpusReader
  readonly now: number
}

function toReference(row: ReferenceRow): DocumentReference {
  const { line, target, form, outcome } = row
  return { path: row.originPath, line, target, form, outcome, to: row.section ?? row.path }
}

/** Throws BAD_INPUT for an unknown name. */
export function describeDocument(
  named: string,
  { reader, now }: DescribeContext,
): Omit<DocumentDescription, 'freshness'> {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const { file } = finder.find(named)
    const { rows } = finder.document(file.path) as FoundDocument
    const canonicality = scoreCanonicality(file, { now })
    const references = reader.references()
    const { path, title, language, modifiedAt } = file
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    return {
      path,
      title,
      language,
      text: readText(reader, path).text,
      tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
      modifiedAt,
      canonicality,
      status: canonicalStatus(canonicality, language),
      sections: outlineFile(reader, path).entries.map((one) => {
        const { anchor = null, headings = [] } = rowOf.get(one.id) ?? {}
        return { ...one, anchor, headings }
      }),
      references: rows
        .flatMap(({ rowId }) => references.of(rowId))
        .filter(({ outcome }) => outcome !== 'external' && outcome !== 'self')
        .filter(({ form, outcome }) => outcome === 'resolved' || ['link', 'wiki', 'id'].includes(form))
        .map((row) => {
          const found = finder.byId(row.section ?? row.path ?? '')
          if (found === null) return toReference(row)
          const { row: target, file } = found
          if (row.section === null) return { ...toReference(row), title: file.title }
          if (!isCodeKind(target.kind)) return { ...toReference(row), title: target.name }
          const definition = { name: signatureOf(reader, target), lines: target.lines }
          return { ...toReference(row), definition }
        })
        .sort((a, b) => a.line - b.line),
      referencedBy: references.to(path).map(toReference),
    }
  })
}

/** `inbound` counts the files that use its definitions, too. */
export interface DocumentNode
  extends Pick<FileRow, 'path' | 'title' | 'language' | 'inbound' | 'modifiedAt'> {
  /** Its rank. */
  readonly weight: number
  readonly status: CanonicalStatus
  readonly kind: FileKind
  readonly tokens: number
}

/** The documents of a corpus by rank, and the references among those of one page. */
export interface DocumentGraph {
  readonly total: number
  readonly offset: number
  readonly nodes: readonly DocumentNode[]
  /** Indexes in `nodes`. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly count: number }[]
  /** Fingerprint of the index. */
  readonly fingerprint: string
}

export interface DocumentGraphOptions {
  readonly offset: number
  readonly limit: number
  /** This document, first, and only those that refer to it or that it refers to. */
  readonly of?: string | undefined
  readonly kind?: FileKind | undefined
  /** All kinds but this one. */
  readonly without?: FileKind | undefined
  readonly status?: CanonicalStatus | undefined
  /** Only this folder, and what is below it. */
  readonly folder?: string | undefined
  /** Only documents whose path or title contains all of these words. */
  readonly text?: string | undefined
  /** By rank unless given; the largest number first, titles from A. */
  readonly sort?: DocumentSort | undefined
}

export const documentSorts = ['references', 'title', 'tokens', 'age'] as const
type DocumentSort = (typeof documentSorts)[number]

export function readDocumentGraph(
  { reader, now }: DescribeContext,
  { offset, limit, of, kind, without, status, folder = '', text = '', sort }: DocumentGraphOptions,
): DocumentGraph {
  return reader.snapshot(() => {
    const { files, edges, weights, tokens, referrers, titles } = weigh(reader)
    // Row ids of the cached files, because another build with the same fingerprint may have others.
    const named = of === undefined ? null : new ArtifactFinder(reader).find(of).file.path
    const start = files.find(({ path }) => path === named)
    const near = start === undefined ? null : reach(start.id, edges)
    const statusOf = (file: FileRow): CanonicalStatus =>
      canonicalStatus(scoreCanonicality(file, { now }), file.language)
    const words = text.toLowerCase().split(/\s+/)
    const below = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
    const matchesKind = (own: FileKind): boolean => own !== without && (kind ?? own) === own
    const holdsWords = (path: string, title: string): boolean => {
      const name = `${path} ${title}`.toLowerCase()
      return words.every((word) => name.includes(word))
    }
    const ranked = files
      .map((file, at) => ({ file, weight: weights[at] as number, title: titles[at] as string }))
      .filter(({ file, title }) => file.path.startsWith(below) && holdsWords(file.path, title))
      .filter(({ file }) => near === null || near.has(file.id))
      .filter(({ file }) => file.path === named || matchesKind(fileKindOf(file)))
      .filter(({ file }) => status === undefined || statusOf(file) === status)
    const numbers = {
      references: ({ file }) => referrers.get(file.id) ?? 0,
      tokens: ({ file }) => tokens.get(file.id) ?? 0,
      age: ({ file }) => -file.modifiedAt,
      title: () => 0,
      rank: ({ weight }) => weight,
    } satisfies Record<DocumentSort | 'rank', (one: (typeof ranked)[number]) => number>
    const numberOf = numbers[sort ?? 'rank']
    ranked.sort((a, b) => {
      const byTitle = sort === 'title' ? compareText(a.title.toLowerCase(), b.title.toLowerCase()) : 0
      const isFirst = Number(b.file.path === named) - Number(a.file.path === named)
      return isFirst || byTitle || numberOf(b) - numberOf(a) || compareText(a.file.path, b.file.path)
    })
    const page = ranked.slice(offset, offset + limit)
    const places = new Map(page.map(({ file }, at) => [file.id, at]))
    return {
      total: ranked.length,
      offset,
      nodes: page.map(({ file, weight, title }) => {
        const { id, path, language, modifiedAt } = file
        const facts = { inbound: referrers.get(id) ?? 0, status: statusOf(file), kind: fileKindOf(file) }
        return { path, title, language, weight, ...facts, tokens: tokens.get(id) ?? 0, modifiedAt }
      }),
      edges: edges.flatMap(({ from, to, count }) => {
        const [here, there] = [places.get(from), places.get(to)]
        return here === undefined || there === undefined ? [] : [{ from: here, to: there, count }]
      }),
      fingerprint: reader.meta('fingerprint') ?? '',
    }
  })
}

/** The last state that was read, because every page of a graph needs the same. */
const known = new WeakMap<CorpusReader, ReturnType<typeof readWeights>>()

function weigh(reader: CorpusReader): ReturnType<typeof readWeights> {
  const fingerprint = reader.meta('fingerprint') ?? ''
  const before = known.get(reader)
  if (before?.fingerprint === fingerprint) return before
  const read = readWeights(reader, fingerprint)
  known.set(reader, read)
  return read
}

/** The files with their weights and titles, in one order, and by file: its tokens, and the number of files that refer to it. */
function readWeights(reader: CorpusReader, fingerprint: string) {
  const files = reader.files()
  const edges = reader.references().documentEdges()
  const ids = files.map(({ id }) => id)
  const restart = files.map(() => 1)
  const weights = rankByFlow(ids, edges, restart)
  const referrers = new Map<number, number>()
  for (const { from, to } of edges) if (from !== to) referrers.set(to, (referrers.get(to) ?? 0) + 1)
  // Many files of code have the name `index`.
  const titles = files.map(({ path, language, title }) => (isCodeLanguage(language) ? nameFile(path) : title))
  const tokens = new Map(reader.fileIds().map(({ id, tokens: own }) => [id, own]))
  return { fingerprint, files, edges, weights, tokens, referrers, titles }
}

/** A document and those one reference away, in any direction. */
const reach = (start: number, edges: readonly { from: number; to: number }[]): Set<number> =>
  new Set([start, ...edges.flatMap(({ from, to }) => (from === start ? [to] : to === start ? [from] : []))])
