// How do changed files get into the index? Threads analyse them; each batch is written, and committed every 16 MB.
import { join } from 'node:path'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import { readCommitTimes, readCommittedSince } from '../../read/source/git/read-commit-times.ts'
import { placeInRoot } from '../store/open-database.ts'
import {
  type IndexRun,
  noCommit,
  type RunPlan,
  type RunScope,
  reportProgress,
  type WalkedCorpus,
} from './choose-work.ts'
import { analyzeAll } from './parse-pool.ts'

/** The corpus file inside the index folder. */
export const indexFileName = 'index.db'

/** Bytes of source after which documents become visible to readers, and survive the end of the process. */
const COMMIT_BYTES = 16 * 1024 * 1024

export interface WrittenDocuments {
  readonly indexed: number
  /** Files that were read and turned out to be the same. */
  readonly unchanged: number
  /** Paths of documents that were added, changed or skipped. */
  readonly changed: readonly string[]
  readonly skipped: readonly SkippedFile[]
  readonly warnings: readonly string[]
  /** Times of the last commits: of all files if the history is another one, else of those that were read or committed. */
  readonly commitTimes: ReadonlyMap<string, number> | null
  /** The files whose commit may be another one; null for all. */
  readonly committed: ReadonlySet<string> | null
}

export interface Stages {
  readonly scope: RunScope
  readonly walked: WalkedCorpus
  readonly plan: RunPlan
}

/** Calls `write` in one transaction or, when it commits itself, in several. */
export async function inTransaction<T>({ writer }: IndexRun, write: () => T | Promise<T>): Promise<T> {
  writer.begin()
  try {
    const result = await write()
    writer.commit()
    return result
  } catch (cause) {
    writer.rollback()
    throw cause
  }
}

export async function writeDocuments(run: IndexRun, stages: Stages): Promise<WrittenDocuments> {
  const { options, writer } = run
  const { walked, plan } = stages
  const committed = findCommitted(run, stages)
  const commitTimes = findCommitTimes(run, stages, committed)
  const files = plan.tasks.map((task) => {
    const origin = originOf(task.path, walked.origins)
    const committedAt = commitTimes?.get(task.path) ?? null
    return { ...task, committedAt, ...(origin === null ? {} : { origin }) }
  })
  const total = files.length
  const bytesTotal = files.reduce((sum, file) => sum + file.size, 0)
  const skipped: SkippedFile[] = []
  const warnings: string[] = []
  const changed: string[] = []
  let [indexed, unchanged, done, bytesDone, uncommitted] = [0, 0, 0, 0, 0]
  await inTransaction(run, async () => {
    // The folder may have been moved.
    writer.setMeta('root', options.root)
    writer.setMeta('place', placeInRoot(join(options.indexDir, indexFileName), options.root) ?? '')
    markUnfinished(run, stages)
    for (const path of plan.removed) writer.removeDocument(path)
    const { limits, mentions, maskSecrets } = plan.reading
    const work = { root: walked.roots, files, limits, mentions, maskSecrets }
    for await (const result of analyzeAll(work, { workers: options.settings.workers })) {
      const { documents } = result.batch
      const refused = writer.addBatch(result.batch)
      for (const { path } of result.skipped) if (writer.removeDocument(path)) changed.push(path)
      for (const file of result.unchanged) {
        writer.touchFile(file)
        writer.setModifiedAt(file.path, file.modifiedAt)
      }
      skipped.push(...result.skipped, ...refused)
      warnings.push(...result.warnings)
      unchanged += result.unchanged.length
      changed.push(...documents.map(({ path }) => path))
      indexed += documents.length - refused.length
      done += documents.length + result.unchanged.length + result.skipped.length
      const bytes = documents.reduce((sum, document) => sum + document.size, 0)
      bytesDone += bytes
      uncommitted += bytes
      reportProgress(run, 'reading', { done, total, bytesDone, bytesTotal })
      if (uncommitted < COMMIT_BYTES) continue
      writer.commit()
      writer.begin()
      uncommitted = 0
    }
    reportProgress(run, 'merging', { done, total, bytesDone, bytesTotal })
  })
  return { indexed, unchanged, changed, skipped, warnings, commitTimes, committed }
}

/** Clears what a run that is stopped would leave untrue; the last stage writes it again. */
function markUnfinished({ writer }: IndexRun, { scope, plan }: Stages): void {
  if (plan.tasks.length > 0 || plan.removed.length > 0) writer.clearMeta('resolvedWith')
  if (scope.headMoved) writer.clearMeta('gitHead')
  if (!plan.hasSameReading) writer.clearMeta('readMentions', 'readLimits', 'maskSecrets')
}

/** The version of the innermost folder that has one. */
function originOf(path: string, origins: ReadonlyMap<string, string>): string | null {
  if (origins.size === 0) return null
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const origin = origins.get(path.slice(0, end))
    if (origin !== undefined) return origin
  }
  return null
}

/** Only commits since the indexed one are read, if it is an ancestor: the whole history may take seconds. */
function findCommitted({ options, reader }: IndexRun, { scope, walked }: Stages): ReadonlySet<string> | null {
  if (!scope.headMoved || walked.roots.named.length > 0) return null
  const paths = readCommittedSince(options.root, reader.meta('gitHead') ?? noCommit)
  return paths === null ? null : new Set(paths)
}

function findCommitTimes(
  { options, given }: IndexRun,
  { scope, walked, plan }: Stages,
  committed: ReadonlySet<string> | null,
): ReadonlyMap<string, number> | null {
  if (given !== null || scope.head === noCommit || (plan.tasks.length === 0 && !scope.headMoved)) return null
  const paths = [...plan.tasks.map((task: FileStamp) => task.path), ...(committed ?? [])]
  const isAll = scope.headMoved && committed === null
  const times = readCommitTimes(options.root, isAll ? undefined : paths)
  const named = walked.roots.named.filter(({ isCached }) => !isCached)
  if (named.length === 0) return times
  const all = new Map(times ?? [])
  for (const { name, folder } of named)
    for (const [path, time] of readCommitTimes(folder) ?? []) all.set(`${name}/${path}`, time)
  return all
}
