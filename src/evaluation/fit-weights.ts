// Which weight suits a user's own questions best? Every tenth is tried; a gain counts on questions that it was not chosen by.

import type { AskedMeaning } from '../answering/find-meaning.ts'
import type { Evaluation, WeightFit } from './evaluation.ts'
import { roundShare } from './judge-question.ts'

type Asked = ReadonlyMap<string, AskedMeaning>

const weights: readonly number[] = Array.from({ length: 11 }, (_, at) => at / 10)

/** Fits each weight that has an effect; `current` are the settings' own, and `evaluate` measures with what it is given. */
export function fitWeights(
  asked: Asked,
  current: { readonly vectorWeight: number | null; readonly rerankWeight: number },
  evaluate: (asked: Asked) => Evaluation,
): WeightFit[] {
  const measure = (change: (one: AskedMeaning) => AskedMeaning): number[] => {
    const changed = new Map([...asked].map(([question, one]) => [question, change(one)] as const))
    return evaluate(changed).questions.map(({ coverage }) => coverage)
  }
  const fits: WeightFit[] = []
  const { vectorWeight, rerankWeight } = current
  if (vectorWeight !== null && [...asked.values()].some(({ meaning }) => meaning !== null))
    fits.push(
      fitWeight('vectorWeight', vectorWeight, (weight) =>
        // Without the reranker: it scored the candidates of the present weight only.
        measure(({ meaning, mended }) => ({
          mended,
          meaning: meaning === null ? null : { ...meaning, weight },
          reranked: null,
          notices: [],
        })),
      ),
    )
  if ([...asked.values()].some(({ reranked }) => reranked !== null))
    fits.push(
      fitWeight('rerankWeight', rerankWeight, (weight) =>
        measure((one) => ({ ...one, reranked: one.reranked === null ? null : { ...one.reranked, weight } })),
      ),
    )
  return fits
}

/** Fits one weight to the mean coverage. Ties go to the weight nearest to the current one, then to the lower. */
export function fitWeight(
  setting: WeightFit['setting'],
  current: number,
  coverageAt: (weight: number) => readonly number[],
): WeightFit {
  const tried = [...new Set([...weights, current])]
    .sort((a, b) => a - b)
    .map((weight) => ({ weight, coverage: coverageAt(weight) }))
  const choose = (counts: (at: number) => boolean): (typeof tried)[number] =>
    tried.toSorted(
      (a, b) =>
        meanOf(b.coverage, counts) - meanOf(a.coverage, counts) ||
        Math.abs(a.weight - current) - Math.abs(b.weight - current) ||
        a.weight - b.weight,
    )[0]!
  const now = tried.find(({ weight }) => weight === current)!
  const isOdd = (at: number): boolean => at % 2 === 1
  const isEven = (at: number): boolean => at % 2 === 0
  // Each half with the weight that the other half chose.
  const held = now.coverage.map((_, at) => choose(isOdd(at) ? isEven : isOdd).coverage[at]!)
  return {
    setting,
    current,
    best: choose(() => true).weight,
    tried: tried.map(({ weight, coverage }) => ({ weight, meanCoverage: meanOf(coverage, () => true) })),
    heldOutGain: roundShare(meanOf(held, () => true) - meanOf(now.coverage, () => true)),
  }
}

function meanOf(values: readonly number[], counts: (at: number) => boolean): number {
  const taken = values.filter((_, at) => counts(at))
  return roundShare(taken.reduce((sum, value) => sum + value, 0) / Math.max(1, taken.length))
}
