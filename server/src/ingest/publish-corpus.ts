// How do accepted documents become a version? One publisher claims the corpus, builds, and swaps the pointer unless another one has claimed it since.
import { sql } from 'kysely'
import { fromKysely, type Job } from 'pg-boss'
import { asTenant, type Database, isTrue, type TenantTransaction } from '../control/open-database.ts'
import { enqueueSweep, type PublishTask, publishQueue, rebuildQueue } from '../control/queues.ts'
import { findMachineFault, ServiceError } from '../errors.ts'
import { materialise } from '../versions/materialise-version.ts'
import { compactVersion, publishVersion } from '../versions/publish-version.ts'
import { readManifest } from '../versions/read-manifest.ts'
import { deleteBelow } from '../versions/store.ts'
import {
  type FormerVersion,
  formatOf,
  isBaseDue,
  isForeign,
  type Manifest,
  type VersionPart,
} from '../versions/version.ts'
import { schemaVersion } from '../yore.ts'
import { collectOld, noteFormat } from './former-versions.ts'
import type { JobContext } from './ingestions.ts'
import type { IndexTask } from './killable-process.ts'
import { type CopyState, openWorkingCopy, type WorkingCopy, type WorkingDocument } from './working-copy.ts'

interface Claim extends PublishTask, Pick<FormerVersion, 'version' | 'change'> {
  readonly epoch: number
  /** The published version; empty if it is in another format, which a new base follows. */
  readonly manifest: Manifest
  /** What the index starts from, unless from originals. */
  readonly base: Manifest
  /** The format of the published version; null if it is unknown or there is none. */
  readonly format: number | null
  /** The published version in another format, which this publication replaces. */
  readonly former: FormerVersion | null
  /** Where the index comes from: the copy, the published version, or the originals of all documents. */
  readonly from: 'copy' | 'version' | 'originals'
  /** Documents that changed since. */
  readonly documents: readonly WorkingDocument[]
  /** Documents in the corpus. */
  readonly living: number
}

export type PublishOutcome = 'published' | 'unchanged' | 'overtaken' | 'gone'

/** Handles one job. */
export async function publishCorpus(job: Job<PublishTask>, context: JobContext, queue = publishQueue) {
  const copy = openWorkingCopy(context.directory, job.data.corpus)
  const publication = { job, queue, copy, context }
  const outcome = await publishFrom(await copy.state(), publication)
  if (outcome !== 'refused') return outcome
  // The copy or the version cannot be continued: its format is another one, or it is damaged.
  return (await publishFrom('originals', publication)) as PublishOutcome
}

interface Publication {
  readonly job: Job<PublishTask>
  /** A job of the rebuild queue publishes what has not changed. */
  readonly queue: string
  readonly copy: WorkingCopy
  readonly context: JobContext
}

async function publishFrom(
  known: CopyState | 'originals' | null,
  { job, queue, copy, context }: Publication,
): Promise<PublishOutcome | 'refused'> {
  const isRebuild = queue === rebuildQueue
  const claim = await claimCorpus(job.data, { known, isRebuild }, context.db)
  if (claim === 'gone') {
    await copy.clear()
    await deleteBelow(context.store, `corpora/${job.data.corpus}/`)
  }
  if (claim === 'gone' || claim === 'unchanged') return claim
  context.onStart?.(claim.from)
  const part = await buildVersion(claim, copy, context)
  if (part === 'refused') return part
  const swapped = await asTenant(context.db, claim.organisation, async (transaction) => {
    const version = await swapVersion(transaction, claim, part)
    if (version === null) return null
    await complete(transaction, claim, version)
    // The job ends with the transaction that did its work.
    await context.boss.complete(queue, job.id, null, { db: fromKysely(transaction) })
    const { corpus, organisation } = claim
    await enqueueSweep(context.boss, transaction, { organisation }, 'soon')
    const manifest = await readManifest(transaction, corpus, version)
    return { corpus, version, manifest, hasPast: await hasPast(transaction, corpus) }
  })
  if (swapped === null) return 'overtaken'
  if (part !== null) await copy.note({ change: claim.change, version: swapped.version })
  // The version counts even if this fails: the next publication removes the rest.
  if (swapped.hasPast) await collectOld(claim, context).catch(() => {})
  if (isBaseDue(swapped.manifest))
    context.background(claim.corpus, () => replaceParts(claim, swapped, { copy, context }))
  return 'published'
}

/** Raises the epoch: writes of earlier publishers are refused from now on. */
async function claimCorpus(
  { organisation, corpus }: PublishTask,
  { known, isRebuild }: { readonly known: CopyState | 'originals' | null; readonly isRebuild: boolean },
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
    const { epoch, version, change, published_change: published } = row
    if (published >= change && !isRebuild) return 'unchanged'
    const current = await readManifest(transaction, corpus, version)
    const format = formatOf(current)
    if (published >= change && (current.length === 0 || format === schemaVersion)) return 'unchanged'
    const [manifest, now] = [isForeign(current) ? [] : current, { version, change: published }]
    const former: FormerVersion | null =
      isForeign(current) && format !== null ? { ...now, format, manifest: current } : null
    const earlier = row.former as FormerVersion | null
    const isEarlier = earlier?.format === schemaVersion && earlier.change >= row.pruned_change
    const base = !isForeign(current)
      ? { ...now, manifest }
      : isEarlier
        ? earlier
        : { version: 0, change: 0, manifest: [] }
    // A copy that another publisher has overtaken would differ from its version in many pages.
    const isCopy = known !== null && known !== 'originals' && known.version === base.version
    const from =
      isCopy && known.change >= base.change
        ? 'copy'
        : known !== 'originals' && base.manifest.length > 0
          ? 'version'
          : 'originals'
    const since = from === 'copy' ? (known as CopyState).change : from === 'version' ? base.change : 0
    const documents = await transaction
      .selectFrom('documents')
      .select(['path', 'blob', 'modified_at'])
      .where('corpus', '=', corpus)
      .where('change', '>', since)
      .orderBy('path')
      .execute()
    const { living } = await transaction
      .selectFrom('documents')
      .select((count) => count.fn.countAll<number>().as('living'))
      .where('corpus', '=', corpus)
      .where('blob', 'is not', null)
      .executeTakeFirstOrThrow()
    const claimed = { organisation, corpus, epoch, version, change, manifest, format, former }
    return { ...claimed, base: base.manifest, from, documents, living }
  })
}

/** Builds what is published; null for a corpus without documents. Refused when there is nothing to start from. */
async function buildVersion(claim: Claim, copy: WorkingCopy, context: JobContext) {
  const { living, base, version } = claim
  if (living === 0) return null
  // Without a version, the index of the first upload or of a publisher that was killed saves parsing.
  if (claim.from === 'originals' && version > 0) await copy.clearIndex()
  try {
    const changes = await copy.fetchChanges(claim.documents, { ...claim, store: context.store })
    const start =
      claim.from === 'version'
        ? await materialise({ manifest: base, store: context.store, directory: copy.versionsDir })
        : null
    return await buildPart(claim, copy, context, { start, changes, isWhole: claim.from === 'originals' })
  } finally {
    await copy.dropChanges()
  }
}

async function buildPart(
  claim: Claim,
  copy: WorkingCopy,
  context: JobContext,
  build: Pick<IndexTask, 'start' | 'changes' | 'isWhole'>,
): Promise<VersionPart | 'refused' | null> {
  const task = { root: copy.root, indexDir: copy.indexDir, embed: true, ...build }
  const answer = await context.processes.run(task, { idleMs: context.idleMs })
  if (answer.kind === 'refused' && answer.code === 'NOTHING_INDEXED') return null
  if (answer.kind !== 'indexed') {
    // The next attempt starts from scratch, unless this one was only slow.
    if (answer.kind !== 'silent') await copy.clearIndex()
    const code = answer.kind === 'silent' ? undefined : answer.code
    const cause = Object.assign(new Error(answer.message), { code })
    const isRefused = answer.kind === 'refused' && findMachineFault(cause) === null
    if (isRefused && claim.from !== 'originals') return 'refused'
    const message = `corpus ${claim.corpus} was not built: ${answer.message}`
    throw new ServiceError('UNAVAILABLE', message, { cause })
  }
  await copy.note(claim)
  const { indexFile: workingFile, versionsDir: directory } = copy
  const version = claim.version + 1
  const { corpus, manifest } = claim
  return await publishVersion({ corpus, workingFile, manifest, store: context.store, directory, version })
}

/**
 * Replaces a version's parts by one base in its row. Publications continue meanwhile and can follow either. Collects the
 * parts, unless another publisher has claimed the corpus since: it may build on them, and collects them itself.
 */
async function replaceParts(
  claim: Claim,
  { version, manifest }: { readonly version: number; readonly manifest: Manifest },
  { copy, context }: { readonly copy: WorkingCopy; readonly context: JobContext },
): Promise<void> {
  const { organisation, corpus } = claim
  const part = await compactVersion({ corpus, manifest, store: context.store, directory: copy.versionsDir })
  const isLast = await asTenant(context.db, organisation, async (transaction) => {
    // Nodes that cache the parts are notified.
    const row = await transaction
      .updateTable('corpora')
      .set((now) => ({ version: now.ref('version') }))
      .where('number', '=', corpus)
      .returning('epoch')
      .executeTakeFirst()
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
  const older = sql`select from versions where corpus = ${corpus} and number < (
    select max(number) from versions where corpus = ${corpus} and kind <> 'delta'
  )`
  return await isTrue(transaction, sql`exists (${older})`)
}

/**
 * Makes a part the newest version and returns its number. Null when another publisher has claimed the corpus or
 * published since: then nothing is written.
 */
async function swapVersion(
  transaction: TenantTransaction,
  { organisation, corpus, epoch, version, change, manifest, format, former }: Claim,
  part: VersionPart | null,
): Promise<number | null> {
  // No page changed: the current version shows everything.
  const isSame = part !== null && part.key === manifest.at(-1)?.key
  const number = version + (isSame ? 0 : 1)
  const kind = part?.kind ?? 'empty'
  const replaced = former === null ? {} : { former: JSON.stringify(former) }
  const { numUpdatedRows } = await transaction
    .updateTable('corpora')
    .set({ version: number, published_change: change, ...replaced })
    .where('number', '=', corpus)
    .where('epoch', '=', epoch)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  if (format !== schemaVersion) await noteFormat(transaction, { corpus, organisation }, former !== null)
  if (!isSame)
    await transaction
      .insertInto('versions')
      .values({ corpus, number, organisation, epoch, kind, part: JSON.stringify(part) })
      .execute()
  return number
}

/** The state `embedding` is of 0.2.0. */
async function complete(transaction: TenantTransaction, { corpus, change }: Claim, version: number) {
  await transaction
    .updateTable('ingestions')
    .set({ state: 'completed', version, updated_at: new Date() })
    .where('corpus', '=', corpus)
    .where('state', 'in', ['indexing', 'embedding'])
    .where('change', '<=', change)
    .execute()
}
