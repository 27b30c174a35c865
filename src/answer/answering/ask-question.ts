// How does a question get an answer from an LLM? Names resolved, sections found, then the loop under the rulebook.

import type { CitedDocument } from '../../corpus/resolve/question/point-back.ts'
import { likely } from '../../corpus/resolve/question/tuning.ts'
import type { Settings } from '../../model/config/settings.ts'
import type { AskResult, ContextSection, Exchange, Message, TraceStep } from '../../model/conversation.ts'
import type { Passage } from '../../model/digest.ts'
import type { ExpansionSession, PlacedOffer, PresentArtifact } from '../../model/expansion.ts'
import type { AssembleResult, SearchMode } from '../../model/report.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { type FindPlace, makeFindPlace } from '../assemble/find-place.ts'
import { budgetHistory, fitOpening, type LoopLimits, type OpeningParts } from '../converse/fit-opening.ts'
import type { OpenModel } from '../converse/open-model.ts'
import { guessSearch, type SearchGuess, writeGuessing } from '../converse/rewrite-question.ts'
import { runLoop } from '../converse/run-loop.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { type CallerWords, listCallerWords } from '../retrieve/caller-words.ts'
import { assembleAcross } from './answer-across.ts'
import { assembleContext } from './assemble-context.ts'
import type { AssembleContext } from './choose-passages.ts'
import { prefixOf } from './corpus-prefix.ts'
import type { AskedMeaning } from './find-meaning.ts'
import type { AskHooks, AskOptions } from './question-options.ts'
import type { ConversationContext } from './search-by-cascade.ts'
import { mayWordsHelp } from './suggest-words.ts'

type Asked = AskHooks & Pick<AskOptions, 'history'>

/** What the question is answered with. */
export interface AskContext {
  readonly assemble: (
    question: string,
    conversation: ConversationContext,
    callerWords: CallerWords,
  ) => Promise<AssembleResult>
  /** How sure it is that the question names a document: the surest of its names, 0 for none. */
  readonly namesSurely: (question: string, cited: readonly CitedDocument[]) => number
  /** Finds the place of cited lines of an extracted text in the file. */
  readonly findPlace: FindPlace
  readonly startExpansion: (present: readonly PresentArtifact[]) => Promise<ExpansionSession>
  readonly countTokens: TokenCounter
  readonly limits: LoopLimits
  readonly historyTokens: number
}

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
  const guess = async (): Promise<SearchGuess> => {
    const made = await guessSearch(question, earlier(options, context), model.complete, options.signal)
    const words = listCallerWords(made)
    if (made.query !== null) note({ step: 'rewritten', query: made.query })
    if (words.length > 0) note({ step: 'guessed', words })
    return made
  }
  const { opening, session, found } = await search(question, guess, options, context)
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

/** What would be sent, up to the first turn of the answer, by a model that adds nothing; no model is asked. */
export async function previewQuestion(
  question: string,
  options: Asked,
  context: AskContext,
): Promise<readonly Message[]> {
  const asked: Message[] = []
  const guess = async (): Promise<null> => {
    asked.push(...writeGuessing(question, earlier(options, context)))
    return null
  }
  const { opening } = await search(question, guess, options, context)
  return [...asked, ...fitOpening(opening).messages]
}

/** Never more than a quarter of a prompt. */
function earlier(
  { history }: Asked,
  { historyTokens, limits, countTokens }: AskContext,
): readonly Exchange[] {
  const maxTokens = Math.min(historyTokens, Math.floor(limits.promptTokens / 4))
  return budgetHistory(history, { maxTokens, countTokens })
}

/**
 * An LLM is asked for words at most once: before the search for a question of a conversation that names no document, and
 * after it where nothing is in the document that it names, or where the matches are not strong.
 */
async function search(
  question: string,
  guess: () => Promise<SearchGuess | null>,
  options: Asked,
  context: AskContext,
): Promise<Prepared> {
  const isTalk = options.history.length > 0
  const named = context.namesSurely(question, citedBefore(options.history)) > likely
  if (isTalk && !named) return prepare(question, await guess(), options, context)
  const first = await prepare(question, null, options, context)
  const { digest } = first.found
  const isEmpty = digest.primary.length === 0
  const mayHelp = named ? isTalk && isEmpty : !isEmpty && mayWordsHelp(analyzeQuery(question), digest)
  return mayHelp ? prepare(question, await guess(), options, context) : first
}

async function prepare(
  question: string,
  guess: SearchGuess | null,
  options: Asked,
  context: AskContext,
): Promise<Prepared> {
  const { startExpansion, limits, countTokens } = context
  const conversation = { cited: citedBefore(options.history), rewritten: guess?.query ?? null }
  const found = await context.assemble(question, conversation, guess ?? {})
  const { primary } = found.digest
  const session = await startExpansion(
    primary.flatMap(({ artifacts }) => artifacts.map((id) => ({ id, depth: 0 }))),
  )
  const sections = primary.map((passage) => sectionOf(passage, session))
  const { budgetLeft: budget } = session.left
  const history = earlier(options, context)
  return { opening: { question, sections, history, budget, limits, countTokens }, session, found }
}

function sectionOf(passage: Passage, session: ExpansionSession): ContextSection {
  const { artifacts, kind, path, name, excerpts, truncated } = passage
  const offers = new Map<string, PlacedOffer>()
  for (const offer of artifacts.flatMap((id) => session.offers(id))) {
    const key = JSON.stringify([offer.via, offer.target])
    if (!offers.has(key)) offers.set(key, offer)
  }
  // Reachable sections of the same document are many and crowd out the targets of references: those are offered first.
  const place = ({ via }: PlacedOffer): number => (via === 'defines' ? 1 : 0)
  const sorted = [...offers.values()].sort((a, b) => place(a) - place(b) || a.cost - b.cost)
  return { artifacts, kind, path, name, excerpts, truncated, offers: sorted }
}

/** The documents that earlier answers cited, as the resolver wants them. */
function citedBefore(history: readonly Exchange[]): CitedDocument[] {
  return history.flatMap(({ cited }, turn) => cited.map(({ path, title }) => ({ path, title, turn })))
}

/** The documents behind an answer, in the order of citing; those that were shown only. */
function citedIn(outcome: AskResult['outcome'], { digest }: AssembleResult): Exchange['cited'] {
  if (outcome.outcome !== 'answered') return []
  const titles = new Map(digest.documents.map(({ path, title }) => [path, title]))
  const shown = outcome.citations.filter(({ verdict }) => verdict === 'shown' || verdict === 'partly_shown')
  return [...new Set(shown.map(({ path }) => path))].map((path) => ({
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

/** A corpus that is asked: alone, without a name, or as one of several. */
export interface AskedCorpus {
  readonly name: string | null
  /** One state of the index. */
  readonly context: (asked?: AskedMeaning) => AssembleContext
  readonly meaningOf: (question: string, mode: SearchMode) => Promise<AskedMeaning>
}

interface AskingParts {
  readonly settings: Settings
  readonly corpora: readonly AskedCorpus[]
  readonly startExpansion: (present: readonly PresentArtifact[]) => Promise<ExpansionSession>
}

/** What an earlier answer cited of a corpus, as that corpus knows it. */
function citedOf(corpus: AskedCorpus, cited: readonly CitedDocument[]): readonly CitedDocument[] {
  const prefix = prefixIn(corpus)
  return cited
    .filter(({ path }) => path.startsWith(prefix))
    .map((one) => ({ ...one, path: one.path.slice(prefix.length) }))
}

const prefixIn = ({ name }: AskedCorpus): string => (name === null ? '' : prefixOf(name))

/** Everything that `askQuestion` needs except the model. */
export function openAsking(options: Partial<AskOptions>, parts: AskingParts): AskContext {
  const { settings, corpora, startExpansion } = parts
  const { maxTokens, tokenizer, mode = 'hybrid', sections = 0 } = { ...settings, ...options }
  // No automatic expansion: the model asks for what it needs.
  const found = {
    depth: 0,
    format: 'markdown',
    layout: 'brief',
    askForWords: false,
    fill: false,
    explain: false,
    refresh: 'never',
  } as const
  return {
    assemble: async (question, conversation, callerWords) => {
      const wanted = { ...found, maxTokens, sections, tokenizer, mode }
      const members: { name: string; of: AssembleContext }[] = []
      for (const corpus of corpora) {
        const asked = await corpus.meaningOf(conversation.rewritten ?? question, mode)
        const cited = citedOf(corpus, conversation.cited)
        const of = { ...corpus.context(asked), callerWords, conversation: { ...conversation, cited } }
        if (corpus.name === null) return assembleContext(question, wanted, of)
        members.push({ name: corpus.name, of })
      }
      return assembleAcross(question, wanted, members)
    },
    namesSurely: (text, cited) => {
      const analysis = analyzeQuery(text)
      const named = corpora.flatMap((corpus) => {
        const { reader, naming, families } = corpus.context()
        const question = { text, analysis, cited: citedOf(corpus, cited) }
        return reader.snapshot(() => naming.find(reader, question, families))
      })
      return Math.max(0, ...named.map(({ confidence }) => confidence))
    },
    findPlace: makeFindPlace((path) => {
      const corpus = corpora.find((one) => path.startsWith(prefixIn(one)))
      return corpus?.context().reader.placesIn(path.slice(prefixIn(corpus).length)) ?? null
    }),
    startExpansion,
    countTokens: loadTokenizer(tokenizer),
    limits: {
      turns: MOST_TURNS,
      refusals: MOST_REFUSALS,
      promptTokens: settings['llm.promptTokens'],
      answerTokens: ANSWER_TOKENS,
    },
    historyTokens: HISTORY_TOKENS,
  }
}
