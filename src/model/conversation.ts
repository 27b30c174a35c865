// What do yore and an LLM exchange? Messages, the sections shown, the requests, and the outcome.
import type { Passage, Strategy } from './digest.ts'
import type { DenialReason, PlacedOffer } from './expansion.ts'
import type { Freshness } from './report.ts'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface CompletionOptions {
  /** Tokens that the LLM may write. */
  readonly maxTokens: number
  /** Shape of the one JSON object, for servers that can enforce one. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

export interface Completion {
  readonly text: string
  /** As the server counts; null when it does not say. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** One turn of an LLM. */
export type Complete = (messages: readonly Message[], options: CompletionOptions) => Promise<Completion>

/** Lines of one document as an LLM is shown them. */
export interface ContextSection extends Pick<Passage, 'path' | 'name' | 'excerpts' | 'truncated'> {
  /** Canonical ids of the artifacts whose lines are here, in the order of the text. */
  readonly artifacts: readonly string[]
  readonly kind: string
  /** What may be asked for from here, as far as it is known. */
  readonly offers: readonly PlacedOffer[]
}

/** What an LLM asked for, as it wrote it. */
export interface WrittenRequest {
  /** A handle such as S2, or a canonical id; null when it names no origin. */
  readonly from: string | null
  readonly via: string
  readonly target: string
}

/** How an output broke the protocol. */
export type ProtocolFault =
  | 'not_json'
  | 'text_around_json'
  | 'not_an_object'
  | 'duplicate_key'
  | 'unknown_action'
  | 'unknown_key'
  | 'missing_key'
  | 'wrong_type'
  | 'empty_content'

/** Reasons of the loop itself, in addition to those of the judge. */
export type LoopDenial = DenialReason | 'no_room' | 'must_answer'

/** One thing that happened while a question was answered. */
export type TraceStep =
  | { readonly step: 'rewritten'; readonly query: string }
  /** Words that the LLM expects in the answer; the search uses them where they fit. */
  | { readonly step: 'guessed'; readonly words: readonly string[] }
  | { readonly step: 'searched'; readonly strategy: Strategy; readonly sections: number }
  | {
      readonly step: 'expanded'
      readonly request: WrittenRequest
      readonly target: string
      readonly cost: number
      readonly budgetLeft: number
    }
  | {
      readonly step: 'denied'
      readonly request: WrittenRequest
      readonly reason: LoopDenial
      readonly message: string
      readonly budgetLeft: number
    }
  | {
      readonly step: 'malformed'
      readonly fault: ProtocolFault
      readonly message: string
      /** The beginning of the output. */
      readonly output: string
    }
  | { readonly step: 'answered' }

/** A place that an answer cites, and whether it was shown. */
export interface Citation {
  readonly path: string
  readonly start: number
  readonly end: number
  /** Shown whole, shown in part, or not at all: of another line or of a document that was never shown. */
  readonly verdict: 'shown' | 'partly_shown' | 'lines_not_shown' | 'unknown_document'
  /** The position of these lines in the original file: `p. 12`. */
  readonly place?: string
}

/** Was at least a part of it shown? */
export const isShown = ({ verdict }: Citation): boolean => verdict === 'shown' || verdict === 'partly_shown'

/** `docs/a.md:3-5`. */
export const formatPlace = ({ path, start, end }: Pick<Citation, 'path' | 'start' | 'end'>): string =>
  start === end ? `${path}:${start}` : `${path}:${start}-${end}`

interface Ended {
  readonly turns: number
  readonly budgetLeft: number
  readonly tokens: { readonly input: number; readonly output: number }
  readonly trace: readonly TraceStep[]
  /** What the LLM was shown, by path and lines. */
  readonly shown: readonly { readonly path: string; readonly start: number; readonly end: number }[]
}

export interface Answered extends Ended {
  readonly outcome: 'answered'
  /** Citations as path:lines; links that are not in the sources taken out. */
  readonly content: string
  readonly citations: readonly Citation[]
  /** Links, images and tags that were taken out. */
  readonly removed: readonly string[]
}

/** The caps were reached before there was an answer. */
interface GaveUp extends Ended {
  readonly outcome: 'gave_up'
  readonly reason: 'no_answer' | 'too_long'
  readonly message: string
  /** The digest of the search, to read in place of an answer. */
  readonly passages: string
}

export type Outcome = Answered | GaveUp

/** One question of a conversation with its answer. */
export interface Exchange {
  readonly question: string
  readonly answer: string
  readonly cited: readonly { readonly path: string; readonly title: string }[]
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What `ask` gives back. */
export interface AskResult {
  readonly question: string
  /** Name and place of the model. */
  readonly model: string
  readonly outcome: Outcome
  /** The documents behind the citations that were shown, in the order of citing. */
  readonly cited: Exchange['cited']
  readonly freshness: Freshness
}
