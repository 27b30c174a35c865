// How does a version become a file? Fetch missing parts, verify and apply them, verify the file, and only then name it.
import { constants, createWriteStream, existsSync } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../errors.ts'
import { commitFile, hashFile, makeFolder, unfinishedName } from './durable-file.ts'
import { applyPageSet, PageSetError } from './page-set.ts'
import { inspect } from './store.ts'
import { isReadable, type Manifest, type MaterialiseRequest, markOf } from './version.ts'

export const versionName: RegExp = /^(?:(\d+)-)?[0-9a-f]{64}\.db$/

/** Where the file of a manifest lies; its name begins with the corpus. */
export function versionPath(directory: string, manifest: Manifest): string {
  const corpus = /^corpora\/(\d+)\//.exec(manifest[0]?.key ?? '')?.[1] ?? '0'
  return path.join(directory, `${corpus}-${markOf(manifest)}.db`)
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
  const found = await hashFile(file).catch(() => null)
  if (found === manifest.at(-1)!.checksum) {
    verified.add(file)
    return true
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
  const [file, object] = [unfinishedName(directory), unfinishedName(directory)]
  try {
    const applied = await startFrom(manifest, directory, file)
    const handle = await open(file, applied === 0 ? 'wx+' : 'r+')
    try {
      let before = manifest[applied - 1]?.checksum ?? null
      for (const part of manifest.slice(applied)) {
        await pipeline(inspect(store.stream(part.key), part.size, part.sha256), createWriteStream(object))
        await applyPageSet(handle, object, (header) => {
          if (header.before !== before)
            throw new PageSetError(`${part.key} does not follow the previous part`)
        })
        before = part.checksum
      }
    } finally {
      await handle.close()
    }
    if ((await hashFile(file)) !== manifest.at(-1)!.checksum)
      throw new PageSetError(`${manifest.at(-1)!.key} does not give the checksum of its version`)
    return await adoptVersion(file, directory, manifest)
  } finally {
    await rm(file, { force: true })
    await rm(object, { force: true })
  }
}

const underWay = new Map<string, Promise<string>>()

/**
 * The path of a file that equals the worker's byte for byte. Concurrent calls share the work.
 *
 * @throws StoreError `missing` when a part was deleted meanwhile: read the newest manifest and try again.
 */
export async function materialise(request: MaterialiseRequest): Promise<string> {
  const { directory, manifest } = request
  if (manifest[0]?.kind !== 'base') throw new PageSetError('a version begins with a base')
  const outdated = 'an older yore-server published this corpus: upload a document to rebuild it'
  if (!isReadable(manifest)) throw new ServiceError('UNAVAILABLE', outdated)
  const target = versionPath(directory, manifest)
  const started = underWay.get(target)
  if (started !== undefined) return await started
  const work = assemble(request).finally(() => underWay.delete(target))
  underWay.set(target, work)
  return await work
}

/** Registers a file that was built by other means: the publisher's own. */
export async function adoptVersion(file: string, directory: string, manifest: Manifest): Promise<string> {
  const target = versionPath(directory, manifest)
  await commitFile(file, target)
  verified.add(target)
  return target
}
