// What does an LLM see first? The rules, earlier turns, as many sections as fit, and the question.
import type { ContextSection, Exchange, Message } from '../../model/conversation.ts'
import { cut } from '../../model/mark-invisible.ts'
import { fitSection } from './frame-section.ts'
import { type Opening, writeOpening } from './write-prompt.ts'

export interface LoopLimits {
  /** Turns of the LLM, the answer included. */
  readonly turns: number
  /** Requests that were denied and outputs that broke the protocol; after these only an answer counts. */
  readonly refusals: number
  /** Of the longest prompt that is ever sent. */
  readonly promptTokens: number
  /** Of one output. */
  readonly answerTokens: number
}

/** `budget` is the cost that the whole question may spend. */
export interface OpeningParts extends Omit<Opening, 'sections'> {
  readonly sections: readonly ContextSection[]
  readonly limits: LoopLimits
  readonly countTokens: (text: string) => number
}

interface FittedOpening {
  readonly messages: readonly Message[]
  /** By handle, in order. */
  readonly sections: Map<string, ContextSection>
}

/** Tokens of a prompt that verdicts and requests of later turns may take. */
export const reserveOf = ({ promptTokens }: LoopLimits): number => Math.min(700, Math.floor(promptTokens / 3))

/** Possible requests of each section in a prompt that does not hold all of them. */
const FEW_OFFERS = 2

export const handleAt = (index: number): string => `S${index + 1}`

/** Drops possible requests, then the last sections, until the prompt fits; of a single section it keeps the first lines. */
export function fitOpening(parts: OpeningParts): FittedOpening {
  const { question, history, budget, limits, countTokens } = parts
  const write = (some: readonly ContextSection[]): FittedOpening => {
    const sections = new Map(some.map((section, at) => [handleAt(at), section]))
    return { messages: writeOpening({ question, sections, budget, history }), sections }
  }
  const fits = (some: readonly ContextSection[]): boolean =>
    countMessages(write(some).messages, countTokens) <= limits.promptTokens - reserveOf(limits)
  const withOffers = (most: number): ContextSection[] =>
    parts.sections.map((section) => ({ ...section, offers: section.offers.slice(0, most) }))
  const bare = withOffers(0)
  const shorter = bare.map((_, at) => bare.slice(0, bare.length - at))
  const fitting = [parts.sections, withOffers(FEW_OFFERS), ...shorter].find(fits)
  const cut = bare[0] && fitSection(bare[0], (one) => fits([one]))
  return write(fitting ?? (cut ? [cut] : []))
}

/** A message costs a few tokens in addition to its text. */
export const countMessages = (messages: readonly Message[], countTokens: (text: string) => number): number =>
  messages.reduce((sum, { content }) => sum + countTokens(content) + 4, 0)

/** Longer answers are remembered by their beginning; characters, the ellipsis included. */
const longestAnswer = 4001

/** The latest exchanges within the tokens; none is cut in the middle but a very long answer. */
export function budgetHistory(
  exchanges: readonly Exchange[],
  options: { readonly maxTokens: number; readonly countTokens: (text: string) => number },
): readonly Exchange[] {
  const kept: Exchange[] = []
  let used = 0
  for (const exchange of exchanges.toReversed()) {
    const answer = cut(exchange.answer, longestAnswer)
    used += options.countTokens(exchange.question) + options.countTokens(answer) + 20
    if (used > options.maxTokens) break
    kept.push({ ...exchange, answer })
  }
  return kept.reverse()
}
