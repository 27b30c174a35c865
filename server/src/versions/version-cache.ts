// Which versions are on this node's disk, and which are evicted? The least recently used.

import { readdir, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Deleted } from '../control/deleted-corpora.ts'
import { makeFolder, sweepUnfinished } from './durable-file.ts'
import { materialise, removeVersion, versionName, versionPath } from './materialise-version.ts'
import type { ObjectStore } from './store.ts'
import type { Manifest } from './version.ts'

export interface VersionCacheOptions {
  readonly directory: string
  readonly store: ObjectStore
  /** Limit in bytes on all files; files in use are never evicted. */
  readonly maxBytes: number
  readonly now: () => number
}

interface CachedFile {
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly usedAt: number
  /** When the use was last written to disk. */
  readonly writtenAt?: number
}

/** Files of other processes in the same folder are counted again after this time. */
const rescanMs = 60_000
/** Minimum interval between writes of the last use. */
const touchMs = 10_000

function sumBytes(files: ReadonlyMap<string, CachedFile>): number {
  let bytes = 0
  for (const file of files.values()) bytes += file.bytes
  return bytes
}

/** The least recently used idle files to evict until the rest fits; ties break by name. */
export function chooseEvictions(
  files: ReadonlyMap<string, CachedFile>,
  isUsed: (name: string) => boolean,
  maxBytes: number,
): string[] {
  let bytes = sumBytes(files)
  if (bytes <= maxBytes) return []
  const oldestFirst = [...files]
    .filter(([name]) => !isUsed(name))
    .sort(([nameA, a], [nameB, b]) => a.usedAt - b.usedAt || (nameA < nameB ? -1 : 1))
  const evicted: string[] = []
  for (const [name, file] of oldestFirst) {
    if (bytes <= maxBytes) break
    bytes -= file.bytes
    evicted.push(name)
  }
  return evicted
}

/** A file that stays on disk until it is released. */
export interface HeldVersion {
  readonly path: string
  release(): Promise<void>
}

/**
 * The modification time of a file is that of its last use, so the order survives a restart. Removing a file does
 * not disturb processes that have it open.
 */
export class VersionCache {
  readonly #options: VersionCacheOptions
  readonly #holders = new Map<string, number>()
  #files = new Map<string, CachedFile>()
  #bytes = 0
  #scannedAt = Number.NEGATIVE_INFINITY
  #evicting: Promise<void> = Promise.resolve()

  private constructor(options: VersionCacheOptions) {
    this.#options = options
  }

  static async open(options: VersionCacheOptions): Promise<VersionCache> {
    await makeFolder(options.directory)
    await sweepUnfinished(options.directory, options.now())
    const cache = new VersionCache(options)
    await cache.#evict()
    return cache
  }

  /** Is it here now? It may be evicted a moment later. */
  has(manifest: Manifest): boolean {
    return this.#files.has(path.basename(versionPath(this.#options.directory, manifest)))
  }

  /** Fetches a missing file; the result stays until it is released. */
  async hold(manifest: Manifest): Promise<HeldVersion> {
    const { directory, store } = this.#options
    const name = path.basename(versionPath(directory, manifest))
    this.#holders.set(name, (this.#holders.get(name) ?? 0) + 1)
    let isHeld = true
    const release = async (): Promise<void> => {
      if (!isHeld) return
      isHeld = false
      const left = this.#holders.get(name)! - 1
      if (left > 0) this.#holders.set(name, left)
      else this.#holders.delete(name)
      await this.#evictInTurn()
    }
    try {
      const file = await materialise({ manifest, store, directory })
      await this.#touch(name, file)
      await this.#evictInTurn()
      return { path: file, release }
    } catch (cause) {
      await release()
      throw cause
    }
  }

  /** Removes the files of deleted corpora; a process that has one open closes it itself. */
  async forget(corpora: Deleted): Promise<void> {
    const { directory } = this.#options
    for (const name of await readdir(directory)) {
      const corpus = versionName.exec(name)?.[1]
      if (corpus === undefined || !corpora.has(Number(corpus))) continue
      this.#bytes -= this.#files.get(name)?.bytes ?? 0
      this.#files.delete(name)
      await removeVersion(path.join(directory, name))
    }
  }

  /** Records the use; on disk only as often as a restart needs. */
  async #touch(name: string, file: string): Promise<void> {
    const usedAt = this.#options.now()
    const known = this.#files.get(name)
    if (known !== undefined && usedAt - (known.writtenAt ?? 0) < touchMs) {
      this.#files.set(name, { ...known, usedAt })
      return
    }
    await utimes(file, usedAt / 1000, usedAt / 1000)
    const bytes = known?.bytes ?? (await stat(file)).size
    this.#bytes += bytes - (known?.bytes ?? 0)
    this.#files.set(name, { bytes, usedAt, writtenAt: usedAt })
  }

  #evictInTurn(): Promise<void> {
    const isDue = this.#bytes > this.#options.maxBytes || this.#options.now() - this.#scannedAt >= rescanMs
    if (isDue) this.#evicting = this.#evicting.catch(() => undefined).then(() => this.#evict())
    return this.#evicting
  }

  async #evict(): Promise<void> {
    const { directory, maxBytes, now } = this.#options
    if (now() - this.#scannedAt >= rescanMs) await this.#scan()
    for (const name of chooseEvictions(this.#files, (each) => this.#holders.has(each), maxBytes)) {
      // Requested while others were being removed.
      if (this.#holders.has(name)) continue
      this.#bytes -= this.#files.get(name)!.bytes
      this.#files.delete(name)
      await removeVersion(path.join(directory, name))
    }
  }

  async #scan(): Promise<void> {
    const { directory, now } = this.#options
    const files = new Map<string, CachedFile>()
    for (const name of await readdir(directory)) {
      if (!versionName.test(name)) continue
      const found = await stat(path.join(directory, name)).catch(() => null)
      if (found !== null)
        files.set(name, { bytes: found.size, usedAt: found.mtimeMs, writtenAt: found.mtimeMs })
    }
    this.#files = files
    this.#bytes = sumBytes(files)
    this.#scannedAt = now()
  }
}
