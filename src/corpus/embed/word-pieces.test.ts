// Does text become the tokens that BERT's uncased tokeniser gives?
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packVocabulary } from '../../../scripts/pack-vocabulary.ts'
import { findToken, openVocabulary } from './vocabulary.ts'
import { createWordPieces } from './word-pieces.ts'

const tokens = (
  '[UNK] ## # get pod name ##s ##name ##na http server v ##1 2 . _ e 中 ! strasse ß и “ a ##a na ' +
  '##me http2'
).split(' ')
const vocabulary = openVocabulary(packVocabulary(new TextEncoder().encode(tokens.join('\n'))))

function cut(text: string, options: Parameters<typeof createWordPieces>[1] = {}): string[] {
  return [...createWordPieces(vocabulary, options)(text)].map((id) => tokens[id]!)
}

describe('words', () => {
  test('are lower case, without accents, and split at space and punctuation', () => {
    expect(cut('GET.pod_name\tPod')).toEqual(['get', '.', 'pod', '_', 'name', 'pod'])
    expect(cut('é È e\u0301')).toEqual(['e', 'e', 'e'])
    expect(cut('И')).toEqual(['и'])
    expect(cut('get“pod')).toEqual(['get', '“', 'pod'])
  })

  test('take the longest piece first, and are unknown as a whole when one part is', () => {
    expect(cut('pods podnames namena')).toEqual(['pod', '##s', 'pod', '##name', '##s', 'name', '##na'])
    expect(cut('podx get')).toEqual(['[UNK]', 'get'])
  })

  test('the same letters inside a word and at its start are different tokens', () => {
    expect(cut('s')).toEqual(['[UNK]'])
    expect(cut('names')).toEqual(['name', '##s'])
    expect(cut('##name')).toEqual(['#', '#', 'name'])
  })

  test('Chinese characters stand alone', () => {
    expect(cut('get中中pod')).toEqual(['get', '中', '中', 'pod'])
  })

  test('control characters and zero-width ones vanish without splitting; other spaces split', () => {
    expect(cut('p\u0000o\u200bd\u0007s')).toEqual(['pod', '##s'])
    expect(cut('get\u00a0pod\u3000pod')).toEqual(['get', 'pod', 'pod'])
  })

  test('of a hundred characters are cut into pieces, of one more they are unknown', () => {
    expect(cut('a'.repeat(100))).toHaveLength(100)
    expect(cut('a'.repeat(101))).toEqual(['[UNK]'])
    expect(cut(`${'é'.repeat(100)}`)).toEqual(['[UNK]'])
  })

  test('identifiers are split at capitals when asked', () => {
    expect(cut('getPodName')).toEqual(['[UNK]'])
    expect(cut('getPodName', { splitIdentifiers: true })).toEqual(['get', 'pod', 'name'])
    expect(cut('HTTPServer GETPod', { splitIdentifiers: true })).toEqual(['http', 'server', 'get', 'pod'])
    expect(cut('http2Server POD', { splitIdentifiers: true })).toEqual(['http2', 'server', 'pod'])
  })
})

test('a longer text than before, and then a short one, come out whole', () => {
  const toPieces = createWordPieces(vocabulary)
  expect(toPieces('get '.repeat(50_000))).toHaveLength(50_000)
  expect([...toPieces('pod')]).toEqual([findToken(vocabulary, 'pod')])
})

test('any text: every id is in the vocabulary', () => {
  const toPieces = createWordPieces(vocabulary, { splitIdentifiers: true })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const id of toPieces(text)) expect(tokens[id]).toBeDefined()
    }),
  )
})

/** Processor time of the quickest of three runs: other work on the machine only ever adds. */
function quickest(run: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test.each(['a', 'aA', 'A', 'é', 'x', '中', ' ', '\u0301', '#', '😀', 'podname'])(
  'T14: half a megabyte of %j takes linear time',
  (seed) => {
    const toPieces = createWordPieces(vocabulary, { splitIdentifiers: true })
    const timeOf = (chars: number): number => {
      const text = seed.repeat(Math.ceil(chars / seed.length))
      return quickest(() => toPieces(text))
    }
    // Measured up to five times, because a busy machine makes one run slow; what is super-linear fails every time.
    const fits = Array.from({ length: 5 }).some(() => {
      const [half, whole] = [timeOf(250_000), timeOf(500_000)]
      return whole < Math.max(50, 2.5 * half) && whole < 250
    })
    expect(fits).toBe(true)
  },
)

/** Written down naively: an independent statement of longest-match-first over one lower-case word. */
function cutNaively(word: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < word.length; ) {
    const prefix = start === 0 ? '' : '##'
    let end = word.length
    while (end > start && !tokens.includes(prefix + word.slice(start, end))) end--
    if (end === start) return ['[UNK]']
    pieces.push(prefix + word.slice(start, end))
    start = end
  }
  return pieces
}

test('pieces of any word are those of the plain definition', () => {
  const parts = fc.array(fc.constantFrom('get', 'pod', 'name', 's', 'na', 'a', 'x', 'me', '1', 'v'), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(parts, (chosen) => {
      expect(cut(chosen.join(''))).toEqual(cutNaively(chosen.join('')))
    }),
  )
})

describe('the vocabulary', () => {
  test('finds every token by its id and nothing else', () => {
    tokens.forEach((token, id) => {
      expect(findToken(vocabulary, token)).toBe(id)
    })
    for (const absent of ['', 'x', 'getpod', '##pod', 'nam']) expect(findToken(vocabulary, absent)).toBe(-1)
  })

  test('is refused when it is cut off, of another kind, or has Windows line ends', () => {
    const packed = packVocabulary(new TextEncoder().encode('a\nb\n'))
    expect(() => openVocabulary(packed.subarray(0, -1))).toThrow('its length does not fit')
    expect(() => openVocabulary(packed.subarray(0, 10))).toThrow('shorter than its header')
    expect(() => openVocabulary(packed.slice().fill(7))).toThrow('right mark')
    expect(() => packVocabulary(new TextEncoder().encode('a\r\nb\r\n'))).toThrow('carriage return')
  })

  test('can be opened from a slice that is not aligned', () => {
    const packed = packVocabulary(new TextEncoder().encode('a\nb\n'))
    const shifted = new Uint8Array(packed.length + 1)
    shifted.set(packed, 1)
    expect(findToken(openVocabulary(shifted.subarray(1)), 'b')).toBe(1)
  })
})

const vocabularyFile = path.join(import.meta.dirname, '../../../assets/model/vocab.txt')

// Expected pieces were taken from a reference implementation of the tokeniser over the same vocabulary.
describe('with the real vocabulary', () => {
  const lines = readFileSync(vocabularyFile, 'utf8').split('\n')
  const known: readonly (readonly [text: string, pieces: string])[] = [
    ['Kubernetes autoscaling', 'ku ##ber ##net ##es auto ##sca ##ling'],
    ['Ünïcödé naïve café', 'unicode naive cafe'],
    ['中文字符 and 日本', '中 文 [UNK] [UNK] and 日 本'],
    ["don't re-use v1.2", "don ' t re - use v ##1 . 2"],
    ['supercalifragilistic', 'super ##cal ##if ##rag ##ilis ##tic'],
  ]
  test.each(known)('%s', (text, pieces) => {
    const toPieces = createWordPieces(
      openVocabulary(packVocabulary(new TextEncoder().encode(lines.join('\n')))),
    )
    expect([...toPieces(text)].map((id) => lines[id]).join(' ')).toBe(pieces)
  })
})
