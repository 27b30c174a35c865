// Does authority flow along references, whatever the numbers and the order of the documents?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeGraph, rankDocuments } from './rank-documents.ts'

function rank(count: number, edges: readonly (readonly [number, number])[]): number[] {
  const from = Int32Array.from(edges, ([one]) => one)
  const to = Int32Array.from(edges, ([, other]) => other)
  return [...rankDocuments(makeGraph(count, from, to))]
}

it('ranks what many refer to above what few do, and gives 0 to what nobody does', () => {
  const ranks = rank(5, [
    [0, 4],
    [1, 4],
    [2, 4],
    [0, 3],
  ])
  expect(ranks[4]).toBeGreaterThan(ranks[3] as number)
  expect(ranks.slice(0, 3)).toEqual([0, 0, 0])
})

it('passes authority on: who is referred to by what others rely on ranks higher', () => {
  const many: [number, number][] = [0, 1, 2, 3].map((from) => [from, 4])
  const ranks = rank(8, [...many, [4, 5], [7, 6]])
  expect(ranks[5]).toBeGreaterThan(ranks[6] as number)
})

it('knows no document and no edge', () => {
  expect(rank(0, [])).toEqual([])
  expect(rank(1, [])).toEqual([0])
})

const graphs = fc.integer({ min: 1, max: 30 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    edges: fc.uniqueArray(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), {
      maxLength: 80,
      selector: ([from, to]) => `${from} ${to}`,
    }),
  }),
)

it('gives shares from 0 to below 1, in cycles too', () => {
  fc.assert(
    fc.property(graphs, ({ size, edges }) => {
      const ranks = rank(size, edges)
      expect(ranks.length).toBe(size)
      for (const one of ranks) {
        expect(one).toBeGreaterThanOrEqual(0)
        expect(one).toBeLessThan(1)
      }
    }),
  )
})
