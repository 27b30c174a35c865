import { expect, it } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { analyzeQuery } from './analyze-query.ts'

const after = (question: string): readonly string[] => analyzeQuery(question).intents

it.each([
  ['where are expired leases revoked?', ['code']],
  ['which function decides that', ['code']],
  ['find the check that rejects large requests', ['code']],
  ['who calls setErrorStatusCode', ['callers', 'name']],
  ['which commands call NewSearcher', ['callers', 'name']],
  ['how do I deploy a new service?', ['task']],
  ['put a password in front of the web ui', ['task']],
  ['why is the limit not strict?', ['reason']],
  ['is there a knob to cap the hosts?', ['option']],
  ['SubjectBuilder', ['name', 'topic']],
  ['session management', ['topic']],
  ['how routes are matched', ['topic']],
  ['parsing of command line options', ['option', 'topic']],
  ['how to match routes', ['task']],
  ['body.dump()', ['name']],
  ['the session is lost when the server restarts', []],
  ['walk me through how schemas are compiled', ['overview']],
  ['how does the cache work, end to end', ['overview']],
  ['since which version is it deprecated', ['versions']],
  ['what are the breaking changes', ['versions']],
  ['what replaced the validator decorator', ['versions']],
])('%s', (question, intents) => {
  expect(after(question)).toEqual(intents)
})

it('knows a pasted stack trace', () => {
  expect(after('TypeError: x is not a function\n    at Object.run (/srv/app.js:10:3)')).toContain('error')
})

it.each([
  "[fd error]: '+12zz' is not a valid size constraint",
  '[error] no such file',
  'ERROR: relation "users" does not exist',
])('knows a pasted message: %s', (message) => {
  expect(after(message)).toContain('error')
})

it('says nothing where the words say nothing', () => {
  expect(after('retry semantics of a job, as our customers see them')).toEqual([])
})

it('takes time in proportion to the question', () => {
  const started = processorTime()
  for (const part of ['where is ', 'how does a ', 'Error: ', 'who calls ', '"level":', ' at a (b:1'])
    analyzeQuery(part.repeat(200_000 / part.length))
  expect(processorTime() - started).toBeLessThan(5_000)
})
