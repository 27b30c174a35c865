// Which documents refer to which, and by what words? All resolved references of a corpus, counted and checked.

import type { DatabaseSync } from 'node:sqlite'
import { confident } from '../graph/neighbours.ts'
import type { DocumentEdge } from '../graph/rank-documents.ts'
import type { LinkText } from '../resolve/document-names.ts'
import { damaged, referenceColumns, textSum } from './row-sum.ts'

class EdgeCounter {
  readonly #edges = new Map<number, Map<number, number>>()

  add({ from, to }: ReferenceLead): void {
    if (to === null) return
    const targets = this.#edges.get(from) ?? new Map<number, number>()
    this.#edges.set(from, targets)
    targets.set(to, (targets.get(to) ?? 0) + 1)
  }

  list(): DocumentEdge[] {
    return [...this.#edges]
      .flatMap(([from, targets]) => [...targets].map(([to, count]) => ({ from, to, count })))
      .sort((a, b) => a.from - b.from || a.to - b.to)
  }
}

/** A reference that leads from the row of one document to that of another, or to a path that has none. */
interface ReferenceLead {
  readonly from: number
  readonly to: number | null
  readonly form: string
  readonly text: string
  readonly path: string
  readonly confidence: number
}

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

/** Rows that are read at once: memory never holds those of a whole corpus. */
const BATCH = 4096

/** The checksum of all link texts, in the order of SQLite. */
export function sumLinks(links: readonly LinkText[]): string {
  return String(links.reduce((sum, { text, path, count }) => textSum(`${text}\0${path}\0${count}`, sum), 0))
}

export function readEdges(db: DatabaseSync, which: 'documents' | 'all'): DocumentEdge[] {
  const edges = new EdgeCounter()
  const least = which === 'all' ? 0 : confident
  for (const lead of readLeads(db, which)) if (lead.confidence >= least) edges.add(lead)
  return edges.list()
}

export interface SettledReferences {
  readonly edges: readonly DocumentEdge[]
  readonly linkSum: string
}

/** Both in one reading: every run that changed a document needs them. */
export function settleReferences(db: DatabaseSync): SettledReferences {
  const edges = new EdgeCounter()
  const links = new Map<string, { readonly text: string; readonly path: string; count: number }>()
  for (const lead of readLeads(db, 'documents')) {
    if (lead.confidence >= confident) edges.add(lead)
    const { form, text, path } = lead
    if (form !== 'link' || text === '') continue
    const key = `${path}\0${text}`
    const link = links.get(key)
    if (link === undefined) links.set(key, { text, path, count: 1 })
    else link.count++
  }
  // SQLite orders by the bytes of UTF-8.
  const sorted = [...links].map(([key, link]) => ({ bytes: Buffer.from(key), link }))
  sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  return { edges: edges.list(), linkSum: sumLinks(sorted.map(({ link }) => link)) }
}

/** None becomes an object with the names of its columns before it is counted: that is what costs. */
function* readLeads(db: DatabaseSync, which: 'documents' | 'all'): Generator<ReferenceLead> {
  const files = db.prepare('SELECT path, id FROM files')
  files.setReturnArrays(true)
  const ids = new Map(files.all() as unknown as [string, number][])
  const forms = which === 'all' ? "('image')" : "('image', 'uses', 'import', 'class', 'script')"
  const statement = db.prepare(
    `SELECT m.id, a.file, m.sum, ${referenceColumns.map((column) => `m.${column}`).join(', ')}
      FROM mentions m CROSS JOIN artifacts a ON a.id = m.artifact
      WHERE m.id > ? AND m.outcome = 'resolved' AND m.form NOT IN ${forms} ORDER BY m.id LIMIT ${BATCH}`,
  )
  statement.setReturnArrays(true)
  for (let last: number | undefined = 0; last !== undefined; ) {
    const rows = statement.all(last) as unknown as ResolvedRow[]
    for (const row of rows) {
      const [, from, sum, , form, text, , , , path, , , confidence] = row
      if (textSum(row.slice(3).join('\0')) !== sum) throw damaged(`a reference to ${path}`)
      const to = ids.get(path) ?? null
      if (from !== to) yield { from, to, form, text, path, confidence: confidence ?? 0 }
    }
    last = rows.length < BATCH ? undefined : rows.at(-1)?.[0]
  }
}
