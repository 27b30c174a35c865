// Which text do these bytes hold? UTF-8, UTF-16 with a byte order mark, or Windows-1252; anything else is binary.
import { isUtf8 } from 'node:buffer'

type DecodedText = { readonly text: string } | { readonly binary: string }

/** Bytes searched for a NUL, as in git. */
const NUL_WINDOW = 8192
/** A file with at least this share of invalid characters is binary. */
const MAX_INVALID_SHARE = 0.01
const REPLACEMENT = '\ufffd'

/**
 * The text of a file, line by line as in the file; only the byte order mark is removed.
 * The text is well formed and holds no NUL: invalid characters become U+FFFD.
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

/** True for UTF-8 with errors, rather than another encoding: most characters beyond ASCII are valid. */
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

/** Accepts text with a few invalid characters. */
function tidy(raw: string): DecodedText {
  const text = withoutNul(raw.toWellFormed())
  const invalid = countReplacements(text)
  if (invalid > 0 && invalid >= text.length * MAX_INVALID_SHARE)
    return { binary: `${invalid} of ${text.length} characters are not valid text` }

  return { text }
}

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', REPLACEMENT) : text)

function countReplacements(text: string): number {
  let count = 0
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) count++
  return count
}

/** A file with at least this share of control characters is binary. */
const MAX_CONTROL_SHARE = 0.01
/** A file with a larger share of bytes beyond ASCII is in another encoding, or not text. */
const MAX_HIGH_SHARE = 0.3
/** Bytes searched for a declared encoding: Python's cookie, an editor's mark, an HTML head. */
const DECLARATION_WINDOW = 1024
const declaration =
  /(?:coding|charset)[ \t]*[:=][ \t]*["']?(?:iso[-_]?8859[-_]?1|latin[-_]?1|windows[-_]?1252|cp[-_]?1252)(?![\w-])/i

/** Windows-1252 leaves these undefined; the decoder returns control characters of Latin-1 for them. */
const undefinedBytes: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Decodes Windows-1252, one character per byte; null when the bytes are something else. Without a declaration,
 * the text must look western: letters beyond ASCII come alone or in pairs, not in longer runs.
 *
 * @example decodeWestern(Buffer.from([0x63, 0x61, 0x66, 0xe9])) // 'café'
 */
function decodeWestern(bytes: Buffer): string | null {
  const { control, high, inRows } = countBytes(bytes)
  if (bytes.includes(0) || control >= bytes.length * MAX_CONTROL_SHARE) return null
  const looksWestern = high <= bytes.length * MAX_HIGH_SHARE && inRows * 2 <= high
  if (!looksWestern && !isDeclared(bytes)) return null
  return new TextDecoder('windows-1252').decode(bytes).replace(/[\x80-\x9f]/g, '\ufffd')
}

const isDeclared = (bytes: Buffer): boolean =>
  declaration.test(bytes.toString('latin1', 0, DECLARATION_WINDOW))

interface ByteCounts {
  readonly control: number
  /** Beyond ASCII. */
  readonly high: number
  /** Of those, the ones in runs of three or more. */
  readonly inRows: number
}

function countBytes(bytes: Buffer): ByteCounts {
  let control = 0
  let high = 0
  let inRows = 0
  let row = 0
  for (const byte of bytes) {
    if (isControl(byte)) control++
    row = byte < 0x80 ? 0 : row + 1
    if (row === 0) continue
    high++
    if (row >= 3) inRows += row === 3 ? 3 : 1
  }
  return { control, high, inRows }
}

/** Blanks, line ends and the terminal escape count as text. */
function isControl(byte: number): boolean {
  if (byte < 0x20) return (byte < 0x09 || byte > 0x0d) && byte !== 0x1b
  return byte === 0x7f || undefinedBytes.has(byte)
}
