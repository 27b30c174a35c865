// How does a file come to be there whole or not at all? Written under another name, synced, renamed, the folder synced.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Names of files that are being written. What a killed process leaves behind has such a name and is never opened. */
const unfinished = /^\.[\w-]+\.unfinished$/

export function unfinishedName(directory: string): string {
  return path.join(directory, `.${randomUUID()}.unfinished`)
}

/** Makes the entries of a folder survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder and those above it durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = path.dirname(made))
    await syncFolder(path.dirname(made))
}

/** Syncs `file` and gives it its name; whoever sees the name sees all of it. */
export async function commitFile(file: string, name: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(file, name)
  await syncFolder(path.dirname(name))
}

/** Nobody pauses so long while writing a file. */
const abandonedMs = 3_600_000

/** Removes what killed processes left behind: unfinished files that were last written long before `now`. */
export async function sweepUnfinished(directory: string, now: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(directory)) {
    if (!unfinished.test(name)) continue
    const file = path.join(directory, name)
    const found = await stat(file).catch(() => null)
    if (found === null || now - found.mtimeMs < abandonedMs) continue
    await rm(file, { force: true })
    removed++
  }
  return removed
}
