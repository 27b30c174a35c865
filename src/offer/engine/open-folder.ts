// How does the index of a folder stay open and fresh? It is reopened when it was replaced, refreshed before a question, and built when missing.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describeUnchecked } from '../../corpus/indexing/describe-freshness.ts'
import type { RememberedLook } from '../../corpus/indexing/remember-look.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { openForReading } from '../../corpus/store/open-database.ts'
import { versionOf } from '../../corpus/store/ownership/check-permission.ts'
import { lookAtLock } from '../../corpus/store/ownership/writer-lock.ts'
import type { EngineOptions, FirstUse, Surroundings } from '../../model/config/engine-options.ts'
import { type ErrorCode, YoreError } from '../../model/errors.ts'
import type { Freshness } from '../../model/report.ts'
import { type CorpusOptions, OpenCorpus, type Refresh } from './open-corpus.ts'

/** Errors that a question fixes by building the index. */
export const buildable: ReadonlySet<ErrorCode> = new Set(['NO_INDEX', 'INDEX_OUTDATED', 'INDEX_FOREIGN'])

/** How long other questions than digests and searches wait for a process that builds the index. */
const WAIT_MILLISECONDS = 20_000

export class OpenFolder extends OpenCorpus {
  readonly root: string
  readonly indexDir: string
  readonly indexPath: string
  readonly firstUse: FirstUse
  /** The version of the file that the reader has open. */
  #version = ''
  #building: Promise<void> | null = null
  #looked: RememberedLook | null = null
  /** Serialises freshness checks. */
  #looking: Promise<unknown> = Promise.resolve()

  constructor(
    { root, indexDir }: { readonly root: string; readonly indexDir: string },
    options: CorpusOptions,
    firstUse: FirstUse = {},
  ) {
    super(options)
    this.root = root
    this.indexDir = indexDir
    this.indexPath = join(indexDir, 'index.db')
    this.firstUse = firstUse
  }

  /** What indexing and checks take. */
  get place(): EngineOptions & Surroundings {
    return { ...this.options, root: this.root, indexDir: this.indexDir }
  }

  override open(): CorpusReader {
    if (this.reader !== null && versionOf(this.indexPath) === this.#version) return this.reader
    this.reader?.close()
    this.reader = null
    const [inode] = versionOf(this.indexPath).split(' ')
    this.reader = new CorpusReader(openForReading(this.indexPath, { root: this.root, env: this.options.env }))
    const version = versionOf(this.indexPath)
    // Replaced while it was opened: reopened at the next question.
    this.#version = version.split(' ')[0] === inode ? version : ''
    return this.reader
  }

  override async answer<T>(
    refresh: Refresh,
    make: (freshness: Freshness) => Promise<T>,
    pathsIn: (made: T) => readonly string[],
  ): Promise<T> {
    const freshness = await this.refresh(refresh)
    const made = await make(freshness)
    // Every file was compared.
    if ((freshness.watched ?? freshness.compared) === undefined) return made
    const { findChanged } = await import('../../corpus/indexing/refresh-index.ts')
    const changed = findChanged(this.open(), this.root, pathsIn(made))
    return changed.length > 0 ? make(await this.refresh(refresh, changed)) : made
  }

  override async refresh(
    refresh: Refresh = this.settings.refresh,
    changed?: readonly string[],
  ): Promise<Freshness> {
    if (refresh === 'never') return describeUnchecked(this.open())
    const look = async (): Promise<Freshness> => {
      await this.#buildMissing()
      const [{ refreshIndex }, { RememberedLook }] = await Promise.all([
        import('../../corpus/indexing/refresh-index.ts'),
        import('../../corpus/indexing/remember-look.ts'),
      ])
      this.#looked ??= new RememberedLook(this.root, this.options.clock)
      return refreshIndex(this.open(), this.place, { remembered: this.#looked, changed })
    }
    const looked = this.#looking.then(look)
    this.#looking = looked.catch(() => {})
    return looked
  }

  override async lookAtFreshness(refresh: Refresh): Promise<Freshness> {
    if (refresh === 'never') return this.refresh(refresh)
    const { lookAtFreshness } = await import('../../corpus/indexing/refresh-index.ts')
    return lookAtFreshness(this.open(), this.place)
  }

  /** Whether a whole run is missing that another process may do: none was started, or one is at work. */
  get isUnbuilt(): boolean {
    if (this.#building !== null) return false
    const cause = this.#missing()
    return cause === null ? this.#isIncomplete && this.isBeingBuilt : cause.code !== 'INDEX_FOREIGN'
  }

  get #isIncomplete(): boolean {
    return this.open().meta('indexedAt') === null
  }

  get isBeingBuilt(): boolean {
    return lookAtLock(this.indexDir).kind === 'held'
  }

  /** Why there is no index to answer from; null if there is one. */
  #missing(): YoreError | null {
    try {
      this.open()
      return null
    } catch (cause) {
      if (cause instanceof YoreError && buildable.has(cause.code)) return cause
      throw cause
    }
  }

  /** Waits for a process that an early answer has started. */
  async #waitForOther(): Promise<void> {
    if (this.firstUse.early !== true) return
    const until = performance.now() + WAIT_MILLISECONDS
    const isUnbuilt = (): boolean => this.#missing() !== null || this.#isIncomplete
    while (isUnbuilt() && this.isBeingBuilt && performance.now() < until) await setTimeout(100)
  }

  /** Concurrent calls wait for the same run. */
  async #buildMissing(): Promise<void> {
    if (this.#building !== null) return this.#building
    await this.#waitForOther()
    const cause = this.#missing()
    if (cause === null) return
    const { build = true, early, onProgress, onEnded, confirm = async () => false } = this.firstUse
    if (!build) throw cause
    const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
    this.#building ??= indexCorpus({
      ...this.place,
      ...{ paths: [], rebuild: false, confirm },
      ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress(progress, cause) }),
    })
      .then(
        (report) => onEnded?.(report),
        async (fault) => {
          onEnded?.(null)
          if (early !== true || (fault as YoreError).code !== 'INDEX_LOCKED') throw fault
          // The process of an early answer was quicker.
          await this.#waitForOther()
          if (this.#missing() !== null) throw fault
        },
      )
      .finally(() => (this.#building = null))
    await this.#building
  }

  override close(): void {
    this.#looked?.close()
    super.close()
  }
}
