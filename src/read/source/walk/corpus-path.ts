// Which path of the corpus does an input name, and can it be shown safely? Inputs of users and uploads never lead outside.
import { escapeCharacter } from '../../../model/mark-invisible.ts'

/** PATH_MAX of Linux; no file system takes more. */
const MAX_PATH_LENGTH = 4096
/** NAME_MAX of common file systems, in bytes. */
const MAX_NAME_BYTES = 255

/**
 * An encoded dot, separator or control character, encoded once or more often, or an overlong UTF-8 form of one.
 * No document needs these in its name, and a later decoder would see another path.
 */
const hiddenSeparator = /%(?:25)*(?:2e|2f|5c|7f|[01][0-9a-f]|c[01]|e0%(?:25)*[89]|f0%(?:25)*8)/i
const driveLetter = /^[a-z]:/i

/**
 * The corpus-relative path, with `/` between its parts, that an input names; null when it names nothing inside.
 *
 * @example normalizeCorpusPath('./docs\\guide.md') // 'docs/guide.md'
 * @example normalizeCorpusPath('docs/../../x') // null
 */
export function normalizeCorpusPath(input: string): string | null {
  if (input.length > MAX_PATH_LENGTH) return null
  const slashed = input.replaceAll('\\', '/')
  if (slashed.startsWith('/')) return null
  if (isUnusualName(slashed) || hiddenSeparator.test(slashed)) return null

  const kept: string[] = []
  for (const segment of slashed.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      if (kept.pop() === undefined) return null
    } else if (isHarmlessSegment(segment)) kept.push(segment)
    else return null
  }
  // A shell or an installer may read `~` as the home folder.
  return kept.length === 0 || kept[0] === '~' ? null : kept.join('/')
}

function isHarmlessSegment(segment: string): boolean {
  if (Buffer.byteLength(segment) > MAX_NAME_BYTES) return false
  if (driveLetter.test(segment)) return false
  // `file:` opens a URL, `name:$DATA` and `name::$DATA` open streams of a file on Windows.
  if (segment.endsWith(':') || /:\$[a-z_]*$/i.test(segment)) return false
  return !hidesParent(segment)
}

function withoutTrailingDots(segment: string): string {
  let end = segment.length
  while (segment[end - 1] === '.' || segment[end - 1] === ' ') end--
  return segment.slice(0, end)
}

/**
 * Full-width and other compatibility forms of `..` and `/` become plain when text is normalised, and
 * Windows drops dots and spaces at the end of a name: `.. ` would become `..` there.
 */
function hidesParent(segment: string): boolean {
  const parts = segment.normalize('NFKC').split(/[/\\]/)
  return parts.some((part) => withoutTrailingDots(part) === '')
}

/**
 * True for a name with control characters, line or paragraph separators, characters that switch the direction of
 * text, a backslash (a separator elsewhere), or U+FFFD, which replaces bytes that are not UTF-8.
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
export const escapeName = (name: string): string =>
  JSON.stringify(name).replace(/[\u007f-\uffff]/g, escapeCharacter)
