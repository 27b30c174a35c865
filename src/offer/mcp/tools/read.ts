// How does an agent read exact lines? As many as fit; the first line says where to continue.
import type { ReadResult } from '../../../explore/read-passage.ts'
import { YoreError } from '../../../model/errors.ts'
import { clip } from '../../../model/mark-invisible.ts'
import { operations } from '../../operations/operations.ts'
import { type FitResultOptions, fits, sizeOf, type ToolResult, textResult } from '../fit-result.ts'
import { freshnessLine } from '../make-results.ts'
import { defineTool, limitTokens, type Tool } from '../tool.ts'

export const read: Tool = defineTool(
  {
    name: 'read',
    description:
      'Read exact lines of this repository: one or more of path, path:lines or name in code. Call it for places that a reply names; not to find something (search). Example: {"place": ["src/app.ts:10-40", "retry"]}',
    operation: {
      ...operations.read,
      arguments: { place: { ...operations.read.arguments.place, form: 'paths' } },
    },
    inputs: ['place', 'maxTokens'],
  },
  async ({ place, maxTokens }, { engine, countTokens }) => {
    const places = place.flatMap(splitRanges)
    let text = ''
    const missing: string[] = []
    /** What the first line says of places without text. */
    const headOf = (unread: readonly string[]): string => {
      const read = `Read ${places.length - missing.length - unread.length} of ${places.length} places; error for ${missing.join(', ')}. `
      return `${missing.length === 0 ? '' : read}${unread.length === 0 ? '' : `Not read: ${unread.join(', ')}. `}`
    }
    // The files are checked once, unless what was asked first is indexed for itself.
    let refresh: 'auto' | 'never' = 'auto'
    for (const [at, named] of places.entries()) {
      const rest = places.slice(Math.max(1, at))
      const options = { maxTokens: limitTokens(maxTokens) - countTokens(headOf(rest)), countTokens }
      const add = (part: string): ToolResult => textResult(at === 0 ? part : `${text}\n\n${part}`)
      const read: ReadPart = async (most) => {
        const result = await engine.read(named, { maxTokens: most, refresh })
        if (result.freshness.state !== 'incomplete') refresh = 'never'
        return add(readResult(result, at === 0))
      }
      const wrong = (error: unknown): ToolResult => {
        const described = add(describeWrong(error, places))
        missing.push(named)
        return described
      }
      const whole = await readMost(read, options).catch(wrong)
      if (whole === null && at > 0) return textResult(`${headOf(rest)}${text}`)
      text = (whole ?? (await readLeast(read, options))).content[0].text
    }
    return textResult(`${headOf([])}${text}`)
  },
)

/** `a.md:1-5,10-12`, as a digest cites, is two places. */
function splitRanges(named: string): readonly string[] {
  const [, path = '', ranges] = /^(.+):(\d[\d-]*(?:,\d[\d-]*)+)$/.exec(named.trim()) ?? []
  return ranges?.split(',').map((range) => `${path}:${range}`) ?? [named]
}

/** One wrong name of several does not take the text of the others away. */
function describeWrong(error: unknown, places: readonly string[]): string {
  if (!(error instanceof YoreError) || places.length === 1) throw error
  return `error: ${clip(`${error.message}; ${error.hint}`, 500)}`
}

type ReadPart = (maxTokens: number) => Promise<ToolResult>

/** Tokens of a usual first line. */
const headTokens = 30
const smallestBudget = 40
/** A budget that fits a part of any line. */
const largestBudget = 4000

/** Null when the budget holds nothing of the text. A result that is too long is read again, not cut: its first line must be right. */
async function readMost(read: ReadPart, options: FitResultOptions): Promise<ToolResult | null> {
  let budget = options.maxTokens - headTokens
  for (let attempt = 0; attempt < 3 && budget >= smallestBudget; attempt++) {
    const result = await read(budget).catch(unlessTooSmall)
    if (result === null || fits(result, options)) return result
    budget -= sizeOf(result, options.countTokens) - options.maxTokens
  }
  return null
}

/** Reads the smallest part independently of the budget, so that the suggested budget is enough. */
async function readLeast(read: ReadPart, options: FitResultOptions): Promise<ToolResult> {
  for (let budget = smallestBudget; ; budget = Math.ceil(budget * 1.25)) {
    const result = await (budget < largestBudget ? read(budget).catch(unlessTooSmall) : read(budget))
    if (result === null) continue
    if (fits(result, options)) return result
    throw new YoreError(
      'BUDGET_TOO_SMALL',
      `${options.maxTokens} tokens cannot hold a part of the text and its place`,
      { leastTokens: Math.ceil(sizeOf(result, options.countTokens) / 10) * 10 },
    )
  }
}

function unlessTooSmall(error: unknown): null {
  if (error instanceof YoreError && error.code === 'BUDGET_TOO_SMALL') return null
  throw error
}

function readResult({ output, next, freshness }: ReadResult, isFirst: boolean): string {
  const then = next === null ? 'Complete; cite path:lines.' : `Shortened; read ${next} next.`
  return `${isFirst ? `${freshnessLine(freshness)}. ` : ''}${then}\n\n${output}`
}
