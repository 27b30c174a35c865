// How does a question become a digest? Analyse, rank, select, render within the budget.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { YoreError } from '../../model/errors.ts'
import { remember } from '../../model/remember.ts'
import type { AssembleResult, Freshness, QueryAnalysis } from '../../model/report.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { rememberLines, type TokenCounter } from '../../read/tokens/token-counter.ts'
import { type DigestCosts, markdownCosts } from '../assemble/digest-costs.ts'
import {
  accountFor,
  type BuildDigest,
  chooseLayout,
  chooseSections,
  fitDigest,
} from '../assemble/fit-digest.ts'
import { renderExplain } from '../assemble/render-explain.ts'
import { ENDING, NEAREST, WHOLE_LEAD_TOKENS } from '../assemble/tuning.ts'
import type { Ranking } from '../retrieve/rank-sections.ts'
import { makeComposer } from './compose-digest.ts'
import type { AssembleContext, DigestOptions, DigestParts } from './digest-parts.ts'
import { makeDigest } from './make-digest.ts'
import { describeUnread, findNearTerms, noticesAbout } from './question-notices.ts'
import type { AssembleOptions } from './question-options.ts'
import { analyzeAsked } from './search-by-cascade.ts'

function nothingFound(reader: CorpusReader, analysis: QueryAnalysis): string[] {
  const words = analysis.terms.map(({ word }) => word)
  const near = findNearTerms(reader, words)
  if (near.length > 0) return [`Near terms: ${near.join(', ')}.`]
  return ['Try other words, or `yore status` to see what is indexed.']
}

/** Limits of a digest. */
interface Limits {
  readonly tokens: number
  readonly sections: number
  readonly leastScore: number
}

const unlimited: Limits = {
  tokens: Number.POSITIVE_INFINITY,
  sections: Number.POSITIVE_INFINITY,
  leastScore: 0,
}

/**
 * The budget is a cap, not a target: a digest ends where what follows adds little, and sooner with a low confidence. A
 * caller who says how many sections to show gets as many.
 */
function limitsOf({ ranking, analysis }: Pick<RankedQuestion, 'ranking' | 'analysis'>): Limits {
  const { confidence, sections } = ranking
  if (confidence.label === 'none') return NEAREST
  const isOverview = analysis.intents.includes('overview')
  const share = isOverview ? ENDING.overview : ENDING.share
  const leastScore = share * (sections[0]?.score ?? 0)
  if (confidence.label === 'high' || isOverview) return { ...unlimited, leastScore }
  return { ...unlimited, leastScore, tokens: ENDING[confidence.label] }
}

/** Fits within a limit of our own, raised to the minimum for one source: only the caller's budget may be refused as too small. */
function fitWithin<Fitted>(fit: (maxTokens: number) => Fitted, limit: number, budget: number): Fitted {
  try {
    return fit(limit)
  } catch (error) {
    if (limit >= budget || !(error instanceof YoreError) || error.code !== 'BUDGET_TOO_SMALL') throw error
    return fit(Math.min(budget, error.leastTokens ?? budget))
  }
}

/** Answers a question from one snapshot of the index. */
export function assembleContext(question: string, options: AssembleOptions, context: AssembleContext) {
  return assembleRanked(question, options, context).result
}

/** An answer and the ranking that it was chosen from. */
export interface Assembled {
  readonly result: AssembleResult
  readonly ranking: Ranking
}

/** As `assembleContext`, with the ranking, to explain why a section is not in the digest. */
export function assembleRanked(
  question: string,
  given: AssembleOptions,
  context: AssembleContext,
): Assembled {
  return context.reader.snapshot(() => {
    const ranked = rankQuestion(question, context)
    const plan = planDigest(given, ranked)
    const build = draftDigest(question, ranked, plan)
    return { result: fitPlan(build, plan, context.freshness, ranked), ranking: ranked.ranking }
  })
}

/** Digests of one question at several budgets, from one ranking; null for a budget that is too small. */
export function assembleBudgets(
  question: string,
  given: AssembleOptions,
  budgets: readonly number[],
  context: AssembleContext,
): (AssembleResult | null)[] {
  return context.reader.snapshot(() => {
    const ranked = rankQuestion(question, context)
    return budgets.map((maxTokens) => {
      const plan = planDigest({ ...given, maxTokens }, ranked)
      try {
        return fitPlan(draftDigest(question, ranked, plan), plan, context.freshness, ranked)
      } catch (error) {
        if (error instanceof YoreError && error.code === 'BUDGET_TOO_SMALL') return null
        throw error
      }
    })
  })
}

/** A question in one corpus, inside a snapshot of its index. */
export type RankedQuestion = Pick<DigestParts, 'context' | 'analysis' | 'ranking'>

export function rankQuestion(question: string, context: AssembleContext): RankedQuestion {
  const analysis = analyzeAsked(question, context)
  const ranking = context.search.find(question, analysis, context)
  const { callerTerms = [] } = ranking
  return { context, analysis: { ...analysis, callerTerms }, ranking }
}

/** Token counts of frame and document lines, cached across questions. */
const countingLines: (counter: TokenCounter) => TokenCounter = remember(rememberLines, new WeakMap())

/** What a digest may take, and what things cost in it. */
export interface DigestPlan extends Pick<DigestParts, 'leastScore' | 'wholeLead'> {
  /** As the caller gave them. */
  readonly given: AssembleOptions
  /** With the limits that follow from what was found. */
  readonly options: DigestOptions
  readonly costs: DigestCosts
  readonly countTokens: TokenCounter
}

export function planDigest(
  given: AssembleOptions,
  ranked: Pick<RankedQuestion, 'ranking' | 'analysis'>,
): DigestPlan {
  const limits = given.fill || given.sections > 0 ? unlimited : limitsOf(ranked)
  const maxTokens = Math.min(given.maxTokens, limits.tokens)
  const layout = chooseLayout(given.layout, given.maxTokens)
  const options = {
    ...given,
    layout,
    maxTokens,
    statedTokens: given.maxTokens,
    statedSections: given.sections,
    sections: Math.min(given.sections || chooseSections(given.maxTokens), limits.sections),
  }
  const countTokens = countingLines(loadTokenizer())
  const costs = markdownCosts(countTokens, layout)
  // With an explicit limit of sections, expansions start from the selected sections only.
  const wholeLead = given.sections === 0 && maxTokens >= WHOLE_LEAD_TOKENS
  const { leastScore } = limits
  return { given, options, leastScore, wholeLead, costs, countTokens }
}

/** Digests of any size from one ranking. */
export function draftDigest(question: string, ranked: RankedQuestion, plan: DigestPlan): BuildDigest {
  const { context, analysis, ranking } = ranked
  const { reader } = context
  const lexical = reader.lexical()
  const frequency = remember((term: string) => lexical.count(term))
  const remarks = [
    ...describeUnread(reader, question, analysis),
    ...(ranking.sections.length === 0 ? nothingFound(reader, analysis) : noticesAbout(reader, ranking)),
  ]
  const { options, leastScore, wholeLead } = plan
  const parts = { question, options, context, analysis, ranking, remarks, frequency, leastScore, wholeLead }
  const composer = makeComposer(parts, plan.costs)
  return (budget) => makeDigest(parts, composer.compose(budget), composer)
}

/** The draft that fits the caller's budget. */
export function fitPlan(
  build: BuildDigest,
  { given, options, countTokens }: DigestPlan,
  freshness: Freshness,
  ranked: RankedQuestion,
): AssembleResult {
  const fit = (most: number): ReturnType<typeof fitDigest> =>
    fitDigest(build, { ...options, maxTokens: most, countTokens })
  const fitted = fitWithin(fit, options.maxTokens, given.maxTokens)
  const { output, digest, tokensUsed } = fitted
  const explanation = options.explain ? renderExplain(digest, { all: options.all === true }) : ''
  const { terms, callerTerms = [] } = ranked.analysis
  const isAccounted = options.explain && options.format === 'markdown'
  const account = isAccounted
    ? {
        account: accountFor(fitted, { countTokens }),
        askedTerms: [...terms, ...callerTerms].map(({ term }) => term),
      }
    : {}
  return { output, digest, tokensUsed, freshness, explanation, ...account }
}
