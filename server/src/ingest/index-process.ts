// What runs in the process that may be killed? One engine at a time over a folder, as its parent asks.
import { defaultSettings, openEngine, YoreError } from '../yore.ts'
import type { IndexAnswer, IndexTask } from './killable-process.ts'

async function run(task: IndexTask): Promise<IndexAnswer> {
  const engine = openEngine({
    root: task.root,
    indexDir: task.indexDir,
    settings: { ...defaultSettings, workers: 1, mode: task.embed ? defaultSettings.mode : 'lexical' },
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

process.on('message', (task: IndexTask) => {
  run(task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ kind: 'crashed', message: String((error as Error).stack ?? error) }),
  )
})
// The parent is gone: nobody waits for an answer.
process.on('disconnect', () => process.exit(0))
