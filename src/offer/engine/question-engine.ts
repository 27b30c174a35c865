// How does one corpus answer questions? Search, digest, expansion, reading, and answers by an LLM; code is loaded when it is needed.
import type { Freshness, SearchResult } from '../../model/report.ts'
import type { CorpusEngine } from './engine.ts'
import { type OpenCorpus, rulebookFor } from './open-corpus.ts'

type Questions = 'search' | 'assemble' | 'read' | 'expand' | 'startExpansion' | 'ask' | 'assembleBudgets'

export function questionEngine(corpus: OpenCorpus): Pick<CorpusEngine, Questions> {
  const startExpansion: CorpusEngine['startExpansion'] = async (present, limits = {}) => {
    const { findOrigin } = await import('../../corpus/lookup/find-artifact.ts')
    const { openSession } = await import('../../answer/answering/expand-context.ts')
    const countTokens = await corpus.tokenCounter()
    const { settings } = corpus
    const first = typeof present === 'string' ? findOrigin(corpus.open(), present).present : present
    return openSession(first, {
      // Opened for each read: the index may have been rebuilt meanwhile.
      read: (use) => {
        const reader = corpus.open()
        return reader.snapshot(() => use(reader))
      },
      rulebookFor,
      limits: { budget: settings.expansionBudget, maxDepth: settings.depth, ...limits },
      countTokens,
    })
  }
  return {
    async search(query, options = {}) {
      const { match = 'words', limit = 10, allSections = false } = options
      const search = async (freshness: Freshness): Promise<SearchResult> => {
        if (match !== 'words') {
          const { matchText } = await import('../../answer/answering/match-text.ts')
          const context = await corpus.scoped(corpus.context(freshness), options)
          return { ...(await matchText(query, { limit, match }, context)), notices: context.notices }
        }
        const { searchCorpus } = await import('../../answer/answering/search-corpus.ts')
        const context = await corpus.prepare(query, options, freshness)
        const found = searchCorpus(query, { limit, allSections }, context)
        return { ...found, notices: [...context.notices, ...found.notices] }
      }
      return corpus.answer(options.refresh, search, ({ hits }) => hits.map(({ path }) => path))
    },

    async assemble(query, options = {}) {
      const { assembleContext } = await import('../../answer/answering/assemble-context.ts')
      return corpus.answer(
        options.refresh,
        async (freshness) => {
          const context = await corpus.prepare(query, options, freshness)
          return assembleContext(query, corpus.wanted(options), context)
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
      const { maxTokens } = { ...corpus.settings, ...options }
      const freshness = await corpus.refresh(options.refresh)
      const limits = { maxTokens, countTokens: await corpus.tokenCounter() }
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
      const [{ askQuestion, openAsking }, { openModel, readModelSettings }] = await Promise.all([
        import('../../answer/answering/ask-question.ts'),
        import('../../answer/converse/open-model.ts'),
      ])
      const { settings } = corpus
      const model = openModel(readModelSettings(settings, corpus.options.env))
      const freshness = await corpus.refresh(options.refresh)
      const context = openAsking(options, {
        settings,
        contextFor: (asked) => corpus.context(freshness, asked, options),
        meaningOf: (text, mode, words) => corpus.meaningOf(text, mode, words),
        startExpansion,
      })
      return askQuestion(question, model, { history: [], ...options }, context)
    },
  }
}
