// What does BERT's tokeniser see in text that is not plain ASCII? Base letters, and space around single characters.

/** Everything that is not printable ASCII, tab or line end; a text without it needs no cleaning. */
const unusual = /[^\t\n\r -~]/

const dropped = /[\p{C}\p{Mn}\ufffd]/u
const space = /\p{White_Space}/u
const punctuation = /\p{P}/u

/** The blocks of Chinese characters that BERT splits one by one. */
const han: readonly (readonly [first: number, last: number])[] = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
]

/**
 * Accents and control characters are dropped; Chinese characters and punctuation beyond ASCII get a space on
 * either side; letters beyond ASCII become lower case. ASCII letters keep their case, which camelCase needs.
 */
export function cleanText(text: string): string {
  if (!unusual.test(text)) return text
  let clean = ''
  // Decomposed first, so that an accent is a separate character.
  for (const char of text.normalize('NFD')) clean += cleanChar(char)
  return clean
}

/** Cached, because few different characters make up most text beyond ASCII. */
const known = new Map<string, string>()
const knownLimit = 20_000

function cleanChar(char: string): string {
  const code = char.codePointAt(0)!
  if (code >= 32 && code < 127) return char
  const before = known.get(char)
  if (before !== undefined) return before
  const cleaned = judgeChar(char, code)
  if (known.size < knownLimit) known.set(char, cleaned)
  return cleaned
}

function judgeChar(char: string, code: number): string {
  if (char === '\t' || char === '\n' || char === '\r') return ' '
  if (dropped.test(char)) return ''
  if (space.test(char)) return ' '
  const standsAlone = punctuation.test(char) || han.some(([first, last]) => code >= first && code <= last)
  return standsAlone ? ` ${char} ` : char.toLowerCase()
}
