// What happens when an agent calls a tool? Its input is checked, the operation runs, and the result is made to fit.

import type { Report } from '../../explore/fit-report.ts'
import type { ReadResult } from '../../explore/read-passage.ts'
import { clip } from '../../explore/render-results.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { checkInput, completeInput, type Input } from '../operations/check-input.ts'
import type { InputOf } from '../operations/operation.ts'
import { mostTokens, type operations } from '../operations/operations.ts'
import type { Contexts } from './contexts.ts'
import { expandInContext, roomToBring } from './expand-in-context.ts'
import { fillBudget, fitList, offersFrom } from './fill-budget.ts'
import { fitLines, fitParts, fits, mostParts, type ToolResult } from './fit-result.ts'
import { expandResult, reportResult, searchResult, statusResult } from './make-results.ts'
import { readWithin } from './read-within.ts'
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

type Operations = typeof operations

/** What a report leaves free for its last line. */
const freshnessTokens = 30
/** The result of search and status, which take no budget. */
const usualTokens = 8000
const longestMessage = 500
const runners: Readonly<Record<ToolName, (input: Input, call: Call) => Promise<ToolResult>>> = {
  assemble_context: assembleContext,
  search,
  expand,
  read,
  uses: (input, call) => {
    const given = input as InputOf<Operations['uses']>
    return report(given, call, (maxTokens) => call.engine.uses(given.name, { ...given, maxTokens }))
  },
  outline: (input, call) => {
    const given = input as InputOf<Operations['outline']>
    return report(given, call, (maxTokens) =>
      call.engine.outline(given.place ?? null, { ...given, maxTokens }),
    )
  },
  diff: (input, call) => {
    const given = input as InputOf<Operations['diff']>
    return report(given, call, (maxTokens) => call.engine.diff(given.ref, { maxTokens }))
  },
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
    return errorResult(error)
  }
}

/** What an agent is told of an error. */
export function errorResult(error: YoreError): ToolResult {
  const { code } = error
  // Whatever was given may stand in it, at any length.
  const [message, hint] = [clip(error.message, longestMessage), clip(hintFor(error), longestMessage)]
  const text = `error: ${message}\nhint: ${hint}`
  return {
    content: [{ type: 'text', text }],
    structuredContent: { error: { code, message, hint } },
    isError: true,
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
  const given = input as InputOf<Operations['assemble']>
  const options = { maxTokens: limitTokens(given.maxTokens), countTokens }
  const { expansionBudget, depth } = call.settings
  const left = { budgetLeft: expansionBudget, maxDepth: depth }
  const asked = { ...given, format: 'markdown', layout: 'brief', statedTokens: options.maxTokens } as const
  const draft = await fillBudget({
    ...options,
    engine,
    left,
    assemble: (maxTokens, sizeOf) => engine.assemble(given.question, { ...asked, maxTokens, sizeOf }),
  })
  signal.throwIfAborted()
  const { id, session } = contexts.open(given.question, draft.present, draft.session)
  return fitList(draft.answer, { id, left: session.left, offers: offersFrom(session, draft) }, options)
}

async function search(input: Input, call: Call): Promise<ToolResult> {
  const given = input as InputOf<Operations['search']>
  const found = await call.engine.search(given.words, given)
  const present = found.hits.map(({ artifact }) => ({ id: artifact, depth: 0 }))
  const session = await call.engine.startExpansion(present)
  call.signal.throwIfAborted()
  const context = call.contexts.open(given.words, present, session)
  const make = (hits: number): ToolResult =>
    searchResult({ ...found, hits: found.hits.slice(0, hits) }, context)
  return fitParts(found.hits.length, make, { maxTokens: usualTokens, countTokens: call.countTokens })
}

async function expand(input: Input, call: Call): Promise<ToolResult> {
  const given = input as InputOf<Operations['expand']> & {
    readonly context?: string
  }
  const contexts = call.contexts.find(given.context)
  if ((given.via === undefined) !== (given.target === undefined))
    throw new YoreError('BAD_INPUT', `${given.via === undefined ? 'via' : 'target'} is missing`, {
      hint: 'give via and target together, or from alone for the list of what is allowed',
    })
  const options = { maxTokens: limitTokens(given.maxTokens), countTokens: call.countTokens }
  const asked = { ...given, maxTokens: roomToBring(given, options) }
  const { result, context } = await expandInContext(asked, contexts, call)
  const make = (body: string, offers: number): ToolResult => expandResult(body, result, context.id, offers)
  // The text is worth more than the list.
  const offers = mostParts(result.offers.length, (count) => fits(make(result.output, count), options))
  if (offers !== null) return make(result.output, offers)
  return fitLines(result.output, (body) => make(body, 0), options)
}

async function read(input: Input, call: Call): Promise<ToolResult> {
  const given = input as InputOf<Operations['read']>
  const once = (maxTokens: number): Promise<ReadResult> => call.engine.read(given.place, { maxTokens })
  return readWithin(once, { maxTokens: limitTokens(given.maxTokens), countTokens: call.countTokens })
}

/** Text alone, as of a digest; its last line says how fresh it is. */
async function report(
  given: { readonly maxTokens: number },
  { countTokens }: Call,
  make: (maxTokens: number) => Promise<Report<unknown>>,
): Promise<ToolResult> {
  const most = limitTokens(given.maxTokens)
  const { output, freshness } = await make(most - freshnessTokens)
  return fitLines(output, (body) => reportResult(body, freshness), { maxTokens: most, countTokens })
}

async function status(_input: Input, call: Call): Promise<ToolResult> {
  const report = await call.engine.status()
  return fitParts(1, () => statusResult(report), { maxTokens: usualTokens, countTokens: call.countTokens })
}

/** A setting of the user may be above what a result may take. */
function limitTokens(asked: number): number {
  return Math.min(asked, mostTokens)
}
