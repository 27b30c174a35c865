// How do uses, outline and diff run on a terminal? Open, run, print the report or its facts.
import type { Engine } from '../../engine/engine.ts'
import type { Report } from '../../exploring/fit-report.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { noteFreshness, warn, withEngine } from './attend-call.ts'
import { atPlace } from './name-place.ts'
import { openCall } from './open-call.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { printable, printableJson } from './printable.ts'

interface Looked {
  readonly json: boolean
}

async function look<I extends Looked, R>(
  request: CommandRequest,
  operation: Operation<I, Report<R>>,
  run: (engine: Engine, input: I, root: string) => Promise<Report<R>>,
): Promise<number> {
  const call = openCall(operation, request)
  warn(call)
  const report = await withEngine(call, (engine) => run(engine, call.input, call.root))
  process.stdout.write(call.input.json ? printableJson(report.facts) : printable(report.output))
  noteFreshness(report.freshness, call.now)
  return 0
}

const { uses, outline, diff } = operations
const from = (root: string, named: string) => ({ root, cwd: process.cwd(), named })

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
