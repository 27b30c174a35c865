// How do accepted documents become a version? One publisher claims the corpus, builds, and swaps the pointer unless another one has claimed it since.
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Job } from 'pg-boss'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import { completeJob, enqueueSweep, type PublishTask, publishQueue } from '../control/queues.ts'
import { ServiceError } from '../errors.ts'
import { collectVersions } from '../versions/collect-versions.ts'
import { forgetVersions } from '../versions/leases.ts'
import { materialise } from '../versions/materialise-version.ts'
import { compactVersion, publishVersion } from '../versions/publish-version.ts'
import { readManifest } from '../versions/read-manifest.ts'
import { deleteBelow } from '../versions/store.ts'
import { extendManifest, isBaseDue, type Manifest, type VersionPart } from '../versions/version.ts'
import type { JobContext } from './ingestions.ts'
import { WorkingCopy, type WorkingDocument } from './working-copy.ts'

interface Claim {
  readonly organisation: string
  readonly corpus: number
  readonly epoch: number
  readonly version: number
  readonly change: number
  readonly manifest: Manifest
  /** Rows of documents were pruned that the working copy still holds. */
  readonly isOutdated: boolean
  /** Documents changed since the working copy's change number; all of them when it is outdated. */
  readonly documents: readonly WorkingDocument[]
  /** Documents changed since the published version. */
  readonly fresh: number
  /** Documents in the corpus, and the disk that they take. */
  readonly living: number
  readonly bytes: number
}

/**
 * From this number of documents on, a version without vectors is published first, so that they can be searched
 * sooner. For fewer documents, the vectors take less time than an extra version.
 */
const wordsFirstDocuments = 100

/** Of a file system, for each small file. */
const blockBytes = 4096

export type PublishOutcome = 'published' | 'unchanged' | 'overtaken' | 'gone'

/** Handles one job. */
export async function publishCorpus(job: Job<PublishTask>, context: JobContext): Promise<PublishOutcome> {
  const copy = new WorkingCopy(context.directory, job.data.corpus)
  const claim = await claimCorpus(job.data, await copy.change(), context.db)
  if (claim === 'gone') {
    await copy.clear()
    await deleteBelow(context.store, `corpora/${job.data.corpus}/`)
  }
  if (claim === 'gone' || claim === 'unchanged') return claim
  if (claim.isOutdated) await copy.clear()
  await copy.bringTo(claim.change, claim.documents, {
    organisation: claim.organisation,
    store: context.store,
    bytes: claim.bytes,
  })
  const start = await startOf(claim, copy, context)
  const isMuch = (start === null ? claim.documents.length : claim.fresh) >= wordsFirstDocuments
  const words = isMuch ? await publishWords(claim, copy, { ...context, start }) : claim
  if (words === 'overtaken') return words
  const part = words.living === 0 ? null : await buildPart(words, copy, { ...context, start })
  const swapped = await asTenant(context.db, claim.organisation, async (transaction) => {
    const version = await swapVersion(transaction, words, part, claim.change)
    if (version === null) return null
    await moveOn(transaction, claim, { state: 'completed', version })
    await completeJob(context.boss, publishQueue, job, transaction)
    await enqueueSweep(context.boss, transaction, claim, 'soon')
    const { corpus } = claim
    const manifest = await readManifest(transaction, corpus, version)
    return { corpus, version, manifest, hasPast: await hasPast(transaction, corpus) }
  })
  if (swapped === null) return 'overtaken'
  // The version counts even if this fails: the next publication removes the rest.
  if (swapped.hasPast) await collectOld(claim, context).catch(() => {})
  if (isBaseDue(swapped.manifest))
    context.background(claim.corpus, () => replaceParts(claim, swapped, { copy, context }))
  return 'published'
}

/** Raises the epoch: writes of earlier publishers are refused from now on. */
async function claimCorpus(
  { organisation, corpus }: PublishTask,
  known: number,
  db: Database,
): Promise<Claim | 'unchanged' | 'gone'> {
  return await asTenant(db, organisation, async (transaction) => {
    const row = await transaction
      .updateTable('corpora')
      .set((corpora) => ({ epoch: corpora('epoch', '+', 1) }))
      .where('number', '=', corpus)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return 'gone'
    if (row.published_change >= row.change) return 'unchanged'
    const isOutdated = known < row.pruned_change
    const documents = await transaction
      .selectFrom('documents')
      .select(['path', 'blob', 'modified_at', 'change'])
      .where('corpus', '=', corpus)
      .where('change', '>', isOutdated ? 0 : known)
      .orderBy('path')
      .execute()
    const { living } = await transaction
      .selectFrom('documents')
      .select((count) => count.fn.countAll<number>().as('living'))
      .where('corpus', '=', corpus)
      .where('blob', 'is not', null)
      .executeTakeFirstOrThrow()
    const { epoch, version, change, published_change: published } = row
    const manifest = await readManifest(transaction, corpus, version)
    const fresh = documents.filter((document) => document.change > published).length
    const bytes = row.bytes + living * blockBytes
    const claimed = { organisation, corpus, epoch, version, change, manifest }
    return { ...claimed, isOutdated, documents, fresh, living, bytes }
  })
}

/** A worker without an index of the corpus starts from its published version, so that documents are not parsed again. */
async function startOf(
  { manifest, living }: Claim,
  copy: WorkingCopy,
  { store }: JobContext,
): Promise<string | null> {
  if (manifest.length === 0 || living === 0 || existsSync(copy.indexDir)) return null
  return await materialise({ manifest, store, directory: copy.versionsDir })
}

type BuildContext = JobContext & { readonly start: string | null }

/** Publishes a version without the new vectors. The change is not complete: after a crash, the next publisher builds all of it. */
async function publishWords(
  claim: Claim,
  copy: WorkingCopy,
  context: BuildContext,
): Promise<Claim | 'overtaken'> {
  const part = await buildPart(claim, copy, context, { embed: false })
  if (part === null) return claim
  const version = await asTenant(context.db, claim.organisation, async (transaction) => {
    const swapped = await swapVersion(transaction, claim, part, null)
    if (swapped !== null) await moveOn(transaction, claim, { state: 'embedding', version: swapped })
    return swapped
  })
  if (version === null) return 'overtaken'
  const isSame = version === claim.version
  return { ...claim, version, manifest: isSame ? claim.manifest : extendManifest(claim.manifest, part) }
}

async function buildPart(
  claim: Claim,
  copy: WorkingCopy,
  context: BuildContext,
  { embed } = { embed: true },
): Promise<VersionPart | null> {
  const start = context.start === null ? {} : { start: context.start }
  const task = { root: copy.root, indexDir: copy.indexDir, embed, ...start }
  const answer = await context.processes.run(task, { idleMs: context.idleMs })
  if (answer.kind === 'refused' && answer.code === 'NOTHING_INDEXED') return null
  if (answer.kind !== 'indexed') {
    // The next attempt starts from scratch, unless this one was only slow.
    if (answer.kind !== 'silent') await copy.clear()
    const code = answer.kind === 'silent' ? undefined : answer.code
    const cause = Object.assign(new Error(answer.message), { code })
    throw new ServiceError('UNAVAILABLE', `corpus ${claim.corpus} was not built: ${answer.message}`, {
      cause,
    })
  }
  return await publishVersion({
    corpus: claim.corpus,
    workingFile: copy.indexFile,
    manifest: claim.manifest,
    store: context.store,
    directory: copy.versionsDir,
  })
}

/**
 * Replaces a version's parts by one base in its row. Publications continue meanwhile and can follow either.
 * If a node has leased the parts to fetch them, a later publication does it. Collects the parts, unless
 * another publisher has claimed the corpus since: it may build on them, and collects them itself.
 */
async function replaceParts(
  claim: Claim,
  { version, manifest }: { readonly version: number; readonly manifest: Manifest },
  { copy, context }: { readonly copy: WorkingCopy; readonly context: JobContext },
): Promise<void> {
  const { organisation, corpus } = claim
  const part = await compactVersion({ corpus, manifest, store: context.store, directory: copy.versionsDir })
  const isLast = await asTenant(context.db, organisation, async (transaction) => {
    // A node that takes a lease waits and then reads the base; those that cache the parts are notified.
    const row = await transaction
      .updateTable('corpora')
      .set((now) => ({ version: now.ref('version') }))
      .where('number', '=', corpus)
      .returning('epoch')
      .executeTakeFirst()
    const lease = await transaction
      .selectFrom('leases')
      .select('id')
      .where('corpus', '=', corpus)
      .where('until', '>', sql<Date>`now()`)
      .executeTakeFirst()
    if (lease !== undefined) return false
    await transaction
      .updateTable('versions')
      .set({ kind: 'base', part: JSON.stringify(part) })
      .where('corpus', '=', corpus)
      .where('number', '=', version)
      .where(sql<string>`part ->> 'key'`, '=', manifest.at(-1)?.key ?? '')
      .execute()
    return row?.epoch === claim.epoch
  })
  if (isLast) await collectOld(claim, context)
}

/** Are there rows from before the newest base, or before the corpus was empty? */
async function hasPast(transaction: TenantTransaction, corpus: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from versions where corpus = ${corpus} and number < (
        select max(number) from versions where corpus = ${corpus} and kind <> 'delta'
      )
    ) as has`.execute(transaction)
  return rows[0]?.has === true
}

/** A base or an empty corpus ends a generation: older rows are deleted, except those that nodes are fetching. */
async function collectOld({ corpus, organisation }: Claim, { db, store }: JobContext): Promise<void> {
  const state = await asTenant(db, organisation, (transaction) => forgetVersions(transaction, corpus))
  if (state !== null) await collectVersions({ corpus, store, ...state })
}

/**
 * Makes a part the newest version and returns its number. Null when another publisher has claimed the corpus or
 * published since: then nothing is written.
 */
async function swapVersion(
  transaction: TenantTransaction,
  { organisation, corpus, epoch, version, manifest }: Claim,
  part: VersionPart | null,
  /** The change that the corpus shows from now on; null while part of it is still to come. */
  change: number | null,
): Promise<number | null> {
  // No page changed: the current version shows everything.
  const isSame = part !== null && part.key === manifest.at(-1)?.key
  const number = version + (isSame ? 0 : 1)
  const { numUpdatedRows } = await transaction
    .updateTable('corpora')
    .set({ version: number, ...(change === null ? {} : { published_change: change }) })
    .where('number', '=', corpus)
    .where('epoch', '=', epoch)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  if (!isSame)
    await transaction
      .insertInto('versions')
      .values({
        corpus,
        number,
        organisation,
        epoch,
        kind: part?.kind ?? 'empty',
        part: JSON.stringify(part),
      })
      .execute()
  return number
}

async function moveOn(
  transaction: TenantTransaction,
  { corpus, change }: Claim,
  to: { readonly state: 'embedding' | 'completed'; readonly version: number },
): Promise<void> {
  await transaction
    .updateTable('ingestions')
    .set({ ...to, updated_at: new Date() })
    .where('corpus', '=', corpus)
    .where('state', 'in', ['indexing', 'embedding'])
    .where('change', '<=', change)
    .execute()
}
