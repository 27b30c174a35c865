// How are names in code normalized? Dotted and without blanks, whatever separator the language uses.
import { cutText } from '../slug.ts'

const maxNameChars = 200

/** `a . b?.c` and `a::b` become `a.b.c` and `a.b`; null for anything other than names and dots. */
export function dottedName(written: string): string | null {
  if (written.length === 0 || written.length > maxNameChars) return null
  if (isDotted(written)) return written
  const joined = written
    .replaceAll('super()', 'super')
    .replaceAll(/\?\.|::|->|\\/g, '.')
    .replace(/^\./, '')
    .split(/\s+/)
    .join('')
  return isDotted(joined) ? joined : null
}

/** Word characters of any script, `$` and `#`, with single dots between them; at the end `?`, `!` or `=`, as in Ruby. */
function isDotted(text: string): boolean {
  let afterDot = true
  const end = text.length - ('?!='.includes(text.charAt(text.length - 1)) ? 1 : 0)
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 46) {
      if (afterDot) return false
      afterDot = true
    } else if (!isNameCode(code)) return false
    else afterDot = false
  }
  return !afterDot
}

function isNameCode(code: number): boolean {
  if (code >= 97 && code <= 122) return true
  if (code >= 48 && code <= 57) return true
  return (code >= 65 && code <= 90) || code === 95 || code === 36 || code === 35 || code > 127
}

export const isWordCharacter = (char: string | undefined): boolean =>
  char !== undefined && /[\p{L}\p{N}_$]/u.test(char)

/** Offset of the first occurrence as a whole word, or -1; a section with an empty heading has no name. */
export function findWord(text: string, word: string): number {
  for (let at = word === '' ? -1 : text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return at
  return -1
}

/** The text inside quotes, angle brackets or nothing. */
export function unquote(written: string): string {
  const first = written.charAt(0)
  const last = written.charAt(written.length - 1)
  if (written.length < 2) return written
  const quoted = (first === '"' || first === "'" || first === '`') && last === first
  // `<=>` is a function name.
  const isAngled = first === '<' && last === '>' && written.length > 3
  return quoted || isAngled ? written.slice(1, -1) : written
}

/** The name inside a type such as `*Server[T]` or `&mut Server<T>`. */
export const plainName = (written: string): string =>
  /[\p{L}_$][\p{L}\p{N}_$]*(?=[^\p{L}\p{N}_$]*(?:[<[(]|$))/u.exec(written.slice(0, maxNameChars))?.[0] ?? ''

/** Makes a name valid in a canonical id: without `#` and blanks, not empty, limited. */
export function idPart(name: string): string {
  const kept = cutText(name.replace(/[#\s]+/g, ''), 120)
  return kept === '' ? 'unnamed' : kept
}
