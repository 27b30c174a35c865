// How does one corpus answer questions? Search, digest, expansion, reading, and answers by an LLM; code is loaded when it is needed.
import type { AskContext, AskedCorpus } from '../../answer/answering/ask-question.ts'
import type { OffersOf } from '../../answer/answering/assemble-context.ts'
import type { AskOptions } from '../../answer/answering/question-options.ts'
import type { StartSession } from '../../explore/join-sessions.ts'
import type { AskResult } from '../../model/conversation.ts'
import type { Freshness, SearchResult } from '../../model/report.ts'
import type { CorpusEngine, QuestionEngine } from './engine.ts'
import type { OpenCorpus } from './open-corpus.ts'

type Questions = 'search' | 'assemble' | 'read' | 'expand' | 'startExpansion' | 'ask' | 'previewAsk'

export function questionEngine(
  corpus: OpenCorpus,
): Pick<QuestionEngine, Questions> & Pick<CorpusEngine, 'assembleBudgets'> {
  const startExpansion: QuestionEngine['startExpansion'] = async (present, limits = {}) => {
    const { findOrigin } = await import('../../corpus/lookup/find-artifact.ts')
    const known = typeof present === 'string' ? findOrigin(corpus.open(), present).present : present
    return (await sessionStarter(corpus))(known, limits)
  }
  const asking = async (options: Partial<AskOptions>): Promise<AskContext> => {
    const { openAsking } = await import('../../answer/answering/ask-question.ts')
    return openAsking(options, {
      settings: corpus.settings,
      corpora: [await askedCorpus(corpus, null, options)],
      startExpansion: (present) => startExpansion(present),
    })
  }
  return {
    async search(query, options = {}) {
      const { match = 'words', limit = 10, allSections = false, askForWords = false } = options
      const search = async (freshness: Freshness): Promise<SearchResult> => {
        if (match !== 'words') {
          const { matchText } = await import('../../answer/answering/match-text.ts')
          const context = await corpus.scoped(corpus.context(freshness), options)
          return { ...(await matchText(query, { limit, match }, context)), notices: context.notices }
        }
        const { searchCorpus } = await import('../../answer/answering/search-corpus.ts')
        const context = await corpus.prepare(query, options, freshness)
        const found = searchCorpus(query, { limit, allSections, askForWords }, context)
        return { ...found, notices: [...context.notices, ...found.notices] }
      }
      return corpus.answer(options.refresh, search, ({ hits }) => hits.map(({ path }) => path))
    },

    async assemble(query, options = {}) {
      const [{ assembleContext }, { offersIn, presentIn }, start] = await Promise.all([
        import('../../answer/answering/assemble-context.ts'),
        import('../../explore/expand-context.ts'),
        sessionStarter(corpus),
      ])
      return corpus.answer(
        options.refresh,
        async (freshness) => {
          const context = await corpus.prepare(query, options, freshness)
          const offersOf: OffersOf = (digest) => offersIn(start(presentIn(digest), {}, context.reader))
          return assembleContext(query, corpus.wanted(options), context, offersOf)
        },
        ({ digest: { primary, expanded } }) => [...primary, ...expanded].map(({ path }) => path),
      )
    },

    async assembleBudgets(query, budgets, options = {}) {
      const { assembleBudgets } = await import('../../answer/answering/assemble-context.ts')
      const context = await corpus.prepare(query, options, await corpus.refresh(options.refresh))
      return assembleBudgets(query, corpus.wanted(options), budgets, context)
    },

    async read(named, options = {}) {
      const { readPassage } = await import('../../explore/read-passage.ts')
      const { maxTokens, tokenizer } = { ...corpus.settings, ...options }
      const freshness = await corpus.refresh(options.refresh)
      const limits = { maxTokens, countTokens: await corpus.tokenCounter(tokenizer) }
      return { ...readPassage(corpus.open(), named, limits), freshness }
    },

    async expand(request, within = {}) {
      const [{ requestExpansion }, { findOrigin }, countTokens] = await Promise.all([
        import('../../explore/request-expansion.ts'),
        import('../../corpus/lookup/find-artifact.ts'),
        corpus.tokenCounter(),
      ])
      const freshness = await corpus.refresh(request.refresh)
      const origin = within.session === undefined ? findOrigin(corpus.open(), request.from) : null
      const session = within.session ?? (await startExpansion(origin?.present ?? []))
      // A cancelled request costs nothing.
      within.signal?.throwIfAborted()
      const asked = { ...request, from: origin?.from ?? request.from }
      return { ...requestExpansion(session, asked, countTokens), freshness }
    },

    startExpansion,

    async ask(question, options = {}) {
      return askModel(corpus, question, options, await asking(options))
    },

    async previewAsk(question, options = {}) {
      const { previewQuestion } = await import('../../answer/answering/ask-question.ts')
      return previewQuestion(question, { history: [], ...options }, await asking(options))
    },
  }
}

/** Starts expansions without waiting for anything. */
export async function sessionStarter(corpus: OpenCorpus): Promise<StartSession> {
  const { startSession } = await import('../../explore/expand-context.ts')
  const countTokens = await corpus.tokenCounter()
  const { settings } = corpus
  return (present, limits = {}, held) =>
    startSession(present, {
      // Opened for each read: the index may have been rebuilt meanwhile.
      read: (use) => {
        const reader = held ?? corpus.open()
        return reader.snapshot(() => use(reader))
      },
      rulebookFor: corpus.rulebookFor(),
      limits: { budget: settings.expansionBudget, maxDepth: settings.depth, ...limits },
      countTokens,
    })
}

export async function askedCorpus(
  corpus: OpenCorpus,
  name: string | null,
  options: Partial<AskOptions>,
): Promise<AskedCorpus> {
  const freshness = await corpus.refresh(options.refresh)
  return {
    name,
    context: (asked) => corpus.context(freshness, asked, options),
    meaningOf: (question, mode) => corpus.meaningOf(question, mode),
  }
}

export async function askModel(
  { settings, options: { env } }: OpenCorpus,
  question: string,
  options: Partial<AskOptions>,
  context: AskContext,
): Promise<AskResult> {
  const [{ askQuestion }, { openModel, readModelSettings }] = await Promise.all([
    import('../../answer/answering/ask-question.ts'),
    import('../../answer/converse/open-model.ts'),
  ])
  const model = openModel(readModelSettings(settings, env))
  return askQuestion(question, model, { history: [], ...options }, context)
}
