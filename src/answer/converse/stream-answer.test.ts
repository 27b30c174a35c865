import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextSection } from '../../model/conversation.ts'
import { AnswerFinisher } from './finish-answer.ts'
import { ContentReader, Hearing } from './stream-answer.ts'

const section: ContextSection = {
  artifacts: ['docs/a.md'],
  kind: 'markdown_module',
  path: 'docs/a.md',
  name: 'A',
  excerpts: [{ lines: { start: 1, end: 3 }, text: 'one\nhttps://ok.example/x\nthree' }],
  truncated: false,
  offers: [],
}
const finisher = new AnswerFinisher([section])

function read(output: string, cuts: readonly number[] = [3]): string {
  const reader = new ContentReader()
  let content = ''
  for (let at = 0, turn = 0; at < output.length; turn++) {
    const size = Math.max(1, cuts[turn % cuts.length] ?? 1)
    content += reader.push(output.slice(at, at + size))
    at += size
  }
  return content
}

describe('content of a growing output', () => {
  it('is read as far as it has come', () => {
    const reader = new ContentReader()
    expect(reader.push('{"action":"answer","cont')).toBe('')
    expect(reader.push('ent":"Three \\u00')).toBe('Three ')
    expect(reader.push('e9t\\')).toBe('ét')
    expect(reader.push('n times"}')).toBe('\n times')
    expect(reader.push('"content":"more"')).toBe('')
  })

  it('is found behind absent keys and in a fence, and in nothing but an answer', () => {
    expect(read('{"action":"answer","from":null,"via":null,"target_identifier":null,"content":"x"}')).toBe(
      'x',
    )
    expect(read('```json\n{ "action" : "answer", "content": "x" }\n```')).toBe('x')
    expect(read('{"action":"expand","content":"x"}')).toBe('')
    expect(read('Sure: {"action":"answer","content":"x"}')).toBe('')
  })

  it('is the same however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (content, cuts) => {
          expect(read(JSON.stringify({ action: 'answer', content }), cuts)).toBe(content)
        },
      ),
    )
  })
})

it('what was told while it was written is the finished answer, link for link', () => {
  const word = fc.constantFrom(
    ...[
      'a',
      ' ',
      '\n',
      '\n\n',
      '\n \n',
      '\n\n\n',
      '[docs/a.md:2]',
      '[S1]',
      '[docs/b.md:9]',
      '](',
      '![x](',
      ')',
    ],
    ...['https://evil.example', 'https://ok.example/x', '<img src="', '">', '[x]: ', '\\', '"', '\t', 'é'],
  )
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 20 }),
      cuts,
      fc.constantFrom('S1', 'none'),
      (words, sizes, source) => {
        const content = words.join('')
        const output = JSON.stringify({ action: 'answer', source, content })
        let told = ''
        const hearing = new Hearing(finisher, (text) => {
          told += text
        })
        for (let at = 0, turn = 0; at < output.length; turn++) {
          const size = sizes[turn % sizes.length] as number
          hearing.push(output.slice(at, at + size))
          at += size
        }
        const { content: finished } = finisher.answer(content, source)
        hearing.end(finished)
        expect(told).toBe(finished)
      },
    ),
  )
})
