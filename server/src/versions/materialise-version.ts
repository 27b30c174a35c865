// How does a version become a file? Fetch missing parts, apply, verify, and only then name the file.
import { createHash } from 'node:crypto'
import { constants, existsSync, readSync } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { commitFile, makeFolder, unfinishedName } from './durable-file.ts'
import { emptyChecksum, formatChecksum, LtxError, type LtxHeader, lockPage, readLtx } from './ltx.ts'
import { readPageFile, rollChange, sumPages } from './page-file.ts'
import { type ObjectStore, StoreError } from './store.ts'
import { type Manifest, type MaterialiseRequest, markOf, type VersionPart } from './version.ts'

export const versionName: RegExp = /^(?:(\d+)-)?[0-9a-f]{64}\.db$/

/** Where the file of a manifest lies; its name begins with the corpus. */
export function versionPath(directory: string, manifest: Manifest): string {
  const corpus = /^corpora\/(\d+)\//.exec(manifest[0]?.key ?? '')?.[1] ?? '0'
  return path.join(directory, `${corpus}-${markOf(manifest)}.db`)
}

/** The bytes of an object; the last piece only if all of them match the part. */
async function* fetchPart(store: ObjectStore, part: VersionPart): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of store.stream(part.key)) {
    size += piece.byteLength
    if (size > part.size) break
    hash.update(piece)
    yield piece
  }
  if (size !== part.size || hash.digest('hex') !== part.sha256)
    throw new StoreError('wrong-checksum', `checksum mismatch in ${part.key}`)
}

/** A file to which parts are applied. Consecutive pages are written together. */
class PageTarget {
  readonly #handle: FileHandle
  readonly #run = Buffer.alloc(1 << 20)
  #runStart = 0
  #runBytes = 0
  /** Size of the database after the last applied part. */
  #size: number
  #checksum: bigint

  constructor(handle: FileHandle, size: number, checksum: bigint) {
    this.#handle = handle
    this.#size = size
    this.#checksum = checksum
  }

  get checksum(): bigint {
    return this.#checksum
  }

  #readPage(pgno: number, pageSize: number): Buffer | null {
    const at = (pgno - 1) * pageSize
    if (at >= this.#size) return null
    const bytes = Buffer.alloc(pageSize)
    // The data is in the page cache: asynchronous reads would take longer.
    if (readSync(this.#handle.fd, bytes, 0, pageSize, at) !== pageSize)
      throw new LtxError('a page is cut off')
    return bytes
  }

  async writePage(pgno: number, bytes: Uint8Array): Promise<void> {
    const at = (pgno - 1) * bytes.byteLength
    // Reading a base has already summed its pages; `finish` takes its result.
    if (this.#size > 0) {
      const before = this.#readPage(pgno, bytes.byteLength)
      this.#checksum = rollChange(this.#checksum, { pgno, before, after: bytes })
    }
    const isNext = at === this.#runStart + this.#runBytes
    if (!isNext || this.#runBytes + bytes.byteLength > this.#run.byteLength) await this.#flush(at)
    this.#run.set(bytes, this.#runBytes)
    this.#runBytes += bytes.byteLength
  }

  async #flush(next: number): Promise<void> {
    for (let at = 0; at < this.#runBytes; ) {
      const { bytesWritten } = await this.#handle.write(
        this.#run,
        at,
        this.#runBytes - at,
        this.#runStart + at,
      )
      at += bytesWritten
    }
    this.#runStart = next
    this.#runBytes = 0
  }

  /** Removes pages beyond the new end from the checksum, which must then match. */
  async finish({ commit, pageSize, minTxid }: LtxHeader, promised: bigint): Promise<boolean> {
    await this.#flush(0)
    if (minTxid === 1) this.#checksum = promised
    for (let pgno = commit + 1; (pgno - 1) * pageSize < this.#size; pgno++) {
      if (pgno === lockPage(pageSize)) continue
      const change = { pgno, before: this.#readPage(pgno, pageSize), after: null }
      this.#checksum = rollChange(this.#checksum, change)
    }
    this.#size = commit * pageSize
    await this.#handle.truncate(this.#size)
    return this.#checksum === promised
  }
}

function checkPart(part: VersionPart, header: LtxHeader, before: bigint): void {
  const isSame = header.minTxid === part.minTxid && header.maxTxid === part.maxTxid
  const isBase = part.kind === 'base' && header.minTxid === 1
  if (!isSame || (!isBase && header.preApplyChecksum !== before))
    throw new LtxError(`${part.key} does not follow the previous part`)
}

async function applyPart(store: ObjectStore, part: VersionPart, target: PageTarget): Promise<void> {
  let header: LtxHeader | null = null
  for await (const event of readLtx(fetchPart(store, part))) {
    if (event.kind === 'header') {
      header = event.header
      checkPart(part, header, target.checksum)
    } else if (event.kind === 'page') await target.writePage(event.pgno, event.bytes)
    else {
      const isRight =
        (await target.finish(header!, event.postApplyChecksum)) &&
        formatChecksum(event.postApplyChecksum) === part.checksum
      if (!isRight) throw new LtxError(`${part.key} does not give the checksum that it states`)
    }
  }
}

/** Files that this process has built or verified since it started. */
const verified = new Set<string>()

/** Does the file exist and match its manifest? Removes a file that does not match. */
async function hasVersion(file: string, manifest: Manifest): Promise<boolean> {
  if (!existsSync(file)) {
    verified.delete(file)
    return false
  }
  if (verified.has(file)) return true
  // Null if it was just evicted.
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return false
  try {
    const checksum = await readPageFile(handle)
      .then(sumPages)
      .catch(() => null)
    if (checksum !== null && formatChecksum(checksum) === manifest.at(-1)!.checksum) {
      verified.add(file)
      return true
    }
  } finally {
    await handle.close()
  }
  await removeVersion(file)
  return false
}

/** Readers that have it open can continue. */
export async function removeVersion(file: string): Promise<void> {
  verified.delete(file)
  await rm(file, { force: true })
}

/** Copies the newest earlier version on disk to `file`; returns its number of parts. */
async function startFrom(manifest: Manifest, directory: string, file: string): Promise<number> {
  for (let parts = manifest.length - 1; parts > 0; parts--) {
    const earlier = manifest.slice(0, parts)
    const place = versionPath(directory, earlier)
    if (!(await hasVersion(place, earlier))) continue
    try {
      await copyFile(place, file, constants.COPYFILE_FICLONE)
      return parts
    } catch (cause) {
      // It was just evicted.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    }
  }
  return 0
}

async function assemble({ manifest, store, directory }: MaterialiseRequest): Promise<string> {
  const target = versionPath(directory, manifest)
  if (await hasVersion(target, manifest)) return target
  await makeFolder(directory)
  const file = unfinishedName(directory)
  try {
    const applied = await startFrom(manifest, directory, file)
    const handle = await open(file, applied === 0 ? 'wx+' : 'r+')
    try {
      const checksum = applied === 0 ? emptyChecksum : BigInt(`0x${manifest[applied - 1]!.checksum}`)
      const pages = new PageTarget(handle, (await handle.stat()).size, checksum)
      for (const part of manifest.slice(applied)) await applyPart(store, part, pages)
    } finally {
      await handle.close()
    }
    await commitFile(file, target)
    verified.add(target)
    return target
  } finally {
    await rm(file, { force: true })
  }
}

const underWay = new Map<string, Promise<string>>()

/**
 * The path of a file that equals the worker's byte for byte. Concurrent calls share the work.
 *
 * @throws StoreError `missing` when a part was deleted meanwhile: read the newest manifest and try again.
 */
export function materialise(request: MaterialiseRequest): Promise<string> {
  if (request.manifest[0]?.kind !== 'base')
    return Promise.reject(new LtxError('a version begins with a base'))
  const target = versionPath(request.directory, request.manifest)
  const started = underWay.get(target)
  if (started !== undefined) return started
  const work = assemble(request).finally(() => underWay.delete(target))
  underWay.set(target, work)
  return work
}

/** Registers a file that was built by other means: the publisher's own. */
export async function adoptVersion(file: string, directory: string, manifest: Manifest): Promise<string> {
  const target = versionPath(directory, manifest)
  await commitFile(file, target)
  verified.add(target)
  return target
}
