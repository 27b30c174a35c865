// Which fragments are nearest to a query vector? The vectors of a corpus in memory, scanned exactly.
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { CacheLimit } from '../../corpus/store/rows/row-cache.ts'
import { createVectorScanner, scoreScale, type VectorScanner } from './scan-vectors.ts'

export interface SimilarFragment {
  readonly fragment: number
  /** Cosine, up to what rounding to bytes costs. */
  readonly similarity: number
}

interface Loaded {
  /** Each reader opens one file, and each file counts its own generations. */
  readonly reader: CorpusReader
  readonly generation: number | null
  readonly model: string
  readonly scanner: VectorScanner
  /** By row of the scanner. */
  readonly fragments: Uint32Array
  /** Rows of the file that are in it, with their sums. */
  readonly rows: ReadonlyMap<number, number>
}

/** Extra candidates requested at first, to see ties with the last one. */
const TIES = 64

/** Bytes of vectors that the corpora of a thread keep in memory together, without those of the corpus being searched. */
const searches = new CacheLimit(256 * 1024 * 1024)

/** Loads the vectors of a corpus once and again after a change, or when other corpora needed the room. */
export class VectorSearch {
  #loaded: Loaded | null = null

  clear(): void {
    this.#loaded = null
  }

  close(): void {
    searches.drop(this)
    this.clear()
  }

  /** The most similar fragments, best first. */
  find(
    reader: CorpusReader,
    query: { model: string; vector: Float32Array },
    { limit, onlyFiles = null }: { readonly limit: number; readonly onlyFiles?: ReadonlySet<number> | null },
  ): SimilarFragment[] {
    const loaded = this.#load(reader, query.model)
    if (loaded === null) return []
    searches.use(this, loaded.fragments.length * loaded.scanner.rowBytes)
    const { file } = reader.lexical()
    const accept =
      onlyFiles === null
        ? {}
        : { accept: (row: number) => onlyFiles.has(file[loaded.fragments[row] as number] as number) }
    // A few more than asked for: what ties with the last one belongs to the answer, whatever the order of the rows.
    let found = loaded.scanner.top(query.vector, { limit: limit + TIES, ...accept })
    const last = found[limit - 1]
    while (last !== undefined && found.length < loaded.scanner.count && found.at(-1)?.score === last.score)
      found = loaded.scanner.top(query.vector, { limit: found.length * 4, ...accept })
    const similar: SimilarFragment[] = []
    for (const { row, score } of found)
      if (last === undefined || score >= last.score)
        similar.push({ fragment: loaded.fragments[row] as number, similarity: score / scoreScale })
    return similar
  }

  #load(reader: CorpusReader, model: string): Loaded | null {
    const generation = reader.meta('generation')
    const held = this.#loaded
    if (held?.reader === reader && held.generation === generation && held.model === model) return held
    this.#loaded = null
    const store = reader.vectors()
    const stored = store.list(model)
    const rows = new Map(stored.map(({ id, sum }) => [id, sum]))
    // Rows are written and never changed: mostly a few have come.
    const isKept =
      held?.reader === reader &&
      held.model === model &&
      [...held.rows].every(([id, sum]) => rows.get(id) === sum)
    const coming = stored.filter(({ id }) => !isKept || !held.rows.has(id))
    const dimensions = isKept ? held.scanner.dimensions : stored[0]?.dimensions
    if (dimensions === undefined) return null
    const scanner = isKept ? held.scanner : createVectorScanner(dimensions)
    const { rowBytes } = scanner
    const lexical = reader.lexical()
    const isLiving = (fragment: number): boolean => lexical.isLiving(fragment)
    const before = isKept ? dropDead(scanner, held.fragments, isLiving) : new Uint32Array(0)
    const all = new Uint32Array(coming.reduce((sum, { count }) => sum + count, before.length))
    all.set(before)
    const memory = scanner.reserve(all.length)
    let at = before.length
    // One row is held at a time: together they are as large as the memory that they are copied to.
    for (const { id } of coming) {
      const row = store.row(id)
      // Rows are mostly whole.
      if (row.fragments.every(isLiving)) {
        memory.set(row.data, at * rowBytes)
        all.set(row.fragments, at)
        at += row.fragments.length
        continue
      }
      for (const [slot, fragment] of row.fragments.entries()) {
        if (!isLiving(fragment)) continue
        memory.set(row.data.subarray(slot * rowBytes, (slot + 1) * rowBytes), at * rowBytes)
        all[at++] = fragment
      }
    }
    scanner.reserve(at)
    const fragments = all.subarray(0, at)
    this.#loaded = { reader, generation, model, scanner, fragments, rows }
    return this.#loaded
  }
}

/** Puts the last rows in the places of those whose fragments are gone: their order means nothing. Gives what is left. */
function dropDead(scanner: VectorScanner, before: Uint32Array, isLiving: (fragment: number) => boolean) {
  const fragments = before.slice()
  const { rowBytes } = scanner
  const memory = scanner.reserve(fragments.length)
  let count = fragments.length
  for (let row = 0; row < count; row++) {
    if (isLiving(fragments[row] as number)) continue
    count--
    fragments[row] = fragments[count] as number
    memory.copyWithin(row * rowBytes, count * rowBytes, (count + 1) * rowBytes)
    // What took its place may be gone as well.
    row--
  }
  scanner.reserve(count)
  return fragments.subarray(0, count)
}
