// What does a question mean, beside its words? Its vector, and the fragments that are near it.
import type { SimilarFragment, VectorSearch } from '../retrieve/vector-search.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'

/** A question as a vector, with what is needed to search by it. */
export interface Meaning {
  readonly model: string
  readonly vector: Float32Array
  /** Share of meaning in the relevance: 1 when words do not count. */
  readonly weight: number
  readonly search: VectorSearch
}

/** How many fragments meaning brings in. */
const FRAGMENTS = 300

/** The fragments near a question; null when meaning is not asked or nothing is embedded. */
export function findMeaning(
  reader: CorpusReader,
  meaning: Meaning | null,
): { similar: readonly SimilarFragment[] | null; vectorWeight: number } {
  if (meaning === null) return { similar: null, vectorWeight: 0 }
  const similar = meaning.search.find(reader, meaning, FRAGMENTS)
  return similar.length === 0 ? { similar: null, vectorWeight: 0 } : { similar, vectorWeight: meaning.weight }
}
