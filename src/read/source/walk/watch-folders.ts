// What changed in these folders since the last check? Reported by the system where its events are reliable.

import { type FSWatcher, statfsSync, statSync, watch } from 'node:fs'
import { folderOf } from '../../../model/paths.ts'
import { locate, placeOnDisk, type Root } from './corpus-roots.ts'

/**
 * Local file systems, by their Linux magic numbers: ext, xfs, btrfs, tmpfs, overlayfs, zfs, f2fs, bcachefs.
 * On others (network and shared folders) the system reports only its own writes.
 */
const localSystems: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994],
  ...[0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e],
])

/** Limit on watched folders; each takes about a kilobyte of kernel memory, and users have a limit of their own. */
const MOST_FOLDERS = 20_000
/** Limit on recorded names; beyond it, everything is checked. */
const MOST_NAMES = 2000

/** Changed names by folder, from the root. '' is the root. */
export type Happened = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Watches folders with one watch each: Node's recursive watch on Linux uses one per file. Only Linux queues an event
 * before the write returns, so a later check sees it; on other systems nothing is watched.
 */
export class FolderWatch {
  #root: Root = ''
  readonly #watchers = new Map<string, FSWatcher>()
  #happened = new Map<string, Set<string>>()
  #names = 0
  /** Watched folders without a watched parent, with their inodes: the root, added roots, packages. */
  #tops: ReadonlyMap<string, number | undefined> = new Map()
  /** Everything must be checked: names were lost, or a folder was replaced. */
  #lost = true
  #impossible = process.platform !== 'linux'

  /** Watches exactly these folders; false if that is impossible. A check afterwards sees all earlier changes. */
  watch(root: Root, folders: readonly string[]): boolean {
    if (this.#impossible || folders.length > MOST_FOLDERS) return false
    // A name may now refer to another folder.
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
      // The watch limit is reached or a folder is gone: without a watch on all folders there is none.
      this.close()
      return false
    }
    return true
  }

  watches(root: Root, folders: readonly string[]): boolean {
    if (!isSameRoot(root, this.#root)) return false
    return folders.length <= this.#watchers.size && folders.every((folder) => this.#watchers.has(folder))
  }

  /** Returns the changes since `watch` or the last call; null when they are unknown. */
  async take(): Promise<Happened | null> {
    // Node polls its event queue once between two turns of the loop.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    if (this.#lost || !this.#hasSameTops()) return null
    return this.#takeNames()
  }

  /** The next `take` returns these again. */
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
    // The name may now be another folder, and so may all below it.
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

/** The parent folder within the corpus; null for the root and for added roots. */
function folderAbove(root: Root, folder: string): string | null {
  if (folder === '' || locate(root, folder).path === '') return null
  return folderOf(folder)
}
