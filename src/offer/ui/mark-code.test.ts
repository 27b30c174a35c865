import { expect, it } from 'vitest'
import { html } from './html.ts'
import { markCode } from './mark-code.ts'

const key = (text: string): string => `<span class="t-key">${text}</span>`

it.each([
  ['css', 'color: red;', `${key('color')}: red;`],
  ['css', 'background: url(http://x/y)', `${key('background')}: url(http://x/y)`],
  ['scss', '@media print', `${key('@media')} print`],
  ['vue', '<script setup>', `${key('&lt;script')} setup&gt;`],
  ['ts', 'const a = b', `${key('const')} a = b`],
])('marks the words that a reader looks for in %s: %s', (language, line, marked) => {
  expect(html`${markCode(line, language)}`.text).toBe(marked)
})
