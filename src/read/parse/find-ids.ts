// Which decision ids does a text name? ADR-013, ADR 13, EIP1559: known letters, one separator, digits.
import { patterns } from './patterns.ts'

/** Families that need no configuration. */
export const knownFamilies: readonly string[] = ['ADR', 'RFC', 'PEP', 'EIP', 'KEP']

interface FoundId {
  /** As written. */
  readonly text: string
  readonly at: number
}

/** Finds the first digit that may end an id; null if no ids are searched for. */
export type IdSearch = RegExp | null

const maxDigits = 4
const maxLetters = 16

/**
 * Prepares the search for the known and configured prefixes; a prefix has 2 to 16 letters.
 * The search starts at digits, which are rarer than letters: ten times faster, and linear, because the text before
 * a digit is limited.
 */
export function makeIdSearch(configured: readonly string[]): RegExp {
  const lower = [...knownFamilies, ...configured].map((prefix) => prefix.toLowerCase())
  const names = new Set(lower.filter((prefix) => patterns.idPrefix.test(prefix)))
  return new RegExp(`[0-9](?<=(?<![a-z])(?:${[...names].join('|')})[-_ ]?[0-9])`, 'gi')
}

/** Does a text contain anything like an id? */
export function mayHoldId(text: string, search: RegExp): boolean {
  search.lastIndex = 0
  return search.test(text)
}

/**
 * Finds ids in plain text: `findIds('see ADR 13', makeIdSearch([]))` has one. Single digits are reported, too: whether
 * they count depends on the files of the corpus. `_` ends a word here, because it may be emphasis. An id inside a bare
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
    const isWhole = !isWordChar(text, start - 1) && !isWordChar(text, end)
    if (end - first <= maxDigits && isWhole && !isInsideUrl(text, start, url))
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

/** Is this part of the same word? Latin letters and digits are; scripts without spaces are not. */
function isWordChar(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isLetter(code) || isDigit(code) || (code >= 0xc0 && code <= 0x24f)
}

/** How far the text was searched, and whether that position is in a URL. */
interface UrlState {
  end: number
  inside: boolean
}

/** Searches back to a blank, but never twice over the same text. */
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

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
