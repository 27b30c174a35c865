// Where are the vectors? In rows of many: fragment ids and int4 numbers.
import type { DatabaseSync } from 'node:sqlite'
import type { CountedPiece } from '../../../model/section.ts'
import { vectorBytes } from '../../embed/vector-numbers.ts'
import { present } from '../rows/checksum.ts'
import { unpackPieces } from '../rows/document-batch.ts'
import { cacheStatements, combine, computed, type Selected, select } from '../rows/table.ts'
import { readTexts } from '../rows/text-blocks.ts'
import { deadFragments, fragments, vectorSum, vectors } from '../schema.ts'

interface VectorRow {
  readonly id: number
  readonly dimensions: number
  readonly fragments: Uint32Array
  readonly data: Uint8Array
}

const rowColumns = vectors.pick(vectors.properties)
const listColumns = combine(
  vectors.pick(['id', 'sum', 'dimensions']),
  computed<{ count: number }>({ count: 'length(fragments) / 4' }),
)
const fragmentColumns = fragments.pick(['id', 'artifact', 'pieceStart', 'pieceEnd'])
const textColumns = computed<{ headings: string; title: string; pieces: Uint8Array }>({
  pieces: 'a.pieces',
  headings: 'a.headings',
  title: 'd.title',
})

/** A fragment without a vector, with the text to embed. */
export interface PendingFragment {
  readonly id: number
  readonly title: string
  readonly headings: readonly string[]
  readonly text: string
}

function pickEntries({ dimensions, fragments, data }: VectorRow, indexes: readonly number[]) {
  const size = vectorBytes(dimensions)
  return {
    dimensions,
    fragments: Uint32Array.from(indexes, (index) => fragments[index] as number),
    data: Buffer.concat(indexes.map((index) => data.subarray(index * size, (index + 1) * size))),
  }
}

export class VectorStore {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** The rows of a model, by id, without what makes them large: not verified. */
  list(model: string): Selected<typeof listColumns>[] {
    return select(this.#db, listColumns, 'FROM vectors WHERE model = ? ORDER BY id').all(model)
  }

  /** One verified row. Throws INDEX_DAMAGED. */
  row(id: number): VectorRow {
    const row = present(select(this.#db, rowColumns, 'FROM vectors WHERE id = ?').get(id), 'a row of vectors')
    const { fragments: ids, ...rest } = vectorSum.verified(row, 'a row of vectors')
    return { ...rest, fragments: new Uint32Array(ids.slice().buffer) }
  }

  /** All vectors of a model, by id. */
  *rows(model: string): Generator<VectorRow> {
    for (const { id } of this.list(model)) yield this.row(id)
  }

  /** The fragments of each row, not verified, without the numbers, which are many times as large. */
  *#heads(model: string): Generator<Pick<VectorRow, 'id' | 'fragments'>> {
    const rows = select(
      this.#db,
      vectors.pick(['id', 'fragments']),
      'FROM vectors WHERE model = ? ORDER BY id',
    )
    for (const { id, fragments: ids } of rows.iterate(model))
      yield { id, fragments: new Uint32Array(ids.slice().buffer) }
  }

  /** By fragment id, 1 if it lives: ids have no gaps, so that segments and dead fragments say it all. */
  #living(): Uint8Array {
    const size = computed<{ size: number }>({ size: 'coalesce(max(first_fragment + fragments), 0)' })
    const living = new Uint8Array(select(this.#db, size, 'FROM segments').get()?.size ?? 0).fill(1)
    for (const { id } of select(this.#db, deadFragments.pick(['id']), 'FROM dead_fragments').iterate())
      living[id] = 0
    return living
  }

  /** The number of living fragments, and those without a vector of this model. */
  pending(model: string): { total: number; ids: number[] } {
    const missing = this.#living()
    let total = 0
    for (const lives of missing) total += lives
    for (const { fragments } of this.#heads(model)) for (const id of fragments) missing[id] = 0
    const ids: number[] = []
    for (let id = missing.indexOf(1); id !== -1; id = missing.indexOf(1, id + 1)) ids.push(id)
    return { total, ids }
  }

  /** The texts of fragments, in the order given; the text of an artifact is read once for consecutive fragments. */
  *fragments(ids: Iterable<number>): Generator<PendingFragment> {
    const fragment = select(this.#db, fragmentColumns, 'FROM fragments WHERE id = ?')
    const ofArtifact = 'FROM artifacts a JOIN files d ON d.id = a.file WHERE a.id = ?'
    const artifact = select(this.#db, textColumns, ofArtifact)
    const read = readTexts(cacheStatements(this.#db))
    let held: { row: Selected<typeof textColumns>; pieces: CountedPiece[]; whole: string } | null = null
    let owner = -1
    for (const id of ids) {
      const place = present(fragment.get(id), `fragment ${id}`)
      if (held === null || place.artifact !== owner) {
        owner = place.artifact
        const row = present(artifact.get(owner), `section ${owner}`)
        held = { row, pieces: unpackPieces(row.pieces), whole: read(owner) }
      }
      const { row, pieces, whole } = held
      const text = whole.slice(pieces[place.pieceStart]?.start, pieces[place.pieceEnd - 1]?.end)
      yield { id, title: row.title, headings: JSON.parse(row.headings) as string[], text }
    }
  }

  add(model: string, row: Omit<VectorRow, 'id'>): void {
    const insert = vectors.inserter(this.#db, ['model', 'dimensions', 'fragments', 'data', 'sum'])
    const { buffer, byteOffset, byteLength } = row.fragments
    insert(vectorSum.seal({ ...row, model, fragments: new Uint8Array(buffer, byteOffset, byteLength) }))
  }

  /** Deletes vectors of dead fragments from rows where these are at least half. Other models keep their vectors. */
  sweep(model: string, inTransaction: (write: () => void) => void): void {
    const living = this.#living()
    const isLiving = (fragment: number): boolean => living[fragment] === 1
    const sparse = [...this.#heads(model)].filter(
      ({ fragments }) => fragments.filter(isLiving).length <= fragments.length / 2,
    )
    if (sparse.length === 0) return
    inTransaction(() => {
      for (const { id } of sparse) {
        const row = this.row(id)
        this.#db.prepare('DELETE FROM vectors WHERE id = ?').run(id)
        const indexes = [...row.fragments.keys()].filter((index) => isLiving(row.fragments[index] as number))
        if (indexes.length > 0) this.add(model, pickEntries(row, indexes))
      }
    })
  }
}
