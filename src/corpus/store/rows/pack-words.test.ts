import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeWords, type TermSink } from '../../../read/parse/words/analyze-words.ts'
import { TermBatchBuilder } from '../postings/term-batch.ts'
import { eachLine, type FragmentStart, StoredVocabulary, WordPacker } from './pack-words.ts'
import { SectionWords, WINDOW_CHARS, wordKey } from './section-words.ts'

/** The oracle: what analysing the text of a window gives, lines parted by 0. */
function analyze(text: string): number[] {
  return text.split('\n').flatMap((line) => {
    const keys: number[] = []
    analyzeWords(line.slice(0, 400), (term, whole) => keys.push(wordKey(term, whole)))
    return [...keys, 0]
  })
}

/** Words as they are read again, with others before them in the vocabulary. */
function storedWords(packed: Uint8Array): SectionWords {
  const vocabulary = new StoredVocabulary(Int32Array.from({ length: 100 }, (_, at) => at * 2 + 6))
  const stored = vocabulary.number(packed)
  return new SectionWords(stored, vocabulary.keys)
}

/** The same of what is stored. */
function decode(stored: Uint8Array, piece: number | null): number[] {
  const words = storedWords(stored)
  const { keys, numbers } = piece === null ? words.all() : words.window(piece)
  const found: number[] = []
  for (let at = 0; at < numbers.length; ) {
    let number = 0
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = numbers[at++] as number
      number |= (byte & 127) << shift
      more = byte > 127
    }
    found.push(number === 0 ? 0 : (keys[number - 1] as number))
  }
  return found
}

/** Empty lines at the end say nothing. */
const trimmed = (keys: readonly number[]): readonly number[] =>
  keys.slice(0, keys.findLastIndex((key) => key !== 0) + 1)

/** Lines of all lengths, with what the analyser treats by itself. */
const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(
        fc.constantFrom('the', 'Lease', 'maxTokens', 'snake_case_name', 'v1.2.3', '数据库表', 'naïve', '—'),
        { maxLength: 14 },
      )
      .map((words) => words.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 300, max: 900 })
      .map((length) => 'splitPath reads words, '.repeat(50).slice(0, length)),
  },
)

const section = fc.record({
  lines: fc.array(line, { maxLength: 160 }),
  starts: fc.array(fc.nat(), { maxLength: 6 }),
  isInLines: fc.boolean(),
})

function place(text: string, starts: readonly number[], isInLines: boolean): FragmentStart[] {
  const places = starts.map((start) => {
    const at = start % Math.max(1, text.length)
    return isInLines ? text.lastIndexOf('\n', at) + 1 : at
  })
  return [...new Set([0, ...places])].sort((a, b) => a - b).map((at, piece) => ({ piece: piece * 3, at }))
}

it('gives the words that analysing the text of each window gives, whatever cuts it', () => {
  const packer = new WordPacker(new TermBatchBuilder())
  fc.assert(
    fc.property(section, ({ lines, starts, isInLines }) => {
      const text = lines.join('\n')
      const places = place(text, starts, isInLines)
      if (isInLines) eachLine(text, [0, text.length], (start, end) => packer.readLine(text, [start, end]))
      const stored = packer.finish(text, places)
      if (isInLines) expect(trimmed(decode(stored, null))).toEqual(trimmed(analyze(text)))
      for (const { piece, at } of places) {
        const from = text.length <= WINDOW_CHARS ? 0 : at
        expect(trimmed(decode(stored, piece))).toEqual(
          trimmed(analyze(text.slice(from, from + WINDOW_CHARS))),
        )
      }
    }),
    { numRuns: 300 },
  )
})

it('lets the caller add the words of a line, where it is not too long', () => {
  const text = `maxTokens of a lease\n${'word '.repeat(200)}`
  const terms = new TermBatchBuilder()
  const packer = new WordPacker(terms)
  const counted: string[] = []
  const read: boolean[] = []
  const add: TermSink = (term, whole) => {
    counted.push(term)
    packer.add(term, terms.idOf(term), whole)
  }
  eachLine(text, [0, text.length], (start, end) => read.push(packer.readLine(text, [start, end], add)))
  expect(read).toEqual([true, false])
  expect(counted).toEqual(['max', 'token', 'maxtoken', 'of', 'a', 'leas'])
  expect(trimmed(decode(packer.finish(text, [{ piece: 0, at: 0 }]), 0))).toEqual(trimmed(analyze(text)))
})

it('knows a table of contents by its links', () => {
  const isContents = (text: string): boolean =>
    storedWords(new WordPacker(new TermBatchBuilder()).finish(text, [{ piece: 0, at: 0 }])).window(0)
      .isContents
  const text = ['- [A](#a)', '- [B](#b)', '  - [C](#c)', '- [D](#d)'].join('\n')
  expect(isContents(text)).toBe(true)
  expect(isContents(`${text}\n\nProse.\n\nMore prose.\n\nAnd more.`)).toBe(false)
})

it('tells a compound from the word that is written like it, and hardly any two words are alike', () => {
  expect(wordKey('maxtoken', true)).not.toBe(wordKey('maxtoken', false))
  const words = Array.from({ length: 100_000 }, (_, at) => `${at.toString(36)}word${at % 97}`)
  // 100,000² / 2³² pairs of 31 bits are 2.3 by chance.
  expect(words.length - new Set(words.map((word) => wordKey(word, false))).size).toBeLessThan(12)
})

it('reads words at any place of a buffer', () => {
  const packed = new WordPacker(new TermBatchBuilder()).finish('a lease of a node', [{ piece: 0, at: 0 }])
  const buffer = new Uint8Array(packed.length + 1)
  buffer.set(packed, 1)
  expect(storedWords(buffer.subarray(1)).all()).toEqual(storedWords(packed).all())
})

it('holds nothing for a blank section', () => {
  expect(storedWords(new Uint8Array()).window(0)).toMatchObject({
    keys: new Int32Array(),
    isContents: false,
  })
})
