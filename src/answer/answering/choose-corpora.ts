// Which of many corpora is a question about? A unigram language model of each, from statistics that cost no ranking.
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'

// Chosen on half A of the code-search questions (lab/records/2026-11-17-workspace.md).

/** Corpora that one question is asked of. */
const MOST_ASKED = 10
/** Fragments of all corpora that smooth the counts of each (Dirichlet); 20 to 1,000 choose alike. */
const SMOOTHING = 200

/** A corpus with how likely the question is about it, compared with the likeliest: 0 to 1. */
export type Likely<C> = C & { readonly prior: number }

/** All of a few; of many the likeliest. */
export function chooseCorpora<C extends { readonly name: string; readonly reader: CorpusReader }>(
  question: string,
  corpora: readonly C[],
): readonly Likely<C>[] {
  const { terms } = analyzeQuery(question)
  const weights = terms.reduce((sum, { weight }) => sum + weight, 0)
  const counted = corpora.map(({ reader }) =>
    reader.snapshot(() => {
      const lexical = reader.lexical()
      return { fragments: lexical.size, counts: terms.map(({ term }) => lexical.count(term)) }
    }),
  )
  const all = counted.reduce((sum, { fragments }) => sum + fragments, 0)
  const totals = terms.map((_, at) => counted.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0))
  const scores = counted.map(({ fragments, counts }) => {
    let score = 0
    for (const [at, { weight }] of terms.entries()) {
      const share = (totals[at] ?? 0) / Math.max(1, all)
      // A word that no corpus has says nothing.
      if (share === 0) continue
      const smoothed = ((counts[at] ?? 0) + SMOOTHING * share) / (fragments + SMOOTHING)
      score += weight * Math.log(smoothed / share)
    }
    return score
  })
  const best = Math.max(...scores)
  return corpora
    .map((corpus, at) => {
      return { ...corpus, prior: Math.exp(((scores[at] ?? 0) - best) / Math.max(1, weights)) }
    })
    .sort((a, b) => b.prior - a.prior || (a.name < b.name ? -1 : 1))
    .slice(0, terms.length === 0 ? corpora.length : MOST_ASKED)
}
