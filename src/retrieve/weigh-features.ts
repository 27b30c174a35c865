// How much does each feature count? One table of weights, fitted by eval/fit-ranking.ts on half A of the evaluation sets.
import type { SignalPart } from '../model/digest.ts'
import type { Features } from './section-features.ts'

/** In parts of the best relevance of the first stage: 0.5 lifts a candidate by half of what the best match is worth. */
const featureWeights: Readonly<Record<string, number>> = {
  blind: 0.07,
  block: -0.02,
  'callers: calls': 0.55,
  'callers: code': 0.2,
  'callers: defines': -0.46,
  code: -0.04,
  'code: code': 0.4,
  coverage: 0.31,
  defines: 0.02,
  document: 0.12,
  'error: code': 0.09,
  'error: quoted': 0.11,
  'error: refuses': 0.11,
  example: -0.23,
  generated: -0.27,
  heading: -0.09,
  headingPrecision: 0.13,
  imports: -0.21,
  licence: -0.36,
  long: 0.21,
  mentions: 0.03,
  'names file': 0.15,
  'names line': 0.3,
  'names scope': 0.4,
  'newest version': 0.1,
  'name: code': 0.11,
  'name: defines': 0.18,
  'option: code': 0.04,
  outer: 0.06,
  'overview: code': -0.05,
  page: 0.04,
  pairs: 0.05,
  path: 0.11,
  quoted: 0.12,
  'reason: code': -0.19,
  'release notes': -0.46,
  relevance: 1.0,
  short: -0.12,
  superseded: -1,
  'table of contents': -0.36,
  'task: code': -0.02,
  test: -0.8,
  together: 0.21,
  type: 0.02,
  'upgrade guide': -0.21,
  vector: 0.6,
  vendored: -0.18,
  'versions: code': 0.02,
  'versions: release notes': 0.39,
  'versions: upgrade guide': 0.26,
}

/** What an explanation calls the features whose names are ours alone. */
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
  defines: 'defines the name',
  mentions: 'mentions the name',
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
    if (name !== 'relevance' && Math.abs(effect) >= SMALLEST_PART)
      parts.push({ name: inWords[name] ?? name, effect })
  }
  parts.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.name < b.name ? -1 : 1))
  return { worth: Math.max(0, worth), parts: parts.slice(0, SHOWN_PARTS) }
}
