// Does the answer come from an index that matches the files? One sentence when it does not, or when it first had to be made to.
import { describeIncomplete } from '../../indexing/describe-freshness.ts'
import type { Freshness } from '../../model/report.ts'
import { formatAge, formatMany } from './format-numbers.ts'

/** The note for standard error, or null when there is nothing to say. */
export function freshnessNote(freshness: Freshness, now: number): string | null {
  const incomplete = describeIncomplete(freshness)
  if (incomplete !== null) return incomplete
  const files = formatMany(freshness.changedFiles, 'changed file')
  if (freshness.state === 'refreshed') return `re-indexed ${files} first`
  if (freshness.state === 'fresh') return null
  const age = formatAge(now - freshness.indexedAt)
  if (freshness.readOnly === true)
    return `${files} since the index was built (${age}): not included, because the index cannot be written here`
  return `${files} since the index was built (${age}): run \`yore index\` to include the changes`
}
