// How do the commands that look at references run on a terminal? Open, run, print; 1 when a link is broken.
import { operations } from '../operations.ts'
import { noteFreshness, warn, withEngine } from './attend-call.ts'
import { paletteFor } from './colors.ts'
import { atPlace } from './name-place.ts'
import { openCall } from './open-call.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { printGraph } from './print-graph.ts'
import { printLinks } from './print-links.ts'
import { printableJson } from './printable.ts'

/** Runs `yore graph`; gives the exit status. */
export async function runGraph(request: CommandRequest): Promise<number> {
  const call = openCall(operations.graph, request)
  warn(call)
  const typed = { root: call.root, cwd: process.cwd(), named: call.input.node }
  const { graph, freshness } = await withEngine(call, (engine) =>
    atPlace(engine, typed, (node) => operations.graph.run(engine, { ...call.input, node }, {})),
  )
  process.stdout.write(
    printGraph(graph, call.input.json ? 'json' : call.input.format, paletteFor(process.stdout, process.env)),
  )
  noteFreshness(freshness, call.now)
  return 0
}

/** Runs `yore links`; gives the exit status. */
export async function runLinks(request: CommandRequest): Promise<number> {
  const call = openCall(operations.links, request)
  warn(call)
  const { input } = call
  const { links, freshness } = await withEngine(call, (engine) => operations.links.run(engine, input, {}))
  const palette = paletteFor(process.stdout, process.env)
  process.stdout.write(input.json ? printableJson(links) : printLinks(links, { ...input, palette }))
  noteFreshness(freshness, call.now)
  // What was not read yet was not checked either.
  return links.broken.length > 0 || freshness.state === 'incomplete' ? 1 : 0
}
