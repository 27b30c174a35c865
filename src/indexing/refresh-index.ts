// Is the index still what the files say? Changed files are indexed first when that is quick; otherwise the answer says so.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '../config/engine-options.ts'
import type { Settings } from '../config/settings.ts'
import { YoreError } from '../errors.ts'
import type { Freshness } from '../model/report.ts'
import { checkFreshness } from '../source/check-freshness.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'

/** What one thread indexes in a second on a slow laptop, for guessing how long a refresh takes. */
const BYTES_PER_SECOND = 1_500_000
const FILES_PER_SECOND = 300

interface RefreshOptions extends Surroundings {
  readonly root: string
  readonly indexDir: string
  readonly settings: Settings
  readonly refresh: 'auto' | 'never'
}

/** The files that an index lacks whose first run did not finish. The walk is large: only this case loads it. */
async function findMissing(
  reader: CorpusReader,
  { root, settings }: Pick<RefreshOptions, 'root' | 'settings'>,
): Promise<readonly string[]> {
  const { walkFiles } = await import('../source/walk-files.ts')
  const known = new Set(reader.stamps().map(({ path }) => path))
  const { files } = walkFiles(root, {
    maxFileSize: settings.maxFileSize,
    extraIgnore: [...settings.ignore],
  })
  return files.map(({ path }) => path).filter((path) => !known.has(path))
}

/** How the index stands to the files: which known files changed or are missing, and whether folders did. */
export async function lookAtFreshness(
  reader: CorpusReader,
  options: Pick<RefreshOptions, 'root' | 'settings'>,
): Promise<Freshness & { readonly touched: readonly string[] }> {
  const known = reader.snapshot(() => ({
    files: reader.stamps(),
    directories: reader.directories(),
    ignoreFiles: JSON.parse(reader.meta('ignoreFiles') ?? '[]') as [],
    indexedAt: Number(reader.meta('indexedAt') ?? 0),
    maskSecrets: reader.meta('maskSecrets'),
  }))
  const { indexedAt, files } = known
  // The time is written last: an index without one was never finished.
  if (indexedAt === 0) {
    const touched = await findMissing(reader, options)
    return { state: 'incomplete', changedFiles: touched.length, indexedAt, touched }
  }
  // What was given to it is nowhere else.
  if (reader.meta('fedBy') === 'changes') return { state: 'fresh', changedFiles: 0, indexedAt, touched: [] }
  // Every text has to be read again to be masked, or not to be.
  if (known.maskSecrets !== options.settings.maskSecrets)
    return { state: 'stale', changedFiles: files.length, indexedAt, touched: files.map(({ path }) => path) }
  const found = checkFreshness(options.root, known)
  if (found.fresh) return { state: 'fresh', changedFiles: 0, indexedAt, touched: [] }
  const changedFiles = Math.max(found.touched.length, found.directoriesChanged ? 1 : 0)
  return { state: 'stale', changedFiles, indexedAt, touched: found.touched }
}

/** Do all these files hold what was indexed? */
async function holdSame(
  reader: CorpusReader,
  { root, settings }: RefreshOptions,
  touched: readonly string[],
): Promise<boolean> {
  const [{ readBytesInside }, { hash }] = await Promise.all([
    import('../source/read-bytes-inside.ts'),
    import('node:crypto'),
  ])
  return touched.every((path) => {
    const read = readBytesInside(root, path, settings.maxFileSize)
    return 'bytes' in read && reader.fileByPath(path)?.contentHash === hash('sha256', read.bytes, 'hex')
  })
}

function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0 // In a folder that may not be entered.
  }
}

function expectedMilliseconds(root: string, touched: readonly string[]): number {
  const bytes = touched.reduce((sum, path) => sum + sizeOf(join(root, path)), 0)
  return 1000 * (bytes / BYTES_PER_SECOND + touched.length / FILES_PER_SECOND)
}

/** Refreshes when asked to and when it is quick; says how it went. */
export async function refreshIndex(reader: CorpusReader, options: RefreshOptions): Promise<Freshness> {
  const { touched, ...found } = await lookAtFreshness(reader, options)
  if (found.state === 'fresh' || options.refresh === 'never') return found
  if (expectedMilliseconds(options.root, touched) > options.settings.refreshMilliseconds) return found
  try {
    // The indexing side is large: a question over a fresh index never loads it.
    const { indexCorpus } = await import('./index-corpus.ts')
    const report = await indexCorpus({ ...options, paths: [], rebuild: false, embedding: 'brief' })
    const changedFiles = report.indexed + report.removed
    return { state: changedFiles > 0 ? 'refreshed' : 'fresh', changedFiles, indexedAt: found.indexedAt }
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
    if (cause.code === 'NO_PERMISSION') {
      // Rights or owner of a file may have changed, and nothing in it.
      const isSame = found.changedFiles === touched.length && (await holdSame(reader, options, touched))
      return isSame ? { ...found, state: 'fresh', changedFiles: 0 } : { ...found, readOnly: true }
    }
    // Another process is writing: this answer comes from the state before.
    if (cause.code === 'INDEX_LOCKED' || cause.code === 'DISK_FULL') return found
    throw cause
  }
}
