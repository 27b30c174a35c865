import { describe, expect, it } from 'vitest'
import { expansionBudget } from './select-expansions.ts'

describe('expansionBudget', () => {
  it('5.2.3 token budget cap: what is left binds before the share does', () => {
    expect(expansionBudget(1000, 1000 - 800, { share: 0.3, most: 2000 })).toBe(200)
  })

  it('5.2.4 no-budget scenario: nothing is left, nothing comes along', () => {
    expect(expansionBudget(1000, 1000 - 1000, { share: 0.3, most: 2000 })).toBe(0)
    expect(expansionBudget(1000, 1000 - 1200, { share: 0.3, most: 2000 })).toBe(0)
  })

  it('never takes more than its share or its absolute cap', () => {
    expect(expansionBudget(1000, 900, { share: 0.3, most: 2000 })).toBe(300)
    expect(expansionBudget(20_000, 19_000, { share: 0.3, most: 2000 })).toBe(2000)
  })
})
