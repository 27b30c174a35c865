// Is the index up to date? Changed files are indexed first when that is quick; otherwise the answer says so.
import { relative } from 'node:path'
import type { EngineOptions, Surroundings } from '../../model/config/engine-options.ts'
import { YoreError } from '../../model/errors.ts'
import type { Freshness } from '../../model/report.ts'
import type { FileStamp } from '../../model/source-file.ts'
import { describeFailure } from '../../read/source/describe-failure.ts'
import { hasGitHeadMoved } from '../../read/source/git/run-git.ts'
import { changedAmong, checkFreshness, look } from '../../read/source/walk/check-freshness.ts'
import { asRoot, placeOnDisk, type Root } from '../../read/source/walk/corpus-roots.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { TouchedDocuments } from './choose-work.ts'
import { describeUnchecked } from './describe-freshness.ts'

/** Bytes that one thread indexes in a second on a slow laptop. Parsing takes nearly all of the time for Swift. */
const BYTES_PER_SECOND = 1_500_000
const SWIFT_PER_SECOND = 180_000

/** Seconds that one thread takes to index these, on a slow laptop. */
export function expectedSeconds(files: readonly Pick<FileStamp, 'path' | 'size'>[]): number {
  const secondsOf = ({ path, size }: Pick<FileStamp, 'path' | 'size'>): number =>
    size / (path.endsWith('.swift') ? SWIFT_PER_SECOND : BYTES_PER_SECOND)
  return files.reduce((sum, file) => sum + secondsOf(file), files.length / 300)
}

/** With more changed files than this the whole folder is walked. */
const FEW_TOUCHED = 100

/** Files checked before an answer, the last indexed first: about 80 ms on a slow disk. */
const MOST_LOOKS = 20_000

interface RefreshOptions extends Surroundings, Pick<EngineOptions, 'root' | 'indexDir' | 'settings'> {
  /** Longest expected time of a refresh before a question; REFRESH_MILLISECONDS by default. */
  readonly refreshMilliseconds?: number
}

const REFRESH_MILLISECONDS = 1_000

/** The files that an unfinished first run has not indexed. Loads the walk, which is large, on demand. */
async function findMissing(
  reader: CorpusReader,
  options: Pick<RefreshOptions, 'root' | 'settings'> & Partial<Surroundings>,
): Promise<readonly string[]> {
  const { openRoots, walkRoots } = await import('./open-roots.ts')
  const known = new Set(reader.stamps().map(({ path }) => path))
  const { walk } = walkRoots(await openRoots({ ...options, env: options.env ?? {} }), options.settings)
  return walk.files.map(({ path }) => path).filter((path) => !known.has(path))
}

/** The roots of an index. */
export const rootsOf = (reader: CorpusReader, root: string): Root => asRoot(root, reader.meta('roots'))

interface Differences {
  readonly touched: readonly string[]
  /** True if everything was checked, and only these documents may differ. */
  readonly isConfined?: boolean
}

/**
 * Compares the index with the files: which known files changed or are missing, and whether folders did. `most` limits
 * the files to those indexed last.
 */
export async function lookAtFreshness(
  reader: CorpusReader,
  options: Pick<RefreshOptions, 'root' | 'indexDir' | 'settings'> & Partial<Surroundings>,
  most?: number,
): Promise<Freshness & Differences> {
  const unchecked = describeUnchecked(reader, options.indexDir)
  const { indexedAt } = unchecked
  if (unchecked.state === 'incomplete') {
    const touched = await findMissing(reader, options)
    return { ...unchecked, changedFiles: touched.length, touched }
  }
  if (unchecked.state === 'fresh') return { ...unchecked, touched: [] }
  // Every text must be read again, to be masked or not.
  if (reader.meta('maskSecrets') !== options.settings.maskSecrets) {
    const touched = reader.stamps().map(({ path }) => path)
    return { state: 'stale', changedFiles: touched.length, indexedAt, touched }
  }
  const known = reader.snapshot(() => reader.lastWalk(most))
  const found = checkFreshness(rootsOf(reader, options.root), known)
  const { length } = known.files
  const compared = length < known.count ? { compared: { files: length, of: known.count } } : {}
  if (found.fresh) {
    // A commit changes dates, and no file.
    const before = reader.meta('gitHead')
    const state = before !== null && hasGitHeadMoved(options.root, before) ? 'stale' : 'fresh'
    return { state, changedFiles: 0, indexedAt, touched: [], ...compared }
  }
  const changedFiles = Math.max(found.touched.length, found.directoriesChanged ? 1 : 0)
  const isConfined = !found.directoriesChanged && !('compared' in compared)
  return { state: 'stale', changedFiles, indexedAt, touched: found.touched, isConfined, ...compared }
}

/** Which of these documents changed since they were indexed? */
export const findChanged = (reader: CorpusReader, root: string, paths: Iterable<string>): readonly string[] =>
  changedAmong(rootsOf(reader, root), reader.stampsOf([...new Set(paths)]))

/** Do all these files have the indexed content? */
async function holdSame(
  reader: CorpusReader,
  { root, settings }: RefreshOptions,
  touched: readonly string[],
): Promise<boolean> {
  const [{ readBytesInside }, { sizeLimit }, { hash }] = await Promise.all([
    import('../../read/source/read-bytes-inside.ts'),
    import('../../read/source/walk/walk-options.ts'),
    import('node:crypto'),
  ])
  const roots = rootsOf(reader, root)
  return touched.every((path) => {
    const read = readBytesInside(roots, path, sizeLimit(path, settings.maxFileSize))
    return 'bytes' in read && reader.fileByPath(path)?.contentHash === hash('sha256', read.bytes, 'hex')
  })
}

const isFile = (path: string): boolean => look(path)?.isFile() === true

function expectedMilliseconds(root: Root, touched: readonly string[]): number {
  const sizeOf = (path: string): number => look(placeOnDisk(root, path))?.size ?? 0
  return 1000 * expectedSeconds(touched.map((path) => ({ path, size: sizeOf(path) })))
}

export interface RefreshNow {
  /** Documents that are known to have changed. */
  readonly changed?: readonly string[] | undefined
  readonly most?: number | undefined
}

/** Errors after which the index cannot answer. After other errors the answer comes from the index as it is. */
const unusable: ReadonlySet<string> = new Set([
  ...['NO_INDEX', 'INDEX_FOREIGN', 'WRONG_ROOT', 'INDEX_NEWER', 'INDEX_OUTDATED', 'INDEX_DAMAGED'],
  ...['NOTHING_INDEXED', 'WRONG_NODE'],
])

/** Refreshes when that is quick, and returns what it did. Throws only when the index cannot answer. */
export async function refreshIndex(reader: CorpusReader, options: RefreshOptions, now: RefreshNow = {}) {
  try {
    return await lookAndRefresh(reader, options, now)
  } catch (cause) {
    if (cause instanceof YoreError && unusable.has(cause.code)) throw cause
    return { ...describeUnchecked(reader, options.indexDir), failure: describeCause(cause, options.root) }
  }
}

/** The message of an error, with the file as the user names it. */
function describeCause(cause: unknown, root: string): string {
  const { message, path: file } = cause as NodeJS.ErrnoException
  if (cause instanceof YoreError || typeof file !== 'string') return message ?? String(cause)
  return `${relative(root, file).replaceAll('\\', '/')}: ${describeFailure(cause)}`
}

async function lookAndRefresh(
  reader: CorpusReader,
  options: RefreshOptions,
  { changed = [], most = MOST_LOOKS }: RefreshNow,
): Promise<Freshness> {
  const since = options.clock()
  const root = rootsOf(reader, options.root)
  const { touched, isConfined, ...found } = await lookAtFreshness(reader, options, most)
  const all = [...new Set([...touched, ...changed])]
  if (found.state === 'fresh' && all.length === 0) return found
  const isRestKnown = isConfined === true || (found.state === 'fresh' && !('compared' in found))
  const isFew = all.length <= FEW_TOUCHED && all.every((path) => isFile(placeOnDisk(root, path)))
  const known = isRestKnown && isFew ? { paths: all, since } : undefined
  const changedFiles = Math.max(found.changedFiles, all.length)
  const stale: Freshness = found.state === 'fresh' ? { ...found, state: 'stale', changedFiles } : found
  return readAgain(reader, { ...options, touched: known }, { touched: all, found: stale })
}

async function readAgain(
  reader: CorpusReader,
  options: RefreshOptions & { readonly touched: TouchedDocuments | undefined },
  { touched, found }: { readonly touched: readonly string[]; readonly found: Freshness },
): Promise<Freshness> {
  const most = options.refreshMilliseconds ?? REFRESH_MILLISECONDS
  if (expectedMilliseconds(rootsOf(reader, options.root), touched) > most) return found
  try {
    // Loaded on demand: a question over a fresh index does not need the indexing code.
    const [{ indexCorpus }, { isReadAlike }] = await Promise.all([
      import('./index-corpus.ts'),
      import('./choose-work.ts'),
    ])
    // Otherwise a run reads every file again, the unchanged ones too.
    if (!isReadAlike(reader, options.settings) && 1000 * expectedSeconds(reader.stamps()) > most) return found
    const report = await indexCorpus({ ...options, paths: [], rebuild: false })
    const changedFiles = report.indexed + report.removed
    return { state: changedFiles > 0 ? 'refreshed' : 'fresh', changedFiles, indexedAt: found.indexedAt }
  } catch (cause) {
    const code = cause instanceof YoreError ? cause.code : ''
    if (code === 'NO_PERMISSION') {
      // The rights or the owner of a file may have changed, but not its content.
      const isSame = found.changedFiles === touched.length && (await holdSame(reader, options, touched))
      return isSame ? { ...found, state: 'fresh', changedFiles: 0 } : { ...found, readOnly: true }
    }
    // Another process is writing.
    if (code === 'INDEX_LOCKED') return found
    if (unusable.has(code)) throw cause
    return { ...found, failure: describeCause(cause, options.root) }
  }
}
