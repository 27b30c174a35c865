// How fresh is the index? One sentence, the same on every surface.
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { Freshness } from '../../model/report.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { judgeBuild } from '../store/ownership/build-record.ts'

/** The freshness that the index states, without checking files. `indexDir`: null for an index file alone. */
export function describeUnchecked(reader: CorpusReader, indexDir: string | null): Freshness {
  const indexedAt = reader.meta('indexedAt') ?? 0
  if (indexedAt === 0) {
    const build = indexDir === null ? null : judgeBuild(indexDir, null)
    const failure = build?.kind === 'abandoned' && build.failure !== null ? { failure: build.failure } : {}
    const known = build?.kind === 'growing' ? build.freshness : failure
    return { state: 'incomplete', changedFiles: 0, indexedAt, ...known }
  }
  // Given files exist nowhere else.
  return { state: reader.meta('fedBy') === 'changes' ? 'fresh' : 'unchecked', changedFiles: 0, indexedAt }
}

const describeSeconds = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`

/** What is wrong with an unfinished index, and what to do; null for any other. */
export function describeIncomplete(freshness: Freshness): string | null {
  const { state, changedFiles, early, builder, progress, failure } = freshness
  if (state !== 'incomplete') return null
  const why = failure === undefined ? '' : ` (${failure})`
  if (early !== undefined) {
    const from = `this answer is from the ${formatCount(early)} of ${formatCount(early + changedFiles)} files that match best`
    const when =
      progress === undefined ? 'when it is complete' : `in about ${describeSeconds(progress.secondsLeft)}`
    return failure === undefined
      ? `the index is being built; ${from}: ask again ${when}`
      : `the index could not be built${why}; ${from}: run \`yore index\``
  }
  if (progress !== undefined)
    return `indexing ${Math.floor(100 * progress.share)} %, about ${describeSeconds(progress.secondsLeft)} left`
  const verb = changedFiles > 1 ? 'are' : 'is'
  const missing = changedFiles === 0 ? '' : `, ${formatQuantity(changedFiles, 'file')} ${verb} missing`
  return builder === undefined
    ? `the index is not complete${missing}${why}: run \`yore index\``
    : `the index is being built by ${builder}${missing}: wait until it has finished`
}

/** How many files were checked, if not all. */
export const describeCompared = ({ files, of }: NonNullable<Freshness['compared']>): string =>
  `${formatCount(files)} of ${formatQuantity(of, 'file')} and those shown were compared with the index`

/** Why the answer may be outdated; null unless a refresh failed. */
export function describeFailed({ failure, state }: Freshness): string | null {
  if (failure === undefined || state === 'incomplete') return null
  return `the index could not be refreshed, so this answer may be out of date: ${failure}`
}

/** What a digest says about the freshness of its index. */
export function noticesOf(freshness: Freshness): readonly string[] {
  const failed = describeFailed(freshness)
  const told = [failed, describeIncomplete(freshness)].filter((one) => one !== null)
  if (told.length > 0) return told.map((one) => `${one[0]?.toUpperCase()}${one.slice(1)}.`)
  const { state, changedFiles, compared } = freshness
  if (state === 'unchecked') return ['No file was compared with the index for this answer.']
  if (state === 'fresh' && compared !== undefined) return [`${describeCompared(compared)}.`]
  if (state !== 'stale') return []
  const files = formatQuantity(changedFiles, 'file')
  const were = changedFiles === 1 ? 'was' : 'were'
  return [`${files} changed since the index was made, and ${were} not read again for this answer.`]
}
