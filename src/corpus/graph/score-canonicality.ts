// How much authority has a document? A baseline, adjusted by its path, its name and its age; every adjustment has a reason.

import type { Canonicality, CanonicalStatus } from '../../model/digest.ts'
import { isDated } from '../../model/format-numbers.ts'
import { lastSegment } from '../../model/paths.ts'
import { isGeneratedPath, isTestPath, isTranslatedPath, isVendoredPath } from '../resolve/code/code-roles.ts'

export interface CanonicalityInput {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
  /** Frontmatter `status`, lower case. */
  readonly status?: string | null
  /** The number of other documents that refer to it. */
  readonly inbound?: number
  /** Percentile of its PageRank among the documents: 0 to 1. */
  readonly rank?: number
  /** Path of the document that replaces it. */
  readonly successor?: string | null
  readonly language?: string
  /** Set when the file declares that a program wrote it. */
  readonly role?: 'generated' | null
}

const DAY = 24 * 60 * 60 * 1000
const BASELINE = 0.5
const NOT_UPDATED = 'not updated for a year'
const authoritativeFolders: readonly (readonly [string, number])[] = [
  ['docs/adr', 0.2],
  ['docs/architecture', 0.2],
  ['docs/index', 0.15],
]
/** What a role takes from the authority of a file, and what it adds to the weight of its sections for a question (feature-table.ts). */
export const roleWeights = {
  test: { authority: -0.2, section: -0.8 },
  generated: { authority: -0.3, section: -0.27 },
  vendored: { authority: -0.3, section: -0.18 },
  superseded: { authority: -0.3, section: -1 },
} as const

/** Adjustments by the status that an author gives the document. */
const statusEffects: Readonly<Record<string, number>> = {
  canonical: 0.2,
  accepted: 0.1,
  approved: 0.1,
  final: 0.1,
  draft: -0.1,
  proposed: -0.1,
  rejected: -0.3,
  withdrawn: -0.3,
  deprecated: -0.3,
  obsolete: -0.3,
  superseded: roleWeights.superseded.authority,
}
/** The largest bonus for references from other documents, and how fast it grows. */
const INBOUND_MOST = 0.1
const INBOUND_STEP = 0.025
/** The top share of documents by PageRank that gets a bonus. */
const TOP_RANK = 0.9
const TOP_RANK_EFFECT = 0.05
const staleWords: ReadonlySet<string> = new Set(['scratch', 'archive', 'old'])
const guidingWords: ReadonlySet<string> = new Set(['readme', 'index', 'guide', 'runbook', 'plan'])

/** Lower-case words of a file name: split at everything but letters and digits, and where the case changes. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Reasons that a file is not an ordinary document or code of this corpus. */
export const fileRoles: ReadonlySet<string> = new Set([
  'vendored',
  'generated',
  'vendored code',
  'generated code',
  'a test',
  'a translation',
])

/** Vendored files, generated files, tests, and translations. */
export function roleOf({ path, role, language }: CanonicalityInput): Reason | null {
  if (language === undefined) return null
  const isCode = isCodeFile(language)
  if (isVendoredPath(path))
    return { reason: isCode ? 'vendored code' : 'vendored', effect: roleWeights.vendored.authority }
  if (role === 'generated' || (isCode && isGeneratedPath(path)))
    return { reason: isCode ? 'generated code' : 'generated', effect: roleWeights.generated.authority }
  if (!isCode) return isTranslatedPath(path) ? { reason: 'a translation', effect: -0.3 } : null
  return isTestPath(path) ? { reason: 'a test', effect: roleWeights.test.authority } : null
}

const isCodeFile = (language: string): boolean => language !== 'markdown' && language !== 'text'

type Reason = Canonicality['reasons'][number]

function statusReason({ status, successor }: CanonicalityInput): Reason[] {
  if (successor != null)
    return [{ reason: `superseded by ${successor}`, effect: roleWeights.superseded.authority }]
  const word = status?.split(/[^a-z]+/)[0] ?? ''
  const effect = Object.hasOwn(statusEffects, word) ? (statusEffects[word] as number) : 0
  return effect === 0 ? [] : [{ reason: `status ${word}`, effect }]
}

function graphReasons({ inbound = 0, rank = 0 }: CanonicalityInput): Reason[] {
  const reasons: Reason[] = []
  if (inbound > 0) {
    const effect = Math.min(INBOUND_MOST, INBOUND_STEP * Math.log2(1 + inbound))
    reasons.push({ reason: `referenced by ${inbound} document${inbound === 1 ? '' : 's'}`, effect })
  }
  if (rank >= TOP_RANK) reasons.push({ reason: 'among the most referenced', effect: TOP_RANK_EFFECT })
  return reasons
}

function placeReasons(file: CanonicalityInput): Reason[] {
  const segments = file.path.toLowerCase().split('/')
  const folders = `/${segments.slice(0, -1).join('/')}/`
  const words = wordsOf(lastSegment(file.path).replace(/\.[^.]*$/, ''))
  const reasons: Reason[] = [{ reason: 'baseline', effect: BASELINE }]
  const folder = authoritativeFolders.find(([place]) => folders.includes(`/${place}/`))
  if (folder !== undefined) reasons.push({ reason: `in ${folder[0]}`, effect: folder[1] })
  const stale = [...segments.slice(0, -1), ...words].find((part) => staleWords.has(part))
  if (stale !== undefined) reasons.push({ reason: `path says "${stale}"`, effect: -0.3 })
  const guiding = words.find((word) => guidingWords.has(word))
  if (guiding !== undefined) reasons.push({ reason: `named ${guiding}`, effect: 0.1 })
  const role = roleOf(file)
  if (role !== null) reasons.push(role)
  return reasons
}

/** Cached by file, until its age counts otherwise. */
const known = new WeakMap<CanonicalityInput, { age: Reason | null; canonicality: Canonicality }>()

const recent: Reason = { reason: 'updated in the last 90 days', effect: 0.1 }
const old: Reason = { reason: NOT_UPDATED, effect: -0.1 }

function ageReason({ modifiedAt, language = 'markdown' }: CanonicalityInput, now: number): Reason | null {
  const days = (now - modifiedAt) / DAY
  if (days < 90) return recent
  return days > 365 && isDated(modifiedAt) && !isCodeFile(language) ? old : null
}

/** Implements decision record 0006; the time is an argument. */
export function scoreCanonicality(file: CanonicalityInput, { now }: { readonly now: number }): Canonicality {
  const age = ageReason(file, now)
  const before = known.get(file)
  if (before?.age === age) return before.canonicality
  const reasons = [
    ...placeReasons(file),
    ...(age === null ? [] : [age]),
    ...statusReason(file),
    ...graphReasons(file),
  ].filter(({ effect }) => effect !== 0)
  const sum = reasons.reduce((total, { effect }) => total + Math.round(effect * 100), 0)
  const canonicality = { score: Math.min(100, Math.max(0, sum)) / 100, reasons }
  known.set(file, { age, canonicality })
  return canonicality
}

/** Reasons to doubt that a text is current; age counts for documents only. */
const staleReason = /^(?:path says|status|superseded by) /

/** The score in words (record 0006): possibly stale only for a reason other than being code. */
export function canonicalStatus({ score, reasons }: Canonicality, language: string): CanonicalStatus {
  if (score >= 0.7) return 'canonical'
  const isStale = reasons.some(
    ({ reason, effect }) =>
      effect < 0 && (staleReason.test(reason) || (reason === NOT_UPDATED && !isCodeFile(language))),
  )
  return score < 0.5 && isStale ? 'possibly stale' : 'secondary'
}
