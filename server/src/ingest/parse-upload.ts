// Can this upload be read? It is parsed alone in a killable process before it becomes part of its corpus.
import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import type { ParseTask } from '../control/queues.ts'
import { isConnectionFault, ServiceError } from '../errors.ts'
import { type ObjectStore, StoreError } from '../versions/store.ts'
import type { FetchedFile } from '../yore.ts'
import { type IngestionRow, isKeptTime, requireQuota } from './accept-ingestion.ts'
import { blobKey, collectBlobs, fetchBlob, noteBlobs } from './blobs.ts'
import { fetchRepository } from './fetch-repository.ts'
import {
  applyDocuments,
  compareDocuments,
  type DocumentChange,
  failIngestion,
  type JobContext,
  setState,
} from './ingestions.ts'
import { readArchive } from './read-archive.ts'
import { readRemovals } from './removals.ts'
import { WorkingCopy } from './working-copy.ts'

/** With bytes. */
type KnownDocument = DocumentChange & { readonly blob: string }

/**
 * A crashed reader or missing bytes count ten times as much against a file as an attempt without an outcome,
 * whose worker may have been killed for another reason. Four failures or forty attempts without outcome are the limit.
 */
const failure = 10
const poison = 40
const givenUp = 'reading it failed at every attempt'

function isAway(error: unknown): boolean {
  return error instanceof StoreError
    ? error.fault === 'unavailable'
    : !(error instanceof ServiceError) && isConnectionFault(error)
}

/** Handles one job. The queue retries an error that is thrown, and finally dead-letters the job. */
export async function parseUpload(task: ParseTask, context: JobContext): Promise<void> {
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
      const gone = ingestion.kind === 'git' ? await listGone(transaction, ingestion, documents) : []
      await applyDocuments(transaction, context.boss, ingestion, [...documents, ...gone])
    })
  } catch (error) {
    const known = error instanceof ServiceError ? error : null
    const isFinal = known !== null && known.code !== 'UNAVAILABLE' && known.code !== 'POISON'
    // The attempt was counted when it started; an outage of the store or the database is not the file's fault.
    const suspicion = ingestion.suspicion + (isAway(error) ? 0 : failure) - 1
    const isPassing = !isFinal && suspicion < poison
    await asTenant(context.db, task.organisation, async (transaction) => {
      if (isPassing) await setState(transaction, task.ingestion, { suspicion })
      else if (isFinal) await failIngestion(transaction, task.ingestion, known.code, known.message)
      else await failIngestion(transaction, task.ingestion, 'POISON', givenUp)
    })
    if (isPassing) throw error
    // Without a publication, unreferenced blobs are deleted now.
    await collectBlobs(context.db, context.store, task.organisation).catch(() => {})
  }
}

/** Null if nothing is left to do: cancelled, deleted with its corpus, already done, or given up. */
async function beginParsing(task: ParseTask, db: Database): Promise<IngestionRow | null> {
  return await asTenant(db, task.organisation, async (transaction) => {
    const row = await transaction
      .selectFrom('ingestions')
      .selectAll()
      .where('id', '=', task.ingestion)
      .forUpdate()
      .executeTakeFirst()
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

/** Documents that an earlier fetch of the repository added and that it no longer holds. */
async function listGone(
  transaction: TenantTransaction,
  { corpus, path: name, seq, modified_at: modifiedAt }: IngestionRow,
  documents: readonly DocumentChange[],
): Promise<readonly DocumentChange[]> {
  const rows = await transaction
    .selectFrom('documents')
    .innerJoin('ingestions', (join) =>
      join.onRef('ingestions.corpus', '=', 'documents.corpus').onRef('ingestions.seq', '=', 'documents.seq'),
    )
    .select('documents.path')
    .where('documents.corpus', '=', corpus)
    .where('documents.blob', 'is not', null)
    .where('documents.seq', '<', seq)
    .where('ingestions.kind', '=', 'git')
    .where('ingestions.path', '=', name)
    .execute()
  const held = new Set(documents.map((document) => document.path))
  return rows
    .filter((row) => !held.has(row.path))
    .map((row) => ({ path: row.path, blob: null, size: 0, modifiedAt }))
}

/** The files of an ingestion in a folder, with their metadata. */
async function bringFiles(
  ingestion: IngestionRow,
  root: string,
  context: JobContext,
): Promise<readonly KnownDocument[]> {
  const { path: name, blob, size, modified_at: modifiedAt } = ingestion
  if (ingestion.kind === 'git') {
    if (context.git === null) throw new ServiceError('NOT_OFFERED', 'this worker does not fetch repositories')
    return await hashFiles(root, await fetchRepository(name, root, context.git))
  }
  if (blob === null) throw new ServiceError('INTERNAL', 'the upload has no bytes')
  const isArchive = ingestion.kind === 'archive'
  const place = isArchive ? `${root}.archive` : path.join(root, name)
  await fetchBlob(context.store, blobKey(ingestion.organisation, blob), place, modifiedAt)
  return isArchive ? await unpackTo(root, place, ingestion) : [{ path: name, blob, size, modifiedAt }]
}

async function hashFiles(root: string, files: readonly FetchedFile[]): Promise<readonly KnownDocument[]> {
  if (files.length === 0) throw new ServiceError('LEFT_OUT', 'the repository holds no file')
  const known: KnownDocument[] = []
  for (const { path: name, size, modifiedAt } of files)
    known.push({ path: name, size, modifiedAt, blob: hash('sha256', await readFile(path.join(root, name))) })
  return known
}

async function readDocuments(
  ingestion: IngestionRow,
  context: JobContext,
): Promise<readonly DocumentChange[]> {
  if (ingestion.kind === 'delete') return await readRemovals(ingestion, context.store)
  await mkdir(context.directory, { recursive: true })
  const folder = await mkdtemp(path.join(context.directory, 'parse-'))
  try {
    const root = path.join(folder, 'files')
    const documents = await bringFiles(ingestion, root, context)
    const skipped = await tryReading(root, path.join(folder, 'index'), context)
    const kept = documents.filter((document) => !skipped.has(document.path))
    if (ingestion.kind === 'file') return kept
    // Checked before documents are stored, and again when they are applied.
    await asTenant(context.db, ingestion.organisation, async (transaction) => {
      const { grown } = await compareDocuments(transaction, ingestion, kept)
      if (grown > 0) await requireQuota(transaction, grown)
      const hashes = kept.map(({ blob }) => blob)
      await noteBlobs(transaction, ingestion.organisation, hashes)
    })
    const storeOne = ({ path: name, blob }: KnownDocument): Promise<void> =>
      storeFile(context.store, ingestion.organisation, path.join(root, name), blob)
    await Readable.from(kept).forEach(storeOne, { concurrency: storedAtOnce })
    await new WorkingCopy(context.directory, ingestion.corpus).adopt(path.join(folder, 'index'))
    return kept
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The skipped paths; throws LEFT_OUT if nothing remains. */
async function tryReading(root: string, indexDir: string, context: JobContext): Promise<ReadonlySet<string>> {
  const answer = await context.processes.run(
    { root, indexDir, embed: false },
    { timeoutMs: context.timeoutMs },
  )
  if (answer.kind === 'crashed') throw new ServiceError('POISON', answer.message)
  if (answer.kind === 'refused') {
    const inside = [root, context.directory, path.resolve(context.directory)]
    throw new ServiceError('LEFT_OUT', withoutFolders(answer.message, inside))
  }
  if (answer.files === 0)
    throw new ServiceError('LEFT_OUT', answer.skipped[0]?.reason ?? 'it contains nothing to index')
  return new Set(answer.skipped.map((file) => file.path))
}

/** An error message for tenants, without the paths of the worker's folders. */
function withoutFolders(message: string, folders: readonly string[]): string {
  return folders.reduce(
    (text, folder) =>
      text.replaceAll(`${folder}${path.sep}`, '').replaceAll(` in ${folder}`, '').replaceAll(folder, ''),
    message,
  )
}

/** Documents of an archive or repository that are stored concurrently. */
const storedAtOnce = 8
const archiveLimits = { fileBytes: 2 << 20, totalBytes: 1 << 30, entries: 20_000, strip: 0 } as const

/** The path of an archive's ingestion holds the number of folders to drop: `strip=1`. */
export const stripMark = 'strip='

async function unpackTo(
  root: string,
  archive: string,
  ingestion: IngestionRow,
): Promise<readonly KnownDocument[]> {
  const strip = Number(ingestion.path.slice(stripMark.length))
  const documents = new Map<string, KnownDocument>()
  for await (const { path: name, bytes, modifiedAt } of readArchive(archive, { ...archiveLimits, strip })) {
    if (documents.has(name)) throw new ServiceError('BAD_ARCHIVE', `the archive holds ${name} twice`)
    const place = path.join(root, name)
    const time = modifiedAt !== null && isKeptTime(modifiedAt) ? modifiedAt : ingestion.modified_at
    try {
      await mkdir(path.dirname(place), { recursive: true })
      await writeFile(place, bytes, { flag: 'wx' })
    } catch (cause) {
      throw new ServiceError('BAD_ARCHIVE', `the archive holds ${name} as a file and as a folder`, { cause })
    }
    await utimes(place, time, time)
    documents.set(name, { path: name, blob: hash('sha256', bytes), size: bytes.length, modifiedAt: time })
  }
  if (documents.size === 0) throw new ServiceError('LEFT_OUT', 'the archive holds no file')
  return [...documents.values()]
}

async function storeFile(
  store: ObjectStore,
  organisation: string,
  place: string,
  sha256: string,
): Promise<void> {
  await store.put(blobKey(organisation, sha256), await readFile(place), { ifAbsent: true, sha256 })
}

/** Marks the ingestion of a job that failed every time as failed; it can be retried. */
export async function buryUpload(task: ParseTask, db: Database): Promise<void> {
  await asTenant(db, task.organisation, (transaction) =>
    failIngestion(transaction, task.ingestion, 'POISON', givenUp),
  )
}
