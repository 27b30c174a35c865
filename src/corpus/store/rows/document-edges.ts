// Which documents refer to which, and by what words? All resolved references of a corpus or of one document, checked.

import type { DatabaseSync } from 'node:sqlite'
import { confident } from '../../graph/neighbours.ts'
import type { DocumentEdge } from '../../graph/rank-documents.ts'
import type { LinkText } from '../../resolve/pack-names.ts'
import { damaged, referenceColumns, rowSum, textSum } from './row-sum.ts'

/** Its id, the row of its document, its checksum, and the values of `referenceColumns` that are summed. */
type ResolvedRow = [
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

const columns = `m.id, a.file, m.sum, ${referenceColumns.map((column) => `m.${column}`).join(', ')}`

/** None becomes an object with the names of its columns before it is counted: that is what costs. */
function checkRow(row: ResolvedRow): void {
  if (textSum(row.slice(3).join('\0')) !== row[2]) throw damaged(`a reference to ${row[9]}`)
}

/** What one document refers to. Kept with it, so that the graph of a corpus is read without its references. */
export interface Leads {
  /** Paths of the other documents that it surely means, each once, sorted. */
  readonly targets: readonly string[]
}

/** Documents from a path on, and before another one unless it is null. */
export interface PathRange {
  readonly from: string
  readonly before: string | null
}

export const everyPath: PathRange = { from: '', before: null }

/** What documents of a range are called by those that link to them, and how often, by path and text. */
export function readLinks(db: DatabaseSync, { from, before }: PathRange): LinkText[] {
  const statement = db.prepare(
    `SELECT ${columns} FROM mentions m CROSS JOIN artifacts a ON a.id = m.artifact CROSS JOIN files f ON f.id = a.file
      WHERE m.path >= ?${before === null ? '' : ' AND m.path < ?'} AND m.outcome = 'resolved' AND m.form = 'link'
        AND m.text <> '' AND f.path <> m.path ORDER BY m.path`,
  )
  statement.setReturnArrays(true)
  const links: { readonly text: string; readonly path: string; readonly bytes: Buffer; count: number }[] = []
  const known = new Map<string, number>()
  for (const row of statement.iterate(from, ...(before === null ? [] : [before]))) {
    checkRow(row as unknown as ResolvedRow)
    const [, , , , , text, , , , path] = row as unknown as ResolvedRow
    const key = `${path}\0${text}`
    const at = known.get(key)
    if (at === undefined) {
      known.set(key, links.length)
      links.push({ text, path, bytes: Buffer.from(key), count: 1 })
    } else links[at]!.count++
  }
  // As SQLite orders, and the same whatever the history: by the bytes of UTF-8.
  return links
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text, path, count }) => ({ text, path, count }))
}

/** Makes leads of the references of single documents. */
export function openLeads(db: DatabaseSync): (file: number, path: string) => Leads {
  const statement = db.prepare(
    `SELECT ${columns} FROM artifacts a CROSS JOIN mentions m ON m.artifact = a.id
      WHERE a.file = ? AND m.outcome = 'resolved' AND m.form NOT IN ('image', 'uses', 'import', 'class', 'script')`,
  )
  statement.setReturnArrays(true)
  return (file, own) => {
    const targets = new Set<string>()
    for (const row of statement.all(file) as unknown as ResolvedRow[]) {
      checkRow(row)
      const [, , , , , , , , , path, , , confidence] = row
      if (path !== own && (confidence ?? 0) >= confident) targets.add(path)
    }
    return { targets: [...targets].sort() }
  }
}

/** As they are stored. */
export interface StoredLeads {
  readonly file: number
  /** A list in JSON. */
  readonly targets: string
  readonly sum: number
}

export function storeLeads(file: number, leads: Leads): StoredLeads {
  const targets = JSON.stringify(leads.targets)
  return { file, targets, sum: rowSum(file, targets) }
}

/** Throws INDEX_DAMAGED when they are not what was written. */
export function checkedLeads({ file, targets, sum }: StoredLeads): Leads {
  if (rowSum(file, targets) !== sum) throw damaged('what a document refers to')
  return { targets: JSON.parse(targets) as string[] }
}

/** Leads of all documents, by their rows. */
export function* readLeads(db: DatabaseSync): Generator<Leads & { readonly file: number }> {
  for (const row of db.prepare('SELECT file, targets, sum FROM leads').iterate()) {
    const stored = row as unknown as StoredLeads
    yield { file: stored.file, ...checkedLeads(stored) }
  }
}

/** Rows that are read at once: memory never holds those of a whole corpus. */
const BATCH = 4096

/** Edges between files, those of code too, each pair once with the number of references; ordered by the paths of both ends. */
export function readEdges(db: DatabaseSync): DocumentEdge[] {
  const files = db.prepare('SELECT path, id FROM files ORDER BY path')
  files.setReturnArrays(true)
  const ids = new Map(files.all() as unknown as [string, number][])
  const order = new Map([...ids.values()].map((id, at) => [id, at]))
  const compare = (a: number, b: number): number => (order.get(a) as number) - (order.get(b) as number)
  const edges = new Map<number, Map<number, number>>()
  const statement = db.prepare(
    `SELECT ${columns} FROM mentions m CROSS JOIN artifacts a ON a.id = m.artifact
      WHERE m.id > ? AND m.outcome = 'resolved' AND m.form <> 'image' ORDER BY m.id LIMIT ${BATCH}`,
  )
  statement.setReturnArrays(true)
  for (let last: number | undefined = 0; last !== undefined; ) {
    const rows = statement.all(last) as unknown as ResolvedRow[]
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
