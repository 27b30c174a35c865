// How does a folder become an index? Walk, compare with the index, analyse what changed, write it, resolve references.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { YoreError } from '../../model/errors.ts'
import type { IndexReport } from '../../model/report.ts'
import { dropUnusedSources } from '../../read/source/fetch/cached-sources.ts'
import { CorpusReader } from '../store/corpus-reader.ts'
import { CorpusWriter } from '../store/corpus-writer.ts'
import { openForWriting } from '../store/open-database.ts'
import { clearRecord } from '../store/ownership/build-record.ts'
import { asFull, isRefusal, noPermission } from '../store/ownership/check-permission.ts'
import { requireSqlite } from '../store/ownership/check-sqlite.ts'
import { clearHome, leaveHome, refuseLinkedFolder, withoutTokens } from '../store/ownership/index-home.ts'
import { clearParts } from '../store/ownership/index-part.ts'
import { takeWriterLock, type WriterLock } from '../store/ownership/writer-lock.ts'
import { deleteDatabase, replaceDatabase } from '../store/replace-database.ts'
import {
  chooseScope,
  type IndexCorpusOptions,
  type IndexRun,
  planRun,
  reportProgress,
  walkCorpus,
} from './choose-work.ts'
import { embedAll } from './embed-fragments.ts'
import { takeChanges } from './given-files.ts'
import { limitHeaps } from './parse-pool.ts'
import { nothingIndexed } from './refuse-indexing.ts'
import { indexFileName, writeDocuments } from './write-documents.ts'
import { writeFacts } from './write-facts.ts'

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

/** Brings the index up to date with the files. */
export async function indexCorpus(options: IndexCorpusOptions): Promise<IndexReport> {
  const { indexDir } = options
  const isNew = !existsSync(indexDir)
  let lock: WriterLock | null = null
  try {
    requireSqlite()
    refuseLinkedFolder(indexDir, options.root)
    lock = takeWriterLock(indexDir)
    clearParts(indexDir, options.env)
    return await indexLocked(options)
  } catch (cause) {
    if (isNew && isNothing(cause)) clearHome(indexDir, options.env)
    throw asStoreError(cause, indexDir)
  } finally {
    limitHeaps(false)
    lock?.release()
    if (isNew) leaveHome(indexDir)
  }
}

const isNothing = (cause: unknown): boolean => cause instanceof YoreError && cause.code === 'NOTHING_INDEXED'

function noticesOf(setAsideAt: string | null, { env }: IndexCorpusOptions): readonly string[] {
  const moved = `found an index that this installation did not create; moved it to ${setAsideAt}; delete it if you do not need it`
  return [setAsideAt === null ? null : moved, withoutTokens(env)].filter((notice) => notice !== null)
}

async function indexLocked(options: IndexCorpusOptions): Promise<IndexReport> {
  const started = performance.now()
  const indexPath = join(options.indexDir, indexFileName)
  const { db, created, file, setAsideAt } = openForWriting(indexPath, options)
  try {
    const { changes, settings } = options
    const reader = new CorpusReader(db)
    const given = changes === undefined ? null : takeChanges(reader, changes, settings.maxFileSize)
    const outcome = await runStages({ options, reader, writer: new CorpusWriter(db), given })
    if (outcome.files === 0) throw nothingIndexed(options.root, outcome)
    clearRecord(options.indexDir)
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

/** One run from the walk to the last commit: each stage gets the results of those before it. */
async function runStages(run: IndexRun) {
  const { options, reader, given } = run
  const scope = chooseScope(run)
  const startedAt = scope.touched?.since ?? options.clock()
  reportProgress(run, 'looking')
  const walked = await walkCorpus(run, scope)
  const { walk } = walked
  const plan = planRun(run, scope, walked)
  const written = await writeDocuments(run, { scope, walked, plan })
  const skipped = [...walk.skipped, ...plan.refused, ...written.skipped]
  const totals = await writeFacts(run, { scope, walked, plan, written, skipped, startedAt })
  // Fetched sources that neither this index nor another one uses are deleted.
  if (given === null && scope.paths.length === 0)
    dropUnusedSources({ ...options, named: walked.roots.named, now: options.clock() })
  return {
    indexed: written.indexed,
    unchanged: plan.unchanged + written.unchanged,
    removed: plan.removed.length,
    skipped: skipped.map(({ path, reason, detail }) => ({ path, reason, detail })),
    ignored: scope.touched === null ? walk.ignored : (reader.meta('ignored') ?? 0),
    unsupported: walk.unsupported,
    files: reader.count('files'),
    sections: reader.count('artifacts'),
    ...totals,
    notices: [...walked.notices, ...written.warnings],
  }
}
