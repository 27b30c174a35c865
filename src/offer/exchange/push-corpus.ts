// How does a folder's corpus reach a service? It sends the documents that the service does not have, never the index.

import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { YoreError } from '../../model/errors.ts'
import type { FileRow } from '../../model/section.ts'
import { networkReason } from '../../read/source/fetch/request.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { sizeLimit } from '../../read/source/walk/walk-options.ts'
import { CorpusCalls } from './corpus-calls.generated.ts'
import { ProblemError } from './service-calls.ts'
import { type PackedDocument, writeTar } from './write-tar.ts'

export interface PushOptions {
  /** Address of the service; that of YORE_SERVER_URL unless given. */
  readonly server: string
  /** Create the corpus if the service has none of this name. */
  readonly create: boolean
  /** Remove documents from the corpus that this folder does not have. */
  readonly prune: boolean
  /** Called with a description of each step. */
  readonly onStep?: (text: string) => void
}

/** A file that did not reach the corpus, with the reason. */
export interface WithheldFile {
  readonly path: string
  readonly reason: string
}

export interface PushReport {
  readonly server: string
  readonly corpus: string
  readonly sent: number
  readonly bytes: number
  readonly removed: number
  readonly unchanged: number
  /** Documents of the corpus that this folder does not have, and that stay. */
  readonly elsewhere: number
  readonly withheld: readonly WithheldFile[]
  /** Documents that were sent, and that the service does not index; the first with their reasons. */
  readonly skipped: { readonly count: number; readonly first: readonly WithheldFile[] }
  /** The version of the corpus afterwards. */
  readonly version: number
}

interface PushContext extends Partial<PushOptions> {
  readonly root: string
  readonly maxFileSize: number
  readonly url: string
  /** From YORE_SERVER_KEY; empty for none. */
  readonly key: string
}

/** Size limit of a service for one document. */
const largestDocument = 2 * 1024 * 1024
/** Limits of one archive, which is built in memory and applied in one transaction. */
const batchBytes = 64 * 1024 * 1024
const batchDocuments = 5000
const removalsAtOnce = 1000
const tries = 6
const timeoutMs = 120_000
const pollMs = 300

/** Throws BAD_CONFIG for an invalid address or a missing key. */
function openService(url: string, key: string): { readonly calls: CorpusCalls; readonly server: string } {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw new YoreError(
      'BAD_CONFIG',
      url === '' ? 'no service is set' : `${JSON.stringify(url)} is not the address of a service`,
      { hint: 'pass --server https://host, or set YORE_SERVER_URL' },
    )
  if (key === '')
    throw new YoreError('BAD_CONFIG', 'the service needs a key', {
      hint: 'set YORE_SERVER_KEY to a key from the operator of the service',
    })
  const { origin, pathname } = parsed
  return { calls: new CorpusCalls(origin + pathname, key, { tries, timeoutMs }), server: origin }
}

/** Errors of the service in words. */
function describeFailure(server: string, error: unknown): unknown {
  if (error instanceof YoreError) return error
  const fail = (message: string): YoreError =>
    new YoreError('SERVICE_FAILED', `${server} ${message}`, { cause: error })
  if (error instanceof RangeError) return fail(`sent too much: ${error.message}`)
  if (!(error instanceof ProblemError)) return fail(`does not answer (${networkReason(error)})`)
  const { status, detail } = error.problem
  return fail(`answered ${status}${detail === '' ? '' : `: ${detail}`}`)
}

/** The index lists the documents and their times; the files supply the bytes. Throws SERVICE_FAILED. */
export async function pushCorpus(
  reader: CorpusReader,
  corpus: string,
  context: PushContext,
): Promise<PushReport> {
  const { calls, server } = openService(context.url, context.key)
  try {
    await requireCorpus(calls, server, corpus, context.create ?? false)
    const listed = await listDocuments(calls, corpus)
    const { changed, withheld, held } = compare(reader, listed, context)
    const missing = [...listed.keys()].filter((path) => !held.has(path))
    const gone = context.prune === true ? missing : []
    const skipped = await send(calls, corpus, { changed, gone }, context)
    return {
      server,
      corpus,
      sent: changed.length,
      bytes: changed.reduce((sum, { size }) => sum + size, 0),
      removed: gone.length,
      unchanged: held.size - changed.length - withheld.length,
      elsewhere: missing.length - gone.length,
      withheld,
      skipped,
      version: (await calls.readCorpus(corpus)).version,
    }
  } catch (error) {
    throw describeFailure(server, error)
  }
}

async function requireCorpus(calls: CorpusCalls, server: string, corpus: string, create: boolean) {
  try {
    await calls.readCorpus(corpus)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status !== 404) throw error
    const missing = `${server} has no corpus ${JSON.stringify(corpus)} for this key`
    const hint = 'check its name and the key, or create it with --create'
    if (!create) throw new YoreError('SERVICE_FAILED', missing, { hint })
    await calls.createCorpus({ name: corpus })
  }
}

/** Hash and time of all documents, by path. */
async function listDocuments(calls: CorpusCalls, corpus: string): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await calls.listDocuments(corpus, { limit: 1000, ...(cursor && { cursor }) })
    for (const { path, sha256, modified_at } of page.items)
      documents.set(path, `${sha256} ${Date.parse(modified_at)}`)
    cursor = page.next_cursor
  }
  return documents
}

type Changed = Pick<FileRow, 'path' | 'modifiedAt' | 'size'>

/** Sorts files into those to send and those withheld; files with the same bytes and time are not sent. */
function compare(
  reader: CorpusReader,
  listed: ReadonlyMap<string, string>,
  { root, maxFileSize }: PushContext,
): {
  readonly changed: readonly Changed[]
  readonly withheld: readonly WithheldFile[]
  readonly held: ReadonlySet<string>
} {
  const masks = new Set(reader.masks().map(({ path }) => path))
  const changed: Changed[] = []
  const withheld: WithheldFile[] = []
  const held = new Set<string>()
  for (const { path, modifiedAt } of reader.files()) {
    // The service normalizes paths to NFC.
    const name = path.normalize('NFC')
    held.add(name)
    const read = readBytesInside(root, path, sizeLimit(path, maxFileSize))
    if (masks.has(path)) withheld.push({ path, reason: 'it contains a likely secret' })
    else if (!('bytes' in read)) withheld.push({ path, reason: read.detail })
    else if (read.bytes.length > largestDocument)
      withheld.push({ path, reason: `the service accepts documents of up to ${largestDocument} bytes` })
    else if (listed.get(name) !== `${hash('sha256', read.bytes)} ${modifiedAt}`)
      changed.push({ path, modifiedAt, size: read.bytes.length })
  }
  return { changed, withheld, held }
}

/** Sends and removes in batches, then waits until the service has read them; returns what it skipped. */
async function send(
  calls: CorpusCalls,
  corpus: string,
  { changed, gone }: { readonly changed: readonly Changed[]; readonly gone: readonly string[] },
  { root, maxFileSize, onStep }: PushContext,
): Promise<PushReport['skipped']> {
  // Keys of this run: a repeated try is the same request; another push is a new one.
  const run = randomUUID()
  const ingestions: string[] = []
  const key = (): { idempotencyKey: string } => ({ idempotencyKey: `${run} ${ingestions.length}` })
  for (const batch of batchesOf(changed)) {
    onStep?.(`sending ${batch.length} of ${changed.length} documents`)
    const packed = batch.flatMap(({ path, modifiedAt }): PackedDocument[] => {
      const read = readBytesInside(root, path, sizeLimit(path, maxFileSize))
      return 'bytes' in read ? [{ path: path.normalize('NFC'), bytes: read.bytes, modifiedAt }] : []
    })
    const file = new File([(await writeTar(packed)) as Uint8Array<ArrayBuffer>], 'documents.tar.gz')
    ingestions.push((await calls.uploadArchive({ file }, { corpus }, key())).id)
  }
  for (let start = 0; start < gone.length; start += removalsAtOnce) {
    const paths = gone.slice(start, start + removalsAtOnce)
    ingestions.push((await calls.deleteDocuments(corpus, { paths }, key())).id)
  }
  if (ingestions.length > 0) onStep?.('accepted; waiting until the service has read it')
  const skipped: PushReport['skipped'][] = []
  for (const ingestion of ingestions) skipped.push(await waitFor(calls, ingestion))
  return {
    count: skipped.reduce((sum, { count }) => sum + count, 0),
    first: skipped.flatMap(({ first }) => first),
  }
}

function* batchesOf(documents: readonly Changed[]): Generator<readonly Changed[]> {
  let batch: Changed[] = []
  let bytes = 0
  for (const document of documents) {
    if (batch.length === batchDocuments || (batch.length > 0 && bytes + document.size > batchBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(document)
    bytes += document.size
  }
  if (batch.length > 0) yield batch
}

/** Waits until the ingestion is part of the corpus; returns what it skipped. Throws SERVICE_FAILED if it failed. */
async function waitFor(calls: CorpusCalls, ingestion: string): Promise<PushReport['skipped']> {
  for (;;) {
    const { state, error, skipped } = await calls.readIngestion(ingestion)
    if (state === 'completed') return skipped
    if (state === 'failed' || state === 'cancelled') {
      const why = error === null ? '' : `: ${error['detail']} (${error['code']})`
      const ended = `the upload ${state === 'failed' ? 'failed' : 'was cancelled'}${why}`
      const hint = 'no document of it was added to the corpus; fix the reason and push again'
      throw new YoreError('SERVICE_FAILED', ended, { hint })
    }
    await sleep(pollMs)
  }
}
