// How does a corpus of a service reach a folder? Its documents are fetched and verified by hash; the index is built locally.

import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { YoreError } from '../../model/errors.ts'
import { byPath, lastSegment } from '../../model/paths.ts'
import { describeFailure } from '../../read/source/describe-failure.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { isSecretPath } from '../../read/source/secrets/secret-paths.ts'
import { normalizeCorpusPath } from '../../read/source/walk/corpus-path.ts'
import { isInside, lookInside } from '../../read/source/walk/is-inside.ts'
import { isAlwaysSkipped } from '../../read/source/walk/walk-options.ts'
import { CorpusClient, type ListedDocument, type ServiceAddress } from './corpus-client.ts'
import type { WithheldFile } from './push-corpus.ts'

export interface PullOptions {
  /** Replace files that differ from the corpus; otherwise they stay as they are. */
  readonly overwrite: boolean
  /** Only report what would be done. */
  readonly dryRun: boolean
  readonly onStep?: (text: string) => void
}

export const pullDefaults: PullOptions = { overwrite: false, dryRun: false }

export interface PullReport {
  readonly server: string
  readonly corpus: string
  readonly dryRun: boolean
  readonly version: number
  readonly written: number
  readonly bytes: number
  readonly unchanged: number
  /** Files that differ and were not replaced. */
  readonly kept: readonly string[]
  /** Documents that must not be written to this folder. */
  readonly refused: readonly WithheldFile[]
}

const atOnce = 4

/** A service is not trusted: it may only write valid document paths, and no file that configures a tool or holds secrets. */
function whyNot(path: string): string | null {
  if (normalizeCorpusPath(path) !== path) return 'its path is not valid'
  if (isSecretPath(path)) return 'files of that name are likely to hold secrets'
  const segments = path.split('/')
  const isSteering = segments.some((name, at) => {
    const kind = at < segments.length - 1 ? 'directory' : 'file'
    return isAlwaysSkipped(name, kind) || isAlwaysSkipped(name.toLowerCase(), kind)
  })
  return isSteering ? 'no corpus holds files of that name' : null
}

function stateOf(root: string, { path, sha256, size }: ListedDocument): 'same' | 'other' | 'absent' {
  if (lookInside(root, path) === null) return 'absent'
  // One byte more, so that a longer file counts as different.
  const read = readBytesInside(root, path, size + 1)
  return 'bytes' in read && hash('sha256', read.bytes) === sha256 ? 'same' : 'other'
}

/** Creates the folder of a file; never follows a link that leads out. */
function makeFolder(realRoot: string, folder: string): string {
  const place = join(realRoot, folder)
  if (folder !== '.') {
    const above = makeFolder(realRoot, dirname(folder))
    mkdirSync(join(above, lastSegment(folder)), { recursive: true })
  }
  const real = realpathSync.native(place)
  if (!isInside(real, realRoot)) throw new YoreError('OUTSIDE_ROOT', `${folder} is outside the folder`)
  return real
}

/** Writes atomically; replaces a link at the path instead of following it. */
function writeDocument(realRoot: string, { path, modifiedAt }: ListedDocument, bytes: Uint8Array): void {
  const folder = makeFolder(realRoot, dirname(path))
  const draft = join(folder, `.${randomUUID()}.yore-part`)
  try {
    writeFileSync(draft, bytes, { flag: 'wx' })
    utimesSync(draft, modifiedAt / 1000, modifiedAt / 1000)
    renameSync(draft, join(folder, lastSegment(path)))
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Writes missing documents below `root`. Throws SERVICE_FAILED when bytes do not match the listed hash. */
export async function pullCorpus(
  root: string,
  corpus: string,
  { address, overwrite, dryRun, onStep }: PullOptions & { readonly address: ServiceAddress },
): Promise<PullReport> {
  const client = new CorpusClient(address, corpus)
  const found = await client.findCorpus()
  if (found === null) throw client.noCorpus('check its name and the key')
  const refused: WithheldFile[] = []
  const kept: string[] = []
  const wanted: ListedDocument[] = []
  let unchanged = 0
  for (const document of await client.listDocuments()) {
    const { path } = document
    const why = whyNot(path)
    const state = why === null ? stateOf(root, document) : null
    if (why !== null) refused.push({ path, reason: why })
    else if (state === 'same') unchanged++
    else if (state === 'other' && !overwrite) kept.push(path)
    else wanted.push(document)
  }
  if (!dryRun && wanted.length > 0) onStep?.(`fetching ${wanted.length} documents`)
  const written = dryRun ? wanted : await fetchAll(client, wanted, { root, refused })
  return {
    server: client.server,
    corpus,
    dryRun,
    version: found.version,
    written: written.length,
    bytes: written.reduce((sum, { size }) => sum + size, 0),
    unchanged,
    kept,
    refused: refused.sort((a, b) => byPath(a, b)),
  }
}

async function fetchAll(
  client: CorpusClient,
  wanted: readonly ListedDocument[],
  { root, refused }: { readonly root: string; readonly refused: WithheldFile[] },
): Promise<readonly ListedDocument[]> {
  const realRoot = realpathSync.native(root)
  const written: ListedDocument[] = []
  let next = 0
  const fetchNext = async (): Promise<void> => {
    for (let document = wanted[next++]; document !== undefined; document = wanted[next++]) {
      const bytes = await client.readDocument(document)
      if (hash('sha256', bytes) !== document.sha256)
        throw new YoreError(
          'SERVICE_FAILED',
          `${document.path} does not match the hash that the service listed`,
          {
            hint: 'pull again: the document may have changed meanwhile; files fetched so far are complete',
          },
        )
      try {
        writeDocument(realRoot, document, bytes)
        written.push(document)
      } catch (error) {
        const reason = error instanceof YoreError ? error.message : describeFailure(error)
        refused.push({ path: document.path, reason })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, fetchNext))
  return written
}
