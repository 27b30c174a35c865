// How does a question get an answer from an LLM? Names resolved, sections found, then the loop under the rulebook.
import { budgetHistory } from '../converse/budget-history.ts'
import { fitOpening, type LoopLimits, type OpeningParts } from '../converse/fit-opening.ts'
import type { OpenModel } from '../converse/open-model.ts'
import { rewriteQuestion } from '../converse/rewrite-question.ts'
import { runLoop } from '../converse/run-loop.ts'
import type { AskResult, ContextSection, Exchange, Message, TraceStep } from '../model/conversation.ts'
import type { Passage } from '../model/digest.ts'
import type { ExpansionSession, PlacedOffer, PresentArtifact } from '../model/expansion.ts'
import type { AssembleResult } from '../model/report.ts'
import type { CitedDocument } from '../resolve/question-history.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import { tied } from './name-documents.ts'
import type { ConversationContext } from './search-by-cascade.ts'

/** What a caller can listen to and stop. */
export interface AskHooks {
  readonly onStep?: (step: TraceStep) => void
  /** Hears the answer as it is written, in finished paragraphs. */
  readonly onParagraph?: (text: string) => void
  /** What was heard does not count. */
  readonly onRetract?: () => void
  readonly signal?: AbortSignal
}

export interface AskOptions extends AskHooks {
  /** Earlier exchanges of the conversation, the oldest first. */
  readonly history: readonly Exchange[]
}

/** What the question is answered with. */
export interface AskContext {
  readonly assemble: (question: string, conversation: ConversationContext) => Promise<AssembleResult>
  /** How sure it is that the question names a document: the surest of its names, 0 for none. */
  readonly namesSurely: (question: string, cited: readonly CitedDocument[]) => number
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
  options: AskOptions,
  context: AskContext,
): Promise<AskResult> {
  const steps: TraceStep[] = []
  const note = (step: TraceStep): void => {
    steps.push(step)
    options.onStep?.(step)
  }
  const history = earlier(options, context)
  const rewrite = async (): Promise<string | null> => {
    if (history.length === 0) return null
    const query = await rewriteQuestion(question, history, model.complete, options.signal)
    if (query !== null) note({ step: 'rewritten', query })
    return query
  }
  const { opening, session, found } = await search(question, rewrite, options, context)
  const { strategy } = found.digest
  note({ step: 'searched', strategy, sections: opening.sections.length })
  const ended = await runLoop({ ...opening, ...options, history, session, complete: model.complete })
  const outcome = { ...ended, trace: [...steps, ...ended.trace] }
  return { question, model: model.name, outcome, cited: citedIn(outcome, found), freshness: found.freshness }
}

/** What would be sent first; no model is asked. */
export async function previewQuestion(
  question: string,
  options: AskOptions,
  context: AskContext,
): Promise<readonly Message[]> {
  const { opening } = await prepare(question, null, options, context)
  return fitOpening(opening).messages
}

/** Never more than a quarter of a prompt. */
function earlier(
  { history }: AskOptions,
  { historyTokens, limits, countTokens }: AskContext,
): readonly Exchange[] {
  const maxTokens = Math.min(historyTokens, Math.floor(limits.promptTokens / 4))
  return budgetHistory(history, { maxTokens, countTokens })
}

/** Only a question of a conversation whose names lead nowhere, or to nothing, is rewritten. */
async function search(
  question: string,
  rewrite: () => Promise<string | null>,
  options: AskOptions,
  context: AskContext,
): Promise<Prepared> {
  const named = context.namesSurely(question, citedBefore(options.history)) > tied
  const first = await prepare(question, named ? null : await rewrite(), options, context)
  if (!named || first.opening.sections.length > 0) return first
  const rewritten = await rewrite()
  return rewritten === null ? first : prepare(question, rewritten, options, context)
}

async function prepare(
  question: string,
  rewritten: string | null,
  options: AskOptions,
  context: AskContext,
): Promise<Prepared> {
  const { startExpansion, limits, countTokens } = context
  const found = await context.assemble(question, { cited: citedBefore(options.history), rewritten })
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
  // There is much of a section's own document, and references say more.
  const place = ({ via }: PlacedOffer): number => (via === 'defines' ? 1 : 0)
  const sorted = [...offers.values()].sort((a, b) => place(a) - place(b) || a.cost - b.cost)
  return { artifacts, kind, path, name, excerpts, truncated, offers: sorted }
}

/** The documents that earlier answers cited, as the resolver wants them. */
export function citedBefore(history: readonly Exchange[]): CitedDocument[] {
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
