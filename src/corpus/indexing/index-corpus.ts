// How does a folder become an index? Walk, compare with what is known, analyse what changed, write it in transactions.
// Long because the steps of one run share what it has found so far.

import { hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { CorpusSize, IndexProgress, IndexReport } from '../../model/report.ts'
import type { FileRow } from '../../model/section.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import { isNotebook } from '../../read/parse/find-cells.ts'
import type { MentionOptions } from '../../read/parse/markdown/find-mentions.ts'
import { dropUnusedSources } from '../../read/source/fetch/laid-sources.ts'
import { readCommitTimes } from '../../read/source/git/read-commit-times.ts'
import { readGitHead } from '../../read/source/git/run-git.ts'
import { isCodeFile } from '../../read/source/language-of.ts'
import type { CorpusRoots } from '../../read/source/walk/corpus-roots.ts'
import type { WalkResult } from '../../read/source/walk/walk-files.ts'
import { parseIdFamilies } from '../resolve/decision-ids.ts'
import { CorpusReader } from '../store/corpus-reader.ts'
import { CorpusWriter } from '../store/corpus-writer.ts'
import { openForWriting, placeInRoot } from '../store/open-database.ts'
import { asFull, isRefusal, noPermission } from '../store/ownership/check-permission.ts'
import { requireSqlite } from '../store/ownership/check-sqlite.ts'
import { clearHome, leaveHome, refuseLinkedFolder, withoutTokens } from '../store/ownership/index-home.ts'
import { takeWriterLock, type WriterLock } from '../store/ownership/writer-lock.ts'
import { deleteDatabase, replaceDatabase } from '../store/replace-database.ts'
import { type EmbedAllOptions, embedAll } from './embed-fragments.ts'
import { type CorpusChanges, GivenFiles } from './given-files.ts'
import { type Fetching, openRoots, walkRoots } from './open-roots.ts'
import { analyzeAll } from './parse-pool.ts'
import {
  describeReading,
  isBelow,
  type KnownState,
  mentionOptions,
  planWork,
  type ReadingOptions,
  type WorkPlan,
} from './plan-work.ts'
import { readModuleSettings, textsBelow } from './read-module-settings.ts'
import { confirmSize, nothingIndexed } from './refuse-indexing.ts'
import { resolveReferences } from './resolve-references.ts'

/** The corpus file inside the index folder. */
export const indexFileName = 'index.db'

/** Documents become visible to readers after so many bytes of source. */
const COMMIT_BYTES = 64 * 1024 * 1024

interface IndexCorpusOptions extends EmbedAllOptions {
  readonly root: string
  readonly indexDir: string
  readonly paths: readonly string[]
  readonly rebuild: boolean
  /** What of other sources is fetched; nothing unless somebody asks for it. */
  readonly fetching?: Fetching
  /** Asked before a first index of many files is built; without it nobody is. */
  readonly confirm?: (size: CorpusSize) => Promise<boolean>
  /** Files that are given instead of walked to. */
  readonly changes?: CorpusChanges
  /** What a look at the whole folder found to be different, where it found nothing but documents that changed. */
  readonly touched?: TouchedDocuments | undefined
}

export interface TouchedDocuments {
  readonly paths: readonly string[]
  /** Milliseconds since 1970 before which the look began. */
  readonly since: number
}

/** Stands for the commit outside a checkout and before the first one. */
const noCommit = 'none'

function asStoreError(cause: unknown, indexDir: string): unknown {
  if (cause instanceof YoreError) return cause
  const message = (cause as Error).message ?? ''
  const full = asFull(cause, indexDir)
  if (full !== null) return full
  if (/database is locked/i.test(message))
    return new YoreError('INDEX_LOCKED', 'the index is locked', { cause })
  if (isRefusal(cause)) return noPermission(indexDir, cause)
  return cause
}

/** Files with a longer line are skipped: they are data. */
const MOST_LINE_LENGTH = 100_000

function readingOf(settings: Settings, codeNames: boolean): ReadingOptions {
  return {
    mentions: mentionOptions(settings, codeNames),
    limits: { maxFileSize: settings.maxFileSize, maxLineLength: MOST_LINE_LENGTH },
    maskSecrets: settings.maskSecrets === 'on',
  }
}

/** Brings the index up to date with the files. */
export async function indexCorpus(options: IndexCorpusOptions): Promise<IndexReport> {
  const { indexDir } = options
  const isNew = !existsSync(indexDir)
  let lock: WriterLock | null = null
  try {
    requireSqlite()
    refuseLinkedFolder(indexDir, options.root)
    lock = takeWriterLock(indexDir)
    return await indexLocked(options)
  } catch (cause) {
    if (isNew && isNothing(cause)) clearHome(indexDir, options.env)
    throw asStoreError(cause, indexDir)
  } finally {
    lock?.release()
    if (isNew) leaveHome(indexDir)
  }
}

/** Nothing was indexed: there was nothing, or nobody wanted it. */
function isNothing(cause: unknown): boolean {
  return cause instanceof YoreError && (cause.code === 'NOTHING_INDEXED' || cause.code === 'NO_INDEX')
}

/** What the user must know of the index folder. */
function noticesOf(setAsideAt: string | null, { env }: IndexCorpusOptions): readonly string[] {
  const moved = `what lay there was not built by your yore and was set aside in ${setAsideAt}; delete it if you do not need it`
  return [setAsideAt === null ? null : moved, withoutTokens(env)].filter((notice) => notice !== null)
}

async function indexLocked(options: IndexCorpusOptions): Promise<IndexReport> {
  const started = performance.now()
  const indexPath = join(options.indexDir, indexFileName)
  const { db, created, file, setAsideAt } = openForWriting(indexPath, options)
  try {
    const run = new IndexRun(options, { reader: new CorpusReader(db), writer: new CorpusWriter(db) })
    const outcome = await run.go()
    if (outcome.files === 0) throw nothingIndexed(options.root, outcome)
    const vectors = await embedAll(db, options)
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    db.close()
    if (file !== indexPath) replaceDatabase(file, indexPath, options.env)
    const indexBytes = statSync(indexPath).size
    return {
      ...outcome,
      vectors,
      root: options.root,
      indexPath,
      rebuilt: created,
      indexBytes,
      notices: [...noticesOf(setAsideAt, options), ...outcome.notices],
      milliseconds: performance.now() - started,
    }
  } catch (cause) {
    if (db.isOpen) db.close()
    if ((created && isNothing(cause)) || file !== indexPath) deleteDatabase(file)
    throw cause
  }
}

/** One run from the walk to the last commit. */
class IndexRun {
  readonly #options: IndexCorpusOptions
  readonly #reader: CorpusReader
  readonly #writer: CorpusWriter
  readonly #given: GivenFiles | null
  /** The part of the corpus that this run looks at; nothing for all of it. */
  #scope: readonly string[]
  /** Set when all the rest is known to be as it was. */
  #touched: TouchedDocuments | null = null
  #roots: CorpusRoots
  /** Folders of the corpus that hold a version of something from elsewhere. */
  #origins: ReadonlyMap<string, string> = new Map()
  readonly #skipped: SkippedFile[] = []
  readonly #changed: string[] = []
  readonly #warnings: string[] = []
  /** The settings that all references were resolved with before this run; empty when they were not. */
  #resolvedWith: string | null = null
  /** The checksum of what documents are called by others, before this run. */
  #namesSum = ''
  /** The commit that is checked out, and whether it is another than before. */
  #head = noCommit
  #headMoved = false
  /** When files were last committed: of all, when the commit is another than before, else of what is read. */
  #commitTimes: ReadonlyMap<string, number> | null = null
  #renamed = false
  /** Whether the index is empty, and whether what it holds was read as this run reads. */
  #isNew = false
  #isReadAlike = false
  #totals = { tokens: 0, sourceBytes: 0 }
  #indexed = 0
  #bytesDone = 0
  #filesDone = 0

  constructor(options: IndexCorpusOptions, store: { reader: CorpusReader; writer: CorpusWriter }) {
    this.#options = options
    this.#roots = { root: options.root, named: [] }
    this.#scope = options.paths
    this.#reader = store.reader
    this.#writer = store.writer
    const { changes, settings } = options
    this.#given = changes === undefined ? null : new GivenFiles(store.reader, changes, settings.maxFileSize)
  }

  async go(): Promise<
    Omit<IndexReport, 'root' | 'indexPath' | 'rebuilt' | 'indexBytes' | 'milliseconds' | 'vectors'>
  > {
    const { settings, clock } = this.#options
    const given = this.#given
    this.#findTouched()
    const startedAt = this.#touched?.since ?? clock()
    const paths = this.#scope
    this.#report('looking', 0, 0)
    const walk = given?.walk() ?? (await this.#walk())
    this.#filesDone = 0
    await confirmSize(walk.files, this.#options)
    const before = this.#reader.files(this.#touched?.paths)
    this.#isNew = before.length === 0
    this.#resolvedWith = this.#reader.meta('resolvedWith')
    this.#namesSum = this.#reader.meta('namesSum') ?? ''
    // Documents may name code when the corpus holds any, wherever this run looks.
    const elsewhere = before.filter(({ path }) => !isBelow(path, paths))
    const codeNames =
      this.#touched === null
        ? [...walk.files, ...elsewhere].some(({ path }) => isCodeFile(path) || isNotebook(path))
        : this.#namedCode()
    const reading = readingOf(settings, codeNames)
    const known = this.#whatIsKnown(before, reading)
    const facts = { ...known, paths: before.map(({ path }) => path) }
    const plan = given?.plan(walk, facts) ?? planWork(walk, facts, paths)
    this.#skipped.push(...walk.skipped, ...plan.refused)
    const others = this.#touched === null ? 0 : this.#reader.count('files') - before.length
    const unchanged = others + plan.unchanged + (await this.#writeChanges(plan, reading))
    this.#writeFacts(walk, { startedAt, plan, reading })
    // What the index quotes no more is not needed on this machine any more, but by another corpus.
    if (given === null && paths.length === 0)
      dropUnusedSources({ ...this.#options, named: this.#roots.named, now: clock() })
    return {
      indexed: this.#indexed,
      unchanged,
      removed: plan.removed.length,
      skipped: this.#skipped.map(({ path, reason, detail }) => ({ path, reason, detail })),
      ignored: this.#touched === null ? walk.ignored : Number(this.#reader.meta('ignored') ?? 0),
      unsupported: walk.unsupported,
      files: this.#reader.count('files'),
      sections: this.#reader.count('artifacts'),
      ...this.#totals,
      notices: this.#warnings,
    }
  }

  /** Whether documents were read for names of code the last time; the same files are there now. */
  #namedCode(): boolean {
    return (JSON.parse(this.#reader.meta('readMentions') || '{}') as MentionOptions).codeNames === true
  }

  /** A run that does not look at the rest must find it as a whole run with these settings left it. */
  #findTouched(): void {
    const { touched, settings } = this.#options
    const meta = (key: string): string => this.#reader.meta(key) ?? ''
    this.#head = (this.#given === null ? this.#readHeads() : this.#reader.meta('gitHead')) ?? noCommit
    this.#headMoved = this.#head !== this.#reader.meta('gitHead')
    if (touched === undefined || this.#headMoved || meta('roots') !== '' || meta('origins') !== '') return
    const { mentions, limits } = describeReading(readingOf(settings, this.#namedCode()))
    const isAsBefore =
      meta('readMentions') === mentions &&
      meta('readLimits') === limits &&
      meta('resolvedWith') === JSON.stringify(settings.ids) &&
      meta('fedBy') === 'walk' &&
      meta('indexedAt') !== ''
    if (!isAsBefore) return
    this.#touched = touched
    this.#scope = touched.paths
  }

  async #walk(): Promise<WalkResult> {
    const { settings } = this.#options
    const paths = this.#scope
    const opened = await openRoots(this.#options)
    this.#warnings.push(...opened.notices)
    this.#roots = opened
    const onFound = (files: number): void => {
      this.#filesDone = files
      this.#report('looking', 0, 0)
    }
    const { walk, origins } = walkRoots(opened, settings, { paths, onFound })
    this.#origins = new Map(origins.map(({ name, origin }) => [name, origin]))
    return walk
  }

  /** What is checked out in each root that git knows. */
  #readHeads(): string {
    const others = this.#roots.named.flatMap(({ name, folder, isLaid }) => {
      const head = isLaid ? null : readGitHead(folder)
      return head === null ? [] : [`${name} ${head}`]
    })
    return [readGitHead(this.#options.root) ?? noCommit, ...others].join('\n')
  }

  /** The version of what a file comes from; of folders in each other the inner one. */
  #originOf(path: string): string | undefined {
    if (this.#origins.size === 0) return undefined
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const origin = this.#origins.get(path.slice(0, end))
      if (origin !== undefined) return origin
    }
    return undefined
  }

  #report(phase: IndexProgress['phase'], total: number, bytesTotal: number): void {
    this.#options.onProgress?.({
      phase,
      done: this.#filesDone,
      total,
      bytesDone: this.#bytesDone,
      bytesTotal,
    })
  }

  /** Other limits: every file is opened again. Other mentions: every file is parsed again, too. */
  #whatIsKnown(before: readonly FileRow[], reading: ReadingOptions): KnownState {
    const { mentions, limits } = describeReading(reading)
    const isParsed = this.#reader.meta('readMentions') === mentions
    const isJudged = this.#reader.meta('readLimits') === limits
    this.#isReadAlike = isParsed && isJudged
    const origins = new Map(JSON.parse(this.#reader.meta('origins') || '[]') as [string, string][])
    // What stands beside its citations is stored with a file: of another version it is read again.
    const moved = [...new Set([...origins.keys(), ...this.#origins.keys()])].filter(
      (name) =>
        this.#given === null && this.#scope.length === 0 && origins.get(name) !== this.#origins.get(name),
    )
    const stays = ({ path }: { readonly path: string }): boolean =>
      moved.length === 0 || !isBelow(path, moved)
    const stored = (): FileStamp[] =>
      this.#touched === null ? this.#reader.stamps() : this.#reader.stampsOf(this.#touched.paths)
    const stamps = isParsed && isJudged ? stored().filter(stays) : []
    return {
      hashes: new Map(
        isParsed ? before.filter(stays).map(({ path, contentHash }) => [path, contentHash]) : [],
      ),
      stamps: new Map(stamps.map((stamp) => [stamp.path, stamp])),
      refused: new Map(isJudged ? this.#reader.refused().map((file) => [file.path, file]) : []),
      indexedAt: Number(this.#reader.meta('indexedAt') ?? 0),
    }
  }

  /** Until a run has ended, what it found out holds for some files only: should it be cut off, the next one knows. */
  #markUnfinished(plan: WorkPlan): void {
    if (plan.tasks.length > 0 || plan.removed.length > 0)
      for (const key of ['resolvedWith', 'namesSum']) this.#writer.setMeta(key, '')
    if (this.#headMoved) this.#writer.setMeta('gitHead', '')
    if (this.#isReadAlike) return
    this.#writer.setMeta('readMentions', '')
    this.#writer.setMeta('readLimits', '')
    this.#writer.setMeta('maskSecrets', '')
  }

  /** Returns how many of the files turned out to be unchanged. */
  async #writeChanges(plan: WorkPlan, { mentions, limits, maskSecrets }: ReadingOptions): Promise<number> {
    const { settings } = this.#options
    const writer = this.#writer
    this.#commitTimes = this.#readCommitTimes(plan.tasks)
    const files = plan.tasks.map((task) => {
      const origin = this.#originOf(task.path)
      const committedAt = this.#commitTimes?.get(task.path) ?? null
      return { ...task, committedAt, ...(origin === undefined ? {} : { origin }) }
    })
    const bytesTotal = files.reduce((sum, file) => sum + file.size, 0)
    let unchanged = 0
    let pending = 0
    writer.begin()
    try {
      // The folder may have been moved.
      writer.setMeta('root', this.#options.root)
      writer.setMeta(
        'place',
        placeInRoot(join(this.#options.indexDir, indexFileName), this.#options.root) ?? '',
      )
      this.#markUnfinished(plan)
      for (const path of plan.removed) writer.removeDocument(path)
      for await (const result of analyzeAll(
        { root: this.#roots, files, limits, mentions, maskSecrets },
        { workers: settings.workers },
      )) {
        const { documents } = result.batch
        const refused = writer.addBatch(result.batch)
        for (const skip of result.skipped) if (writer.removeDocument(skip.path)) this.#changed.push(skip.path)
        for (const file of result.unchanged) {
          writer.touchFile(file)
          writer.setModifiedAt(file.path, file.modifiedAt)
        }
        this.#skipped.push(...result.skipped, ...refused)
        this.#warnings.push(...result.warnings)
        unchanged += result.unchanged.length
        for (const { path } of documents) this.#changed.push(path)
        this.#indexed += documents.length - refused.length
        this.#filesDone += documents.length + result.unchanged.length + result.skipped.length
        const bytes = documents.reduce((sum, document) => sum + document.size, 0)
        this.#bytesDone += bytes
        pending += bytes
        this.#report('reading', files.length, bytesTotal)
        if (pending < COMMIT_BYTES) continue
        writer.commit()
        writer.begin()
        pending = 0
      }
      this.#report('merging', files.length, bytesTotal)
      writer.commit()
    } catch (cause) {
      writer.rollback()
      throw cause
    }
    return unchanged
  }

  #readCommitTimes(tasks: readonly FileStamp[]): ReadonlyMap<string, number> | null {
    if (this.#given !== null || this.#head === noCommit || (tasks.length === 0 && !this.#headMoved))
      return null
    const paths = tasks.map((task) => task.path)
    const times = readCommitTimes(this.#options.root, this.#headMoved ? undefined : paths)
    const named = this.#roots.named.filter(({ isLaid }) => !isLaid)
    if (named.length === 0) return times
    const all = new Map(times ?? [])
    for (const { name, folder } of named)
      for (const [path, time] of readCommitTimes(folder) ?? []) all.set(`${name}/${path}`, time)
    return all
  }

  /** Another commit changes when files were last touched, also of files whose text is the same as before. */
  #refreshCommitTimes(): void {
    if (!this.#headMoved) return
    for (const { path, mtime, modifiedAt } of this.#reader.files()) {
      const time = this.#commitTimes?.get(path) ?? Math.trunc(mtime)
      if (time !== modifiedAt) this.#writer.setModifiedAt(path, time)
    }
    this.#writer.setMeta('gitHead', this.#head)
  }

  /** Says whether links to files came, went or lead elsewhere: references may name them. */
  #setOtherNames(walk: WalkResult): boolean {
    const names = JSON.stringify(walk.otherNames)
    const before = this.#reader.meta('otherNames') ?? '{}'
    this.#writer.setMeta('otherNames', names)
    return names !== before
  }

  /** References lead where they should again, after whatever changed. */
  #resolve(plan: WorkPlan, paths: readonly string[]): void {
    const resolvedWith = JSON.stringify(this.#options.settings.ids)
    const everything = this.#renamed || this.#resolvedWith !== resolvedWith
    const changedPaths = [...this.#changed, ...plan.removed]
    // Files that say how modules are named may lie outside the corpus, ignored: they are looked at themselves.
    const readText = this.#given === null ? textsBelow(this.#roots) : this.#given.textOf
    const modules = JSON.stringify(readModuleSettings(readText, paths))
    const isTouched = changedPaths.length > 0 && !this.#writer.isQuiet
    const families = parseIdFamilies(this.#options.settings.ids)
    const otherModules = modules !== this.#reader.meta('modules')
    const isDoubtful = everything || isTouched || otherModules
    const store = { reader: this.#reader, writer: this.#writer }
    if (isDoubtful) resolveReferences(store, { everything, changedPaths, otherModules, families, readText })
    if (isDoubtful || this.#writer.hasOtherNames)
      this.#writer.setNames(this.#reader.references(), families, everything ? null : changedPaths)
    else this.#writer.setMeta('namesSum', this.#namesSum)
    this.#writer.setMeta('modules', modules)
    this.#writer.setMeta('resolvedWith', resolvedWith)
  }

  /** What was left out before and was not looked at now, with what is left out now. */
  #allSkipped({ paths }: TouchedDocuments): SkippedFile[] {
    const now = new Set(paths)
    return [...this.#reader.skips().filter(({ path }) => !now.has(path)), ...this.#skipped]
  }

  /** What is true of the whole index after this run. */
  #writeFacts(
    walk: WalkResult,
    { startedAt, plan, reading }: { startedAt: number; plan: WorkPlan; reading: ReadingOptions },
  ): void {
    const writer = this.#writer
    const whole = this.#scope.length === 0
    writer.begin()
    try {
      if (this.#touched !== null) writer.replaceSkipped(this.#allSkipped(this.#touched))
      if (whole) {
        writer.replaceSkipped(this.#skipped)
        writer.replaceDirectories(walk.directories)
        writer.setMeta('ignoreFiles', JSON.stringify(walk.ignoreFiles))
        writer.setMeta('ignored', String(walk.ignored))
        this.#renamed = this.#setOtherNames(walk)
        writer.setMeta('unsupported', JSON.stringify(walk.unsupported))
      }
      const isWalked = whole && this.#given === null
      const walked = this.#origins.size === 0 ? '' : JSON.stringify([...this.#origins])
      const origins = isWalked ? walked : (this.#reader.meta('origins') ?? '')
      if (this.#given === null) {
        const { named } = this.#roots
        writer.setMeta('roots', named.length === 0 ? '' : JSON.stringify(named))
        if (isWalked) writer.setMeta('origins', origins)
      }
      writer.setMeta('fedBy', this.#given === null ? 'walk' : 'changes')
      this.#resolve(plan, this.#reader.paths())
      this.#refreshCommitTimes()
      // A run over a part says nothing of the rest: not when it was looked at, nor how it was read.
      if (whole || this.#touched !== null || this.#reader.meta('indexedAt') === null)
        writer.setMeta('indexedAt', String(startedAt))
      if (whole || this.#isNew) {
        const { mentions, limits } = describeReading(reading)
        writer.setMeta('readMentions', mentions)
        writer.setMeta('readLimits', limits)
        writer.setMeta('maskSecrets', this.#options.settings.maskSecrets)
      }
      if (!this.#isReadAlike) writer.contents.forget()
      const { sum, tokens, bytes } = writer.contents.finish()
      // Identifies what is in the index, whatever the history that led to it.
      writer.setMeta('fingerprint', hash('sha256', sum + origins))
      this.#totals = { tokens, sourceBytes: bytes }
      writer.commit()
    } catch (cause) {
      writer.rollback()
      throw cause
    }
  }
}
