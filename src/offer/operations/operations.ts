// What can yore do? Each operation once; command line, documents, completions and schemas are projections of this table.
// Long because it is a table.
import type { AssembleOptions, SearchOptions } from '../../answer/answering/question-options.ts'
import type {
  AssembleResult,
  DoctorCheck,
  IndexReport,
  SearchResult,
  StatusReport,
} from '../../model/report.ts'
import type { IndexOptions } from '../engine/engine.ts'
import { expand, hook, mcp, read, setup, ui } from './agent-operations.ts'
import { ask, chat, chatDelete, chatList, chatShow } from './ask-operations.ts'
import { config, configGet, configSet } from './config-operations.ts'
import { daemon, daemonStatus, daemonStop } from './daemon-operations.ts'
import { evaluate, evaluateInit } from './eval-operations.ts'
import { pull, push } from './exchange-operations.ts'
import { diff, graph, health, links, outline, uses } from './explore-operations.ts'
import type { Operation, OperationSpec } from './operation.ts'
import { rulebook, rulebookCheck } from './rulebook-operations.ts'
import {
  type CorpusInput,
  copy,
  corpusOptions,
  exitCode,
  json,
  mode,
  now,
  refresh,
  scopeIn,
  scopeOptions,
} from './shared-options.ts'

interface IndexInput extends CorpusInput {
  readonly path: readonly string[]
  readonly rebuild: boolean
  readonly dependencies: boolean
  readonly commits: boolean
  readonly remove?: string
  readonly fetch: boolean
  readonly json: boolean
}

interface SearchInput extends CorpusInput, SearchOptions {
  readonly exitCode: boolean
  readonly words: string
  readonly explain: boolean
  readonly json: boolean
  readonly now?: number
}

interface AssembleInput extends CorpusInput, AssembleOptions {
  readonly json: boolean
  readonly copy: boolean
  readonly exitCode: boolean
  readonly question: string
  readonly output?: string
  readonly now?: number
}

interface StatusInput extends CorpusInput {
  readonly skipped: boolean
  readonly masked: boolean
  readonly json: boolean
}

interface DoctorInput extends CorpusInput {
  readonly json: boolean
}

type WatchInput = CorpusInput

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

export interface CompletionInput {
  readonly shell: (typeof shells)[number]
}

const index: Operation<IndexInput, IndexReport> = {
  name: 'index',
  summary: 'Read the documents of a folder into an index; later runs read only what changed.',
  details: [
    'Inside a repository (a folder with .git or .yore above) the index is .yore in its top folder, and paths confine the run to parts of it.',
    'What lies elsewhere is added with its name and stays until it is removed: wiki=../wiki, https://host/name.git#v1, mirror=../name.git#v1, https://host/llms.txt. Its paths begin with the name; addresses are asked again only with --fetch.',
    'Outside of any repository, `yore index docs` makes docs a corpus of its own, with its index in docs/.yore. --root always wins.',
  ],
  arguments: {
    path: {
      form: 'paths',
      required: false,
      help: 'Files or folders to confine the run to; NAME=FOLDER or an address to add.',
    },
  },
  options: {
    rebuild: { type: 'switch', help: 'Forget the old index and read everything again.' },
    dependencies: {
      type: 'switch',
      help: 'Add README, documents and types of the packages that this project names, as they are installed.',
      cliOnly: true,
    },
    commits: { type: 'switch', help: 'Add the messages of the newest 1,000 commits.', cliOnly: true },
    remove: {
      type: 'text',
      value: 'name',
      help: 'Take out what was added under this name; dependencies and commits are names, too.',
      cliOnly: true,
    },
    fetch: { type: 'switch', help: 'Fetch again what was added by its address.', cliOnly: true },
    ...corpusOptions,
    json,
  },
  examples: [
    'yore index',
    'yore index docs',
    'yore index --rebuild',
    'yore index wiki=../wiki',
    'yore index https://github.com/psf/requests#v2.32.3',
    'yore index --dependencies',
  ],
  readOnly: false,
  run(engine, input, hooks) {
    const options: IndexOptions = { paths: input.path, rebuild: input.rebuild, fetch: input.fetch }
    return engine.index(
      hooks.onProgress === undefined ? options : { ...options, onProgress: hooks.onProgress },
    )
  },
}

const search: Operation<SearchInput, SearchResult> = {
  name: 'search',
  summary: 'Find the sections that match some words, best first.',
  details: ['Words in "double quotes" must stand together. Finding nothing is an answer, not an error.'],
  arguments: { words: { form: 'words', required: true, help: 'What to look for.' } },
  options: {
    match: {
      type: 'text',
      default: 'words',
      choices: ['words', 'exact', 'regex'],
      help: 'By words, as exact text or as a regular expression.',
    },
    limit: { type: 'number', short: 'n', default: 10, min: 1, max: 1000, help: 'How many sections to show.' },
    explain: {
      type: 'switch',
      help: 'Show what each score is made of and how the words were read.',
      cliOnly: true,
    },
    ...scopeOptions,
    mode,
    refresh,
    ...corpusOptions,
    now,
    exitCode,
    json,
  },
  examples: [
    'yore search retry policy',
    'yore search retry --path src --kind code',
    'yore search \'"rolling restart"\' --limit 3',
    'yore search deploy --json',
    "yore search 'fn \\w+_retry' --match regex --kind code",
  ],
  readOnly: true,
  run(engine, input) {
    const { limit, match, refresh, mode } = input
    return engine.search(input.words, { limit, match, refresh, mode, ...scopeIn(input) })
  },
}

const assemble: Operation<AssembleInput, AssembleResult> = {
  name: 'assemble',
  summary: 'Write one digest that answers a question within a token budget, with the source of every line.',
  details: [
    'The budget is a hard cap on everything that is printed. Same index, same question, same time: same bytes.',
  ],
  arguments: { question: { form: 'words', required: true, help: 'A question or a task, in plain words.' } },
  options: {
    maxTokens: { type: 'number', setting: 'maxTokens', help: 'Token budget of the digest.' },
    format: { type: 'text', default: 'markdown', choices: ['markdown', 'json'], help: 'Form of the digest.' },
    layout: {
      type: 'text',
      setting: 'layout',
      help: 'With list of documents, legend and usage, or with sources alone; auto is full from 3,000 tokens on.',
    },
    output: {
      type: 'file',
      short: 'o',
      value: 'path',
      help: 'File to write.',
      otherwise: 'standard output',
      cliOnly: true,
    },
    depth: { type: 'number', setting: 'depth', help: 'How many hops of references to follow; 0 for none.' },
    sections: {
      type: 'number',
      default: 0,
      min: 0,
      max: 1000,
      help: 'How many sections the digest may hold; 0 for one per 250 tokens, at least 20.',
    },
    fill: {
      type: 'switch',
      help: 'Use the budget up. Without it a digest ends where what is left adds little.',
    },
    ...scopeOptions,
    index: corpusOptions.index,
    explain: {
      type: 'switch',
      help: 'Say what was chosen and dropped, and why: on standard error, or inside the JSON.',
    },
    now,
    tokenizer: {
      type: 'text',
      setting: 'tokenizer',
      help: 'Count tokens exactly, or estimate them as length / 4.',
    },
    mode,
    refresh,
    root: corpusOptions.root,
    json,
    copy,
    exitCode,
  },
  examples: [
    'yore assemble "How do I deploy a new service?"',
    'yore assemble "How do I deploy a new service?" -o context.md',
    'yore assemble "How do I deploy a new service?" --max-tokens 2000 --layout full',
    'yore assemble "Which retry semantics hold?" --format json',
    'yore assemble "What does the release need?" --kind docs --since v1.2.0',
  ],
  readOnly: true,
  run(engine, input) {
    const { maxTokens, statedTokens, sizeOf, sections, depth, format, layout, fill, explain } = input
    const { tokenizer, mode, refresh } = input
    return engine.assemble(input.question, {
      maxTokens,
      statedTokens,
      sizeOf,
      sections,
      depth,
      format,
      layout,
      fill,
      explain,
      tokenizer,
      mode,
      refresh,
      ...scopeIn(input),
    })
  },
}

const status: Operation<StatusInput, StatusReport> = {
  name: 'status',
  summary: 'Show what is indexed and how fresh it is.',
  details: [],
  arguments: {},
  options: {
    skipped: {
      type: 'switch',
      help: 'List every skipped file with the reason, and what ignore rules exclude with the rule, files that git tracks first.',
      cliOnly: true,
    },
    masked: {
      type: 'switch',
      help: 'List every line in which a secret was masked, with its kind and without the secret.',
      cliOnly: true,
    },
    ...corpusOptions,
    json,
  },
  examples: ['yore status', 'yore status --skipped', 'yore status --masked'],
  readOnly: true,
  run: (engine, { skipped }) => engine.status({ listIgnored: skipped }),
}

const doctor: Operation<DoctorInput, readonly DoctorCheck[]> = {
  name: 'doctor',
  summary: 'Look for faults in the installation and the index, and say how to mend them.',
  details: ['Exits with 1 when a problem was found; warnings alone exit with 0.'],
  arguments: {},
  options: { ...corpusOptions, json },
  examples: ['yore doctor', 'yore doctor --json'],
  readOnly: true,
  run: (engine) => engine.doctor(),
}

const watch: Operation<WatchInput, void> = {
  name: 'watch',
  summary: 'Keep the index fresh while files change, until interrupted.',
  details: [],
  arguments: {},
  options: { ...corpusOptions },
  examples: ['yore watch'],
  readOnly: false,
  cliOnly: true,
  run(engine, _input, hooks) {
    return engine.watch({
      signal: hooks.signal ?? new AbortController().signal,
      onIndexed: hooks.onIndexed ?? (() => {}),
    })
  },
}

/** How the completion script is printed is the command line's own affair. */
const completion: OperationSpec = {
  name: 'completion',
  summary: 'Print the completion script of a shell.',
  details: [],
  arguments: {
    shell: { form: 'choice', required: true, choices: shells, help: 'Which shell.' },
  },
  options: {},
  examples: [
    'source <(yore completion bash)',
    'yore completion zsh > ~/.zfunc/_yore',
    'yore completion fish > ~/.config/fish/completions/yore.fish',
    'yore completion powershell | Out-String | Invoke-Expression',
  ],
  readOnly: true,
  cliOnly: true,
}

export interface Operations {
  readonly index: typeof index
  readonly search: typeof search
  readonly assemble: typeof assemble
  readonly expand: typeof expand
  readonly read: typeof read
  readonly uses: typeof uses
  readonly outline: typeof outline
  readonly diff: typeof diff
  readonly mcp: typeof mcp
  readonly ui: typeof ui
  readonly setup: typeof setup
  readonly hook: typeof hook
  readonly ask: typeof ask
  readonly chat: typeof chat
  readonly 'chat list': typeof chatList
  readonly 'chat show': typeof chatShow
  readonly 'chat delete': typeof chatDelete
  readonly eval: typeof evaluate
  readonly 'eval init': typeof evaluateInit
  readonly graph: typeof graph
  readonly links: typeof links
  readonly health: typeof health
  readonly rulebook: typeof rulebook
  readonly 'rulebook check': typeof rulebookCheck
  readonly status: typeof status
  readonly doctor: typeof doctor
  readonly watch: typeof watch
  readonly push: typeof push
  readonly pull: typeof pull
  readonly daemon: typeof daemon
  readonly 'daemon status': typeof daemonStatus
  readonly 'daemon stop': typeof daemonStop
  readonly config: typeof config
  readonly 'config get': typeof configGet
  readonly 'config set': typeof configSet
  readonly completion: typeof completion
}

export type OperationName = keyof Operations

/** Every operation by its name. */
export const operations: Operations = {
  index,
  search,
  assemble,
  expand,
  read,
  uses,
  outline,
  diff,
  mcp,
  ui,
  setup,
  hook,
  ask,
  chat,
  'chat list': chatList,
  'chat show': chatShow,
  'chat delete': chatDelete,
  eval: evaluate,
  'eval init': evaluateInit,
  graph,
  links,
  health,
  rulebook,
  'rulebook check': rulebookCheck,
  status,
  doctor,
  watch,
  push,
  pull,
  daemon,
  'daemon status': daemonStatus,
  'daemon stop': daemonStop,
  config,
  'config get': configGet,
  'config set': configSet,
  completion,
}

/** Every operation, in the order in which help lists them. */
export const operationSpecs: readonly OperationSpec[] = Object.values(operations)

/** What people come for, with the commands for it; help lists them so. */
export const tasks: Readonly<Record<string, readonly string[]>> = {
  'Ask a question': ['assemble', 'search', 'ask', 'chat'],
  'Look around': ['ui', 'outline', 'uses', 'read', 'expand', 'graph', 'diff'],
  'Keep the index': ['index', 'watch', 'status', 'doctor'],
  'Share it through a service': ['push', 'pull'],
  'Check the documents': ['health', 'links', 'eval', 'rulebook'],
  'Set up': ['setup', 'mcp', 'hook', 'config', 'daemon', 'completion'],
}

/** For help, manual and reference alike. */
export const exitStatuses =
  'Exit status: 0 for success, also when nothing was found; 1 for an error; 2 for wrong usage; 3 for nothing found with --exit-code; 130 when interrupted.'
