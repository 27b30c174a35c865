// What can yore do? Each operation once; command line, documents, completions and schemas are projections of this table.
// Long because it is a table: an entry for each operation.
import { rulebookLanguages } from '../config/rulebook-names.ts'
import type { RulebookFileReport } from '../engine/check-rulebooks.ts'
import type { AssembleOptions, IndexOptions, SearchOptions } from '../engine/engine.ts'
import {
  defaultQuestionsFile,
  type EvaluateOptions,
  type EvaluateResult,
  type ProposeOptions,
  type ProposeResult,
} from '../engine/evaluation.ts'
import type { RulebooksInForce } from '../engine/load-rulebooks.ts'
import type { AssembleResult, DoctorCheck, IndexReport, SearchResult, StatusReport } from '../model/report.ts'
import type { Language } from '../model/source-file.ts'
import type { Operation, OperationSpec, OptionSpec } from './operation.ts'

/** What the command line gives every operation that opens a corpus. */
interface CorpusInput {
  readonly root?: string
  readonly index?: string
}

interface IndexInput extends CorpusInput {
  readonly path: readonly string[]
  readonly rebuild: boolean
  readonly json: boolean
  readonly quiet: boolean
}

interface SearchInput extends CorpusInput, SearchOptions {
  readonly words: string
  readonly explain: boolean
  readonly json: boolean
  readonly now?: number
}

interface AssembleInput extends CorpusInput, AssembleOptions {
  readonly question: string
  readonly output?: string
  readonly now?: number
}

interface EvalInput extends CorpusInput, EvaluateOptions {
  readonly questions?: string
  readonly json: boolean
  readonly junit?: string
  readonly compare?: string
  readonly now?: number
}

interface EvalInitInput extends CorpusInput, ProposeOptions {
  readonly questions?: string
  readonly force: boolean
}

interface RulebookInput extends CorpusInput {
  readonly json: boolean
}

interface RulebookShowInput extends RulebookInput {
  readonly language: Language
}

interface RulebookCheckInput extends RulebookInput {
  readonly file?: string
}

interface StatusInput extends CorpusInput {
  readonly skipped: boolean
  readonly json: boolean
}

interface DoctorInput extends CorpusInput {
  readonly json: boolean
}

interface WatchInput extends CorpusInput {
  readonly quiet: boolean
}

export interface CompletionInput {
  readonly shell: 'bash' | 'zsh' | 'fish'
}

const corpusOptions = {
  index: {
    type: 'folder',
    value: 'path',
    help: 'Folder of the index.',
    otherwise: '.yore in the root',
    cliOnly: true,
  },
  root: {
    type: 'folder',
    value: 'path',
    help: 'Folder of the corpus.',
    otherwise: 'the nearest folder upwards with .yore or .git, else this one',
    cliOnly: true,
  },
} satisfies Record<string, OptionSpec>

const json: OptionSpec = { type: 'switch', help: 'Print JSON for programs.', cliOnly: true }
const refresh: OptionSpec = {
  type: 'text',
  setting: 'refresh',
  help: 'Re-index changed files first when that is quick, or never.',
}
const mode: OptionSpec = {
  type: 'text',
  setting: 'mode',
  help: 'Search by words, by words and meaning, or by meaning alone.',
}
const now: OptionSpec = {
  type: 'time',
  value: 'time',
  help: 'The time to assume: ISO 8601 (UTC unless it names a zone) or epoch seconds.',
  otherwise: 'SOURCE_DATE_EPOCH, else the clock',
  cliOnly: true,
}

const index: Operation<IndexInput, IndexReport> = {
  name: 'index',
  summary: 'Read the documents of a folder into an index; later runs read only what changed.',
  details: [
    'Inside a repository (a folder with .git or .yore above) the index is .yore in its top folder, and paths confine the run to parts of it.',
    'Outside of any repository, `yore index docs` makes docs a corpus of its own, with its index in docs/.yore. --root always wins.',
  ],
  arguments: {
    path: { form: 'paths', required: false, help: 'Files or folders to confine the run to.' },
  },
  options: {
    rebuild: { type: 'switch', help: 'Forget the old index and read everything again.' },
    ...corpusOptions,
    json,
    quiet: { type: 'switch', help: 'Print nothing but errors.', cliOnly: true },
  },
  examples: ['yore index', 'yore index docs', 'yore index --rebuild'],
  readOnly: false,
  run(engine, input, hooks) {
    const options: IndexOptions = { paths: input.path, rebuild: input.rebuild }
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
    limit: { type: 'number', default: 10, min: 1, max: 1000, help: 'How many sections to show.' },
    explain: {
      type: 'switch',
      help: 'Show what each score is made of and how the words were read.',
      cliOnly: true,
    },
    mode,
    refresh,
    ...corpusOptions,
    now,
    json,
  },
  examples: [
    'yore search retry policy',
    'yore search \'"rolling restart"\' --limit 3',
    'yore search deploy --json',
  ],
  readOnly: true,
  run(engine, input) {
    return engine.search(input.words, { limit: input.limit, refresh: input.refresh, mode: input.mode })
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
    output: {
      type: 'file',
      value: 'path',
      help: 'File to write.',
      otherwise: 'standard output',
      cliOnly: true,
    },
    depth: { type: 'number', setting: 'depth', help: 'How many hops of references to follow; 0 for none.' },
    sections: { type: 'number', setting: 'sections', help: 'How many sections the digest may hold.' },
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
  },
  examples: [
    'yore assemble "How do I deploy a new service?"',
    'yore assemble "How do I deploy a new service?" --max-tokens 4000 --output context.md',
    'yore assemble "Which retry semantics hold?" --format json',
  ],
  readOnly: true,
  run(engine, input) {
    const { maxTokens, sections, depth, format, explain, tokenizer, mode, refresh } = input
    return engine.assemble(input.question, {
      maxTokens,
      sections,
      depth,
      format,
      explain,
      tokenizer,
      mode,
      refresh,
    })
  },
}

const evaluate: Operation<EvalInput, EvaluateResult> = {
  name: 'eval',
  summary:
    'Ask the questions of a file and say which digests hold what they need, and why the others do not.',
  details: [
    'Each line of the file is one question: {"id": 1, "question": "How do I deploy?", "expected_contains": ["deploy.sh"]}, with expected_docs, expected_sections and forbidden_docs beside or instead of phrases.',
    'A question passes when its digest holds 0.8 of what it expects. Exits with 1 when fewer questions pass than --min-coverage asks for.',
  ],
  arguments: {
    questions: {
      form: 'file',
      required: false,
      help: `File of questions, one JSON object per line; ${defaultQuestionsFile} when none is named.`,
    },
  },
  options: {
    minCoverage: {
      type: 'number',
      whole: false,
      default: 0.8,
      min: 0,
      max: 1,
      help: 'The share of questions that must pass.',
    },
    maxTokens: { type: 'number', setting: 'maxTokens', help: 'Token budget of each digest.' },
    sections: { type: 'number', setting: 'sections', help: 'How many sections a digest may hold.' },
    depth: { type: 'number', setting: 'depth', help: 'How many hops of references to follow; 0 for none.' },
    compare: {
      type: 'file',
      value: 'path',
      help: 'An earlier --json output: say what got better and worse since.',
      cliOnly: true,
    },
    junit: { type: 'file', value: 'path', help: 'Also write the results as JUnit XML.', cliOnly: true },
    json,
    tokenizer: {
      type: 'text',
      setting: 'tokenizer',
      help: 'Count tokens exactly, or estimate them as length / 4.',
    },
    refresh,
    now,
    ...corpusOptions,
  },
  examples: [
    'yore eval',
    'yore eval --max-tokens 2000 --json > baseline.json',
    'yore eval --compare baseline.json --junit eval.xml',
  ],
  readOnly: true,
  cliOnly: true,
  run(engine, input) {
    const { minCoverage, maxTokens, sections, depth, tokenizer, refresh } = input
    const source = { file: input.questions ?? defaultQuestionsFile }
    return engine.evaluate(source, { minCoverage, maxTokens, sections, depth, tokenizer, refresh })
  },
}

const evaluateInit: Operation<EvalInitInput, ProposeResult> = {
  name: 'eval init',
  summary: "Propose questions for yore eval from the repository's own headings and link texts.",
  details: [
    'The questions are marked as generated and spread over the documents. A file that exists is kept unless --force is given.',
  ],
  arguments: {
    questions: {
      form: 'file',
      required: false,
      help: `File to write; ${defaultQuestionsFile} when none is named.`,
    },
  },
  options: {
    limit: { type: 'number', default: 20, min: 1, max: 10_000, help: 'How many questions to propose.' },
    force: { type: 'switch', help: 'Replace a file that exists.' },
    refresh,
    ...corpusOptions,
  },
  examples: ['yore eval init', 'yore eval init --limit 50 --force'],
  readOnly: false,
  cliOnly: true,
  run(engine, input) {
    return engine.proposeQuestions({ limit: input.limit, refresh: input.refresh })
  },
}

const rulebook: Operation<RulebookInput, RulebooksInForce> = {
  name: 'rulebook',
  summary: 'Show the rulebooks that hold here: what may bring what along, and at which cost.',
  details: [
    'A repository tightens the shipped rulebooks with yore.rulebook.json in its top folder; it cannot widen them.',
  ],
  arguments: {},
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook', 'yore rulebook --json'],
  readOnly: true,
  run: (engine) => engine.rulebooks(),
}

const rulebookShow: Operation<RulebookShowInput, RulebooksInForce> = {
  name: 'rulebook show',
  summary: 'Show the rulebook that holds here for one language.',
  details: [],
  arguments: {
    language: { form: 'choice', required: true, choices: rulebookLanguages, help: 'Which language.' },
  },
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook show markdown', 'yore rulebook show markdown --json'],
  readOnly: true,
  // Other surfaces have the whole with `rulebook`.
  cliOnly: true,
  run: (engine) => engine.rulebooks(),
}

const rulebookCheck: Operation<RulebookCheckInput, readonly RulebookFileReport[]> = {
  name: 'rulebook check',
  summary: 'Check a rulebook file, or every rulebook that holds here, and list what is wrong.',
  details: ['Exits with 1 when there is an error; warnings alone exit with 0.'],
  arguments: {
    file: {
      form: 'file',
      required: false,
      help: "A rulebook or a repository's overrides; the shipped rulebooks and yore.rulebook.json when none is named.",
    },
  },
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook check', 'yore rulebook check yore.rulebook.json'],
  readOnly: true,
  cliOnly: true,
  run: (engine, input) => engine.checkRulebooks(input.file),
}

const status: Operation<StatusInput, StatusReport> = {
  name: 'status',
  summary: 'Say what is indexed, how fresh it is, and which settings hold.',
  details: [],
  arguments: {},
  options: {
    skipped: { type: 'switch', help: 'List every file that was left out, with the reason.', cliOnly: true },
    ...corpusOptions,
    json,
  },
  examples: ['yore status', 'yore status --skipped'],
  readOnly: true,
  run: (engine) => engine.status(),
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
  options: { ...corpusOptions, quiet: { type: 'switch', help: 'Print nothing but errors.', cliOnly: true } },
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
    shell: { form: 'choice', required: true, choices: ['bash', 'zsh', 'fish'], help: 'Which shell.' },
  },
  options: {},
  examples: [
    'source <(yore completion bash)',
    'yore completion zsh > ~/.zfunc/_yore',
    'yore completion fish > ~/.config/fish/completions/yore.fish',
  ],
  readOnly: true,
  cliOnly: true,
}

export interface Operations {
  readonly index: typeof index
  readonly search: typeof search
  readonly assemble: typeof assemble
  readonly eval: typeof evaluate
  readonly 'eval init': typeof evaluateInit
  readonly rulebook: typeof rulebook
  readonly 'rulebook show': typeof rulebookShow
  readonly 'rulebook check': typeof rulebookCheck
  readonly status: typeof status
  readonly doctor: typeof doctor
  readonly watch: typeof watch
  readonly completion: typeof completion
}

export type OperationName = keyof Operations

/** Every operation by its name. */
export const operations: Operations = {
  index,
  search,
  assemble,
  eval: evaluate,
  'eval init': evaluateInit,
  rulebook,
  'rulebook show': rulebookShow,
  'rulebook check': rulebookCheck,
  status,
  doctor,
  watch,
  completion,
}

/** Every operation, in the order in which help lists them. */
export const operationSpecs: readonly OperationSpec[] = Object.values(operations)
