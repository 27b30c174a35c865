// What is in this archive? Its members by name, inflated one by one within limits that hold for the whole archive.
import { inflateRawSync } from 'node:zlib'
import { UnreadableFormat } from './format.ts'

/** Of one archive: a bomb is refused before it is inflated any further. */
const MOST_MEMBERS = 20_000
const MOST_MEMBER_BYTES = 48 * 1024 * 1024
const MOST_BYTES = 96 * 1024 * 1024

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_LENGTH = 22
const CENTRAL_LENGTH = 46
const LOCAL_LENGTH = 30
/** A comment may follow the end record, no longer than this. */
const LONGEST_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1

interface Member {
  readonly offset: number
  readonly packed: number
  readonly method: number
  readonly flags: number
}

/** The old format of Office, which also wraps files with a password. */
const compoundFile = 0xe011cfd0

/** An archive in memory. Nothing of it is a path of the file system. */
export class Zip {
  readonly #bytes: Buffer
  readonly #members = new Map<string, Member>()
  #left = MOST_BYTES

  /** Throws UnreadableFormat. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (this.#bytes.length >= 4 && this.#bytes.readUInt32LE(0) === compoundFile)
      throw new UnreadableFormat('it is encrypted, or in the format of Office before 2007')
    this.#readDirectory(this.#findEnd())
  }

  /** In the order of the archive. */
  get names(): readonly string[] {
    return [...this.#members.keys()]
  }

  /** The bytes of a member; null when there is none of this name. Throws UnreadableFormat. */
  read(name: string): Buffer | null {
    const member = this.#members.get(name)
    if (member === undefined) return null
    if ((member.flags & ENCRYPTED) !== 0) throw new UnreadableFormat('it is encrypted')
    const packed = this.#packedBytes(member)
    const most = Math.min(MOST_MEMBER_BYTES, this.#left)
    const bytes = member.method === STORED ? packed : inflate(packed, member.method, most)
    this.#left -= bytes.length
    if (bytes.length > most || this.#left <= 0) throw tooMuch()
    return bytes
  }

  /** A member that is UTF-8, or UTF-16 with a byte order mark. */
  text(name: string): string | null {
    const bytes = this.read(name)
    if (bytes === null) return null
    const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
    return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
  }

  #findEnd(): number {
    const bytes = this.#bytes
    const last = bytes.length - END_LENGTH
    for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--)
      if (bytes.readUInt32LE(at) === END) return at
    throw new UnreadableFormat('it is no ZIP archive, or the end of it is missing')
  }

  #readDirectory(end: number): void {
    const bytes = this.#bytes
    const count = bytes.readUInt16LE(end + 10)
    let at = bytes.readUInt32LE(end + 16)
    if (count > MOST_MEMBERS)
      throw new UnreadableFormat(`it holds more than ${MOST_MEMBERS} files`, 'too-large')
    for (let member = 0; member < count; member++) {
      if (at + CENTRAL_LENGTH > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) throw damagedArchive()
      const nameEnd = at + CENTRAL_LENGTH + bytes.readUInt16LE(at + 28)
      const name = bytes.toString('utf8', at + CENTRAL_LENGTH, nameEnd)
      // Of two members of one name the first one counts.
      if (!this.#members.has(name))
        this.#members.set(name, {
          offset: bytes.readUInt32LE(at + 42),
          packed: bytes.readUInt32LE(at + 20),
          method: bytes.readUInt16LE(at + 10),
          flags: bytes.readUInt16LE(at + 8),
        })
      at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
  }

  #packedBytes({ offset, packed }: Member): Buffer {
    const bytes = this.#bytes
    if (offset + LOCAL_LENGTH > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw damagedArchive()
    const start = offset + LOCAL_LENGTH + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    if (start + packed > bytes.length) throw damagedArchive()
    return bytes.subarray(start, start + packed)
  }
}

function inflate(packed: Buffer, method: number, most: number): Buffer {
  if (method !== DEFLATED)
    throw new UnreadableFormat(`it is packed by method ${method}, which nothing here unpacks`)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch() : damagedArchive()
  }
}

function tooMuch(): UnreadableFormat {
  return new UnreadableFormat(`it unpacks to more than ${MOST_BYTES / 1024 / 1024} MB`, 'too-large')
}

function damagedArchive(): UnreadableFormat {
  return new UnreadableFormat('its archive is damaged')
}
