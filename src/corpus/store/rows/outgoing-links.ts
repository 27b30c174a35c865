// Which documents refer to which? Resolved references of a corpus or of one document, verified.
import type { DatabaseSync } from 'node:sqlite'
import { formsWhere } from '../../../model/reference.ts'
import { confident } from '../../graph/neighbours.ts'
import type { DocumentEdge } from '../../graph/rank-documents.ts'
import { mentionSum } from '../schema.ts'
import { damaged, textSum } from './checksum.ts'
import { listInSql, type RowQuery, selectArrays } from './table.ts'

/** The id of a reference, the row of its document, its checksum, and the values of `mentionSum.covers`. */
type ResolvedRow = readonly [
  ...[id: number, file: number, sum: number, artifact: number, form: string, text: string, target: string],
  ...[line: number, outcome: string, path: string, section: string | null, anchor: string | null],
  ...[confidence: number | null, method: string | null, candidates: string | null],
]

const columns = `m.id, a.file, m.sum, ${mentionSum.covers.map((column) => `m.${column}`).join(', ')}`

function selectResolved(db: DatabaseSync, rest: string): RowQuery<ResolvedRow> {
  return selectArrays(db, `SELECT ${columns} ${rest}`)
}

function checkRow(row: ResolvedRow): void {
  if (textSum(row.slice(3).join('\0')) !== row[2]) throw damaged(`a reference to ${row[9]}`)
}

const citing = formsWhere(({ givesAuthority }) => givesAuthority)

/** The documents that each document refers to with confidence, by its row. */
export function readCited(db: DatabaseSync): Map<number, Set<string>> {
  const query = selectResolved(
    db,
    `FROM mentions m CROSS JOIN artifacts a ON a.id = m.artifact
      WHERE m.other_form IN ${listInSql(citing)} AND m.outcome = 'resolved' AND m.confidence >= ${confident}`,
  )
  const cited = new Map<number, Set<string>>()
  for (const row of query.iterate()) {
    checkRow(row)
    const [, file, , , , , , , , path] = row
    const targets = cited.get(file)
    if (targets === undefined) cited.set(file, new Set([path]))
    else targets.add(path)
  }
  return cited
}

/** Rows per read, so that memory never holds the references of a whole corpus. */
const BATCH = 4096

/** Edges between files, including code, each pair once with the number of references, by the paths of both ends. */
export function readEdges(db: DatabaseSync): DocumentEdge[] {
  const ids = new Map(selectArrays<[string, number]>(db, 'SELECT path, id FROM files ORDER BY path').all())
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
