// What does a corpus version cost? Bytes and time of publishing and fetching it, on the documentation of Kubernetes.
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { openDirectoryStore } from '../server/src/versions/directory-store.ts'
import { readLtx } from '../server/src/versions/ltx.ts'
import { materialise } from '../server/src/versions/materialise-version.ts'
import { readPageFile, sumPages } from '../server/src/versions/page-file.ts'
import { publishVersion } from '../server/src/versions/publish-version.ts'
import { createBucket, openS3Store } from '../server/src/versions/s3-store.ts'
import type { ObjectStore } from '../server/src/versions/store.ts'
import { extendManifest, isBaseDue, type Manifest, type VersionPart } from '../server/src/versions/version.ts'
import { defaultSettings } from '../src/config/settings.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { listFiles } from './bare-engine.ts'
import { benchFolder, prepareCorpus } from './corpora.ts'
import { describeMachine, median } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const MB = 1_000_000
const ROUNDS = 7

interface Change {
  readonly name: string
  readonly make: (root: string, files: readonly string[], round: number) => void
}

/** Real text, another piece each time. */
function textOf(root: string, files: readonly string[], start: number, bytes: number): string {
  let text = ''
  for (let at = start; text.length < bytes; at++)
    text += readFileSync(join(root, files[at % files.length] as string), 'utf8').replaceAll('---', '')
  return text.slice(0, bytes)
}

const changes: readonly Change[] = [
  {
    name: '2 KB more in one document',
    make: (root, files, round) =>
      appendFileSync(
        join(root, files[(round * 131) % files.length] as string),
        `\n\n## More\n\n${textOf(root, files, round * 17, 2000)}\n`,
      ),
  },
  {
    name: 'a new document of 100 KB',
    make: (root, files, round) =>
      writeFileSync(join(root, `new-${round}.md`), textOf(root, files, 700 + round * 29, 100_000)),
  },
]

interface Place {
  readonly root: string
  readonly indexDir: string
  readonly folder: string
  readonly store: ObjectStore
}

async function index({ root, indexDir }: Place): Promise<void> {
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  await engine.index()
  engine.close()
}

async function publish(place: Place, manifest: Manifest): Promise<{ part: VersionPart; ms: number }> {
  let part: VersionPart | null = null
  const workingFile = join(place.indexDir, 'index.db')
  const directory = join(place.folder, 'worker')
  const ms = await cpuTime(async () => {
    part = await publishVersion({ corpus: 1, workingFile, manifest, store: place.store, directory })
  })
  return { part: part!, ms }
}

/** How big the pages of an object are as they lie in the file, and what zstd would make of them together. */
async function weighPages(store: ObjectStore, part: VersionPart): Promise<{ raw: number; zstd: number }> {
  const pages: Uint8Array[] = []
  for await (const event of readLtx(store.stream(part.key)))
    if (event.kind === 'page') pages.push(event.bytes)
  const bytes = Buffer.concat(pages)
  return { raw: bytes.byteLength / MB, zstd: zstdCompressSync(bytes).byteLength / MB }
}

function fetchVersion(place: Place, manifest: Manifest, node: string): Promise<string> {
  return materialise({ manifest, store: place.store, directory: join(place.folder, node) })
}

/** Milliseconds of CPU: a machine that others use, too, makes the clock say little. */
async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function sumTime(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const pages = await readPageFile(handle)
    return await cpuTime(() => sumPages(pages))
  } finally {
    await handle.close()
  }
}

async function measureBase(place: Place): Promise<{ manifest: Manifest; figures: Record<string, number> }> {
  const published: { part: VersionPart; ms: number }[] = []
  const fetched: number[] = []
  for (let round = 0; round < 3; round++) {
    const { part, ms } = await publish(place, [])
    published.push({ part, ms })
    rmSync(join(place.folder, 'worker'), { recursive: true })
    fetched.push(await cpuTime(() => fetchVersion(place, [part], `new-${round}`)))
    if (round < 2) await place.store.delete(part.key)
  }
  const manifest = [published.at(-1)!.part]
  const file = await materialise({ manifest, store: place.store, directory: join(place.folder, 'follower') })
  const weight = await weighPages(place.store, manifest[0]!)
  return {
    manifest,
    figures: {
      fileMb: statSync(file).size / MB,
      ltxMb: manifest[0]!.size / MB,
      zstdMb: weight.zstd,
      publishMs: median(published.map(({ ms }) => ms)),
      fetchMs: median(fetched),
      sumMs: median([await sumTime(file), await sumTime(file), await sumTime(file)]),
    },
  }
}

async function measureChanges(
  place: Place,
  change: Change,
  start: Manifest,
): Promise<Record<string, number>> {
  let manifest = start
  const files = listFiles(place.root)
  const seen: { raw: number; zstd: number; ltx: number; publish: number; follow: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    change.make(place.root, files, round)
    await index(place)
    const { part, ms } = await publish(place, manifest)
    const next = extendManifest(manifest, part)
    // Deltas have grown to half of their base; a base was measured before.
    if (part.kind === 'base' || isBaseDue(next)) break
    manifest = next
    const weight = await weighPages(place.store, part)
    const follow = await cpuTime(() => fetchVersion(place, manifest, 'follower'))
    seen.push({ ...weight, ltx: part.size / MB, publish: ms, follow })
  }
  const all = await cpuTime(() => fetchVersion(place, manifest, `new-${change.name.length}`))
  const again = await cpuTime(() => fetchVersion(place, manifest, 'follower'))
  const of = (name: keyof (typeof seen)[number]): number => median(seen.map((each) => each[name]))
  return {
    pagesMb: of('raw'),
    ltxMb: of('ltx'),
    zstdMb: of('zstd'),
    publishMs: of('publish'),
    followMs: of('follow'),
    deltas: seen.length,
    fetchAllMs: all,
    reuseMs: again,
  }
}

async function measureStore(name: string, store: ObjectStore, root: string): Promise<object> {
  const folder = join(benchFolder(), `versions-${name}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const place: Place = { root, indexDir: join(folder, 'index'), folder, store }
  await index(place)
  const base = await measureBase(place)
  printTable(`${name}: a base`, Object.keys(base.figures), [Object.values(base.figures)])
  const byChange: Record<string, Record<string, number>> = {}
  for (const change of changes) {
    await index(place)
    const { part } = await publish(place, [])
    byChange[change.name] = await measureChanges(place, change, [part])
  }
  const head = Object.keys(byChange[changes[0]!.name] ?? {})
  const rows = Object.entries(byChange).map(([change, figures]) => [change, ...Object.values(figures)])
  printTable(`${name}: deltas, medians, CPU`, ['change', ...head], rows)
  return { base: base.figures, changes: byChange }
}

const objects = join(benchFolder(), 'versions-objects')
rmSync(objects, { recursive: true, force: true })
const root = prepareCorpus('k8sdocs')
if (root !== null) {
  const result: Record<string, object> = {
    directory: await measureStore('directory', await openDirectoryStore({ directory: objects }), root),
  }
  const endpoint = process.env['YORE_BENCH_S3']
  if (endpoint !== undefined) {
    const options = { endpoint, bucket: 'bench', accessKeyId: 'yorekey', secretAccessKey: 'yoresecret' }
    await createBucket(options)
    result['s3'] = await measureStore('s3', openS3Store(options), prepareCorpus('k8sdocs')!)
  }
  writeRun('versions', { machine: describeMachine(), corpus: 'k8sdocs', ...result })
}
