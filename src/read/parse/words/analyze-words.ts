// Which index terms are in this text? Stemmed words, the parts of identifiers, and whole identifiers.
import { stemRussian } from './stem-russian.ts'
import { stemWord } from './stem-word.ts'
import { createTermCache, hashNext, hashOf } from './term-cache.ts'

/**
 * Called for every term in order; `whole` marks a compound that repeats words already given (it adds no length).
 * `word` is a number that this spelling has until the table of words starts over (`WORDS`); -1 for none.
 */
export type TermSink = (term: string, whole: boolean, word: number) => void

const SEPARATOR = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
/** Letters without case, and marks. */
const LETTER = 4
/** Scripts without spaces, and Hangul, whose words end in particles: indexed as pairs of characters. */
const DENSE = 5

export const denseScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u{ac00}-\u{d7a3}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const classes = new Uint8Array(65_536).fill(255)

function classify(code: number): number {
  const char = String.fromCharCode(code)
  if (code >= 0xd800 && code <= 0xdfff) return SEPARATOR
  if (denseScripts.test(char)) return DENSE
  if (/\p{Lu}|\p{Lt}/u.test(char)) return UPPER
  if (/\p{Ll}/u.test(char)) return LOWER
  if (/\p{N}/u.test(char)) return DIGIT
  return /\p{L}|\p{M}/u.test(char) ? LETTER : SEPARATOR
}

function classOf(code: number): number {
  const known = classes[code] as number
  if (known !== 255) return known
  const found = classify(code)
  classes[code] = found
  return found
}

/** Longer words are noise: hashes, encoded data. */
const MAX_WORD = 64
const MAX_COMPOUND_PARTS = 6

/** The index term of one word: lower case, without diacritics, stemmed when all letters are English or all Russian. */
export function termOf(word: string): string {
  if (word.length > MAX_WORD) return makeTerm(word)
  return knownTerms.term(knownTerms.find(word, 0, word.length, hashOf(word, 0, word.length)))
}

function makeTerm(word: string): string {
  const lower = word.toLowerCase()
  if (!/[^\x00-\x7f]/.test(lower)) return /^[a-z]+$/.test(lower) ? stemWord(lower) : lower
  const composed = lower.normalize('NFC')
  const stem = /^[а-яё]+$/.test(composed) ? stemRussian(composed) : composed
  const term = stem.normalize('NFKD').replace(/[\u0300-\u036f\s]/g, '')
  return /^[a-z]+$/.test(term) ? stemWord(term) : term
}

const knownTerms = createTermCache(makeTerm)

/** `_`, `-`, `.` between word characters join the parts of one identifier; so does a change of case. */
function isJoiner(code: number): boolean {
  return code === 95 || code === 45 || code === 46
}

/** Where the identifier that starts at `from` ends: word characters, and single joiners between them. */
function endOfIdentifier(text: string, from: number, to: number): number {
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    const kind = classOf(code)
    if (kind === DENSE) return at
    if (kind !== SEPARATOR) at++
    else if (isJoiner(code) && at + 1 < to) {
      const next = classOf(text.charCodeAt(at + 1))
      if (next === SEPARATOR || next === DENSE) return at
      at++
    } else return at
  }
  return at
}

/** Does a new part start at `at`? After a joiner, at aB, at ABc before B, and never between letters and digits. */
function isPartStart(text: string, at: number, end: number): boolean {
  const before = classOf(text.charCodeAt(at - 1))
  const here = classOf(text.charCodeAt(at))
  if (here !== UPPER) return false
  if (before === LOWER || before === DIGIT) return true
  return before === UPPER && at + 1 < end && classOf(text.charCodeAt(at + 1)) === LOWER
}

function emitWord(text: string, from: number, end: number, hash: number, sink: TermSink): void {
  const word = knownTerms.find(text, from, end, hash)
  const term = knownTerms.term(word)
  if (term !== '') sink(term, false, word)
}

function emitIdentifier(text: string, from: number, end: number, sink: TermSink): void {
  let partStart = from
  let parts = 0
  let bare = ''
  const emitPart = (stop: number): void => {
    if (stop === partStart) return
    parts++
    if (stop - partStart > MAX_WORD) return
    emitWord(text, partStart, stop, hashOf(text, partStart, stop), sink)
  }
  for (let at = from; at < end; at++) {
    const joiner = isJoiner(text.charCodeAt(at))
    if (!joiner && (at === partStart || !isPartStart(text, at, end))) continue
    emitPart(at)
    if (parts <= MAX_COMPOUND_PARTS) bare += text.slice(partStart, at)
    partStart = joiner ? at + 1 : at
  }
  emitPart(end)
  bare += text.slice(partStart, end)
  if (parts < 2 || parts > MAX_COMPOUND_PARTS || bare.length > MAX_WORD) return
  const word = knownTerms.find(bare, 0, bare.length, hashOf(bare, 0, bare.length))
  const whole = knownTerms.term(word)
  if (whole !== '') sink(whole, true, word)
}

function emitDense(text: string, from: number, to: number, sink: TermSink): number {
  let end = from
  while (end < to && classOf(text.charCodeAt(end)) === DENSE) end++
  if (end - from === 1) sink(text[from] as string, false, -1)
  for (let at = from; at + 1 < end; at++) sink(text.slice(at, at + 2), false, -1)
  return end
}

/** Does the plain word that ends at `at` end there, or does it go on as an identifier? */
function isPlainEnd(text: string, at: number, to: number): boolean {
  if (at === to) return true
  const code = text.charCodeAt(at)
  if (classOf(code) !== SEPARATOR) return false
  if (!isJoiner(code) || at + 1 === to) return true
  const next = classOf(text.charCodeAt(at + 1))
  return next === SEPARATOR || next === DENSE
}

/** Passes every index term of text[from, to) to the sink, in order. Linear in the text's length. */
export function analyzeWords(text: string, sink: TermSink, from: number = 0, to: number = text.length): void {
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    const kind = classOf(code)
    if (kind === SEPARATOR) {
      at++
      continue
    }
    if (kind === DENSE) {
      at = emitDense(text, at, to, sink)
      continue
    }
    // A plain word is one letter of any case, then lower-case ones. Nearly all words of prose are: one pass for each.
    let end = at + 1
    if (kind === LOWER || kind === UPPER) {
      let hash = hashNext(0, code)
      for (; end < to; end++) {
        const next = text.charCodeAt(end)
        if (classOf(next) !== LOWER) break
        hash = hashNext(hash, next)
      }
      if (end - at <= MAX_WORD && isPlainEnd(text, end, to)) {
        emitWord(text, at, end, hash, sink)
        at = end
        continue
      }
    }
    end = endOfIdentifier(text, at, to)
    emitIdentifier(text, at, end, sink)
    at = end
  }
}
