// Which working copies stay on a worker's disk? The most recently used, up to a limit; the others can be built again.

import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Deleted } from '../control/deleted-corpora.ts'
import { chooseEvictions } from '../versions/version-cache.ts'
import { parsePrefix } from './read-upload.ts'
import { openWorkingCopy, removeIndex } from './working-copy.ts'

const removedPrefix = 'removed-'
/** Copies that another job began are found after this time. */
const rescanMs = 60_000
/** A copy that another worker took over before this one published it is removed after this time. */
const strayMs = 600_000

/** The folder belongs to this process: what a killed one left half done is removed. */
export async function openWorkingCopies(directory: string, maxBytes: number) {
  for (const name of await readdir(directory))
    if (name.startsWith(parsePrefix) || name.startsWith(removedPrefix))
      await removeIndex(path.join(directory, name))
  const held = new Map<string, number>()
  let copies = new Map<string, { readonly bytes: number; readonly usedAt: number }>()
  let scannedAt = Number.NEGATIVE_INFINITY
  await evictDown(maxBytes)
  return { hold, makeRoom, forget }

  /** Nothing removes the copy of this corpus meanwhile. */
  async function hold<T>(corpus: number, work: () => Promise<T>): Promise<T> {
    const name = String(corpus)
    held.set(name, (held.get(name) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = held.get(name)! - 1
      if (left > 0) held.set(name, left)
      else held.delete(name)
      await measure(name)
      await evictDown(maxBytes).catch(() => {})
    }
  }

  /** Removes every copy that no job holds. */
  async function makeRoom(): Promise<void> {
    scannedAt = Number.NEGATIVE_INFINITY
    await evictDown(0)
  }

  /** A copy that a job holds is removed by that job. */
  async function forget(corpora: Deleted): Promise<void> {
    for (const name of await readdir(directory))
      if (/^\d+$/.test(name) && corpora.has(Number(name)) && !held.has(name)) await remove(name)
  }

  async function remove(name: string): Promise<void> {
    copies.delete(name)
    const removed = path.join(directory, removedPrefix + randomUUID())
    renameSync(path.join(directory, name), removed)
    await removeIndex(removed)
  }

  async function measure(name: string): Promise<void> {
    const found = await stat(path.join(directory, name)).catch(() => null)
    if (found === null) copies.delete(name)
    else {
      const { bytes, usedAt } = await openWorkingCopy(directory, Number(name)).measure()
      const isStray = usedAt === null && Date.now() - found.mtimeMs > strayMs
      if (isStray && !held.has(name)) return await remove(name)
      copies.set(name, { bytes, usedAt: usedAt ?? found.mtimeMs })
    }
  }

  async function evictDown(most: number): Promise<void> {
    if (performance.now() - scannedAt >= rescanMs) {
      scannedAt = performance.now()
      const names = (await readdir(directory)).filter((name) => /^\d+$/.test(name))
      copies = new Map()
      for (const name of names) await measure(name)
    }
    for (const name of chooseEvictions(copies, (each) => held.has(each), most)) {
      // Requested while others were being removed.
      if (!held.has(name)) await remove(name)
    }
  }
}
