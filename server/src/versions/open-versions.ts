// How does a corpus change under running requests? New requests get the new version; the old one closes after its last request.
import type { Manifest } from './version.ts'
import type { HeldVersion, VersionCache } from './version-cache.ts'

export interface OpenVersionsOptions<T> {
  readonly cache: Pick<VersionCache, 'hold'>
  /** Opens a file that never changes. */
  readonly open: (path: string) => T | Promise<T>
  readonly close: (opened: T) => void | Promise<void>
  /** Corpora that stay open without a request; the least recently used closes first. */
  readonly maxOpen: number
}

interface OpenVersion<T> {
  /** The key of the last part, which identifies the whole manifest. */
  readonly mark: string
  readonly opening: Promise<{ readonly opened: T; readonly held: HeldVersion }>
  users: number
  isRetired: boolean
}

/** Holds one version per corpus for new requests, and older ones while their requests run. */
export class OpenVersions<T> {
  readonly #options: OpenVersionsOptions<T>
  /** In the order of their last use. */
  readonly #current = new Map<number, OpenVersion<T>>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: OpenVersionsOptions<T>) {
    this.#options = options
  }

  /** Runs `work` on this version of the corpus, which stays open until the work ends. */
  async use<R>(corpus: number, manifest: Manifest, work: (opened: T) => R | Promise<R>): Promise<R> {
    const version = this.#choose(corpus, manifest)
    version.users++
    try {
      const { opened } = await version.opening
      return await work(opened)
    } finally {
      version.users--
      this.#settle(version)
      this.#shrink()
    }
  }

  /** Closes everything after the running requests. */
  async close(): Promise<void> {
    for (const corpus of [...this.#current.keys()]) this.#retire(corpus)
    while (this.#closing.size > 0) await Promise.all(this.#closing)
  }

  #choose(corpus: number, manifest: Manifest): OpenVersion<T> {
    const mark = manifest.at(-1)?.key ?? ''
    const found = this.#current.get(corpus)
    if (found?.mark === mark) {
      this.#current.delete(corpus)
      this.#current.set(corpus, found)
      return found
    }
    this.#retire(corpus)
    const version: OpenVersion<T> = { mark, opening: this.#open(manifest), users: 0, isRetired: false }
    this.#current.set(corpus, version)
    // The next request retries a version that could not be opened.
    version.opening.catch(() => {
      if (this.#current.get(corpus) === version) this.#retire(corpus)
    })
    return version
  }

  async #open(manifest: Manifest): Promise<{ readonly opened: T; readonly held: HeldVersion }> {
    const held = await this.#options.cache.hold(manifest)
    try {
      return { opened: await this.#options.open(held.path), held }
    } catch (cause) {
      await held.release()
      throw cause
    }
  }

  #retire(corpus: number): void {
    const version = this.#current.get(corpus)
    if (version === undefined) return
    this.#current.delete(corpus)
    version.isRetired = true
    this.#settle(version)
  }

  #settle(version: OpenVersion<T>): void {
    if (!version.isRetired || version.users > 0) return
    const closing = version.opening
      .then(async ({ opened, held }) => {
        await this.#options.close(opened)
        await held.release()
      })
      // The caller has already received the error.
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #shrink(): void {
    for (const [corpus, { users }] of [...this.#current]) {
      if (this.#current.size <= this.#options.maxOpen) return
      if (users === 0) this.#retire(corpus)
    }
  }
}
