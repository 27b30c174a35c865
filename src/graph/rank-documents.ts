// Which documents does the corpus itself lean on? PageRank over references between documents, as percentiles.

export interface DocumentEdge {
  readonly from: number
  readonly to: number
  readonly count: number
}

const DAMPING = 0.85
const ROUNDS = 40

/** Rank of every document: the share of documents that have a lower one. Documents without any reference to them get 0. */
export function rankDocuments(
  documents: readonly number[],
  edges: readonly DocumentEdge[],
): Map<number, number> {
  const indexes = new Map(documents.map((id, index) => [id, index]))
  const n = documents.length
  const out = new Float64Array(n)
  const known = edges.filter(({ from, to }) => indexes.has(from) && indexes.has(to))
  for (const { from } of known)
    out[indexes.get(from) as number] = (out[indexes.get(from) as number] as number) + 1
  let weights = new Float64Array(n).fill(1 / Math.max(n, 1))
  for (let round = 0; round < ROUNDS; round++) weights = flow(weights, { known, indexes, out })
  const linked = new Set(known.map(({ to }) => to))
  const sorted = Float64Array.from(weights).sort()
  const ranks = new Map<number, number>()
  for (const [id, index] of indexes)
    ranks.set(id, linked.has(id) ? below(sorted, weights[index] as number) / n : 0)
  return ranks
}

interface Graph {
  readonly known: readonly DocumentEdge[]
  readonly indexes: ReadonlyMap<number, number>
  readonly out: Float64Array
}

function flow(weights: Float64Array<ArrayBuffer>, graph: Graph): Float64Array<ArrayBuffer> {
  const n = weights.length
  const next = new Float64Array(n)
  let idle = 0
  for (let index = 0; index < n; index++) if (graph.out[index] === 0) idle += weights[index] as number
  for (const { from, to } of graph.known) {
    const source = graph.indexes.get(from) as number
    const target = graph.indexes.get(to) as number
    next[target] = (next[target] as number) + (weights[source] as number) / (graph.out[source] as number)
  }
  for (let index = 0; index < n; index++)
    next[index] = (1 - DAMPING) / n + DAMPING * ((next[index] as number) + idle / n)
  return next
}

/** How many of the sorted numbers are smaller, with a margin for rounding. */
function below(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value - 1e-12) low = middle + 1
    else high = middle
  }
  return low
}
