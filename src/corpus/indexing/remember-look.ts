// Which files must be checked before an answer? All of them first; later, only changes in watched folders.
import type { Freshness } from '../../model/report.ts'
import { asRoot, type Root } from '../../read/source/walk/corpus-roots.ts'
import { FolderWatch, type Happened } from '../../read/source/walk/watch-folders.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'

/** Time after which all files are checked again: writes through mapped memory or a second hard link raise no event. */
const TRUSTED_MILLISECONDS = 300_000

/** `bounded`: as many files as a question may wait for. */
export type FreshnessLook = 'bounded' | 'whole' | Happened

/** Belongs to one engine, and watches from its second question on. */
export class RememberedLook {
  readonly #root: string
  readonly #watch = new FolderWatch()
  readonly #clock: () => number
  #asked = 0
  /** The state of the index that matches the files, and since when. */
  #known: { readonly index: string; readonly since: number } | null = null

  constructor(root: string, clock: () => number) {
    this.#root = root
    this.#clock = clock
  }

  /** What to check now. Call `settle` with the result before the next call. */
  async next(reader: CorpusReader): Promise<FreshnessLook> {
    this.#asked++
    const { index, since } = this.#known ?? { index: '', since: 0 }
    if (index === stateOf(reader) && this.#clock() - since < TRUSTED_MILLISECONDS) {
      const happened = await this.#watch.take()
      if (happened !== null) return happened
    }
    this.#known = null
    if (this.#asked === 1) return 'bounded'
    return this.#watch.watch(rootsOf(reader, this.#root), foldersOf(reader)) ? 'whole' : 'bounded'
  }

  settle(look: FreshnessLook, reader: CorpusReader, state: Freshness['state']): void {
    if (look === 'bounded' || (look !== 'whole' && look.size === 0)) return
    if (state === 'fresh' || state === 'refreshed') {
      const since = look === 'whole' ? this.#clock() : (this.#known?.since ?? 0)
      // A folder that was added meanwhile is not watched.
      this.#known = this.#watch.watches(rootsOf(reader, this.#root), foldersOf(reader))
        ? { index: stateOf(reader), since }
        : null
    } else if (look !== 'whole') this.#watch.giveBack(look)
  }

  close(): void {
    this.#watch.close()
    this.#known = null
  }
}

/** The roots of an index. */
export function rootsOf(reader: CorpusReader, root: string): Root {
  return asRoot(root, reader.meta('roots'))
}

/** Changes with every indexing run. */
function stateOf(reader: CorpusReader): string {
  return `${reader.meta('indexedAt')} ${reader.meta('generation')}`
}

function foldersOf(reader: CorpusReader): readonly string[] {
  return reader.directories().map(({ path }) => path)
}
