// What does the process in the background index? The folder that it is given; a record next to the index says why it is not complete, until it is.
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { readRecord, writeRecord } from '../../corpus/store/ownership/build-record.ts'
import { lookAtLock } from '../../corpus/store/ownership/writer-lock.ts'
import { YoreError } from '../../model/errors.ts'
import type { IndexProgress } from '../../model/report.ts'
import { openEngine } from './open-engine.ts'

const { env } = process
const [, , root = '', indexDir = ''] = process.argv
// Questions come first.
setPriority(10)
// Loaded first, because it takes a moment: a folder that is deleted meanwhile is not made again.
await import('../../corpus/indexing/index-corpus.ts')
if (existsSync(indexDir) && lookAtLock(indexDir).kind !== 'held') await indexFolder()

/** Reading takes about 60 % of the time; vectors follow when the index is complete and its record gone. */
function shareOf({ phase, bytesDone, bytesTotal }: IndexProgress): number {
  if (phase === 'merging') return 0.6
  return phase === 'reading' ? (0.6 * bytesDone) / Math.max(1, bytesTotal) : 0
}

async function indexFolder(): Promise<void> {
  const record = { runs: (readRecord(indexDir)?.runs ?? 0) + 1, startedAt: Date.now() }
  const report = (failure: string | null): void => writeRecord(indexDir, { ...record, failure })
  report(null)
  let [began, told] = [record.startedAt, 0]
  const onProgress = (step: IndexProgress): void => {
    const now = Date.now()
    const share = shareOf(step)
    // Looking for files says nothing about reading them, and the first files little.
    if (share === 0) began = now
    if (share < 0.02 || now < told + 1000) return
    told = now
    writeRecord(indexDir, { ...record, failure: null, endsAt: now + ((now - began) * (1 - share)) / share })
  }
  try {
    using engine = openEngine(root, { env, indexDir })
    await engine.index({ onProgress })
  } catch (error) {
    if (!(error instanceof YoreError && error.code === 'INDEX_LOCKED')) report((error as Error).message)
  }
}
