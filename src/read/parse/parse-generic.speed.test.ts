// Does dividing a text without headings or a grammar take time in proportion to its length?
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { parseDocument } from './parse-document.ts'

test.each([
  ['one line', 'x'],
  ['one line of words', 'ab '],
  ['brackets', '{(['],
  ['lines of brackets', '{\n'],
  ['blank lines', '\n'],
  ['deeper and deeper', '\n a\n  b\n   c\n    d\n     e\n'],
  ['rules', '====\n'],
  ['terms', 'a::\n'],
  ['quotes', '"\'`'],
  ['titles', 'Title\n=====\n\n'],
  ['items', '.TP\nx\n'],
  ['banners', '#### x ####\n'],
  ['blocks', 'a\n\n'],
])(
  '1 MB of %s takes time in proportion',
  (_, seed) => {
    for (const language of ['text', 'generic'] as const) {
      const timeOf = (chars: number): number => {
        const text = (seed === '.TP\nx\n' ? '.SH A\n' : '') + seed.repeat(Math.ceil(chars / seed.length))
        const started = processorTime()
        parseDocument({ path: 'docs/x.txt', language, text })
        return processorTime() - started
      }
      timeOf(100_000)
      const small = Math.min(timeOf(250_000), timeOf(250_000))
      const large = Math.min(timeOf(1_000_000), timeOf(1_000_000))
      // Four times the text; quadratic work would take sixteen times as long.
      expect(large).toBeLessThan(12 * Math.max(small, 50))
    }
  },
  60_000,
)
