// How does a worker's file become a version? The pages that changed since the last one become an immutable object.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { copyDatabase } from './copy-database.ts'
import { makeFolder, sweepUnfinished, unfinishedName } from './durable-file.ts'
import { emptyChecksum, formatChecksum, LtxError, type LtxHeader, writeLtx } from './ltx.ts'
import { adoptVersion, materialise, removeVersion, versionName } from './materialise-version.ts'
import { comparePages, type PageFile, readPageFile, rollChange } from './page-file.ts'
import {
  allowsDelta,
  extendManifest,
  type Manifest,
  type MaterialiseRequest,
  markOf,
  type PublishRequest,
  partKey,
  type VersionPart,
} from './version.ts'

const pieceBytes = 1 << 20

/** An object in a file, before it has a key. */
interface Encoded {
  readonly header: LtxHeader
  readonly sha256: string
  readonly size: number
  readonly pages: number
  readonly checksum: bigint
}

/** Appends to a file in large pieces and hashes them. */
class HashedFile {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  #held: Uint8Array[] = []
  #heldBytes = 0
  #size = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#held.push(bytes)
    this.#heldBytes += bytes.byteLength
    if (this.#heldBytes >= pieceBytes) await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#held)
    this.#hash.update(bytes)
    this.#size += bytes.byteLength
    this.#held = []
    this.#heldBytes = 0
    await this.#handle.writeFile(bytes)
  }

  async end(): Promise<{ readonly sha256: string; readonly size: number }> {
    await this.#flush()
    return { sha256: this.#hash.digest('hex'), size: this.#size }
  }
}

/** Writes the pages of `after` that differ from `before`; without `before`, all of them. */
async function encode(
  file: string,
  header: LtxHeader,
  before: PageFile | null,
  after: PageFile,
): Promise<Encoded> {
  const handle = await open(file, 'w')
  try {
    const target = new HashedFile(handle)
    const writer = writeLtx(header)
    await target.append(writer.head)
    let checksum = before === null ? emptyChecksum : header.preApplyChecksum
    let pages = 0
    for await (const change of comparePages(before, after)) {
      checksum = rollChange(checksum, change)
      pages++
      if (change.after !== null) await target.append(writer.page({ pgno: change.pgno, bytes: change.after }))
    }
    await target.append(writer.end(checksum))
    return { header, checksum, pages, ...(await target.end()) }
  } finally {
    await handle.close()
  }
}

/** Opens files for the time of some work. */
async function withFiles<T>(
  paths: readonly string[],
  work: (handles: FileHandle[]) => Promise<T>,
): Promise<T> {
  const handles: FileHandle[] = []
  try {
    for (const each of paths) handles.push(await open(each, 'r'))
    return await work(handles)
  } finally {
    for (const handle of handles) await handle.close()
  }
}

interface Encoding {
  readonly manifest: Manifest
  readonly previous: string | null
  readonly current: string
  readonly file: string
  readonly txid: number
  readonly now: number
}

/** A delta if it is allowed and small enough, otherwise a base; null when nothing changed. */
async function encodeNext({
  manifest,
  previous,
  current,
  file,
  txid,
  now,
}: Encoding): Promise<Encoded | null> {
  const last = manifest.at(-1)
  return withFiles([current, ...(previous === null ? [] : [previous])], async ([opened, earlier]) => {
    const after = await readPageFile(opened!)
    const before = earlier === undefined ? null : await readPageFile(earlier)
    const shape = { pageSize: after.pageSize, commit: after.pages, maxTxid: txid, timestamp: now }
    if (last !== undefined && before?.pageSize === after.pageSize) {
      const preApplyChecksum = BigInt(`0x${last.checksum}`)
      const header = { ...shape, minTxid: txid, preApplyChecksum }
      const delta = await encode(file, header, before, after)
      if (delta.pages === 0) return null
      if (allowsDelta(manifest, delta.size)) return delta
    }
    return encode(file, { ...shape, minTxid: 1, preApplyChecksum: 0n }, null, after)
  })
}

/** Opened on first use: a store that already has the object reads nothing. */
async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: pieceBytes })
}

function describePart(corpus: number, { header, sha256, size, checksum }: Encoded): VersionPart {
  const { minTxid, maxTxid } = header
  return {
    kind: minTxid === 1 ? 'base' : 'delta',
    key: partKey(corpus, { minTxid, maxTxid, sha256 }),
    sha256,
    size,
    minTxid,
    maxTxid,
    checksum: formatChecksum(checksum),
  }
}

/** The previous version stays, because it remains current if this one is not chosen. */
async function removeOthers(directory: string, kept: readonly (string | null)[]): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name)
    if (versionName.test(name) && !kept.includes(file)) await removeVersion(file)
  }
  await sweepUnfinished(directory, Date.now())
}

/**
 * Publishes the state of the working file as a delta, or as a base if the deltas are too many or too large. If no page
 * changed, returns the last part of the manifest. The new part is unused until a manifest names it: a kill at any moment
 * leaves at most an unreferenced object and file.
 */
export async function publishVersion(request: PublishRequest): Promise<VersionPart> {
  const { corpus, workingFile, manifest, store } = request
  const directory = request.directory ?? path.dirname(workingFile)
  await makeFolder(directory)
  const [current, file] = [unfinishedName(directory), unfinishedName(directory)]
  try {
    await copyDatabase(workingFile, current)
    const previous = manifest.length === 0 ? null : await materialise({ manifest, store, directory })
    const txid = Math.max((manifest.at(-1)?.maxTxid ?? 0) + 1, request.version ?? 0)
    const encoded = await encodeNext({ manifest, previous, current, file, txid, now: request.now ?? 0 })
    if (encoded === null) return manifest.at(-1)!
    const part = describePart(corpus, encoded)
    await store.put(part.key, readPieces(file), { ifAbsent: true, sha256: part.sha256 })
    const adopted = await adoptVersion(current, directory, extendManifest(manifest, part))
    await removeOthers(directory, [adopted, previous])
    return part
  } finally {
    await rm(current, { force: true })
    await rm(file, { force: true })
  }
}

/**
 * Publishes a base that replaces all parts of a manifest. It is the same version, so nothing waits for it: once
 * the manifest names it, nodes with the old parts fetch nothing, and deltas may have followed meanwhile.
 */
export async function compactVersion(
  request: MaterialiseRequest & { readonly corpus: number },
): Promise<VersionPart> {
  const { corpus, manifest, store, directory } = request
  const { maxTxid, checksum } = manifest.at(-1)!
  const file = unfinishedName(directory)
  try {
    const current = await materialise(request)
    const encoded = await withFiles([current], async ([opened]) => {
      const whole = await readPageFile(opened!)
      const shape = { pageSize: whole.pageSize, commit: whole.pages, timestamp: 0 }
      return encode(file, { ...shape, minTxid: 1, maxTxid, preApplyChecksum: 0n }, null, whole)
    })
    const part = { ...describePart(corpus, encoded), of: markOf(manifest) }
    if (part.checksum !== checksum) throw new LtxError(`checksum mismatch in ${current}`)
    await store.put(part.key, readPieces(file), { ifAbsent: true, sha256: part.sha256 })
    return part
  } finally {
    await rm(file, { force: true })
  }
}
