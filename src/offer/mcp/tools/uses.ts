// How does an agent find callers and callees? A report of lines, nearest first.
import type { CorpusEngine } from '../../engine/engine.ts'
import { operations } from '../../operations/operations.ts'
import { reportResult } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

export const uses: Tool = defineTool(
  {
    name: 'uses',
    description:
      'Find who uses a function, class or document of this repository, and what it uses. Call it before a change or rename; not for text (search). Example: {"name": "retry", "direction": "callers"}',
    operation: operations.uses,
    inputs: ['name', 'direction'],
    unlisted: ['depth', 'maxTokens'],
  },
  (input, { engine, ...call }) =>
    reportResult(input, call, {
      next: 'Read path:lines for the text.',
      make: (maxTokens) => (engine as CorpusEngine).uses(input.name, { ...input, maxTokens }),
    }),
)
