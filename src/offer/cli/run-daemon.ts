// How is the daemon started, seen and stopped from a terminal? By asking it; what it does not answer, its log tells.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { defaultSettings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { checkInput, completeInput, readCommandLine } from '../operations/check-input.ts'
import type { DaemonInput } from '../operations/daemon-operations.ts'
import { operations } from '../operations/operations.ts'
import { askResident, findResident, isOwnFolder, residentFolder } from '../service/ask-resident.ts'
import { notOwnFolder } from '../service/serve-resident.ts'
import { allowsDaemon, buildOf, type DaemonReport } from './ask-daemon.ts'
import { formatAge, formatBytes, formatMany } from './format-numbers.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { printable, printableJson } from './printable.ts'
import { startDaemon } from './start-daemon.ts'
import { note } from './terminal.ts'

const startMilliseconds = 10_000

interface RunningDaemon extends DaemonReport {
  /** Another installation, or this one before an update: its commands do not use it. */
  readonly foreign: boolean
}

async function find(
  request: { readonly report: true } | { readonly stop: true },
): Promise<RunningDaemon | null> {
  const place = findResident(process.env)
  const report = place === null ? null : ((await askResident(place, request)) as DaemonReport | null)
  return report === null ? null : { ...report, foreign: place?.build !== buildOf() }
}

function show(running: RunningDaemon | null, request: CommandRequest): void {
  const operation = operations[request.name]
  const given = checkInput(operation, readCommandLine(operation, request.given))
  const { json } = completeInput(operation, given, defaultSettings) as unknown as DaemonInput
  process.stdout.write(json ? printableJson({ running, allowed: allowsDaemon(process.env) }) : print(running))
  if (!allowsDaemon(process.env))
    note('commands do not use a daemon: `yore config set daemon on --scope user` allows it')
}

function print(running: RunningDaemon | null): string {
  if (running === null) return 'not running\n'
  const { pid, startedAt, answered, corpora, bytes, foreign } = running
  const figures = `${formatMany(answered, 'command')} answered, ${formatBytes(bytes)}`
  const lines = [`running: process ${pid}, started ${formatAge(Date.now() - startedAt)}, ${figures}`]
  if (foreign)
    lines.push('it belongs to another installation of yore: commands of this one answer by themselves')
  for (const root of corpora) lines.push(`  ${printable(root)}`)
  return `${lines.join('\n')}\n`
}

/** Runs `yore daemon`; gives the exit status. */
export async function runDaemon(request: CommandRequest): Promise<number> {
  let running = await find({ report: true })
  const folder = residentFolder(process.env)
  if (folder !== null && existsSync(folder) && !isOwnFolder(folder)) throw notOwnFolder(folder)
  if (running === null) startDaemon(0)
  const started = performance.now()
  while (running === null && performance.now() - started < startMilliseconds) {
    await setTimeout(50)
    running = await find({ report: true })
  }
  if (running === null) throw notStarted(folder)
  show(running, request)
  return 0
}

function notStarted(folder: string | null): YoreError {
  const hint = 'commands answer by themselves meanwhile; `yore daemon` tries again'
  if (folder === null) return new YoreError('NO_PERMISSION', 'there is no folder of yours for a daemon')
  let words = ''
  try {
    words = readFileSync(path.join(folder, 'log'), 'utf8').trim()
  } catch {
    // It said nothing.
  }
  return new YoreError(
    'CRASHED',
    `the daemon did not start${words === '' ? '' : `: ${words.slice(0, 500)}`}`,
    { hint },
  )
}

/** Runs `yore daemon status`; gives the exit status. */
export async function runDaemonStatus(request: CommandRequest): Promise<number> {
  const running = await find({ report: true })
  show(running, request)
  return running === null ? 1 : 0
}

/** Runs `yore daemon stop`; gives the exit status. */
export async function runDaemonStop(_request: CommandRequest): Promise<number> {
  const running = await find({ stop: true })
  note(running === null ? 'no daemon runs' : `stopped process ${running.pid}`)
  return 0
}
