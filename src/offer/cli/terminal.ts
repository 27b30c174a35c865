// What does a user see? Data on standard output; notes, warnings and questions on standard error, as -q, -v and --color allow.

import {
  describeCompared,
  describeFailed,
  describeIncomplete,
} from '../../corpus/indexing/describe-freshness.ts'
import type { Report } from '../../explore/fit-report.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import type { Freshness } from '../../model/report.ts'
import type { SkippedFile } from '../../model/source-file.ts'
import { formatAge, printable, printableJson, wrapLines } from './format.ts'

export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The options of every command, as given. */
export interface TerminalOptions {
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: 'auto' | 'always' | 'never'
}

let wishes: TerminalOptions = {}

/** Refused files that are listed; more are counted. */
const warnedFiles = 10

/** Applies -q, -v and --color to this command; colours through the environment. */
export function setTerminal(given: TerminalOptions): void {
  const { env } = process
  wishes = given
  if (given.verbose === true) env.YORE_DEBUG = '1'
  if (given.color === 'never') env.NO_COLOR = '1'
  if (given.color !== 'always') return
  delete env.NO_COLOR
  env.FORCE_COLOR = '1'
}

export const hasQuietFlag = (): boolean => wishes.quiet === true

export const isVerbose = (): boolean => wishes.verbose === true

/** Data on standard output. */
export function out(text: string): void {
  process.stdout.write(text)
}

/** Text on standard error. */
export const say = (text: string): unknown => process.stderr.write(`${wrapLines(text, process.stderr)}\n`)

/** The facts as JSON with --json, else the text. */
export function show(input: { readonly json: boolean }, facts: unknown, text: () => string): void {
  out(input.json ? printableJson(facts) : wrapLines(text(), process.stdout))
}

/** A report, or its facts with --json; gives the exit status. */
export function showReport(
  input: { readonly json: boolean },
  now: number,
  { facts, output, freshness }: Report<unknown>,
): number {
  show(input, facts, () => printable(output))
  noteFreshness(freshness, now)
  return 0
}

/** Columns of standard output. */
export function outWidth(): number {
  const { isTTY, columns } = process.stdout
  return isTTY ? columns || 80 : 160
}

/** A note on standard error. */
export function note(text: string): void {
  if (hasQuietFlag()) return
  say(`note: ${text}`)
}

export function warn(warnings: readonly string[]): void {
  if (hasQuietFlag()) return
  for (const warning of warnings) say(`warning: ${printable(warning)}`)
}

/** Warns about files that the parser or the index refused. */
export function warnRefused(skipped: readonly SkippedFile[]): void {
  if (hasQuietFlag()) return
  const refused = skipped.filter(({ reason }) => reason === 'parse-failed' || reason === 'not-stored')
  for (const { path, detail } of refused.slice(0, warnedFiles))
    say(`warning: skipped ${printable(path)}: ${printable(detail)}`)
  const more = refused.length - warnedFiles
  if (more > 0) say(`warning: skipped ${more} more: see \`yore status --skipped\``)
}

export function noteFreshness(freshness: Freshness, now: number): void {
  const text = freshnessNote(freshness, now)
  if (text !== null) note(text)
}

/** The note for standard error, or null when there is nothing to say. */
export function freshnessNote(freshness: Freshness, now: number): string | null {
  const failed = describeFailed(freshness)
  if (failed !== null) return printable(failed)
  const incomplete = describeIncomplete(freshness)
  if (incomplete !== null) return incomplete
  const files = formatQuantity(freshness.changedFiles, 'changed file')
  if (freshness.state === 'refreshed') return `re-indexed ${files} first`
  if (freshness.state === 'fresh')
    return freshness.compared === undefined
      ? null
      : `${describeCompared(freshness.compared)}: \`yore index\` compares all`
  const age = formatAge(now - freshness.indexedAt)
  if (freshness.state === 'unchecked') return `no file was compared with the index, which was built ${age}`
  if (freshness.readOnly === true)
    return `${files} since the index was built (${age}): not included, because the index cannot be written here`
  return `${files} since the index was built (${age}): run \`yore index\` to include the changes`
}

/** True if standard input and standard error are terminals. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** Asks on the terminal; false without one. */
export async function confirmed(question: string): Promise<boolean> {
  if (!canAsk()) return false
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

/** Calls `stop` with the exit status on SIGINT or SIGTERM; returns a function that stops listening. */
export function onInterrupt(stop: (status: number) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const onSignal = (_: string, number: number): void => stop(128 + number)
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/** Runs until it ends by itself or is interrupted once; a second interrupt ends the process. */
export async function untilInterrupted(run: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const stop = new AbortController()
  const forget = onInterrupt((status) => (stop.signal.aborted ? process.exit(status) : stop.abort()))
  try {
    await run(stop.signal)
    return 0
  } finally {
    forget()
  }
}

/** The same, with a switch to pause and resume. */
export function handleInterrupt(stop: (status: number) => void): { listen(wanted: boolean): void } {
  let forget: (() => void) | null = onInterrupt(stop)
  return {
    listen: (wanted) => {
      if (wanted) forget ??= onInterrupt(stop)
      else {
        forget?.()
        forget = null
      }
    },
  }
}
