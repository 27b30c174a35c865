// Where are the vectors? Beside the text, in rows of many: fragment ids, hashes of what was embedded, and int8 numbers.
import type { DatabaseSync } from 'node:sqlite'
import type { CountedPiece } from '../../../model/section.ts'
import { unpackPieces } from '../rows/document-batch.ts'
import { blobSum, damaged, rowSum } from '../rows/row-sum.ts'

/** Bytes of the hash that says what text a vector stands for. */
export const vectorHashBytes = 8

interface VectorRow {
  readonly id: number
  readonly dimensions: number
  readonly fragments: Uint32Array
  readonly hashes: Uint8Array
  readonly data: Int8Array
}

interface RawRow {
  readonly id: number
  readonly sum: number
  readonly dimensions: number
  readonly fragments: Uint8Array
  readonly hashes: Uint8Array
  readonly data: Uint8Array
}

/** Throws INDEX_DAMAGED when the row is not what was written. */
function toRow(model: string, raw: RawRow): VectorRow {
  const { fragments: ids, hashes, data: numbers } = raw
  if (blobSum(rowSum(model, raw.dimensions), ids, hashes, numbers) !== raw.sum)
    throw damaged('a row of vectors')
  const fragments = new Uint32Array(raw.fragments.slice().buffer)
  const data = new Int8Array(raw.data.buffer, raw.data.byteOffset, raw.data.byteLength)
  return { id: raw.id, dimensions: raw.dimensions, fragments, hashes: raw.hashes, data }
}

/** A fragment that has no vector yet, with what is embedded for it. */
export interface PendingFragment {
  readonly id: number
  readonly title: string
  readonly headings: readonly string[]
  readonly text: string
}

interface PlacedFragment {
  readonly id: number
  readonly artifact: number
  readonly piece_start: number
  readonly piece_end: number
}

interface HeldArtifact {
  readonly text: string
  readonly pieces: readonly CountedPiece[]
  readonly headings: string
  readonly title: string
}

function readFragment({ id, piece_start, piece_end }: PlacedFragment, held: HeldArtifact): PendingFragment {
  const { pieces, title, headings } = held
  const text = held.text.slice(pieces[piece_start]?.start, pieces[piece_end - 1]?.end)
  return { id, title, headings: JSON.parse(headings) as string[], text }
}

function pickEntries(
  { dimensions, fragments, hashes, data }: VectorRow,
  kept: readonly number[],
): Omit<VectorRow, 'id'> {
  const picked = {
    dimensions,
    fragments: Uint32Array.from(kept, (index) => fragments[index] as number),
    hashes: new Uint8Array(kept.length * vectorHashBytes),
    data: new Int8Array(kept.length * dimensions),
  }
  for (const [at, index] of kept.entries()) {
    const hashStart = index * vectorHashBytes
    picked.hashes.set(hashes.subarray(hashStart, hashStart + vectorHashBytes), at * vectorHashBytes)
    picked.data.set(data.subarray(index * dimensions, (index + 1) * dimensions), at * dimensions)
  }
  return picked
}

/** Reads and writes the vectors of one corpus file. */
export class VectorStore {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Which rows there are for a model, in the order in which they were written, each with the sum of what it holds. */
  list(model: string): { readonly id: number; readonly sum: number }[] {
    const sql = 'SELECT id, sum FROM vectors WHERE model = ? ORDER BY id'
    return this.#db.prepare(sql).all(model) as unknown as { id: number; sum: number }[]
  }

  /** One row, checked. Throws INDEX_DAMAGED. */
  row(model: string, id: number): VectorRow {
    const sql = 'SELECT id, dimensions, fragments, hashes, data, sum FROM vectors WHERE id = ?'
    return toRow(model, this.#db.prepare(sql).get(id) as unknown as RawRow)
  }

  /** All vectors of a model, in the order in which they were written. */
  *rows(model: string): Generator<VectorRow> {
    for (const { id } of this.list(model)) yield this.row(model, id)
  }

  /** What each row is for, unchecked and without its numbers, which are a hundred times as large. */
  *heads(
    model: string,
  ): Generator<{ readonly id: number; readonly fragments: Uint32Array; readonly hashes: Uint8Array }> {
    const rows = this.#db.prepare('SELECT id, fragments, hashes FROM vectors WHERE model = ? ORDER BY id')
    for (const raw of rows.iterate(model)) {
      const { id, fragments, hashes } = raw as unknown as RawRow
      yield { id, fragments: new Uint32Array(fragments.slice().buffer), hashes }
    }
  }

  /** By fragment, 1 where it lives. Ids follow each other without gaps: segments and the list of the dead say it all. */
  #living(): Uint8Array {
    const sql = 'SELECT coalesce(max(first_fragment + fragments), 0) AS size FROM segments'
    const living = new Uint8Array((this.#db.prepare(sql).get() as { size: number }).size).fill(1)
    for (const { id } of this.#db.prepare('SELECT id FROM dead_fragments').iterate()) living[id as number] = 0
    return living
  }

  /** How many living fragments there are, and which of them have no vector of this model. */
  pending(model: string): { total: number; ids: number[] } {
    const missing = this.#living()
    let total = 0
    for (const lives of missing) total += lives
    for (const { fragments } of this.heads(model)) for (const id of fragments) missing[id] = 0
    const ids: number[] = []
    for (let id = missing.indexOf(1); id !== -1; id = missing.indexOf(1, id + 1)) ids.push(id)
    return { total, ids }
  }

  /** The text of each, in the order given. A text is read once for all its fragments that follow each other: it may be long. */
  *fragments(ids: readonly number[]): Generator<PendingFragment> {
    const fragment = this.#db.prepare(
      'SELECT id, artifact, piece_start, piece_end FROM fragments WHERE id = ?',
    )
    const artifact = this.#db.prepare(
      'SELECT a.text, a.pieces, a.headings, d.title FROM artifacts a JOIN files d ON d.id = a.file WHERE a.id = ?',
    )
    let heldId: number | null = null
    let held: HeldArtifact | undefined
    for (const id of ids) {
      const placed = fragment.get(id) as unknown as PlacedFragment
      if (held === undefined || placed.artifact !== heldId) {
        heldId = placed.artifact
        const row = artifact.get(heldId) as unknown as Omit<HeldArtifact, 'pieces'> & { pieces: Uint8Array }
        held = { ...row, pieces: unpackPieces(row.pieces) }
      }
      yield readFragment(placed, held)
    }
  }

  add(model: string, row: Omit<VectorRow, 'id'>): void {
    const bytes = (array: Uint32Array | Int8Array): Uint8Array =>
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    const blobs = [bytes(row.fragments), row.hashes, bytes(row.data)] as const
    this.#db
      .prepare(
        'INSERT INTO vectors (model, dimensions, fragments, hashes, data, sum) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(model, row.dimensions, ...blobs, blobSum(rowSum(model, row.dimensions), ...blobs))
  }

  /** Forgets vectors of fragments that are gone, once they are half of a row. Other models keep theirs: to go back to one costs nothing. */
  sweep(model: string, inTransaction: (write: () => void) => void): void {
    const living = this.#living()
    const isLiving = (fragment: number): boolean => living[fragment] === 1
    const sparse = [...this.heads(model)].filter(
      ({ fragments }) => fragments.filter(isLiving).length <= fragments.length / 2,
    )
    if (sparse.length > 0) inTransaction(() => this.#thinOut(model, sparse, isLiving))
  }

  #thinOut(
    model: string,
    sparse: readonly { readonly id: number }[],
    isLiving: (fragment: number) => boolean,
  ): void {
    for (const { id } of sparse) {
      const row = this.row(model, id)
      this.#db.prepare('DELETE FROM vectors WHERE id = ?').run(id)
      const kept = [...row.fragments.keys()].filter((index) => isLiving(row.fragments[index] as number))
      if (kept.length > 0) this.add(model, pickEntries(row, kept))
    }
  }
}
