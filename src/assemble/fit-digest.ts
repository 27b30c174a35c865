// How does a digest fill its budget and never exceed it? Select, render, count exactly, and correct until it fits.
import { YoreError } from '../errors.ts'
import type { Digest } from '../model/digest.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import type { FrameLevel } from './digest-frame.ts'
import { formatCount } from './format-numbers.ts'
import { renderJson } from './render-json.ts'
import { renderMarkdown } from './render-markdown.ts'

/** From so many tokens on the layout is always complete (decision 12). */
const FULL_LAYOUT = 600
const ROUNDS = 8
/** Above this share of the budget nobody gains by another round. */
const FULL_ENOUGH = 0.985

export interface FitOptions {
  readonly maxTokens: number
  readonly format: 'markdown' | 'json'
  readonly explain: boolean
  readonly countTokens: TokenCounter
}

export interface Fitted {
  readonly output: string
  readonly digest: Digest
  readonly tokensUsed: number
}

/** Renders with the number of tokens it really has: the number is part of the text, so it is settled by repetition. */
function renderCounted(digest: Digest, level: FrameLevel, o: FitOptions): { output: string; tokens: number } {
  const render = (tokens: number): string =>
    o.format === 'json'
      ? renderJson(digest, { actualTokens: tokens }, { explain: o.explain })
      : renderMarkdown(digest, { actualTokens: formatCount(tokens), frameLevel: level })
  let tokens = o.maxTokens
  let output = render(tokens)
  for (let round = 0; round < 4; round++) {
    const counted = o.countTokens(output)
    if (counted === tokens) break
    tokens = counted
    output = render(tokens)
  }
  return { output, tokens: o.countTokens(output) }
}

function levelsFor(maxTokens: number): readonly FrameLevel[] {
  return maxTokens >= FULL_LAYOUT ? [0] : [0, 1, 2, 3, 4]
}

/**
 * `build` makes a digest whose passages take about the given number of tokens. The best rendering that fits is
 * returned; when not even one source fits, the error names the budget that would do.
 */
export function fitDigest(build: (contentTokens: number) => Digest, options: FitOptions): Fitted {
  let best: Fitted | null = null
  let smallest = Number.POSITIVE_INFINITY
  const empty = build(0)
  for (const level of levelsFor(options.maxTokens)) {
    const frame = renderCounted(empty, level, options).tokens
    const fitted = fitLevel(build, { ...options, level, frame })
    smallest = Math.min(smallest, fitted.smallest)
    const found = fitted.best
    if (found === null) continue
    if (
      best === null ||
      found.digest.primary.length > best.digest.primary.length ||
      best.digest.primary.length === 0
    )
      best = found
    if (found.digest.primary.length > 0) break
  }
  if (best !== null && (best.digest.primary.length > 0 || best.digest.candidateSections === 0)) return best
  if (best?.digest.dropped.every(({ reason }) => reason !== 'no room')) return best
  const minimum = minimumBudget(build, options, smallest)
  throw new YoreError(
    'BUDGET_TOO_SMALL',
    `${options.maxTokens} tokens cannot hold the question and one source`,
    {
      hint: `raise --max-tokens to ${minimum} or more`,
    },
  )
}

interface LevelOptions extends FitOptions {
  readonly level: FrameLevel
  readonly frame: number
}

function fitLevel(
  build: (contentTokens: number) => Digest,
  o: LevelOptions,
): { best: Fitted | null; smallest: number } {
  let best: Fitted | null = null
  let smallest = Number.POSITIVE_INFINITY
  let content = Math.max(0, o.maxTokens - o.frame)
  let tooMuch = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && content > 0; round++) {
    const digest = build(content)
    const { output, tokens } = renderCounted(digest, o.level, o)
    if (tokens > o.maxTokens) {
      smallest = Math.min(smallest, tokens)
      tooMuch = Math.min(tooMuch, content)
      content = Math.floor(Math.min(content - (tokens - o.maxTokens), content * 0.98))
      continue
    }
    const better = best === null || tokens > best.tokensUsed
    if (better) best = { output, digest, tokensUsed: tokens }
    const exhausted =
      digest.dropped.every(({ reason }) => reason !== 'no room') && !digest.primary.some((p) => p.truncated)
    if (exhausted || tokens >= o.maxTokens * FULL_ENOUGH || !better) break
    const more = content + Math.max(8, Math.floor((o.maxTokens - tokens) * 0.9))
    content = more < tooMuch ? more : Math.floor((content + tooMuch) / 2)
    if (content + 1 >= tooMuch) break
  }
  if (best === null) {
    const { output, tokens } = renderCounted(build(0), o.level, o)
    if (tokens <= o.maxTokens) best = { output, digest: build(0), tokensUsed: tokens }
  }
  return { best, smallest }
}

/** The least budget that shows one source, found by trying. */
function minimumBudget(build: (contentTokens: number) => Digest, o: FitOptions, hint: number): number {
  for (let content = 16; content <= 4096; content = Math.ceil(content * 1.25)) {
    const digest = build(content)
    if (digest.primary.length === 0) continue
    const { tokens } = renderCounted(digest, 4, o)
    if (tokens > o.maxTokens) return Math.ceil(tokens / 10) * 10
  }
  return Number.isFinite(hint) ? Math.ceil(hint / 10) * 10 : o.maxTokens * 2
}
