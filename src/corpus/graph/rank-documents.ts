// Which documents does the corpus refer to most? PageRank over references between documents, as percentiles.
import { largest } from '../../model/largest.ts'

export interface DocumentEdge {
  readonly from: number
  readonly to: number
  readonly count: number
}

const DAMPING = 0.85
const ROUNDS = 40

/** The share of documents with a lower rank, for each document; 0 without inbound references. */
export function rankDocuments(graph: PlaceGraph): Float64Array {
  const n = graph.out.length
  const weights = settle(graph, new Float64Array(n).fill(1 / Math.max(n, 1)))
  const linked = new Uint8Array(n)
  for (const place of graph.to) linked[place] = 1
  const sorted = weights.toSorted()
  return weights.map((weight, place) => (linked[place] === 1 ? below(sorted, weight) / n : 0))
}

/**
 * Personalised PageRank: the walk restarts from documents by these weights, so that documents near them rank highest.
 * Weights that are all 0 count as equal.
 */
export function rankByFlow(
  documents: readonly number[],
  edges: readonly DocumentEdge[],
  restart: readonly number[],
): Float64Array {
  const sum = restart.reduce((total, weight) => total + weight, 0)
  const shares = Float64Array.from(restart, (weight) => (sum > 0 ? weight / sum : 1 / documents.length))
  return settle(graphOf(documents, edges), shares)
}

function settle(graph: PlaceGraph, restart: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  let weights = restart
  for (let round = 0; round < ROUNDS; round++) weights = flow(weights, graph, restart)
  return weights
}

/** The edges by the positions of their ends; `out` counts the outgoing edges of each position. */
interface PlaceGraph {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly out: Float64Array
}

/** Weights are summed in the order of the edges, which must not depend on the history of the index. */
export function makeGraph(count: number, from: Int32Array, to: Int32Array): PlaceGraph {
  const out = new Float64Array(count)
  for (const place of from) out[place] = (out[place] as number) + 1
  return { from, to, out }
}

function graphOf(documents: readonly number[], edges: readonly DocumentEdge[]): PlaceGraph {
  const places = new Map(documents.map((id, index) => [id, index]))
  const known = edges.filter(({ from, to }) => places.has(from) && places.has(to))
  const from = Int32Array.from(known, (edge) => places.get(edge.from) as number)
  const to = Int32Array.from(known, (edge) => places.get(edge.to) as number)
  return makeGraph(documents.length, from, to)
}

function flow(
  weights: Float64Array<ArrayBuffer>,
  { from, to, out }: PlaceGraph,
  restart: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
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
    next[index] =
      (1 - DAMPING + DAMPING * idle) * (restart[index] as number) + DAMPING * (next[index] as number)
  return next
}

/** The number of sorted values that are smaller, with a margin for rounding. */
const below = (sorted: Float64Array, value: number): number =>
  largest(sorted.length, (count) => (sorted[count - 1] as number) < value - 1e-12)
