import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { readOutput } from './read-output.ts'

const kindOf = (text: string): string => {
  const output = readOutput(text)
  return output.kind === 'fault' ? output.fault : output.kind
}

const answer = '{"action":"answer","content":"Three times."}'
const expand = '{"action":"expand","via":"cites","target_identifier":"ADR-013"}'

describe('what passes', () => {
  it('is an answer with its content', () => {
    expect(readOutput(answer)).toEqual({ kind: 'answer', content: 'Three times.' })
  })

  it('is a request, with the section that it starts from or without', () => {
    const request = { from: null, via: 'cites', target: 'ADR-013' }
    expect(readOutput(expand)).toEqual({ kind: 'expand', request })
    const placed = '{"action":"expand","from":"S2","via":"cites","target_identifier":"ADR-013"}'
    expect(readOutput(placed)).toEqual({ kind: 'expand', request: { ...request, from: 'S2' } })
  })

  it('may have blanks around it, one fence around all of it, and null for what is absent', () => {
    expect(kindOf(`\n  ${answer}\n`)).toBe('answer')
    expect(kindOf(`\`\`\`json\n${answer}\n\`\`\``)).toBe('answer')
    expect(kindOf(`\`\`\`\n${answer}\n\`\`\`\n`)).toBe('answer')
    const whole =
      '{"action":"answer","from":null,"via":null,"target_identifier":null,"content":"Three times."}'
    expect(readOutput(whole)).toEqual({ kind: 'answer', content: 'Three times.' })
  })

  it('may quote the protocol inside its content', () => {
    const content = `Say ${expand} and then {"action":"answer"}.`
    expect(readOutput(JSON.stringify({ action: 'answer', content }))).toEqual({ kind: 'answer', content })
  })
})

describe('what breaks the protocol has a name', () => {
  it.each([
    ['', 'not_json'],
    ['Three times.', 'not_json'],
    ['{"action":"answer","content":"Three', 'not_json'],
    ["{'action':'answer'}", 'not_json'],
    [`Sure! ${answer}`, 'text_around_json'],
    [`${answer}\nI hope this helps.`, 'text_around_json'],
    [`${expand}${answer}`, 'text_around_json'],
    [`Here:\n\`\`\`json\n${answer}\n\`\`\``, 'text_around_json'],
    [`[${answer}]`, 'not_an_object'],
    ['"answer"', 'not_an_object'],
    ['null', 'not_an_object'],
    ['{"action":"answer","content":"a","content":"b"}', 'duplicate_key'],
    ['{"action":"answer","\\u0061ction":"expand","content":"b"}', 'duplicate_key'],
    ['{}', 'missing_key'],
    ['{"action":null}', 'missing_key'],
    ['{"action":"answer"}', 'missing_key'],
    ['{"action":"expand","via":"cites"}', 'missing_key'],
    ['{"action":1}', 'wrong_type'],
    ['{"action":"answer","content":["a"]}', 'wrong_type'],
    ['{"action":"expand","via":{},"target_identifier":"x"}', 'wrong_type'],
    ['{"action":"run","content":"x"}', 'unknown_action'],
    ['{"action":"Answer","content":"x"}', 'unknown_action'],
    ['{"action":"answer","content":"x","via":"cites"}', 'unknown_key'],
    ['{"action":"answer","content":"x","__proto__":"y"}', 'unknown_key'],
    ['{"action":"answer","content":"x","constructor":"y"}', 'unknown_key'],
    ['{"action":"answer","content":"  \\n"}', 'empty_content'],
  ])('%s is %s', (text, fault) => expect(kindOf(text)).toBe(fault))

  it('a repeated key inside a value is none of the object', () => {
    expect(kindOf('{"action":"answer","content":{"a":1,"a":2}}')).toBe('wrong_type')
  })
})

it('never throws, takes time in proportion, and reads back what it is written for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (content) => {
      const output = readOutput(JSON.stringify({ action: 'answer', content }))
      expect(output).toEqual(
        /[\p{L}\p{N}]/u.test(content)
          ? { kind: 'answer', content }
          : expect.objectContaining({ kind: 'fault', fault: 'empty_content' }),
      )
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void readOutput(text)))
  fc.assert(fc.property(fc.json(), (text) => void readOutput(text)))
  for (const text of ['{'.repeat(200_000), '[{"a":'.repeat(100_000), `{"a":"${'\\'.repeat(500_001)}`]) {
    const before = processorTime()
    expect(['not_json', 'text_around_json']).toContain(kindOf(text))
    expect(processorTime() - before).toBeLessThan(1000)
  }
})
