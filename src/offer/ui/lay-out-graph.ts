// Where is each document in a drawing? Forces between documents and their references, from fixed positions: deterministic.
//
// Our own instead of d3-force: about forty lines, and deterministic by construction. Repulsion acts between neighbours
// in a grid only, so that a step takes time in proportion to the number of documents.
import type { DocumentGraph } from '../../explore/describe-document.ts'

export interface PlacedNode {
  readonly x: number
  readonly y: number
  readonly r: number
}

/** Documents farther apart do not push each other. */
const CELL = 80
const STEPS = 120
/** Of the larger graphs fewer are affordable; a page is drawn once per index. */
const WORK = 250_000

/** Places for the nodes, in the same order. */
export function layOutGraph({ nodes, edges }: Pick<DocumentGraph, 'nodes' | 'edges'>): readonly PlacedNode[] {
  const most = Math.max(...nodes.map(({ weight }) => weight), Number.MIN_VALUE)
  const xs = Float64Array.from(nodes, (_, at) => Math.cos(at * 2.399963) * Math.sqrt(at + 1) * 22)
  const ys = Float64Array.from(nodes, (_, at) => Math.sin(at * 2.399963) * Math.sqrt(at + 1) * 22)
  const steps = Math.max(10, Math.min(STEPS, Math.floor(WORK / Math.max(1, nodes.length))))
  const degrees = new Float64Array(nodes.length)
  for (const { from, to } of edges) {
    degrees[from] = (degrees[from] as number) + 1
    degrees[to] = (degrees[to] as number) + 1
  }
  for (let step = 0; step < steps; step++) {
    const heat = 1 - step / steps
    const [dx, dy] = [new Float64Array(nodes.length), new Float64Array(nodes.length)]
    const move = (at: number, x: number, y: number): void => {
      dx[at] = (dx[at] as number) + x
      dy[at] = (dy[at] as number) + y
    }
    pushApart(xs, ys, move)
    for (const { from, to } of edges) {
      const [x, y] = [(xs[to] as number) - (xs[from] as number), (ys[to] as number) - (ys[from] as number)]
      const distance = Math.hypot(x, y) || 1
      // A document that everything refers to must not pull everything onto itself.
      const pull = ((distance - 50) / distance) * 0.3
      const [ofFrom, ofTo] = [1 / (degrees[from] as number), 1 / (degrees[to] as number)]
      move(from, x * pull * ofFrom, y * pull * ofFrom)
      move(to, -x * pull * ofTo, -y * pull * ofTo)
    }
    for (let at = 0; at < nodes.length; at++) {
      const [x, y] = [
        (dx[at] as number) - (xs[at] as number) * 0.01,
        (dy[at] as number) - (ys[at] as number) * 0.01,
      ]
      const far = Math.hypot(x, y)
      const limit = far > 30 * heat + 1 ? (30 * heat + 1) / far : 1
      xs[at] = (xs[at] as number) + x * limit
      ys[at] = (ys[at] as number) + y * limit
    }
  }
  return nodes.map(({ weight }, at) => ({
    x: Math.round((xs[at] as number) * 10) / 10,
    y: Math.round((ys[at] as number) * 10) / 10,
    r: Math.round((3 + 12 * Math.sqrt(weight / most)) * 10) / 10,
  }))
}

/** Weaker with the distance, and nothing beyond a cell: no edge of the grid shows. */
function pushApart(
  xs: Float64Array,
  ys: Float64Array,
  move: (at: number, x: number, y: number) => void,
): void {
  const cells = new Map<number, number[]>()
  const keyOf = (column: number, row: number): number => column * 100_003 + row
  for (let at = 0; at < xs.length; at++) {
    const key = keyOf(Math.floor((xs[at] as number) / CELL), Math.floor((ys[at] as number) / CELL))
    const held = cells.get(key)
    if (held === undefined) cells.set(key, [at])
    else held.push(at)
  }
  for (let at = 0; at < xs.length; at++) {
    const [x, y] = [xs[at] as number, ys[at] as number]
    const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)]
    for (let side = -1; side <= 1; side++)
      for (let level = -1; level <= 1; level++)
        for (const other of cells.get(keyOf(column + side, row + level)) ?? []) {
          if (other === at) continue
          const [apartX, apartY] = [x - (xs[other] as number), y - (ys[other] as number)]
          const distance = Math.hypot(apartX, apartY) || 0.1
          if (distance >= CELL) continue
          const push = ((1 - distance / CELL) ** 2 * 9) / distance
          move(at, apartX * push, apartY * push)
        }
  }
}
