// How do several corpora answer as one? Each uses its own statistics and rulebooks, and its name prefixes every path.
import type { MergedSearch } from '../../answer/answering/answer-across.ts'
import type { Scope } from '../../answer/answering/choose-scope.ts'
import { placeIn, prefixOf } from '../../answer/answering/corpus-prefix.ts'
import { YoreError } from '../../model/errors.ts'
import type { CorpusEngine, QuestionEngine } from './engine.ts'
import { corpusOf } from './open-corpus.ts'

/** One of several corpora; its name is not a path. */
export interface NamedCorpus {
  readonly name: string
  readonly engine: CorpusEngine
}

/** Several corpora as one. */
export interface JoinedCorpora extends QuestionEngine {
  search(...asked: Parameters<QuestionEngine['search']>): Promise<MergedSearch>
}

export interface JoinOptions {
  /** They are parts of one corpus: their names are empty, and paths stay as they are. */
  readonly areParts?: boolean
}

/**
 * Joins corpora for one question: each is ranked by its own statistics, and what they find is merged by how likely each
 * answers, within one budget of tokens. Names of documents and sections begin with the name of
 * their corpus. The settings of the first one hold. Of many corpora those are asked that the question's words point to.
 * Throws BAD_INPUT for names that could not be told apart in a path.
 *
 * @example
 * const both = joinCorpora([{ name: 'handbook', engine }, { name: 'api', engine: other }])
 * const { output } = await both.assemble('How are failures retried?')
 */
export function joinCorpora(
  corpora: readonly NamedCorpus[],
  { areParts = false }: JoinOptions = {},
): JoinedCorpora {
  const names = new Set(corpora.map(({ name }) => name))
  const members = corpora.map(({ name, engine }) => {
    return { name, prefix: prefixOf(name), engine, corpus: corpusOf(engine) }
  })
  const [first] = members
  const areNamed = names.size === members.length && members.every(({ name }) => /^[^/]+$/.test(name))
  if (first === undefined || !(areParts || areNamed))
    throw new YoreError('BAD_INPUT', 'corpora need names, each its own and without a slash')
  type Member = typeof first

  /** One after the other, so that a question to many corpora takes no more than its share of the machine. */
  const inTurn = async <M, T>(asked: readonly M[], ask: (member: M) => Promise<T>): Promise<T[]> => {
    const answers: T[] = []
    for (const member of asked) answers.push(await ask(member))
    return answers
  }

  /** Asks the corpora that a question is about, with what it is confined to in each. */
  const askChosen = async <T, Options extends Scope & { readonly match?: string }>(
    question: string,
    options: Options,
    ask: (member: Member, options: Options, prior: number) => Promise<T>,
  ): Promise<{ readonly answers: T[]; readonly notices: readonly string[] }> => {
    const inScope = members.flatMap((member) => {
      const path = pathIn(member.prefix, options.path, names)
      if (path === null) return []
      return [{ member, name: member.name, reader: member.corpus.open(), path, prior: 1 }]
    })
    if (inScope.length === 0)
      throw new YoreError('BAD_INPUT', `no corpus is in the scope (path ${options.path})`)
    const { chooseCorpora } = await import('../../answer/answering/choose-corpora.ts')
    // A text is found wherever it is, and parts of one corpus are equally likely.
    const isChosen = !areParts && (options.match ?? 'words') === 'words'
    const chosen = isChosen ? chooseCorpora(question, inScope) : inScope
    const isPart = chosen.length < inScope.length
    const notices = isPart ? [`Searched the ${chosen.length} likeliest of ${inScope.length} corpora.`] : []
    // The order in which corpora are named, or in which they are likely, says nothing.
    const sorted = chosen.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const answers = await inTurn(sorted, ({ member, path, prior }) =>
      ask(member, { ...options, path }, prior),
    )
    return { answers, notices }
  }

  /** The corpus of a name answers; without its corpus before it, the only one that knows the name. Throws BAD_INPUT. */
  const askOne = async <T>(named: string, ask: (member: Member, rest: string) => Promise<T>) => {
    const own = members.find(({ name, prefix }) => named.startsWith(prefix) || named === name)
    if (own !== undefined) return { member: own, found: await ask(own, named.slice(own.prefix.length)) }
    const failures: YoreError[] = []
    const knowing: { readonly member: Member; readonly found: T }[] = []
    for (const member of members)
      try {
        knowing.push({ member, found: await ask(member, named) })
      } catch (failure) {
        if (!(failure instanceof YoreError)) throw failure
        failures.push(failure)
      }
    const [only] = knowing
    if (only === undefined) throw failures.find(({ code }) => code !== 'BAD_INPUT') ?? failures[0]
    if (knowing.length === 1) return only
    const prefixes = knowing.map(({ member }) => member.prefix)
    throw new YoreError('BAD_INPUT', `${JSON.stringify(named)} is in ${prefixes.length} corpora`, {
      hint: `begin with the name of one: ${prefixes.join(', ')}`,
    })
  }

  const close = (): void => {
    for (const { engine } of members) engine.close()
  }

  return {
    async search(query, options = {}) {
      const { mergeSearches } = await import('../../answer/answering/answer-across.ts')
      const { answers, notices } = await askChosen(query, options, async ({ name, engine }, own, prior) => {
        return { name, prior, of: await engine.search(query, own) }
      })
      const merged = mergeSearches(answers, options.limit ?? 10)
      return { ...merged, notices: [...notices, ...merged.notices] }
    },

    async assemble(query, options = {}) {
      const { assembleAcross } = await import('../../answer/answering/answer-across.ts')
      const { answers: contexts, notices } = await askChosen(
        query,
        options,
        async ({ name, corpus }, own, prior) => ({ name, of: await corpus.prepare(query, own), prior }),
      )
      return assembleAcross(query, first.corpus.wanted(options), contexts, notices)
    },

    async read(named, options = {}) {
      const { renderPlaced } = await import('../../answer/assemble/render-placed.ts')
      const { maxTokens } = { ...first.corpus.settings, ...options }
      const countTokens = await first.corpus.tokenCounter()
      const { member, found } = await askOne(named, ({ prefix, engine }, rest) => {
        // The heading and the source name the place.
        const left = Math.max(1, maxTokens - 2 * (countTokens(prefix) + 1))
        return engine.read(rest, { ...options, maxTokens: left })
      })
      const passage = placeIn(member.prefix, found.passage)
      const output = renderPlaced(passage)
      const next = found.next === null ? null : member.prefix + found.next
      return { ...found, passage, output, next, tokensUsed: countTokens(output) }
    },

    async expand(request) {
      const { renderOutcome } = await import('../../explore/render-results.ts')
      const countTokens = await first.corpus.tokenCounter()
      const { member, found } = await askOne(request.from, ({ prefix, engine }, from) => {
        const { target, maxTokens } = request
        return engine.expand({
          ...request,
          from,
          ...(target?.startsWith(prefix) ? { target: target.slice(prefix.length) } : {}),
          // The source of a followed reference starts with the name of its corpus.
          ...(maxTokens === undefined ? {} : { maxTokens: Math.max(1, maxTokens - countTokens(prefix) - 1) }),
        })
      })
      const { outcome, offers } = placeIn(member.prefix, { outcome: found.outcome, offers: found.offers })
      const output = outcome === null ? '' : renderOutcome(outcome)
      return { ...found, outcome, offers, output, tokensUsed: countTokens(output) }
    },

    close,
    [Symbol.dispose]: close,
  }
}

/**
 * The paths of a scope inside one corpus: patterns that begin with its name, and those that begin with no name. Null
 * when all of them are about others, undefined for no limit.
 */
function pathIn(prefix: string, path: string | undefined, names: ReadonlySet<string>) {
  if (path === undefined) return undefined
  const own = path
    .split(',')
    .map((one) => one.trim().replace(/^\.\//, ''))
    .flatMap((one) => {
      if (`${one}/` === prefix || one === prefix) return ['.']
      if (one.startsWith(prefix)) return [one.slice(prefix.length)]
      return names.has(one.split('/', 1)[0] ?? '') ? [] : [one]
    })
  if (own.includes('.')) return undefined
  return own.length === 0 ? null : own.join(',')
}
