// Is this index complete, and if not, who builds it, or what ended that? The process that builds it keeps a record next to it.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Freshness } from '../../../model/report.ts'
import { readPlainFile } from './index-home.ts'
import { lookAtLock } from './writer-lock.ts'

export interface BuildRecord {
  /** Runs in a row that did not finish. */
  readonly runs: number
  /** Milliseconds since 1970 at which the last one began. */
  readonly startedAt: number
  /** Null while it runs, and after an end that no process can report. */
  readonly failure: string | null
  /** When it will have finished, as estimated from what was done; absent at first. */
  readonly endsAt?: number
}

const recordName = 'unfinished'
/** Blanks fill the record to this many characters: on a full disk, a failure is written over what is there. */
const LENGTH = 2048

/** Runs in a row that may fail before no process is started any more, for a while. */
const MOST_RUNS = 3
const PAUSE_MILLISECONDS = 600_000

export function readRecord(indexDir: string): BuildRecord | null {
  try {
    const read = JSON.parse(readPlainFile(join(indexDir, recordName), LENGTH) ?? '') as Partial<BuildRecord>
    const { runs, startedAt, failure = null } = read
    const isRecord = Number.isSafeInteger(runs) && Number.isFinite(startedAt)
    return isRecord ? { ...(read as BuildRecord), failure: failure === null ? null : String(failure) } : null
  } catch {
    return null
  }
}

/** Never throws: a record that cannot be written is missed only by the next question. */
export function writeRecord(indexDir: string, record: BuildRecord): void {
  const place = join(indexDir, recordName)
  const failure = record.failure?.slice(0, LENGTH / 4) ?? null
  const text = JSON.stringify({ ...record, failure }).padEnd(LENGTH)
  try {
    writeFileSync(place, text, { flag: readPlainFile(place, 1) === null ? 'wx' : 'r+' })
  } catch {
    // The folder is gone, or the disk is full.
  }
}

/** How far the run is, once there is an estimate. */
export function estimateProgress(indexDir: string, now: number): Pick<Freshness, 'progress'> {
  const { startedAt = 0, endsAt = startedAt, failure = null } = readRecord(indexDir) ?? {}
  if (endsAt <= startedAt || failure !== null) return {}
  const share = Math.min(0.99, Math.max(0, (now - startedAt) / (endsAt - startedAt)))
  return { progress: { share, secondsLeft: Math.max(1, Math.round((endsAt - now) / 1000)) } }
}

export function clearRecord(indexDir: string): void {
  rmSync(join(indexDir, recordName), { force: true })
}

/** What ended the last run in the background; null if none is known to have ended. */
export function describeRecord(record: BuildRecord | null): string | null {
  if (record === null) return null
  return record.failure ?? 'the process that built it was killed by a signal, or ran out of memory'
}

/** What ended the last of several runs in a row, if that was not long ago; null if another one may start. */
export function repeatedFailure(indexDir: string, now: number): string | null {
  const record = readRecord(indexDir)
  const isRepeated =
    record !== null && record.runs >= MOST_RUNS && Math.abs(now - record.startedAt) < PAUSE_MILLISECONDS
  return isRepeated ? describeRecord(record) : null
}

export type BuildState =
  | { readonly kind: 'complete' }
  /** A running process writes its first run. */
  | {
      readonly kind: 'growing'
      readonly by: string
      readonly freshness: Pick<Freshness, 'builder' | 'progress'>
    }
  /** No process builds it: the first run was stopped, or there was none. */
  | { readonly kind: 'abandoned'; readonly failure: string | null }

/** `indexedAt`: when the last run ended, which it writes last; null for an index that is missing or was never finished. */
export function judgeBuild(indexDir: string, indexedAt: number | null): BuildState {
  if (indexedAt !== null) return { kind: 'complete' }
  const lock = lookAtLock(indexDir)
  if (lock.kind === 'held') {
    const freshness = { builder: lock.by, ...estimateProgress(indexDir, lock.at) }
    return { kind: 'growing', by: lock.by, freshness }
  }
  return { kind: 'abandoned', failure: describeRecord(readRecord(indexDir)) }
}
