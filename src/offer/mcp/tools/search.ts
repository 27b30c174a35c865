// How does an agent search? Hits with excerpts, as many as fit, and a context to expand from.
import { clip, excerptOf, renderHits } from '../../../explore/render-results.ts'
import type { SearchResult } from '../../../model/report.ts'
import { callerOptions, operations, scopeOptions } from '../../operations/operations.ts'
import type { Context } from '../contexts.ts'
import { fitParts, type ToolResult, usualTokens } from '../fit-result.ts'
import { freshnessFacts, freshnessLine, makeResult, placeFact } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

export const search: Tool = defineTool(
  {
    name: 'search',
    operation: operations.search,
    needs: 'question',
    inputs: ['query', 'match', 'limit', ...Object.keys({ ...callerOptions, ...scopeOptions })],
  },
  async (input, { engine, contexts, signal, countTokens }) => {
    const found = await engine.search(input.query, { ...input, askForWords: true })
    const present = found.hits.map(({ artifact }) => ({ id: artifact, depth: 0 }))
    const session = await engine.startExpansion(present)
    signal.throwIfAborted()
    const context = contexts.open(input.query, present, session)
    const make = (hits: number): ToolResult =>
      searchResult({ ...found, hits: found.hits.slice(0, hits) }, context)
    return fitParts(found.hits.length, make, { maxTokens: usualTokens, countTokens })
  },
)

function searchResult(found: SearchResult, context: Context): ToolResult {
  const { hits, candidateSections, freshness } = found
  const { budgetLeft } = context.session.left
  const text = [
    renderHits(found),
    `Context ${context.id}; ${hits.length} of ${candidateSections} sections; expansion budget left: ${budgetLeft}; ${freshnessLine(freshness)}.`,
  ]
  return makeResult(text.join('\n\n'), {
    context: context.id,
    expansion: context.session.left,
    candidateSections,
    confidence: found.confidence.label,
    suggestions: found.suggestions.map((term) => clip(term)),
    freshness: freshnessFacts(freshness),
    hits: hits.map((hit) => ({
      handle: hit.artifact,
      path: hit.path,
      lines: `${hit.lines.start}-${hit.lines.end}`,
      ...placeFact(hit),
      ...(hit.matchedLines.length === 0
        ? {}
        : { bestLines: hit.matchedLines.map(({ start, end }) => `${start}-${end}`) }),
      ...(hit.furtherLines.length === 0
        ? {}
        : { alsoLines: hit.furtherLines.map(({ start, end }) => `${start}-${end}`) }),
      name: clip(hit.name),
      score: Number(hit.score.toFixed(3)),
      excerpt: excerptOf(hit),
    })),
  })
}
