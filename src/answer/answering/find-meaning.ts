// Which fragments are near a question in meaning? It is embedded, and the nearest vectors are looked up.

import type { Embedder } from '../../corpus/embed/embedder.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { SearchMode } from '../../model/report.ts'
import { type CallerWords, listCallerNames, listCallerWords } from '../retrieve/caller-words.ts'
import { noWordMeaning, type WordMeaning } from '../retrieve/run-cascade.ts'
import { FRAGMENTS } from '../retrieve/tuning.ts'
import { type SimilarFragment, VectorSearch } from '../retrieve/vector-search.ts'

/** An embedded question, with the index to search by it. */
export interface QuestionVector {
  readonly model: string
  readonly vector: Float32Array
  /** Weight of vector similarity in the fused relevance; 1 ignores the lexical score. */
  readonly weight: number
  readonly search: VectorSearch
  /** With the caller's words; absent without any. */
  readonly caller?: CallerVectors
}

interface CallerVectors {
  /** Of the question followed by all words, and by the names alone. */
  readonly words: Float32Array
  readonly names: Float32Array
  /** Of the words without the question. */
  readonly list: Float32Array
}

/** Fragments by vector similarity; null for lexical search alone, or when no fragment has a vector. */
export function findMeaning(
  reader: CorpusReader,
  meaning: QuestionVector | null,
  onlyFiles: ReadonlySet<number> | null = null,
): { similar: readonly SimilarFragment[] | null; vectorWeight: number } {
  if (meaning === null) return { similar: null, vectorWeight: 0 }
  const similar = meaning.search.find(reader, meaning, { limit: FRAGMENTS, onlyFiles })
  return similar.length === 0 ? { similar: null, vectorWeight: 0 } : { similar, vectorWeight: meaning.weight }
}

/** The caller's words by meaning: how near the list is to the question, and what is near both. */
export function guideByMeaning(
  reader: CorpusReader,
  meaning: QuestionVector | null,
  onlyFiles: ReadonlySet<number> | null,
): WordMeaning {
  if (meaning?.caller === undefined) return noWordMeaning
  const { vector, caller } = meaning
  return {
    similarity: caller.list.reduce((sum, one, at) => sum + one * (vector[at] as number), 0),
    near: (of) => findMeaning(reader, { ...meaning, vector: caller[of] }, onlyFiles),
  }
}

/** The vector of a question. Without one, search is lexical, and a notice says why. */
export interface AskedMeaning {
  readonly meaning: QuestionVector | null
  readonly notices: readonly string[]
}

export const noMeaning: AskedMeaning = { meaning: null, notices: [] }

/** Turns questions into vectors. Holds the embedder of an engine. */
export class QuestionMeaning {
  readonly #settings: Settings
  readonly #search = new VectorSearch()
  #embedder: Embedder | null = null

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async of(query: string, mode: SearchMode, given: CallerWords = {}): Promise<AskedMeaning> {
    const weight = mode === 'vector' ? 1 : this.#settings['embedding.weight']
    if (mode === 'lexical' || weight === 0) return noMeaning
    if (this.#embedder === null) {
      const { openEmbedder } = await import('../../corpus/embed/open-embedder.ts')
      const opened = await openEmbedder(this.#settings)
      if ('missing' in opened) return noMeaning
      this.#embedder = opened.embedder
    }
    const { id, embed } = this.#embedder
    try {
      const list = listCallerWords(given).join(' ')
      const asked =
        list === '' ? [] : [`${query} ${list}`, `${query} ${listCallerNames(given).join(' ')}`, list]
      const [vector, ...others] = (await embed([query, ...asked], 'query')) as [
        Float32Array,
        ...Float32Array[],
      ]
      const meaning = { model: id, vector, weight, search: this.#search }
      if (list === '') return { ...noMeaning, meaning }
      const [words, names, own] = others as [Float32Array, Float32Array, Float32Array]
      return { ...noMeaning, meaning: { ...meaning, caller: { words, names, list: own } } }
    } catch (cause) {
      if (!(cause instanceof YoreError)) throw cause
      return { ...noMeaning, notices: [`Found by words alone: ${cause.message}.`] }
    }
  }

  close(): void {
    this.#embedder?.close()
    this.#embedder = null
    this.#search.close()
  }
}
