// Who is writing this index? A file that only one process can create, with its owner; locks of dead processes do not count.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { YoreError } from '../../../model/errors.ts'
import { requireWritable } from './check-permission.ts'
import { lockFileName, readPlainFile } from './index-home.ts'

interface Holder {
  readonly pid: number
  readonly host: string
  /** Start time of the process as the system counts it; empty when unknown. */
  readonly started: string
  readonly id: string
}

type LockState =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly by: string; readonly at: number }
  /** Left by a dead process, or invalid: the next writer removes it. */
  | { readonly kind: 'left'; readonly found: string }

/** Interval at which the holder renews its lock. */
const SIGN_MILLISECONDS = 10_000
/** A holder on another machine counts as dead after this time without renewal. */
const SILENCE_MILLISECONDS = 10 * 60_000
/** A lock may be empty while it is being written. */
const EMPTY_MILLISECONDS = 2_000

function readQuietly(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** The machine, its boot, and the namespace of process ids, which each container has. */
function hostName(): string {
  if (process.platform !== 'linux') return hostname()
  const boot = readQuietly(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  return [hostname(), boot, readQuietly(() => fs.readlinkSync('/proc/self/ns/pid'))].join(' ')
}

/**
 * State of a process, and its start in ticks since boot; empty when unknown. Counted from the last bracket because the
 * name may contain blanks and brackets.
 */
function readStat(pid: number | 'self'): { readonly state: string; readonly started: string } {
  const stat = readQuietly(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', started: fields[19] ?? '' }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder>
    const isHolder =
      Number.isSafeInteger(holder.pid) &&
      (holder.pid as number) > 0 &&
      [holder.host, holder.started, holder.id].every((value) => typeof value === 'string')
    return isHolder ? (holder as Holder) : null
  } catch {
    return null
  }
}

function judgeHolder(holder: Holder, silence: number, at: number): LockState {
  const held: LockState = { kind: 'held', by: `process ${holder.pid} on ${holder.host.split(' ')[0]}`, at }
  const left: LockState = { kind: 'left', found: `process ${holder.pid} left it and is gone` }
  const [host, boot, space] = hostName().split(' ')
  const [itsHost, itsBoot, itsSpace] = holder.host.split(' ')
  if (itsHost === host && itsBoot !== boot) return left
  if (itsHost !== host || itsSpace !== space) return silence > SILENCE_MILLISECONDS ? left : held
  if (!isRunning(holder.pid)) return left
  const { state, started } = readStat(holder.pid)
  // It ended, and its parent has not asked for its status.
  if (state === 'Z') return left
  if (holder.started !== '' && started !== '') return started === holder.started ? held : left
  return silence > SILENCE_MILLISECONDS ? left : held
}

/** Reads the lock of an index folder without changing it. */
export const lookAtLock = (folder: string): LockState => readLock(join(folder, lockFileName))

function readLock(place: string): LockState {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'free' }
  if (!stats.isFile()) return { kind: 'left', found: 'it is not a regular file' }
  const at = Date.now()
  const silence = Math.abs(at - stats.mtimeMs)
  const text = readPlainFile(place, 4096)
  if (text === null) return { kind: 'held', by: 'a process of another user', at }
  if (text === '' && silence < EMPTY_MILLISECONDS)
    return { kind: 'held', by: 'a process that just started', at }
  const holder = parseHolder(text)
  return holder === null ? { kind: 'left', found: 'yore did not write it' } : judgeHolder(holder, silence, at)
}

/** Creates the lock if there is none. */
function makeLock(place: string, text: string): boolean {
  try {
    fs.writeFileSync(place, text, { flag: 'wx' })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A full disk, for example: an empty lock belongs to no process.
    if (readPlainFile(place, 1) === '') fs.rmSync(place, { force: true })
    throw cause
  }
}

/**
 * Removes a lock that a dead process left. A lock of its own lets only one process do so: another that read the same
 * state earlier would remove the lock that was taken since.
 */
function removeLeft(place: string): void {
  const turn = takeLock(`${place}.left`)
  try {
    if (readLock(place).kind === 'left') fs.rmSync(place, { recursive: true, force: true })
  } finally {
    turn.release()
  }
}

/** A writer's lock, held until `release` or the end of the process. */
export interface WriterLock {
  release(): void
}

function locked(place: string, by: string): YoreError {
  const hint = `try again when it has finished; if no yore runs there any more, delete ${place}`
  return new YoreError('INDEX_LOCKED', `${by} is writing the index at ${dirname(place)}`, { hint })
}

/** Takes the writer's lock of an index folder. Throws INDEX_LOCKED and NO_PERMISSION. */
export function takeWriterLock(folder: string): WriterLock {
  requireWritable(folder)
  return takeLock(join(folder, lockFileName))
}

function takeLock(place: string): WriterLock {
  const id = randomBytes(8).toString('hex')
  const holder: Holder = { pid: process.pid, host: hostName(), started: readStat('self').started, id }
  const text = JSON.stringify(holder)
  for (let attempt = 1; !makeLock(place, text); attempt++) {
    const state = readLock(place)
    if (state.kind === 'held') throw locked(place, state.by)
    if (attempt === 5) throw locked(place, 'another process')
    if (state.kind === 'left') removeLeft(place)
  }
  const sign = setInterval(() => {
    const now = new Date()
    try {
      fs.utimesSync(place, now, now)
    } catch {
      // Only processes on other machines check the renewal.
    }
  }, SIGN_MILLISECONDS)
  sign.unref()
  return {
    release: () => {
      clearInterval(sign)
      if (readPlainFile(place, 4096) === text) fs.rmSync(place, { force: true })
    },
  }
}
