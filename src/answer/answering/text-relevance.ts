// How well does a text fit the question? Asked for windows, pieces and lines of the same sections again and again.

import { remember } from '../../model/remember.ts'
import { analyzeWords, startsOf } from '../../read/parse/words/analyze-words.ts'
import type { DigestParts } from './digest-parts.ts'

/** How well a text fits the question: a sum over shared terms, weighted by inverse document frequency, with saturation. */
export function makeRelevance({ context, analysis, frequency }: DigestParts): (text: string) => number {
  const { livingFragments } = context.reader.lexical()
  const { terms, callerTerms = [] } = analysis
  const weights = new Map(
    [...callerTerms, ...terms].map(({ term, weight }) => [
      term,
      weight * Math.log(1 + livingFragments / (frequency(term) + 0.5)),
    ]),
  )
  const starts = startsOf(weights.keys())
  // Most texts share lines: windows of one section overlap.
  const termsIn = remember((line: string) => {
    const terms: string[] = []
    analyzeWords(line, (term) => weights.has(term) && terms.push(term), 0, line.length, starts)
    return terms
  })
  return (text) => {
    const counts = new Map<string, number>()
    for (const line of text.split('\n'))
      for (const term of termsIn(line)) counts.set(term, (counts.get(term) ?? 0) + 1)
    let score = 0
    for (const [term, count] of counts) score += ((weights.get(term) as number) * count) / (count + 1.5)
    return score
  }
}
