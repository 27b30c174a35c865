// Does an explanation leave the digest its room, and keep the best of what it lists?
import { expect, it } from 'vitest'
import type { Dropped, Unresolved } from '../../model/digest.ts'
import { estimateTokens } from '../../read/tokens/token-counter.ts'
import { boundExplanation } from './fit-json.ts'

const dropped = Array.from({ length: 500 }, (_, at): Dropped => {
  const path = `docs/${at}.md`
  return {
    artifact: `${path}#a`,
    path,
    lines: { start: 1, end: 9 },
    score: (at % 250) / 250,
    reason: 'no room',
  }
})
const unresolved = Array.from({ length: 500 }, (_, at): Unresolved => {
  return { path: 'docs/a.md', line: at + 1, target: `gone-${at}.md`, reason: 'missing', candidates: [] }
})
const room = (maxTokens: number) => ({ maxTokens, countTokens: estimateTokens })

it('lists the best of what was dropped, ties by id, and the first references that lead nowhere', () => {
  const lists = boundExplanation({ dropped, unresolved }, room(4000))
  expect(lists.dropped.slice(0, 3).map(({ artifact }) => artifact)).toEqual([
    'docs/249.md#a',
    'docs/499.md#a',
    'docs/248.md#a',
  ])
  expect(lists.unresolved.slice(0, 2)).toEqual(unresolved.slice(0, 2))
})

it.each([200, 1000, 8000])('takes less than a sixth of %i tokens', (maxTokens) => {
  const written = JSON.stringify(boundExplanation({ dropped, unresolved }, room(maxTokens)))
  expect(estimateTokens(written)).toBeLessThan(maxTokens / 6)
})

it('lists everything where there is room', () => {
  const few = { dropped: dropped.slice(0, 3), unresolved: unresolved.slice(0, 3) }
  const lists = boundExplanation(few, room(8000))
  expect(lists.dropped).toHaveLength(3)
  expect(lists.unresolved).toHaveLength(3)
})
