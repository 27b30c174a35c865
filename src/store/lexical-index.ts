// Which fragments hold a term? The full-text index of a corpus file, as the scorer reads it.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { DecodedPostings } from './postings.ts'
import { lengthBytes } from './term-batch.ts'

/** Mean lengths in words over all living fragments, and of all living documents' bodies. */
export interface MeanLengths {
  readonly body: number
  readonly heading: number
  readonly title: number
  readonly path: number
  readonly document: number
}

interface SegmentRow {
  readonly id: number
  readonly first_fragment: number
  readonly fragments: number
  readonly lengths: Uint8Array
  readonly files: Uint8Array
}

/** The state of the index at one moment: lengths and owners of every fragment, and the lists of any term. */
export class LexicalIndex {
  /** One more than the largest fragment id. */
  readonly size: number
  readonly body: Uint16Array
  readonly heading: Uint8Array
  readonly title: Uint8Array
  readonly path: Uint8Array
  /** File id of each fragment. */
  readonly file: Uint32Array
  /** One more than the largest file id. */
  readonly fileLimit: number
  /** Body words of each document, by file id. */
  readonly documentLength: Uint32Array
  readonly livingFragments: number
  readonly livingDocuments: number
  readonly means: MeanLengths
  readonly #dead: Uint8Array | null
  readonly #firstFragment: Map<number, number> = new Map()
  readonly #lists: StatementSync

  constructor(db: DatabaseSync) {
    const rows = db.prepare('SELECT * FROM segments ORDER BY first_fragment').all() as unknown as SegmentRow[]
    const last = rows.at(-1)
    this.size = last === undefined ? 0 : last.first_fragment + last.fragments
    this.body = new Uint16Array(this.size)
    this.heading = new Uint8Array(this.size)
    this.title = new Uint8Array(this.size)
    this.path = new Uint8Array(this.size)
    this.file = new Uint32Array(this.size)
    for (const row of rows) this.#readSegment(row)
    this.#dead = this.#readDead(db)
    this.fileLimit = this.file.reduce((largest, id) => Math.max(id, largest), 0) + 1
    this.documentLength = new Uint32Array(this.fileLimit)
    const sums = { body: 0, heading: 0, title: 0, path: 0, fragments: 0, documents: 0 }
    for (let id = 0; id < this.size; id++) {
      if (this.isDead(id)) continue
      sums.body += this.body[id] as number
      sums.heading += this.heading[id] as number
      sums.title += this.title[id] as number
      sums.path += this.path[id] as number
      sums.fragments++
      const file = this.file[id] as number
      if (id === 0 || this.file[id - 1] !== file || this.documentLength[file] === 0) sums.documents++
      this.documentLength[file] = (this.documentLength[file] as number) + (this.body[id] as number) + 1
    }
    const n = Math.max(sums.fragments, 1)
    this.livingFragments = sums.fragments
    this.livingDocuments = this.documentLength.reduce((count, length) => (length > 0 ? count + 1 : count), 0)
    const document = sums.body / Math.max(this.livingDocuments, 1)
    this.means = {
      body: sums.body / n,
      heading: sums.heading / n,
      title: sums.title / n,
      path: sums.path / n,
      document,
    }
    this.#lists = db.prepare('SELECT segment, data FROM postings WHERE term = ?')
  }

  #readSegment(row: SegmentRow): void {
    const first = row.first_fragment
    this.#firstFragment.set(row.id, first)
    const { lengths } = row
    for (let index = 0; index < row.fragments; index++) {
      const at = index * lengthBytes
      const id = first + index
      this.body[id] = (lengths[at] as number) | ((lengths[at + 1] as number) << 8)
      this.heading[id] = lengths[at + 2] as number
      this.title[id] = lengths[at + 3] as number
      this.path[id] = lengths[at + 4] as number
    }
    this.file.set(new Uint32Array(row.files.slice().buffer), first)
  }

  #readDead(db: DatabaseSync): Uint8Array | null {
    const rows = db.prepare('SELECT id FROM dead_fragments').all() as unknown as { id: number }[]
    if (rows.length === 0) return null
    const bits = new Uint8Array((this.size >>> 3) + 1)
    for (const { id } of rows) bits[id >>> 3] = (bits[id >>> 3] as number) | (1 << (id & 7))
    return bits
  }

  isDead(fragment: number): boolean {
    return this.#dead !== null && ((this.#dead[fragment >>> 3] as number) & (1 << (fragment & 7))) !== 0
  }

  /** Is there such a fragment, and is it not dead? */
  isLiving(fragment: number): boolean {
    return fragment < this.size && !this.isDead(fragment)
  }

  /** Fills `into` with the living fragments that hold the term, in the order of their ids. */
  read(term: string, into: DecodedPostings): void {
    into.length = 0
    const rows = this.#lists.all(term) as unknown as { segment: number; data: Uint8Array }[]
    const first = (segment: number): number => this.#firstFragment.get(segment) ?? 0
    if (rows.length > 1) rows.sort((a, b) => first(a.segment) - first(b.segment))
    for (const row of rows) into.read(row.data, first(row.segment), this.#dead)
  }
}
