// How much does each feature count? One table of weights, fitted by training/fit-ranking.ts on half A of the evaluation sets.
import type { SignalPart } from '../model/digest.ts'
import type { Features } from './section-features.ts'

/** In parts of the best relevance of the first stage: 0.5 lifts a candidate by half of what the best match is worth. */
export const featureWeights: Readonly<Record<string, number>> = {
  block: -0.06,
  'callers: calls': 0.56,
  'callers: code': 0.21,
  'callers: defines': -0.27,
  code: -0.03,
  'code: code': 0.41,
  coverage: 0.31,
  defines: 0.02,
  document: 0.13,
  'error: code': 0.11,
  'error: quoted': 0.15,
  'error: refuses': 0.17,
  example: -0.26,
  generated: -0.28,
  heading: -0.1,
  headingPrecision: 0.11,
  imports: -0.23,
  licence: -0.38,
  long: 0.2,
  mentions: 0.04,
  'name: code': 0.15,
  'name: defines': 0.18,
  'option: code': 0.02,
  outer: 0.08,
  'overview: code': -0.01,
  page: 0.1,
  pairs: 0.05,
  path: 0.11,
  quoted: 0.09,
  'reason: code': -0.16,
  'release notes': -0.49,
  relevance: 1.0,
  short: -0.13,
  'table of contents': -0.39,
  'task: code': -0.07,
  test: -0.53,
  together: 0.25,
  type: 0.02,
  'upgrade guide': -0.23,
  vector: 0.62,
  vendored: -0.19,
  'versions: code': 0.05,
  'versions: release notes': 0.4,
  'versions: upgrade guide': 0.28,
}

/** An explanation names no more, and none smaller. */
const SHOWN_PARTS = 5
const SMALLEST_PART = 0.03

/** What a candidate is worth by all that is known of it, and the largest parts beside its first relevance. */
export function weighFeatures(features: Features): { worth: number; parts: SignalPart[] } {
  let worth = 0
  const parts: SignalPart[] = []
  for (const [name, value] of Object.entries(features)) {
    const effect = (featureWeights[name] ?? 0) * value
    worth += effect
    if (name !== 'relevance' && Math.abs(effect) >= SMALLEST_PART) parts.push({ name, effect })
  }
  parts.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.name < b.name ? -1 : 1))
  return { worth: Math.max(0, worth), parts: parts.slice(0, SHOWN_PARTS) }
}
