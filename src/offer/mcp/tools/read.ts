// How does an agent read exact lines? As many as fit; read again rather than cut, so that the place to read on is right.
import type { ReadResult } from '../../../explore/read-passage.ts'
import { YoreError } from '../../../model/errors.ts'
import { operations } from '../../operations/operations.ts'
import { type FitResultOptions, fits, sizeOf, type ToolResult } from '../fit-result.ts'
import { freshnessFacts, freshnessLine, makeResult, placeFact } from '../make-results.ts'
import { defineTool, limitTokens, type Tool } from '../tool.ts'

export const read: Tool = defineTool(
  { name: 'read', operation: operations.read, needs: 'question', inputs: ['place', 'maxTokens'] },
  ({ place, maxTokens }, { engine, countTokens }) =>
    readWithin((maxTokens) => engine.read(place, { maxTokens }), {
      maxTokens: limitTokens(maxTokens),
      countTokens,
    }),
)

const attempts = 5
/** Minimum tokens of the lines below the text. */
const footTokens = 20
const smallestBudget = 40
/** A budget that fits a part of any line. */
const largestBudget = 4000

/** Reads as much as fits. Throws BUDGET_TOO_SMALL, with the tokens that would do, when that is nothing. */
async function readWithin(
  read: (maxTokens: number) => Promise<ReadResult>,
  options: FitResultOptions,
): Promise<ToolResult> {
  const { maxTokens, countTokens } = options
  let budget = maxTokens - footTokens
  for (let attempt = 1; attempt <= attempts && budget >= smallestBudget; attempt++) {
    const found = await tryRead(read, budget)
    if (found === null) break
    const result = readResult(found)
    if (fits(result, options)) return result
    budget = Math.min(budget - footTokens, Math.floor((budget * maxTokens) / sizeOf(result, countTokens)))
  }
  return readLeast(read, options)
}

/** Reads the smallest part independently of the budget, so that the suggested budget is enough. */
async function readLeast(
  read: (maxTokens: number) => Promise<ReadResult>,
  options: FitResultOptions,
): Promise<ToolResult> {
  for (let budget = smallestBudget; ; budget = Math.ceil(budget * 1.25)) {
    const found = budget < largestBudget ? await tryRead(read, budget) : await read(budget)
    if (found === null) continue
    const result = readResult(found)
    if (fits(result, options)) return result
    throw new YoreError(
      'BUDGET_TOO_SMALL',
      `${options.maxTokens} tokens cannot hold a part of the text and its place`,
      { leastTokens: Math.ceil(sizeOf(result, options.countTokens) / 10) * 10 },
    )
  }
}

/** Null when the budget holds nothing of the text. */
async function tryRead(
  read: (maxTokens: number) => Promise<ReadResult>,
  budget: number,
): Promise<ReadResult | null> {
  try {
    return await read(budget)
  } catch (error) {
    if (error instanceof YoreError && error.code === 'BUDGET_TOO_SMALL') return null
    throw error
  }
}

function readResult({ output, passage, next, tokensUsed, freshness }: ReadResult): ToolResult {
  const more = next === null ? '' : `; read on at ${next}`
  return makeResult(`${output}\n\n---\n\n${tokensUsed} tokens${more}; ${freshnessLine(freshness)}.`, {
    handle: passage.id,
    path: passage.path,
    lines: `${passage.lines.start}-${passage.lines.end}`,
    ...placeFact(passage),
    truncated: passage.truncated,
    next,
    tokens: tokensUsed,
    freshness: freshnessFacts(freshness),
    text: output,
  })
}
