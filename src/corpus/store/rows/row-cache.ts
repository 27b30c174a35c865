// Which rows were read recently? Verified rows and texts, cached until the index changes.
import type { ArtifactRow, ArtifactText, FileRow } from '../../../model/section.ts'
import type { KnownFiles } from '../../../read/source/walk/check-freshness.ts'
import type { ReferenceRow } from './reference-reader.ts'
import type { FragmentRow } from './section-rows.ts'
import type { SectionWords } from './section-words.ts'
import type { TextBlock } from './text-blocks.ts'

/** A cache of bounded size by id, which keeps what was used last. */
export class RowCache<T, Id = number> {
  /** When the younger half is full it becomes the older one, and the older one is dropped. */
  #young = new Map<Id, T>()
  #old = new Map<Id, T>()
  #size = 0
  #oldSize = 0
  readonly #most: number
  readonly #sizeOf: (row: T) => number

  /** `most` limits the sum of the sizes; a row counts 1 by default. */
  constructor(most: number, sizeOf: (row: T) => number = () => 1) {
    this.#most = most / 2
    this.#sizeOf = sizeOf
  }

  /** The sum of the sizes. */
  get size(): number {
    return this.#size + this.#oldSize
  }

  /** Calls `read` for a row that is not cached; when it throws, nothing is cached. */
  get(id: Id, read: (id: Id) => T): T {
    const known = this.#young.get(id)
    if (known !== undefined) return known
    const row = this.#old.get(id) ?? read(id)
    this.#size += this.#sizeOf(row)
    if (this.#size > this.#most) {
      this.#old = this.#young
      this.#oldSize = this.#size - this.#sizeOf(row)
      this.#young = new Map()
      this.#size = this.#sizeOf(row)
    }
    this.#young.set(id, row)
    return row
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#size = 0
    this.#oldSize = 0
  }
}

interface Clearable {
  clear(): void
}

/** How large all caches of a thread may be together; the least recently used is cleared first. */
export class CacheLimit {
  readonly #most: number
  /** Sizes of the caches, the least recently used first. */
  readonly #sizes = new Map<Clearable, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Records the size of a cache that was just used, and clears others, oldest first, until all fit. */
  use(one: Clearable, size: number): void {
    this.drop(one)
    this.#sizes.set(one, size)
    this.#total += size
    for (const oldest of this.#sizes.keys()) {
      if (this.#total <= this.#most || oldest === one) break
      this.drop(oldest)
      oldest.clear()
    }
  }

  /** Forgets a cache that is closed. */
  drop(one: Clearable): void {
    this.#total -= this.#sizes.get(one) ?? 0
    this.#sizes.delete(one)
  }
}

const CACHED_ROWS = 30_000
const CACHED_FRAGMENTS = 100_000
const CACHED_CHARACTERS = 24_000_000
const CACHED_WORD_BYTES = 24_000_000
const CACHED_BLOCK_BYTES = 4_000_000
/** Approximate bytes of a row, a fragment and a character of a text. */
const ROW_BYTES = 800
const FRAGMENT_BYTES = 150
const CHARACTER_BYTES = 2
/** Bytes of a section's words on top of their own. */
const WORDS_BYTES = 400

/** One limit for all files that a thread has open. */
const limit = new CacheLimit(128 * 1024 * 1024)

/** What the last walk found, and how many documents there are. */
type LastWalk = KnownFiles & { readonly count: number }

/** The caches of one open file. */
export class CorpusCache {
  readonly metas: RowCache<unknown, string> = new RowCache(CACHED_ROWS)
  readonly walks: RowCache<LastWalk, number | undefined> = new RowCache(CACHED_ROWS, ({ count }) => count)
  readonly files: RowCache<FileRow> = new RowCache(CACHED_ROWS)
  readonly artifacts: RowCache<ArtifactRow> = new RowCache(CACHED_ROWS)
  readonly byId: RowCache<ArtifactRow | null, string> = new RowCache(CACHED_ROWS)
  readonly parts: RowCache<readonly ArtifactRow[]> = new RowCache(CACHED_ROWS, ({ length }) => length + 1)
  readonly mentions: RowCache<readonly ReferenceRow[]> = new RowCache(CACHED_ROWS, ({ length }) => length + 1)
  readonly fragments: RowCache<FragmentRow> = new RowCache(CACHED_FRAGMENTS)
  readonly texts: RowCache<ArtifactText> = new RowCache(CACHED_CHARACTERS, ({ text }) => text.length)
  readonly blocks: RowCache<TextBlock> = new RowCache(CACHED_BLOCK_BYTES, ({ size }) => size)
  readonly vocabularies: RowCache<Int32Array> = new RowCache(
    CACHED_WORD_BYTES,
    ({ byteLength }) => byteLength,
  )
  readonly words: RowCache<SectionWords> = new RowCache(CACHED_WORD_BYTES, ({ size }) => size + WORDS_BYTES)

  /** Reports its size after a question; the caches of other files are cleared first when all are too large. */
  used(): void {
    const { walks, files, artifacts, byId, parts, mentions } = this
    const rows = [walks, files, artifacts, byId, parts, mentions].reduce((sum, { size }) => sum + size, 0)
    const texts =
      this.texts.size * CHARACTER_BYTES + this.words.size + this.vocabularies.size + this.blocks.size
    limit.use(this, rows * ROW_BYTES + this.fragments.size * FRAGMENT_BYTES + texts)
  }

  clear(): void {
    for (const cache of Object.values(this as object) as Clearable[]) cache.clear()
  }

  close(): void {
    limit.drop(this)
    this.clear()
  }
}
