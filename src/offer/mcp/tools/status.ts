// How does an agent see what is indexed? Counts, freshness and whether search uses embeddings.
import type { Freshness, StatusReport } from '../../../model/report.ts'
import { operations } from '../../operations/operations.ts'
import { fitParts, type ToolResult, usualTokens } from '../fit-result.ts'
import { freshnessFacts, freshnessLine, makeResult } from '../make-results.ts'
import { defineTool, type Tool } from '../tool.ts'

/** It names the folder, which a service does not show. */
export const status: Tool = defineTool(
  { name: 'status', operation: operations.status, needs: 'folder', inputs: [] },
  async (_input, { engine, countTokens }) => {
    const report = await engine.status()
    return fitParts(1, () => statusResult(report), { maxTokens: usualTokens, countTokens })
  },
)

function builtAt({ state, indexedAt }: Freshness): string {
  return state === 'incomplete' ? '' : `, built ${new Date(indexedAt).toISOString()}`
}

export function statusResult(report: StatusReport): ToolResult {
  const { files, sections, tokens, languages, skipped, masked, vectors, freshness, yoreVersion } = report
  const facts = {
    root: report.root,
    files,
    sections,
    tokens,
    languages,
    skipped: skipped.length,
    masked: masked.length,
    vectors: { model: vectors.model, embedded: vectors.embedded, total: vectors.total },
    freshness: freshnessFacts(freshness),
    yoreVersion,
  }
  const kinds = Object.entries(languages).map(([language, count]) => `${language} ${count}`)
  const text = [
    `${files} files (${kinds.join(', ')}), ${sections} sections, ${tokens} tokens; ${skipped.length} files skipped, ${masked.length} secrets masked.`,
    `${freshnessLine(freshness)}${builtAt(freshness)}; yore ${yoreVersion}.`,
    vectors.model === null ? 'Search goes by words.' : `Search goes by words and meaning (${vectors.model}).`,
  ]
  return makeResult(text.join('\n'), facts)
}
