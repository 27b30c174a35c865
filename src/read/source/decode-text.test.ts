import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const bytes = (...parts: (string | number[] | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

test.each<[string, Buffer, string]>([
  ['plain text', bytes('one\ntwo\n'), 'one\ntwo\n'],
  ['nothing', bytes(), ''],
  ['CRLF as it is', bytes('one\r\ntwo'), 'one\r\ntwo'],
  ['UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], 'é\n'), 'é\n'],
  ['only a byte order mark', bytes([0xef, 0xbb, 0xbf]), ''],
  ['UTF-16 LE', bytes([0xff, 0xfe], Buffer.from('a\nß😀', 'utf16le')), 'a\nß😀'],
  ['UTF-16 BE', bytes([0xfe, 0xff], bigEndian('a\nß😀')), 'a\nß😀'],
  ['bidi and zero-width characters', bytes('a\u202eb\u200b\n\u2066c'), 'a\u202eb\u200b\n\u2066c'],
  ['a valid U+FFFD', bytes('\ufffd'), '\ufffd'],
])('keeps %s', (_, input, text) => {
  expect(decodeText(input)).toEqual({ text })
})

test('replaces the few invalid bytes of a long text, and no line moves', () => {
  const decoded = decodeText(bytes('é'.repeat(300), '\n', [0xff], '\nlast'))
  expect(decoded).toEqual({ text: `${'é'.repeat(300)}\n\ufffd\nlast` })
})

const accented = '# Répondre à l’été – ça coûte 5 €\r\nund heißt Größe\n'
const in1252 = (text: string): Buffer =>
  bytes(
    [...text].map((char) => {
      const special = { '’': 0x92, '–': 0x96, '€': 0x80, '…': 0x85 }[char]
      return special ?? (char.codePointAt(0) as number)
    }),
  )

test.each<[string, string]>([
  ['text', accented],
  ['a single letter', `caf${'é'}`],
  ['letters in rows that the file declares', `# -*- coding: latin-1 -*-\nupper = "ÀÁÂÃÄÅÆÇÈÉÊË"\n`],
  ['letters in rows of a page that declares them', '<meta charset="ISO-8859-1">\nÀÁÂÃÄÅ\n'],
  // In Latin-1 0x85 would end a line.
  ['an ellipsis, which ends no line', 'und so weiter…\nEnde\n'],
])('reads Windows-1252: %s', (_, text) => {
  expect(decodeText(in1252(text))).toEqual({ text })
})

test('valid UTF-8 is read as such, whatever it declares', () => {
  const text = '# -*- coding: latin-1 -*-\n# é\n'
  expect(decodeText(bytes(text))).toEqual({ text })
})

test('replaces encoded lone surrogates', () => {
  const decoded = decodeText(bytes('y'.repeat(1000), [0xed, 0xa0, 0x80], '\nend'))
  expect(decoded).toEqual({ text: `${'y'.repeat(1000)}\ufffd\ufffd\ufffd\nend` })
})

test('replaces lone surrogates and an odd last byte of UTF-16', () => {
  const lone = `${'z'.repeat(500)}\ud800\nend`
  const decoded = decodeText(bytes([0xff, 0xfe], Buffer.from(lone, 'utf16le'), [0x41]))
  expect(decoded).toEqual({ text: `${'z'.repeat(500)}\ufffd\nend\ufffd` })
})

test('replaces a NUL byte that comes late', () => {
  const decoded = decodeText(bytes('n'.repeat(9000), [0], '\nend'))
  expect(decoded).toEqual({ text: `${'n'.repeat(9000)}\ufffd\nend` })
})

test.each<[string, Buffer]>([
  ['a NUL byte near the start', bytes('abc', [0], 'def')],
  ['UTF-16 without a byte order mark', Buffer.from('hello', 'utf16le')],
  ['UTF-32', bytes([0xff, 0xfe, 0, 0], [0x41, 0, 0, 0])],
  ['one invalid byte in a hundred characters', bytes('é', 'a'.repeat(98), [0xff])],
  ['Cyrillic in KOI8-R', bytes('# ', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], ' ', [0xcd, 0xc9, 0xd2])],
  ['Chinese in GBK', bytes('// '.repeat(20), [0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7])],
  ['letters among control characters', bytes('a'.repeat(50), [0xe9, 1], 'b')],
  ['a declaration before noise', bytes('coding: latin-1\n', [0x01, 0x02, 0x81, 0xff, 0xfe])],
  ['the start of a picture', bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xd8])],
])('takes %s for binary', (_, input) => {
  expect(decodeText(input)).toHaveProperty('binary')
})

test('invalid bytes below 1 % pass', () => {
  expect(decodeText(bytes('é', 'a'.repeat(100), [0xff]))).toHaveProperty('text')
})

test('any bytes give well-formed text without NUL, or binary', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff]),
      (tail, mark) => {
        const decoded = decodeText(Buffer.from([...mark, ...tail]))
        if ('binary' in decoded) return
        expect(decoded.text.isWellFormed()).toBe(true)
        expect(decoded.text).not.toContain('\0')
      },
    ),
    { numRuns: 2000 },
  )
})

test('any text survives in each encoding, with its lines', () => {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 200 })
    .filter((value) => !/^\ufeff|\0|\ufffd/.test(value))
  fc.assert(
    fc.property(text, (value) => {
      expect(decodeText(Buffer.from(value))).toEqual({ text: value })
      expect(decodeText(bytes([0xff, 0xfe], Buffer.from(value, 'utf16le')))).toEqual({ text: value })
      expect(decodeText(bytes([0xfe, 0xff], bigEndian(value)))).toEqual({ text: value })
    }),
    { numRuns: 1000 },
  )
})
