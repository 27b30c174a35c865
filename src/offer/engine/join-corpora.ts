// How do several corpora answer as one? Each uses its own statistics and rulebooks, and its name prefixes every path.
import type { MergedSearch } from '../../answer/answering/answer-across.ts'
import type { AskContext } from '../../answer/answering/ask-question.ts'
import type { OffersOf } from '../../answer/answering/assemble-context.ts'
import type { Scope } from '../../answer/answering/choose-scope.ts'
import { prefixOf } from '../../answer/answering/corpus-prefix.ts'
import type { AskOptions } from '../../answer/answering/question-options.ts'
import type { Report } from '../../explore/fit-report.ts'
import type { StartSession } from '../../explore/join-sessions.ts'
import { YoreError } from '../../model/errors.ts'
import type { PresentArtifact } from '../../model/expansion.ts'
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

export interface JoinOptions {
  /** About corpora that could not be asked; part of every answer. */
  readonly notices?: readonly string[]
  /** A corpus that fails is named in a notice, and the others answer. */
  readonly isTolerant?: boolean
}

/**
 * Joins corpora for one question: each is ranked by its own statistics, and what they find is merged by how likely each
 * answers, within one budget of tokens and one of expansions. Names of documents and sections begin with the name of
 * their corpus. The settings of the first one hold. Of many corpora those are asked that the question's words point to.
 * Throws BAD_INPUT for names that could not be told apart in a path.
 *
 * @example
 * const both = joinCorpora([{ name: 'handbook', engine }, { name: 'api', engine: other }])
 * const { output } = await both.assemble('How are failures retried?')
 */
export function joinCorpora(
  corpora: readonly NamedCorpus[],
  { notices: known = [], isTolerant = false }: JoinOptions = {},
): JoinedCorpora {
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
  const inTurn = async <T>(
    asked: readonly Member[],
    ask: (member: Member) => Promise<T>,
    onFault?: (member: Member, fault: YoreError) => void,
  ): Promise<T[]> => {
    const answers: T[] = []
    for (const member of asked) {
      try {
        answers.push(await ask(member))
      } catch (fault) {
        if (onFault === undefined || !(fault instanceof YoreError)) throw fault
        onFault(member, fault)
      }
    }
    return answers
  }

  /** Asks the corpora that a question is about, with what it is confined to in each. */
  const askChosen = async <T>(
    question: string,
    { path, match, ...scope }: Scope & { readonly match?: string },
    ask: (member: Member, asked: { readonly scope: Scope; readonly prior: number }) => Promise<T>,
  ): Promise<{ readonly answers: T[]; readonly notices: readonly string[] }> => {
    const inScope = members.flatMap((member) => {
      const own = pathIn(member.prefix, path, names)
      return own === null ? [] : [{ member, scope: own === undefined ? scope : { ...scope, path: own } }]
    })
    const notices = [...known]
    const faults: YoreError[] = []
    const note = ({ name }: Member, fault: YoreError): void => {
      faults.push(fault)
      // It has nothing in the scope, such as no file of a language.
      if (fault.code !== 'BAD_INPUT') notices.push(`${name} did not answer: ${fault.message}.`)
    }
    const all = inScope.map(({ member }) => member)
    const { chooseCorpora } = await import('../../answer/answering/choose-corpora.ts')
    const readers = await inTurn(
      all,
      async (member) => ({ member, name: member.name, reader: member.corpus.open(), prior: 1 }),
      isTolerant ? note : undefined,
    )
    // A text is found wherever it is.
    const chosen = match === undefined || match === 'words' ? chooseCorpora(question, readers) : readers
    const priors = new Map(chosen.map(({ member, prior }) => [member, prior]))
    if (chosen.length < readers.length)
      notices.push(
        `Searched the ${chosen.length} likeliest of ${readers.length} ${isTolerant ? 'repositories' : 'corpora'}.`,
      )
    const scopes = new Map(inScope.map(({ member, scope }) => [member, scope]))
    const answers = await inTurn(
      chosen.map(({ member }) => member),
      (member) => ask(member, { scope: scopes.get(member) ?? {}, prior: priors.get(member) ?? 1 }),
      isTolerant ? note : undefined,
    )
    if (answers.length > 0) return { answers, notices }
    throw faults[0] ?? new YoreError('BAD_INPUT', `no corpus is in the scope (path ${path})`)
  }

  const memberOf = (named: string): Member | undefined =>
    members.find(({ prefix }) => named.startsWith(prefix))

  /** What the corpus of a name says; without its corpus before it, what each that knows the name says. */
  const askNamed = async <T>(
    named: string,
    ask: (member: Member, rest: string) => Promise<T>,
  ): Promise<readonly [Named<T>, ...Named<T>[]]> => {
    const faults: YoreError[] = []
    const one = memberOf(named)
    const [first, ...others] = await inTurn(
      one === undefined ? members : [one],
      async (member) => ({
        member,
        found: await ask(member, one === undefined ? named : named.slice(one.prefix.length)),
      }),
      (_, fault) => faults.push(fault),
    )
    if (first !== undefined) return [first, ...others]
    throw faults.find(({ code }) => code !== 'BAD_INPUT') ?? faults[0]
  }
  interface Named<T> {
    readonly member: Member
    readonly found: T
  }

  const refuse = (message: string, some: readonly Member[]): YoreError =>
    new YoreError('BAD_INPUT', message, {
      hint: `begin with the name of one: ${some.map(({ prefix }) => prefix).join(', ')}`,
    })

  /** The only one. Throws BAD_INPUT when several corpora know the name. */
  const askOne = async <T>(
    named: string,
    ask: (member: Member, rest: string) => Promise<T>,
  ): Promise<Named<T>> => {
    const all = await askNamed(named, ask)
    if (all.length === 1) return all[0]
    const holding = all.map(({ member }) => member)
    throw refuse(`${JSON.stringify(named)} is in ${all.length} corpora`, holding)
  }

  const startExpansion: QuestionEngine['startExpansion'] = async (present, limits = {}) => {
    const { joinSessions } = await import('../../explore/join-sessions.ts')
    let held: readonly PresentArtifact[]
    if (typeof present === 'string') {
      const { member, found } = await askOne(present, ({ engine }, rest) => engine.startExpansion(rest))
      held = found.held.map(({ id, depth }) => ({ id: member.prefix + id, depth }))
    } else held = present
    const concerned = members.filter(({ prefix }) => held.some(({ id }) => id.startsWith(prefix)))
    const starters = await inTurn(
      concerned.length === 0 ? [first] : concerned,
      async ({ prefix, corpus }) => ({
        prefix,
        start: await sessionStarter(corpus),
      }),
    )
    return joinSessions(starters, held, limits)
  }

  /** Reports of several corpora as one, within one budget: each gets the same share of what is left. */
  const joinReports = async <Facts>(
    reports: readonly { readonly member: Member; readonly found: Report<Facts> }[],
    list: (facts: Facts) => readonly string[],
    maxTokens = 4000,
  ): Promise<Report<Facts>> => {
    const { fitReport } = await import('../../explore/fit-report.ts')
    const placed = reports.map(({ member, found }) => placeIn(member.prefix, found.facts))
    const countTokens = await first.corpus.tokenCounter()
    let left = maxTokens
    const lines = placed.flatMap((facts, at) => {
      const share = Math.floor(left / (placed.length - at))
      const { output, tokensUsed } = fitReport(list(facts), { maxTokens: share, countTokens })
      left -= tokensUsed + 1
      return [...(at === 0 ? [] : ['']), ...output.trimEnd().split('\n')]
    })
    const [report] = reports as [(typeof reports)[number]]
    const [own, ...others] = placed as [Facts, ...Facts[]]
    const facts = Array.isArray(own)
      ? (placed.flat() as Facts)
      : { ...own, ...(others.length === 0 ? {} : { others }) }
    return { ...fitReport(lines, { maxTokens, countTokens }), facts, freshness: report.found.freshness }
  }

  const asking = async (question: string, options: Partial<AskOptions>): Promise<AskContext> => {
    const { openAsking } = await import('../../answer/answering/ask-question.ts')
    const { answers } = await askChosen(question, {}, ({ name, corpus }) =>
      askedCorpus(corpus, name, options),
    )
    return openAsking(options, {
      settings: first.corpus.settings,
      corpora: answers,
      startExpansion: (present) => startExpansion(present),
    })
  }
  const close = (): void => {
    for (const { engine } of members) engine.close()
  }

  return {
    async search(query, options = {}) {
      const { mergeSearches } = await import('../../answer/answering/answer-across.ts')
      const { answers, notices } = await askChosen(
        query,
        options,
        async ({ name, engine }, { scope, prior }) => ({
          name,
          prior,
          of: await engine.search(query, { ...options, path: undefined, ...scope }),
        }),
      )
      const merged = mergeSearches(answers, options.limit ?? 10)
      return { ...merged, notices: [...notices, ...merged.notices] }
    },

    async assemble(query, options = {}) {
      const [{ assembleAcross }, { offersIn, presentIn }, { joinSessions }] = await Promise.all([
        import('../../answer/answering/answer-across.ts'),
        import('../../explore/expand-context.ts'),
        import('../../explore/join-sessions.ts'),
      ])
      const { answers: contexts, notices } = await askChosen(
        query,
        options,
        async ({ name, corpus, prefix }, { scope, prior }) => {
          const asked = { ...options, path: undefined, ...scope }
          const [of, start] = [await corpus.prepare(query, asked), await sessionStarter(corpus)]
          const started: StartSession = (present, limits) => start(present, limits, of.reader)
          return { name, of, prefix, prior, start: started }
        },
      )
      // The order in which corpora are named says nothing.
      const sorted = contexts.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const offersOf: OffersOf = (digest) => offersIn(joinSessions(sorted, presentIn(digest)))
      return assembleAcross(query, first.corpus.wanted(options), contexts, { offersOf, notices })
    },

    async read(named, options = {}) {
      const { renderPlaced } = await import('../../answer/assemble/render-placed.ts')
      const { maxTokens, tokenizer } = { ...first.corpus.settings, ...options }
      const countTokens = await first.corpus.tokenCounter(tokenizer)
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

    async text(named, options = {}) {
      const { member, found } = await askOne(named, ({ engine }, rest) => engine.text(rest, options))
      return placeIn(member.prefix, found)
    },

    async uses(named, options = {}) {
      const { listUses } = await import('../../explore/find-uses.ts')
      const reports = await askNamed(named, ({ engine }, rest) => engine.uses(rest, options))
      const { direction = 'both', depth = 1, maxTokens } = options
      return joinReports(reports, (facts) => listUses(facts, { direction, depth }), maxTokens)
    },

    async outline(named, options = {}) {
      const { listMap } = await import('../../explore/map-corpus.ts')
      const { question, maxTokens } = options
      const whole = members.find(({ name, prefix }) => named === name || named === prefix)
      if (named !== null && whole === undefined)
        return joinReports(
          await askNamed(named, ({ engine }, rest) => engine.outline(rest, options)),
          listMap,
          maxTokens,
        )
      const { answers } = await askChosen(
        question ?? '',
        whole === undefined ? {} : { path: whole.prefix },
        async (member) => {
          // A few lines of each repository; all of the named one.
          const share = Math.floor((maxTokens ?? 4000) / (whole === undefined ? members.length : 1))
          const own = { ...options, maxTokens: Math.max(40, share) }
          return { member, found: await member.engine.outline(null, own) }
        },
      )
      return joinReports(answers, listMap, maxTokens)
    },

    async standingOf(path) {
      const member = memberOf(path)
      return member?.engine.standingOf(path.slice(member.prefix.length)) ?? { state: 'absent' }
    },

    startExpansion,

    async expand(request, within = {}) {
      const session = within.session ?? (await startExpansion(request.from))
      return first.engine.expand(request, { ...within, session })
    },

    async ask(question, options = {}) {
      return askModel(first.corpus, question, options, await asking(question, options))
    },

    async previewAsk(question, options = {}) {
      const { previewQuestion } = await import('../../answer/answering/ask-question.ts')
      return previewQuestion(question, { history: [], ...options }, await asking(question, options))
    },

    close,
    [Symbol.dispose]: close,
  }
}

/**
 * The paths of a scope inside one corpus: patterns that begin with its name, and those that begin with no name. Null
 * when all of them are about others, undefined for no limit.
 */
function pathIn(
  prefix: string,
  path: string | undefined,
  names: ReadonlySet<string>,
): string | null | undefined {
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

const placeKeys: ReadonlySet<string> = new Set(['id', 'path', 'by'])

/** Facts about places of one corpus, with its name before each path and id. */
function placeIn<Facts>(prefix: string, facts: Facts): Facts {
  if (Array.isArray(facts)) return facts.map((one) => placeIn(prefix, one)) as Facts
  if (typeof facts !== 'object' || facts === null) return facts
  const placed = Object.entries(facts).map(([key, value]) => [
    key,
    placeKeys.has(key) && typeof value === 'string' ? prefix + value : placeIn(prefix, value),
  ])
  return Object.fromEntries(placed) as Facts
}
