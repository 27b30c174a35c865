// Is a row read once while it is in use, and is the table bounded?
import { expect, it } from 'vitest'
import { RowCache } from './row-cache.ts'

function counted(most: number, sizeOf?: (row: string) => number) {
  const reads: number[] = []
  const rows = new RowCache<string>(most, sizeOf)
  const get = (id: number): string =>
    rows.get(id, () => {
      reads.push(id)
      return 'x'.repeat(id)
    })
  return { rows, reads, get }
}

it('reads a row once, and again when everything was dropped', () => {
  const { rows, reads, get } = counted(10)
  expect([get(1), get(2), get(1)]).toEqual(['x', 'xx', 'x'])
  rows.clear()
  get(1)
  expect(reads).toEqual([1, 2, 1])
})

it('keeps what is in use, however much passes by', () => {
  const { reads, get } = counted(100)
  for (let id = 1; id <= 1000; id++) {
    get(id)
    get(7)
  }
  expect(reads.filter((id) => id === 7)).toHaveLength(1)
  get(500)
  expect(reads.at(-1)).toBe(500)
})

it('is bounded by sizes, and caches nothing of a read that fails', () => {
  const { rows, reads, get } = counted(100, ({ length }) => length)
  for (const id of [40, 40, 41, 42, 40]) get(id)
  expect(reads).toEqual([40, 41, 42, 40])
  const fails = (): never => {
    throw new Error('damaged')
  }
  expect(() => rows.get(1, fails)).toThrow('damaged')
  expect(rows.get(1, () => 'right')).toBe('right')
})
