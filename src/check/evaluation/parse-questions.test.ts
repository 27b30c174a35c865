// Is every line of a questions file read as meant, or refused with its place and fault?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { YoreError } from '../../model/errors.ts'
import type { Question } from './evaluation.ts'
import { parseQuestions, renderQuestions } from './parse-questions.ts'

const faultOf = (text: string): YoreError => {
  try {
    parseQuestions(text, 'q.jsonl')
  } catch (error) {
    return error as YoreError
  }
  throw new Error('was read without a fault')
}

describe('parseQuestions', () => {
  it('reads the three fields of the simplest form, with a number as the id', () => {
    const text = '{"id": 1, "question": "How?", "expected_contains": ["kubectl", "kubectl"]}\r\n\n'
    expect(parseQuestions(text, 'q.jsonl')).toEqual([
      {
        id: '1',
        question: 'How?',
        expectedContains: ['kubectl'],
        expectedDocs: [],
        expectedSections: [],
        forbiddenDocs: [],
      },
    ])
  })

  it('reads every optional field and a byte order mark', () => {
    const line =
      '\ufeff{"id":"a","question":"q","expected_docs":["a.md"],"expected_sections":["a.md#b"],"forbidden_docs":["old/"],"generated":true,"note":"why"}'
    expect(parseQuestions(line, 'q.jsonl')[0]).toMatchObject({
      id: 'a',
      expectedDocs: ['a.md'],
      expectedSections: ['a.md#b'],
      forbiddenDocs: ['old/'],
    })
  })

  it.each([
    ['{"id": 1,', 'q.jsonl:1: not valid JSON; each line must be one whole object'],
    ['[1]', 'q.jsonl:1: must be a JSON object'],
    ['{"question":"q","expected_contains":["x"]}', 'q.jsonl:1: id is missing'],
    [
      '{"id":" ","question":"q","expected_contains":["x"]}',
      'q.jsonl:1: id must be a number or a text that is not empty',
    ],
    ['{"id":1,"expected_contains":["x"]}', 'q.jsonl:1: question is missing'],
    [
      '{"id":1,"question":7,"expected_contains":["x"]}',
      'q.jsonl:1: question must be a text that is not empty',
    ],
    [
      '{"id":1,"question":"q","expected_contain":["x"]}',
      'q.jsonl:1: unknown key "expected_contain"; did you mean "expected_contains"?',
    ],
    [
      '{"id":1,"question":"q","expected_contains":"x"}',
      'q.jsonl:1: expected_contains must be a list of texts that are not empty',
    ],
    [
      '{"id":1,"question":"q","expected_docs":[" "]}',
      'q.jsonl:1: expected_docs must be a list of texts that are not empty',
    ],
    [
      '{"id":1,"question":"q","expected_contains":[]}',
      'q.jsonl:1: expects nothing; give at least one of expected_contains, expected_docs, expected_sections, forbidden_docs',
    ],
    ['\n\n', 'q.jsonl contains no question'],
  ])('refuses %j', (text, message) => {
    expect(faultOf(text)).toMatchObject({ code: 'BAD_INPUT', message })
  })

  it('names each bad line, and the line of the first use of an id', () => {
    const good = '{"id":1,"question":"q","expected_contains":["x"]}'
    expect(faultOf(`${good}\n\nnope\n${good}`).message).toBe(
      'q.jsonl:3: not valid JSON; each line must be one whole object\nq.jsonl:4: id "1" is already on line 1',
    )
    expect(faultOf('x\n'.repeat(14)).message.split('\n')).toHaveLength(11)
  })

  it('reads back what renderQuestions writes', () => {
    const texts = fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
      { maxLength: 3 },
    )
    const question: fc.Arbitrary<Question> = fc.record({
      id: fc.uuid(),
      question: fc.string().map((text) => `q${text}`),
      expectedContains: texts,
      expectedDocs: texts,
      expectedSections: texts,
      forbiddenDocs: fc.constant(['old/']),
    })
    fc.assert(
      fc.property(fc.uniqueArray(question, { selector: ({ id }) => id, minLength: 1 }), (questions) => {
        expect(parseQuestions(renderQuestions(questions), 'q.jsonl')).toEqual(questions)
      }),
    )
  })
})
