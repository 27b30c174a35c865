// How does a question get an answer from an LLM? Names resolved, sections found, then the loop under the rulebook.

import type { Settings } from '../../model/config/settings.ts'
import {
  type AskResult,
  type ContextSection,
  type Exchange,
  isShown,
  type TraceStep,
} from '../../model/conversation.ts'
import type { Passage } from '../../model/digest.ts'
import type { ExpansionSession, PlacedOffer, PresentArtifact } from '../../model/expansion.ts'
import type { AssembleResult, SearchMode } from '../../model/report.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { type FindPlace, makeFindPlace } from '../assemble/find-place.ts'
import { budgetHistory, type LoopLimits, type OpeningParts } from '../converse/fit-opening.ts'
import { distinctOffers } from '../converse/judge-request.ts'
import type { OpenModel } from '../converse/open-model.ts'
import { guessSearch, type SearchGuess } from '../converse/rewrite-question.ts'
import { runLoop } from '../converse/run-loop.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { type CallerWords, listCallerWords } from '../retrieve/caller-words.ts'
import { likely } from '../retrieve/tuning.ts'
import { assembleContext } from './assemble-context.ts'
import type { AssembleContext } from './digest-parts.ts'
import type { AskedMeaning } from './find-meaning.ts'
import type { AskOptions } from './question-options.ts'

/** What the question is answered with. */
export interface AskContext {
  readonly assemble: (question: string, guess: SearchGuess | null) => Promise<AssembleResult>
  /** How sure it is that the question names a document: the surest of its names, 0 for none. */
  readonly namesSurely: (question: string) => number
  /** Finds the place of cited lines of an extracted text in the file. */
  readonly findPlace: FindPlace
  readonly startExpansion: (present: readonly PresentArtifact[]) => Promise<ExpansionSession>
  readonly countTokens: TokenCounter
  readonly limits: LoopLimits
}

type Asked = Pick<AskOptions, 'history' | 'onStep' | 'signal'>

interface Prepared {
  readonly opening: OpeningParts
  readonly session: ExpansionSession
  readonly found: AssembleResult
}

/** Asks the model until it has answered or a cap is reached. */
export async function askQuestion(
  question: string,
  model: OpenModel,
  options: Asked,
  context: AskContext,
): Promise<AskResult> {
  const steps: TraceStep[] = []
  const note = (step: TraceStep): void => {
    steps.push(step)
    options.onStep?.(step)
  }
  // Never more than a quarter of a prompt.
  const maxTokens = Math.min(HISTORY_TOKENS, Math.floor(context.limits.promptTokens / 4))
  const history = budgetHistory(options.history, { maxTokens, countTokens: context.countTokens })
  const guess = async (): Promise<SearchGuess> => {
    const made = await guessSearch(question, history, model.complete, options.signal)
    const words = listCallerWords(made)
    if (made.query !== null) note({ step: 'rewritten', query: made.query })
    if (words.length > 0) note({ step: 'guessed', words })
    return made
  }
  const { opening, session, found } = await search(question, history, guess, context)
  const { strategy } = found.digest
  note({ step: 'searched', strategy, sections: opening.sections.length })
  const { complete } = model
  const ended = await runLoop({ ...options, ...opening, session, passages: found.output, complete })
  const placed =
    ended.outcome === 'answered'
      ? {
          ...ended,
          citations: ended.citations.map((one) => ({ ...one, ...context.findPlace(one.path, [one]) })),
        }
      : ended
  const outcome = { ...placed, trace: [...steps, ...ended.trace] }
  return { question, model: model.name, outcome, cited: citedIn(outcome, found), freshness: found.freshness }
}

/**
 * An LLM is asked for words at most once: before the search for a question of a conversation that names no document, and
 * after it where nothing is in the document that it names, or where the matches are not strong.
 */
async function search(
  question: string,
  history: readonly Exchange[],
  guess: () => Promise<SearchGuess>,
  context: AskContext,
): Promise<Prepared> {
  const isTalk = history.length > 0
  const named = context.namesSurely(question) > likely
  if (isTalk && !named) return prepare(question, history, await guess(), context)
  const first = await prepare(question, history, null, context)
  const { digest } = first.found
  const isEmpty = digest.primary.length === 0
  const { intents } = analyzeQuery(question)
  // With a high confidence words bring no more (half A of the real questions).
  const isSure = digest.confidence.label === 'high' || intents.includes('callers') || intents.includes('name')
  const mayHelp = named ? isTalk && isEmpty : !isEmpty && !isSure
  return mayHelp ? prepare(question, history, await guess(), context) : first
}

async function prepare(
  question: string,
  history: readonly Exchange[],
  guess: SearchGuess | null,
  { assemble, startExpansion, limits, countTokens }: AskContext,
): Promise<Prepared> {
  const found = await assemble(question, guess)
  const { primary } = found.digest
  const session = await startExpansion(
    primary.flatMap(({ artifacts }) => artifacts.map((id) => ({ id, depth: 0 }))),
  )
  const sections = primary.map((passage) => sectionOf(passage, session))
  const { budgetLeft: budget } = session.left
  return { opening: { question, sections, history, budget, limits, countTokens }, session, found }
}

function sectionOf(passage: Passage, session: ExpansionSession): ContextSection {
  const { artifacts, kind, path, name, excerpts, truncated } = passage
  const offers = distinctOffers(artifacts.flatMap((id) => session.offers(id)))
  // Reachable sections of the same document are many and crowd out the targets of references: those are offered first.
  const place = ({ via }: PlacedOffer): number => (via === 'defines' ? 1 : 0)
  const sorted = offers.sort((a, b) => place(a) - place(b) || a.cost - b.cost)
  return { artifacts, kind, path, name, excerpts, truncated, offers: sorted }
}

/** The documents behind an answer, in the order of citing; those that were shown only. */
function citedIn(outcome: AskResult['outcome'], { digest }: AssembleResult): Exchange['cited'] {
  if (outcome.outcome !== 'answered') return []
  const titles = new Map(digest.documents.map(({ path, title }) => [path, title]))
  return [...new Set(outcome.citations.filter(isShown).map(({ path }) => path))].map((path) => ({
    path,
    title: titles.get(path) ?? path,
  }))
}

/** Turns of the LLM per question, the answer included. */
const MOST_TURNS = 8
/** Denied requests and malformed outputs per question, after which only an answer counts. */
const MOST_REFUSALS = 3
/** Tokens that the LLM may write in one turn. */
const ANSWER_TOKENS = 2_000
/** Tokens of earlier turns that a question of a chat takes along. */
const HISTORY_TOKENS = 2_000

interface AskingParts {
  readonly settings: Settings
  /** One state of the index. */
  readonly contextFor: (asked?: AskedMeaning) => AssembleContext
  readonly meaningOf: (question: string, mode: SearchMode, words: CallerWords) => Promise<AskedMeaning>
  readonly startExpansion: AskContext['startExpansion']
}

/** Everything that `askQuestion` needs except the model. */
export function openAsking(options: Partial<AskOptions>, parts: AskingParts): AskContext {
  const { settings, contextFor, meaningOf, startExpansion } = parts
  const { maxTokens, mode = 'hybrid' } = { ...settings, ...options }
  const wanted = {
    ...{ maxTokens, sections: 0, mode },
    // No automatic expansion: the model asks for what it needs.
    depth: 0,
    format: 'markdown',
    layout: 'brief',
    fill: false,
    explain: false,
    refresh: 'never',
  } as const
  return {
    assemble: async (question, guess) => {
      const rewritten = guess?.query ?? null
      const asked = contextFor(await meaningOf(rewritten ?? question, mode, guess ?? {}))
      return assembleContext(question, wanted, { ...asked, callerWords: guess ?? {}, rewritten })
    },
    namesSurely: (text) => {
      const { reader, naming, families } = contextFor()
      const question = { text, analysis: analyzeQuery(text) }
      const named = reader.snapshot(() => naming.find(reader, question, families))
      return Math.max(0, ...named.map(({ confidence }) => confidence))
    },
    findPlace: makeFindPlace((path) => contextFor().reader.placesIn(path)),
    startExpansion,
    countTokens: loadTokenizer(),
    limits: {
      turns: MOST_TURNS,
      refusals: MOST_REFUSALS,
      promptTokens: settings['llm.promptTokens'],
      answerTokens: ANSWER_TOKENS,
    },
  }
}
