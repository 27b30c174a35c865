// How does a worker's file become a version? The pages that changed since the last one become an immutable object.
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { schemaVersion } from '../yore.ts'
import { copyDatabase } from './copy-database.ts'
import { hashFile, makeFolder, sweepUnfinished, unfinishedName } from './durable-file.ts'
import { adoptVersion, materialise, removeVersion, versionName } from './materialise-version.ts'
import { measurePages, PageSetError, writePageSet } from './page-set.ts'
import {
  allowsDelta,
  extendManifest,
  isReadable,
  type Manifest,
  type MaterialiseRequest,
  markOf,
  type PublishRequest,
  partKey,
  type VersionPart,
} from './version.ts'

interface Encoding {
  readonly corpus: number
  /** The file to publish, and its hash. */
  readonly current: string
  readonly checksum: string
  readonly txid: number
  /** Where the object is written before it has a key. */
  readonly file: string
}

/** Writes a delta from an earlier file, or a base. */
async function encode(
  { corpus, current, checksum, txid, file }: Encoding,
  earlier: { readonly file: string; readonly checksum: string } | null,
): Promise<VersionPart> {
  const header = { ...(await measurePages(current)), before: earlier?.checksum ?? null, after: checksum }
  await writePageSet(file, header, { file: current, before: earlier?.file ?? null })
  const sha256 = await hashFile(file)
  const [minTxid, maxTxid] = [earlier === null ? 1 : txid, txid]
  return {
    kind: earlier === null ? 'base' : 'delta',
    key: partKey(corpus, { minTxid, maxTxid, sha256 }),
    sha256,
    size: (await stat(file)).size,
    minTxid,
    maxTxid,
    checksum,
    format: schemaVersion,
  }
}

/** A delta if it is allowed and small enough, otherwise a base. */
async function encodeNext(encoding: Encoding, manifest: Manifest, previous: string | null) {
  const last = manifest.at(-1)
  if (last !== undefined && previous !== null) {
    const [before, after] = [await measurePages(previous), await measurePages(encoding.current)]
    const earlier = { file: previous, checksum: last.checksum }
    const delta = before.pageSize === after.pageSize ? await encode(encoding, earlier) : null
    if (delta !== null && allowsDelta(manifest, delta.size)) return delta
  }
  return await encode(encoding, null)
}

/** Opened on first use: a store that already has the object reads nothing. */
async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: 1 << 20 })
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
    const last = manifest.at(-1)
    const checksum = await hashFile(current)
    if (last?.checksum === checksum) return last
    const hasPrevious = last !== undefined && isReadable(manifest)
    const previous = hasPrevious ? await materialise({ manifest, store, directory }) : null
    const txid = Math.max((last?.maxTxid ?? 0) + 1, request.version ?? 0)
    const part = await encodeNext({ corpus, current, checksum, txid, file }, manifest, previous)
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
  const { maxTxid: txid, checksum } = manifest.at(-1)!
  const file = unfinishedName(directory)
  try {
    const current = await materialise(request)
    if ((await hashFile(current)) !== checksum) throw new PageSetError(`checksum mismatch in ${current}`)
    const base = await encode({ corpus, current, checksum, txid, file }, null)
    await store.put(base.key, readPieces(file), { ifAbsent: true, sha256: base.sha256 })
    return { ...base, of: markOf(manifest) }
  } finally {
    await rm(file, { force: true })
  }
}
