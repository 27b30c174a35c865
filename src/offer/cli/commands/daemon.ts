// How is the daemon started, seen and stopped? `yore daemon` asks it; when it does not start, its log says why.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { YoreError } from '../../../model/errors.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { callDaemon, daemonFolder, findDaemon, isPrivateFolder } from '../../service/call-daemon.ts'
import { notPrivateFolder } from '../../service/serve-daemon.ts'
import { allowsDaemon, buildOf, type DaemonReport } from '../ask-daemon.ts'
import { type Command, plainCommand } from '../command.ts'
import { formatAge, formatBytes, printable } from '../format.ts'
import { json } from '../options.ts'
import { startDaemon } from '../start-daemon.ts'
import { note, show } from '../terminal.ts'

const shared = { arguments: {}, options: { json } } as const

const status: Command = plainCommand(
  {
    ...shared,
    name: 'daemon status',
    summary: 'Show whether the daemon runs, since when, and which corpora it has open.',
    details: ['Exits with 1 when no daemon runs.'],
    examples: ['yore daemon status', 'yore daemon status --json'],
  },
  async (input) => {
    const running = await find({ report: true })
    report(running, input)
    return running === null ? 1 : 0
  },
)

const stop: Command = plainCommand(
  {
    ...shared,
    name: 'daemon stop',
    summary: 'Stop the daemon; `yore config set daemon off --scope user` prevents a restart.',
    examples: ['yore daemon stop'],
  },
  async () => {
    const running = await find({ stop: true })
    note(running === null ? 'no daemon is running' : `stopped process ${running.pid}`)
    return 0
  },
)

export const command: Command = {
  ...plainCommand(
    {
      ...shared,
      name: 'daemon',
      summary: 'Start a background process that makes later commands faster.',
      details: [
        'Commands use it, and start it, once your own config allows it: `yore config set daemon on --scope user`. A repository cannot allow it. Answers are identical with and without it.',
        'More about it: {docs}/guides/daemon.md.',
      ],
      examples: ['yore daemon'],
    },
    async (input) => {
      let running = await find({ report: true })
      const folder = daemonFolder(process.env)
      if (folder !== null && existsSync(folder) && !isPrivateFolder(folder)) throw notPrivateFolder(folder)
      if (running === null) startDaemon(0)
      const started = performance.now()
      while (running === null && performance.now() - started < startMilliseconds) {
        await setTimeout(50)
        running = await find({ report: true })
      }
      if (running === null) throw notStarted(folder)
      report(running, input)
      return 0
    },
  ),
  subcommands: [status, stop],
}

const startMilliseconds = 10_000

interface RunningDaemon extends DaemonReport {
  /** Another installation, or this one before an update: its commands do not use it. */
  readonly foreign: boolean
}

async function find(
  request: { readonly report: true } | { readonly stop: true },
): Promise<RunningDaemon | null> {
  const place = findDaemon(process.env)
  const report = place === null ? null : ((await callDaemon(place, request)) as DaemonReport | null)
  return report === null ? null : { ...report, foreign: place?.build !== buildOf() }
}

function report(running: RunningDaemon | null, input: { readonly json: boolean }): void {
  show(input, { running, allowed: allowsDaemon(process.env) }, () => print(running))
  if (!allowsDaemon(process.env))
    note('commands do not use the daemon: allow it with `yore config set daemon on --scope user`')
}

function print(running: RunningDaemon | null): string {
  if (running === null) return 'not running\n'
  const { pid, startedAt, answered, corpora, bytes, foreign } = running
  const figures = `${formatQuantity(answered, 'command')} answered, ${formatBytes(bytes)}`
  const lines = [`running: process ${pid}, started ${formatAge(Date.now() - startedAt)}, ${figures}`]
  if (foreign) lines.push('it belongs to another installation of yore; this one does not use it')
  for (const root of corpora) lines.push(`  ${printable(root)}`)
  return `${lines.join('\n')}\n`
}

function notStarted(folder: string | null): YoreError {
  const hint = 'commands work without it; `yore daemon` tries again'
  if (folder === null) return new YoreError('NO_PERMISSION', 'there is no state folder for a daemon')
  let words = ''
  try {
    words = readFileSync(path.join(folder, 'log'), 'utf8').trim()
  } catch {
    // No log.
  }
  return new YoreError(
    'CRASHED',
    `the daemon did not start${words === '' ? '' : `: ${words.slice(0, 500)}`}`,
    { hint },
  )
}
