// Where do the corpus's references lead after this run? Those in doubt are resolved again; then standing is counted anew.
import { rankDocuments } from '../graph/rank-documents.ts'
import { type Catalogue, makeCatalogue } from '../resolve/catalogue.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { resolveMention } from '../resolve/resolve-mention.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { CorpusWriter } from '../store/corpus-writer.ts'
import { type CatalogueRow, mentionOf, type ReferenceRow } from '../store/reference-reader.ts'

export interface ResolveScope {
  /** Every document of the index is new: resolve everything. */
  readonly everything: boolean
  /** Documents that were added, changed or removed. */
  readonly changedPaths: readonly string[]
  readonly families: readonly IdFamily[]
}

/** Frontmatter that names a document's successor. */
const successorKeys = [
  'superseded_by',
  'superseded-by',
  'supersededBy',
  'replaced_by',
  'replaced-by',
  'replacedBy',
]

/** Families as written in the settings: `EIP=ERC,ERCS:EIPS/**`, aliases and paths optional. */
export function parseIdFamilies(written: readonly string[]): IdFamily[] {
  return written.flatMap((text): IdFamily[] => {
    const match = /^\s*([A-Za-z][\w-]{0,31})(?:=([\w,\s-]{1,200}))?(?::(\S{1,200}))?\s*$/.exec(text)
    if (match === null) return []
    const [, prefix, aliases, paths] = match
    const names =
      aliases === undefined
        ? []
        : aliases
            .split(',')
            .map((alias) => alias.trim())
            .filter((alias) => alias !== '')
    return [{ prefix: prefix as string, aliases: names, ...(paths === undefined ? {} : { paths }) }]
  })
}

function makeCorpusCatalogue(rows: readonly CatalogueRow[], families: readonly IdFamily[]): Catalogue {
  const documents = rows.map(({ path, title, frontmatter, sections }) => ({
    path,
    title,
    frontmatter,
    sections: sections.map(({ id, name, anchor }) => ({ id, name, anchor: anchor ?? '' })),
  }))
  return makeCatalogue(documents, { families })
}

/** Resolves what may have changed. Runs inside the writer's transaction. */
export function resolveReferences(
  store: { reader: CorpusReader; writer: CorpusWriter },
  scope: ResolveScope,
): number {
  const references = store.reader.references()
  const rows = references.catalogue()
  const catalogue = makeCorpusCatalogue(rows, scope.families)
  const doubtful: ReferenceRow[] = scope.everything
    ? references.everything()
    : references.inDoubt(scope.changedPaths)
  for (const row of doubtful) store.writer.resolveMention(row.id, resolveMention(mentionOf(row), catalogue))
  setStandings(store, rows, catalogue)
  return doubtful.length
}

/** Inbound references, rank and successor of every document. */
function setStandings(
  store: { reader: CorpusReader; writer: CorpusWriter },
  rows: readonly CatalogueRow[],
  catalogue: Catalogue,
): void {
  const order = new Map(rows.map(({ file }, index) => [file, index]))
  const position = (file: number): number => order.get(file) ?? -1
  // By path, not by row: sums must not depend on the history of the index.
  const edges = store.reader
    .references()
    .documentEdges()
    .sort((a, b) => position(a.from) - position(b.from) || position(a.to) - position(b.to))
  const inbound = new Map<number, number>()
  for (const { to } of edges) inbound.set(to, (inbound.get(to) ?? 0) + 1)
  const ranks = rankDocuments(
    rows.map(({ file }) => file),
    edges,
  )
  for (const row of rows) {
    const standing = {
      inbound: inbound.get(row.file) ?? 0,
      rank: ranks.get(row.file) ?? 0,
      successor: successorOf(row, catalogue),
    }
    store.writer.setStanding(row.file, standing)
  }
}

function successorOf(row: CatalogueRow, catalogue: Catalogue): string | null {
  const named = successorKeys
    .map((key) => row.frontmatter[key])
    .find((value) => value !== undefined && value !== null)
  const value = Array.isArray(named) ? named[0] : named
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const target = String(value).trim()
  for (const form of ['id', 'link'] as const) {
    const found = resolveMention({ origin: row.path, form, text: target, target, line: 1 }, catalogue)
    if (found.outcome === 'resolved' && found.path !== row.path) return found.path
  }
  return null
}
