// How does an agent see what is in a file or a repository? A report of parts with their lines.
import { operations } from '../../operations/operations.ts'
import { reportResult } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

export const outline: Tool = defineTool(
  {
    name: 'outline',
    operation: operations.outline,
    needs: 'corpus',
    inputs: ['place', 'question', 'maxTokens'],
  },
  (input, { engine, ...call }) =>
    reportResult(input, call, (maxTokens) => engine.outline(input.place ?? null, { ...input, maxTokens })),
)
