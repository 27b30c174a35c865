// Does hostile code cost bounded time and memory, and never a crash? Every grammar, T16 and T18, and what breaks parsers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { parseAs, readFixture } from '../../../../test/support/code-tool.ts'
import type { ParsedDocument } from '../../../model/artifact.ts'
import { codeLanguages } from '../../../model/code-languages.ts'
import { readFormat } from '../../../model/config/read-formats.ts'
import { maxPieceChars } from '../split-pieces.ts'

const slow = process.env['YORE_SLOW'] === '1'
const numRuns = slow ? 2_000 : 25
/** Grammars with the whole of each hostile text in the short form; the others have its first fifth. */
const wholeFor: readonly string[] = ['x.py', 'x.ts', 'x.c']
/** T13 allows 5 s on a machine of one's own; the deadline of a file is half of that. */
const mostMilliseconds = 10_000

const files = codeLanguages.flatMap((language) =>
  Object.keys(readFormat(language).grammars).map((extension) => `x${extension}`),
)
/** One name for each grammar. */
const names =
  'x.py x.js x.ts x.tsx x.html x.go x.rs x.java x.c x.cpp x.cs x.rb x.php x.sh x.kt x.swift x.scala x.ex x.zig'.split(
    ' ',
  )

const deep = 100_000
const hostile: Readonly<Record<string, string>> = {
  'T16: 100,000 open brackets': '('.repeat(deep),
  'T16: 100,000 nested lists': `${'['.repeat(deep)}${']'.repeat(deep)}`,
  'T16: 100,000 nested blocks': 'if (x) {'.repeat(deep),
  'T16: 100,000 nested tags': '<div>'.repeat(deep),
  'T16: 100,000 operators': `x = ${'!'.repeat(deep)}y`,
  'T16: 20,000 indented lines': Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n)}if x:`).join('\n'),
  'T16: 50,000 chained calls': `x${'.y()'.repeat(50_000)}`,
  'T16: 50,000 nested functions': 'function f() {'.repeat(50_000),
  'T16: 50,000 else ifs': `${'if (a) {} else '.repeat(50_000)}{}`,
  'T18: NUL bytes': 'def f():\0\n  return\0 1\n',
  'T18: lone surrogates': 'x = "\ud800"\ny = "\udc00\udfff"\nfunction f() { return "\ud83d" }\n',
  'T18: bidirectional and zero-width characters': 'a\u202eb = 1\n// \u2066 x \u2069\ndef f\u200b(): pass\n',
  'T18: a byte order mark': '\ufeffdef f():\n  pass\n',
  'T18: every kind of line end': 'a = 1\r\nb = 2\rc = 3\n\u2028d = 4\u2029e = 5\x0bf\x0c',
  'only quotes': `${'"'.repeat(30_001)}`,
  'only backticks and braces': '`${'.repeat(20_000),
  'an open comment': `/*${' *'.repeat(100_000)}`,
  'one line of 400,000 characters': `var a=[${'1,'.repeat(200_000)}1];`,
  'a minified bundle': '!function(e){var t={};function n(r){return t[r]||(t[r]=e(r))}n(1)}(x);'.repeat(6_000),
  '100,000 tiny functions': 'function f(){}\n'.repeat(30_000),
  nothing: '',
  'blank lines': '\n'.repeat(10_000),
}

function checkDocument({ artifacts }: ParsedDocument, text: string): void {
  expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
  expect(new Set(artifacts.map(({ id }) => id)).size).toBe(artifacts.length)
  for (const { pieces, text: own } of artifacts) {
    expect(pieces.at(-1)?.end ?? 0).toBe(own.length)
    for (const { start, end } of pieces) expect(end - start).toBeLessThanOrEqual(maxPieceChars)
  }
}

it('has a grammar for every extension', () => {
  expect(files.length).toBeGreaterThan(10)
})

describe.each(names)('%s', (name) => {
  const share = slow || wholeFor.includes(name) ? 1 : 0.2
  it.each(Object.keys(hostile))(`survives ${share === 1 ? '' : 'the first fifth of '}%s`, async (title) => {
    const whole = hostile[title] as string
    const text = whole.slice(0, Math.ceil(share * whole.length))
    const started = processorTime()
    const document = await parseAs(name, text)
    expect(processorTime() - started).toBeLessThan(mostMilliseconds)
    checkDocument(document, text)
  })

  it('still reads good code afterwards', async () => {
    const language = codeLanguages.find((one) => `x${Object.keys(readFormat(one).grammars)[0]}` === name)
    for (const [file, text] of language === undefined ? [] : readFixture(language)) {
      const { artifacts } = await parseAs(file, text)
      expect(artifacts.some(({ kind }) => kind === 'blind')).toBe(false)
    }
  })

  it('tiles whatever is cut out of good code, or mixed into it', async () => {
    const extension = name.slice(name.lastIndexOf('.'))
    const language = codeLanguages.find((one) => Object.hasOwn(readFormat(one).grammars, extension))
    const good = [...readFixture(language as string).values()].join('\n')
    const spliced = fc
      .tuple(fc.nat(good.length), fc.nat(good.length), fc.string({ unit: 'binary', maxLength: 20 }))
      .map(([from, to, noise]) => good.slice(0, from) + noise + good.slice(to))
    await fc.assert(
      fc.asyncProperty(spliced, async (text) => {
        checkDocument(await parseAs(name, text), text)
      }),
      { numRuns },
    )
  })
})
