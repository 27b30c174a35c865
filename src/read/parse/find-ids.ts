// Which decision ids does a text name? ADR-013, ADR 13, EIP1559: letters of a known family, one separator, digits.
import { patterns } from './patterns.ts'

/** Families that need no configuration. */
export const knownFamilies: readonly string[] = ['ADR', 'RFC', 'PEP', 'EIP', 'KEP']

interface FoundId {
  /** As written. */
  readonly text: string
  readonly at: number
}

/** Finds the first digit that may end an id; null where no id is looked for. */
export type IdSearch = RegExp | null

const maxDigits = 4
const maxLetters = 16

/**
 * Prepares the search for the known families and those of the configuration; what is not 2 to 16 letters is no prefix.
 * The digit comes first because digits are rarer than letters: ten times faster, and linear, for what is behind it
 * is of bounded length.
 */
export function makeIdSearch(configured: readonly string[]): RegExp {
  const lower = [...knownFamilies, ...configured].map((prefix) => prefix.toLowerCase())
  const names = new Set(lower.filter((prefix) => patterns.idPrefix.test(prefix)))
  return new RegExp(`[0-9](?<=(?<![a-z])(?:${[...names].join('|')})[-_ ]?[0-9])`, 'gi')
}

/** Does a text, as a whole, hold anything like an id? */
export function mayHoldId(text: string, search: RegExp): boolean {
  search.lastIndex = 0
  return search.test(text)
}

/**
 * Finds ids in plain text: `findIds('see ADR 13', makeIdSearch([]))` has one. One digit is reported too: whether it
 * counts depends on the files of the corpus. `_` bounds a word here, because it may be emphasis. An id inside a bare
 * URL is part of that URL.
 */
export function findIds(text: string, search: IdSearch): readonly FoundId[] {
  if (search === null) return none
  search.lastIndex = 0
  if (!search.test(text)) return none
  const found: FoundId[] = []
  const url: UrlState = { end: 0, inside: false }
  do {
    const first = search.lastIndex - 1
    let end = first + 1
    while (isDigit(text.charCodeAt(end))) end++
    const start = lettersStart(text, first)
    if (
      end - first <= maxDigits &&
      !isWordChar(text, start - 1) &&
      !isWordChar(text, end) &&
      !isInsideUrl(text, start, url)
    )
      found.push({ text: text.slice(start, end), at: start })
    search.lastIndex = end
  } while (search.test(text))
  return found
}

const none: readonly FoundId[] = []

function lettersStart(text: string, firstDigit: number): number {
  let start = isLetter(text.charCodeAt(firstDigit - 1)) ? firstDigit : firstDigit - 1
  const limit = start - maxLetters
  while (start > limit && isLetter(text.charCodeAt(start - 1))) start--
  return start
}

/** Is this a part of the same word? Latin letters and digits are; scripts without blanks between words are not. */
function isWordChar(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isLetter(code) || isDigit(code) || (code >= 0xc0 && code <= 0x24f)
}

/** How far the text was looked at, and whether that place is part of an address. */
interface UrlState {
  end: number
  inside: boolean
}

/** Looks back over the characters without a blank, but never twice over the same. */
function isInsideUrl(text: string, start: number, url: UrlState): boolean {
  let inside = false
  let at = start - 1
  while (!inside && at >= url.end && text.charCodeAt(at) > 32) {
    inside = text.charCodeAt(at) === 58 && text.startsWith('://', at)
    at--
  }
  if (at < url.end && !inside) inside = url.inside
  url.end = start
  url.inside = inside
  return inside
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
