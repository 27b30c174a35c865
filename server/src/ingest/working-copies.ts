// Which working copies stay on a worker's disk? The most recently used, up to a limit; the others can be built again.

import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Deleted } from '../control/deleted-corpora.ts'
import { chooseEvictions } from '../versions/version-cache.ts'
import { parsePrefix } from './read-upload.ts'
import { removeIndex, WorkingCopy } from './working-copy.ts'

const removedPrefix = 'removed-'
/** Copies that another job began are found after this time. */
const rescanMs = 60_000
/** A copy that another worker took over before this one published it is removed after this time. */
const strayMs = 600_000

export class WorkingCopies {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #held = new Map<string, number>()
  #copies = new Map<string, { readonly bytes: number; readonly usedAt: number }>()
  #scannedAt = Number.NEGATIVE_INFINITY

  private constructor(directory: string, maxBytes: number) {
    this.#directory = directory
    this.#maxBytes = maxBytes
  }

  /** The folder belongs to this process: what a killed one left half done is removed. */
  static async open(directory: string, maxBytes: number): Promise<WorkingCopies> {
    for (const name of await readdir(directory))
      if (name.startsWith(parsePrefix) || name.startsWith(removedPrefix))
        await removeIndex(path.join(directory, name))
    const copies = new WorkingCopies(directory, maxBytes)
    await copies.#evict(maxBytes)
    return copies
  }

  /** Nothing removes the copy of this corpus meanwhile. */
  async hold<T>(corpus: number, work: () => Promise<T>): Promise<T> {
    const name = String(corpus)
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = this.#held.get(name)! - 1
      if (left > 0) this.#held.set(name, left)
      else this.#held.delete(name)
      await this.#measure(name)
      await this.#evict(this.#maxBytes).catch(() => {})
    }
  }

  /** Removes every copy that no job holds. */
  async makeRoom(): Promise<void> {
    this.#scannedAt = Number.NEGATIVE_INFINITY
    await this.#evict(0)
  }

  /** A copy that a job holds is removed by that job. */
  async forget(corpora: Deleted): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (/^\d+$/.test(name) && corpora.has(Number(name)) && !this.#held.has(name)) await this.#remove(name)
  }

  async #remove(name: string): Promise<void> {
    this.#copies.delete(name)
    const removed = path.join(this.#directory, removedPrefix + randomUUID())
    renameSync(path.join(this.#directory, name), removed)
    await removeIndex(removed)
  }

  async #measure(name: string): Promise<void> {
    const found = await stat(path.join(this.#directory, name)).catch(() => null)
    if (found === null) this.#copies.delete(name)
    else {
      const { bytes, usedAt } = await new WorkingCopy(this.#directory, Number(name)).measure()
      const isStray = usedAt === null && Date.now() - found.mtimeMs > strayMs
      if (isStray && !this.#held.has(name)) return await this.#remove(name)
      this.#copies.set(name, { bytes, usedAt: usedAt ?? found.mtimeMs })
    }
  }

  async #evict(maxBytes: number): Promise<void> {
    if (performance.now() - this.#scannedAt >= rescanMs) {
      this.#scannedAt = performance.now()
      const names = (await readdir(this.#directory)).filter((name) => /^\d+$/.test(name))
      this.#copies = new Map()
      for (const name of names) await this.#measure(name)
    }
    for (const name of chooseEvictions(this.#copies, (each) => this.#held.has(each), maxBytes)) {
      // Requested while others were being removed.
      if (!this.#held.has(name)) await this.#remove(name)
    }
  }
}
