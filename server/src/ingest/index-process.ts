// What runs in the killable process? One engine at a time on a folder, as the parent process requests.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findMachineFault } from '../errors.ts'
import {
  adoptCorpusFile,
  type CorpusChanges,
  defaultSettings,
  forgetToken,
  type IndexReport,
  isAlwaysSkipped,
  isToolStore,
  openEngine,
  YoreError,
} from '../yore.ts'
import { type IndexAnswer, type IndexTask, progress, type SkippedPath } from './killable-process.ts'

/** Bytes of documents that are given to the index together. */
const givenBytes = 64 << 20

/** Reads the files of the changes in batches; the first one also removes. One without files embeds what is not. */
function* readChanges({ put, remove }: NonNullable<IndexTask['changes']>): Generator<CorpusChanges> {
  let batch: NonNullable<CorpusChanges['put']>[number][] = []
  let [bytes, removed] = [0, remove]
  for (const { path: name, file, modifiedAt } of put) {
    const given = { path: name, bytes: readFileSync(file), modifiedAt }
    batch.push(given)
    bytes += given.bytes.length
    if (bytes < givenBytes) continue
    yield { put: batch, remove: removed }
    ;[batch, bytes, removed] = [[], 0, []]
  }
  yield { put: batch, remove: removed }
}

const notThere: IndexAnswer = {
  kind: 'refused',
  code: 'NO_START',
  message: 'the changes have no index to apply to',
}

async function run(task: IndexTask): Promise<IndexAnswer> {
  const { changes, start = null, isWhole = false } = task
  if (changes === undefined) return await index(task)
  if (start !== null)
    try {
      forgetToken(task.indexDir, process.env)
      rmSync(task.indexDir, { recursive: true, force: true })
      adoptCorpusFile(start, { root: task.root, indexDir: task.indexDir })
    } catch (error) {
      // A disk that is full is not the fault of the version.
      if (findMachineFault(error) !== null) throw error
      return notThere
    }
  let isBegun = isWhole
  let answer: IndexAnswer = notThere
  for (const given of readChanges(changes)) {
    if (!isBegun && !existsSync(path.join(task.indexDir, 'index.db'))) return notThere
    const one = await index(task, given)
    // An index of another format was replaced by one that holds the changes alone.
    if (!isBegun && one.kind === 'indexed' && one.isNew) return notThere
    if (one.kind === 'refused' && one.code !== 'NOTHING_INDEXED') return one
    isBegun = true
    const before: number = answer.kind === 'indexed' ? answer.changed : 0
    answer = one.kind === 'indexed' ? { ...one, changed: one.changed + before } : one
  }
  return answer
}

type Answered = Extract<IndexAnswer, { readonly kind: 'indexed' | 'refused' }>

/** Why are these files not in the index? Files that configure the reading never are. */
function explain(
  paths: readonly string[],
  { files, skipped, unsupported }: Partial<IndexReport> & Pick<IndexReport, 'skipped' | 'unsupported'>,
): readonly SkippedPath[] {
  const details = new Map(skipped.map(({ path: name, detail }) => [name, detail]))
  const reasonFor = (name: string): string => {
    if (isToolStore(path.basename(name))) return 'it only configures how others are read'
    const known = details.get(name)
    if (known !== undefined) return known
    const folders = name.split('/').slice(0, -1)
    const folder = folders.find((part) => isAlwaysSkipped(part, 'directory'))
    if (folder !== undefined) return `folders called ${folder} are never read`
    const ending = path.extname(name).toLowerCase()
    return ending in unsupported ? `files that end in ${ending} are not text` : 'ignore rules exclude it'
  }
  return paths
    .filter((name) => files === undefined || !isToolStore(path.basename(name)))
    .map((name) => ({ path: name, reason: reasonFor(name) }))
}

/** At most one message per this time. */
const progressMs = 200

async function index(task: IndexTask, changes?: CorpusChanges): Promise<Answered> {
  using engine = openEngine({
    root: task.root,
    indexDir: task.indexDir,
    settings: {
      ...defaultSettings,
      workers: 1,
      'embedding.provider': task.embed ? defaultSettings['embedding.provider'] : 'none',
    },
    now: Date.now(),
  })
  const { paths = [] } = task
  let told = 0
  const onProgress = (): void => {
    if (performance.now() - told < progressMs) return
    told = performance.now()
    process.send?.(progress)
  }
  try {
    const report = await engine.index({ onProgress, ...(changes === undefined ? {} : { changes }) })
    const ids = new Set(paths.length === 0 ? [] : await engine.artifactIds())
    const missing = paths.filter((name) => !ids.has(name))
    const { rebuilt: isNew, files, indexed, removed } = report
    return { kind: 'indexed', isNew, files, changed: indexed + removed, skipped: explain(missing, report) }
  } catch (error) {
    if (!(error instanceof YoreError)) throw error
    const { code, message, cause } = error
    if (code !== 'NOTHING_INDEXED' || paths.length === 0) return { kind: 'refused', code, message }
    const skipped = explain(paths, cause as IndexReport)
    return { kind: 'indexed', isNew: true, files: 0, changed: 0, skipped }
  }
}

/**
 * Loads modules and the model before the first task; the model stays open as long as an
 * engine uses it. Indexes and queries a small folder for that; an error here shows up again in a task.
 */
async function warmUp(): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'yore-warm-'))
  try {
    await writeFile(path.join(root, 'a.md'), '# A\n\nA page with a [link](b.md).\n')
    const settings = { ...defaultSettings, workers: 1 }
    const engine = openEngine({ root, indexDir: path.join(root, '.yore'), settings, now: 0 })
    await engine.index()
    await engine.search('page', { refresh: 'never' })
  } finally {
    forgetToken(path.join(root, '.yore'), process.env)
    await rm(root, { recursive: true, force: true })
  }
}

const warm = warmUp().catch(() => {})

process.on('message', (task: IndexTask) => {
  const done = warm.then(() => run(task))
  done.then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      const { stack, code } = error as NodeJS.ErrnoException
      process.send?.({ kind: 'crashed', message: String(stack ?? error), code })
    },
  )
})
// The parent process is gone, so no one waits for an answer.
process.on('disconnect', () => process.exit(0))
