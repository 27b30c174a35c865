// How do several corpora answer as one? Each uses its own statistics and rulebooks, and its name prefixes every path.
import type { MergedSearch } from '../../answer/answering/answer-across.ts'
import type { OffersOf } from '../../answer/answering/assemble-context.ts'
import { prefixOf } from '../../answer/answering/corpus-prefix.ts'
import type { StartSession } from '../../explore/join-sessions.ts'
import { YoreError } from '../../model/errors.ts'
import type { CorpusEngine, QuestionEngine } from './engine.ts'
import { corpusOf } from './open-corpus.ts'
import { askedCorpus, askModel, sessionStarter } from './question-engine.ts'

/** One of several corpora; its name is not a path. */
export interface NamedCorpus {
  readonly name: string
  readonly engine: CorpusEngine
}

/** Several corpora as one. */
export interface JoinedCorpora extends QuestionEngine {
  search(...asked: Parameters<QuestionEngine['search']>): Promise<MergedSearch>
}

/**
 * Joins corpora for one question: each is ranked by its own statistics, and what they find is merged by how likely each
 * answers, within one budget of tokens and one of expansions. Names of documents and sections begin with the name of
 * their corpus. The settings of the first one hold. Throws BAD_INPUT for names that could not be told apart in a path.
 *
 * @example
 * const both = joinCorpora([{ name: 'handbook', engine }, { name: 'api', engine: other }])
 * const { output } = await both.assemble('How are failures retried?')
 */
export function joinCorpora(corpora: readonly NamedCorpus[]): JoinedCorpora {
  const names = new Set(corpora.map(({ name }) => name))
  const members = corpora.map(({ name, engine }) => ({
    name,
    prefix: prefixOf(name),
    engine,
    corpus: corpusOf(engine),
  }))
  const [first] = members
  if (first === undefined || names.size < members.length || members.some(({ name }) => !/^[^/]+$/.test(name)))
    throw new YoreError('BAD_INPUT', 'corpora need names, each its own and without a slash')
  type Member = typeof first

  /** One after the other, so that a question to many corpora takes no more than its share of the machine. */
  const inTurn = async <T>(ask: (member: Member) => Promise<T>): Promise<T[]> => {
    const answers: T[] = []
    for (const member of members) answers.push(await ask(member))
    return answers
  }

  /** The corpus that a name begins with, and the name inside it. Throws BAD_INPUT. */
  const find = (named: string): { readonly member: Member; readonly rest: string } => {
    const member = members.find(({ prefix }) => named.startsWith(prefix))
    if (member !== undefined) return { member, rest: named.slice(member.prefix.length) }
    throw new YoreError('BAD_INPUT', `${JSON.stringify(named)} names no corpus`, {
      hint: `begin with the name of one: ${members.map(({ prefix }) => prefix).join(', ')}`,
    })
  }

  const startExpansion: QuestionEngine['startExpansion'] = async (present, limits = {}) => {
    const { joinSessions } = await import('../../explore/join-sessions.ts')
    const starters = await inTurn(async ({ prefix, corpus }) => ({
      prefix,
      start: await sessionStarter(corpus),
    }))
    if (typeof present !== 'string') return joinSessions(starters, present, limits)
    const { member, rest } = find(present)
    const { held } = await member.engine.startExpansion(rest)
    const inAll = held.map(({ id, depth }) => ({ id: member.prefix + id, depth }))
    return joinSessions(starters, inAll, limits)
  }

  return {
    async search(query, options = {}) {
      const { mergeSearches } = await import('../../answer/answering/answer-across.ts')
      const searches = await inTurn(async ({ name, engine }) => ({
        name,
        of: await engine.search(query, options),
      }))
      return mergeSearches(searches, options.limit ?? 10)
    },

    async assemble(query, options = {}) {
      const [{ assembleAcross }, { offersIn, presentIn }, { joinSessions }] = await Promise.all([
        import('../../answer/answering/answer-across.ts'),
        import('../../explore/expand-context.ts'),
        import('../../explore/join-sessions.ts'),
      ])
      const contexts = await inTurn(async ({ name, corpus, prefix }) => {
        const [of, start] = [await corpus.prepare(query, options), await sessionStarter(corpus)]
        const started: StartSession = (present, limits) => start(present, limits, of.reader)
        return { name, of, prefix, start: started }
      })
      // The order in which corpora are named says nothing.
      const sorted = contexts.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const offersOf: OffersOf = (digest) => offersIn(joinSessions(sorted, presentIn(digest)))
      return assembleAcross(query, first.corpus.wanted(options), contexts, offersOf)
    },

    async read(named, options = {}) {
      const { renderPlaced } = await import('../../answer/assemble/render-placed.ts')
      const { maxTokens, tokenizer } = { ...first.corpus.settings, ...options }
      const countTokens = await first.corpus.tokenCounter(tokenizer)
      const {
        member: { prefix, engine },
        rest,
      } = find(named)
      // The heading and the source name the place.
      const left = Math.max(1, maxTokens - 2 * (countTokens(prefix) + 1))
      const found = await engine.read(rest, { ...options, maxTokens: left })
      const passage = { ...found.passage, id: prefix + found.passage.id, path: prefix + found.passage.path }
      const output = renderPlaced(passage)
      const next = found.next === null ? null : prefix + found.next
      return { ...found, passage, output, next, tokensUsed: countTokens(output) }
    },

    startExpansion,

    async expand(request, within = {}) {
      const session = within.session ?? (await startExpansion(request.from))
      return first.engine.expand(request, { ...within, session })
    },

    async ask(question, options = {}) {
      const { openAsking } = await import('../../answer/answering/ask-question.ts')
      const context = openAsking(options, {
        settings: first.corpus.settings,
        corpora: await inTurn(({ name, corpus }) => askedCorpus(corpus, name, options)),
        startExpansion: (present) => startExpansion(present),
      })
      return askModel(first.corpus, question, options, context)
    },
  }
}
