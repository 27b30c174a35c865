// Which index terms are in this text? Stemmed words, the parts of identifiers, and whole identifiers.
import { stemRussian } from './stem-russian.ts'
import { stemWord } from './stem-word.ts'

/** Called for every term in order; `whole` marks a compound that repeats words already given (it adds no length). */
export type TermSink = (term: string, whole: boolean) => void

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
  let term = knownTerms.get(word)
  if (term === undefined) {
    term = makeTerm(word)
    if (knownTerms.size >= KNOWN_TERMS) knownTerms.clear()
    knownTerms.set(word, term)
  }
  return term
}

/** The terms of words, because a text repeats its words; above the limit the table starts over. */
const knownTerms = new Map<string, string>()
const KNOWN_TERMS = 1 << 16

function makeTerm(word: string): string {
  const lower = word.toLowerCase()
  if (!/[^\x00-\x7f]/.test(lower)) return /^[a-z]+$/.test(lower) ? stemWord(lower) : lower
  const composed = lower.normalize('NFC')
  const stem = /^[а-яё]+$/.test(composed) ? stemRussian(composed) : composed
  const term = stem.normalize('NFKD').replace(/[\u0300-\u036f\s]/g, '')
  return /^[a-z]+$/.test(term) ? stemWord(term) : term
}

/** `_`, `-`, `.` between word characters join the parts of one identifier; so does a change of case. */
const isJoiner = (code: number): boolean => code === 95 || code === 45 || code === 46

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
  if (classOf(text.charCodeAt(at)) !== UPPER) return false
  if (before === LOWER || before === DIGIT) return true
  return before === UPPER && at + 1 < end && classOf(text.charCodeAt(at + 1)) === LOWER
}

/** Where `starts` are given, words that start otherwise are passed over: a term keeps two letters of its word, or has i for y. */
function emitWord(word: string, whole: boolean, sink: TermSink, starts: Uint8Array | undefined): void {
  const [first, second] = [word.charCodeAt(0), word.charCodeAt(1)]
  if (starts !== undefined && (first | second) < 128 && starts[(first << 7) | second] === 0) return
  const term = termOf(word)
  if (term !== '') sink(term, whole)
}

function emitIdentifier(text: string, span: readonly number[], sink: TermSink, starts?: Uint8Array): void {
  const [from = 0, end = 0] = span
  let partStart = from
  let parts = 0
  let bare = ''
  const emitPart = (stop: number): void => {
    if (stop === partStart) return
    parts++
    if (stop - partStart > MAX_WORD) return
    emitWord(text.slice(partStart, stop), false, sink, starts)
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
  emitWord(bare, true, sink, starts)
}

function emitDense(text: string, from: number, to: number, sink: TermSink): number {
  let end = from
  while (end < to && classOf(text.charCodeAt(end)) === DENSE) end++
  if (end - from === 1) sink(text[from] as string, false)
  for (let at = from; at + 1 < end; at++) sink(text.slice(at, at + 2), false)
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

/** Bits of a letter in upper case; the letters that a second letter i may have been. */
const UPPER_CASE = 95
const iAndY = [73, 105, 89, 121]

/** By the codes of two ASCII characters: may a word that starts with them have one of these terms? */
export function startsOf(terms: Iterable<string>): Uint8Array {
  const starts = new Uint8Array(1 << 14)
  for (const term of terms) {
    const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)]
    for (const row of [first << 7, (first & UPPER_CASE) << 7])
      if (term.length === 1) starts.fill(1, row, row + 128)
      else for (const code of second === 105 ? iAndY : [second, second & UPPER_CASE]) starts[row | code] = 1
  }
  return starts
}

/** The terms of a text in order; without compounds that repeat their parts if `whole` is false. */
export function termsIn(text: string, { whole = true }: { readonly whole?: boolean } = {}): string[] {
  const terms: string[] = []
  analyzeWords(text, (term, isWhole) => {
    if (whole || !isWhole) terms.push(term)
  })
  return terms
}

/** Passes the index terms of text[from, to) to the sink, in order and in linear time; with `starts`, not those without one. */
export function analyzeWords(
  text: string,
  sink: TermSink,
  from: number = 0,
  to: number = text.length,
  starts?: Uint8Array,
): void {
  let at = from
  while (at < to) {
    const kind = classOf(text.charCodeAt(at))
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
      // Letters of the table without a call for each, then any others.
      while (end < to && classes[text.charCodeAt(end)] === LOWER) end++
      while (end < to && classOf(text.charCodeAt(end)) === LOWER) end++
      if (end - at <= MAX_WORD && isPlainEnd(text, end, to)) {
        emitWord(text.slice(at, end), false, sink, starts)
        at = end
        continue
      }
    }
    end = endOfIdentifier(text, at, to)
    emitIdentifier(text, [at, end], sink, starts)
    at = end
  }
}
