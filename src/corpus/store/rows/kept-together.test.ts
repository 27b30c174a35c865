// Is what was used longest ago forgotten first, and only as much as must be?
import { expect, it } from 'vitest'
import { KeptTogether } from './kept-together.ts'

function named(name: string, forgotten: string[]): { forget(): void } {
  return { forget: () => forgotten.push(name) }
}

it('forgets those that were not used for longest until the rest fits', () => {
  const kept = new KeptTogether(10)
  const forgotten: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => named(name, forgotten)) as [
    { forget(): void },
    { forget(): void },
    { forget(): void },
  ]
  kept.use(a, 4)
  kept.use(b, 4)
  kept.use(a, 5)
  expect(forgotten).toEqual([])
  kept.use(c, 5)
  expect(forgotten).toEqual(['b'])
  kept.use(c, 6)
  expect(forgotten).toEqual(['b', 'a'])
})

it('never forgets the one in use, however large, nor one that was closed', () => {
  const kept = new KeptTogether(10)
  const forgotten: string[] = []
  const [a, b] = [named('a', forgotten), named('b', forgotten)]
  kept.use(a, 100)
  kept.drop(a)
  kept.use(b, 100)
  kept.use(b, 200)
  expect(forgotten).toEqual([])
})
