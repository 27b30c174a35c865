// Can this upload be read? Looked at alone, in a process that may be killed, before it becomes part of its corpus.
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PgBoss } from 'pg-boss'
import { asTenant, type Database } from '../control/open-database.ts'
import type { ParseTask } from '../control/queues.ts'
import { ServiceError } from '../errors.ts'
import type { ObjectStore } from '../versions/store.ts'
import type { IngestionRow } from './accept-ingestion.ts'
import { applyDocuments, type DocumentChange, failIngestion, setState } from './ingestions.ts'
import type { KillableProcesses } from './killable-process.ts'
import { blobKey } from './spool-upload.ts'

export interface ParseContext {
  readonly db: Database
  readonly boss: PgBoss
  readonly store: ObjectStore
  readonly processes: KillableProcesses
  /** For files that live as long as a job. */
  readonly directory: string
  readonly timeoutMs: number
}

/** Handles one job. An error that is thrown is tried again by the queue, and ends among the dead letters. */
export async function parseUpload(task: ParseTask, context: ParseContext): Promise<void> {
  const ingestion = await beginParsing(task, context.db)
  if (ingestion === null) return
  try {
    const documents = await readDocuments(ingestion, context)
    await asTenant(context.db, task.organisation, async (transaction) => {
      const now = await transaction
        .selectFrom('ingestions')
        .select('state')
        .where('id', '=', task.ingestion)
        .forUpdate()
        .executeTakeFirst()
      if (now?.state !== 'parsing') return
      await applyDocuments(transaction, context.boss, ingestion, documents)
    })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'UNAVAILABLE' || error.code === 'POISON')
      throw error
    await asTenant(context.db, task.organisation, (transaction) =>
      failIngestion(transaction, task.ingestion, error.code, error.message),
    )
  }
}

/** Null when there is nothing to do any more: cancelled, removed with its corpus, or done by an earlier attempt. */
async function beginParsing(task: ParseTask, db: Database): Promise<IngestionRow | null> {
  return await asTenant(db, task.organisation, async (transaction) => {
    const row = await transaction
      .selectFrom('ingestions')
      .selectAll()
      .where('id', '=', task.ingestion)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined || (row.state !== 'queued' && row.state !== 'parsing')) return null
    return await setState(transaction, row.id, { state: 'parsing', attempts: row.attempts + 1 })
  })
}

async function readDocuments(
  ingestion: IngestionRow,
  context: ParseContext,
): Promise<readonly DocumentChange[]> {
  const { path: name, blob, size, modified_at: modifiedAt } = ingestion
  if (ingestion.kind === 'delete' || blob === null) return [{ path: name, blob: null, size: 0, modifiedAt }]
  await mkdir(context.directory, { recursive: true })
  const folder = await mkdtemp(path.join(context.directory, 'parse-'))
  try {
    const root = path.join(folder, 'files')
    await fetchBlob(context.store, blobKey(ingestion.organisation, blob), path.join(root, name), modifiedAt)
    const task = { root, indexDir: path.join(folder, 'index'), embed: false }
    const answer = await context.processes.run(task, { timeoutMs: context.timeoutMs })
    if (answer.kind === 'crashed') throw new ServiceError('POISON', answer.message)
    if (answer.kind === 'refused') throw new ServiceError('LEFT_OUT', answer.message)
    const reason = answer.skipped[0]?.reason
    if (answer.files === 0)
      throw new ServiceError('LEFT_OUT', reason === undefined ? 'it holds nothing to index' : reason)
    return [{ path: name, blob, size, modifiedAt }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Brings a blob to a place, whole or not at all, with the time that its document has. */
export async function fetchBlob(
  store: ObjectStore,
  key: string,
  place: string,
  modifiedAt: Date,
): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true })
  await pipeline(Readable.from(store.stream(key)), createWriteStream(place))
  await utimes(place, modifiedAt, modifiedAt)
}

/** What became of a job that failed every time: its ingestion says so, and may be retried. */
export async function buryUpload(task: ParseTask, db: Database): Promise<void> {
  await asTenant(db, task.organisation, (transaction) =>
    failIngestion(transaction, task.ingestion, 'POISON', 'reading it failed at every attempt'),
  )
}
