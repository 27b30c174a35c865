// Does the preview of code begin at its signature and end where a reader can stop?
import { expect, it } from 'vitest'
import type { Passage } from '../src/model/digest.ts'
import { makePalette } from '../src/offer/cli/format.ts'
import { printPreview } from '../src/offer/cli/print-preview.ts'
import { digestFixture, passageFixture } from './support/digest.ts'

const preview = (passage: Partial<Passage>, asked: string[]): string[] => {
  const digest = { ...digestFixture, primary: [{ ...passageFixture, ...passage }], expanded: [] }
  const result = {
    ...{ digest, output: '', tokensUsed: 100, explanation: '' },
    freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
    vocabulary: { asked, near: [] },
  } as const
  const shown = printPreview(result, { palette: makePalette(false), width: 100, height: 24, note: null })
  return shown.slice(0, shown.indexOf('\n\n')).split('\n')
}

const body = Array.from({ length: 40 }, (_, at) => `  step(${at})`)

it('shows the signature of code and then the lines of the question, with both ranges', () => {
  const text = [
    '/** Runs. */',
    'function run(a) {',
    ...body,
    '  zebra()',
    '  if (a) {',
    '    more()',
    '  }',
    '}',
  ]
  const rows = preview(
    {
      ...{ path: 'a.js', name: 'run', kind: 'javascript_function', language: 'javascript' },
      excerpts: [{ lines: { start: 10, end: 9 + text.length }, text: text.join('\n') }],
    },
    ['zebra'],
  )
  expect(rows).toEqual([
    'run  6 of 47 lines',
    'a.js:11,52-56',
    '  function run(a) { …',
    '    zebra()',
    '    if (a) {',
    '      more()',
    '    }',
    '  }',
  ])
})

it('ends before a block that does not fit, in code and in a fence of Markdown, and says that there is more', () => {
  const call = ['configure({', ...Array.from({ length: 30 }, (_, at) => `  option${at}: ${at},`), '})']
  const text = ['Set the zebra:', '', '```js', 'const one = 1', ...call, '```']
  const rows = preview(
    {
      ...{ path: 'a.md', name: 'Zebra', kind: 'markdown_section', language: 'markdown' },
      excerpts: [{ lines: { start: 1, end: text.length }, text: text.join('\n') }],
    },
    ['zebra'],
  )
  expect(rows.slice(2)).toEqual(['  Set the zebra:', '    const one = 1 …'])
})
