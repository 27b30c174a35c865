import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fuseRankings, type RankedList } from './fuse-rankings.ts'

const list = (name: string, weight: number, ...pairs: [number, number][]): RankedList => ({
  name,
  weight,
  items: pairs.map(([id, score]) => ({ id, score })),
})

const fuse = (lists: RankedList[], boosts: ReadonlyMap<number, number> = new Map()) =>
  fuseRankings(lists, { boosts, compare: (a, b) => a - b })

it('keeps an item found by only one list', () => {
  const fused = fuse([list('words', 0.7, [1, 9], [2, 5]), list('embeddings', 0.3, [3, 0.9])])
  expect(fused.map(({ id }) => id).sort()).toEqual([1, 2, 3])
  expect(fused.find(({ id }) => id === 3)?.ranks).toEqual({ embeddings: 1 })
})

it('adds scores by weight inside each list', () => {
  const fused = fuse([list('words', 0.7, [1, 10], [2, 5], [3, 0]), list('embeddings', 0.3, [2, 1], [1, 0])])
  expect(fused.map(({ id, score }) => [id, Number(score.toFixed(3))])).toEqual([
    [1, 0.7],
    [2, 0.65],
    [3, 0],
  ])
})

it('lifts what a boost names in proportion, and brings in nothing new', () => {
  const boosts = new Map([
    [2, 0.5],
    [7, 5],
  ])
  const fused = fuse([list('words', 1, [1, 9], [2, 8], [3, 1])], boosts)
  expect(fused.map(({ id }) => id)).toEqual([2, 1, 3])
})

it('gives the same order whatever the order of the lists', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(lists, (ids) => {
      const rankings = ids.map((items, index) =>
        list(`l${index}`, 1, ...items.map((id, rank): [number, number] => [id, 100 - rank])),
      )
      const order = (all: RankedList[]): number[] => fuse(all).map(({ id }) => id)
      const [one, other] = [order(rankings), order([...rankings].reverse())]
      expect(new Set(one)).toEqual(new Set(other))
      expect(one.length).toBe(new Set(ids.flat()).size)
    }),
  )
})
