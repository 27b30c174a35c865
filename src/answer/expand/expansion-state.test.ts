// Can what a query may spend ever be overspent?
import { expect, it } from 'vitest'
import type { Approval } from '../../model/expansion.ts'
import { allowanceFrom, spend, startExpansion } from './expansion-state.ts'

const approval = (change: Partial<Approval> = {}): Approval => ({
  allowed: true,
  from: 'a.md',
  via: 'links',
  direction: 'out',
  target: 'b.md',
  cost: 1,
  depth: 1,
  ...change,
})
const start = startExpansion(['a.md', 'z.md'], { budget: 4, maxDepth: 2 })

it('starts with the primary chunks at depth 0 and the whole budget', () => {
  expect(allowanceFrom(start, 'a.md')).toEqual({
    budgetLeft: 4,
    maxDepth: 2,
    depthOfFrom: 0,
    visited: new Set(['a.md', 'z.md']),
  })
  expect(allowanceFrom(start, 'b.md')).toBeNull()
})

it('counts the budget over the whole query and the depth from each primary chunk', () => {
  const after = spend(spend(start, approval()), approval({ from: 'b.md', target: 'c.md', depth: 2 }))
  expect(allowanceFrom(after, 'c.md')).toMatchObject({ budgetLeft: 2, depthOfFrom: 2 })
  expect(allowanceFrom(after, 'z.md')).toMatchObject({ budgetLeft: 2, depthOfFrom: 0 })
  expect(start.budgetLeft).toBe(4)
  expect(start.depthOf.size).toBe(2)
})

it('takes a budget below 0 for none', () => {
  expect(startExpansion([], { budget: -3, maxDepth: 1 }).budgetLeft).toBe(0)
})

it.each([
  ['is spent already', spend(start, approval()), approval()],
  ['costs more than is left', start, approval({ cost: 5 })],
  ['costs less than nothing', start, approval({ cost: -1 })],
  ['costs no number', start, approval({ cost: Number.NaN })],
  ['goes too deep', start, approval({ depth: 3 })],
])('refuses an approval that %s', (_, state, given) => {
  expect(() => spend(state, given)).toThrow('no longer holds')
})
