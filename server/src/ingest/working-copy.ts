// Where is a corpus built? In a folder of this worker that holds its index; everything in it can be made again.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ObjectStore } from '../versions/store.ts'
import { forgetToken, ignoreFileNames, schemaVersion } from '../yore.ts'
import { blobKey, fetchBlob } from './blobs.ts'
import type { IndexTask } from './killable-process.ts'

export interface WorkingDocument {
  readonly path: string
  readonly blob: string | null
  readonly modified_at: Date
}

/** What the index of a copy holds. */
export interface CopyState {
  /** Number of the last change to the documents that is in it. */
  readonly change: number
  /** The version that it was published as, or that it started from. */
  readonly version: number
}

const ignoring: ReadonlySet<string> = new Set(Object.values(ignoreFileNames))
/** Documents fetched concurrently, because a store may be far away. */
const fetchedAtOnce = 8

/** Removes a folder of an index, or `part` of it, and the mark of the index in the state folder, which nothing else removes. */
export async function removeIndex(folder: string, part: string = folder): Promise<void> {
  forgetToken(path.join(folder, 'index'), process.env)
  await rm(part, { recursive: true, force: true })
}

export type WorkingCopy = ReturnType<typeof openWorkingCopy>

/** One corpus on one worker. */
export function openWorkingCopy(directory: string, corpus: number) {
  const folder = path.join(directory, String(corpus))
  /** Empty: documents are given to the index, and their texts are in it. */
  const root = path.join(folder, 'root')
  const indexDir = path.join(folder, 'index')
  const indexFile = path.join(indexDir, 'index.db')
  const stateFile = path.join(folder, 'state.json')
  /** Holds the last published version, for the pages that the next one changes. */
  const versionsDir = path.join(folder, 'versions')
  const fetching = path.join(folder, 'fetching')

  /** Null for a copy without an index, or with one in another format. */
  async function state(): Promise<CopyState | null> {
    try {
      const { format, ...state } = JSON.parse(await readFile(stateFile, 'utf8')) as CopyState & {
        readonly format?: number
      }
      return format === schemaVersion && existsSync(indexFile) ? state : null
    } catch {
      return null
    }
  }

  async function note({ change, version }: CopyState): Promise<void> {
    const draft = `${stateFile}.new`
    await writeFile(draft, JSON.stringify({ change, version, format: schemaVersion }))
    await rename(draft, stateFile)
  }

  /** Starts a new corpus with the index of its first upload, so that its documents are not parsed again. */
  async function adopt(uploaded: string): Promise<void> {
    if (existsSync(folder)) return
    await mkdir(folder, { recursive: true })
    await rename(uploaded, indexDir).catch(() => {})
  }

  /** Bytes on disk, and the time of the last use in milliseconds since 1970; null for a copy that published nothing. */
  async function measure(): Promise<{ readonly bytes: number; readonly usedAt: number | null }> {
    let bytes = 0
    for (const part of [indexDir, versionsDir])
      for (const name of await readdir(part).catch(() => []))
        bytes += (await stat(path.join(part, name)).catch(() => null))?.size ?? 0
    return { bytes, usedAt: (await stat(stateFile).catch(() => null))?.mtimeMs ?? null }
  }

  const clear = (): Promise<void> => removeIndex(folder)

  /** Removes the index; fetched versions stay. */
  async function clearIndex(): Promise<void> {
    await rm(stateFile, { force: true })
    await removeIndex(folder, indexDir)
  }

  /**
   * Fetches the originals of changed documents for the index. Ignore files have done their work when their own upload
   * was read; here they would hide documents of others.
   */
  async function fetchChanges(
    documents: readonly WorkingDocument[],
    source: { readonly organisation: string; readonly store: ObjectStore },
  ): Promise<NonNullable<IndexTask['changes']>> {
    // Of a run that was killed.
    await dropChanges()
    await mkdir(root, { recursive: true })
    const put: { path: string; file: string; modifiedAt: number }[] = []
    const fetchOne = async ({ path: name, blob, modified_at }: WorkingDocument): Promise<void> => {
      if (blob === null || ignoring.has(path.basename(name))) return
      const file = path.join(fetching, randomUUID())
      await fetchBlob(source.store, blobKey(source.organisation, blob), file, modified_at)
      put.push({ path: name, file, modifiedAt: modified_at.getTime() })
    }
    await Readable.from(documents).forEach(fetchOne, { concurrency: fetchedAtOnce })
    put.sort((a, b) => (a.path < b.path ? -1 : 1))
    return { put, remove: documents.flatMap(({ path: name, blob }) => (blob === null ? [name] : [])) }
  }

  const dropChanges = (): Promise<void> => rm(fetching, { recursive: true, force: true })

  const paths = { root, indexDir, indexFile, versionsDir }
  return { ...paths, state, note, adopt, measure, clear, clearIndex, fetchChanges, dropChanges }
}
