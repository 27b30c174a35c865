// What is in this uploaded archive? Its files one by one, within limits; links, devices and paths that leave the archive are refused.
import { fstatSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { findMachineFault, ServiceError } from '../errors.ts'
import { ByteQueue } from '../versions/byte-queue.ts'
import { listZip, sizeLimit, unpackEntry, ZipFault } from '../yore.ts'
import { checkPath } from './check-path.ts'

export interface ArchiveEntry {
  readonly path: string
  /** Null for a file that is skipped because of its size or its place. */
  readonly bytes: Uint8Array | null
  readonly reason?: string
  /** Null for a ZIP, whose times have no zone. */
  readonly modifiedAt: Date | null
}

export interface ArchiveLimits {
  /** Larger files are skipped. */
  readonly fileBytes: number
  /** Of all unpacked files, skipped ones included. */
  readonly totalBytes: number
  /** Also limits the folders that the files need. */
  readonly entries: number
  /** Number of leading folders to drop from each path. */
  readonly strip: number
}

const bad = (why: string): ServiceError => new ServiceError('BAD_ARCHIVE', `the archive ${why}`)
const tooLarge = (why: string): ServiceError => new ServiceError('TOO_LARGE', `the archive ${why}`)

/** Enforces the limits of an archive of either kind. */
class Counter {
  readonly #limits: ArchiveLimits
  readonly #folders = new Set<string>()
  #bytes = 0
  #entries = 0

  constructor(limits: ArchiveLimits) {
    this.#limits = limits
  }

  addEntry(): void {
    if (++this.#entries > this.#limits.entries)
      throw tooLarge(`has more than ${this.#limits.entries} entries`)
  }

  addBytes(count: number): void {
    this.#bytes += count
    const { totalBytes } = this.#limits
    if (this.#bytes > totalBytes) throw tooLarge(`holds more than ${totalBytes} bytes`)
  }

  /** The path of a document and, if it is skipped, the reason; null for files of git and yore. */
  pathOf(name: string, size: number): { readonly path: string; readonly reason?: string } | null {
    const { strip, fileBytes } = this.#limits
    const segments = name.replace(/^(?:\.\/)+/, '').split('/')
    if (segments.includes('..') || name.startsWith('/')) throw bad('has a path that leaves its folder')
    const isAbove = segments.length <= strip
    const kept = isAbove ? segments : segments.slice(strip)
    if (kept.some((part) => part === '.git' || part === '.yore')) return null
    let path: string
    try {
      path = checkPath(kept.join('/'))
    } catch (cause) {
      throw bad(`holds a path that cannot be a document: ${(cause as Error).message}`)
    }
    if (isAbove)
      return { path, reason: `it is not below the ${strip} stripped ${strip === 1 ? 'folder' : 'folders'}` }
    const most = sizeLimit(path, fileBytes)
    if (size > most) return { path, reason: `larger than ${Math.round(most / 2 ** 20)} MB` }
    this.#addFolders(path)
    return { path }
  }

  #addFolders(path: string): void {
    const { entries } = this.#limits
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (this.#folders.has(folder)) return
      this.#folders.add(folder)
      if (this.#folders.size > entries) throw tooLarge(`needs more than ${entries} folders`)
    }
  }
}

/** Its first bytes tell the kind: a gzip is a tar, PK a ZIP. */
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
  const reader = new ByteQueue(countPieces(gunzip, counter), () => bad('is cut off'))
  let pax = new Map<string, string>()
  let longName: string | null = null
  try {
    for (;;) {
      const header = await reader.tryTake(block)
      if (header === null || header.every((byte) => byte === 0)) return
      requireChecksum(header)
      const type = String.fromCharCode(header[156] ?? 0)
      const size = Number(pax.get('size') ?? readNumber(header.subarray(124, 136)))
      if (!Number.isSafeInteger(size) || size < 0) throw bad('is damaged')
      const padding = (block - (size % block)) % block
      if (type === 'x' || type === 'g' || type === 'L') {
        if (size > longestHeader) throw bad('is damaged')
        const text = (await reader.take(size)).toString()
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
      const found = counter.pathOf(name, size)
      if (found === null || found.reason !== undefined) {
        await reader.skip(size + padding)
        if (found !== null) yield { ...found, bytes: null, modifiedAt }
        continue
      }
      const bytes = Buffer.from(await reader.take(size))
      await reader.skip(padding)
      yield { ...found, bytes, modifiedAt }
    }
  } catch (error) {
    if (error instanceof ServiceError || findMachineFault(error) !== null) throw error
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

/** A plain ZIP cannot have more. */
const mostZipEntries = 65_535

function* readZip({ fd }: FileHandle, limits: ArchiveLimits): Generator<ArchiveEntry> {
  const counter = new Counter(limits)
  const read = (position: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length)
    if (readSync(fd, bytes, 0, length, position) !== length) throw bad('is cut off')
    return bytes
  }
  try {
    for (const entry of listZip(read, fstatSync(fd).size, mostZipEntries)) {
      counter.addEntry()
      if (entry.name.endsWith('/')) continue
      counter.addBytes(entry.size)
      const found = counter.pathOf(entry.name, entry.size)
      if (found === null) continue
      yield {
        ...found,
        bytes: found.reason === undefined ? unpackEntry(read, entry) : null,
        modifiedAt: null,
      }
    }
  } catch (error) {
    throw error instanceof ZipFault ? bad(error.message) : error
  }
}
