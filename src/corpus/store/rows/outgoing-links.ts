// Which documents refer to which, and by what words? Resolved references of a corpus or of one document, verified.
import type { DatabaseSync } from 'node:sqlite'
import { formsWhere } from '../../../model/reference.ts'
import { confident } from '../../graph/neighbours.ts'
import type { DocumentEdge } from '../../graph/rank-documents.ts'
import type { LinkText } from '../../resolve/pack-names.ts'
import { mentionSum, outgoingLinks, outgoingSum } from '../schema.ts'
import { damaged, textSum } from './checksum.ts'
import { listInSql, type RowQuery, select, selectArrays } from './table.ts'

/** The id of a reference, the row of its document, its checksum, and the values of `mentionSum.covers`. */
type ResolvedRow = readonly [
  id: number,
  file: number,
  sum: number,
  artifact: number,
  form: string,
  text: string,
  target: string,
  line: number,
  outcome: string,
  path: string,
  section: string | null,
  anchor: string | null,
  confidence: number | null,
  method: string | null,
  candidates: string | null,
]

const columns = `m.id, a.file, m.sum, ${mentionSum.covers.map((column) => `m.${column}`).join(', ')}`

function selectResolved(db: DatabaseSync, rest: string): RowQuery<ResolvedRow> {
  return selectArrays(db, `SELECT ${columns} ${rest}`)
}

function checkRow(row: ResolvedRow): void {
  if (textSum(row.slice(3).join('\0')) !== row[2]) throw damaged(`a reference to ${row[9]}`)
}

export interface OutgoingLinks {
  /** Paths of other documents that it refers to with confidence, each once, sorted. */
  readonly targets: readonly string[]
}

/** Documents from a path on, and before another one unless that is null. */
export interface PathRange {
  readonly from: string
  readonly before: string | null
}

export const everyPath: PathRange = { from: '', before: null }

/** The texts of links to the documents of a range, and how often each occurs, by path and text. */
export function readLinks(db: DatabaseSync, { from, before }: PathRange): LinkText[] {
  const query = selectResolved(
    db,
    `FROM mentions m CROSS JOIN artifacts a ON a.id = m.artifact CROSS JOIN files f ON f.id = a.file
      WHERE m.path >= ?${before === null ? '' : ' AND m.path < ?'} AND m.outcome = 'resolved' AND m.form = 'link'
        AND m.text <> '' AND f.path <> m.path ORDER BY m.path`,
  )
  const links: { readonly text: string; readonly path: string; readonly bytes: Buffer; count: number }[] = []
  const known = new Map<string, number>()
  for (const row of query.iterate(from, ...(before === null ? [] : [before]))) {
    checkRow(row)
    const [, , , , , text, , , , path] = row
    const key = `${path}\0${text}`
    const at = known.get(key)
    if (at === undefined) {
      known.set(key, links.length)
      links.push({ text, path, bytes: Buffer.from(key), count: 1 })
    } else links[at]!.count++
  }
  // By the bytes of UTF-8, as SQLite orders.
  return links
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text, path, count }) => ({ text, path, count }))
}

const citing = formsWhere(({ givesAuthority }) => givesAuthority)

/** Collects the outgoing links of single documents from their references. */
export function openOutgoing(db: DatabaseSync): (file: number, path: string) => OutgoingLinks {
  const query = selectResolved(
    db,
    `FROM artifacts a CROSS JOIN mentions m ON m.artifact = a.id
      WHERE a.file = ? AND m.outcome = 'resolved' AND m.form IN ${listInSql(citing)}`,
  )
  return (file, own) => {
    const targets = new Set<string>()
    for (const row of query.all(file)) {
      checkRow(row)
      const [, , , , , , , , , path, , , confidence] = row
      if (path !== own && (confidence ?? 0) >= confident) targets.add(path)
    }
    return { targets: [...targets].sort() }
  }
}

/** A row of the table, whose targets are a list in JSON. */
export interface StoredOutgoing {
  readonly file: number
  readonly targets: string
  readonly sum: number
}

export function storeOutgoing(file: number, { targets }: OutgoingLinks): StoredOutgoing {
  return outgoingSum.seal({ file, targets: JSON.stringify(targets) })
}

/** Throws INDEX_DAMAGED. */
export function verifyOutgoing(row: StoredOutgoing): OutgoingLinks {
  const { targets } = outgoingSum.verified(row, 'the outgoing links of a document')
  return { targets: JSON.parse(targets) as string[] }
}

/** The outgoing links of all documents, by their rows. */
export function* readOutgoing(db: DatabaseSync): Generator<OutgoingLinks & { readonly file: number }> {
  const query = select(db, outgoingLinks.pick(['file', 'targets', 'sum']), 'FROM leads')
  for (const row of query.iterate()) yield { file: row.file, ...verifyOutgoing(row) }
}

/** Rows per read, so that memory never holds the references of a whole corpus. */
const BATCH = 4096

/** Edges between files, including code, each pair once with the number of references, by the paths of both ends. */
export function readEdges(db: DatabaseSync): DocumentEdge[] {
  const files = selectArrays<[string, number]>(db, 'SELECT path, id FROM files ORDER BY path')
  const ids = new Map(files.all())
  const order = new Map([...ids.values()].map((id, at) => [id, at]))
  const compare = (a: number, b: number): number => (order.get(a) as number) - (order.get(b) as number)
  const edges = new Map<number, Map<number, number>>()
  const query = selectResolved(
    db,
    `FROM mentions m CROSS JOIN artifacts a ON a.id = m.artifact
      WHERE m.id > ? AND m.outcome = 'resolved' AND m.form <> 'image' ORDER BY m.id LIMIT ${BATCH}`,
  )
  for (let last: number | undefined = 0; last !== undefined; ) {
    const rows: ResolvedRow[] = query.all(last)
    for (const row of rows) {
      checkRow(row)
      const from = row[1]
      const to = ids.get(row[9])
      if (to === undefined || from === to) continue
      const targets = edges.get(from) ?? new Map<number, number>()
      edges.set(from, targets)
      targets.set(to, (targets.get(to) ?? 0) + 1)
    }
    last = rows.length < BATCH ? undefined : rows.at(-1)?.[0]
  }
  return [...edges]
    .flatMap(([from, targets]) => [...targets].map(([to, count]) => ({ from, to, count })))
    .sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
}
