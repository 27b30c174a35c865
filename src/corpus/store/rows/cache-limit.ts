// How large may all caches of a thread be together? The least recently used is cleared first.

interface Cache {
  clear(): void
}

export class CacheLimit {
  readonly #most: number
  /** Sizes of the caches, the least recently used first. */
  readonly #sizes = new Map<Cache, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Records the size of a cache that was just used, and clears others, oldest first, until all fit. */
  use(one: Cache, size: number): void {
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
  drop(one: Cache): void {
    this.#total -= this.#sizes.get(one) ?? 0
    this.#sizes.delete(one)
  }
}
