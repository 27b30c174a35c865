// Do the areas say what the quoted documents are about, and nothing by chance?
import { expect, it } from 'vitest'
import { termOf } from '../../read/parse/words/analyze-words.ts'
import { type AreaInput, type AreaOptions, primaryAreas } from './primary-areas.ts'

const options = (change: Partial<AreaOptions> = {}): AreaOptions => ({
  frequency: () => 1,
  fragments: 100,
  limit: 3,
  stopWords: new Set(['the', 'and']),
  ...change,
})
const document = (path: string, title: string, sections = 1): AreaInput => ({ path, title, sections })
const billing = [
  document('docs/billing-system/refunds.md', 'How refunds reach the ledger'),
  document('docs/billing-system/invoices.md', 'Invoices in the ledger'),
]

it('are folders that the documents share, as they are called, then words that their titles share', () => {
  expect(primaryAreas(billing, options())).toEqual(['billing system', 'ledger'])
})

it('are the folder of the one document that makes up most of the digest', () => {
  const most = [document('docs/workloads/deployment.md', 'Deployments', 9), document('x/undo.md', 'Undo')]
  expect(primaryAreas(most, options())).toEqual(['workloads'])
})

it('are no folders of every repository, and nothing that the whole corpus has', () => {
  const frequency = (term: string): number => (term === termOf('ledger') ? 90 : 1)
  const plain = [document('docs/guides/a.md', 'Ledger one'), document('docs/guides/b.md', 'Our ledger')]
  expect(primaryAreas(plain, options({ frequency }))).toEqual([])
})

it.each([
  ['the word of one title', ['Suppressing noise', 'Awareness of time']],
  ['a verb that titles start with', ['Assign memory', 'Assign processors']],
  ['markup', ['{{% heading "seealso" %}} A', '{{% heading "seealso" %}} B']],
  ['glued names', ['Adds getBlockByNumber', 'Drops getBlockByNumber']],
  ['stop words, numbers and short words', ['A the 12 of', 'B the 12 of']],
])('are not %s', (_, titles) => {
  const documents = titles.map((title, at) => document(`${at}.md`, title))
  expect(primaryAreas(documents, options())).toEqual([])
})

it('are not what few of the sections belong to', () => {
  const documents = [
    document('a.md', 'Ethereum', 20),
    document('b.md', 'Frame transaction'),
    document('c.md', 'Typed transaction'),
  ]
  expect(primaryAreas(documents, options())).toEqual([])
})

it('name one form of a word only', () => {
  const forms = [document('deploys/a.md', 'To deploy'), document('deploys/b.md', 'A deployed one')]
  expect(primaryAreas(forms, options())).toEqual(['deploys'])
})

it('are none without documents', () => {
  expect(primaryAreas([], options())).toEqual([])
})
