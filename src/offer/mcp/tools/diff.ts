// How does an agent see what a change touches? A report of sections that differ from a commit.
import { operations } from '../../operations/operations.ts'
import { reportResult } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

export const diff: Tool = defineTool(
  { name: 'diff', operation: operations.diff, needs: 'folder', inputs: ['ref'] },
  (input, { engine, ...call }) =>
    reportResult(input, call, (maxTokens) => engine.diff(input.ref, { maxTokens })),
)
