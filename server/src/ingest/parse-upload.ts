// How does a job read an upload? Its documents become part of the corpus together; an attempt that fails is repeated or given up.
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import { enqueueSweep, type ParseTask } from '../control/queues.ts'
import { findMachineFault, isConnectionFault, ServiceError } from '../errors.ts'
import { StoreError } from '../versions/store.ts'
import type { IngestionRow } from './accept-ingestion.ts'
import { applyDocuments, failIngestion, type JobContext, lockCorpus, setState } from './ingestions.ts'
import { readUpload } from './read-upload.ts'
import { readRemovals } from './removals.ts'

/**
 * A crashed reader or missing bytes count ten times as much against a file as an attempt without an outcome,
 * whose worker may have been killed for another reason. Four failures or forty attempts without outcome are the limit.
 */
const failure = 10
const poison = 40
const givenUp = 'reading it failed at every attempt'
/** Errors that another attempt may not have, with the message for the last attempt. */
const repeated = {
  UNAVAILABLE: givenUp,
  POISON: givenUp,
  TIMED_OUT: 'reading it stopped making progress at every attempt',
} as const

/** Is it the fault of the store, the database or this machine, and not of the upload? */
function isAway(error: unknown): boolean {
  if (findMachineFault(error) !== null) return true
  return error instanceof StoreError
    ? error.fault === 'unavailable'
    : !(error instanceof ServiceError) && isConnectionFault(error)
}

/**
 * Handles one job; returns `read`, `gone`, or the code of an upload that failed for good. The queue retries an error
 * that is thrown, and finally dead-letters the job.
 */
export async function parseUpload(task: ParseTask, context: JobContext): Promise<string> {
  const ingestion = await beginParsing(task, context.db)
  if (ingestion === null) return 'gone'
  try {
    const documents =
      ingestion.kind === 'delete'
        ? await readRemovals(ingestion, context.store)
        : (await readUpload(ingestion, context)).documents
    await asTenant(context.db, task.organisation, async (transaction) => {
      const corpus = await lockCorpus(transaction, ingestion.corpus)
      const now = await lockIngestion(transaction, task)
      if (corpus === undefined || now?.state !== 'parsing') return
      await applyDocuments(transaction, context, { ingestion, ...corpus }, documents)
    })
    return 'read'
  } catch (error) {
    const known = error instanceof ServiceError ? error : null
    const isFinal = known !== null && !(known.code in repeated)
    const isPassing = await asTenant(context.db, task.organisation, async (transaction) => {
      const row = await lockIngestion(transaction, task)
      // The attempt was counted when it started; an outage of the store or the database is not the file's fault.
      const suspicion =
        (row?.suspicion ?? poison) + (isAway(error) || context.stopping?.aborted ? 0 : failure) - 1
      const passes = !isFinal && suspicion < poison
      if (passes) await setState(transaction, task.ingestion, { suspicion })
      else if (isFinal) await failIngestion(transaction, task.ingestion, known.code, known.message)
      else {
        const code = known?.code === 'TIMED_OUT' ? known.code : 'POISON'
        await failIngestion(transaction, task.ingestion, code, repeated[code])
      }
      if (!passes) await enqueueSweep(context.boss, transaction, task, 'soon')
      return passes
    })
    if (isPassing) throw error
    return known?.code ?? 'POISON'
  }
}

async function lockIngestion(transaction: TenantTransaction, { ingestion }: ParseTask) {
  const query = transaction.selectFrom('ingestions').selectAll().where('id', '=', ingestion)
  return await query.forUpdate().executeTakeFirst()
}

/** Null if nothing is left to do: cancelled, deleted with its corpus, already done, or given up. */
async function beginParsing(task: ParseTask, db: Database): Promise<IngestionRow | null> {
  return await asTenant(db, task.organisation, async (transaction) => {
    const row = await lockIngestion(transaction, task)
    if (row === undefined || (row.state !== 'queued' && row.state !== 'parsing')) return null
    if (row.suspicion >= poison) {
      await failIngestion(transaction, row.id, 'POISON', givenUp)
      return null
    }
    const { attempts, suspicion } = row
    return await setState(transaction, row.id, {
      state: 'parsing',
      attempts: attempts + 1,
      suspicion: suspicion + 1,
    })
  })
}

/** Marks the ingestion of a job that failed every time as failed; it can be retried. */
export async function buryUpload(task: ParseTask, db: Database): Promise<void> {
  await asTenant(db, task.organisation, (transaction) =>
    failIngestion(transaction, task.ingestion, 'POISON', givenUp),
  )
}
