// Which options does a question take? Of search, of a digest, and of an answer by an LLM.

import type { Settings } from '../../model/config/settings.ts'
import type { Exchange, TraceStep } from '../../model/conversation.ts'
import type { SearchMode } from '../../model/report.ts'
import type { CallerWords } from '../retrieve/caller-words.ts'
import type { Scope } from './choose-scope.ts'
import type { TextMatch } from './match-text.ts'

/** What every question takes. */
interface Asked {
  readonly refresh: 'auto' | 'never'
  readonly mode: SearchMode
  /** The time of this call; by default the time of the engine. */
  readonly now?: number | undefined
}

export interface SearchOptions extends Scope, CallerWords, Asked {
  readonly limit: number
  /** Every matching section by rank; by default a search by words lists each file once, with its best section. */
  readonly allSections: boolean
  /** Words by default; or sections that hold exactly the text, or match it as a regular expression of RE2. */
  readonly match: 'words' | TextMatch
}

export interface AssembleOptions extends Scope, CallerWords, Asked {
  readonly maxTokens: number
  readonly sections: number
  readonly depth: number
  readonly format: 'markdown' | 'json'
  /** Whether the digest explains itself; `brief` by default for a program, `auto` by the budget. */
  readonly layout: Settings['layout']
  /** Fill the budget, also with candidates of low scores. */
  readonly fill: boolean
  readonly explain: boolean
  /** The explanation without its limit of 60 lines. */
  readonly all?: boolean
}

/** Callbacks and cancellation. */
export interface AskHooks {
  readonly onStep?: (step: TraceStep) => void
  readonly signal?: AbortSignal
}

export interface AskOptions extends AskHooks, Asked {
  /** Earlier exchanges of the conversation, the oldest first. */
  readonly history: readonly Exchange[]
  /** Of the sections that the search finds first. */
  readonly maxTokens: number
}
