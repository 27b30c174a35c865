// How does an agent find callers and callees? A report of lines, nearest first.
import { operations } from '../../operations/operations.ts'
import { reportResult } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

export const uses: Tool = defineTool(
  { name: 'uses', operation: operations.uses, needs: 'corpus', inputs: ['name', 'direction', 'depth'] },
  (input, { engine, ...call }) =>
    reportResult(input, call, (maxTokens) => engine.uses(input.name, { ...input, maxTokens })),
)
