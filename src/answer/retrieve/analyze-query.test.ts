import { expect, it } from 'vitest'
import { analyzeQuery } from './analyze-query.ts'

it.each([
  ['where is the WHERE clause compiled?', ['where']],
  ['how is a LIKE pattern escaped', ['like']],
  ['which code handles "from" in a module', ['from']],
  ['what does `with` do', ['with']],
  ['how do I use the use directive', ['use']],
])('keeps a stop word that is meant: %s', (question, meant) => {
  const terms = analyzeQuery(question).terms.map(({ word }) => word.toLowerCase().replaceAll('`', ''))
  expect(terms).toEqual(expect.arrayContaining(meant))
})

it.each(['WHERE IS THE DOCUMENTATION', 'how do I get the lock and what do I do then', 'Is IT possible'])(
  'leaves out a stop word that is not: %s',
  (question) => {
    const terms = analyzeQuery(question).terms.map(({ word }) => word.toLowerCase())
    for (const idle of ['where', 'how', 'get', 'what']) expect(terms).not.toContain(idle)
  },
)

it('sets apart what questions are made of where words stand without spaces', () => {
  const { terms, ignored } = analyzeQuery('什么是插槽？具名插槽怎么用')
  expect(terms.map(({ term }) => term)).toEqual(['插槽', '具名', '名插', '用', '插槽具名插槽', '具名插槽用'])
  expect(ignored).toEqual(['什么是', '怎么'])
})

it.each([
  ['the fix is back on one of them. why does it win', 'them'],
  ['it keeps getting killed and goes away', 'getting'],
  ['stop with ctrl-c', 'c'],
  ["it can't start", 't'],
  ['panic at 2022-11-03T08:12:44.102Z in member 8e9e05c52164694d', '8e9e05c52164694d'],
  ['panic at 2022-11-03T08:12:44.102Z in the store', '2022'],
  ['{"level":"fatal","msg":"discovery failed"}', 'level'],
  ['lvl=eror msg="Request Completed" logger=context', 'lvl'],
])('does not search what says nothing of the subject: %s', (question, idle) => {
  const { terms } = analyzeQuery(question)
  expect(terms.map(({ term }) => term)).not.toContain(idle)
  expect(terms.length).toBeGreaterThan(0)
})

it.each([
  ['what is C', 'c'],
  ['since 2022-11-03', '2022'],
  ['why is level ignored', 'level'],
  ['{"strict": true, "level": 3}', 'strict'],
])('searches a single letter, a date and a key that are asked for: %s', (question, meant) => {
  expect(analyzeQuery(question).terms.map(({ term }) => term)).toContain(meant)
})

it('reads a name with its arity as the name', () => {
  const { identifiers } = analyzeQuery(
    'MyApp.Subscription.unsubscribe/2 leaves entries, but HTTP/2 and docs/2 are none',
  )
  expect(identifiers).toEqual(['MyApp.Subscription.unsubscribe'])
})

it('weighs pairs of characters less than a name: a word of such a script has several', () => {
  const weights = new Map(
    analyzeQuery('minikubeのストレージ').terms.map(({ term, weight }) => [term, weight]),
  )
  expect(weights.get('minikub')).toBe(1)
  expect(weights.get('スト')).toBeLessThan(1)
})
