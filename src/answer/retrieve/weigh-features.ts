// What is the score of a candidate by its features? Their weighted sum, and its largest parts for an explanation.

import type { SignalPart } from '../../model/digest.ts'
import type { Features } from './section-features.ts'
import { featureWeights } from './tuning.ts'

/** Names of features in an explanation, where the identifier is not plain English. */
const inWords: Readonly<Record<string, string>> = {
  coverage: 'words found',
  together: 'words close together',
  heading: 'heading',
  headingPrecision: 'heading fits',
  document: 'document fits',
  outer: 'outer headings',
  page: 'whole page',
  pairs: 'pairs of words',
  path: 'path',
  short: 'short section',
  long: 'long section',
  vector: 'meaning',
  type: 'a type',
  tested: 'its tests fit',
  defines: 'defines the name',
  mentions: 'mentions the name',
}

/** Maximum number and minimum size of the parts that an explanation lists. */
const SHOWN_PARTS = 5
const SMALLEST_PART = 0.03

/** The weighted sum of a candidate's features, and the largest parts beside its first-stage relevance. */
export function weighFeatures(features: Features): { worth: number; parts: SignalPart[] } {
  let worth = 0
  const parts: SignalPart[] = []
  for (const [name, value] of Object.entries(features)) {
    const effect = (featureWeights[name] ?? 0) * value
    worth += effect
    if (name !== 'relevance' && Math.abs(effect) >= SMALLEST_PART)
      parts.push({ name: inWords[name] ?? name, effect })
  }
  parts.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.name < b.name ? -1 : 1))
  return { worth: Math.max(0, worth), parts: parts.slice(0, SHOWN_PARTS) }
}
