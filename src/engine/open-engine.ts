// How is an engine opened? A folder with its configuration, or a corpus file alone; the index is opened when first needed.
// Long because it is the one door: every operation behind it is a few lines here.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { findCorpus } from '../config/find-root.ts'
import { loadSettings } from '../config/load-settings.ts'
import { readNow } from '../config/read-time.ts'
import { rulebookLanguages } from '../config/rulebook-names.ts'
import { defaultSettings, type Settings } from '../config/settings.ts'
import { YoreError } from '../errors.ts'
import type { ExpansionLimits } from '../expand/expansion-state.ts'
import type { AskResult, Message, Sessions } from '../model/conversation.ts'
import type { ExpansionSession, PresentArtifact, Rulebook } from '../model/expansion.ts'
import type {
  AssembleResult,
  DoctorCheck,
  IndexReport,
  SearchResult,
  StatusReport,
  VectorReport,
} from '../model/report.ts'
import type { RuledLanguage } from '../model/source-file.ts'
import { languageOfKind } from '../parse/artifact-kinds.ts'
import { parseIdFamilies } from '../resolve/parse-id-families.ts'
import { versionOf } from '../store/check-permission.ts'
import { CorpusReader } from '../store/corpus-reader.ts'
import { openForReading, openImmutable } from '../store/open-database.ts'
import { schemaVersion } from '../store/schema.ts'
import { yoreVersion } from '../version.ts'
import type { AskContext } from './ask-question.ts'
import type { AssembleContext } from './assemble-context.ts'
import type { LinkResult } from './check-links.ts'
import type { RulebookFileReport } from './check-rulebooks.ts'
import { noticesOf } from './describe-freshness.ts'
import type {
  AskOptions,
  AssembleOptions,
  CorpusFileOptions,
  Engine,
  EngineOptions,
  ExpandRequest,
  ExpandResult,
  FileStanding,
  IndexOptions,
  Now,
  OpenOptions,
  ReadOptions,
  ReadResult,
  SearchOptions,
  Surroundings,
} from './engine.ts'
import type {
  EvaluateOptions,
  EvaluateResult,
  ProposeOptions,
  ProposeResult,
  QuestionSource,
} from './evaluation.ts'
import { type AskedMeaning, type Meaning, noMeaning, QuestionMeaning } from './find-meaning.ts'
import { loadRulebook, loadRulebooks, type RulebooksInForce } from './load-rulebooks.ts'
import { DocumentNaming } from './name-documents.ts'
import type { GraphOptions, GraphResult } from './read-graph.ts'
import { RememberedSearch } from './remember-search.ts'

/** The rulebook of a kind's language, which is its first word: `markdown_section` → markdown. Read when first needed. */
function rulebooksByKind(root: string | null): AssembleContext['rulebookFor'] {
  const loaded = new Map<string, Rulebook>()
  return (kind) => {
    const language = languageOfKind(kind)
    let rulebook = loaded.get(language)
    if (rulebook === undefined) {
      const isKnown = rulebookLanguages.includes(language as RuledLanguage)
      rulebook = isKnown ? loadRulebook(root, language as RuledLanguage) : { language, chunk_rules: {} }
      loaded.set(language, rulebook)
    }
    return rulebook
  }
}

/** A folder with its index, or a finished index file alone. */
type Corpus =
  | { readonly root: string; readonly indexDir: string }
  | { readonly root: null; readonly file: string; readonly sha256: string }

interface Opened extends Surroundings {
  readonly settings: Settings
  readonly now: Now
}

class OpenEngine implements Engine {
  readonly #corpus: Corpus
  readonly #options: Opened
  readonly #indexPath: string
  #reader: CorpusReader | null = null
  readonly #meaning: QuestionMeaning
  readonly #naming = new DocumentNaming()
  readonly #search = new RememberedSearch()
  #rulebookFor: AssembleContext['rulebookFor'] | null = null
  /** The file that the reader has open: a rebuilt index is another file. */
  #version = ''

  constructor(corpus: Corpus, options: Opened) {
    this.#corpus = corpus
    this.#options = options
    this.#indexPath = corpus.root === null ? corpus.file : join(corpus.indexDir, 'index.db')
    this.#meaning = new QuestionMeaning(options.settings, options)
  }

  /** Throws BAD_INPUT for a corpus file: there is nothing to index, to watch or to write beside it. */
  #folder(): EngineOptions & Surroundings {
    const { env, clock, random, settings, now } = this.#options
    if (this.#corpus.root !== null) return { ...this.#corpus, settings, now, env, clock, random }
    throw new YoreError('BAD_INPUT', `${this.#indexPath} was opened alone, and nothing is written to it`, {
      hint: 'open the folder that it was made from with openEngine',
    })
  }

  #open(): CorpusReader {
    if (this.#corpus.root === null) {
      this.#reader ??= new CorpusReader(openImmutable(this.#corpus.file, this.#corpus.sha256))
      return this.#reader
    }
    if (this.#reader !== null && versionOf(this.#indexPath) === this.#version) return this.#reader
    this.#reader?.close()
    this.#reader = null
    const [inode] = versionOf(this.#indexPath).split(' ')
    this.#reader = new CorpusReader(
      openForReading(this.#indexPath, { root: this.#corpus.root, env: this.#options.env }),
    )
    const version = versionOf(this.#indexPath)
    // Replaced in this very moment: opened anew at the next question.
    this.#version = version.split(' ')[0] === inode ? version : ''
    return this.#reader
  }

  async index(options: Partial<IndexOptions> = {}): Promise<IndexReport> {
    const { indexCorpus } = await import('./index-corpus.ts')
    const folder = this.#folder()
    if (options.rebuild === true) this.close()
    return indexCorpus({ ...folder, paths: [], rebuild: false, ...options })
  }

  async search(query: string, options: Partial<SearchOptions> = {}): Promise<SearchResult> {
    const { searchCorpus } = await import('./search-corpus.ts')
    const freshness = await this.#refresh(options.refresh)
    const asked = await this.#meaningOf(query, options.mode)
    const found = searchCorpus(
      query,
      { limit: options.limit ?? 10 },
      this.#context(freshness, asked, options.now),
    )
    return { ...found, notices: [...asked.notices, ...found.notices] }
  }

  async assemble(query: string, options: Partial<AssembleOptions> = {}): Promise<AssembleResult> {
    const { assembleContext } = await import('./assemble-context.ts')
    const freshness = await this.#refresh(options.refresh)
    const { maxTokens, sections, depth, layout, tokenizer, refresh, mode } = this.#options.settings
    const wanted = {
      maxTokens,
      // Who calls the library is a program; the command line names its layout.
      layout: layout === 'auto' ? 'brief' : layout,
      sections,
      depth,
      tokenizer,
      refresh,
      mode,
      format: 'markdown',
      explain: false,
      fill: false,
      ...options,
    } as const
    const asked = await this.#meaningOf(query, options.mode)
    return assembleContext(query, wanted, this.#context(freshness, asked, options.now))
  }

  async #vectorReport(reader: CorpusReader): Promise<VectorReport> {
    const { openEmbedder } = await import('./open-embedder.ts')
    const opened = await openEmbedder(this.#options.settings, 'brief', this.#options)
    if ('missing' in opened) return { model: null, embedded: 0, total: 0, note: opened.missing }
    const { id } = opened.embedder
    opened.embedder.close()
    const { total, ids } = reader.vectors().pending(id)
    return {
      model: id,
      embedded: total - ids.length,
      total,
      note: ids.length > 0 ? 'run `yore index` to embed the rest' : null,
    }
  }

  #meaningOf(query: string, mode: Settings['mode'] = this.#options.settings.mode): Promise<AskedMeaning> {
    return this.#meaning.of(query, mode)
  }

  #context(
    freshness: AssembleContext['freshness'],
    asked: AskedMeaning = noMeaning,
    moment?: number,
  ): AssembleContext {
    const { settings, now } = this.#options
    this.#rulebookFor ??= rulebooksByKind(this.#corpus.root)
    const { relevanceThreshold } = settings
    const rulebookFor = this.#rulebookFor
    return {
      reader: this.#open(),
      now: moment ?? nowOf(now),
      relevanceThreshold,
      authority: {
        status: settings.statusWeight,
        inbound: settings.inboundWeight,
        rank: settings.rankWeight,
      },
      expansion: settings,
      rulebookFor,
      freshness,
      notices: [...noticesOf(freshness), ...asked.notices],
      meaning: asked.meaning,
      naming: this.#naming,
      search: this.#search,
      families: parseIdFamilies(settings.ids),
    }
  }

  async evaluate(source: QuestionSource, options: Partial<EvaluateOptions> = {}): Promise<EvaluateResult> {
    const [{ evaluateQuestions }, { readQuestions }] = await Promise.all([
      import('./evaluate-questions.ts'),
      import('./read-questions.ts'),
    ])
    const { settings } = this.#options
    const asked =
      'file' in source
        ? { file: source.file, questions: readQuestions(this.#folder().root, source.file) }
        : { file: null, questions: source.questions }
    const freshness = await this.#refresh(options.refresh)
    const { maxTokens, sections, depth, tokenizer, refresh } = settings
    const wanted = { maxTokens, sections, depth, tokenizer, refresh, minCoverage: 0.8, ...options }
    const meanings = new Map<string, Meaning>()
    for (const { question } of asked.questions) {
      const { meaning, notices } = await this.#meaningOf(question)
      // Figures by words alone would be taken for those of the configured search.
      if (notices[0] !== undefined) throw new YoreError('BAD_CONFIG', notices[0])
      if (meaning !== null) meanings.set(question, meaning)
    }
    return { evaluation: evaluateQuestions(asked, wanted, this.#context(freshness), meanings), freshness }
  }

  async proposeQuestions(options: Partial<ProposeOptions> = {}): Promise<ProposeResult> {
    const { proposeQuestions } = await import('./propose-questions.ts')
    const freshness = await this.#refresh(options.refresh)
    return { questions: proposeQuestions(this.#open(), { limit: options.limit ?? 20 }), freshness }
  }

  async #refresh(
    refresh: 'auto' | 'never' = this.#options.settings.refresh,
  ): Promise<AssembleResult['freshness']> {
    const reader = this.#open()
    // A finished file is what it is: nothing beside it is looked at.
    if (this.#corpus.root === null)
      return { state: 'fresh', changedFiles: 0, indexedAt: Number(reader.meta('indexedAt') ?? 0) }
    const { refreshIndex } = await import('./refresh-index.ts')
    return refreshIndex(reader, { ...this.#folder(), refresh })
  }

  async graph(named: string, options: Partial<GraphOptions> = {}): Promise<GraphResult> {
    const { readGraph } = await import('./read-graph.ts')
    const freshness = await this.#refresh(options.refresh)
    return { graph: readGraph(this.#open(), named, options.direction ?? 'both'), freshness }
  }

  async artifactIds(): Promise<readonly string[]> {
    await this.#refresh()
    return this.#open().artifactIds()
  }

  async checkLinks(options: { readonly refresh?: 'auto' | 'never' } = {}): Promise<LinkResult> {
    const { checkLinks } = await import('./check-links.ts')
    const freshness = await this.#refresh(options.refresh)
    return { links: checkLinks(this.#open(), this.#corpus.root), freshness }
  }

  async read(named: string, options: Partial<ReadOptions> = {}): Promise<ReadResult> {
    const [{ readPassage }, { loadTokenizer }] = await Promise.all([
      import('./read-passage.ts'),
      import('./load-tokenizer.ts'),
    ])
    const { maxTokens, tokenizer } = { ...this.#options.settings, ...options }
    const freshness = await this.#refresh(options.refresh)
    const limits = { maxTokens, countTokens: loadTokenizer(tokenizer) }
    return { ...readPassage(this.#open(), named, limits), freshness }
  }

  async standingOf(path: string): Promise<FileStanding> {
    if (this.#corpus.root === null) return { state: this.#open().hasFile(path) ? 'indexed' : 'absent' }
    const { findStanding } = await import('./find-standing.ts')
    return findStanding(this.#open(), path, this.#folder())
  }

  async expand(
    request: ExpandRequest,
    within: { readonly session?: ExpansionSession; readonly signal?: AbortSignal } = {},
  ): Promise<ExpandResult> {
    const [{ requestExpansion }, { loadTokenizer }] = await Promise.all([
      import('./request-expansion.ts'),
      import('./load-tokenizer.ts'),
    ])
    const freshness = await this.#refresh(request.refresh)
    const { findOrigin } = await import('./find-origin.ts')
    const origin = within.session === undefined ? findOrigin(this.#open(), request.from) : null
    const session = within.session ?? (await this.startExpansion(origin?.present ?? []))
    // Whoever has gone pays nothing.
    within.signal?.throwIfAborted()
    const countTokens = loadTokenizer(this.#options.settings.tokenizer)
    const asked = { ...request, from: origin?.from ?? request.from }
    return { ...requestExpansion(session, asked, countTokens), freshness }
  }

  async startExpansion(
    present: readonly PresentArtifact[] | string,
    limits: Partial<ExpansionLimits> = {},
  ): Promise<ExpansionSession> {
    const [{ startSession }, { findOrigin }, { loadTokenizer }] = await Promise.all([
      import('./expand-context.ts'),
      import('./find-origin.ts'),
      import('./load-tokenizer.ts'),
    ])
    const { settings } = this.#options
    this.#rulebookFor ??= rulebooksByKind(this.#corpus.root)
    const known = typeof present === 'string' ? findOrigin(this.#open(), present).present : present
    return startSession(known, {
      // Opened anew for each look: the index may have been rebuilt meanwhile.
      read: (use) => {
        const reader = this.#open()
        return reader.snapshot(() => use(reader))
      },
      rulebookFor: this.#rulebookFor,
      limits: { budget: settings.expansionBudget, maxDepth: settings.depth, ...limits },
      countTokens: loadTokenizer(settings.tokenizer),
    })
  }

  async ask(question: string, options: Partial<AskOptions> = {}): Promise<AskResult> {
    const [{ askQuestion }, { openModel }, { readModelSettings }] = await Promise.all([
      import('./ask-question.ts'),
      import('../converse/open-model.ts'),
      import('./read-model-settings.ts'),
    ])
    const model = openModel(readModelSettings(this.#options.settings, this.#options.env))
    return askQuestion(question, model, { history: [], ...options }, await this.#asking(options))
  }

  async previewAsk(question: string, options: Partial<AskOptions> = {}): Promise<readonly Message[]> {
    const { previewQuestion } = await import('./ask-question.ts')
    return previewQuestion(question, { history: [], ...options }, await this.#asking(options))
  }

  async #asking(options: Partial<AskOptions>): Promise<AskContext> {
    const { openAsking } = await import('./open-asking.ts')
    const freshness = await this.#refresh(options.refresh)
    return openAsking(options, {
      settings: this.#options.settings,
      context: (asked) => this.#context(freshness, asked, options.now),
      meaningOf: (question, mode) => this.#meaningOf(question, mode),
      startExpansion: (present) => this.startExpansion(present),
    })
  }

  async sessions(): Promise<Sessions> {
    const { SessionStore } = await import('../converse/session-store.ts')
    return new SessionStore(this.#folder().indexDir)
  }

  async rulebooks(): Promise<RulebooksInForce> {
    return loadRulebooks(this.#corpus.root)
  }

  async checkRulebooks(file?: string): Promise<readonly RulebookFileReport[]> {
    const { checkRulebooks } = await import('./check-rulebooks.ts')
    return checkRulebooks(this.#folder().root, file ?? null)
  }

  async status(): Promise<StatusReport> {
    const { countKinds } = await import('./count-kinds.ts')
    const reader = this.#open()
    const freshness = await this.#refresh('never')
    const totals = reader.totals()
    return {
      root: this.#corpus.root ?? reader.meta('root') ?? '',
      indexPath: this.#indexPath,
      schemaVersion,
      yoreVersion,
      indexedAt: freshness.indexedAt,
      freshness,
      files: reader.count('files'),
      sections: reader.count('artifacts'),
      fragments: reader.count('fragments'),
      tokens: totals.tokens,
      indexBytes: statSync(this.#indexPath).size,
      sourceBytes: totals.bytes,
      languages: totals.languages,
      ...countKinds(reader.files()),
      skipped: reader.skipped(),
      ignored: Number(reader.meta('ignored') ?? 0),
      unsupported: JSON.parse(reader.meta('unsupported') ?? '{}') as Record<string, number>,
      masked: reader.masks(),
      vectors: await this.#vectorReport(reader),
    }
  }

  async doctor(): Promise<readonly DoctorCheck[]> {
    const { runDoctor } = await import('./run-doctor.ts')
    return runDoctor(this.#folder())
  }

  async watch(options: Parameters<Engine['watch']>[0]): Promise<void> {
    const { watchCorpus } = await import('./watch-corpus.ts')
    await watchCorpus(this.#folder(), options)
  }

  close(): void {
    this.#meaning.close()
    this.#reader?.close()
    this.#reader = null
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** The process's own, where a program gives nothing else: here and nowhere below are they looked for. */
function surroundingsOf(given: Partial<Surroundings>): Surroundings {
  const { env = process.env, clock = Date.now, random = Math.random } = given
  return { env, clock, random }
}

/**
 * Opens an engine over one corpus, as the command line does: configuration is read where it lies, and the time is that
 * of the environment or of the clock. Nothing else is read until an operation needs it. Throws BAD_INPUT for what is no
 * folder and BAD_CONFIG for configuration that is none. With one object instead of a folder everything is decided, and
 * no configuration is read.
 *
 * @example
 * using engine = openEngine('.')
 * await engine.index()
 * const { output } = await engine.assemble('How do I deploy a new service?')
 */
export function openEngine(root: string, options?: OpenOptions): Engine
export function openEngine(options: EngineOptions): Engine
export function openEngine(where: string | EngineOptions, options: OpenOptions = {}): Engine {
  if (typeof where !== 'string') {
    const { root, indexDir, settings, now } = where
    return new OpenEngine({ root, indexDir }, { ...surroundingsOf(where), settings, now })
  }
  const surroundings = surroundingsOf(options)
  const { env, clock } = surroundings
  const { root, indexDir } = findCorpus({ cwd: process.cwd(), root: where, index: options.indexDir })
  const { settings } = loadSettings({ root, env, flags: options.settings ?? {} })
  const now = options.now ?? ((): number => readNow({ env, clock: clock() }))
  return new OpenEngine({ root, indexDir }, { ...surroundings, settings, now })
}

/**
 * Opens a finished index file alone, read-only, wherever it lies: without its source tree, without git, and without a
 * look at any other file. Whoever made it says its hash, which is checked when the file is first read. Throws
 * INDEX_DAMAGED then for another hash; what would write throws BAD_INPUT.
 *
 * @example
 * using engine = openCorpusFile('/data/corpora/7f3a.db', { sha256 })
 * const { output } = await engine.assemble('How do I deploy a new service?', { now: Date.now() })
 */
export function openCorpusFile(file: string, options: CorpusFileOptions): Engine {
  const surroundings = surroundingsOf(options)
  const { env, clock } = surroundings
  const settings = { ...defaultSettings, ...options.settings }
  const now = options.now ?? ((): number => readNow({ env, clock: clock() }))
  return new OpenEngine({ root: null, file, sha256: options.sha256 }, { ...surroundings, settings, now })
}

function nowOf(now: Now): number {
  return typeof now === 'number' ? now : now()
}
