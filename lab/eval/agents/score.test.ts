import { expect, test } from 'vitest'
import { type AgentQuestion, isRight, parseCitation, scoreQuestion } from './score.ts'
import type { Step } from './tool.ts'

const lines = ['alpha', 'the limit is "9"', 'gamma', 'delta']
const question: AgentQuestion = {
  _id: 'x-01',
  package: 'x',
  kind: 'where',
  text: '?',
  needs: [[{ path: 'a.ts', start: 3, end: 4 }], [{ path: 'b.ts', start: 1, end: 1 }]],
}
const step = (cmd: string, args: readonly string[], tokens = 0): Step => ({
  at: 0,
  qid: 'x-01',
  cmd,
  args,
  tokens,
})

test('reads citations with and without words', () => {
  expect(parseCitation('./a.ts:3-4 | gamma: so')).toEqual({
    path: 'a.ts',
    start: 3,
    end: 4,
    words: ' gamma: so',
  })
  expect(parseCitation('src/[id]/a.ts:7')).toEqual({ path: 'src/[id]/a.ts', start: 7, end: 7, words: '' })
  expect(parseCitation('It is 3:4 there.')).toBeNull()
})

test('calls a citation wrong without a needed place or its words in these lines', () => {
  const at = (start: number, end: number, words = ''): boolean =>
    isRight({ path: 'a.ts', start, end, words }, question.needs.flat(), lines)
  expect([at(3, 3), at(2, 2, 'limit is 9'), at(1, 2), at(1, 1, 'limit'), at(3, 9)]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('counts needs, the first citation, calls and tokens of the last answer', () => {
  const steps = [
    step('mcp', ['search'], 50),
    step('answer', ['none', 'at first']),
    step('read', ['a.ts'], 20),
    step('answer', ['a.ts:1 | nothing', 'a.ts:4 | delta', 'the text']),
  ]
  expect(scoreQuestion(question, 'yore 1', steps, () => lines)).toMatchObject({
    met: 1,
    needed: 2,
    firstRight: 0,
    noneSaid: 0,
    cited: 2,
    wrong: 1,
    calls: 2,
    tokens: 70,
    yoreFirst: 1,
  })
})
