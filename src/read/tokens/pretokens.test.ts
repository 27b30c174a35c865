// Does the scanner cut where the o200k pattern cuts?

import fc from 'fast-check'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { expect, test } from 'vitest'
import { hostileText } from '../../../test/support/text-arbitraries.ts'
import { classifyBytes, endOfPretoken } from './pretokens.ts'

function cutByScanner(text: string): string[] {
  const bytes = new TextEncoder().encode(text)
  const classes = new Uint8Array(bytes.length + 1)
  classifyBytes(bytes, bytes.length, classes)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = endOfPretoken(bytes, classes, start)
    pieces.push(decoder.decode(bytes.subarray(start, end)))
    start = end
  }
  return pieces
}

function cutByPattern(text: string): string[] {
  return text.toWellFormed().match(O200K_TOKEN_SPLIT_REGEX) ?? []
}

test('cuts every text where the pattern cuts it', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(cutByScanner(text)).toEqual(cutByPattern(text))
    }),
    { numRuns: 10_000 },
  )
})

test('gives every code point the class that the pattern gives it', () => {
  // Around each code point: a letter, a mark, a space and a digit, so that each class cuts differently.
  for (let first = 0; first < 0x110000; first += 512) {
    // Planes without characters, and those of private use, have one class: their ends are enough.
    const plane = first >> 16
    const within = first & 0xffff
    if (((plane > 3 && plane < 14) || plane > 14) && within !== 0 && within !== 0xfe00) continue
    const codePoints = Array.from({ length: 512 }, (_, index) => String.fromCodePoint(first + index))
    const text = codePoints.map((char) => `A${char}Bb ${char}${char}1${char}\n`).join('')
    expect(cutByScanner(text).join('|')).toBe(cutByPattern(text).join('|'))
  }
})

test.each([
  ['keeps a contraction with its word in either case', "don'T WE'Ll x'q", ["don'T", " WE'Ll", ' x', "'q"]],
  ['splits camel case', 'parseHTTPResponse', ['parse', 'HTTPResponse']],
  ['takes digits by three', '1234567', ['123', '456', '7']],
  ['leaves the last space to the next word', 'a   b', ['a', '  ', ' b']],
  ['keeps spaces at the end whole', 'a   ', ['a', '   ']],
  ['ends a space run at its last newline', 'a \n \n  b', ['a', ' \n \n', ' ', ' b']],
  ['keeps newlines and slashes behind symbols', 'x);\n\n//\n y', ['x', ');\n\n//\n', ' y']],
  ['gives back upper case after an uncased letter', 'AB中CD', ['AB中', 'CD']],
  ['matches a mark alone before upper case', '\u0301AB', ['\u0301', 'AB']],
])('%s', (_name, text, pieces) => {
  expect(cutByScanner(text)).toEqual(pieces)
})
