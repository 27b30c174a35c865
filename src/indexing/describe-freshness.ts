// What has a reader of an answer to know about the index? One sentence, the same on every surface.
import { formatQuantity } from '../assemble/format-numbers.ts'
import type { Freshness } from '../model/report.ts'

/** What is wrong with an index that was never finished, and what mends it; null for every other. */
export function describeIncomplete({ state, changedFiles }: Freshness): string | null {
  if (state !== 'incomplete') return null
  const what = changedFiles === 0 ? 'its last step' : formatQuantity(changedFiles, 'file')
  const verb = changedFiles > 1 ? 'are' : 'is'
  return `the index is not complete, ${what} ${verb} missing: run \`yore index\`, or wait until it has finished`
}

/** What a digest says about the index that it comes from. */
export function noticesOf(freshness: Freshness): readonly string[] {
  const incomplete = describeIncomplete(freshness)
  if (incomplete !== null) return [`${incomplete[0]?.toUpperCase()}${incomplete.slice(1)}.`]
  const { state, changedFiles } = freshness
  if (state !== 'stale') return []
  const files = formatQuantity(changedFiles, 'file')
  const were = changedFiles === 1 ? 'was' : 'were'
  return [`${files} changed since the index was made, and ${were} not read again for this answer.`]
}
