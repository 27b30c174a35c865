// How does a folder hold objects? One file per key, written atomically; a hard link creates it only once.
import { type FileHandle, link, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder, sweepUnfinished, syncFolder, unfinishedName } from './durable-file.ts'
import { checkKey, checkPrefix, inspect, type ObjectStore, type PutOptions, StoreError } from './store.ts'

export interface DirectoryStoreOptions {
  readonly directory: string
  /** Larger objects are refused. */
  readonly maxBytes?: number
  /** Milliseconds since 1970, to find abandoned unfinished files. */
  readonly now?: number
}

const pieceBytes = 1 << 20
const temporaryFolder = '.unfinished'
/** Of writing into a folder that others delete meanwhile. */
const mostAttempts = 100

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code

/** The file does not exist, or part of the key is a file. */
function ignoreAbsent(cause: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(cause) ?? '')) throw cause
}

/** Keys below a folder in code-unit order: a folder sorts as its name with a slash. */
async function* listBelow(root: string, folder: string, prefix: string): AsyncGenerator<string> {
  const found = readdir(path.join(root, folder), { withFileTypes: true })
  const entries = (await found.catch(ignoreAbsent)) ?? []
  const keys = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort((a, b) => (a < b ? -1 : 1))
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue
    if (key.endsWith('/')) yield* listBelow(root, key, prefix)
    else yield key
  }
}

/** For one machine, or for a shared file system with hard links. */
export async function openDirectoryStore(options: DirectoryStoreOptions): Promise<ObjectStore> {
  const root = path.resolve(options.directory)
  const maxBytes = options.maxBytes ?? Number.MAX_SAFE_INTEGER
  const temporary = path.join(root, temporaryFolder)
  await makeFolder(temporary)
  await sweepUnfinished(temporary, options.now ?? Date.now())

  const placeOf = (key: string): string => {
    checkKey(key)
    return path.join(root, key)
  }

  /** Removes a folder and those above it that are empty; returns the first that is not. */
  const removeEmpty = async (folder: string): Promise<string> => {
    if (folder === root) return root
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    )
    return isRemoved ? await removeEmpty(path.dirname(folder)) : folder
  }

  const publish = async (file: string, place: string, ifAbsent: boolean): Promise<'created' | 'exists'> => {
    const folder = path.dirname(place)
    for (let attempt = 1; ; attempt++)
      try {
        await makeFolder(folder)
        await (ifAbsent ? link(file, place) : rename(file, place))
        break
      } catch (cause) {
        if (ifAbsent && codeOf(cause) === 'EEXIST') return 'exists'
        // Another process has deleted the last object of the folder, and the folder with it.
        if (codeOf(cause) !== 'ENOENT' || attempt === mostAttempts) throw cause
      }
    await syncFolder(folder).catch(ignoreAbsent)
    return 'created'
  }

  const openObject = async (key: string): Promise<FileHandle> => {
    try {
      const handle = await open(placeOf(key), 'r')
      if ((await handle.stat()).isFile()) return handle
      await handle.close()
    } catch (cause) {
      ignoreAbsent(cause)
    }
    throw new StoreError('missing', `no object ${key}`)
  }

  async function* stream(key: string): AsyncGenerator<Uint8Array> {
    const handle = await openObject(key)
    yield* handle.createReadStream({ highWaterMark: pieceBytes })
  }

  return {
    stream,
    put: async (key, source, { ifAbsent = false, sha256 }: PutOptions = {}) => {
      const place = placeOf(key)
      const file = unfinishedName(temporary)
      try {
        const handle = await open(file, 'wx')
        try {
          for await (const piece of inspect(source, maxBytes, sha256)) await handle.writeFile(piece)
          await handle.sync()
        } finally {
          await handle.close()
        }
        return await publish(file, place, ifAbsent)
      } finally {
        await rm(file, { force: true })
      }
    },
    get: async (key, range) => {
      await using handle = await openObject(key)
      const { size } = await handle.stat()
      const { start, end = size } = range ?? { start: 0 }
      const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
      for (let at = 0; at < bytes.byteLength; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.byteLength - at, start + at)
        if (bytesRead === 0) throw new StoreError('unavailable', `object ${key} became shorter`)
        at += bytesRead
      }
      return bytes
    },
    head: async (key) => {
      const found = await stat(placeOf(key)).catch(ignoreAbsent)
      return found?.isFile() ? { size: found.size } : null
    },
    delete: async (key) => {
      const place = placeOf(key)
      try {
        await rm(place)
        await syncFolder(await removeEmpty(path.dirname(place)))
      } catch (cause) {
        ignoreAbsent(cause)
      }
    },
    list: (prefix) => {
      checkPrefix(prefix)
      return listBelow(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
    },
  }
}
