// What happened in these folders since somebody looked? The system tells where it can be relied on to tell at once.

import { type FSWatcher, statfsSync, statSync, watch } from 'node:fs'
import { folderOf } from '../../../model/paths.ts'
import { locate, placeOnDisk, type Root } from './corpus-roots.ts'

/**
 * File systems of this machine alone, by the numbers of Linux: ext, xfs, btrfs, tmpfs, overlayfs, zfs, f2fs, bcachefs.
 * Of others (networks, folders of another machine) the system hears only what it wrote itself.
 */
const localSystems: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994],
  ...[0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e],
])

/** So many folders are watched; each takes about a kilobyte of the kernel, and users have a limit of their own. */
const MOST_FOLDERS = 20_000
/** So many names are kept; after more, everything is looked at. */
const MOST_NAMES = 2000

/** What happened: folders, from the root, with the names in them. '' is the root. */
export type Happened = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Watches folders, one watch each: a recursive watch of Node on Linux is one for every file. Only Linux queues an event
 * before the write returns, so that whoever asks afterwards can know of it; elsewhere nothing is watched.
 */
export class FolderWatch {
  #root: Root = ''
  readonly #watchers = new Map<string, FSWatcher>()
  #happened = new Map<string, Set<string>>()
  #names = 0
  /** Folders with none above them that is watched, and which they were: the root, those beside it, packages. */
  #tops: ReadonlyMap<string, number | undefined> = new Map()
  /** Everything must be looked at: names were lost, or a folder is another than was watched. */
  #lost = true
  #impossible = process.platform !== 'linux'

  /** Watches exactly these folders. False when that cannot be; a look afterwards sees all that came before. */
  watch(root: Root, folders: readonly string[]): boolean {
    if (this.#impossible || folders.length > MOST_FOLDERS) return false
    // What is called by a name may lie elsewhere now, or be another folder in its place.
    if (!isSameRoot(root, this.#root) || !this.#hasSameTops()) this.close()
    this.#root = root
    const wanted = new Set(folders)
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#leave(folder)
    this.#takeNames()
    this.#lost = false
    const tops = folders.filter((folder) => {
      const above = folderAbove(root, folder)
      return above === null || !wanted.has(above)
    })
    this.#tops = new Map(tops.map((folder) => [folder, this.#inodeOf(folder)]))
    try {
      for (const folder of wanted) if (!this.#watchers.has(folder)) this.#enter(folder)
    } catch {
      // No watches are left, or a folder is gone: without a watch over all there is none.
      this.close()
      return false
    }
    return true
  }

  watches(root: Root, folders: readonly string[]): boolean {
    if (!isSameRoot(root, this.#root)) return false
    return folders.length <= this.#watchers.size && folders.every((folder) => this.#watchers.has(folder))
  }

  /** Takes what happened before this call, since `watch` or the last call; null when it is not known. */
  async take(): Promise<Happened | null> {
    // Two turns of the loop have one look at the queue of events between them.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    if (this.#lost || !this.#hasSameTops()) return null
    return this.#takeNames()
  }

  /** To be told again by the next `take`. */
  giveBack(happened: Happened): void {
    for (const [folder, names] of happened) for (const name of names) this.#note(folder, 'change', name)
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
    this.#lost = true
  }

  #takeNames(): Happened {
    const taken = this.#happened
    this.#happened = new Map()
    this.#names = 0
    return taken
  }

  #hasSameTops(): boolean {
    return [...this.#tops].every(([folder, inode]) => this.#inodeOf(folder) === inode)
  }

  #inodeOf(folder: string): number | undefined {
    return statSync(placeOnDisk(this.#root, folder), { throwIfNoEntry: false })?.ino
  }

  #enter(folder: string): void {
    const place = placeOnDisk(this.#root, folder)
    if (!localSystems.has(statfsSync(place).type)) {
      this.#impossible = true
      throw new Error(`${place} is not on a disk of this machine`)
    }
    const watcher = watch(place, { persistent: false }, (kind, name) => this.#note(folder, kind, name))
    watcher.on('error', () => {
      this.#impossible = true
      this.close()
    })
    this.#watchers.set(folder, watcher)
  }

  #leave(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #note(folder: string, kind: string, name: string | null): void {
    if (name === null) {
      this.#lost = true
      return
    }
    const path = folder === '' ? name : `${folder}/${name}`
    // What is watched under this name may be another folder now, and so may all below it.
    if (kind === 'rename' && this.#watchers.has(path))
      for (const watched of this.#watchers.keys())
        if (watched === path || watched.startsWith(`${path}/`)) this.#leave(watched)
    const names = this.#happened.get(folder) ?? new Set()
    if (!names.has(name) && ++this.#names > MOST_NAMES) {
      this.#lost = true
      return
    }
    this.#happened.set(folder, names.add(name))
  }
}

const isSameRoot = (one: Root, other: Root): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The folder of the corpus that holds this one on the disk; null for the root and for a folder beside it. */
function folderAbove(root: Root, folder: string): string | null {
  if (folder === '' || locate(root, folder).path === '') return null
  return folderOf(folder)
}
