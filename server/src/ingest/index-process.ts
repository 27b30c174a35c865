// What runs in the killable process? One engine at a time on a folder, as the parent process requests.
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  adoptCorpusFile,
  defaultSettings,
  type IndexReport,
  isAlwaysSkipped,
  isToolStore,
  openEngine,
  YoreError,
} from '../yore.ts'
import { type IndexAnswer, type IndexTask, progress, type SkippedPath } from './killable-process.ts'

/** Whether the index starts from a version; if that is impossible, it starts empty. */
function begin({ start, root, indexDir }: IndexTask): boolean {
  if (start === undefined || existsSync(indexDir)) return false
  try {
    adoptCorpusFile(start, { root, indexDir })
    return true
  } catch {
    rmSync(indexDir, { recursive: true, force: true })
    return false
  }
}

async function run(task: IndexTask): Promise<IndexAnswer> {
  const hasBegun = begin(task)
  const answer = await index(task)
  if (!hasBegun || answer.kind === 'indexed' || answer.code === 'NOTHING_INDEXED') return answer
  rmSync(task.indexDir, { recursive: true, force: true })
  return await index(task)
}

type Answered = Extract<IndexAnswer, { readonly kind: 'indexed' | 'refused' }>

/** Why are these files not in the index? Files that configure the reading never are. */
function explain(
  paths: readonly string[],
  { files, skipped, unsupported }: Partial<IndexReport> & Pick<IndexReport, 'skipped' | 'unsupported'>,
): readonly SkippedPath[] {
  const details = new Map(skipped.map(({ path: name, detail }) => [name, detail]))
  return paths.flatMap((name) => {
    if (isToolStore(path.basename(name)))
      return files === undefined ? [{ path: name, reason: 'it only configures how others are read' }] : []
    const known = details.get(name)
    if (known !== undefined) return [{ path: name, reason: known }]
    const folder = name
      .split('/')
      .find((part, at, all) => at + 1 < all.length && isAlwaysSkipped(part, 'directory'))
    if (folder !== undefined) return [{ path: name, reason: `folders called ${folder} are never read` }]
    const ending = path.extname(name).toLowerCase()
    const isBinary = ending in unsupported
    return [
      {
        path: name,
        reason: isBinary ? `files that end in ${ending} are not text` : 'ignore rules exclude it',
      },
    ]
  })
}

/** At most one message per this time. */
const progressMs = 200

async function index(task: IndexTask): Promise<Answered> {
  const engine = openEngine({
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
    const report = await engine.index({ onProgress })
    const ids = new Set(paths.length === 0 ? [] : await engine.artifactIds())
    return {
      kind: 'indexed',
      files: report.files,
      changed: report.indexed + report.removed,
      skipped: explain(
        paths.filter((name) => !ids.has(name)),
        report,
      ),
    }
  } catch (error) {
    if (!(error instanceof YoreError)) throw error
    if (error.code === 'NOTHING_INDEXED' && paths.length > 0)
      return { kind: 'indexed', files: 0, changed: 0, skipped: explain(paths, error.cause as IndexReport) }
    return { kind: 'refused', code: error.code, message: error.message }
  } finally {
    engine.close()
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
