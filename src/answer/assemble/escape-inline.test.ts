// Do a question, a heading and a place read back from their line of the frame as they were?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePlace, unescapeName, unescapeQuery } from '../../../test/parse-digest.ts'
import { cut } from '../../model/mark-invisible.ts'
import { escapeName, escapeQuery, formatPlace, isLongQuery } from './escape-inline.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '\\',
        '"',
        '\n',
        '\r',
        '\t',
        'n',
        '(from',
        ' (from x)',
        '⟦U+',
        '\u200b',
        ':',
        '7',
        ',',
        '-',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('a question', () => {
  it('stays on one line between its quotes, and reads back', () => {
    fc.assert(
      fc.property(hostile, (query) => {
        const escaped = escapeQuery(query)
        expect(escaped).not.toMatch(/[\n\r\t]|(?<!\\)(?:\\\\)*"/)
        expect(unescapeQuery(escaped)).toBe(query)
      }),
    )
  })

  it('is shown whole up to 300 characters, and else without its middle', () => {
    const query = `${'a'.repeat(201)}${'z'.repeat(99)}`
    expect(isLongQuery(query)).toBe(false)
    expect(escapeQuery(query)).toBe(query)
    expect(isLongQuery(`${query}z`)).toBe(true)
    expect(escapeQuery(`${query}z`)).toBe(`${'a'.repeat(200)}…${'z'.repeat(90)}`)
  })

  it('is never longer without its middle, and never cut inside a character', () => {
    const long = fc.array(fc.constantFrom('a', '😀'), { minLength: 301, maxLength: 400 })
    fc.assert(
      fc.property(long, (characters) => {
        const query = characters.join('')
        const shown = escapeQuery(query)
        expect(shown.isWellFormed()).toBe(true)
        expect(shown).not.toContain('⟦U+')
        expect(shown.length).toBeLessThan(query.length)
        const [head = '', tail = ''] = shown.split('…')
        expect(query.startsWith(head) && query.endsWith(tail)).toBe(true)
      }),
    )
    expect(escapeQuery('😀'.repeat(151))).toBe(`${'😀'.repeat(100)}…${'😀'.repeat(45)}`)
  })
})

describe('a heading', () => {
  it('has no `(from` of its own unescaped, and reads back', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        // A name is one line; its line ends are spaces.
        const line = name.replace(/[\n\r\\]/g, ' ')
        const escaped = escapeName(line)
        expect(escaped).not.toMatch(/(?<!\\)\(from/)
        expect(unescapeName(escaped)).toBe(line)
      }),
    )
  })
})

describe('a place', () => {
  const range = fc.tuple(fc.nat(10_000), fc.nat(3)).map(([start, more]) => ({ start, end: start + more }))
  const path = hostile.map((text) => text.replace(/[\n\r]/g, ' '))

  it('reads back, whatever the path is called', () => {
    fc.assert(
      fc.property(path, fc.array(range, { minLength: 1, maxLength: 4 }), (file, ranges) => {
        expect(parsePlace(formatPlace(file, ranges))).toEqual({ path: file, ranges })
      }),
    )
  })

  it('reads back with the page, slide or cell that it stands on', () => {
    const named = fc.stringMatching(/^[a-zäöü0-9. ]{0,12}[a-z0-9]$/)
    fc.assert(
      fc.property(path, range, named, (file, lines, place) => {
        const shown = formatPlace(file, [lines], place)
        expect(shown.endsWith(` (${place})`)).toBe(true)
        expect(parsePlace(shown)).toEqual({ path: file, ranges: [lines], place })
      }),
    )
    const ranges = [{ start: 340, end: 352 }]
    expect(formatPlace('paper.pdf', ranges, 'p. 12')).toBe('paper.pdf:340-352 (p. 12)')
    expect(formatPlace('deck.pptx', ranges, 'slide\u200b 3')).toBe('deck.pptx:340-352 (slide⟦U+200B⟧ 3)')
    expect(parsePlace('deck.pptx:340-352 (slide⟦U+200B⟧ 3)')?.place).toBe('slide\u200b 3')
  })

  it('names a single line once', () => {
    const ranges = [
      { start: 7, end: 7 },
      { start: 45, end: 60 },
    ]
    expect(formatPlace('a.md', ranges)).toBe('a.md:7,45-60')
  })

  it.each([
    ...['', '12', 'a.md', 'a.md:', 'a.md:x', 'a.md:x1', 'a.md:1x', 'a.md:1-', 'a.md:1,', 'a.md:1-2-3'],
    ...[
      'a.md:1 ()',
      'a.md:1 (p. (2)',
      'a.md:1 (p. 2))',
      'a.md:1 (p: 2)',
      'a.md:1 (p. 2',
      'a.md:1(p. 2)',
      ' (p. 2)',
    ],
  ])('is not what %j names', (text) => {
    expect(parsePlace(text)).toBe(null)
  })
})

it('cuts a line without leaving half a character', () => {
  expect(cut('ab🦓cd', 4)).toBe('ab…')
  expect(cut('ab🦓cd', 5)).toBe('ab🦓…')
  expect(cut('ab🦓cd', 6)).toBe('ab🦓cd')
})
