// Which settings exist, and what are their defaults? One table has defaults, types, bounds and docs.
// Long because it is a table.

import { isInsideEntry } from './root-entries.ts'

/** How much of a digest explains it. */
export type DigestLayout = 'full' | 'brief' | 'numbered'

/** One setting: its default, its bounds, whether a repository may raise it, and one sentence for people. */
export interface SettingSpec<T> {
  readonly default: T
  readonly description: string
  readonly min?: number
  readonly max?: number
  readonly values?: readonly string[]
  /** A repository's own config may only lower such a number (decision: limits from a repository). */
  readonly repositoryMayOnlyLower?: boolean
  /** Only the user may say it, never a repository: it names places outside the corpus or sends text somewhere. */
  readonly userOnly?: boolean
  /** Of a list: a repository may name only what lies inside of it. */
  readonly isInside?: (entry: string) => boolean
}

/** Keys and the service they are for, which only the environment holds: no config file and no repository's .env is read for them. */
export const secretVariables: Readonly<Record<string, string>> = {
  YORE_LLM_KEY: 'Key of the LLM server, when it needs one.',
  YORE_SERVER_URL: 'Address of the service that `yore push` talks to.',
  YORE_SERVER_KEY: 'Key of the service that `yore push` talks to.',
}

const number = (spec: SettingSpec<number>): SettingSpec<number> => spec
const text = <T extends string>(spec: SettingSpec<T>): SettingSpec<T> => spec
const list = (spec: SettingSpec<readonly string[]>): SettingSpec<readonly string[]> => spec

/** Every setting. A dot is a group: `llm.url` is `{ "llm": { "url": … } }` in a config file and YORE_LLM_URL. */
export const settingSpecs = {
  maxTokens: number({
    default: 8000,
    min: 1,
    max: 1_000_000,
    description: 'Token budget of a digest, everything on stdout included.',
    repositoryMayOnlyLower: true,
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
  layout: text<'auto' | DigestLayout>({
    default: 'auto',
    values: ['auto', 'full', 'brief', 'numbered'],
    description:
      'How much of a digest explains it: all of the layout, or only the sources (brief), with every fifth line numbered (numbered); auto is full from 3,000 tokens on, and brief for programs.',
  }),
  refresh: text<'auto' | 'never'>({
    default: 'auto',
    values: ['auto', 'never'],
    description: 'Whether a question first re-indexes changed files when that is quick.',
  }),
  'references.share': number({
    default: 0.3,
    min: 0,
    max: 1,
    description: 'Share of the token budget that cross-referenced sections may take.',
  }),
  ignore: list({
    default: [],
    description: 'Ignore patterns in .gitignore syntax, in addition to .gitignore and .yoreignore.',
  }),
  roots: list({
    default: [],
    description:
      'What else is in the corpus, each below its name: "wiki=../wiki", "https://host/name.git#v1", "dependencies". A repository may name only folders inside of it; `yore index` with an entry adds it for you.',
    isInside: isInsideEntry,
  }),
  maxFileSize: number({
    default: 2 * 1024 * 1024,
    min: 1024,
    max: 1024 ** 3,
    description: 'Files larger than this many bytes are skipped.',
    repositoryMayOnlyLower: true,
  }),
  maskSecrets: text<'off' | 'on'>({
    default: 'on',
    values: ['off', 'on'],
    description:
      'Whether keys, tokens and passwords in ordinary files are masked before they are indexed; `yore status --masked` says where.',
    userOnly: true,
  }),
  ids: list({
    default: [],
    description:
      'Families of decision ids in addition to ADR, RFC, PEP, EIP and KEP, as PREFIX=ALIAS,ALIAS:paths, for example "EIP=ERC:EIPS/**".',
  }),
  wikiLinks: text<'off' | 'on'>({
    default: 'off',
    values: ['off', 'on'],
    description: 'Whether [[Page]] points at a page.',
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
  'embedding.provider': text<'builtin' | 'none'>({
    default: 'builtin',
    values: ['builtin', 'none'],
    description: 'What turns text into vectors: the built-in table, or nothing.',
    userOnly: true,
  }),
  'embedding.model': text<string>({
    default: '',
    description: 'The folder of another table than the shipped one.',
    userOnly: true,
  }),
  'embedding.weight': number({
    default: 0.3,
    min: 0,
    max: 1,
    description: 'Share of embeddings in the fused score; the rest is words. 0 searches by words alone.',
  }),
  'llm.provider': text<'none' | 'ollama' | 'openai' | 'anthropic'>({
    default: 'none',
    values: ['none', 'ollama', 'openai', 'anthropic'],
    description:
      'Who answers `yore ask` and `yore chat`: Ollama, any server that speaks OpenAI chat completions, Anthropic, or none.',
    userOnly: true,
  }),
  'llm.url': text<string>({
    default: '',
    description:
      'Base address of the LLM server, for example http://localhost:8080/v1; empty for Anthropic itself and for Ollama on this machine.',
    userOnly: true,
  }),
  'llm.model': text<string>({ default: '', description: 'Name of the LLM on that server.', userOnly: true }),
  'llm.promptTokens': number({
    default: 16_000,
    min: 1000,
    max: 1_000_000,
    description: 'Tokens of the longest prompt that is ever sent to the LLM.',
    repositoryMayOnlyLower: true,
  }),
} as const

/** Limits of digests and thresholds of named documents. No user sets them; a test may. */
export interface DigestLimits {
  /** Sections with a lower normalised score are skipped. */
  readonly relevanceThreshold: number
  /** Tokens that all cross-referenced sections together may take, and those of one document. */
  readonly 'references.maxTokens': number
  readonly 'references.documentTokens': number
  /** Cost of the expansions that a digest may hold. */
  readonly 'references.budget': number
  /** Whether parents and siblings of found sections are added, within a tenth of the budget. */
  readonly 'references.family': 'off' | 'on'
  /** Minimum confidence at which a document that the question names is searched alone, and ranks higher. */
  readonly 'references.filterFrom': number
  readonly 'references.boostFrom': number
}

export const digestLimits: DigestLimits = {
  relevanceThreshold: 0.15,
  'references.maxTokens': 2000,
  'references.documentTokens': 600,
  'references.budget': 20,
  'references.family': 'on',
  'references.filterFrom': 0.9,
  'references.boostFrom': 0.6,
}

/** Settings of the last release that are gone, each with what to do instead. */
export const formerSettings: Readonly<Record<string, string>> = {
  serverUrl: 'pass --server to `yore push`, or set YORE_SERVER_URL',
  'embedding.url': 'vectors come from a table: `embedding.model` may name the folder of another',
  'embedding.dimensions': 'a table knows its own',
  tokenizer: 'tokens are counted exactly, by o200k',
  daemon: 'use `yore mcp` or a program, which stay open',
  ...Object.fromEntries(Object.keys(digestLimits).map((name) => [name, 'its default holds always'])),
}

type ValueOf<S> = S extends SettingSpec<infer T> ? T : never

export type Settings = { readonly [K in keyof typeof settingSpecs]: ValueOf<(typeof settingSpecs)[K]> }

/** The default values. */
export const defaultSettings: Settings = Object.fromEntries(
  Object.entries(settingSpecs).map(([name, spec]) => [name, spec.default]),
) as unknown as Settings
