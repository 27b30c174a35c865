// Does authority flow along references, whatever the numbers and the order of the documents?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rankDocuments } from './rank-documents.ts'

const edge = (from: number, to: number): { from: number; to: number; count: number } => ({
  from,
  to,
  count: 1,
})

it('ranks what many refer to above what few do, and gives 0 to what nobody does', () => {
  const ranks = rankDocuments([1, 2, 3, 4, 5], [edge(1, 5), edge(2, 5), edge(3, 5), edge(1, 4)])
  expect(ranks.get(5)).toBeGreaterThan(ranks.get(4) as number)
  expect([1, 2, 3].map((id) => ranks.get(id))).toEqual([0, 0, 0])
})

it('passes authority on: who is referred to by what others rely on ranks higher', () => {
  const many = [edge(1, 10), edge(2, 10), edge(3, 10), edge(4, 10)]
  const ranks = rankDocuments([1, 2, 3, 4, 10, 20, 30, 40], [...many, edge(10, 20), edge(40, 30)])
  expect(ranks.get(20)).toBeGreaterThan(ranks.get(30) as number)
})

it('knows no document, no edge and edges to strangers', () => {
  expect(rankDocuments([], [])).toEqual(new Map())
  expect(rankDocuments([7], [])).toEqual(new Map([[7, 0]]))
  expect(rankDocuments([7, 8], [edge(7, 99), edge(99, 8)])).toEqual(
    new Map([
      [7, 0],
      [8, 0],
    ]),
  )
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
      const documents = Array.from({ length: size }, (_, id) => id)
      const ranks = rankDocuments(
        documents,
        edges.map(([from, to]) => edge(from, to)),
      )
      expect(ranks.size).toBe(size)
      for (const rank of ranks.values()) {
        expect(rank).toBeGreaterThanOrEqual(0)
        expect(rank).toBeLessThan(1)
      }
    }),
  )
})

it('does not depend on how documents are numbered', () => {
  fc.assert(
    fc.property(graphs, fc.integer({ min: 1, max: 1000 }), ({ size, edges }, shift) => {
      const documents = Array.from({ length: size }, (_, id) => id)
      const plain = rankDocuments(
        documents,
        edges.map(([from, to]) => edge(from, to)),
      )
      const moved = rankDocuments(
        documents.map((id) => id * 3 + shift),
        edges.map(([from, to]) => edge(from * 3 + shift, to * 3 + shift)),
      )
      expect(documents.map((id) => moved.get(id * 3 + shift))).toEqual(documents.map((id) => plain.get(id)))
    }),
  )
})
