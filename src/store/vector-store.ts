// Where are the vectors? Beside the text, in rows of many: fragment ids, hashes of what was embedded, and int8 numbers.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Bytes of the hash that says what text a vector stands for. */
export const vectorHashBytes = 8

export interface VectorRow {
  readonly id: number
  readonly dimensions: number
  readonly fragments: Uint32Array
  readonly hashes: Uint8Array
  readonly data: Int8Array
}

interface RawRow {
  readonly id: number
  readonly dimensions: number
  readonly fragments: Uint8Array
  readonly hashes: Uint8Array
  readonly data: Uint8Array
}

function toRow(raw: RawRow): VectorRow {
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

const pendingSql = `SELECT f.id, f.piece_start, f.piece_end, a.text, a.pieces, a.headings, d.title
  FROM fragments f JOIN artifacts a ON a.id = f.artifact JOIN files d ON d.id = a.file WHERE f.id = ?`

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
  #pending: StatementSync | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** All vectors of a model, in the order in which they were written. */
  *rows(model: string): Generator<VectorRow> {
    const rows = this.#db.prepare(
      'SELECT id, dimensions, fragments, hashes, data FROM vectors WHERE model = ? ORDER BY id',
    )
    for (const raw of rows.iterate(model)) yield toRow(raw as unknown as RawRow)
  }

  /** How many living fragments there are, and which of them have no vector of this model. */
  pending(model: string): { total: number; ids: number[] } {
    const embedded = new Set<number>()
    const rows = this.#db.prepare('SELECT fragments FROM vectors WHERE model = ?')
    for (const row of rows.iterate(model)) {
      const { fragments } = row as unknown as { fragments: Uint8Array }
      for (const id of new Uint32Array(fragments.slice().buffer)) embedded.add(id)
    }
    const all = this.#db.prepare('SELECT id FROM fragments ORDER BY id').all() as unknown as { id: number }[]
    return { total: all.length, ids: all.filter(({ id }) => !embedded.has(id)).map(({ id }) => id) }
  }

  fragment(id: number): PendingFragment {
    this.#pending ??= this.#db.prepare(pendingSql)
    const row = this.#pending.get(id) as unknown as {
      piece_start: number
      piece_end: number
      text: string
      pieces: Uint8Array
      headings: string
      title: string
    }
    const view = new DataView(row.pieces.buffer, row.pieces.byteOffset, row.pieces.byteLength)
    const endOf = (piece: number): number => (piece < 0 ? 0 : view.getUint32(piece * 16, true))
    const text = row.text.slice(endOf(row.piece_start - 1), endOf(row.piece_end - 1))
    return { id, title: row.title, headings: JSON.parse(row.headings) as string[], text }
  }

  add(model: string, row: Omit<VectorRow, 'id'>): void {
    const bytes = (array: Uint32Array | Int8Array): Uint8Array =>
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    this.#db
      .prepare('INSERT INTO vectors (model, dimensions, fragments, hashes, data) VALUES (?, ?, ?, ?, ?)')
      .run(model, row.dimensions, bytes(row.fragments), row.hashes, bytes(row.data))
  }

  /** Forgets vectors of fragments that are gone, once they are half of a row. Other models keep theirs: to go back to one costs nothing. */
  sweep(model: string): void {
    const ids = this.#db.prepare('SELECT id FROM fragments').all() as unknown as { id: number }[]
    const living = new Set(ids.map(({ id }) => id))
    const isLiving = (fragment: number): boolean => living.has(fragment)
    const sparse = [...this.rows(model)].filter(
      ({ fragments }) => fragments.filter(isLiving).length <= fragments.length / 2,
    )
    for (const row of sparse) {
      this.#db.prepare('DELETE FROM vectors WHERE id = ?').run(row.id)
      const kept = [...row.fragments.keys()].filter((index) => isLiving(row.fragments[index] as number))
      if (kept.length > 0) this.add(model, pickEntries(row, kept))
    }
  }
}
