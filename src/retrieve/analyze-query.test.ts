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
