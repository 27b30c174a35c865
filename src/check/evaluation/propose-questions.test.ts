import { expect, it } from 'vitest'
import { makeQuestion } from './propose-questions.ts'

it.each([
  ['Configuring the cache', 'How do I configure the cache?'],
  ['How to enable Feature Gates', 'How do I enable Feature Gates?'],
  ['Choosing your own port', 'How do I choose my own port?'],
  ['Why did it fail on Tuesdays?', 'Why did it fail on Tuesdays?'],
  ['Get the time span of any unit', 'How do I get the time span of any unit?'],
  ['A deployment hangs', 'What if a deployment hangs?'],
  ['Supported Tokens', 'Which tokens are supported?'],
])('turns a heading into a question that people ask: %s', (heading, question) => {
  expect(makeQuestion(heading)).toBe(question)
})

it.each([
  'Overview',
  'General Usage',
  // Nobody asks how a name works.
  'Regular Expressions',
  'Redundant Whitespace',
  'Hot Module Replacement',
  'Enforcing Structured Logging',
  'Next Steps',
  'fix description',
  'Import with query suffixes',
  'Set it up',
  'Code of Conduct',
  'v1.2.3 (2024)',
  // Each may be a name, or says nothing yet.
  'Read flow control',
  'The primary tox states are',
])('makes no question of %s', (heading) => {
  expect(makeQuestion(heading)).toBe(null)
})

it('asks what a record decided', () => {
  expect(makeQuestion('Decision', 'ADR-0021: Retry semantics')).toBe(
    'What was decided about retry semantics?',
  )
  expect(makeQuestion('Decision', '0037: No daemon for commands')).toBe('Why no daemon for commands?')
})
