// Is what was used longest ago cleared first, and only as much as must be?
import { expect, it } from 'vitest'
import { CacheLimit } from './row-cache.ts'

function named(name: string, cleared: string[]): { clear(): void } {
  return { clear: () => cleared.push(name) }
}

it('clears those that were not used for longest until the rest fits', () => {
  const limit = new CacheLimit(10)
  const cleared: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => named(name, cleared)) as [
    { clear(): void },
    { clear(): void },
    { clear(): void },
  ]
  limit.use(a, 4)
  limit.use(b, 4)
  limit.use(a, 5)
  expect(cleared).toEqual([])
  limit.use(c, 5)
  expect(cleared).toEqual(['b'])
  limit.use(c, 6)
  expect(cleared).toEqual(['b', 'a'])
})

it('never clears the one in use, however large, nor one that was closed', () => {
  const limit = new CacheLimit(10)
  const cleared: string[] = []
  const [a, b] = [named('a', cleared), named('b', cleared)]
  limit.use(a, 100)
  limit.drop(a)
  limit.use(b, 100)
  limit.use(b, 200)
  expect(cleared).toEqual([])
})
