// Why is something not in the digest? The nearest section that would meet the expectation gives the cause.
import type { Lines } from '../../model/artifact.ts'
import type { Digest, DropReason, Passage } from '../../model/digest.ts'
import type { ArtifactRow, RankedSection } from '../../model/section.ts'
import type { FoundExpectation, Miss, MissReason } from './evaluation.ts'
import { quotedPassages } from './match-expectations.ts'

/** The ranking, the digest and the selection of one question. */
export interface Attempt {
  readonly digest: Digest
  /** Best first. */
  readonly ranking: readonly RankedSection[]
  /** Rank, from 1, by the section's id. */
  readonly ranks: ReadonlyMap<string, number>
  readonly quoted: ReadonlySet<string>
  readonly dropped: ReadonlyMap<string, DropReason>
}

/** Prepares lookups that several misses share. */
export function makeAttempt(digest: Digest, ranking: readonly RankedSection[]): Attempt {
  return {
    digest,
    ranking,
    ranks: new Map(ranking.map(({ artifact }, index) => [artifact.id, index + 1])),
    quoted: new Set(quotedPassages(digest).flatMap((passage) => passage.artifacts)),
    // A denied expansion does not explain why search missed a section.
    dropped: new Map(
      digest.dropped.flatMap(({ artifact, reason }) =>
        reason === 'expansion budget' ? [] : [[artifact, reason]],
      ),
    ),
  }
}

export type Cause = Omit<Miss, 'kind' | 'expected'>

const unranked = { rank: null, score: null, ranks: {} } as const

/** The source of a passage of the digest, by its index. */
export function describeHit(at: number, attempt: Attempt): Omit<FoundExpectation, 'kind' | 'expected'> {
  const { path, artifacts } = quotedPassages(attempt.digest)[at] as Passage
  const best = Math.min(...artifacts.map((id) => attempt.ranks.get(id) ?? Number.POSITIVE_INFINITY))
  const section = attempt.ranking[best - 1]
  return {
    path,
    passage: at + 1,
    cameAlong: at >= attempt.digest.primary.length,
    rank: section === undefined ? null : best,
    ranks: section?.signals.ranks ?? {},
  }
}

export function notIndexed(detail: string): Cause {
  return { reason: 'not indexed', detail, section: null, path: null, lines: null, ...unranked }
}

/** A section contains it, but does not match the question, or too many others match better. */
export function notReached(section: ArtifactRow, path: string, attempt: Attempt): Cause {
  const lines = section.ownLines ?? section.lines
  const { length } = attempt.ranking
  const detail = `in ${placeOf(path, lines)}, which is not among the ${length} section${length === 1 ? '' : 's'} that match`
  return {
    reason: 'ranked too low',
    detail,
    section: section.id,
    path,
    lines,
    ...unranked,
  }
}

/** The cause from the best ranked of the sections that contain it; null if none is ranked. */
export function explainMiss(holders: Iterable<string>, attempt: Attempt): Cause | null {
  let best = Number.POSITIVE_INFINITY
  for (const id of holders) best = Math.min(best, attempt.ranks.get(id) ?? best)
  const section = attempt.ranking[best - 1]
  if (section === undefined) return null
  const { artifact, file, score, signals } = section
  const lines = artifact.ownLines ?? artifact.lines
  const reason = reasonOf(artifact.id, best, attempt)
  return {
    reason,
    detail: `rank ${best}, score ${score.toFixed(2)}, ${placeOf(file.path, lines)}; ${describe(reason, section, attempt)}`,
    section: artifact.id,
    path: file.path,
    lines,
    rank: best,
    score: Math.round(score * 10_000) / 10_000,
    ranks: signals.ranks,
  }
}

function reasonOf(id: string, rank: number, attempt: Attempt): MissReason {
  if (attempt.quoted.has(id)) return 'cut by the budget'
  const dropped = attempt.dropped.get(id)
  if (dropped === 'below threshold' || dropped === 'no text of its own') return dropped
  if (dropped === 'duplicate') return 'dropped as duplicate'
  // Without the token budget, as many of the best sections would be there as the digest may contain.
  return dropped === 'no room' && rank <= attempt.digest.query.maxSections
    ? 'cut by the budget'
    : 'ranked too low'
}

function describe(reason: MissReason, section: RankedSection, attempt: Attempt): string {
  const { digest } = attempt
  const { artifact, file, signals } = section
  if (reason === 'below threshold')
    return `relevance ${signals.relevance.toFixed(2)} is under the threshold ${digest.relevanceThreshold.toFixed(2)}`
  if (reason === 'no text of its own') return 'the section has only a heading'
  if (reason === 'dropped as duplicate') return describeTwin(file.path, artifact.ownLines, digest)
  if (reason === 'cut by the budget')
    return attempt.quoted.has(artifact.id)
      ? 'the section is in the digest, these lines were cut'
      : `the budget is too small for its ${artifact.tokens} tokens`
  return attempt.dropped.get(artifact.id) === 'section limit'
    ? `the digest holds ${digest.query.maxSections} sections`
    : 'better sections filled the digest'
}

function describeTwin(path: string, lines: Lines | null, digest: Digest): string {
  const twin = quotedPassages(digest).find((passage) =>
    passage.alsoAt.some((place) => place.path === path && place.lines.start === lines?.start),
  )
  const first = twin?.excerpts[0]
  return twin === undefined || first === undefined
    ? 'the same text is in the digest from another place'
    : `the same text is in the digest from ${placeOf(twin.path, first.lines)}`
}

function placeOf(path: string, lines: Lines): string {
  return `${path}:${lines.start}-${lines.end}`
}
