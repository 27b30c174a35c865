// Do the areas tell something that the question did not?
import { expect, it } from 'vitest'
import { termOf } from '../parse/analyze-words.ts'
import { type AreaOptions, primaryAreas } from './primary-areas.ts'

const options = (change: Partial<AreaOptions> = {}): AreaOptions => ({
  asked: new Set(),
  frequency: () => 1,
  fragments: 100,
  limit: 3,
  stopWords: new Set(['the', 'and']),
  ...change,
})
const sections = [
  { path: 'docs/billing/refunds.md', headings: ['Refunds and the ledger'] },
  { path: 'docs/billing/invoices.md', headings: ['Invoices'] },
]

it('are words that the chosen sections share, first', () => {
  expect(primaryAreas(sections, options({ limit: 2 }))).toEqual(['billing', 'docs'])
})

it('are never words of the question, in any form', () => {
  const asked = new Set([termOf('refund'), termOf('billing')])
  const areas = primaryAreas(sections, options({ asked, limit: 9 }))
  expect(areas).not.toContain('refunds')
  expect(areas).not.toContain('billing')
})

it('are no words that the whole corpus has, no stop words, no numbers, nothing short', () => {
  const frequency = (term: string): number => (term === termOf('docs') ? 100 : 1)
  const many = [{ path: 'docs/2024/x.md', headings: ['The and of 12 ledger'] }]
  expect(primaryAreas(many, options({ frequency, limit: 9 }))).toEqual(['ledger'])
})

it('name one form of a word only', () => {
  const forms = [{ path: 'a.md', headings: ['Deploy deploys deployed'] }]
  expect(primaryAreas(forms, options({ limit: 9 }))).toHaveLength(1)
})

it('are none without sections', () => {
  expect(primaryAreas([], options())).toEqual([])
})
