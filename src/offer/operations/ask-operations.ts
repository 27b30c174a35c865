// Which operations talk with an LLM? Entries of the table of operations.
import type { AskOptions } from '../../answer/answering/question-options.ts'
import type { AskResult, Session, SessionSummary, Sessions } from '../../model/conversation.ts'
import type { Operation, OptionSpec } from './operation.ts'
import { type CorpusInput, corpusOptions, json, mode, now, refresh } from './shared-options.ts'

interface TalkInput extends CorpusInput, Pick<AskOptions, 'maxTokens' | 'refresh' | 'mode'> {
  readonly model?: string
  readonly trace: boolean
  readonly now?: number
}

interface AskInput extends TalkInput {
  readonly question: string
  readonly dryRun: boolean
  readonly json: boolean
}

export interface ChatInput extends TalkInput {
  readonly resume?: string
}

interface ChatListInput extends CorpusInput {
  readonly json: boolean
}

interface ChatSessionInput extends CorpusInput {
  readonly session: string
  readonly json: boolean
}

const talkOptions: Readonly<Record<'model' | 'maxTokens' | 'trace', OptionSpec>> = {
  model: {
    type: 'text',
    setting: 'llm.model',
    value: 'name',
    help: 'Which model of the configured server.',
    otherwise: 'llm.model',
    cliOnly: true,
  },
  maxTokens: {
    type: 'number',
    setting: 'maxTokens',
    help: 'Token budget of the sections that the search finds first.',
  },
  trace: {
    type: 'switch',
    help: 'Show every request of the model and its verdict, on standard error.',
    cliOnly: true,
  },
}

export const ask: Operation<AskInput, AskResult> = {
  name: 'ask',
  summary: 'Answer a question with an LLM from what the documents say, with a source for each statement.',
  details: [
    'The LLM sees the sections that the search finds and may ask for more, one at a time, as far as the rulebooks and the budget allow. Sources that it was not shown are marked, and links that no source has are taken out.',
    'Nothing is sent anywhere unless an LLM is configured: see {docs}/guides/ask-and-chat.md. Exits with 1 when there is no answer.',
  ],
  arguments: { question: { form: 'words', required: true, help: 'A question, in plain words.' } },
  options: {
    ...talkOptions,
    dryRun: {
      type: 'switch',
      help: 'Print what would be sent first, and send nothing.',
      cliOnly: true,
    },
    mode,
    refresh,
    ...corpusOptions,
    now,
    json,
  },
  examples: [
    'yore ask "How do I deploy a new service?"',
    'yore ask "Which retry semantics hold?" --trace',
    'yore ask "Which retry semantics hold?" --dry-run',
  ],
  readOnly: true,
  cliOnly: true,
  run(engine, { question, maxTokens, refresh, mode }, hooks) {
    return engine.ask(question, { maxTokens, refresh, mode, ...hooks.asking })
  },
}

export const chat: Operation<ChatInput, Sessions> = {
  name: 'chat',
  summary: 'Ask an LLM one question after another; later ones may speak of what earlier answers cited.',
  details: [
    '"that doc", "the second one" and "the hummel paper" are resolved against the earlier answers before anything is searched. Without a terminal every line of standard input is a question.',
    'Sessions are stored beside the index, on this machine only.',
  ],
  arguments: {},
  options: {
    resume: {
      type: 'text',
      value: 'session',
      help: 'Go on with a stored session, by its id, or "last".',
      otherwise: 'a new session',
      cliOnly: true,
    },
    ...talkOptions,
    mode,
    refresh,
    ...corpusOptions,
    now,
  },
  examples: ['yore chat', 'yore chat --resume last'],
  readOnly: false,
  cliOnly: true,
  run: (engine) => engine.sessions(),
}

export const chatList: Operation<ChatListInput, readonly SessionSummary[]> = {
  name: 'chat list',
  summary: 'List the stored sessions, those used last first.',
  details: [],
  arguments: {},
  options: { ...corpusOptions, json },
  examples: ['yore chat list', 'yore chat list --json'],
  readOnly: true,
  cliOnly: true,
  run: async (engine) => (await engine.sessions()).list(),
}

const session = { form: 'words', required: true, help: 'Id of the session, or "last".' } as const

export const chatShow: Operation<ChatSessionInput, Session> = {
  name: 'chat show',
  summary: 'Print a stored session: its questions, answers and sources.',
  details: [],
  arguments: { session },
  options: { ...corpusOptions, json },
  examples: ['yore chat show last'],
  readOnly: true,
  cliOnly: true,
  run: async (engine, input) => (await engine.sessions()).read(input.session),
}

export const chatDelete: Operation<ChatSessionInput, Session> = {
  name: 'chat delete',
  summary: 'Delete a stored session.',
  details: [],
  arguments: { session },
  options: { ...corpusOptions, json },
  examples: ['yore chat delete 20251129-152300-k3x9'],
  readOnly: false,
  cliOnly: true,
  async run(engine, input) {
    const sessions = await engine.sessions()
    const deleted = sessions.read(input.session)
    sessions.delete(deleted.id)
    return deleted
  },
}
