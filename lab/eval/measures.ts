// How good is a ranking or a digest? nDCG, recall, and bootstrap intervals with a fixed seed.

/** Normalised discounted cumulative gain of the first `depth` items. */
export function ndcg(ranked: readonly string[], grades: ReadonlyMap<string, number>, depth = 10): number {
  const gain = (grade: number, position: number): number => grade / Math.log2(position + 2)
  let found = 0
  for (const [position, id] of ranked.slice(0, depth).entries()) found += gain(grades.get(id) ?? 0, position)
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, depth)
  const best = ideal.reduce((sum, grade, position) => sum + gain(grade, position), 0)
  return best > 0 ? found / best : 0
}

/** Share of the wanted items among the first `depth`. */
export function recall(
  ranked: readonly string[],
  grades: ReadonlyMap<string, number>,
  depth: number,
): number {
  const wanted = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const seen = new Set(ranked.slice(0, depth))
  return wanted.length > 0 ? wanted.filter((id) => seen.has(id)).length / wanted.length : 0
}

export interface Estimate {
  readonly mean: number
  readonly low: number
  readonly high: number
  readonly queries: number
}

/** A small generator with a fixed seed: the same interval on every run. */
function* randomNumbers(seed: number): Generator<number> {
  let state = seed >>> 0
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state / 4294967296
  }
}

const ROUNDS = 1000

/** The mean with its 95 % bootstrap interval; with weights, questions are drawn with theirs. */
export function estimate(
  values: readonly number[],
  weights: readonly number[] = values.map(() => 1),
): Estimate {
  const n = values.length
  if (n === 0) return { mean: 0, low: 0, high: 0, queries: 0 }
  const meanOf = (draw: (at: number) => number): number => {
    let sum = 0
    let total = 0
    for (let at = 0; at < n; at++) {
      const drawn = draw(at)
      sum += (values[drawn] as number) * (weights[drawn] as number)
      total += weights[drawn] as number
    }
    return sum / total
  }
  const random = randomNumbers(12345)
  const means: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    means.push(meanOf(() => Math.floor((random.next().value as number) * n)))
  means.sort((a, b) => a - b)
  return {
    mean: meanOf((at) => at),
    low: means[Math.floor(ROUNDS * 0.025)] as number,
    high: means[Math.floor(ROUNDS * 0.975)] as number,
    queries: n,
  }
}

/** How well a score tells two groups apart: the chance that one of the first has a higher one than one of the second. */
export function areaUnderRoc(positives: readonly number[], negatives: readonly number[]): number {
  let won = 0
  for (const high of positives) for (const low of negatives) won += high > low ? 1 : high === low ? 0.5 : 0
  return won / (positives.length * negatives.length)
}

/** Half the width of an interval: how far a mean may move by the choice of questions alone. */
export function halfWidth({ low, high }: Estimate): number {
  return (high - low) / 2
}

/** How much the same questions changed, with the interval of the mean change; questions of only one side are left out. */
export function pairedChange(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Estimate {
  const changes: number[] = []
  for (const [question, value] of after) {
    const old = before.get(question)
    if (old !== undefined) changes.push(value - old)
  }
  return estimate(changes)
}
