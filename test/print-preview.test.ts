// Does the preview of code begin at its signature and end where a reader can stop, and does it show less where it is unsure?
import { expect, it } from 'vitest'
import type { Uses } from '../src/explore/find-uses.ts'
import type { Report } from '../src/explore/fit-report.ts'
import type { ConfidenceLabel, Passage } from '../src/model/digest.ts'
import { makePalette } from '../src/offer/cli/format.ts'
import { printPreview } from '../src/offer/cli/print-preview.ts'
import { digestFixture, passageFixture } from './support/digest.ts'

interface Asked {
  readonly label?: ConfidenceLabel
  readonly why?: string
  readonly usesOf?: string
  readonly uses?: Report<Uses>
}

const show = (
  passages: Partial<Passage>[],
  asked: string[],
  { label = 'high', why = 'the first passage has “zebra”', usesOf, uses }: Asked = {},
): string => {
  const primary = passages.map((passage) => ({ ...passageFixture, ...passage }))
  const digest = { ...digestFixture, primary, expanded: [], confidence: { label, score: 1, why, usesOf } }
  const result = {
    ...{ digest, output: '', tokensUsed: 100, explanation: '' },
    freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
    askedTerms: asked,
  } as const
  const options = { palette: makePalette(false), width: 100, height: 24, note: null }
  return printPreview(result, { ...options, uses: uses ?? null })
}
const preview = (passage: Partial<Passage>, asked: string[]): string[] => {
  const shown = show([passage], asked)
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
    'run  a.js:11,52-56  6 of 47 lines',
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
  expect(rows.slice(1)).toEqual(['  Set the zebra:', '    const one = 1 …'])
})

it('joins a long signature, and shows the line of the question below it', () => {
  const parameters = Array.from({ length: 12 }, (_, at) => `    option${at}: int = ${at},  # the option`)
  const text = ['def run(', ...parameters, ') -> None:', ...body, '    zebra()'].join('\n')
  const rows = preview(
    {
      ...{ path: 'a.py', name: 'run', kind: 'python_function', language: 'python' },
      excerpts: [{ lines: { start: 1, end: 55 }, text }],
    },
    ['zebra'],
  )
  expect(rows).toHaveLength(4)
  expect(rows[1]).toMatch(/^ {2}def run\(option0: int = 0, option1: int = 1, /)
  expect(rows[2]).toMatch(/ …$/)
  expect(rows[3]).toBe('      zebra()')
})

it('reads reStructuredText as prose and code, without the title again', () => {
  const text = 'Stripes\n~~~~~~~\n\nSee :func:`zebra` for\nmore.\n\n.. testcode::\n\n    zebra(7)'
  const rows = preview(
    {
      ...{ path: 'a.rst', name: 'Animals › Stripes', kind: 'text_document', language: 'text' },
      excerpts: [{ lines: { start: 1, end: 9 }, text }],
    },
    ['zebra'],
  )
  expect(rows.slice(1)).toEqual(['  See `zebra` for more.', '    zebra(7)'])
})

it('keeps the lines of data, whose first line is no signature', () => {
  const text = '[zebra]\nstripes = "many"\ndepends = ["horse"]\nlegs = 4'
  const rows = preview(
    {
      ...{ path: 'a.toml', name: 'zebra', kind: 'blind', language: 'text' },
      excerpts: [{ lines: { start: 1, end: 4 }, text }],
    },
    ['zebra'],
  )
  expect(rows.slice(1)).toEqual(text.split('\n').map((line) => `  ${line}`))
})

it('begins with the name of what the lines of the question describe', () => {
  const others = Array.from(
    { length: 30 },
    (_, at) => `.. conf:: other${at}\n   :type: int\n\n   Of horses.\n`,
  )
  const text = `${others.join('\n')}\n.. conf::\n   :keys: stripes\n   :default: 7\n\n   Of a zebra.`
  const rows = preview(
    {
      ...{ path: 'a.rst', name: 'Animals', kind: 'text_document', language: 'text' },
      excerpts: [{ lines: { start: 1, end: text.split('\n').length }, text }],
    },
    ['zebra'],
  )
  expect(rows.slice(-2)).toEqual(['  `stripes` · default `7`', '  Of a zebra.'])
})

it('ends a paragraph that does not fit with a sentence, and shows no badges', () => {
  const sentences = Array.from({ length: 40 }, (_, at) => `The zebra number ${at} has many stripes.`)
  const text = `[![Build](https://x.org/b.svg)](https://x.org)\n\n${sentences.join('\n')}`
  const rows = preview(
    {
      ...{ path: 'a.md', name: 'Stripes', kind: 'markdown_section', language: 'markdown' },
      excerpts: [{ lines: { start: 1, end: 42 }, text }],
    },
    ['zebra'],
  )
  expect(rows[1]).toMatch(/^ {2}The zebra number 0 /)
  expect(rows.at(-1)).toMatch(/stripes\. …$/)
})

const long = Array.from({ length: 30 }, (_, at) => `The zebra has ${at} stripes.`).join('\n\n')
const passage = { path: 'a.md', kind: 'markdown_section', language: 'markdown' } as const
const excerpts = [{ lines: { start: 1, end: 59 }, text: long }]

it('shows three lines of each passage with a low confidence, and names alone with none', () => {
  const several = ['One', 'Two', 'Three'].map((name) => ({ ...passage, name, excerpts }))
  const low = show(several, ['zebra'], { label: 'low' }).split('\n')
  expect(low.filter((row) => row.includes('The zebra has'))).toHaveLength(9)
  const none = show(several, ['zebra'], { label: 'none' }).split('\n')
  expect(none.slice(0, 5)).toEqual([
    'No passage seems to answer this. The closest:',
    '',
    'One  a.md:1-59',
    'Two  a.md:1-59',
    'Three  a.md:1-59',
  ])
  expect(none.join(' ')).toContain('next: ask with a word or name from the text')
})

it('asks for words where it is unsure', () => {
  const rows = show([{ ...passage, excerpts }], ['zebra'], { label: 'medium' })
  expect(rows).toMatch(/next: if it is not here, ask with --words "…" that the answer may use\n$/)
})

it('begins with the list of uses where they are asked for', () => {
  const listed = Array.from({ length: 20 }, (_, at) => `- src/a${at}.ts:${at + 1} caller${at}`)
  const uses = {
    facts: { subject: { name: 'zebra' } },
    output: ['zebra, src/zebra.ts:1-9', '', 'Used by: 20', ...listed, ''].join('\n'),
  } as Report<Uses>
  const why = 'the first passages use “zebra”'
  const rows = show([{ ...passage, excerpts }], ['call', 'zebra'], { why, usesOf: 'zebra', uses }).split('\n')
  expect(rows.slice(0, 3)).toEqual(['zebra, src/zebra.ts:1-9', 'Used by: 20', '   src/a0.ts:1 caller0'])
  expect(rows[9]).toBe('    … all: yore uses zebra')
  expect(rows[10]).toBe('')
})

it('begins code with the line that opens its bracket, and shows passages of markup alone last', () => {
  const text = [
    'Ask:',
    '',
    '```py',
    '@option(',
    '    "--zebra",',
    ')',
    '```',
    ...Array(30).fill('more'),
    '',
  ].join('\n')
  const prose = { path: 'a.md', name: 'Ask', kind: 'markdown_section', language: 'markdown' } as const
  const markup = { ...prose, name: 'Class', excerpts: [{ lines: { start: 1, end: 1 }, text: '{.zebra}' }] }
  const shown = show([markup, { ...prose, excerpts: [{ lines: { start: 1, end: 38 }, text }] }], ['zebra'])
  expect(shown).toMatch(/^Ask .*\n {2}Ask:\n {4}@option\(\n/)
  const late = {
    ...prose,
    excerpts: [{ lines: { start: 1, end: 68 }, text: `${'Other words.\n\n'.repeat(15)}${text}` }],
  }
  expect(show([late], ['zebra'])).toContain('@option(')
})
