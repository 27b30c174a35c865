// Do rows of a terminal end where a reader expects it?
import { expect, it } from 'vitest'
import { makePalette, wrapLines } from './format.ts'

it('ends rows between words, and never inside a command or a colour', () => {
  const terminal = { isTTY: true, columns: 30 }
  expect(wrapLines('hint: see the page, or run `yore index --root .`\nnext', terminal)).toBe(
    'hint: see the page, or run\n`yore index --root .`\nnext',
  )
  const { red } = makePalette(true)
  expect(wrapLines(`  ${red('excluded')}  one, two, three`, terminal)).not.toContain('\n')
  expect(wrapLines('x '.repeat(40), {})).toBe('x '.repeat(40))
})
