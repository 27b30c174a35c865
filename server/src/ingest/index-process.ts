// What runs in the killable process? One engine at a time on a folder, as the parent process requests.
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { adoptCorpusFile, defaultSettings, openEngine, YoreError } from '../yore.ts'
import type { IndexAnswer, IndexTask } from './killable-process.ts'

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

type Answered = Exclude<IndexAnswer, { readonly kind: 'crashed' }>

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
  try {
    const report = await engine.index()
    return {
      kind: 'indexed',
      files: report.files,
      changed: report.indexed + report.removed,
      skipped: report.skipped.map(({ path, reason }) => ({ path, reason })),
    }
  } catch (error) {
    if (!(error instanceof YoreError)) throw error
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
    (error: unknown) => process.send?.({ kind: 'crashed', message: String((error as Error).stack ?? error) }),
  )
})
// The parent process is gone, so no one waits for an answer.
process.on('disconnect', () => process.exit(0))
