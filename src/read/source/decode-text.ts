// Which text do these bytes hold? UTF-8, UTF-16 with a byte order mark, or Windows-1252; anything else is binary.
import { isUtf8 } from 'node:buffer'
import { decodeWestern, isDeclared } from './decode-western.ts'

type DecodedText = { readonly text: string } | { readonly binary: string }

/** Where a NUL byte is looked for: as far as git looks. */
const NUL_WINDOW = 8192
/** At this share of characters that are no text, the file is taken for binary. */
const MAX_INVALID_SHARE = 0.01
const REPLACEMENT = '\ufffd'

/**
 * The text of a file. Each line of it is a line of the file: nothing is added, removed or joined but the byte order
 * mark. The text is well formed and holds no NUL: what cannot be kept is U+FFFD.
 *
 * @example decodeText(Buffer.from('\ufeffHello')) // { text: 'Hello' }
 */
export function decodeText(bytes: Buffer): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return tidy(decodeUtf16(bytes.subarray(2)))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return tidy(decodeUtf16(swapped(bytes.subarray(2))))
  if (bytes.subarray(0, NUL_WINDOW).includes(0)) return { binary: 'a NUL byte near its start' }

  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const body = marked ? bytes.subarray(3) : bytes
  const text = body.toString('utf8')
  if (isUtf8(body)) return { text: withoutNul(text) }
  const western = marked || (isDamaged(text) && !isDeclared(bytes)) ? null : decodeWestern(bytes)
  return western === null ? tidy(text) : { text: western }
}

/** UTF-8 with faults, rather than another encoding: most of what is not ASCII is valid. */
function isDamaged(text: string): boolean {
  let valid = 0
  let invalid = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) invalid++
    else if (code > 0x7f) valid++
  }
  return valid >= invalid
}

function decodeUtf16(littleEndian: Buffer): string {
  const even = littleEndian.length & ~1
  const text = littleEndian.toString('utf16le', 0, even)
  return even === littleEndian.length ? text : text + REPLACEMENT
}

function swapped(bytes: Buffer): Buffer {
  const even = bytes.length & ~1
  const copy = Buffer.from(bytes)
  copy.subarray(0, even).swap16()
  return copy
}

/** Text that may hold invalid parts: kept while they are few. */
function tidy(raw: string): DecodedText {
  const text = withoutNul(raw.toWellFormed())
  const invalid = countReplacements(text)
  if (invalid > 0 && invalid >= text.length * MAX_INVALID_SHARE) {
    return { binary: `${invalid} of ${text.length} characters are not valid text` }
  }
  return { text }
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', REPLACEMENT) : text
}

function countReplacements(text: string): number {
  let count = 0
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) count++
  return count
}
