// How does a digest fill its budget and never exceed it? Select, render, count exactly, and correct until it fits.

import type { Digest } from '../../model/digest.ts'
import { YoreError } from '../../model/errors.ts'
import type { PlacedOffer } from '../../model/expansion.ts'
import { formatCount } from '../../model/format-numbers.ts'
import type { TokenAccount } from '../../model/report.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { type FrameLevel, frameLevels } from './digest-frame.ts'
import { fitJson, leastJson } from './fit-json.ts'
import { layoutOf, renderExpanded, renderMarkdown, renderPassage, renderSourced } from './render-markdown.ts'
import {
  FIT_ROUNDS,
  FRAME_SHARE,
  FRAME_YIELDS_CHARS,
  FULL_ENOUGH,
  FULL_LAYOUT,
  NUMBER_TOKENS,
  WELL_FILLED,
  WHOLE_FRAME,
} from './tuning.ts'

export interface FitDigestOptions {
  readonly maxTokens: number
  readonly format: 'markdown' | 'json'
  /** `brief` omits the explanation of sources at any budget: the frame, or in JSON what the passages repeat. */
  readonly layout: 'full' | 'brief'
  readonly explain: boolean
  readonly countTokens: TokenCounter
  /** Tokens that count against the budget when the digest is part of a larger text; its own tokens by default. */
  readonly sizeOf?: ((output: string, maxTokens: number, digest: Digest) => number) | undefined
}

export interface Fitted {
  readonly output: string
  readonly digest: Digest
  readonly tokensUsed: number
  /** How much of the frame was shed. */
  readonly level: FrameLevel
}

interface Rendered {
  readonly output: string
  readonly tokens: number
  /** Tokens that count against the budget. */
  readonly size: number
}

/** Renders with the number of tokens it really has: the number is part of the text, so it is settled by repetition. */
function renderCounted(digest: Digest, frameLevel: FrameLevel, o: FitDigestOptions): Rendered {
  let output = ''
  let tokens = o.maxTokens
  for (let round = 0; round < 5; round++) {
    output = renderMarkdown(digest, { actualTokens: formatCount(tokens), frameLevel })
    const counted = o.countTokens(output)
    if (counted === tokens) break
    tokens = counted
  }
  return { output, tokens, size: Math.max(tokens, o.sizeOf?.(output, o.maxTokens, digest) ?? 0) }
}

/** The layout for a budget where none was asked for. */
export function chooseLayout(layout: 'auto' | 'full' | 'brief', maxTokens: number): 'full' | 'brief' {
  if (layout !== 'auto') return layout
  return maxTokens >= FULL_LAYOUT ? 'full' : 'brief'
}

function levelsFor({ maxTokens, layout }: FitDigestOptions): readonly FrameLevel[] {
  if (layout === 'brief') return [4]
  return maxTokens >= WHOLE_FRAME ? [0] : frameLevels
}

/** Makes a digest whose passages take about the given number of tokens, from whole pieces or from cut ones too. */
export type BuildDigest = (contentTokens: number, cutPieces: boolean) => Digest

/**
 * The best rendering that fits is returned; when not even one source fits, the error names the budget that would do.
 * JSON renders the selection of Markdown (record 0004). Only where its first passage does not fit is less selected.
 */
export function fitDigest(build: BuildDigest, options: FitDigestOptions): Fitted {
  if (options.format === 'markdown') return fitMarkdown(build, options)
  const jsonOptions = { ...options, brief: options.layout === 'brief' }
  const asJson = ({ digest, level }: Fitted): Fitted | null => {
    const made = fitJson(digest, jsonOptions)
    return made && { output: made.output, digest: made.digest, tokensUsed: made.tokens, level }
  }
  const whole = fitAnyLevel(build, options)
  const made = whole === null || !answers(whole.digest) ? null : asJson(whole)
  if (made !== null) return made
  const sizeOf: FitDigestOptions['sizeOf'] = (_, maxTokens, digest) =>
    leastJson(digest, { ...jsonOptions, maxTokens })
  return asJson(fitMarkdown(build, { ...options, layout: 'brief', sizeOf })) as Fitted
}

function fitMarkdown(build: BuildDigest, options: FitDigestOptions): Fitted {
  const best = fitAnyLevel(build, options)
  if (best !== null && answers(best.digest)) return best
  throw new YoreError(
    'BUDGET_TOO_SMALL',
    `${options.maxTokens} tokens cannot hold the question and one source`,
    { leastTokens: minimumBudget(build, options) },
  )
}

/** Maximum tokens of the list of references below a brief digest. */
const LISTED_TOKENS = 200

/** What a reader of a digest may do next: ask again with words, and follow references. */
interface FollowUp {
  readonly ask: readonly string[]
  readonly follow: readonly PlacedOffer[]
}

/** Adds the request for words and the first references that fit into what is left of the budget; passages never yield to them. */
export function fitFollowUp(fitted: Fitted, { ask, follow }: FollowUp, o: FitDigestOptions): Fitted {
  const within = (digest: Digest, most: number): Fitted | null => {
    const { output, tokens } = renderCounted(digest, fitted.level, o)
    return tokens <= most ? { ...fitted, output, digest, tokensUsed: tokens } : null
  }
  const notices = [...fitted.digest.notices, ...ask]
  const asked = (ask.length > 0 ? within({ ...fitted.digest, notices }, o.maxTokens) : null) ?? fitted
  const most = Math.min(o.maxTokens, asked.tokensUsed + LISTED_TOKENS)
  for (let count = follow.length; count > 0; count--) {
    const offers = { listed: follow.slice(0, count), more: follow.length - count }
    const listed = within({ ...asked.digest, offers }, most)
    if (listed !== null) return listed
  }
  return asked
}

/** No candidate was dropped for lack of room. */
export function hasRoom({ dropped }: Pick<Digest, 'dropped'>): boolean {
  return dropped.every(({ reason }) => reason !== 'no room')
}

/** At least one source, or no candidate that a larger budget would show. */
function answers(digest: Digest): boolean {
  return digest.primary.length > 0 || hasRoom(digest)
}

/** Tries the levels of the frame, fullest first, until the frame is a small share and the best source is shown, or else any. */
function fitAnyLevel(build: BuildDigest, options: FitDigestOptions): Fitted | null {
  let best: Fitted | null = null
  const empty = build(0, false)
  const levels = levelsFor(options)
  for (const level of levels) {
    const isLast = level === levels.at(-1)
    const frame = renderCounted(empty, level, options).size
    if (!isLast && frame > options.maxTokens * FRAME_SHARE) continue
    const found = fitLevel(build, { ...options, level, frame })
    if (found === null) continue
    if (best === null || !answers(best.digest) || showsBest(found.digest)) best = found
    if (
      showsBest(best.digest) &&
      (isLast || accountFor(best, { ...options, level }).frame <= options.maxTokens * FRAME_SHARE)
    )
      break
  }
  return best
}

/** Tokens of each passage under its source, and of everything but the passages. */
export function accountFor(
  { digest, tokensUsed, level: fittedLevel }: Fitted,
  { countTokens, level = fittedLevel }: { readonly countTokens: TokenCounter; readonly level?: FrameLevel },
): TokenAccount {
  const layout = layoutOf(level)
  const primary = digest.primary.map((passage) => countTokens(renderPassage(passage, layout)))
  const expanded = digest.expanded.map((document) => {
    const whole = countTokens(renderExpanded(document, layout))
    const [, ...later] = document.passages.map((passage) => countTokens(renderSourced(passage, layout)))
    return [later.reduce((left, tokens) => left - tokens, whole), ...later]
  })
  const frame = [...primary, ...expanded.flat()].reduce((left, tokens) => left - tokens, tokensUsed)
  return { frame, primary, expanded }
}

/** No dropped candidate scores higher than what is shown, and the best passage is not truncated to a few words. */
function showsBest({ primary, dropped }: Digest): boolean {
  const [best] = primary.toSorted((a, b) => b.score - a.score)
  if (best === undefined) return hasRoom({ dropped })
  if (best.truncated && best.excerpts.reduce((sum, { text }) => sum + text.length, 0) < FRAME_YIELDS_CHARS)
    return false
  return dropped.every(({ reason, score }) => reason !== 'no room' || score <= best.score)
}

interface LevelOptions extends FitDigestOptions {
  readonly level: FrameLevel
  readonly frame: number
}

/** Whole pieces first; where they leave too much unused, pieces are cut. */
function fitLevel(build: BuildDigest, o: LevelOptions): Fitted | null {
  const whole = fitRounds((content) => build(content, false), o)
  if (whole !== null && (whole.digest.isComplete || whole.tokensUsed >= o.maxTokens * WELL_FILLED))
    return whole
  const cut = fitRounds((content) => build(content, true), o)
  return cut !== null && cut.tokensUsed > (whole?.tokensUsed ?? 0) ? cut : whole
}

/** Narrows down how much content fits: `low` did, `high` did not. */
function fitRounds(build: (contentTokens: number) => Digest, o: LevelOptions): Fitted | null {
  let best: Fitted | null = null
  let low = 0
  let high = Number.POSITIVE_INFINITY
  let overshot = { size: 0, times: 0 }
  let content = o.maxTokens - o.frame
  for (
    let round = 0;
    content > low && round < (best?.digest.primary.length ? FIT_ROUNDS : 2 * FIT_ROUNDS);
    round++
  ) {
    const digest = build(content)
    const { output, tokens, size } = renderCounted(digest, o.level, o)
    let next: number
    if (size > o.maxTokens) {
      high = content
      // A slightly smaller target may select the same pieces: the step grows with each repetition.
      overshot = { size, times: size === overshot.size ? overshot.times + 1 : 0 }
      next = content - (size - o.maxTokens) * 4 ** overshot.times
    } else {
      low = content
      if (best === null || tokens > best.tokensUsed)
        best = { output, digest, tokensUsed: tokens, level: o.level }
      if (digest.isComplete || size >= o.maxTokens * FULL_ENOUGH) break
      next = content + Math.max(8, Math.floor((o.maxTokens - size) * 0.9))
    }
    content = next > low && next < high ? next : Math.floor((low + high) / 2)
  }
  if (best !== null) return best
  const digest = build(0)
  const { output, tokens, size } = renderCounted(digest, o.level, o)
  return size <= o.maxTokens ? { output, digest, tokensUsed: tokens, level: o.level } : null
}

/** The minimum budget that shows one source, found by trial. */
function minimumBudget(build: BuildDigest, o: FitDigestOptions): number {
  const answersWithin = (maxTokens: number): boolean => {
    const fitted = fitAnyLevel(build, { ...o, maxTokens })
    return fitted !== null && answers(fitted.digest)
  }
  // The search starts at the smallest frame, so that the result does not depend on the budget that was given.
  let budget = renderCounted(build(0, false), 4, o).tokens
  for (let step = 10; step < 100_000; step *= 1.3) {
    budget = Math.ceil((budget + step) / 10) * 10
    // The digest states its budget: a longer number takes more tokens, so the budget must also do with as many fewer.
    if (budget > o.maxTokens && answersWithin(budget - NUMBER_TOKENS) && answersWithin(budget)) return budget
  }
  return budget
}
