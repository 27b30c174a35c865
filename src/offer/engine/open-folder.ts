// How does the index of a folder stay open and fresh? It is reopened when it was replaced, refreshed before a question, and built when missing.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describeUnchecked } from '../../corpus/indexing/describe-freshness.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { openForReading } from '../../corpus/store/open-database.ts'
import { type BuildState, judgeBuild } from '../../corpus/store/ownership/build-record.ts'
import { versionOf } from '../../corpus/store/ownership/check-permission.ts'
import type { EngineOptions, FirstUse, Surroundings } from '../../model/config/engine-options.ts'
import { type ErrorCode, YoreError } from '../../model/errors.ts'
import type { Freshness } from '../../model/report.ts'
import { type CorpusOptions, OpenCorpus, type Refresh } from './open-corpus.ts'

/** Errors that a question fixes by building the index. */
const buildable: ReadonlySet<ErrorCode> = new Set(['NO_INDEX', 'INDEX_OUTDATED', 'INDEX_FOREIGN'])

/** How long a question that needs the whole index waits for another process that builds it; one of a program waits until it ends. */
const WAIT_MILLISECONDS = 20_000
const LOOK_EACH = 100

export class OpenFolder extends OpenCorpus {
  readonly root: string
  readonly indexDir: string
  readonly indexPath: string
  readonly firstUse: FirstUse
  /** The version of the file that the reader has open. */
  #version = ''
  #building: Promise<void> | null = null
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
    if (freshness.compared === undefined) return made
    const { findChanged } = await import('../../corpus/indexing/refresh-index.ts')
    const changed = findChanged(this.open(), this.root, pathsIn(made))
    return changed.length > 0 ? make(await this.refresh(refresh, changed)) : made
  }

  override async refresh(refresh: Refresh = this.settings.refresh, changed?: readonly string[]) {
    if (refresh === 'never') return describeUnchecked(this.open(), this.indexDir)
    const look = async (): Promise<Freshness> => {
      await this.#complete()
      const { refreshIndex } = await import('../../corpus/indexing/refresh-index.ts')
      return refreshIndex(this.open(), this.place, { changed })
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

  /** Is the index complete, and if not, who builds it? */
  get build(): BuildState {
    return judgeBuild(this.indexDir, this.missing === null ? this.open().meta('indexedAt') : null)
  }

  /** True if a search or digest may be answered early. Only the user's own run sets a foreign index aside. */
  get isUnbuilt(): boolean {
    return this.missing?.code !== 'INDEX_FOREIGN' && this.build.kind !== 'complete'
  }

  /** Why there is no index to answer from; null if there is one. */
  get missing(): YoreError | null {
    try {
      this.open()
      return null
    } catch (cause) {
      if (cause instanceof YoreError && buildable.has(cause.code)) return cause
      throw cause
    }
  }

  /** Builds an index that is missing or was abandoned. Concurrent calls wait for the same run. */
  async #complete(): Promise<void> {
    if (this.#building !== null) return this.#building
    const { build: mayBuild = true, early } = this.firstUse
    const most = early === true ? WAIT_MILLISECONDS : Number.POSITIVE_INFINITY
    let { build } = this
    for (let waited = 0; mayBuild && build.kind === 'growing' && waited < most; waited += LOOK_EACH) {
      await setTimeout(LOOK_EACH)
      build = this.build
    }
    if (build.kind === 'complete') return
    if (build.kind === 'growing') throw beingBuilt(this.root, build.by)
    const cause = this.missing ?? new YoreError('NO_INDEX', `the index of ${this.root} is not complete`)
    if (!mayBuild) throw cause
    this.#building ??= this.#run(cause).finally(() => (this.#building = null))
    await this.#building
  }

  async #run(cause: YoreError): Promise<void> {
    const { onProgress, onEnded } = this.firstUse
    const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
    try {
      const report = await indexCorpus({
        ...this.place,
        ...{ paths: [], rebuild: false },
        ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress(progress, cause) }),
      })
      onEnded?.(report)
    } catch (fault) {
      onEnded?.(null)
      if ((fault as YoreError).code !== 'INDEX_LOCKED') throw fault
      // Another process was quicker.
      this.#building = null
      await this.#complete()
    }
  }
}

const beingBuilt = (root: string, by: string): YoreError =>
  new YoreError('INDEX_LOCKED', `the index of ${root} is being built by ${by}`, {
    hint: 'ask again when it has finished; searches, digests and places of files are answered meanwhile',
  })
