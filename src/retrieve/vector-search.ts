// Which fragments are nearest to a query vector? The vectors of a corpus in memory, scanned exactly.
import type { CorpusReader } from '../store/corpus-reader.ts'
import { createVectorScanner, type VectorScanner } from './scan-vectors.ts'

export interface SimilarFragment {
  readonly fragment: number
  /** Cosine, up to what rounding to bytes costs. */
  readonly similarity: number
}

interface Loaded {
  /** Another file, opened by another reader, counts its generations anew. */
  readonly reader: CorpusReader
  readonly generation: string
  readonly model: string
  readonly scanner: VectorScanner
  readonly fragments: Uint32Array
}

/** Extra candidates requested at first, to see ties with the last one. */
const TIES = 64

function countLiving(fragments: Uint32Array, isLiving: (fragment: number) => boolean): number {
  let count = 0
  for (const fragment of fragments) if (isLiving(fragment)) count++
  return count
}

/** Loads the vectors of a corpus once and again after a change. */
export class VectorSearch {
  #loaded: Loaded | null = null

  /** How many fragments have a vector of this model. */
  count(reader: CorpusReader, model: string): number {
    return this.#load(reader, model)?.fragments.length ?? 0
  }

  /** The most similar fragments, best first. */
  find(
    reader: CorpusReader,
    query: { model: string; vector: Float32Array },
    { limit, onlyFiles = null }: { readonly limit: number; readonly onlyFiles?: ReadonlySet<number> | null },
  ): SimilarFragment[] {
    const loaded = this.#load(reader, query.model)
    if (loaded === null) return []
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
    const best = last === undefined ? found : found.filter(({ score }) => score >= last.score)
    return best.map(({ row, score }) => ({ fragment: loaded.fragments[row] as number, similarity: score }))
  }

  #load(reader: CorpusReader, model: string): Loaded | null {
    const generation = reader.meta('generation') ?? ''
    const held = this.#loaded
    if (held?.reader === reader && held.generation === generation && held.model === model) return held
    this.#loaded = null
    const rows = [...reader.vectors().rows(model)]
    const dimensions = rows[0]?.dimensions
    if (dimensions === undefined) return null
    const lexical = reader.lexical()
    const isLiving = (fragment: number): boolean => lexical.isLiving(fragment)
    const count = rows.reduce((sum, row) => sum + countLiving(row.fragments, isLiving), 0)
    const scanner = createVectorScanner(dimensions)
    const memory = scanner.reserve(count)
    const fragments = new Uint32Array(count)
    let at = 0
    for (const row of rows) {
      // Rows are mostly whole, and their numbers mostly lie in memory as they lie in the file.
      if (scanner.rowBytes === dimensions && row.fragments.every(isLiving)) {
        memory.set(row.data, at * dimensions)
        fragments.set(row.fragments, at)
        at += row.fragments.length
        continue
      }
      for (const [slot, fragment] of row.fragments.entries()) {
        if (!isLiving(fragment)) continue
        memory.set(row.data.subarray(slot * dimensions, (slot + 1) * dimensions), at * scanner.rowBytes)
        fragments[at++] = fragment
      }
    }
    this.#loaded = { reader, generation, model, scanner, fragments }
    return this.#loaded
  }
}
