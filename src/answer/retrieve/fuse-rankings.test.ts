import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fuseRankings, type RankedList } from './fuse-rankings.ts'

const list = (name: string, weight: number, ...pairs: [number, number][]): RankedList => ({
  name,
  weight,
  items: pairs.map(([id, score]) => ({ id, score })),
})

it('keeps an item found by only one list', () => {
  for (const method of ['scores', 'ranks'] as const) {
    const fused = fuseRankings([list('words', 0.7, [1, 9], [2, 5]), list('meaning', 0.3, [3, 0.9])], {
      method,
    })
    expect(fused.map(({ id }) => id).sort()).toEqual([1, 2, 3])
    expect(fused.find(({ id }) => id === 3)?.ranks).toEqual({ meaning: 1 })
  }
})

it('adds scores by weight inside each list', () => {
  const fused = fuseRankings([
    list('words', 0.7, [1, 10], [2, 5], [3, 0]),
    list('meaning', 0.3, [2, 1], [1, 0]),
  ])
  expect(fused.map(({ id, score }) => [id, Number(score.toFixed(3))])).toEqual([
    [1, 0.7],
    [2, 0.65],
    [3, 0],
  ])
})

it('adds reciprocal ranks', () => {
  const fused = fuseRankings([list('words', 1, [1, 9], [2, 8]), list('meaning', 1, [2, 9])], {
    method: 'ranks',
  })
  expect(fused[0]).toEqual({ id: 2, score: 1 / 62 + 1 / 61, ranks: { words: 2, meaning: 1 } })
})

it('lifts what a boost names in proportion, and brings in nothing new', () => {
  const fused = fuseRankings([list('words', 1, [1, 9], [2, 8], [3, 1])], {
    boosts: new Map([
      [2, 0.5],
      [7, 5],
    ]),
  })
  expect(fused.map(({ id }) => id)).toEqual([2, 1, 3])
})

it('gives the same order whatever the order of the lists', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(lists, fc.constantFrom('scores' as const, 'ranks' as const), (ids, method) => {
      const rankings = ids.map((items, index) =>
        list(`l${index}`, 1, ...items.map((id, rank): [number, number] => [id, 100 - rank])),
      )
      const order = (all: RankedList[]): number[] => fuseRankings(all, { method }).map(({ id }) => id)
      const [one, other] = [order(rankings), order([...rankings].reverse())]
      expect(new Set(one)).toEqual(new Set(other))
      expect(one.length).toBe(new Set(ids.flat()).size)
    }),
  )
})
