// Which decision ids does a text name? ADR-013, ADR 13, EIP1559: letters of a known family, one separator, digits.

/** Families that need no configuration. */
export const knownFamilies: readonly string[] = ['ADR', 'RFC', 'PEP', 'EIP', 'KEP']

export interface FoundId {
  /** As written. */
  readonly text: string
  readonly at: number
}

const maxDigits = 4
const maxLetters = 16

/**
 * Finds ids in plain text in one pass: `findIds('see ADR 13', new Set(['adr']))` has one. Prefixes are lower case.
 * One digit is reported too: whether it counts depends on the files of the corpus. `_` bounds a word here, because
 * it may be emphasis. An id inside a bare URL is part of that URL.
 */
export function findIds(text: string, prefixes: ReadonlySet<string>): FoundId[] {
  const found: FoundId[] = []
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at))) continue
    const first = at
    while (isDigit(text.charCodeAt(at + 1))) at++
    const id = first === 0 || at - first >= maxDigits ? null : idAround(text, first, at + 1, prefixes)
    if (id !== null) found.push(id)
  }
  return found
}

function idAround(text: string, first: number, end: number, prefixes: ReadonlySet<string>): FoundId | null {
  const before = text.charCodeAt(first - 1)
  const lettersEnd = before === 32 || before === 45 || before === 95 ? first - 1 : first
  let start = lettersEnd
  const limit = Math.max(0, lettersEnd - maxLetters)
  while (start > limit && isLetter(text.charCodeAt(start - 1))) start--
  if (start === lettersEnd || !prefixes.has(text.slice(start, lettersEnd).toLowerCase())) return null
  if (isWordChar(text, start - 1) || isWordChar(text, end) || isInsideUrl(text, start)) return null
  return { text: text.slice(start, end), at: start }
}

/** Is this a part of the same word? Latin letters and digits are; scripts without blanks between words are not. */
function isWordChar(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isLetter(code) || isDigit(code) || (code >= 0xc0 && code <= 0x24f)
}

/** Looks back over the characters without a blank; a longer run than this is no URL that a person wrote. */
function isInsideUrl(text: string, start: number): boolean {
  for (let at = start - 1; at > start - 300 && text.charCodeAt(at) > 32; at--)
    if (text.charCodeAt(at) === 58 && text.startsWith('://', at)) return true
  return false
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
