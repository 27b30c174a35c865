// How do push and pull run on a terminal? Open, exchange, say what went where; a pull that kept or refused something ends with 1.
import type { PullReport } from '../exchange/pull-corpus.ts'
import type { PushReport, WithheldFile } from '../exchange/push-corpus.ts'
import { operations } from '../operations/operations.ts'
import { caller } from './caller.ts'
import { formatBytes, formatMany } from './format-numbers.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import { printable, printableJson } from './printable.ts'
import { note, warn } from './terminal.ts'

const mostShown = 20

function list(heading: string, files: readonly WithheldFile[]): string[] {
  const lines = files.slice(0, mostShown).map(({ path, reason }) => `  ${heading}  ${path}: ${reason}`)
  return files.length <= mostShown
    ? lines
    : [...lines, `  ${heading}  and ${files.length - mostShown} more (--json lists all)`]
}

function printPush(report: PushReport): string {
  const { dryRun, sent, bytes, removed, unchanged, elsewhere, version, withheld } = report
  const counts = [
    `${formatMany(sent, 'document')} ${dryRun ? 'to send' : 'sent'} (${formatBytes(bytes)})`,
    `${formatMany(removed, 'document')} ${dryRun ? 'to take out' : 'taken out'}`,
    `${unchanged} unchanged`,
  ]
  const end = version === null ? '' : `; version ${version}`
  const lines = [`${report.corpus} at ${report.server}: ${counts.join(', ')}${end}`]
  if (elsewhere > 0)
    lines.push(
      `  left    ${formatMany(elsewhere, 'document')} that this folder does not hold; --prune takes them out`,
    )
  return printable(`${[...lines, ...list('stays', withheld)].join('\n')}\n`)
}

function printPull(report: PullReport): string {
  const { dryRun, written, bytes, unchanged, kept, refused, version } = report
  const counts = [
    `${formatMany(written, 'document')} ${dryRun ? 'to fetch' : 'fetched'} (${formatBytes(bytes)})`,
    `${unchanged} unchanged`,
  ]
  const differ = kept.map((path) => ({ path, reason: 'it differs here; --overwrite replaces it' }))
  const lines = [`${report.corpus} at ${report.server}, version ${version}: ${counts.join(', ')}`]
  return printable(`${[...lines, ...list('kept', differ), ...list('refused', refused)].join('\n')}\n`)
}

/** Runs `yore push`; gives the exit status. */
export async function runPush(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.push, request)
  warn(call)
  const report = await withEngine(call, (engine) => operations.push.run(engine, call.input, { onStep: note }))
  caller().stdout.write(call.input.json ? printableJson(report) : printPush(report))
  return 0
}

/** Runs `yore pull`; gives the exit status. */
export async function runPull(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.pull, request)
  warn(call)
  const report = await withEngine(call, (engine) => operations.pull.run(engine, call.input, { onStep: note }))
  caller().stdout.write(call.input.json ? printableJson(report) : printPull(report))
  return report.kept.length + report.refused.length > 0 ? 1 : 0
}
