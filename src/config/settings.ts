// Which settings are there, and what holds when nobody says anything? One table gives defaults, types, bounds and docs.
// Long because it is a table.

import { product } from '../version.ts'
import { isInsideEntry } from './root-entries.ts'

/** One setting: its default, its bounds, whether a repository may raise it, and one sentence for people. */
export interface SettingSpec<T> {
  readonly default: T
  readonly description: string
  readonly min?: number
  readonly max?: number
  readonly values?: readonly string[]
  /** A number that need not be whole; numbers whose default has a fraction never need to be. */
  readonly fraction?: boolean
  /** A repository's own config may only lower such a number (decision: limits from a repository). */
  readonly repositoryMayOnlyLower?: boolean
  /** Only the user may say it, never a repository: it names places outside the corpus or sends text somewhere. */
  readonly userOnly?: boolean
  /** Of a list: a repository may name only what lies inside of it. */
  readonly isInside?: (entry: string) => boolean
}

/** Keys, which only the environment holds: no config file and no repository's .env is read for them. */
export const secretVariables: Readonly<Record<string, string>> = {
  YORE_EMBEDDING_KEY: 'Key of the embedding server, when it needs one.',
  YORE_RERANK_KEY: 'Key of the rerank server, when it needs one.',
  YORE_LLM_KEY: 'Key of the LLM server, unless `llmKeyVariable` names another variable.',
  YORE_SERVER_KEY: 'Key of the service that `yore push` and `yore pull` talk to.',
}

const number = (spec: SettingSpec<number>): SettingSpec<number> => spec
const text = <T extends string>(spec: SettingSpec<T>): SettingSpec<T> => spec
const list = (spec: SettingSpec<readonly string[]>): SettingSpec<readonly string[]> => spec

/** Every setting, by its name in a config file. */
export const settingSpecs = {
  maxTokens: number({
    default: 8000,
    min: 1,
    max: 1_000_000,
    description: 'Token budget of a digest, everything on stdout included.',
    repositoryMayOnlyLower: true,
  }),
  sections: number({
    default: 0,
    min: 0,
    max: 1000,
    description: 'How many sections a digest may hold; 0 for one per 250 tokens of its budget, at least 20.',
  }),
  depth: number({
    default: 1,
    min: 0,
    max: 2,
    description: 'How many hops of references a digest follows; 0 turns expansion off.',
    repositoryMayOnlyLower: true,
  }),
  expansionBudget: number({
    default: 4,
    min: 0,
    max: 1000,
    description: 'Cost of the expansions that an LLM or an agent may ask for, per query.',
    repositoryMayOnlyLower: true,
  }),
  digestExpansionBudget: number({
    default: 20,
    min: 0,
    max: 1000,
    description: 'Cost of the expansions that a digest may hold.',
    repositoryMayOnlyLower: true,
  }),
  xrefShare: number({
    default: 0.3,
    min: 0,
    max: 1,
    description: 'Share of the token budget that cross-referenced sections may take.',
  }),
  xrefMaxTokens: number({
    default: 2000,
    min: 0,
    max: 1_000_000,
    description: 'Tokens that all cross-referenced sections together may take.',
  }),
  xrefDocumentTokens: number({
    default: 600,
    min: 0,
    max: 1_000_000,
    description: 'Tokens that the sections of one cross-referenced document may take.',
  }),
  familyExpansion: text<'off' | 'on'>({
    default: 'on',
    values: ['off', 'on'],
    description: 'Whether parents and siblings of found sections are added, within a tenth of the budget.',
  }),
  layout: text<'auto' | 'full' | 'brief'>({
    default: 'auto',
    values: ['auto', 'full', 'brief'],
    description:
      'How much of a digest explains it: all of the layout, or only the sources; auto is full from 3,000 tokens on, and brief for programs.',
  }),
  tokenizer: text<'o200k' | 'estimate'>({
    default: 'o200k',
    values: ['o200k', 'estimate'],
    description: 'How tokens are counted: exactly (o200k) or as length / 4.',
  }),
  refresh: text<'auto' | 'never'>({
    default: 'auto',
    values: ['auto', 'never'],
    description: 'Whether a question first re-indexes changed files when that is quick.',
  }),
  refreshMilliseconds: number({
    default: 1000,
    min: 0,
    max: 60_000,
    description: 'How long such a refresh may be expected to take.',
    repositoryMayOnlyLower: true,
  }),
  maxFileSize: number({
    default: 2 * 1024 * 1024,
    min: 1024,
    max: 1024 ** 3,
    description: 'Files larger than this many bytes are skipped.',
    repositoryMayOnlyLower: true,
  }),
  maxLineLength: number({
    default: 100_000,
    min: 1000,
    max: 100_000_000,
    description: 'Files with a longer line than this are skipped.',
    repositoryMayOnlyLower: true,
  }),
  maskSecrets: text<'off' | 'on'>({
    default: 'on',
    values: ['off', 'on'],
    description:
      'Whether keys, tokens and passwords in ordinary files are masked before they are indexed; `yore status --masked` says where.',
    userOnly: true,
  }),
  ignore: list({
    default: [],
    description: 'Ignore patterns in .gitignore syntax, beside .gitignore and .yoreignore.',
  }),
  roots: list({
    default: [],
    description:
      'What else is in the corpus, each below its name: "wiki=../wiki", "https://host/name.git#v1", "https://host/llms.txt", "dependencies", "commits". A repository may name only folders inside of it; `yore index` with an entry adds it for you.',
    isInside: isInsideEntry,
  }),
  ignoreLinks: list({
    default: [],
    description:
      'Globs of documents, or of targets, whose broken links `yore links` does not tell, for example "docs/archive/**".',
  }),
  workers: number({
    default: 0,
    min: 0,
    max: 64,
    description: 'Parser threads; 0 means one per core but one, which writes.',
    repositoryMayOnlyLower: true,
  }),
  ids: list({
    default: [],
    description:
      'Families of decision ids beside ADR, RFC, PEP, EIP and KEP, as PREFIX=ALIAS,ALIAS:paths, for example "EIP=ERC:EIPS/**".',
  }),
  wikiLinks: text<'off' | 'on'>({
    default: 'off',
    values: ['off', 'on'],
    description: 'Whether [[Page]] points at a page.',
  }),
  mode: text<'lexical' | 'hybrid' | 'vector'>({
    default: 'hybrid',
    values: ['lexical', 'hybrid', 'vector'],
    description: 'What search goes by: words, words and meaning, or meaning alone.',
  }),
  embedder: text<'builtin' | 'openai' | 'onnx' | 'none'>({
    default: 'builtin',
    values: ['builtin', 'openai', 'onnx', 'none'],
    description:
      'What turns text into vectors: the built-in table, an OpenAI-compatible server, a local ONNX model, or nothing.',
    userOnly: true,
  }),
  modelFolder: text<string>({
    default: '',
    description: 'Folder of the model for `builtin` (another table than the shipped one) and for `onnx`.',
    userOnly: true,
  }),
  embeddingUrl: text<string>({
    default: '',
    description:
      'Base address of an OpenAI-compatible server for `openai`, for example http://localhost:11434/v1.',
    userOnly: true,
  }),
  embeddingModel: text<string>({
    default: '',
    description:
      'Name of the embedding model on that server. Its key, if it needs one, is read from YORE_EMBEDDING_KEY.',
    userOnly: true,
  }),
  embeddingDimensions: number({
    default: 0,
    min: 0,
    max: 8192,
    description: 'Dimensions of the vectors of that model; 0 for those of a known model.',
    userOnly: true,
  }),
  embeddingPreset: text<'auto' | 'none'>({
    default: 'auto',
    values: ['auto', 'none'],
    description:
      'Whether prefixes, pooling and dimensions of a known model are taken from its name (`embeddingModel`, or the folder for `onnx`).',
    userOnly: true,
  }),
  queryPrefix: text<string>({
    default: '',
    description: 'Put before a question when it is embedded; empty for what the preset says.',
    userOnly: true,
  }),
  passagePrefix: text<string>({
    default: '',
    description: 'Put before a text when it is embedded; empty for what the preset says.',
    userOnly: true,
  }),
  pooling: text<'auto' | 'mean' | 'cls' | 'last'>({
    default: 'auto',
    values: ['auto', 'mean', 'cls', 'last'],
    description:
      'How an `onnx` model makes one vector of those of its tokens; auto for what the preset says, or else mean.',
    userOnly: true,
  }),
  rerankUrl: text<string>({
    default: '',
    description:
      'Address of a rerank server, for example http://localhost:8080; empty for the built-in order alone. Its key, if it needs one, is read from YORE_RERANK_KEY.',
    userOnly: true,
  }),
  rerankModel: text<string>({
    default: '',
    description: 'Name of the reranker on that server; empty for a server of one model.',
    userOnly: true,
  }),
  rerankWeight: number({
    default: 0.3,
    min: 0,
    max: 1,
    description:
      'Share of the reranker in what a section is worth as an answer; the rest is the built-in order.',
  }),
  serverUrl: text<string>({
    default: '',
    description:
      'Address of the service that `yore push` and `yore pull` talk to, for example https://yore.example.com.',
    userOnly: true,
  }),
  llmProvider: text<'none' | 'ollama' | 'openai' | 'anthropic'>({
    default: 'none',
    values: ['none', 'ollama', 'openai', 'anthropic'],
    description:
      'Who answers `yore ask` and `yore chat`: Ollama, any server that speaks OpenAI chat completions, Anthropic, or nobody.',
    userOnly: true,
  }),
  llmUrl: text<string>({
    default: '',
    description:
      'Base address of the LLM server, for example http://localhost:8080/v1; empty for Anthropic itself and for Ollama on this machine.',
    userOnly: true,
  }),
  llmModel: text<string>({ default: '', description: 'Name of the LLM on that server.', userOnly: true }),
  llmKeyVariable: text<string>({
    default: `${product.environment}LLM_KEY`,
    description: 'Environment variable that holds the key of the LLM server, when it needs one.',
    userOnly: true,
  }),
  llmFormat: text<'auto' | 'schema' | 'text'>({
    default: 'auto',
    values: ['auto', 'schema', 'text'],
    description:
      'Whether the server is asked to enforce the JSON of the protocol: always, never, or until it refuses.',
    userOnly: true,
  }),
  llmTimeoutSeconds: number({
    default: 120,
    min: 1,
    max: 3600,
    description: 'How long one turn of the LLM may take, retries included.',
    userOnly: true,
  }),
  llmPromptTokens: number({
    default: 16_000,
    min: 1000,
    max: 1_000_000,
    description: 'Tokens of the longest prompt that is ever sent to the LLM.',
    repositoryMayOnlyLower: true,
  }),
  llmAnswerTokens: number({
    default: 2000,
    min: 100,
    max: 100_000,
    description: 'Tokens that the LLM may write in one turn.',
    repositoryMayOnlyLower: true,
  }),
  llmTurns: number({
    default: 8,
    min: 1,
    max: 50,
    description: 'Turns of the LLM per question, the answer included.',
    repositoryMayOnlyLower: true,
  }),
  llmRefusals: number({
    default: 3,
    min: 0,
    max: 50,
    description: 'Denied requests and malformed outputs per question, after which only an answer counts.',
    repositoryMayOnlyLower: true,
  }),
  chatHistoryTokens: number({
    default: 2000,
    min: 0,
    max: 1_000_000,
    description: 'Tokens of earlier turns that go along with a question in `yore chat`.',
    repositoryMayOnlyLower: true,
  }),
  daemon: text<'off' | 'on'>({
    default: 'off',
    values: ['off', 'on'],
    description:
      'Whether a process stays to answer later commands sooner; the first command starts it, and `yore daemon stop` ends it.',
    userOnly: true,
  }),
  daemonMinutes: number({
    default: 30,
    min: 1,
    max: 10_080,
    description: 'How long it stays when nobody asks.',
    userOnly: true,
  }),
  daemonMegabytes: number({
    default: 1024,
    min: 128,
    max: 1_000_000,
    description: 'Memory above which it makes way for a new one after an answer.',
    userOnly: true,
  }),
  vectorWeight: number({
    default: 0.3,
    min: 0,
    max: 1,
    description: 'Share of meaning in the fused score; the rest is words.',
  }),
  statusWeight: number({
    default: 1.0,
    min: 0,
    max: 3,
    fraction: true,
    description:
      "How much a document's own status (canonical, accepted, draft, deprecated, superseded) counts.",
  }),
  inboundWeight: number({
    default: 1.0,
    min: 0,
    max: 3,
    fraction: true,
    description: 'How much references from other documents count for authority.',
  }),
  rankWeight: number({
    default: 1.0,
    min: 0,
    max: 3,
    fraction: true,
    description: 'How much a place among the documents that the corpus relies on most counts.',
  }),
  referenceFilterFrom: number({
    default: 0.9,
    min: 0,
    max: 1,
    description: 'Minimum confidence at which a document that the question names is searched alone.',
  }),
  referenceBoostFrom: number({
    default: 0.6,
    min: 0,
    max: 1,
    description: 'Minimum confidence at which a document that the question names ranks higher.',
  }),
  relevanceThreshold: number({
    default: 0.15,
    min: 0,
    max: 1,
    description: 'Sections whose normalised score is lower than this are left out.',
  }),
} as const

type ValueOf<S> = S extends SettingSpec<infer T> ? T : never

export type Settings = { readonly [K in keyof typeof settingSpecs]: ValueOf<(typeof settingSpecs)[K]> }

/** The values that hold when nobody says anything. */
export const defaultSettings: Settings = Object.fromEntries(
  Object.entries(settingSpecs).map(([name, spec]) => [name, spec.default]),
) as unknown as Settings
