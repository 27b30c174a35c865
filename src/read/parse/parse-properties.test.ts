// What holds for every text? Tiling, unique and stable ids, right lines, whatever the input.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ParsedDocument } from '../../model/artifact.ts'
import type { Language } from '../../model/source-file.ts'
import { parseDocument } from './parse-document.ts'
import { fragmentChars, splitFragments } from './split-fragments.ts'
import { maxPieceChars } from './split-pieces.ts'

const numRuns = process.env['YORE_SLOW'] === '1' ? 10_000 : 2_000

const word = fc.constantFrom(
  'a',
  'a',
  'a-1',
  'a.1',
  'b',
  'A',
  'ä',
  '日本',
  '😀',
  '`x`',
  '*y*',
  '[z](u)',
  '<b>',
  '&amp;',
  '{#a}',
  '{#b .c}',
  '__proto__',
  '!',
  '\t',
  '\\',
  '\0',
  '\u2028',
  '\f',
  '|',
  'long'.repeat(400),
  'w '.repeat(700),
)
const words = fc.array(word, { maxLength: 3 }).map((parts) => parts.join(' '))
const heading = fc
  .tuple(fc.integer({ min: 1, max: 7 }), words)
  .map(([level, text]) => `${'#'.repeat(level)} ${text}`)
const fixed = fc.constantFrom(
  '',
  '',
  '---',
  '===',
  '```',
  '~~~',
  '<!--',
  '-->',
  '<div>',
  '</div>',
  '|---|',
  '***',
  '+++',
  '...',
  'title: x',
  '\ufeff',
  '    code',
  '\tcode',
  '>',
  '-',
  '1.',
)
const line = fc.oneof(
  heading,
  words,
  fixed,
  fc
    .tuple(fc.constantFrom('- ', '  - ', '    - ', '1. ', '> ', '> # ', '- # ', '[a]: ', '| '), words)
    .map((parts) => parts.join('')),
)
const ending = fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', '\r', '')
const markdown = fc.array(fc.tuple(line, ending), { maxLength: 25 }).map((lines) => lines.flat().join(''))
/** Marks of man pages, reStructuredText, AsciiDoc, Perl and of code, deep and shallow, long enough to be divided. */
const marked = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '', '  ', '\t', '        '),
      fc.oneof(
        fc.constantFrom('.SH NAME', '.TP', '.IP "-a"', '=head1 x', '=item y', '@node x', '@section z'),
        fc.constantFrom('== T', 'Title', '=====', '-----', 'term::', '.. function:: f()', '[[a]]', '.. _b:'),
        fc.constantFrom(
          ':ref:`b <c>`',
          '``x.y``',
          '`t`_',
          '<<a,b>>',
          'link:x[y]',
          '[preface]',
          '.. toctree::',
          '..',
        ),
        fc.constantFrom(
          '######## X ########',
          '# ----',
          '# note',
          '/* c',
          'f() {',
          '}',
          'end',
          '(',
          ')',
          '"',
        ),
        words,
        fc.constant('key = value '.repeat(40)),
      ),
      fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r'),
    ),
    { maxLength: 60 },
  )
  .map((lines) => lines.flat().join(''))
const unicode = fc.string({ unit: 'binary', maxLength: 300 })
const anyText = fc.oneof(
  { weight: 4, arbitrary: markdown },
  { weight: 3, arbitrary: marked },
  { weight: 1, arbitrary: unicode },
  { weight: 1, arbitrary: fc.tuple(markdown, unicode).map((parts) => parts.join('')) },
)
const language = fc.constantFrom<Language>('markdown', 'markdown', 'text', 'generic')

/** The name decides how a text is read that is no Markdown. */
const names = ['p.rst', 'p.adoc', 'p.1', 'p.toml', 'p.yaml', 'Makefile', 'p.txt']
const parse = (text: string, as: Language = 'markdown'): ParsedDocument =>
  parseDocument({ path: as === 'markdown' ? 'p.md' : names[text.length % names.length]!, language: as, text })
const ids = (document: ParsedDocument): string[] => document.artifacts.map((artifact) => artifact.id)

/** A second, simpler way to find the lines of a text. */
const splitLines = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

test('the own texts of a file are its text, and each equals its lines', () => {
  fc.assert(
    fc.property(anyText, language, (text, as) => {
      const { artifacts } = parse(text, as)
      const lines = splitLines(text)
      expect(artifacts[0]?.lines.end).toBe(Math.max(1, lines.length))
      expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
      for (const { ownLines, text: own } of artifacts) {
        expect(ownLines === null ? '' : lines.slice(ownLines.start - 1, ownLines.end).join('')).toBe(own)
      }
    }),
    { numRuns },
  )
})

test('the pieces of an artifact tile its text, within the limit, and lie on their lines', () => {
  fc.assert(
    fc.property(anyText, language, (text, as) => {
      const lines = splitLines(text)
      for (const artifact of parse(text, as).artifacts) {
        let at = 0
        for (const piece of artifact.pieces) {
          const own = artifact.text.slice(piece.start, piece.end)
          const covered = lines.slice(piece.lines.start - 1, piece.lines.end).join('')
          expect(piece.start).toBe(at)
          expect(own.length).toBeGreaterThan(0)
          expect(own.length).toBeLessThanOrEqual(maxPieceChars)
          if (piece.lines.start === piece.lines.end) expect(covered).toContain(own)
          else expect(covered).toBe(own)
          if (text.isWellFormed()) expect(own.isWellFormed()).toBe(true)
          at = piece.end
        }
        expect(at).toBe(artifact.text.length)
      }
    }),
    { numRuns },
  )
})

test('the fragments of an artifact join to its text, within the limit, and none is blank', () => {
  fc.assert(
    fc.property(anyText, language, fc.constantFrom(50, 400, fragmentChars), (text, as, maxChars) => {
      for (const artifact of parse(text, as).artifacts) {
        const { pieces } = artifact
        const fragments = splitFragments(artifact, maxChars).map(({ start, end }) => ({
          start,
          end,
          text: artifact.text.slice(pieces[start]!.start, pieces[end - 1]!.end),
        }))
        if (artifact.text.trim() === '') expect(fragments).toEqual([])
        else expect(fragments.map((fragment) => fragment.text).join('')).toBe(artifact.text)
        let next = 0
        for (const fragment of fragments) {
          expect(fragment.text.trim()).not.toBe('')
          expect(fragment.start).toBe(next)
          next = fragment.end
          const solid = pieces
            .slice(fragment.start, next)
            .filter((piece) => artifact.text.slice(piece.start, piece.end).trim() !== '')
          const headed = fragment.start === 0 && artifact.level > 0
          if (solid.length > (headed ? 2 : 1))
            expect(fragment.text.trim().length).toBeLessThanOrEqual(maxChars * 1.25)
        }
        if (fragments.length > 0) expect(next).toBe(pieces.length)
      }
    }),
    { numRuns },
  )
})

test('ids are unique, anchors are unique, and every parent holds its children', () => {
  fc.assert(
    fc.property(anyText, language, (text, as) => {
      const document = parse(text, as)
      const byId = new Map(document.artifacts.map((artifact) => [artifact.id, artifact]))
      expect(byId.size).toBe(document.artifacts.length)
      const sections = document.artifacts.slice(1)
      expect(new Set(sections.map((section) => section.anchor)).size).toBe(sections.length)
      for (const section of sections) {
        const parent = byId.get(section.parent!)!
        expect(parent.level).toBeLessThan(section.level)
        expect(section.headings).toEqual([...parent.headings, section.name])
        expect(section.id.startsWith(parent.id)).toBe(true)
        expect(parent.lines.start).toBeLessThanOrEqual(section.lines.start)
        expect(parent.lines.end).toBeGreaterThanOrEqual(section.lines.end)
        expect(section.ownLines!.start).toBe(section.lines.start)
      }
    }),
    { numRuns },
  )
})

test('parsing again gives the same, byte for byte', () => {
  fc.assert(
    fc.property(anyText, language, (text, as) => {
      expect(JSON.stringify(parse(text, as))).toBe(JSON.stringify(parse(text, as)))
    }),
    { numRuns },
  )
})

test('lines added above change no id, only lines', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 3 }), (text, count) => {
      fc.pre(!/^\ufeff|^---|^\+\+\+/.test(text))
      const before = parse(text)
      const after = parse('words\n\n'.repeat(count) + text)
      expect(ids(after)).toEqual(ids(before))
      expect(after.artifacts.slice(1).map((section) => section.lines.start - 2 * count)).toEqual(
        before.artifacts.slice(1).map((section) => section.lines.start),
      )
    }),
    { numRuns },
  )
})

test('sections added below change no id above, even with the same headings', () => {
  fc.assert(
    fc.property(markdown, heading, (text, added) => {
      const before = parse(text)
      const after = parse(`${text}\n\n${added}\n`)
      fc.pre(!/^\ufeff?(?:---|\+\+\+)/.test(text))
      expect(ids(after).slice(0, before.artifacts.length)).toEqual(ids(before))
    }),
    { numRuns },
  )
})
