// What is in this archive? Its files one by one, each within its limits; links, devices and ways out end the reading.
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, createGunzip, inflateRaw } from 'node:zlib'
import { ServiceError } from '../errors.ts'
import { checkPath } from './check-path.ts'

export interface ArchiveEntry {
  readonly path: string
  readonly bytes: Uint8Array
  /** As the archive says; null where it says nothing that is sure. */
  readonly modifiedAt: Date | null
}

export interface ArchiveLimits {
  /** Files above it are left out, as they would be from a folder. */
  readonly fileBytes: number
  /** Of everything that comes out, left out or not. */
  readonly totalBytes: number
  /** Also of folders that its files need. */
  readonly entries: number
  /** Folders at the start of each path that are dropped. */
  readonly strip: number
}

const bad = (why: string): ServiceError => new ServiceError('BAD_ARCHIVE', `the archive ${why}`)

/** Counts what was promised and what came; the same for every kind of archive. */
class Counter {
  readonly #limits: ArchiveLimits
  readonly #folders = new Set<string>()
  #bytes = 0
  #entries = 0

  constructor(limits: ArchiveLimits) {
    this.#limits = limits
  }

  addEntry(): void {
    if (++this.#entries > this.#limits.entries) throw bad(`has more than ${this.#limits.entries} entries`)
  }

  addBytes(count: number): void {
    this.#bytes += count
    if (this.#bytes > this.#limits.totalBytes) throw bad(`holds more than ${this.#limits.totalBytes} bytes`)
  }

  /** The path of a document; null for what is none: folders of tools, and what the stripped folders leave empty. */
  pathOf(name: string): string | null {
    const segments = name.replace(/^(?:\.\/)+/, '').split('/')
    if (segments.includes('..') || name.startsWith('/')) throw bad('leads out of its folder')
    const kept = segments.slice(this.#limits.strip)
    if (kept.length === 0 || kept.some((part) => part === '.git' || part === '.yore')) return null
    let path: string
    try {
      path = checkPath(kept.join('/'))
    } catch (cause) {
      throw bad(`holds a path that cannot be a document: ${(cause as Error).message}`)
    }
    this.#addFolders(path)
    return path
  }

  /** Those that are there already have theirs above them there, too. */
  #addFolders(path: string): void {
    const { entries } = this.#limits
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (this.#folders.has(folder)) return
      this.#folders.add(folder)
      if (this.#folders.size > entries) throw bad(`needs more than ${entries} folders`)
    }
  }
}

/** By its first bytes: gzip is a tar, PK a ZIP. */
export async function* readArchive(file: string, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const handle = await open(file, 'r')
  try {
    const start = Buffer.alloc(4)
    await handle.read(start, 0, 4, 0)
    if (start[0] === 0x1f && start[1] === 0x8b) yield* readTar(handle, limits)
    else if (start.readUInt32LE(0) === 0x04034b50) yield* readZip(handle, limits)
    else throw bad('is neither tar.gz nor ZIP')
  } finally {
    await handle.close()
  }
}

const block = 512

/** Takes exact numbers of bytes out of a stream of pieces. */
class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Null at the end; throws when it comes in the middle. */
  async take(count: number): Promise<Buffer | null> {
    const parts = [this.#rest]
    let have = this.#rest.length
    while (have < count) {
      const { value, done } = await this.#pieces.next()
      if (done === true) {
        if (have === 0) return null
        throw bad('is cut off')
      }
      parts.push(Buffer.from(value))
      have += value.length
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts)
    this.#rest = all.subarray(count)
    return all.subarray(0, count)
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 65_536)
      if ((await this.take(Math.min(left, 65_536))) === null) throw bad('is cut off')
  }
}

const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Octal, or binary when the first bit is set. */
function readNumber(bytes: Buffer): number {
  if (((bytes[0] ?? 0) & 0x80) !== 0) return Number(bytes.readBigUInt64BE(bytes.length - 8))
  const text = textOf(bytes).trim()
  if (!/^[0-7]*$/.test(text)) throw bad('is damaged')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

function requireChecksum(header: Buffer): void {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  if (sum !== readNumber(header.subarray(148, 156))) throw bad('is damaged')
}

/** `27 path=some/name\n` and so on. */
function readPax(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const at = line.indexOf('=')
    const space = line.indexOf(' ')
    if (space > 0 && at > space) found.set(line.slice(space + 1, at), line.slice(at + 1))
  }
  return found
}

const longestHeader = 1 << 20

async function* readTar(handle: FileHandle, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const counter = new Counter(limits)
  const gunzip = createGunzip()
  const source = handle.createReadStream({ start: 0, autoClose: false })
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  const reader = new ByteReader(countPieces(gunzip, counter))
  let pax = new Map<string, string>()
  let longName: string | null = null
  try {
    for (;;) {
      const header = await reader.take(block)
      if (header === null || header.every((byte) => byte === 0)) return
      requireChecksum(header)
      const type = String.fromCharCode(header[156] ?? 0)
      const size = Number(pax.get('size') ?? readNumber(header.subarray(124, 136)))
      if (!Number.isSafeInteger(size) || size < 0) throw bad('is damaged')
      const padding = (block - (size % block)) % block
      if (type === 'x' || type === 'g' || type === 'L') {
        if (size > longestHeader) throw bad('is damaged')
        const text = (await reader.take(size))?.toString() ?? ''
        await reader.skip(padding)
        if (type === 'x') pax = readPax(text)
        if (type === 'L') longName = text.replace(/\0+$/, '')
        continue
      }
      const prefix = textOf(header.subarray(345, 500))
      const plain = textOf(header.subarray(0, 100))
      const name = pax.get('path') ?? longName ?? (prefix === '' ? plain : `${prefix}/${plain}`)
      const seconds = Number(pax.get('mtime') ?? readNumber(header.subarray(136, 148)))
      const modifiedAt = new Date(Math.round(seconds * 1000))
      if (Number.isNaN(modifiedAt.getTime())) throw bad('is damaged')
      pax = new Map()
      longName = null
      counter.addEntry()
      if (type === '5') {
        await reader.skip(size + padding)
        continue
      }
      if (type !== '0' && type !== '\0') throw bad('holds a link or a device')
      const path = counter.pathOf(name)
      if (path === null || size > limits.fileBytes) {
        await reader.skip(size + padding)
        continue
      }
      const bytes = Buffer.from((await reader.take(size)) ?? [])
      await reader.skip(padding)
      yield { path, bytes, modifiedAt }
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw bad(`cannot be unpacked: ${(error as Error).message}`)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

async function* countPieces(pieces: AsyncIterable<Uint8Array>, counter: Counter): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    counter.addBytes(piece.length)
    yield piece
  }
}

interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, position)
  if (bytesRead !== length) throw bad('is cut off')
  return bytes
}

const inflate = promisify(inflateRaw) as (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>

const endMark = 0x06054b50
const longestDirectory = 64 << 20

/** The list at the end of the file is what counts; each entry must agree with it and overlap no other. */
async function readDirectory(handle: FileHandle, counter: Counter): Promise<readonly ZipEntry[]> {
  const { size: length } = await handle.stat()
  const tail = await readAt(handle, Math.max(0, length - 65_557), Math.min(length, 65_557))
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (at === -1 || at + 22 > tail.length || tail.readUInt32LE(at) !== endMark) throw bad('has no directory')
  const [count, bytes, start] = [
    tail.readUInt16LE(at + 10),
    tail.readUInt32LE(at + 12),
    tail.readUInt32LE(at + 16),
  ]
  if (count === 0xffff || start === 0xffffffff) throw bad('is a ZIP64, which is not taken')
  if (bytes > longestDirectory || start + bytes > length) throw bad('is damaged')
  const directory = await readAt(handle, start, bytes)
  const entries: ZipEntry[] = []
  let position = 0
  for (let number = 0; number < count; number++) {
    if (position + 46 > directory.length || directory.readUInt32LE(position) !== 0x02014b50)
      throw bad('is damaged')
    counter.addEntry()
    const [nameLength, extra, comment] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(position + field),
    ) as [number, number, number]
    const flags = directory.readUInt16LE(position + 8)
    const mode = directory.readUInt32LE(position + 38) >>> 16
    if ((flags & 1) !== 0) throw bad('is encrypted')
    // Unix's kind of file: only regular files, folders, or none said.
    if (![0, 0o100000, 0o040000].includes(mode & 0o170000)) throw bad('holds a link or a device')
    entries.push({
      name: directory.toString('utf8', position + 46, position + 46 + nameLength),
      method: directory.readUInt16LE(position + 10),
      crc: directory.readUInt32LE(position + 16),
      packed: directory.readUInt32LE(position + 20),
      size: directory.readUInt32LE(position + 24),
      offset: directory.readUInt32LE(position + 42),
    })
    position += 46 + nameLength + extra + comment
  }
  const byPlace = entries.toSorted((a, b) => a.offset - b.offset || (a.name < b.name ? -1 : 1))
  for (const [index, entry] of byPlace.entries())
    if (entry.offset + 30 + entry.packed > (byPlace[index + 1]?.offset ?? start))
      throw bad('has entries that overlap')
  return entries
}

async function* readZip(handle: FileHandle, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const counter = new Counter(limits)
  for (const entry of await readDirectory(handle, counter)) {
    if (entry.name.endsWith('/')) continue
    counter.addBytes(entry.size)
    const path = counter.pathOf(entry.name)
    if (path === null || entry.size > limits.fileBytes) continue
    if (entry.packed > entry.size + entry.size / 8 + 1024) throw bad('holds something else than it says')
    const header = await readAt(handle, entry.offset, 30)
    if (header.readUInt32LE(0) !== 0x04034b50) throw bad('is damaged')
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = await readAt(handle, start, entry.packed)
    yield { path, bytes: await unpack(packed, entry), modifiedAt: null }
  }
}

/** Never more than was promised, whatever the packed bytes say. */
async function unpack(packed: Buffer, { method, size, crc }: ZipEntry): Promise<Uint8Array> {
  if (method !== 0 && method !== 8) throw bad('is packed in a way that is not taken')
  let bytes: Buffer
  try {
    bytes = method === 0 ? packed : await inflate(packed, { maxOutputLength: size + 1 })
  } catch {
    throw bad('holds more than it says, or is damaged')
  }
  if (bytes.length !== size || crc32(bytes) !== crc) throw bad('holds something else than it says')
  return bytes
}
