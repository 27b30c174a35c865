// What happens when an agent calls a tool? Its input is checked, the operation runs, and the result is made to fit.
import type { Settings } from '../../config/settings.ts'
import type { Engine } from '../../engine/engine.ts'
import { YoreError } from '../../errors.ts'
import type { AssembleResult, Freshness } from '../../model/report.ts'
import { mostTokens } from '../agent-operations.ts'
import { checkInput, completeInput, type Input } from '../check-input.ts'
import { operations } from '../operations.ts'
import type { Contexts } from './contexts.ts'
import { expandInContext } from './expand-in-context.ts'
import { fillBudget, fitForms } from './fill-budget.ts'
import { fitLines, fitParts, sizeOf, type ToolResult } from './fit-result.ts'
import { expandResult, mostUseful, readResult, searchResult, statusResult } from './make-results.ts'
import { type ToolName, toolOperation, tools, toolWording } from './tools.ts'

/** What the calls of a server share. */
export interface Serving {
  readonly engine: Engine
  readonly settings: Settings
  readonly countTokens: (text: string) => number
}

interface Call extends Serving {
  readonly contexts: Contexts
  readonly signal: AbortSignal
}

/** The result of search and status, which take no budget. */
const usualTokens = 8000
/** What the facts around a digest and the escapes of JSON take of a budget, at first. */
const bodyShare = 0.8
const factTokens = 400

const runners: Readonly<Record<ToolName, (input: Input, call: Call) => Promise<ToolResult>>> = {
  assemble_context: assembleContext,
  search,
  expand,
  read,
  status,
}

/** Never throws for what an agent can mend: such an error is a result, with a hint. */
export async function callTool(name: ToolName, given: Input, call: Call): Promise<ToolResult> {
  try {
    const result = await runners[name](readInput(name, given, call), call)
    call.signal.throwIfAborted()
    return result
  } catch (error) {
    if (!(error instanceof YoreError)) throw error
    const { code, message } = error
    const hint = hintFor(error)
    const text = `error: ${message}\nhint: ${hint}`
    return {
      content: [{ type: 'text', text }],
      structuredContent: { error: { code, message, hint } },
      isError: true,
    }
  }
}

/** Errors from below are worded for the command line; a budget has another name here. */
function hintFor({ code, hint, leastTokens }: YoreError): string {
  if (code !== 'BUDGET_TOO_SMALL') return hint
  return leastTokens === null ? 'raise maxTokens' : `raise maxTokens to ${leastTokens} or more`
}

/** The inputs of the operation, of which only those of the tool may be given. */
function readInput(name: ToolName, given: Input, { settings }: Call): Input {
  const checked = checkInput(toolOperation(name), given, toolWording)
  return completeInput(tools[name].operation, checked, settings)
}

async function assembleContext(input: Input, call: Call): Promise<ToolResult> {
  const { engine, signal, contexts, countTokens } = call
  const given = input as unknown as Parameters<typeof operations.assemble.run>[1]
  const filled = await fillBudget({
    maxTokens: limitTokens(given.maxTokens),
    countTokens,
    engine,
    assemble: assembleOnce(given, call),
  })
  const { text, facts } = filled
  const present = text === facts ? text.present : [...text.present, ...facts.present]
  const session = text === facts ? text.session : await engine.startExpansion(present)
  signal.throwIfAborted()
  const { id, session: held } = contexts.open(given.question, present, session)
  const context = { id, left: held.left, offers: mostUseful(held.offers()) }
  return fitForms(filled, context, countTokens)
}

/** Looks at the files the first time only, so that all digests of a call are of one state. */
function assembleOnce(
  given: Parameters<typeof operations.assemble.run>[1],
  { engine, signal }: Call,
): (digestTokens: number) => Promise<AssembleResult> {
  const maxTokens = limitTokens(given.maxTokens)
  let freshness: Freshness | null = null
  return async (digestTokens) => {
    signal.throwIfAborted()
    const refresh = freshness === null ? given.refresh : 'never'
    const asked = { ...given, format: 'markdown', statedTokens: maxTokens } as const
    const answer = await operations.assemble.run(engine, { ...asked, maxTokens: digestTokens, refresh }, {})
    freshness ??= answer.freshness
    return { ...answer, freshness }
  }
}

async function search(input: Input, call: Call): Promise<ToolResult> {
  const given = input as unknown as Parameters<typeof operations.search.run>[1]
  const found = await operations.search.run(call.engine, given, { signal: call.signal })
  const present = found.hits.map(({ artifact }) => ({ id: artifact, depth: 0 }))
  const session = await call.engine.startExpansion(present)
  call.signal.throwIfAborted()
  const context = call.contexts.open(given.words, present, session)
  const make = (hits: number): ToolResult =>
    searchResult({ ...found, hits: found.hits.slice(0, hits) }, context)
  return fitParts(found.hits.length, make, { maxTokens: usualTokens, countTokens: call.countTokens })
}

async function expand(input: Input, call: Call): Promise<ToolResult> {
  const given = input as unknown as Parameters<typeof operations.expand.run>[1] & {
    readonly context?: string
  }
  const maxTokens = limitTokens(given.maxTokens)
  // What comes along is read once: it is given less room, so that it need not be cut afterwards.
  const asked = { ...given, maxTokens: Math.max(100, Math.floor(maxTokens * bodyShare) - 2 * factTokens) }
  const { result, context } = await expandInContext(asked, call.contexts.find(given.context), call)
  const make = (body: string): ToolResult => expandResult(body, result, context.id)
  return fitLines(result.output, make, { maxTokens, countTokens: call.countTokens })
}

async function read(input: Input, call: Call): Promise<ToolResult> {
  const given = input as unknown as Parameters<typeof operations.read.run>[1]
  const { countTokens, signal } = call
  const maxTokens = limitTokens(given.maxTokens)
  let budget = Math.floor(maxTokens * bodyShare) - 150
  for (let attempt = 1; ; attempt++) {
    const asked = { ...given, maxTokens: Math.max(50, budget) }
    const found = await operations.read.run(call.engine, asked, { signal })
    const make = (body: string): ToolResult => readResult(body, found)
    const over = sizeOf(make(found.output), countTokens) / maxTokens
    // Read again rather than cut, so that the place to read on is right.
    if (over <= 1 || attempt === 4) return fitLines(found.output, make, { maxTokens, countTokens })
    budget = Math.floor(budget / over) - 20
  }
}

async function status(input: Input, call: Call): Promise<ToolResult> {
  const given = input as unknown as Parameters<typeof operations.status.run>[1]
  const report = await operations.status.run(call.engine, given, {})
  return fitParts(1, () => statusResult(report), { maxTokens: usualTokens, countTokens: call.countTokens })
}

/** A setting of the user may be above what a result may take. */
function limitTokens(asked: number): number {
  return Math.min(asked, mostTokens)
}
