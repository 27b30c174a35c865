// How does an agent read exact lines? As many as fit; the first line says where to continue.
import type { ReadResult } from '../../../explore/read-passage.ts'
import { YoreError } from '../../../model/errors.ts'
import { operations } from '../../operations/operations.ts'
import { type FitResultOptions, fits, sizeOf, type ToolResult, textResult } from '../fit-result.ts'
import { freshnessLine } from '../make-results.ts'
import { defineTool, limitTokens, type Tool } from '../tool.ts'

export const read: Tool = defineTool(
  {
    name: 'read',
    description:
      'Read exact lines of this repository by path, path:lines or name in code. Call it for places that a reply names; not to find something (search). Example: {"place": "src/app.ts:10-40"}',
    operation: operations.read,
    inputs: ['place', 'maxTokens'],
  },
  async ({ place, maxTokens }, { engine, countTokens }) => {
    const read: ReadPart = async (most) => readResult(await engine.read(place, { maxTokens: most }))
    const options = { maxTokens: limitTokens(maxTokens), countTokens }
    return (await readMost(read, options)) ?? (await readLeast(read, options))
  },
)

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

function readResult({ output, next, freshness }: ReadResult): ToolResult {
  const then = next === null ? 'Complete; cite path:lines.' : `Shortened; read ${next} next.`
  return textResult(`${freshnessLine(freshness)}. ${then}\n\n${output}`)
}
