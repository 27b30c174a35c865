// How does a folder's corpus reach a service? It sends the documents that the service does not have, never the index.
import { hash, randomUUID } from 'node:crypto'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { sizeLimit } from '../../read/source/walk/walk-options.ts'
import {
  CorpusClient,
  type ListedDocument,
  type ServiceAddress,
  type SkippedByService,
} from './corpus-client.ts'
import { type PackedDocument, writeTar } from './write-tar.ts'

export interface PushOptions {
  /** Create the corpus if the service has none of this name. */
  readonly create: boolean
  /** Remove documents from the corpus that this folder does not have. */
  readonly prune: boolean
  /** Send files with masked secrets as they are. */
  readonly masked: boolean
  /** Only report what would be done. */
  readonly dryRun: boolean
  /** Called with a description of each step. */
  readonly onStep?: (text: string) => void
}

export const pushDefaults: PushOptions = { create: false, prune: false, masked: false, dryRun: false }

/** A file that was not sent, with the reason. */
export interface WithheldFile {
  readonly path: string
  readonly reason: string
}

export interface PushReport {
  readonly server: string
  readonly corpus: string
  readonly dryRun: boolean
  readonly sent: number
  readonly bytes: number
  readonly removed: number
  readonly unchanged: number
  /** Documents of the corpus that this folder does not have, and that stay. */
  readonly elsewhere: number
  readonly withheld: readonly WithheldFile[]
  /** Documents that were sent, and that the service does not index. */
  readonly skipped: SkippedByService
  /** The version of the corpus afterwards; null after a dry run. */
  readonly version: number | null
}

interface PushContext extends PushOptions {
  readonly root: string
  readonly maxFileSize: number
  readonly address: ServiceAddress
}

/** Size limit of a service for one document. */
const largestDocument = 2 * 1024 * 1024
/** Limits of one archive, which is built in memory and applied in one transaction. */
const batchBytes = 64 * 1024 * 1024
const batchDocuments = 5000
const removalsAtOnce = 1000

/** Sorts files into those to send and those withheld; files with the same bytes and time are not sent. */
function compare(
  reader: CorpusReader,
  listed: readonly ListedDocument[],
  { root, maxFileSize, masked }: PushContext,
): {
  readonly changed: readonly { readonly path: string; readonly modifiedAt: number; readonly size: number }[]
  readonly withheld: readonly WithheldFile[]
  readonly held: ReadonlySet<string>
} {
  const there = new Map(listed.map((document) => [document.path, document]))
  const masks = new Set(masked ? [] : reader.masks().map(({ path }) => path))
  const changed: { path: string; modifiedAt: number; size: number }[] = []
  const withheld: WithheldFile[] = []
  const held = new Set<string>()
  for (const { path, modifiedAt } of reader.files()) {
    // The service normalizes paths to NFC.
    const name = path.normalize('NFC')
    held.add(name)
    if (masks.has(path)) {
      withheld.push({ path, reason: 'it contains a likely secret; --masked sends it as it is' })
      continue
    }
    const read = readBytesInside(root, path, sizeLimit(path, maxFileSize))
    if (!('bytes' in read)) withheld.push({ path, reason: read.detail })
    else if (read.bytes.length > largestDocument)
      withheld.push({ path, reason: `the service accepts documents of up to ${largestDocument} bytes` })
    else {
      const before = there.get(name)
      const isSame = before?.sha256 === hash('sha256', read.bytes) && before.modifiedAt === modifiedAt
      if (!isSame) changed.push({ path, modifiedAt, size: read.bytes.length })
    }
  }
  return { changed, withheld, held }
}

function* batchesOf<T extends { readonly size: number }>(documents: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = []
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

/** The index lists the documents and their times; the files supply the bytes. */
export async function pushCorpus(
  reader: CorpusReader,
  corpus: string,
  context: PushContext,
): Promise<PushReport> {
  const { root, maxFileSize, dryRun, prune, onStep } = context
  const client = new CorpusClient(context.address, corpus)
  const isThere = (await client.findCorpus()) !== null
  if (!isThere && !context.create)
    throw client.noCorpus('check its name and the key, or create it with --create')
  if (!isThere && !dryRun) await client.createCorpus()
  const listed = isThere ? await client.listDocuments() : []
  const { changed, withheld, held } = compare(reader, listed, context)
  const missing = listed.filter(({ path }) => !held.has(path)).map(({ path }) => path)
  const gone = prune ? missing : []
  const report = {
    server: client.server,
    corpus,
    dryRun,
    sent: changed.length,
    bytes: changed.reduce((sum, { size }) => sum + size, 0),
    removed: gone.length,
    unchanged: held.size - changed.length - withheld.length,
    elsewhere: missing.length - gone.length,
    withheld,
    skipped: { count: 0, first: [] } as SkippedByService,
  }
  if (dryRun) return { ...report, version: null }
  // Keys of this run: a repeated try is the same request; another push is a new one.
  const run = randomUUID()
  const ingestions: string[] = []
  for (const batch of batchesOf(changed)) {
    onStep?.(`sending ${batch.length} of ${changed.length} documents`)
    const packed = batch.flatMap(({ path, modifiedAt }): PackedDocument[] => {
      const read = readBytesInside(root, path, sizeLimit(path, maxFileSize))
      return 'bytes' in read ? [{ path: path.normalize('NFC'), bytes: read.bytes, modifiedAt }] : []
    })
    ingestions.push(await client.sendArchive(await writeTar(packed), `${run} ${ingestions.length}`))
  }
  for (let start = 0; start < gone.length; start += removalsAtOnce)
    ingestions.push(
      await client.removeDocuments(gone.slice(start, start + removalsAtOnce), `${run} ${ingestions.length}`),
    )
  if (ingestions.length > 0) onStep?.('accepted; waiting until the service has read it')
  let { skipped } = report
  for (const ingestion of ingestions) {
    const { count, first } = await client.waitFor(ingestion)
    skipped = { count: skipped.count + count, first: [...skipped.first, ...first] }
  }
  return { ...report, skipped, version: (await client.findCorpus())?.version ?? null }
}
