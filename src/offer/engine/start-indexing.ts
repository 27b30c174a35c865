// Who indexes while questions are answered? A process of low priority, which goes on when this one has ended.
import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRecord, repeatedFailure, writeRecord } from '../../corpus/store/ownership/build-record.ts'
import { lookAtLock } from '../../corpus/store/ownership/writer-lock.ts'
import type { EngineOptions, Surroundings } from '../../model/config/engine-options.ts'

type IndexPlace = Pick<EngineOptions & Surroundings, 'root' | 'indexDir' | 'env'>

/** Has an incomplete index built, unless a process is at work. Returns what ended the last runs if no further one starts. */
export function resumeIndexing({ root, indexDir, env }: IndexPlace, now: number): string | null {
  if (lookAtLock(indexDir).kind === 'held') return null
  const failure = repeatedFailure(indexDir, now)
  if (failure !== null) return failure
  const file = fileURLToPath(new URL(`./index-later${extname(import.meta.url)}`, import.meta.url))
  const started = spawn(process.execPath, [file, root, indexDir], {
    cwd: root,
    detached: true,
    env,
    stdio: 'ignore',
    windowsHide: true,
  })
  started.on('error', () => {})
  // Known only while this process runs: a handler in the other one would have to wait for minutes of work.
  started.on('exit', (_, signal) => {
    const record = readRecord(indexDir)
    if (signal !== null && record?.failure === null)
      writeRecord(indexDir, { ...record, failure: `the process that built it was ended by ${signal}` })
  })
  started.unref()
  return null
}
