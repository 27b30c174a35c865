// Can this name be shown and stored safely? Control characters, line ends and text direction switches cannot.

/**
 * True for a name with control characters, line or paragraph separators, characters that switch the direction of
 * text, a backslash (a separator elsewhere), or U+FFFD, which stands for bytes that are not UTF-8.
 *
 * @example isUnusualName('a\nb.md') // true
 */
export function isUnusualName(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index)
    if (code >= 0x20 && code < 0x7f && code !== 0x5c) continue
    if (isUnusualCode(code)) return true
  }
  return !name.isWellFormed()
}

function isUnusualCode(code: number): boolean {
  if (code < 0x20 || code === 0x5c) return true
  if (code >= 0x7f && code <= 0x9f) return true
  if (code >= 0x2028 && code <= 0x202e) return true
  return (code >= 0x2066 && code <= 0x2069) || code === 0xfffd
}

/** The name as plain ASCII inside JSON quotes, so that it can be shown on one line. */
export function escapeName(name: string): string {
  return JSON.stringify(name).replace(/[\u007f-\uffff]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
