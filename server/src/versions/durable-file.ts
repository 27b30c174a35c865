// How is a file written atomically? Under a temporary name, synced, renamed, then its folder is synced.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Names of unfinished files. A killed process leaves such files behind; they are never opened. */
const unfinished = /^\.[\w-]+\.unfinished$/

export const unfinishedName = (directory: string): string =>
  path.join(directory, `.${randomUUID()}.unfinished`)

async function syncAs(name: string, flags: 'r' | 'r+'): Promise<void> {
  await using handle = await open(name, flags)
  await handle.sync()
}

/** Makes the entries of a folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  await syncAs(folder, 'r')
}

/** Makes a folder and those above it durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = path.dirname(made))
    await syncFolder(path.dirname(made))
}

/** Syncs `file` and renames it; a reader of the new name sees all of it. */
export async function commitFile(file: string, name: string): Promise<void> {
  await syncAs(file, 'r+')
  await rename(file, name)
  await syncFolder(path.dirname(name))
}

/** Hex SHA-256 of a file's bytes. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** Longer than any pause while writing a file. */
const abandonedMs = 3_600_000

/** Removes unfinished files of killed processes, last written long before `now`. */
export async function sweepUnfinished(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!unfinished.test(name)) continue
    const file = path.join(directory, name)
    const found = await stat(file).catch(() => null)
    if (found !== null && now - found.mtimeMs >= abandonedMs) await rm(file, { force: true })
  }
}
