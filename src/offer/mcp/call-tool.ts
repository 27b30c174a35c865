// What happens when an agent calls a tool? Its input is checked, the tool runs, and errors become results with a hint.

import { YoreError } from '../../model/errors.ts'
import { clip } from '../../model/mark-invisible.ts'
import { checkInput, completeInput, type Input, readLists } from '../operations/check-input.ts'
import type { ToolResult } from './fit-result.ts'
import { nameInputs } from './name-inputs.ts'
import { type ToolCall, toolOperation, toolWording } from './tool.ts'
import { tools } from './tools.ts'

const longestMessage = 500

/** Never throws for what an agent can fix: such an error is a result, with a hint. */
export async function callTool(name: string, given: Input, call: ToolCall): Promise<ToolResult> {
  try {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new YoreError('BAD_INPUT', `there is no tool ${JSON.stringify(name)}`)
    const offered = toolOperation(tool)
    const checked = checkInput(offered, readLists(offered, nameInputs(offered, given)), toolWording)
    const result = await tool.run(completeInput(tool.operation, checked, call.settings), call)
    call.signal.throwIfAborted()
    return result
  } catch (error) {
    if (!(error instanceof YoreError)) throw error
    return errorResult(error)
  }
}

/** An error as an agent reads it. */
export function errorResult(error: YoreError): ToolResult {
  const { code } = error
  // The message may contain input of any length.
  const [message, hint] = [clip(error.message, longestMessage), clip(hintFor(error), longestMessage)]
  const text = `error: ${message} (${code})\nhint: ${hint}`
  return {
    content: [{ type: 'text', text }],
    structuredContent: { error: { code, message, hint } },
    isError: true,
  }
}

/** Hints are written for the command line; here the budget has another name. */
function hintFor({ code, hint, leastTokens }: YoreError): string {
  if (code !== 'BUDGET_TOO_SMALL') return hint
  return leastTokens === null ? 'raise maxTokens' : `raise maxTokens to ${leastTokens} or more`
}
