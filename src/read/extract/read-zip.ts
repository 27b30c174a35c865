// What is in this ZIP archive? Its entries and their bytes, within limits; an archive that contradicts itself is refused.
import { crc32, inflateRawSync } from 'node:zlib'
import { UnreadableFormat } from './format.ts'

interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  /** Unpacked, as the archive's directory says. */
  readonly size: number
  readonly offset: number
}

const endMark = 0x06054b50
const endBytes = 22
/** The longest comment after the end record. */
const maxCommentBytes = 0xffff
const centralMark = 0x02014b50
const centralBytes = 46
const localMark = 0x04034b50
const localBytes = 30
const maxDirectoryBytes = 64 << 20
const stored = 0
const deflated = 8

/** Limits on a document that is a ZIP archive. */
const maxEntries = 20_000
const maxEntryBytes = 48 * 1024 * 1024
const maxBytes = 96 * 1024 * 1024

const damaged = (): UnreadableFormat => new UnreadableFormat('it is damaged')

/** The entries of an archive, in the order of its directory. Throws UnreadableFormat. */
function listZip(archive: Buffer): ZipEntry[] {
  const { length } = archive
  const tail = archive.subarray(Math.max(0, length - endBytes - maxCommentBytes))
  let end = tail.length - endBytes
  while (end >= 0 && tail.readUInt32LE(end) !== endMark) end--
  if (end < 0) throw new UnreadableFormat('it is not a ZIP archive, or its end is missing')
  const count = tail.readUInt16LE(end + 10)
  const bytes = tail.readUInt32LE(end + 12)
  const start = tail.readUInt32LE(end + 16)
  if (count === 0xffff || start === 0xffffffff)
    throw new UnreadableFormat('it is ZIP64, which is not supported')
  if (count > maxEntries) throw new UnreadableFormat(`it has more than ${maxEntries} entries`, 'too-large')
  if (bytes > maxDirectoryBytes || start + bytes > length) throw damaged()
  const entries = readDirectory(archive.subarray(start, start + bytes), count)
  const byOffset = entries.toSorted((a, b) => a.offset - b.offset)
  for (const [index, { offset, packed }] of byOffset.entries())
    if (offset + localBytes + packed > (byOffset[index + 1]?.offset ?? start))
      throw new UnreadableFormat('it has entries that overlap')
  return entries
}

function readDirectory(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = 0
  for (let number = 0; number < count; number++) {
    if (at + centralBytes > directory.length || directory.readUInt32LE(at) !== centralMark) throw damaged()
    const nameEnd = at + centralBytes + directory.readUInt16LE(at + 28)
    const fileType = (directory.readUInt32LE(at + 38) >>> 16) & 0o170000
    if ((directory.readUInt16LE(at + 8) & 1) !== 0) throw new UnreadableFormat('it is encrypted')
    // By Unix mode: regular files, folders, or entries without a mode.
    if (![0, 0o100000, 0o040000].includes(fileType)) throw new UnreadableFormat('it holds a link or a device')
    entries.push({
      name: directory.toString('utf8', at + centralBytes, nameEnd),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    })
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** The bytes of an entry, exactly as many as its size. Throws UnreadableFormat. */
function unpackEntry(archive: Buffer, { method, crc, packed, size, offset }: ZipEntry): Buffer {
  if (packed > size + size / 8 + 1024) throw new UnreadableFormat('it holds something else than it says')
  const header = part(archive, offset, localBytes)
  if (header.readUInt32LE(0) !== localMark) throw damaged()
  const start = offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  const bytes = inflate(part(archive, start, packed), method, size)
  if (bytes.length !== size || crc32(bytes) !== crc)
    throw new UnreadableFormat('it holds something else than it says')
  return bytes
}

function part(archive: Buffer, from: number, length: number): Buffer {
  if (from + length > archive.length) throw damaged()
  return archive.subarray(from, from + length)
}

function inflate(packed: Buffer, method: number, size: number): Buffer {
  if (method === stored) return packed
  if (method !== deflated)
    throw new UnreadableFormat(`it uses compression method ${method}, which is not supported`)
  try {
    return inflateRawSync(packed, { maxOutputLength: size + 1 })
  } catch {
    throw new UnreadableFormat('it holds more than it says, or is damaged')
  }
}

/** The old Office format, which also wraps encrypted files. */
const compoundFile = 0xe011cfd0

export type Zip = ReturnType<typeof openZip>

/** A document that is a ZIP archive, in memory. Its names are never paths of the file system. Throws UnreadableFormat. */
export function openZip(bytes: Uint8Array) {
  const entries = new Map<string, ZipEntry>()
  let left = maxBytes
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (archive.length >= 4 && archive.readUInt32LE(0) === compoundFile)
    throw new UnreadableFormat('it is encrypted, or in the format of Office before 2007')
  // The first of several entries with one name counts.
  for (const entry of listZip(archive)) if (!entries.has(entry.name)) entries.set(entry.name, entry)

  /** The bytes of an entry; null when there is none of this name. Throws UnreadableFormat. */
  function read(name: string): Buffer | null {
    const entry = entries.get(name)
    if (entry === undefined) return null
    left -= entry.size
    if (entry.size > maxEntryBytes || left < 0)
      throw new UnreadableFormat(`it unpacks to more than ${maxBytes / 1024 / 1024} MB`, 'too-large')
    return unpackEntry(archive, entry)
  }

  /** An entry in UTF-8, or in UTF-16 with a byte order mark. */
  function text(name: string): string | null {
    const bytes = read(name)
    if (bytes === null) return null
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
  }

  return { read, text }
}
