// Was this asked a moment ago? A result that must fill a budget is assembled more than once, and searched once.
import type { QueryAnalysis } from '../model/report.ts'
import type { CascadeResult } from '../retrieve/run-cascade.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { type CascadeContext, searchByCascade } from './search-by-cascade.ts'

/** Keeps what the last question found, for as long as the index stays as it is. */
export class RememberedSearch {
  #last: { readonly reader: CorpusReader; readonly key: string; readonly found: CascadeResult } | null = null

  find(question: string, analysis: QueryAnalysis, context: CascadeContext): CascadeResult {
    const { reader, meaning, reranked, conversation, relevanceThreshold, scope } = context
    const key = JSON.stringify([
      question,
      reader.meta('generation'),
      meaning?.model,
      meaning?.weight,
      reranked === null ? null : [reranked.weight, ...reranked.scores],
      conversation,
      relevanceThreshold,
      scope?.near,
      scope?.only == null ? null : [...scope.only],
    ])
    if (this.#last?.key !== key || this.#last.reader !== reader)
      this.#last = { reader, key, found: searchByCascade(question, analysis, context) }
    return this.#last.found
  }
}
