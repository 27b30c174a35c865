// What is in this uploaded archive? Its files one by one, within limits; links, devices and paths that leave the archive are refused.
import { type FileHandle, open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Headers } from 'tar-stream'
import { findMachineFault, ServiceError } from '../errors.ts'
import { sizeLimit } from '../yore.ts'
import { checkPath } from './check-path.ts'

export interface ArchiveEntry {
  readonly path: string
  /** Null for a file that is skipped because of its size or its place. */
  readonly bytes: Uint8Array | null
  readonly reason?: string
  readonly modifiedAt: Date
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

/** The path of a document and, if it is skipped, the reason; null for files of git and yore. */
type FindPath = (name: string, size: number) => { readonly path: string; readonly reason?: string } | null

/** Finds paths within the limits of an archive. */
function limitPaths({ strip, fileBytes, entries }: ArchiveLimits): FindPath {
  const seen = new Set<string>()
  const addFolders = (path: string): void => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (seen.has(folder)) return
      seen.add(folder)
      if (seen.size > entries) throw tooLarge(`needs more than ${entries} folders`)
    }
  }
  return (name, size) => {
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
    addFolders(path)
    return { path }
  }
}

/** Reads a tar.gz, which its first bytes tell. */
export async function* readArchive(file: string, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  await using handle = await open(file, 'r')
  const start = Buffer.alloc(4)
  await handle.read(start, 0, 4, 0)
  if (start[0] !== 0x1f || start[1] !== 0x8b) throw bad('is not a tar.gz')
  yield* readTar(handle, limits)
}

/** Not in the library's types: the fields of a pax header, such as times of less than a second. */
interface PaxFields {
  readonly pax?: Readonly<Record<string, string>>
}

async function* readTar(handle: FileHandle, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const { entries: mostEntries, totalBytes } = limits
  const pathOf = limitPaths(limits)
  let [bytesRead, entriesRead] = [0, 0]
  const source = handle.createReadStream({ start: 0, autoClose: false })
  const entries = extract({ allowUnknownFormat: true })
  async function* count(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      bytesRead += piece.length
      if (bytesRead > totalBytes) throw tooLarge(`holds more than ${totalBytes} bytes`)
      yield piece
    }
  }
  let failure: unknown
  const feeding = pipeline(source, createGunzip(), count, entries).catch((error) => {
    failure = error
  })
  try {
    for await (const entry of entries) {
      const { name, type, size = 0, mtime, pax } = entry.header as Headers & PaxFields
      const precise = pax?.['mtime']
      const modifiedAt = precise === undefined ? mtime : new Date(Math.round(Number(precise) * 1000))
      if (modifiedAt === undefined || Number.isNaN(modifiedAt.getTime())) throw bad('is damaged')
      if (++entriesRead > mostEntries) throw tooLarge(`has more than ${mostEntries} entries`)
      if (type !== 'file' && type !== 'directory') throw bad('holds a link or a device')
      const found = type === 'directory' ? null : pathOf(name, size)
      if (found === null || found.reason !== undefined) entry.resume()
      if (found === null) continue
      const bytes = found.reason === undefined ? await buffer(entry) : null
      yield { ...found, bytes, modifiedAt }
    }
    await feeding
    if (failure !== undefined) throw failure
  } catch (error) {
    // What ended the reading comes before what the iterator makes of it.
    const cause = error instanceof ServiceError ? error : ((failure ?? error) as Error)
    if (cause instanceof ServiceError || findMachineFault(cause) !== null) throw cause
    throw /end of (?:data|file)/.test(cause.message)
      ? bad('is cut off')
      : bad(`cannot be unpacked: ${cause.message}`)
  } finally {
    source.destroy()
    entries.destroy()
  }
}
