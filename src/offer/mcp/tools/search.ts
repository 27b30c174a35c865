// How does an agent search? Places with their best lines, and a context to expand from.
import { renderHits } from '../../../explore/render-results.ts'
import { callerOptions, operations, scopeOptions } from '../../operations/operations.ts'
import { fitLines, textResult } from '../fit-result.ts'
import { defineTool, type Tool } from '../tool.ts'

/** Tokens of the longest list. */
const mostTokens = 8000

export const search: Tool = defineTool(
  {
    name: 'search',
    description:
      'Ranked grep over this repository: path:lines and the best line of each hit. Call it for names, error messages (exact) and patterns (regex), both counted in all files; not for a question (assemble_context). Example: {"query": "ECONNREFUSED", "match": "exact"}',
    operation: operations.search,
    inputs: ['query', 'match', 'path', 'limit'],
    unlisted: Object.keys({ ...callerOptions, ...scopeOptions }),
  },
  async (input, { engine, contexts, signal, countTokens }) => {
    const { query, limit } = input
    const ranked = await engine.search(query, input)
    // One name as code writes it: all its places, where they fit, say more than sections with its parts.
    const isName = input.match === 'words' && ranked.analysis.identifiers[0] === query.trim()
    const places = isName ? await engine.search(query, { ...input, match: 'exact' }) : null
    const areAll = places !== null && places.hits.length > 0 && places.candidateSections <= limit
    const found = areAll ? places : ranked
    const present = found.hits.map(({ artifact }) => ({ id: artifact, depth: 0 }))
    await contexts?.open(query, present, signal)
    return fitLines(renderHits(found, countTokens), textResult, { maxTokens: mostTokens, countTokens })
  },
)
