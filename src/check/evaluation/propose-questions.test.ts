import { expect, it } from 'vitest'
import { makeQuestion, questionOfCommit } from './propose-questions.ts'

it.each([
  ['Configuring the cache', 'How do I configure the cache?'],
  ['How to enable Feature Gates', 'How do I enable Feature Gates?'],
  ['Choosing your own port', 'How do I choose my own port?'],
  ['Why did it fail on Tuesdays?', 'Why did it fail on Tuesdays?'],
  ['Hot Module Replacement', 'How does Hot Module Replacement work?'],
  ['DNS Subdomain Names', 'How do DNS Subdomain Names work?'],
])('turns a heading into a question that people ask: %s', (heading, question) => {
  expect(makeQuestion(heading)).toBe(question)
})

it.each([
  'Overview',
  'Next Steps',
  'fix description',
  'Import with query suffixes',
  'Set it up',
  'Code of Conduct',
  'v1.2.3 (2024)',
])('makes no question of %s', (heading) => {
  expect(makeQuestion(heading)).toBe(null)
})

it('asks about the title of the document where the heading does not name it', () => {
  expect(makeQuestion('Limitations', 'Static Pods')).toBe('What are the limitations of Static Pods?')
  expect(makeQuestion('Configuration', 'Configuration')).toBe(null)
})

it('takes the subject of a commit that describes or adds a thing', () => {
  expect(questionOfCommit('feat(server): add the forwarded console (#123)')).toBe(
    'How do I use forwarded console?',
  )
  expect(questionOfCommit('docs: explain Hot Module Replacement')).toBe(
    'How does Hot Module Replacement work?',
  )
  expect(questionOfCommit('docs: add link to the guide')).toBe(null)
  expect(questionOfCommit('fix: typo')).toBe(null)
})
