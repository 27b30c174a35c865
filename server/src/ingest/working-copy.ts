// Where is a corpus built? In a folder of this worker, which follows the documents in PostgreSQL and can be rebuilt from them.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ObjectStore } from '../versions/store.ts'
import { ignoreFileNames } from '../yore.ts'
import { blobKey, fetchBlob } from './blobs.ts'

export interface WorkingDocument {
  readonly path: string
  readonly blob: string | null
  readonly modified_at: Date
}

const ignoring: ReadonlySet<string> = new Set(Object.values(ignoreFileNames))
/** Documents fetched concurrently, because a store may be far away. */
const fetchedAtOnce = 8

/** One corpus on one worker. */
export class WorkingCopy {
  readonly root: string
  readonly indexDir: string
  readonly #folder: string
  readonly #state: string

  constructor(directory: string, corpus: number) {
    this.#folder = path.join(directory, String(corpus))
    this.root = path.join(this.#folder, 'files')
    this.indexDir = path.join(this.#folder, 'index')
    this.#state = path.join(this.#folder, 'state.json')
  }

  /** Holds the last published version, for the pages that the next one changes. */
  get versionsDir(): string {
    return path.join(this.#folder, 'versions')
  }

  get indexFile(): string {
    return path.join(this.indexDir, 'index.db')
  }

  /** The change number of its files; 0 if unknown, and then all documents are fetched. */
  async change(): Promise<number> {
    return (await this.#read()).change ?? 0
  }

  /**
   * Starts with an index of some documents if the corpus is new here: those are not parsed again.
   * If a publisher has started meanwhile, its index stays.
   */
  async adopt(indexDir: string): Promise<void> {
    if (existsSync(this.#folder)) return
    await mkdir(this.#folder, { recursive: true })
    await rename(indexDir, this.indexDir).catch(() => {})
  }

  /** Bytes on disk, and the time of the last use in milliseconds since 1970; null before the first. */
  async measure(): Promise<{ readonly bytes: number; readonly usedAt: number | null }> {
    const { bytes: documents = 0 } = await this.#read()
    let bytes = documents
    for (const folder of [this.indexDir, this.versionsDir])
      for (const name of await readdir(folder).catch(() => []))
        bytes += (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0
    return { bytes, usedAt: (await stat(this.#state).catch(() => null))?.mtimeMs ?? null }
  }

  async #read(): Promise<{ readonly change?: number; readonly bytes?: number }> {
    try {
      return JSON.parse(await readFile(this.#state, 'utf8')) as { change?: number; bytes?: number }
    } catch {
      return {}
    }
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /**
   * Ignore files have done their work when their own upload was read; here they would hide documents of others.
   * Updates the files to a change number. After a crash the old number remains and the next run repeats it.
   */
  async bringTo(
    change: number,
    documents: readonly WorkingDocument[],
    source: { readonly organisation: string; readonly store: ObjectStore; readonly bytes: number },
  ): Promise<void> {
    await mkdir(this.root, { recursive: true })
    // Removals first: a former folder may now be a document.
    for (const { path: name, blob } of documents) if (blob === null) await this.#remove(name)
    const fetchOne = async ({ path: name, blob, modified_at }: WorkingDocument): Promise<void> => {
      if (blob === null || ignoring.has(path.basename(name))) return
      const place = path.join(this.root, name)
      const fetched = path.join(this.#folder, 'fetching', randomUUID())
      await fetchBlob(source.store, blobKey(source.organisation, blob), fetched, modified_at)
      await mkdir(path.dirname(place), { recursive: true })
      await rename(fetched, place)
    }
    await Readable.from(documents).forEach(fetchOne, { concurrency: fetchedAtOnce })
    await rm(path.join(this.#folder, 'fetching'), { recursive: true, force: true })
    const draft = `${this.#state}.new`
    await writeFile(draft, JSON.stringify({ change, bytes: source.bytes }))
    await rename(draft, this.#state)
  }

  async #remove(name: string): Promise<void> {
    await rm(path.join(this.root, name), { force: true })
    let folder = path.posix.dirname(name)
    while (folder !== '.') {
      try {
        await rmdir(path.join(this.root, folder))
      } catch {
        return
      }
      folder = path.posix.dirname(folder)
    }
  }
}
