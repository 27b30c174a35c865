// How is an engine opened? A folder with its configuration, or a corpus file alone; the index is opened when first needed.
// Long because it is the one door: every operation behind it is a few lines here.

import { join } from 'node:path'
import type { AskContext, AskedCorpus } from '../../answer/answering/ask-question.ts'
import type { AssembleContext } from '../../answer/answering/assemble-context.ts'
import type { Scope } from '../../answer/answering/choose-scope.ts'
import { type AskedMeaning, noMeaning, QuestionMeaning } from '../../answer/answering/find-meaning.ts'
import { NamedDocuments } from '../../answer/answering/find-named-documents.ts'
import type { AskOptions, AssembleOptions, SearchOptions } from '../../answer/answering/question-options.ts'
import type { QuestionReranking } from '../../answer/answering/rerank-question.ts'
import { type CascadeContext, RememberedSearch } from '../../answer/answering/search-by-cascade.ts'
import type { ExpansionLimits } from '../../answer/expand/expansion-state.ts'
import type {
  EvaluateOptions,
  EvaluateResult,
  EvaluationRuns,
  NewQuestion,
  QuestionSource,
} from '../../check/evaluation/evaluation.ts'
import type { HealthResult } from '../../check/health/health-rules.ts'
import type { LinkResult } from '../../check/links/check-links.ts'
import type { FixedDocument } from '../../check/links/plan-link-fixes.ts'
import type { RulebookFileReport } from '../../check/rulebooks/check-rulebooks.ts'
import {
  loadRulebooks,
  type RulebooksInForce,
  rulebooksByKind,
} from '../../check/rulebooks/load-rulebooks.ts'
import { canonicalityWeights } from '../../corpus/graph/score-canonicality.ts'
import { describeUnchecked, noticesOf } from '../../corpus/indexing/describe-freshness.ts'
import type { FileStanding } from '../../corpus/indexing/find-standing.ts'
import type { CorpusChanges } from '../../corpus/indexing/given-files.ts'
import type { RememberedLook } from '../../corpus/indexing/remember-look.ts'
import { parseIdFamilies } from '../../corpus/resolve/decision-ids.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { adoptDatabase, openForReading, openImmutable } from '../../corpus/store/open-database.ts'
import { versionOf } from '../../corpus/store/ownership/check-permission.ts'
import type { ChangeReport } from '../../explore/describe-changes.ts'
import type {
  DocumentDescription,
  DocumentGraph,
  DocumentGraphOptions,
} from '../../explore/describe-document.ts'
import type { Uses, UsesOptions } from '../../explore/find-uses.ts'
import type { Report, ReportOptions } from '../../explore/fit-report.ts'
import type { StartSession } from '../../explore/join-sessions.ts'
import type { MappedFile } from '../../explore/map-corpus.ts'
import type { GraphOptions, GraphResult } from '../../explore/read-graph.ts'
import type { ReadResult, TextResult } from '../../explore/read-passage.ts'
import type { ExpandRequest, ExpandResult } from '../../explore/request-expansion.ts'
import type { EngineOptions, FirstUse, Now, Surroundings } from '../../model/config/engine-options.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import { loadSettings } from '../../model/config/load-settings.ts'
import { overridesFile } from '../../model/config/read-rulebooks.ts'
import { readNow } from '../../model/config/read-time.ts'
import { defaultSettings, type Settings } from '../../model/config/settings.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import type { AskResult, Message, Sessions } from '../../model/conversation.ts'
import { type ErrorCode, YoreError } from '../../model/errors.ts'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import type {
  AssembleResult,
  DoctorCheck,
  Freshness,
  IndexProgress,
  IndexReport,
  SearchMode,
  SearchResult,
  StatusReport,
} from '../../model/report.ts'
import { product } from '../../model/version.ts'
import type { ServiceAddress } from '../exchange/corpus-client.ts'
import type { PullOptions, PullReport } from '../exchange/pull-corpus.ts'
import type { PushOptions, PushReport } from '../exchange/push-corpus.ts'
import type { CorpusFileOptions, Engine, IndexOptions, OpenOptions, ReadOptions } from './engine.ts'

/** What a question mends itself: nothing is there, or nothing that this yore may read. */
const buildable: ReadonlySet<ErrorCode> = new Set(['NO_INDEX', 'INDEX_OUTDATED', 'INDEX_FOREIGN'])

/** A folder with its index, or a finished index file alone. */
type Corpus =
  | { readonly root: string; readonly indexDir: string }
  | { readonly root: null; readonly file: string; readonly sha256: string }

interface Opened extends Surroundings {
  readonly settings: Settings
  readonly now: Now
  readonly firstUse?: FirstUse | undefined
}

/** The engine of one corpus; beside its operations it shows what joining several needs. */
export class OpenEngine implements Engine {
  readonly #corpus: Corpus
  readonly #options: Opened
  readonly #indexPath: string
  #reader: CorpusReader | null = null
  readonly #meaning: QuestionMeaning
  #reranking: QuestionReranking | null = null
  readonly #naming = new NamedDocuments()
  readonly #search = new RememberedSearch()
  #rulebooks: { readonly version: string; readonly for: AssembleContext['rulebookFor'] } | null = null
  /** The file that the reader has open: a rebuilt index is another file. */
  #version = ''
  #building: Promise<void> | null = null
  #looked: RememberedLook | null = null
  /** Looks at files come one after the other. */
  #looking: Promise<unknown> = Promise.resolve()

  constructor(corpus: Corpus, options: Opened) {
    this.#corpus = corpus
    this.#options = options
    this.#indexPath = corpus.root === null ? corpus.file : join(corpus.indexDir, 'index.db')
    this.#meaning = new QuestionMeaning(options.settings, options)
  }

  get settings(): Settings {
    return this.#options.settings
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
    const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
    const folder = this.#folder()
    if (options.rebuild === true) this.close()
    const { fetch = false, ...wanted } = options
    return indexCorpus({
      ...folder,
      paths: [],
      rebuild: false,
      fetching: fetch ? 'all' : 'missing',
      ...wanted,
    })
  }

  async applyChanges(
    changes: CorpusChanges,
    options: { readonly onProgress?: (progress: IndexProgress) => void } = {},
  ): Promise<IndexReport> {
    const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
    return indexCorpus({ ...this.#folder(), paths: [], rebuild: false, changes, ...options })
  }

  async search(query: string, options: Partial<SearchOptions> = {}): Promise<SearchResult> {
    const { searchCorpus } = await import('../../answer/answering/search-corpus.ts')
    const { match = 'words', limit = 10 } = options
    const search = async (freshness: Freshness): Promise<SearchResult> => {
      if (match !== 'words') {
        const { matchText } = await import('../../answer/answering/match-text.ts')
        const context = await this.#scoped(this.#context(freshness), options)
        const found = await matchText(query, { limit, match }, context)
        return { ...found, notices: context.notices }
      }
      const asked = await this.#meaningOf(query, options.mode, options)
      const context = await this.#scoped(this.#context(freshness, asked, options.now), options)
      const found = searchCorpus(query, { limit }, context)
      return { ...found, notices: [...context.notices, ...found.notices] }
    }
    return this.#answer(options.refresh, search, ({ hits }) => hits.map(({ path }) => path))
  }

  /** What is left out of the options is what the settings say. */
  wanted(options: Partial<AssembleOptions>): AssembleOptions {
    const { maxTokens, depth, layout, tokenizer, refresh } = this.#options.settings
    return {
      maxTokens,
      // Who calls the library is a program; the command line names its layout.
      layout: layout === 'auto' ? 'brief' : layout,
      sections: 0,
      depth,
      tokenizer,
      refresh,
      mode: 'hybrid',
      format: 'markdown',
      explain: false,
      fill: false,
      ...options,
    }
  }

  /** Everything that answers a question but the index's state: that is read inside a snapshot. */
  async prepare(
    query: string,
    options: Partial<AssembleOptions>,
    looked?: Freshness,
  ): Promise<AssembleContext> {
    const freshness = looked ?? (await this.#refresh(options.refresh))
    const asked = await this.#meaningOf(query, options.mode, options)
    return this.#scoped(this.#context(freshness, asked, options.now), options)
  }

  async assemble(query: string, options: Partial<AssembleOptions> = {}): Promise<AssembleResult> {
    const { assembleContext } = await import('../../answer/answering/assemble-context.ts')
    const assemble = async (freshness: Freshness): Promise<AssembleResult> =>
      assembleContext(query, this.wanted(options), await this.prepare(query, options, freshness))
    return this.#answer(options.refresh, assemble, ({ digest: { primary, expanded } }) =>
      [...primary, ...expanded].map(({ path }) => path),
    )
  }

  /** Answers; again when a document that is shown turns out to be another than was indexed. */
  async #answer<T>(
    refresh: 'auto' | 'never' | undefined,
    make: (freshness: Freshness) => Promise<T>,
    pathsIn: (made: T) => readonly string[],
  ): Promise<T> {
    const freshness = await this.#refresh(refresh)
    let made = await make(freshness)
    // After a look at every file there is nothing to add.
    if (this.#corpus.root !== null && (freshness.watched ?? freshness.compared) !== undefined) {
      const { findChanged } = await import('../../corpus/indexing/refresh-index.ts')
      const changed = findChanged(this.#open(), this.#corpus.root, pathsIn(made))
      if (changed.length > 0) made = await make(await this.#refresh(refresh, changed))
    }
    return made
  }

  /** The scope is looked up only when there is one. */
  async #scoped<C extends CascadeContext & Pick<AssembleContext, 'notices'>>(
    context: C,
    scope: Scope,
  ): Promise<C> {
    if ((['path', 'kind', 'lang', 'since', 'near'] as const).every((key) => scope[key] === undefined))
      return context
    const { chooseScope } = await import('../../answer/answering/choose-scope.ts')
    const chosen = chooseScope(context.reader, this.#corpus.root, scope)
    return { ...context, scope: chosen, notices: [...context.notices, ...chosen.notices] }
  }

  async #meaningOf(
    query: string,
    mode: SearchMode = 'hybrid',
    within: Scope & { readonly now?: number | undefined } = {},
  ): Promise<AskedMeaning> {
    const [{ findSlips }, { spellQuestion }] = await Promise.all([
      import('../../answer/answering/question-notices.ts'),
      import('../../answer/retrieve/mend-spelling.ts'),
    ])
    const mended = findSlips(this.#open(), query)
    const spelled = spellQuestion(query, mended)
    const asked = { ...(await this.#meaning.of(spelled, mode)), mended }
    if (this.#options.settings['rerank.url'] === '') return asked
    const { QuestionReranking } = await import('../../answer/answering/rerank-question.ts')
    this.#reranking ??= new QuestionReranking(this.#options.settings, this.#options)
    const context = await this.#scoped({ ...this.#searching(asked, within.now), notices: [] }, within)
    const { reranked, notices } = await this.#reranking.of(spelled, context)
    return { ...asked, reranked, notices: [...asked.notices, ...notices] }
  }

  #searching(asked: AskedMeaning, moment?: number): CascadeContext {
    const { settings, now } = this.#options
    return {
      reader: this.#open(),
      now: moment ?? nowOf(now),
      relevanceThreshold: settings.relevanceThreshold,
      referenceFilterFrom: settings['references.filterFrom'],
      authority: canonicalityWeights,
      referenceBoostFrom: settings['references.boostFrom'],
      meaning: asked.meaning,
      reranked: asked.reranked,
      mended: asked.mended,
      naming: this.#naming,
      families: parseIdFamilies(settings.ids),
    }
  }

  #context(
    freshness: AssembleContext['freshness'],
    asked: AskedMeaning = noMeaning,
    moment?: number,
  ): AssembleContext {
    return {
      ...this.#searching(asked, moment),
      expansion: this.#options.settings,
      rulebookFor: this.#rulebookFor(),
      freshness,
      notices: [...noticesOf(freshness), ...asked.notices],
      search: this.#search,
    }
  }

  /** Read anew when the repository's own file is another: an engine may stay open for days. */
  #rulebookFor(): AssembleContext['rulebookFor'] {
    const { root } = this.#corpus
    const version = root === null ? '' : versionOf(join(root, overridesFile))
    if (this.#rulebooks?.version !== version) this.#rulebooks = { version, for: rulebooksByKind(root) }
    return this.#rulebooks.for
  }

  async evaluate(source: QuestionSource, options: Partial<EvaluateOptions> = {}): Promise<EvaluateResult> {
    const [{ evaluateQuestions }, { readQuestions }] = await Promise.all([
      import('../../check/evaluation/evaluate-questions.ts'),
      import('../../check/evaluation/read-questions.ts'),
    ])
    const { settings } = this.#options
    const asked =
      'file' in source
        ? { file: source.file, questions: readQuestions(this.#folder().root, source.file) }
        : { file: null, questions: source.questions }
    const freshness = await this.#refresh(options.refresh)
    const { maxTokens, depth, tokenizer, refresh } = settings
    const wanted = {
      maxTokens,
      sections: 0,
      depth,
      tokenizer,
      refresh,
      minCoverage: 0.8,
      ...options,
    }
    const meanings = new Map<string, AskedMeaning>()
    for (const { question } of asked.questions) {
      const meaning = await this.#meaningOf(question)
      // Figures by words alone would be taken for those of the configured search.
      if (meaning.notices[0] !== undefined) throw new YoreError('BAD_CONFIG', meaning.notices[0])
      meanings.set(question, meaning)
    }
    const context = this.#context(freshness)
    return { evaluation: evaluateQuestions(asked, wanted, context, meanings), freshness }
  }

  async evaluationRuns(): Promise<EvaluationRuns> {
    const { RunStore } = await import('../../check/evaluation/run-store.ts')
    return new RunStore(this.#folder().indexDir, this.#options)
  }

  async addQuestion(question: NewQuestion): Promise<string> {
    const { addQuestion } = await import('../../check/evaluation/read-questions.ts')
    return addQuestion(this.#folder().root, question)
  }

  async #refresh(
    refresh: 'auto' | 'never' = this.#options.settings.refresh,
    changed?: readonly string[],
  ): Promise<Freshness> {
    const { root } = this.#corpus
    // A finished file is what it is: nothing beside it is looked at.
    if (root === null) return { ...describeUnchecked(this.#open()), state: 'fresh' }
    if (refresh === 'never') return describeUnchecked(this.#open())
    const look = async (): Promise<Freshness> => {
      await this.#buildMissing()
      const [{ refreshIndex }, { RememberedLook }] = await Promise.all([
        import('../../corpus/indexing/refresh-index.ts'),
        import('../../corpus/indexing/remember-look.ts'),
      ])
      this.#looked ??= new RememberedLook(root, this.#options.clock)
      return refreshIndex(this.#open(), this.#folder(), { remembered: this.#looked, changed })
    }
    const looked = this.#looking.then(look)
    this.#looking = looked.catch(() => {})
    return looked
  }

  /** Calls that come meanwhile wait for the same run. */
  async #buildMissing(): Promise<void> {
    try {
      if (this.#building !== null) return await this.#building
      this.#open()
    } catch (cause) {
      if (!(cause instanceof YoreError && buildable.has(cause.code))) throw cause
      const { build = true, onProgress, onEnded, confirm = async () => false } = this.#options.firstUse ?? {}
      if (!build) throw cause
      const { indexCorpus } = await import('../../corpus/indexing/index-corpus.ts')
      this.#building ??= indexCorpus({
        ...this.#folder(),
        ...{ paths: [], rebuild: false, confirm },
        ...(onProgress === undefined ? {} : { onProgress }),
      })
        .then(
          (report) => onEnded?.(report),
          (fault) => {
            onEnded?.(null)
            throw fault
          },
        )
        .finally(() => (this.#building = null))
      await this.#building
    }
  }

  async graph(named: string, options: Partial<GraphOptions> = {}): Promise<GraphResult> {
    const { readGraph } = await import('../../explore/read-graph.ts')
    const freshness = await this.#refresh(options.refresh)
    return { graph: readGraph(this.#open(), named, options.direction ?? 'both'), freshness }
  }

  async uses(named: string, options: Partial<UsesOptions & ReportOptions> = {}): Promise<Report<Uses>> {
    const { findUses, listUses } = await import('../../explore/find-uses.ts')
    const wanted = { direction: options.direction ?? 'both', depth: options.depth ?? 1 }
    return this.#report(options, (reader) => {
      const facts = findUses(reader, named, wanted)
      return { facts, lines: listUses(facts, wanted) }
    })
  }

  async outline(
    named: string | null,
    options: Partial<ReportOptions> & { readonly question?: string | undefined } = {},
  ): Promise<Report<readonly MappedFile[]>> {
    const { outlineFile, mapCorpus, listMap } = await import('../../explore/map-corpus.ts')
    const { question } = options
    const found =
      named !== null || question === undefined
        ? null
        : await this.search(question, {
            limit: 50,
            refresh: options.refresh ?? this.#options.settings.refresh,
          })
    const hits = found?.hits ?? []
    const files = new Map<string, number>()
    for (const { path, score } of hits) files.set(path, (files.get(path) ?? 0) + score)
    const asked = { files, sections: new Set(hits.map(({ artifact }) => artifact)) }
    return this.#report(options, (reader, maxTokens) => {
      // A file takes at least its path: what cannot fit is not read.
      const facts = named === null ? mapCorpus(reader, asked, maxTokens / 5) : [outlineFile(reader, named)]
      return { facts, lines: listMap(facts) }
    })
  }

  async diff(ref: string, options: Partial<ReportOptions> = {}): Promise<Report<ChangeReport>> {
    const { describeChanges, listChanges } = await import('../../explore/describe-changes.ts')
    return this.#report(options, (reader) => {
      const facts = describeChanges(reader, this.#folder().root, ref)
      return { facts, lines: listChanges(facts) }
    })
  }

  async #report<Facts>(
    options: Partial<ReportOptions>,
    make: (reader: CorpusReader, maxTokens: number) => { facts: Facts; lines: readonly string[] },
  ): Promise<Report<Facts>> {
    const [{ fitReport }, { loadTokenizer }] = await Promise.all([
      import('../../explore/fit-report.ts'),
      import('../../read/assets/load-tokenizer.ts'),
    ])
    const freshness = await this.#refresh(options.refresh)
    const { maxTokens = 4000 } = options
    const { facts, lines } = make(this.#open(), maxTokens)
    const countTokens = loadTokenizer(this.#options.settings.tokenizer)
    return { ...fitReport(lines, { maxTokens, countTokens }), facts, freshness }
  }

  async artifactIds(): Promise<readonly string[]> {
    await this.#refresh()
    return this.#open().artifactIds()
  }

  async checkLinks(options: { readonly refresh?: 'auto' | 'never' } = {}): Promise<LinkResult> {
    const { checkLinks } = await import('../../check/links/check-links.ts')
    const freshness = await this.#refresh(options.refresh)
    return {
      links: checkLinks(this.#open(), this.#corpus.root, this.#options.settings.ignoreLinks),
      freshness,
    }
  }

  async planLinkFixes(
    options: { readonly refresh?: 'auto' | 'never' } = {},
  ): Promise<readonly FixedDocument[]> {
    const { planLinkFixes } = await import('../../check/links/plan-link-fixes.ts')
    const { root } = this.#folder()
    const { links } = await this.checkLinks(options)
    return planLinkFixes(this.#open(), root, links)
  }

  async checkHealth(options: { readonly refresh?: 'auto' | 'never' } = {}): Promise<HealthResult> {
    const { checkHealth } = await import('../../check/health/check-health.ts')
    const freshness = await this.#refresh(options.refresh)
    const { reader, now, authority } = this.#searching(noMeaning)
    const { ignoreLinks } = this.#options.settings
    return {
      health: checkHealth({ reader, root: this.#corpus.root, ignoreLinks, now, authority }),
      freshness,
    }
  }

  async describeDocument(
    named: string,
    options: { readonly refresh?: 'auto' | 'never' } = {},
  ): Promise<DocumentDescription> {
    const { describeDocument } = await import('../../explore/describe-document.ts')
    const freshness = await this.#refresh(options.refresh)
    return { ...describeDocument(named, this.#searching(noMeaning)), freshness }
  }

  async documentGraph(
    options: Partial<DocumentGraphOptions> & { readonly refresh?: 'auto' | 'never' } = {},
  ): Promise<DocumentGraph> {
    const { readDocumentGraph } = await import('../../explore/describe-document.ts')
    await this.#refresh(options.refresh)
    return readDocumentGraph(this.#searching(noMeaning), { offset: 0, limit: 500, ...options })
  }

  async read(named: string, options: Partial<ReadOptions> = {}): Promise<ReadResult> {
    const [{ readPassage }, { loadTokenizer }] = await Promise.all([
      import('../../explore/read-passage.ts'),
      import('../../read/assets/load-tokenizer.ts'),
    ])
    const { maxTokens, tokenizer } = { ...this.#options.settings, ...options }
    const freshness = await this.#refresh(options.refresh)
    const limits = { maxTokens, countTokens: loadTokenizer(tokenizer) }
    return { ...readPassage(this.#open(), named, limits), freshness }
  }

  async text(named: string, options: { readonly refresh?: 'auto' | 'never' } = {}): Promise<TextResult> {
    const { readText } = await import('../../explore/read-passage.ts')
    const freshness = await this.#refresh(options.refresh)
    return { ...readText(this.#open(), named), freshness }
  }

  async standingOf(path: string): Promise<FileStanding> {
    if (this.#corpus.root === null) return { state: this.#open().hasFile(path) ? 'indexed' : 'absent' }
    const { findStanding } = await import('../../corpus/indexing/find-standing.ts')
    return findStanding(this.#open(), path, this.#folder())
  }

  async expand(
    request: ExpandRequest,
    within: { readonly session?: ExpansionSession; readonly signal?: AbortSignal } = {},
  ): Promise<ExpandResult> {
    const [{ requestExpansion }, { loadTokenizer }] = await Promise.all([
      import('../../explore/request-expansion.ts'),
      import('../../read/assets/load-tokenizer.ts'),
    ])
    const freshness = await this.#refresh(request.refresh)
    const { findOrigin } = await import('../../corpus/lookup/find-artifact.ts')
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
    const { findOrigin } = await import('../../corpus/lookup/find-artifact.ts')
    const known = typeof present === 'string' ? findOrigin(this.#open(), present).present : present
    return (await this.sessionStarter())(known, limits)
  }

  /** What starts expansions without waiting for anything. */
  async sessionStarter(): Promise<StartSession> {
    const [{ startSession }, { loadTokenizer }] = await Promise.all([
      import('../../explore/expand-context.ts'),
      import('../../read/assets/load-tokenizer.ts'),
    ])
    const { settings } = this
    return (present, limits = {}) =>
      startSession(present, {
        // Opened anew for each look: the index may have been rebuilt meanwhile.
        read: (use) => {
          const reader = this.#open()
          return reader.snapshot(() => use(reader))
        },
        rulebookFor: this.#rulebookFor(),
        limits: { budget: settings.expansionBudget, maxDepth: settings.depth, ...limits },
        countTokens: loadTokenizer(settings.tokenizer),
      })
  }

  async ask(question: string, options: Partial<AskOptions> = {}): Promise<AskResult> {
    return this.askWith(question, options, await this.#asking(options))
  }

  /** The model that the settings name, over whatever corpora the context has. */
  async askWith(question: string, options: Partial<AskOptions>, context: AskContext): Promise<AskResult> {
    const [{ askQuestion }, { openModel, readModelSettings }] = await Promise.all([
      import('../../answer/answering/ask-question.ts'),
      import('../../answer/converse/open-model.ts'),
    ])
    const model = openModel(readModelSettings(this.settings, this.#options.env))
    return askQuestion(question, model, { history: [], ...options }, context)
  }

  async previewAsk(question: string, options: Partial<AskOptions> = {}): Promise<readonly Message[]> {
    const { previewQuestion } = await import('../../answer/answering/ask-question.ts')
    return previewQuestion(question, { history: [], ...options }, await this.#asking(options))
  }

  async #asking(options: Partial<AskOptions>): Promise<AskContext> {
    const { openAsking } = await import('../../answer/answering/ask-question.ts')
    return openAsking(options, {
      settings: this.settings,
      corpora: [await this.toBeAsked(null, options)],
      startExpansion: (present) => this.startExpansion(present),
    })
  }

  async toBeAsked(name: string | null, options: Partial<AskOptions>): Promise<AskedCorpus> {
    const freshness = await this.#refresh(options.refresh)
    return {
      name,
      context: (asked) => this.#context(freshness, asked, options.now),
      meaningOf: (question, mode) => this.#meaningOf(question, mode),
    }
  }

  async sessions(): Promise<Sessions> {
    const { SessionStore } = await import('../../answer/converse/session-store.ts')
    return new SessionStore(this.#folder().indexDir, this.#options.env)
  }

  async rulebooks(): Promise<RulebooksInForce> {
    return loadRulebooks(this.#corpus.root)
  }

  async checkRulebooks(file?: string): Promise<readonly RulebookFileReport[]> {
    const { checkRulebooks } = await import('../../check/rulebooks/check-rulebooks.ts')
    return checkRulebooks(this.#folder().root, file ?? null)
  }

  async status({
    refresh,
    listIgnored = false,
  }: Parameters<Engine['status']>[0] = {}): Promise<StatusReport> {
    const [{ readStatus }, { lookAtFreshness }] = await Promise.all([
      import('../../corpus/indexing/read-status.ts'),
      import('../../corpus/indexing/refresh-index.ts'),
    ])
    const reader = this.#open()
    const found =
      this.#corpus.root === null || refresh === 'never'
        ? await this.#refresh(refresh)
        : await lookAtFreshness(reader, this.#folder())
    const { state, changedFiles, indexedAt } = found
    const freshness = { state, changedFiles, indexedAt }
    const root = this.#corpus.root ?? reader.meta('root') ?? ''
    const report = await readStatus(reader, { ...this.#options, root, indexPath: this.#indexPath, freshness })
    if (!listIgnored || this.#corpus.root === null) return report
    const ignoring = await import('../../corpus/indexing/list-ignored.ts')
    return { ...report, ignoredFiles: ignoring.listIgnored(this.#corpus.root, this.#options.settings) }
  }

  async doctor(): Promise<readonly DoctorCheck[]> {
    const { runDoctor } = await import('../../corpus/indexing/run-doctor.ts')
    return runDoctor(this.#folder())
  }

  async push(corpus: string, options: Partial<PushOptions> = {}): Promise<PushReport> {
    const { pushCorpus, pushDefaults } = await import('../exchange/push-corpus.ts')
    const { root, settings } = this.#folder()
    const { maxFileSize } = settings
    await this.index()
    const context = { ...pushDefaults, ...options, root, maxFileSize, address: this.#service() }
    return pushCorpus(this.#open(), corpus, context)
  }

  async pull(corpus: string, options: Partial<PullOptions> = {}): Promise<PullReport> {
    const { pullCorpus, pullDefaults } = await import('../exchange/pull-corpus.ts')
    const { root } = this.#folder()
    const report = await pullCorpus(root, corpus, { ...pullDefaults, ...options, address: this.#service() })
    if (!report.dryRun) await this.index()
    return report
  }

  #service(): ServiceAddress {
    const { settings, env } = this.#options
    return { url: settings.serverUrl, key: env[`${product.environment}SERVER_KEY`] ?? '' }
  }

  async watch(options: Parameters<Engine['watch']>[0]): Promise<void> {
    const { watchCorpus } = await import('../../corpus/indexing/watch-corpus.ts')
    await watchCorpus(this.#folder(), options)
  }

  close(): void {
    this.#meaning.close()
    this.#reranking?.close()
    this.#looked?.close()
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
    const { root, indexDir, settings, now, firstUse } = where
    return new OpenEngine({ root, indexDir }, { ...surroundingsOf(where), settings, now, firstUse })
  }
  const surroundings = surroundingsOf(options)
  const { env, clock } = surroundings
  const { root, indexDir } = findCorpus({ cwd: process.cwd(), root: where, index: options.indexDir })
  const { settings } = loadSettings({ root, env, flags: options.settings ?? {} })
  const now = options.now ?? ((): number => readNow({ env, clock: clock() }))
  const { firstUse } = options
  return new OpenEngine({ root, indexDir }, { ...surroundings, settings, now, firstUse })
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

/**
 * Begins the index of a folder with a finished index file of the same documents, made elsewhere: the next `index()`
 * looks at every file, and analyses those that are not the same. Whoever asks has verified the file. Throws where the
 * folder has an index already.
 *
 * @example
 * adoptCorpusFile('/data/corpora/7f3a.db', { root: '/data/work', indexDir: '/data/work/.yore' })
 */
export function adoptCorpusFile(
  file: string,
  place: { readonly root: string; readonly indexDir: string; readonly env?: Environment },
): void {
  const { root, indexDir, env = process.env } = place
  adoptDatabase(file, { indexPath: join(indexDir, 'index.db'), root, env })
}

function nowOf(now: Now): number {
  return typeof now === 'number' ? now : now()
}
