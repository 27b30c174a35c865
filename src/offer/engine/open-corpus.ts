// What does an engine hold open? The reader of one index and what questions to it share; a finished index file is the simplest case.
import type { Scope } from '../../answer/answering/choose-scope.ts'
import type { AssembleContext } from '../../answer/answering/digest-parts.ts'
import { type AskedMeaning, noMeaning, QuestionMeaning } from '../../answer/answering/find-meaning.ts'
import type { AssembleOptions } from '../../answer/answering/question-options.ts'
import { type CascadeContext, RememberedSearch } from '../../answer/answering/search-by-cascade.ts'
import { NamedDocuments } from '../../answer/names/named-documents.ts'
import type { CallerWords } from '../../answer/retrieve/caller-words.ts'
import { describeUnchecked, noticesOf } from '../../corpus/indexing/describe-freshness.ts'
import { parseIdFamilies } from '../../corpus/resolve/decision-ids.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { openImmutable } from '../../corpus/store/open-database.ts'
import type { EngineOptions, Now, Surroundings } from '../../model/config/engine-options.ts'
import { readShippedRulebook } from '../../model/config/read-rulebooks.ts'
import { rulebookLanguages } from '../../model/config/rulebook-names.ts'
import { type DigestLimits, digestLimits, type Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { Rulebook } from '../../model/expansion.ts'
import type { Freshness, SearchMode } from '../../model/report.ts'
import type { RuledLanguage } from '../../model/source-file.ts'
import { languageOfKind } from '../../read/parse/artifact-kinds.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import type { QuestionEngine } from './engine.ts'

export type Refresh = 'auto' | 'never' | undefined

export type CorpusOptions = Surroundings & Pick<EngineOptions, 'settings' | 'limits' | 'now'>

/** The rulebook of a kind's language: `markdown_section` → markdown. */
export function rulebookFor(kind: string): Rulebook {
  const language = languageOfKind(kind)
  return isRuled(language) ? readShippedRulebook(language) : { language, chunk_rules: {} }
}

const isRuled = (language: string): language is RuledLanguage =>
  rulebookLanguages.some((name) => name === language)

/** The time of a call, and the caller's guess at the answer's words. */
interface Asking extends CallerWords {
  readonly now?: number | undefined
}

/** An open index. What only a folder with its sources can do is in its subclass `OpenFolder`. */
export abstract class OpenCorpus {
  /** The folder of the sources; null for an index file alone. */
  abstract readonly root: string | null
  abstract readonly indexPath: string
  readonly options: CorpusOptions
  readonly #limits: DigestLimits
  readonly #meaning: QuestionMeaning
  readonly #naming = new NamedDocuments()
  readonly #search = new RememberedSearch()
  protected reader: CorpusReader | null = null

  constructor(options: CorpusOptions) {
    this.options = options
    this.#limits = { ...digestLimits, ...options.limits }
    this.#meaning = new QuestionMeaning(options.settings)
  }

  /** The reader of the index as it is now. */
  abstract open(): CorpusReader

  /** Brings the index up to date where that is wanted. */
  abstract refresh(refresh?: Refresh): Promise<Freshness>

  /** How fresh the index is, without changing it. */
  abstract lookAtFreshness(refresh: Refresh): Promise<Freshness>

  get settings(): Settings {
    return this.options.settings
  }

  /** Refreshes and answers. `OpenFolder` answers again if a file named by `pathsIn` changed meanwhile. */
  async answer<T>(
    refresh: Refresh,
    make: (freshness: Freshness) => Promise<T>,
    _pathsIn: (made: T) => readonly string[],
  ): Promise<T> {
    return make(await this.refresh(refresh))
  }

  async tokenCounter(): Promise<TokenCounter> {
    const { loadTokenizer } = await import('../../read/assets/load-tokenizer.ts')
    return loadTokenizer()
  }

  wanted(options: Partial<AssembleOptions>): AssembleOptions {
    const { maxTokens, depth, layout, refresh } = this.settings
    return {
      maxTokens,
      // Callers of the library are programs; the command line passes its layout.
      layout: layout === 'auto' ? 'brief' : layout,
      sections: 0,
      depth,
      refresh,
      mode: 'hybrid',
      format: 'markdown',
      explain: false,
      fill: false,
      ...options,
    }
  }

  /** Everything that a digest needs; the state of the index is read inside a snapshot. */
  async prepare(
    query: string,
    options: Partial<AssembleOptions>,
    looked?: Freshness,
  ): Promise<AssembleContext> {
    const freshness = looked ?? (await this.refresh(options.refresh))
    const asked = await this.meaningOf(query, options.mode, options)
    return this.scoped(this.context(freshness, asked, options), options)
  }

  /** The context limited to the scope, if there is one. */
  async scoped<C extends CascadeContext & Pick<AssembleContext, 'notices'>>(context: C, scope: Scope) {
    if ((['path', 'kind', 'lang', 'near'] as const).every((key) => scope[key] === undefined)) return context
    const { chooseScope } = await import('../../answer/answering/choose-scope.ts')
    const chosen = chooseScope(context.reader, scope)
    return { ...context, scope: chosen, notices: [...context.notices, ...chosen.notices] }
  }

  meaningOf(query: string, mode: SearchMode = 'hybrid', words: CallerWords = {}): Promise<AskedMeaning> {
    return this.#meaning.of(query, mode, words)
  }

  searching(asked: AskedMeaning, asking: Asking = {}): CascadeContext {
    const { settings, now } = this.options
    return {
      reader: this.open(),
      now: asking.now ?? nowOf(now),
      callerWords: asking,
      relevanceThreshold: this.#limits.relevanceThreshold,
      referenceFilterFrom: this.#limits['references.filterFrom'],
      referenceBoostFrom: this.#limits['references.boostFrom'],
      meaning: asked.meaning,
      naming: this.#naming,
      families: parseIdFamilies(settings.ids),
    }
  }

  context(
    freshness: AssembleContext['freshness'],
    asked: AskedMeaning = noMeaning,
    asking: Asking = {},
  ): AssembleContext {
    return {
      ...this.searching(asked, asking),
      expansion: { ...this.settings, ...this.#limits },
      rulebookFor,
      freshness,
      isPartial: freshness.state === 'incomplete',
      notices: [...noticesOf(freshness), ...asked.notices],
      search: this.#search,
    }
  }

  close(): void {
    this.#meaning.close()
    this.reader?.close()
    this.reader = null
  }
}

/** A finished index file without its sources. Nothing else is read, and nothing is written. */
export class OpenFile extends OpenCorpus {
  readonly root = null
  readonly indexPath: string
  readonly #sha256: string

  constructor(file: string, sha256: string, options: CorpusOptions) {
    super(options)
    this.indexPath = file
    this.#sha256 = sha256
  }

  override open(): CorpusReader {
    this.reader ??= new CorpusReader(openImmutable(this.indexPath, this.#sha256))
    return this.reader
  }

  override async refresh(): Promise<Freshness> {
    return { ...describeUnchecked(this.open(), null), state: 'fresh' }
  }

  override lookAtFreshness(): Promise<Freshness> {
    return this.refresh()
  }
}

const corpora = new WeakMap<QuestionEngine, OpenCorpus>()

/** Remembers which corpus an engine answers from. */
export function registerEngine<E extends QuestionEngine>(engine: E, corpus: OpenCorpus): E {
  corpora.set(engine, corpus)
  return engine
}

/** The corpus behind an engine of this process. Throws BAD_INPUT for any other object. */
export function corpusOf(engine: QuestionEngine): OpenCorpus {
  const corpus = corpora.get(engine)
  if (corpus === undefined)
    throw new YoreError('BAD_INPUT', 'this engine was not opened by openEngine or openCorpusFile')
  return corpus
}

const nowOf = (now: Now): number => (typeof now === 'number' ? now : now())
