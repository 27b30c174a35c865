// Which corpus files are open on this node? The current versions, fetched when first asked for; the least used are closed.
import path from 'node:path'
import { corpusOfDocument, documentId, notFound } from '../control/corpora.ts'
import { materialise } from '../versions/materialise-version.ts'
import type { ObjectStore } from '../versions/store.ts'
import type { Manifest } from '../versions/version.ts'
import { defaultSettings, type Engine, openEngine } from '../yore.ts'

/** A version as PostgreSQL names it. */
export interface CorpusVersion {
  readonly corpus: number
  readonly version: number
  readonly manifest: Manifest
}

export interface OpenCorporaOptions {
  readonly store: ObjectStore
  readonly directory: string
  readonly mostOpen: number
  readonly now: () => number
}

/** One version that is open: immutable, so that whoever began with it ends with it. */
class OpenCorpus {
  readonly engine: Engine
  readonly version: number
  readonly #corpus: number
  #users = 0
  #isRetired = false
  #ids: ReadonlyMap<string, string> | null = null

  constructor(file: string, { corpus, version }: CorpusVersion, now: () => number) {
    this.#corpus = corpus
    this.version = version
    const folder = path.dirname(file)
    this.engine = openEngine({
      root: folder,
      indexDir: folder,
      settings: defaultSettings,
      corpusFile: file,
      get now() {
        return now()
      },
    })
  }

  async use<T>(ask: (open: OpenCorpus) => Promise<T>): Promise<T> {
    this.#users++
    try {
      return await ask(this)
    } finally {
      this.#users--
      this.#closeWhenDone()
    }
  }

  /** Closed as soon as nobody asks it any more. */
  retire(): void {
    this.#isRetired = true
    this.#closeWhenDone()
  }

  #closeWhenDone(): void {
    if (this.#isRetired && this.#users === 0) this.engine.close()
  }

  /** The canonical id behind a document id. Throws NOT_FOUND. */
  async canonicalId(id: string): Promise<string> {
    this.#ids ??= new Map(
      (await this.engine.artifactIds()).map((canonical) => [documentId(this.#corpus, canonical), canonical]),
    )
    const found = corpusOfDocument(id) === this.#corpus ? this.#ids.get(id) : undefined
    if (found === undefined) throw notFound('document')
    return found
  }
}

export class OpenCorpora {
  readonly #options: OpenCorporaOptions
  /** By corpus, the least recently used first. */
  readonly #open = new Map<number, { readonly version: number; readonly opened: Promise<OpenCorpus> }>()

  constructor(options: OpenCorporaOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#open.size
  }

  /** Asks the version that PostgreSQL named; an older one is closed when its questions are answered. */
  async use<T>(wanted: CorpusVersion, ask: (open: OpenCorpus) => Promise<T>): Promise<T> {
    const before = this.#open.get(wanted.corpus)
    // A slower request may know an older version: what is newer stays, and answers it too.
    const isCurrent = before !== undefined && before.version >= wanted.version
    if (before !== undefined) this.#open.delete(wanted.corpus)
    const entry = isCurrent ? before : { version: wanted.version, opened: this.#fetch(wanted) }
    this.#open.set(wanted.corpus, entry)
    if (!isCurrent) {
      if (before !== undefined) retireLater(before.opened)
      this.#closeLeastUsed()
    }
    try {
      return await (await entry.opened).use(ask)
    } catch (error) {
      // What could not be opened is tried again by the next question.
      if (this.#open.get(wanted.corpus) === entry)
        await entry.opened.catch(() => this.#open.delete(wanted.corpus))
      throw error
    }
  }

  async #fetch(wanted: CorpusVersion): Promise<OpenCorpus> {
    const { store, directory, now } = this.#options
    const folder = path.join(directory, String(wanted.corpus))
    const file = await materialise({ manifest: wanted.manifest, store, directory: folder })
    return new OpenCorpus(file, wanted, now)
  }

  #closeLeastUsed(): void {
    for (const [corpus, { opened }] of this.#open) {
      if (this.#open.size <= this.#options.mostOpen) return
      this.#open.delete(corpus)
      retireLater(opened)
    }
  }

  close(): void {
    for (const { opened } of this.#open.values()) retireLater(opened)
    this.#open.clear()
  }
}

function retireLater(opened: Promise<OpenCorpus>): void {
  opened.then(
    (corpus) => corpus.retire(),
    () => {},
  )
}

export type { OpenCorpus }
