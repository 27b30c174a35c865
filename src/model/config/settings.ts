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

/** A number that a repository may only lower. */
const limit = (value: number, min: number, max: number, description: string): SettingSpec<number> => ({
  ...{ default: value, min, max, description, repositoryMayOnlyLower: true },
})

const share = (value: number, description: string): SettingSpec<number> => ({
  ...{ default: value, min: 0, max: 1, description },
})

const own = { userOnly: true } as const
const text = (description: string): SettingSpec<string> => ({ default: '', description, ...own })

const choice = <const T extends string>(
  value: NoInfer<T>,
  values: readonly T[],
  description: string,
  more: Pick<SettingSpec<T>, 'userOnly'> = {},
): SettingSpec<T> => ({ default: value, values, description, ...more })

const list = (
  description: string,
  more: Pick<SettingSpec<readonly string[]>, 'isInside'> = {},
): SettingSpec<readonly string[]> => ({ default: [], description, ...more })

/** Every setting. A dot is a group: `llm.url` is `{ "llm": { "url": … } }` in a config file and YORE_LLM_URL. */
export const settingSpecs = {
  maxTokens: limit(8000, 1, 1_000_000, 'Token budget of a digest, everything on stdout included.'),
  depth: limit(1, 0, 2, 'How many hops of references a digest follows; 0 turns expansion off.'),
  expansionBudget: limit(
    4,
    0,
    1000,
    'Cost of the expansions that an LLM or an agent may ask for, per query.',
  ),
  layout: choice(
    'auto',
    ['auto', 'full', 'brief', 'numbered'],
    'How much of a digest explains it: all of the layout, or only the sources (brief), with every fifth line numbered (numbered); auto is full from 3,000 tokens on, and brief for programs.',
  ),
  refresh: choice(
    'auto',
    ['auto', 'never'],
    'Whether a question first re-indexes changed files when that is quick.',
  ),
  'references.share': share(0.3, 'Share of the token budget that cross-referenced sections may take.'),
  ignore: list('Ignore patterns in .gitignore syntax, in addition to .gitignore and .yoreignore.'),
  roots: list(
    'What else is in the corpus, each below its name: "wiki=../wiki", "https://host/name.git#v1", "dependencies". A repository may name only folders inside of it; `yore index` with an entry adds it for you.',
    { isInside: isInsideEntry },
  ),
  maxFileSize: limit(2 * 1024 * 1024, 1024, 1024 ** 3, 'Files larger than this many bytes are skipped.'),
  maskSecrets: choice(
    'on',
    ['off', 'on'],
    'Whether keys, tokens and passwords in ordinary files are masked before they are indexed; `yore status --masked` says where.',
    own,
  ),
  ids: list(
    'Families of decision ids in addition to ADR, RFC, PEP, EIP and KEP, as PREFIX=ALIAS,ALIAS:paths, for example "EIP=ERC:EIPS/**".',
  ),
  wikiLinks: choice('off', ['off', 'on'], 'Whether [[Page]] points at a page.'),
  ignoreLinks: list(
    'Globs of documents, or of targets, whose broken links `yore links` does not tell, for example "docs/archive/**".',
  ),
  workers: limit(0, 0, 64, 'Parser threads; 0 means one per core but one, which writes.'),
  'embedding.provider': choice(
    'builtin',
    ['builtin', 'none'],
    'What turns text into vectors: the built-in table, or nothing.',
    own,
  ),
  'embedding.model': text('The folder of another table than the shipped one.'),
  'embedding.weight': share(
    0.3,
    'Share of embeddings in the fused score; the rest is words. 0 searches by words alone.',
  ),
  'llm.provider': choice(
    'none',
    ['none', 'ollama', 'openai', 'anthropic'],
    'Who answers `yore ask` and `yore chat`: Ollama, any server that speaks OpenAI chat completions, Anthropic, or none.',
    own,
  ),
  'llm.url': text(
    'Base address of the LLM server, for example http://localhost:8080/v1; empty for Anthropic itself and for Ollama on this machine.',
  ),
  'llm.model': text('Name of the LLM on that server.'),
  'llm.promptTokens': limit(
    16_000,
    1000,
    1_000_000,
    'Tokens of the longest prompt that is ever sent to the LLM.',
  ),
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
