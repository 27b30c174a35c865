// Which weights rank names best? A conditional logit over the evidence of each mention, and a logistic for its lead.
import { type Evidence, featureNames } from '../../src/corpus/resolve/question/evidence.ts'
import { type Lead, leadOf, rankEvidence } from '../../src/corpus/resolve/question/rank-names.ts'

export interface Example {
  readonly evidence: readonly Evidence[]
  /** How many words the mention has. */
  readonly words: number
  /** Number of the document that was meant. */
  readonly target: number
}

const leadKeys: readonly (keyof Lead)[] = ['lead', 'margin', 'words', 'title', 'cover']

/** Adam with a constant step; `keep` projects the weights after each. */
function descend(
  size: number,
  gradient: (weights: Float64Array) => Float64Array,
  steps: number,
  keep: (weight: number) => number,
): Float64Array {
  const weights = new Float64Array(size)
  const first = new Float64Array(size)
  const second = new Float64Array(size)
  for (let step = 1; step <= steps; step++) {
    const slope = gradient(weights)
    for (let at = 0; at < size; at++) {
      first[at] = 0.9 * first[at]! + 0.1 * slope[at]!
      second[at] = 0.999 * second[at]! + 0.001 * slope[at]! ** 2
      const move = first[at]! / (1 - 0.9 ** step) / (Math.sqrt(second[at]! / (1 - 0.999 ** step)) + 1e-8)
      weights[at] = keep(weights[at]! - 0.1 * move)
    }
  }
  return weights
}

const dot = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)

/** Weights under which the right documents are the likeliest; none below 0, so that more evidence never hurts. */
export function fitRanking(examples: readonly Example[]): Float64Array {
  const usable = examples.filter(({ evidence, target }) =>
    evidence.some(({ document }) => document === target),
  )
  const gradient = (weights: Float64Array): Float64Array => {
    const slope = weights.map((weight) => 0.002 * weight)
    for (const { evidence, target } of usable) {
      const scores = evidence.map(({ features }) => dot(features, weights))
      const top = Math.max(...scores)
      const odds = scores.map((score) => Math.exp(score - top))
      const total = odds.reduce((sum, one) => sum + one, 0)
      for (const [index, { features, document }] of evidence.entries()) {
        const error = (odds[index]! / total - (document === target ? 1 : 0)) / usable.length
        for (let at = 0; at < slope.length; at++) slope[at]! += error * features[at]!
      }
    }
    return slope
  }
  return descend(featureNames.length, gradient, 120, (weight) => Math.max(0, weight))
}

/** Weights of the lead: is the first right? The bias comes last. */
export function fitLead(examples: readonly Example[], ranking: Float64Array): Float64Array {
  const rows = examples.flatMap(({ evidence, words, target }) => {
    const ranked = rankEvidence(evidence, ranking)
    const lead = leadOf(ranked, words)
    if (lead === null) return []
    return [
      {
        inputs: [...leadKeys.map((key) => lead[key]), 1],
        right: ranked[0]!.evidence.document === target ? 1 : 0,
      },
    ]
  })
  const gradient = (weights: Float64Array): Float64Array => {
    const slope = weights.map((weight) => (0.5 * weight) / rows.length)
    for (const { inputs, right } of rows) {
      const logit = inputs.reduce((sum, input, at) => sum + input * weights[at]!, 0)
      const error = (1 / (1 + Math.exp(-logit)) - right) / rows.length
      for (let at = 0; at < slope.length; at++) slope[at]! += error * inputs[at]!
    }
    return slope
  }
  return descend(leadKeys.length + 1, gradient, 3000, (weight) => weight)
}

/** As they stand in the source. */
export function describeWeights(ranking: Float64Array, lead: Float64Array): string {
  const lines = (names: readonly string[], weights: Float64Array): string =>
    names.map((name, at) => `  ${name}: ${weights[at]!.toFixed(3)},`).join('\n')
  return `ranking\n${lines(featureNames, ranking)}\nlead\n${lines([...leadKeys, 'bias'], lead)}`
}
