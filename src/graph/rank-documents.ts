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
  const n = documents.length
  const graph = makeGraph(documents, edges)
  let weights = new Float64Array(n).fill(1 / Math.max(n, 1))
  for (let round = 0; round < ROUNDS; round++) weights = flow(weights, graph)
  const linked = new Set(graph.to)
  const sorted = Float64Array.from(weights).sort()
  return new Map(
    documents.map((id, index) => [id, linked.has(index) ? below(sorted, weights[index] as number) / n : 0]),
  )
}

/** The edges by the places of their ends; `out` counts those that leave each place. */
interface Graph {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly out: Float64Array
}

function makeGraph(documents: readonly number[], edges: readonly DocumentEdge[]): Graph {
  const places = new Map(documents.map((id, index) => [id, index]))
  const known = edges.filter(({ from, to }) => places.has(from) && places.has(to))
  const from = Int32Array.from(known, (edge) => places.get(edge.from) as number)
  const to = Int32Array.from(known, (edge) => places.get(edge.to) as number)
  const out = new Float64Array(documents.length)
  for (const place of from) out[place] = (out[place] as number) + 1
  return { from, to, out }
}

function flow(weights: Float64Array<ArrayBuffer>, { from, to, out }: Graph): Float64Array<ArrayBuffer> {
  const n = weights.length
  const next = new Float64Array(n)
  let idle = 0
  for (let index = 0; index < n; index++) if (out[index] === 0) idle += weights[index] as number
  for (let edge = 0; edge < from.length; edge++) {
    const source = from[edge] as number
    const target = to[edge] as number
    next[target] = (next[target] as number) + (weights[source] as number) / (out[source] as number)
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
