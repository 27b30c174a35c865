// How does an agent get a digest? The same bytes as from every other surface, and a context to expand from.
import { presentIn } from '../../../explore/expand-context.ts'
import { operations, scopeOptions } from '../../operations/operations.ts'
import { textResult } from '../fit-result.ts'
import { defineTool, limitTokens, type Tool } from '../tool.ts'

export const assembleContext: Tool = defineTool(
  {
    name: 'assemble_context',
    description:
      'Answer a question about this repository: the passages that matter in its documents and code, with path:lines. Call it first for how, why, where and which; not for a known file (read) or exact text (search). Example: {"question": "Why do calls hang?", "words": ["timeout", "abort"]}',
    operation: operations.assemble,
    inputs: ['question', 'words', 'names', 'path', 'maxTokens'],
    unlisted: Object.keys(scopeOptions),
  },
  async (input, { engine, contexts, signal }) => {
    const asked = { layout: 'brief', format: 'markdown', tokenizer: 'o200k' } as const
    const maxTokens = limitTokens(input.maxTokens)
    const { output, digest } = await engine.assemble(input.question, { ...input, ...asked, maxTokens })
    const present = presentIn(digest)
    const session = await engine.startExpansion(present)
    signal.throwIfAborted()
    return textResult(output, contexts.open(input.question, present, session).told)
  },
)
