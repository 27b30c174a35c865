// Which operations do agents use beside search and assemble, and how do they reach them? Entries of the table of operations.
import type { ReadResult } from '../../explore/read-passage.ts'
import type { ExpandResult } from '../../explore/request-expansion.ts'
import type { Operation, OperationSpec } from './operation.ts'
import { type CorpusInput, copy, corpusOptions, json, refresh } from './shared-options.ts'

interface ExpandInput extends CorpusInput {
  readonly from: string
  readonly via?: string
  readonly target?: string
  readonly maxTokens: number
  readonly refresh: 'auto' | 'never'
  readonly json: boolean
}

interface ReadInput extends CorpusInput {
  readonly copy: boolean
  readonly raw: boolean
  readonly place: string
  readonly maxTokens: number
  readonly refresh: 'auto' | 'never'
  readonly json: boolean
}

export interface McpInput extends CorpusInput {
  readonly http: boolean
  readonly host: string
  readonly port: number
  readonly allowHosts?: string
  readonly threads: number
}

export const agentClients = [
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'windsurf',
  'zed',
  'cline',
  'continue',
  'junie',
] as const

export type AgentClient = (typeof agentClients)[number]

export interface SetupInput {
  readonly client: AgentClient
  readonly scope: 'project' | 'user'
  readonly undo: boolean
  readonly yes: boolean
  readonly root?: string
}

/** Each form of a result stays below this, so that both forms together stay below 25,000 (record 0019 in docs/decisions). */
export const mostTokens = 12_000
/** Less holds the facts around a text at best. */
export const leastTokens = 100

/** An option for the budget of a result. */
export const roomFor = (tokens: number): Operation<unknown, unknown>['options'][string] => ({
  type: 'number',
  default: tokens,
  min: leastTokens,
  max: mostTokens,
  help: 'Token budget of the result.',
})

export const expand: Operation<ExpandInput, ExpandResult> = {
  name: 'expand',
  summary:
    'Bring along what a section relies on, as far as the rulebook allows, or say why not and what else.',
  details: [
    'Without --via and --target it lists what would be allowed; with one of them, what of that fits. On the command line each call has the whole budget; an agent has one for each question.',
    'A section is named by its canonical id or as path#anchor, a document by its path, some lines as path:12-40, and code by a name that only one piece has, such as Task.cancel.',
  ],
  arguments: {
    from: { form: 'words', required: true, help: 'Section in the context: handle or path:lines.' },
  },
  options: {
    via: { type: 'text', value: 'relation', help: 'Relation, such as links, cites or defines.' },
    target: { type: 'text', value: 'name', help: 'What should come: handle, heading or id.' },
    maxTokens: roomFor(4000),
    refresh,
    ...corpusOptions,
    json,
  },
  examples: [
    'yore expand docs/guide.md#retries',
    'yore expand docs/guide.md#retries --via cites --target ADR-013',
  ],
  readOnly: true,
  run: (engine, input, hooks) => engine.expand(input, hooks),
}

export const read: Operation<ReadInput, ReadResult> = {
  name: 'read',
  summary:
    'Read the exact lines of a section, a document or a place, as many as fit, and say where to read on.',
  details: [
    'Only what is indexed can be read: never a file that was left out, and nothing outside the corpus.',
    'The text of a PDF, a Word file, a notebook or the like is what was extracted from it, and citations count the lines of that text: `yore read --raw paper.pdf:340-352` prints those lines and nothing else.',
  ],
  arguments: {
    place: { form: 'words', required: true, help: 'Handle, path, path:lines, decision id or name in code.' },
  },
  options: {
    maxTokens: roomFor(8000),
    raw: {
      type: 'switch',
      help: 'Print the lines alone, all of them, whatever the token budget.',
      cliOnly: true,
    },
    refresh,
    ...corpusOptions,
    json,
    copy,
  },
  examples: [
    'yore read docs/guide.md#retries',
    'yore read docs/guide.md:12-40',
    'yore read ADR-013',
    'yore read --raw deck.pptx > deck.md',
  ],
  readOnly: true,
  run: (engine, { place, maxTokens, refresh }) => engine.read(place, { maxTokens, refresh }),
}

export const mcp: OperationSpec = {
  name: 'mcp',
  summary: 'Serve the corpus to agents by the Model Context Protocol, over standard input or HTTP.',
  details: [
    'Tools: assemble_context, search, expand, read, uses, outline, diff, status. They change nothing but the freshness of the index.',
    'Over HTTP it answers at /mcp, to this machine only unless --host says otherwise. There is no login: whoever reaches the port reads the corpus.',
  ],
  arguments: {},
  options: {
    http: { type: 'switch', help: 'Serve streamable HTTP instead of standard input.' },
    host: { type: 'text', default: '127.0.0.1', value: 'address', help: 'Address to listen on.' },
    port: {
      type: 'number',
      default: 7420,
      min: 0,
      max: 65_535,
      help: 'Port to listen on; 0 takes a free one.',
    },
    allowHosts: {
      type: 'text',
      value: 'names',
      help: 'Host names, with commas, that requests may name beside those of this machine.',
    },
    threads: {
      type: 'number',
      default: 0,
      min: 0,
      max: 64,
      help: 'Threads that answer over HTTP; 0 means one per core, at most 8.',
    },
    ...corpusOptions,
  },
  examples: ['yore mcp', 'yore mcp --http', 'yore mcp --http --port 9000'],
  readOnly: true,
  cliOnly: true,
}

export interface UiInput extends CorpusInput {
  readonly port: number
}

export const ui: OperationSpec = {
  name: 'ui',
  summary:
    'Open an explorer in the browser: what a question got, why, what was left out, and which documents need care.',
  details: [
    'Pages: ask, documents, graph, health, evaluation, index. It serves this machine alone, at 127.0.0.1, and loads nothing from elsewhere. Every page works without scripts but for the drawing, the live status and the keys, and has its facts as JSON beside it.',
    'It changes nothing but the freshness of the index, and evaluation/questions.jsonl when you save a question there, which only the address with its token can.',
  ],
  arguments: {},
  options: {
    port: {
      type: 'number',
      default: 7421,
      min: 0,
      max: 65_535,
      help: 'Port to listen on; 0 takes a free one.',
    },
    ...corpusOptions,
  },
  examples: ['yore ui', 'yore ui --port 0'],
  readOnly: true,
  cliOnly: true,
}

export const setup: OperationSpec = {
  name: 'setup',
  summary:
    "Write a coding agent's configuration so that it uses yore, after showing it; --undo takes it away.",
  details: [
    'Beside the server it writes a short skill or rule that says when to ask yore, and for Claude Code two hooks: what is indexed when a session starts, and one advice before a broad search. Nothing is written without a yes, and other entries of a file stay as they are.',
  ],
  arguments: {
    client: {
      form: 'choice',
      required: true,
      choices: agentClients,
      help: 'Which agent.',
    },
  },
  options: {
    scope: {
      type: 'text',
      default: 'project',
      choices: ['project', 'user'],
      help: 'For this project, or for all projects of this user.',
    },
    undo: { type: 'switch', help: 'Remove what setup wrote.' },
    yes: { type: 'switch', help: 'Write without asking.' },
    root: corpusOptions.root,
  },
  examples: ['yore setup claude-code', 'yore setup codex --scope user --yes', 'yore setup cursor --undo'],
  readOnly: false,
  cliOnly: true,
}

export const hook: OperationSpec = {
  name: 'hook',
  summary: 'Answer a hook of a coding agent, as `yore setup` writes it; silent when anything is wrong.',
  details: [
    'It reads what the agent says from standard input. `session-start` prints what is indexed and when to ask; `before-search` advises once in a session, before a search over the whole repository for more than one name. It never keeps an agent from anything.',
  ],
  arguments: {
    event: {
      form: 'choice',
      required: true,
      choices: ['session-start', 'before-search'],
      help: 'What happens.',
    },
  },
  options: {},
  examples: ['echo \'{"cwd":"/path/to/the/repository"}\' | yore hook session-start'],
  readOnly: true,
  cliOnly: true,
}
