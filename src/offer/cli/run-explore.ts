// How do the commands that look around run on a terminal? Open, run, print the report or its facts; 1 when documents are not well.
import path from 'node:path'
import type { Report } from '../../explore/fit-report.ts'
import type { Engine } from '../engine/engine.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import { caller } from './caller.ts'
import { outPalette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { atPlace } from './name-place.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import { printGraph } from './print-graph.ts'
import { isFailed, printHealth, renderSarif } from './print-health.ts'
import { printLinks } from './print-links.ts'
import { printable, printableJson } from './printable.ts'
import { canAsk, confirmed, note, noteFreshness, warn } from './terminal.ts'
import { writeOutput } from './write-output.ts'

interface Looked {
  readonly json: boolean
}

async function look<I extends Looked, R>(
  request: CommandRequest,
  operation: Operation<I, Report<R>>,
  run: (engine: Engine, input: I, root: string) => Promise<Report<R>>,
): Promise<number> {
  const call = prepareCommand(operation, request)
  warn(call)
  const report = await withEngine(call, (engine) => run(engine, call.input, call.root))
  caller().stdout.write(call.input.json ? printableJson(report.facts) : printable(report.output))
  noteFreshness(report.freshness, call.now)
  return 0
}

const { uses, outline, diff } = operations
const from = (root: string, named: string) => ({ root, cwd: caller().cwd, named })

export function runUses(request: CommandRequest): Promise<number> {
  return look(request, uses, (engine, input, root) =>
    atPlace(engine, from(root, input.name), (name) => uses.run(engine, { ...input, name }, {})),
  )
}

export function runOutline(request: CommandRequest): Promise<number> {
  return look(request, outline, (engine, input, root) =>
    input.place === undefined
      ? outline.run(engine, input, {})
      : atPlace(engine, from(root, input.place), (place) => outline.run(engine, { ...input, place }, {})),
  )
}

export function runDiff(request: CommandRequest): Promise<number> {
  return look(request, diff, (engine, input) => diff.run(engine, input, {}))
}

/** Runs `yore graph`; gives the exit status. */
export async function runGraph(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.graph, request)
  warn(call)
  const typed = { root: call.root, cwd: caller().cwd, named: call.input.node }
  const { graph, freshness } = await withEngine(call, (engine) =>
    atPlace(engine, typed, (node) => operations.graph.run(engine, { ...call.input, node }, {})),
  )
  caller().stdout.write(printGraph(graph, call.input.json ? 'json' : call.input.format, outPalette()))
  noteFreshness(freshness, call.now)
  return 0
}

/** Runs `yore links`; gives the exit status. */
export async function runLinks(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.links, request)
  warn(call)
  const { input } = call
  if (input.fix) await withEngine(call, (engine) => fixLinks(engine, call.root, input.yes))
  const { links, freshness } = await withEngine(call, (engine) => operations.links.run(engine, input, {}))
  const palette = outPalette()
  caller().stdout.write(input.json ? printableJson(links) : printLinks(links, { ...input, palette }))
  noteFreshness(freshness, call.now)
  // What was not read yet was not checked either.
  return links.broken.length > 0 || freshness.state === 'incomplete' ? 1 : 0
}

/** Shows what would be written, asks, and writes each document whole or not at all. */
async function fixLinks(engine: Engine, root: string, isSure: boolean): Promise<void> {
  const documents = await engine.planLinkFixes()
  if (documents.length === 0) return note('no broken link leads to a file that only moved: nothing to write')
  const palette = outPalette()
  const shown = documents.flatMap(({ path: place, changes }) =>
    changes.flatMap(({ line, before, after }) => [
      palette.bold(`${printable(place)}:${line}`),
      palette.red(`-${printable(before)}`),
      palette.green(`+${printable(after)}`),
    ]),
  )
  caller().stderr.write(`${shown.join('\n')}\n`)
  const lines = documents.reduce((sum, { changes }) => sum + changes.length, 0)
  const what = `${formatMany(lines, 'line')} of ${formatMany(documents.length, 'document')}`
  if (!isSure && !(await confirmed(`Write ${what}?`)))
    return note(`nothing was written${canAsk() ? '' : ': without a terminal to ask on, --yes is needed'}`)
  for (const { path: place, text } of documents) writeOutput(path.join(root, place), text)
  note(`wrote ${what}`)
}

/** Runs `yore health`; gives the exit status. */
export async function runHealth(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.health, request)
  warn(call)
  const { input } = call
  const { health, freshness } = await withEngine(call, (engine) => operations.health.run(engine, input, {}))
  const palette = outPalette()
  caller().stdout.write(
    input.sarif
      ? renderSarif(health)
      : input.json
        ? printableJson(health)
        : printHealth(health, { all: input.all, palette }),
  )
  noteFreshness(freshness, call.now)
  return isFailed(health, input.failOn) || freshness.state === 'incomplete' ? 1 : 0
}
