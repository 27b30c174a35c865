// What does an LLM's question need of the engine? Search at depth 0, names, expansions and caps, under the settings.

import { loadTokenizer } from '../assets/load-tokenizer.ts'
import type { Settings } from '../config/settings.ts'
import type { ExpansionSession, PresentArtifact } from '../model/expansion.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import type { AskContext } from './ask-question.ts'
import { type AssembleContext, assembleContext } from './assemble-context.ts'
import type { AskedMeaning } from './find-meaning.ts'
import type { AskOptions } from './question-options.ts'

export interface AskingParts {
  readonly settings: Settings
  /** One state of the index. */
  readonly context: (asked?: AskedMeaning) => AssembleContext
  readonly meaningOf: (question: string, mode: Settings['mode']) => Promise<AskedMeaning>
  readonly startExpansion: (present: readonly PresentArtifact[]) => Promise<ExpansionSession>
}

/** Everything that `askQuestion` is handed beside the model. */
export function openAsking(options: Partial<AskOptions>, parts: AskingParts): AskContext {
  const { settings, meaningOf, startExpansion } = parts
  const { maxTokens, mode, sections, tokenizer } = { ...settings, ...options }
  // What a digest would follow by itself is offered to the model instead.
  const found = {
    depth: 0,
    format: 'markdown',
    layout: 'brief',
    fill: false,
    explain: false,
    refresh: 'never',
  } as const
  return {
    assemble: async (question, conversation) => {
      const asked = await meaningOf(conversation.rewritten ?? question, mode)
      const context = { ...parts.context(asked), conversation }
      return assembleContext(question, { ...found, maxTokens, sections, tokenizer, mode }, context)
    },
    namesSurely: (text, cited) => {
      const { reader, naming, families } = parts.context()
      const question = { text, analysis: analyzeQuery(text), cited }
      const named = reader.snapshot(() => naming.find(reader, question, families))
      return Math.max(0, ...named.map(({ confidence }) => confidence))
    },
    startExpansion,
    countTokens: loadTokenizer(tokenizer),
    limits: {
      turns: settings.llmTurns,
      refusals: settings.llmRefusals,
      promptTokens: settings.llmPromptTokens,
      answerTokens: settings.llmAnswerTokens,
    },
    historyTokens: settings.chatHistoryTokens,
  }
}
