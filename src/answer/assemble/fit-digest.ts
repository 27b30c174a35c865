// How does a digest never exceed its budget? Compose, render, count exactly, and compose with fewer tokens where it does.

import type { DigestLayout } from '../../model/config/settings.ts'
import type { Digest } from '../../model/digest.ts'
import { YoreError } from '../../model/errors.ts'
import { formatCount } from '../../model/format-numbers.ts'
import type { AssembleResult, TokenAccount } from '../../model/report.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { type FrameLevel, frameLevels } from './digest-frame.ts'
import { type FitJsonOptions, fitJson, leastJson } from './fit-json.ts'
import { layoutOf, renderExpanded, renderMarkdown, renderPassage, renderSourced } from './render-markdown.ts'
import * as tuning from './tuning.ts'

export interface FitDigestOptions extends Omit<FitJsonOptions, 'brief'> {
  readonly format: 'markdown' | 'json'
  /** All but `full` omit the explanation of sources at any budget: the frame, or in JSON what the passages repeat. */
  readonly layout: DigestLayout
  /** Tokens that count against the budget when the digest is part of a larger text; its own tokens by default. */
  readonly sizeOf?: ((output: string, maxTokens: number, digest: Digest) => number) | undefined
}

export interface Fitted extends Pick<AssembleResult, 'output' | 'digest' | 'tokensUsed'> {
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

/** The default limit of sections for a budget. */
export const chooseSections = (maxTokens: number): number =>
  Math.max(tuning.LEAST_SECTIONS, Math.ceil(maxTokens / tuning.TOKENS_PER_SECTION))

/** The layout for a budget where none was asked for. */
export function chooseLayout(layout: 'auto' | DigestLayout, maxTokens: number): DigestLayout {
  if (layout !== 'auto') return layout
  return maxTokens >= tuning.FULL_LAYOUT ? 'full' : 'brief'
}

function levelsFor({ maxTokens, layout }: FitDigestOptions): readonly FrameLevel[] {
  if (layout !== 'full') return [layout === 'brief' ? 4 : 5]
  return maxTokens >= tuning.WHOLE_FRAME ? [0] : frameLevels
}

/** Makes a digest whose passages take about the given number of tokens. */
export type BuildDigest = (contentTokens: number) => Digest

/**
 * The best rendering that fits is returned; when not even one source fits, the error names the budget that would do.
 * JSON renders the selection of Markdown (record 0004). Only where its first passage does not fit is less selected.
 */
export function fitDigest(build: BuildDigest, options: FitDigestOptions): Fitted {
  if (options.format === 'markdown') return fitMarkdown(build, options)
  const jsonOptions = { ...options, brief: options.layout !== 'full' }
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

/** No candidate was dropped for lack of room. */
export const hasRoom = ({ dropped }: Pick<Digest, 'dropped'>): boolean =>
  dropped.every(({ reason }) => reason !== 'no room')

/** At least one source, or no candidate that a larger budget would show. */
const answers = (digest: Digest): boolean => digest.primary.length > 0 || hasRoom(digest)

/** Tries the levels of the frame, fullest first, until the frame is a small share and the best source is shown, or else any. */
function fitAnyLevel(build: BuildDigest, options: FitDigestOptions): Fitted | null {
  let best: Fitted | null = null
  const empty = build(0)
  const levels = levelsFor(options)
  for (const level of levels) {
    const isLast = level === levels.at(-1)
    const frame = renderCounted(empty, level, options).size
    if (!isLast && frame > options.maxTokens * tuning.FRAME_SHARE) continue
    const found = fitLevel(build, { ...options, level, frame })
    if (found === null) continue
    if (best === null || !answers(best.digest) || showsBest(found.digest)) best = found
    const most = options.maxTokens * tuning.FRAME_SHARE
    if (!isLast && showsBest(best.digest) && accountFor(best, { ...options, level }).frame <= most) break
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
  if (
    best.truncated &&
    best.excerpts.reduce((sum, { text }) => sum + text.length, 0) < tuning.FRAME_YIELDS_CHARS
  )
    return false
  return dropped.every(({ reason, score }) => reason !== 'no room' || score <= best.score)
}

interface LevelOptions extends FitDigestOptions {
  readonly level: FrameLevel
  readonly frame: number
}

/** Unused share of the budget from which on a digest that is not complete is composed again, and how often. */
const UNUSED = 0.1
const MORE_TRIES = 3

interface Composed extends Fitted {
  readonly size: number
}

/** Stored counts are near the exact ones: the first composition fits, or one of a few more with other tokens. */
function fitLevel(build: BuildDigest, o: LevelOptions): Fitted | null {
  const compose = (content: number): Composed => {
    const digest = build(content)
    const { output, tokens, size } = renderCounted(digest, o.level, o)
    return { output, digest, tokensUsed: tokens, level: o.level, size }
  }
  /** What fits, or more of it: costs of a full frame are too high for a shed one, and a step back may be too long. */
  const fillUp = (fits: Composed, known: { content: number; tooMuch: number }): Fitted => {
    let best = fits
    let { content, tooMuch } = known
    for (let tries = 0; tries < MORE_TRIES; tries++) {
      const unused = o.maxTokens - best.size
      if (best.digest.isComplete || unused <= UNUSED * o.maxTokens) break
      const more = Math.min(content + unused, Math.floor((content + tooMuch) / 2))
      const fuller = compose(more)
      if (fuller.size > o.maxTokens) tooMuch = more
      else content = more
      if (fuller.size <= o.maxTokens && fuller.size > best.size) best = fuller
    }
    return best
  }
  let content = Math.max(0, o.maxTokens - o.frame)
  let tooMuch = o.maxTokens
  for (let step = 1; ; step *= 2) {
    const fitted = compose(content)
    const over = fitted.size - o.maxTokens
    if (over <= 0) return fillUp(fitted, { content, tooMuch })
    if (content === 0) return null
    tooMuch = content
    // Where the counts were far off, in proportion.
    const less = 2 * over < content ? step * over : Math.ceil((content * over) / fitted.size)
    content = Math.max(0, content - less - tuning.NUMBER_TOKENS)
  }
}

/** The minimum budget that shows one source, found by trial. */
function minimumBudget(build: BuildDigest, o: FitDigestOptions): number {
  const answersWithin = (maxTokens: number): boolean => {
    const fitted = fitAnyLevel(build, { ...o, maxTokens })
    return fitted !== null && answers(fitted.digest)
  }
  // The digest states its budget: a longer number takes more tokens, so the budget must also do with as many fewer.
  const isEnough = (budget: number): boolean =>
    answersWithin(budget - tuning.NUMBER_TOKENS) && answersWithin(budget)
  // The search starts at the smallest frame, so that the result does not depend on the budget that was given.
  let budget = renderCounted(build(0), 4, o).tokens
  for (let step = 10; step < 100_000; step *= 1.3) {
    budget = Math.ceil((budget + step) / 10) * 10
    if (budget <= o.maxTokens || !isEnough(budget)) continue
    while (budget - 10 > o.maxTokens && isEnough(budget - 10)) budget -= 10
    return budget
  }
  return budget
}
