// Which text do bytes hold that are no UTF-8? Windows-1252, of which Latin-1 is a part, when they say so or look like it.

/** Control characters at this share make a file binary. */
const MAX_CONTROL_SHARE = 0.01
/** More bytes beyond ASCII than this share are another encoding, or no text. */
const MAX_HIGH_SHARE = 0.3
/** Where a file says how it is written: Python's cookie, an editor's mark, the head of a page. */
const DECLARATION_WINDOW = 1024
const declaration =
  /(?:coding|charset)[ \t]*[:=][ \t]*["']?(?:iso[-_]?8859[-_]?1|latin[-_]?1|windows[-_]?1252|cp[-_]?1252)(?![\w-])/i

/** Windows-1252 has no characters for these; the decoder gives the control characters of Latin-1. */
const undefinedBytes: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * The text, one character for each byte, so that no line moves; null when the bytes are something else. Without a
 * declaration they must look western: letters beyond ASCII stand alone or in pairs there, and in rows elsewhere.
 *
 * @example decodeWestern(Buffer.from([0x63, 0x61, 0x66, 0xe9])) // 'café'
 */
export function decodeWestern(bytes: Buffer): string | null {
  const { control, high, inRows } = countBytes(bytes)
  if (bytes.includes(0) || control >= bytes.length * MAX_CONTROL_SHARE) return null
  const looksWestern = high <= bytes.length * MAX_HIGH_SHARE && inRows * 2 <= high
  if (!looksWestern && !isDeclared(bytes)) return null
  return new TextDecoder('windows-1252').decode(bytes).replace(/[\x80-\x9f]/g, '\ufffd')
}

/** Does the file itself say that it is Windows-1252 or Latin-1? */
export function isDeclared(bytes: Buffer): boolean {
  return declaration.test(bytes.toString('latin1', 0, DECLARATION_WINDOW))
}

interface ByteCounts {
  readonly control: number
  /** Beyond ASCII. */
  readonly high: number
  /** Of those, the ones in a row of three or more. */
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

/** Blanks, line ends and the escape of terminals are text. */
function isControl(byte: number): boolean {
  if (byte < 0x20) return (byte < 0x09 || byte > 0x0d) && byte !== 0x1b
  return byte === 0x7f || undefinedBytes.has(byte)
}
