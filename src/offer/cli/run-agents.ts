// How do expand, read and mcp run on a terminal? What agents do by protocol, for people to try, and the server itself.
import type { ExpandResult } from '../../explore/request-expansion.ts'
import type { PlacedText } from '../../model/expansion.ts'
import type { McpInput, UiInput } from '../operations/agent-operations.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import { caller } from './caller.ts'
import { outPalette, type Palette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { atPlace } from './name-place.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import { printable, printableJson } from './printable.ts'
import { note, noteFreshness, onInterrupt, warn } from './terminal.ts'

/** Denied is an answer, not an error. */
export async function runExpand(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.expand, request)
  warn(call)
  const typed = { root: call.root, cwd: caller().cwd, named: call.input.from }
  const result = await withEngine(call, (engine) =>
    atPlace(engine, typed, (from) => operations.expand.run(engine, { ...call.input, from }, {})),
  )
  caller().stdout.write(call.input.json ? printableJson(result) : await printExpand(result, call.input))
  noteFreshness(result.freshness, call.now)
  return 0
}

async function printExpand(
  { output, outcome, offers, left }: ExpandResult,
  { via, target }: { readonly via?: string; readonly target?: string },
): Promise<string> {
  const { renderOffers } = await import('../../explore/render-results.ts')
  const title = outcome === null || outcome.allowed ? 'Can be brought along' : 'Possible instead'
  const isFiltered = outcome === null && (via !== undefined || target !== undefined)
  const nothing = isFiltered
    ? 'Nothing like that can be brought along; without --via and --target everything is listed.'
    : 'Nothing more can be brought along.'
  const allowed = offers.length === 0 ? nothing : `${title}:\n${renderOffers(offers)}`
  const { budgetLeft, maxDepth } = left
  const budget = `The budget of one question allows ${budgetLeft} more, at most ${formatMany(maxDepth, 'reference')} away from it.`
  return `${[...(output === '' ? [] : [output]), allowed, budget].join('\n\n')}\n`
}

export async function runRead(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.read, request)
  warn(call)
  const typed = { root: call.root, cwd: caller().cwd, named: call.input.place }
  if (call.input.raw) {
    const { refresh } = call.input
    const lines = await withEngine(call, (engine) =>
      atPlace(engine, typed, (place) => engine.text(place, { refresh })),
    )
    const shown = caller().stdout.isTTY ? printable(lines.text) : lines.text
    caller().stdout.write(call.input.json ? printableJson(lines) : `${shown}\n`)
    noteFreshness(lines.freshness, call.now)
    return 0
  }
  const result = await withEngine(call, (engine) =>
    atPlace(engine, typed, (place) => operations.read.run(engine, { ...call.input, place }, {})),
  )
  const palette = outPalette()
  const terminal = caller().stdout.isTTY === true
  caller().stdout.write(
    call.input.json ? printableJson(result) : printPassage(result.passage, { palette, terminal }),
  )
  if (call.input.copy) {
    const { copyText } = await import('./copy-text.ts')
    note(`copied by ${copyText(result.passage.text, process.stderr)}`)
  }
  if (result.next !== null) note(`there is more: yore read ${printable(result.next)}`)
  noteFreshness(result.freshness, call.now)
  return 0
}

/** The place on a line of its own, then the lines as they are in the file; a terminal must not obey them. */
export function printPassage(
  { path, lines, place: where, text }: PlacedText,
  { palette, terminal }: { readonly palette: Palette; readonly terminal: boolean },
): string {
  const place = `${path}:${lines.start}-${lines.end}${where === undefined ? '' : ` (${where})`}`
  return `${palette.cyan(printable(place))}\n${terminal ? printable(text) : text}\n`
}

export async function runMcpServer(request: CommandRequest): Promise<number> {
  // It has no engine of its own in the table: it opens one for as long as it serves.
  const call = prepareCommand(operations.mcp as Operation<McpInput, never>, request)
  warn(call)
  const stop = new AbortController()
  const forget = onInterrupt((status) => (stop.signal.aborted ? process.exit(status) : stop.abort()))
  const { runMcp } = await import('../serve/run-mcp.ts')
  const { root, indexDir, loaded } = call
  try {
    await runMcp({ root, indexDir, settings: loaded.settings }, call.input, {
      signal: stop.signal,
      onListening: (url) => note(`serving ${printable(root)} at ${url}; stop with Ctrl-C`),
    })
    return 0
  } finally {
    forget()
  }
}

export async function runUiServer(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.ui as Operation<UiInput, never>, request)
  warn(call)
  const stop = new AbortController()
  const forget = onInterrupt((status) => (stop.signal.aborted ? process.exit(status) : stop.abort()))
  const { runUi } = await import('../serve/run-ui.ts')
  const { root, loaded } = call
  try {
    return await withEngine(call, async (engine) => {
      await runUi({ engine, root, loaded }, call.input, {
        signal: stop.signal,
        onListening: (url) => note(`exploring ${printable(root)} at ${url}; stop with Ctrl-C`),
      })
      return 0
    })
  } finally {
    forget()
  }
}
