// Where are the vectors? Beside the text, in rows of many: fragment ids, hashes of what was embedded, and int8 numbers.
import type { DatabaseSync } from 'node:sqlite'
import type { CountedPiece } from '../model/section.ts'
import { CandidateSource, type StoredVectors } from './candidate-source.ts'
import { markSwept, shardsOf } from './corpus-shards.ts'
import { unpackPieces } from './document-batch.ts'
import { blobSum, damaged, rowSum } from './row-sum.ts'

/** Bytes of the hash that says what text a vector stands for. */
export const vectorHashBytes = 8

interface VectorRow {
  readonly id: number
  readonly dimensions: number
  readonly fragments: Uint32Array
  readonly hashes: Uint8Array
  readonly data: Int8Array
}

/** Throws INDEX_DAMAGED when the row is not what was written. */
function toRow(model: string, raw: StoredVectors): VectorRow {
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
  { dimensions, fragments, hashes, data }: Omit<VectorRow, 'id'>,
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

function addTo(source: CandidateSource, model: string, row: Omit<VectorRow, 'id'>): void {
  const bytes = (array: Uint32Array | Int8Array): Uint8Array =>
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  const blobs = [bytes(row.fragments), row.hashes, bytes(row.data)] as const
  const sum = blobSum(rowSum(model, row.dimensions), ...blobs)
  const [fragments, hashes, data] = blobs
  source.addVectors(model, { dimensions: row.dimensions, fragments, hashes, data, sum })
}

/** Reads and writes the vectors of one corpus. A row's id says its shard, as a fragment's does. */
export class VectorStore {
  readonly #db: DatabaseSync
  readonly #sources: readonly CandidateSource[]

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#sources = shardsOf(db).map((shard) => new CandidateSource(shard))
  }

  /** The shard of a row or a fragment. */
  #shardOf(id: number): number {
    return id % this.#sources.length
  }

  #placed<T extends { readonly id: number }>(row: T, shard: number): T {
    return { ...row, id: row.id * this.#sources.length + shard }
  }

  models(): string[] {
    return [...new Set(this.#sources.flatMap((source) => source.models()))]
  }

  /** Which rows there are for a model, in the order in which they were written, each with the sum of what it holds. */
  list(model: string): { readonly id: number; readonly sum: number }[] {
    return this.#sources.flatMap((source, shard) =>
      source.listVectors(model).map((row) => this.#placed(row, shard)),
    )
  }

  /** One row, checked. Throws INDEX_DAMAGED. */
  row(model: string, id: number): VectorRow {
    const shard = this.#shardOf(id)
    const source = this.#sources[shard] as CandidateSource
    const raw = source.vectors((id - shard) / this.#sources.length)
    return this.#placed(toRow(model, raw), shard)
  }

  /** All vectors of a model, in the order in which they were written. */
  *rows(model: string): Generator<VectorRow> {
    for (const { id } of this.list(model)) yield this.row(model, id)
  }

  /** What each row is for, unchecked and without its numbers, which are a hundred times as large. */
  *heads(
    model: string,
  ): Generator<{ readonly id: number; readonly fragments: Uint32Array; readonly hashes: Uint8Array }> {
    for (const [shard, source] of this.#sources.entries())
      for (const raw of source.vectorHeads(model)) {
        const { id, fragments, hashes } = this.#placed(raw, shard)
        yield { id, fragments: new Uint32Array(fragments.slice().buffer), hashes }
      }
  }

  /** By fragment, 1 where it lives. A shard's numbers have no gaps: segments and the list of the dead say it all. */
  #living(): Uint8Array {
    const sql = 'SELECT coalesce(max(first_fragment + fragments), 0) AS size FROM segments WHERE id % ? = ?'
    const shards = this.#sources.length
    const sizes = this.#sources.map(
      (_, shard) => this.#db.prepare(sql).get(shards, shard)?.['size'] as number,
    )
    const living = new Uint8Array(Math.max(...sizes) * shards)
    for (const [shard, size] of sizes.entries())
      for (let number = 0; number < size; number++) living[number * shards + shard] = 1
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
    for (const [shard, source] of this.#sources.entries()) {
      const own = this.#sources.length === 1 ? row : pickEntries(row, this.#entriesOf(row, shard))
      if (own.fragments.length > 0) addTo(source, model, own)
    }
  }

  #entriesOf({ fragments }: Pick<VectorRow, 'fragments'>, shard: number): number[] {
    return [...fragments.keys()].filter((index) => this.#shardOf(fragments[index] as number) === shard)
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
      const shard = this.#shardOf(id)
      this.#sources[shard]?.removeVectors((id - shard) / this.#sources.length)
      markSwept(this.#db, shardsOf(this.#db)[shard] as DatabaseSync)
      const kept = [...row.fragments.keys()].filter((index) => isLiving(row.fragments[index] as number))
      if (kept.length > 0) this.add(model, pickEntries(row, kept))
    }
  }
}
