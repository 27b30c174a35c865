// Which documents does an upload hold? Its files are read in batches; each batch is stored with a checkpoint that the next attempt goes on from.
import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { asTenant } from '../control/open-database.ts'
import type { SkippedFiles } from '../control/tables.ts'
import { findMachineFault, ServiceError } from '../errors.ts'
import { isToolStore } from '../yore.ts'
import { type DocumentChange, type IngestionRow, isKeptTime, requireQuota } from './accept-ingestion.ts'
import { blobKey, checkpointMs, fetchBlob, noteBlobs } from './blobs.ts'
import { compareDocuments, type JobContext, setState } from './ingestions.ts'
import { readArchive } from './read-archive.ts'
import { openWorkingCopy, removeIndex } from './working-copy.ts'

/** A file of an upload; without a reason it becomes a document. */
interface ReadFile extends DocumentChange {
  readonly blob: string
  readonly reason?: string
}

/** A file that has not been read yet. */
interface BroughtFile extends ReadFile {
  /** Puts it where it is read. */
  bring(place: string): Promise<void>
}

export interface ReadUpload {
  readonly documents: readonly DocumentChange[]
  readonly skipped: SkippedFiles
}

/** Of a batch: enough that looking at the whole folder again after each costs little. */
const batchFiles = 2000
const batchBytes = 32 << 20
/** Documents that are stored concurrently. */
const storedAtOnce = 8
/** Skipped files that are named with their reasons. */
const mostNamed = 20

/** The path of an archive's ingestion holds the number of folders to drop: `strip=1`. */
export const stripMark = 'strip='

export async function readUpload(ingestion: IngestionRow, context: JobContext): Promise<ReadUpload> {
  await mkdir(context.directory, { recursive: true })
  const folder = await mkdtemp(path.join(context.directory, parsePrefix))
  try {
    return await readFiles(ingestion, folder, context)
  } finally {
    await removeIndex(folder)
  }
}

/** Folders of a killed worker start with it, too. */
export const parsePrefix = 'parse-'

/** The files of an ingestion, one at a time. */
async function* bringFiles(
  ingestion: IngestionRow,
  folder: string,
  context: JobContext,
): AsyncGenerator<BroughtFile> {
  const { path: name, blob, size, modified_at: modifiedAt } = ingestion
  const brought = path.join(folder, 'brought')
  // A repository that the last release was asked to fetch.
  if (blob === null) throw new ServiceError('BAD_REQUEST', 'the upload has no bytes')
  await fetchBlob(context.store, blobKey(ingestion.organisation, blob), brought, modifiedAt)
  if (ingestion.kind === 'file') {
    yield { path: name, blob, size, modifiedAt, bring: (place) => rename(brought, place) }
    return
  }
  const limits = { ...context.archives, strip: Number(name.slice(stripMark.length)) }
  // Looked through first: nothing is read of an archive that is refused in the end.
  for await (const _ of readArchive(brought, limits)) context.stopping?.throwIfAborted()
  for await (const { bytes, modifiedAt: at, ...file } of readArchive(brought, limits)) {
    const time = isKeptTime(at) ? at : modifiedAt
    const isSkipped = bytes === null
    yield {
      ...file,
      blob: isSkipped ? '' : hash('sha256', bytes),
      size: bytes?.length ?? 0,
      modifiedAt: time,
      bring: async (place) => {
        await writeFile(place, bytes ?? '', { flag: 'wx' })
        await utimes(place, time, time)
      },
    }
  }
}

/** Reads files in batches. Each batch is indexed together with those before it, in a process that can be killed. */
async function readFiles(ingestion: IngestionRow, folder: string, context: JobContext): Promise<ReadUpload> {
  const { id, organisation } = ingestion
  const { db, store } = context
  const [root, indexDir] = [path.join(folder, 'files'), path.join(folder, 'index')]
  /** From the checkpoints of earlier attempts. */
  let checkpointed: ReadonlyMap<string, ReadFile> = new Map()
  let checkpoints = 0
  const read = new Map<string, ReadFile>()
  const allFolders = new Set<string>()
  /** The batch, and its size. */
  let waiting: ReadFile[] = []
  let waitingBytes = 0
  /** The corpus has no version yet. */
  let isFirst = false
  await resume()
  for await (const file of bringFiles(ingestion, folder, context)) {
    // A single file is soon read.
    if (ingestion.kind !== 'file') context.stopping?.throwIfAborted()
    await add(file)
  }
  const found = await finish()
  // Of a corpus with a version, the publisher starts from that.
  const { corpus } = ingestion
  const chosen = context.choose?.(corpus) ?? null
  const isMine = chosen === null || chosen === context.worker
  if (isMine && isFirst) await openWorkingCopy(context.directory, corpus).adopt(indexDir)
  return found

  async function resume(): Promise<void> {
    await asTenant(db, organisation, async (transaction) => {
      await transaction
        .deleteFrom('checkpoints')
        .where('ingestion', '=', id)
        .where('at', '<', new Date(Date.now() - checkpointMs))
        .execute()
      const rows = await transaction
        .selectFrom('checkpoints')
        .select(['number', 'files'])
        .where('ingestion', '=', id)
        .orderBy('number')
        .execute()
      const files = rows.flatMap((row) => row.files as readonly ReadFile[])
      checkpointed = new Map(
        files.map((file) => [file.path, { ...file, modifiedAt: new Date(file.modifiedAt) }]),
      )
      checkpoints = (rows.at(-1)?.number ?? -1) + 1
    })
  }

  /** Throws BAD_ARCHIVE for a path that is there already. */
  async function add({ bring, ...file }: BroughtFile): Promise<void> {
    requirePath(file.path)
    const known = checkpointed.get(file.path)
    // Files that configure the reading are needed for the other ones.
    const isRead = known?.blob === file.blob && !isToolStore(path.basename(file.path))
    read.set(file.path, isRead && known !== undefined ? known : file)
    if (isRead || file.reason !== undefined) return
    const place = path.join(root, file.path)
    await mkdir(path.dirname(place), { recursive: true })
    await bring(place)
    waiting.push(file)
    waitingBytes += file.size
    if (waiting.length >= batchFiles || waitingBytes >= batchBytes) await readBatch()
  }

  function requirePath(name: string): void {
    const folders = name.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))
    const bad = (why: string): ServiceError =>
      new ServiceError('BAD_ARCHIVE', `the archive holds ${name} ${why}`)
    if (read.has(name)) throw bad('twice')
    if (allFolders.has(name) || folders.some((folder) => read.has(folder)))
      throw bad('as a file and as a folder')
    for (const folder of folders) allFolders.add(folder)
  }

  /** Throws LEFT_OUT if nothing remains. */
  async function finish(): Promise<ReadUpload> {
    if (waiting.length > 0) await readBatch()
    const files = [...read.values()]
    const skipped = files.flatMap(({ path: name, reason }) =>
      reason === undefined ? [] : [{ path: name, reason }],
    )
    const told = { count: skipped.length, first: skipped.slice(0, mostNamed) }
    await asTenant(db, organisation, async (transaction) => {
      const { corpus } = await setState(transaction, id, { skipped: JSON.stringify(told) })
      const of = transaction.selectFrom('corpora').select('version').where('number', '=', corpus)
      isFirst = (await of.executeTakeFirst())?.version === 0
    })
    const documents = files.filter(({ reason }) => reason === undefined)
    if (documents.length > 0) return { documents, skipped: told }
    const examples = skipped.slice(0, 3).map(({ path: name, reason }) => `${name}: ${reason}`)
    const more = skipped.length > 3 ? ', …' : ''
    throw new ServiceError(
      'LEFT_OUT',
      files.length === 0
        ? 'the upload holds no file'
        : `no file to index: ${skipped.length} skipped (${examples.join(', ')}${more})`,
    )
  }

  async function readBatch(): Promise<void> {
    const reasons = await indexFiles(waiting.map(({ path: name }) => name))
    for (const file of waiting) {
      const reason = reasons.get(file.path)
      if (reason !== undefined) read.set(file.path, { ...file, reason })
    }
    if (ingestion.kind !== 'file') await storeBatch(waiting.filter((file) => !reasons.has(file.path)))
    waiting = []
    waitingBytes = 0
  }

  /** Why files are skipped. Throws POISON or TIMED_OUT, or what is wrong with this machine. */
  async function indexFiles(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const task = { root, indexDir, embed: false, paths }
    const answer = await context.processes.run(task, { idleMs: context.idleMs })
    if (answer.kind === 'indexed')
      return new Map(answer.skipped.map(({ path: name, reason }) => [name, reason]))
    if (answer.kind === 'silent') throw new ServiceError('TIMED_OUT', answer.message)
    // What is wrong with an empty folder's index is wrong with this machine, except a crash of the reader.
    const cause = Object.assign(new Error(answer.message), { code: answer.code })
    if (answer.kind === 'refused' || findMachineFault(cause) !== null) throw cause
    throw new ServiceError('POISON', answer.message)
  }

  /** Stores the documents of a batch, then a checkpoint. The quota is checked before, and again when they are applied. */
  async function storeBatch(documents: readonly ReadFile[]): Promise<void> {
    const all = [...read.values()].filter(({ reason }) => reason === undefined)
    await asTenant(db, organisation, async (transaction) => {
      const { grown } = await compareDocuments(transaction, ingestion, all)
      if (grown > 0) await requireQuota(transaction, grown)
      const hashes = documents.map(({ blob }) => blob)
      await noteBlobs(transaction, organisation, hashes)
    })
    const storeOne = async ({ path: name, blob }: ReadFile): Promise<void> => {
      const bytes = await readFile(path.join(root, name))
      await store.put(blobKey(organisation, blob), bytes, { ifAbsent: true, sha256: blob })
    }
    await Readable.from(documents).forEach(storeOne, { concurrency: storedAtOnce })
    const files = JSON.stringify(waiting.map(({ path: name }) => read.get(name)))
    await asTenant(db, organisation, async (transaction) => {
      const number = checkpoints++
      await transaction
        .insertInto('checkpoints')
        .values({ ingestion: id, number, organisation, files })
        .execute()
      // Progress clears the suspicion that the upload itself ends its attempts.
      await setState(transaction, id, { suspicion: 1 })
    })
  }
}
