import fc from 'fast-check'
import MarkdownIt, { type Token } from 'markdown-it'
import { expect, test } from 'vitest'
import { markdown } from './markdown-parser.ts'

test('light tokens say what the own tokens of markdown-it say', () => {
  const plain = new MarkdownIt({ html: true })
  const line = fc.constantFrom(
    '# a',
    'b',
    '===',
    '- c',
    '  - d',
    '1. e',
    '> f',
    '```',
    '<div>',
    '| a | b |',
    '|--|--|',
    '[x]: y',
    '    g',
    '',
    '***',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const [light, own]: [Token[], Token[]] = [[], []]
      markdown.block.parse(lines.join('\n'), markdown, {}, light)
      plain.block.parse(lines.join('\n'), plain, {}, own)
      // Some fields stand on the prototype. Only the inline parser, which has its own tokens, gives children.
      const fields = (token: Token, of: Token) =>
        Object.keys(of).flatMap((key) => (key === 'children' ? [] : [[key, token[key as keyof Token]]]))
      expect(light).toHaveLength(own.length)
      expect(light.map((token, at) => fields(token, own[at]!))).toEqual(
        own.map((token) => fields(token, token)),
      )
    }),
    { numRuns: 2_000 },
  )
})
