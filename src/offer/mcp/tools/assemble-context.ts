// How does an agent get a digest? The same bytes as from every other surface, and a context to expand from.
import { presentIn } from '../../../answer/answering/expand-context.ts'
import { agentTokens, budget, operations, scopeOptions } from '../../operations/operations.ts'
import { textResult } from '../fit-result.ts'
import { defineTool, limitTokens, type Tool } from '../tool.ts'

/** Whatever the settings say for people: the leading passages whole, then places to read. */
const usualBudget = budget(agentTokens)

export const assembleContext: Tool = defineTool(
  {
    name: 'assemble_context',
    description:
      'Answer a question about this repository: passages of documents and code, with path:lines. Call it first for how, why, where, which; not for known files (read) or exact text (search). Always give words of the answer. Example: {"question": "Why do calls hang?", "words": ["timeout", "abort"]}',
    operation: {
      ...operations.assemble,
      options: { ...operations.assemble.options, maxTokens: usualBudget },
    },
    inputs: ['question', 'words', 'names', 'path', 'maxTokens'],
    unlisted: Object.keys(scopeOptions),
  },
  async (input, { engine, contexts, signal }) => {
    const asked = { layout: 'numbered', format: 'markdown' } as const
    const maxTokens = limitTokens(input.maxTokens)
    const { output, digest } = await engine.assemble(input.question, { ...input, ...asked, maxTokens })
    await contexts?.open(input.question, presentIn(digest), signal)
    return textResult(output)
  },
)
