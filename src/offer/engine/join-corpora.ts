// How do several corpora answer as one? Each by its own statistics and rulebooks; the name of its corpus stands before every path.
import type { MergedSearch } from '../../answer/answering/answer-across.ts'
import type { AskedCorpus } from '../../answer/answering/ask-question.ts'
import type { AssembleContext } from '../../answer/answering/assemble-context.ts'
import { prefixOf } from '../../answer/answering/corpus-prefix.ts'
import type { SessionMember } from '../../explore/join-sessions.ts'
import { YoreError } from '../../model/errors.ts'
import type { SearchResult } from '../../model/report.ts'
import type { Engine } from './engine.ts'
import type { OpenEngine } from './open-engine.ts'

/** A corpus among others, by a name that is no path. */
export interface NamedCorpus {
  readonly name: string
  readonly engine: Engine
}

/** What can be asked of several corpora together. */
export interface JoinedCorpora
  extends Pick<Engine, 'assemble' | 'read' | 'startExpansion' | 'expand' | 'ask'> {
  search(...asked: Parameters<Engine['search']>): Promise<MergedSearch>
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
  const names = corpora.map(({ name }) => name)
  const isBad = names.length === 0 || new Set(names).size < names.length
  if (isBad || names.some((name) => name === '' || name.includes('/')))
    throw new YoreError('BAD_INPUT', 'corpora need names, each its own and without a slash')
  return new Joined(corpora as readonly (NamedCorpus & { readonly engine: OpenEngine })[])
}

interface Member {
  readonly name: string
  readonly engine: OpenEngine
}

class Joined implements JoinedCorpora {
  readonly #members: readonly Member[]

  constructor(members: readonly Member[]) {
    this.#members = members
  }

  get #first(): OpenEngine {
    return (this.#members[0] as Member).engine
  }

  /** The corpus that a name begins with, and what it is called there. Throws BAD_INPUT. */
  #find(named: string): { readonly member: Member; readonly prefix: string; readonly rest: string } {
    const member = this.#members.find(({ name }) => named.startsWith(prefixOf(name)))
    if (member === undefined)
      throw new YoreError('BAD_INPUT', `${JSON.stringify(named)} names no corpus`, {
        hint: `begin with the name of one: ${this.#members.map(({ name }) => prefixOf(name)).join(', ')}`,
      })
    const prefix = prefixOf(member.name)
    return { member, prefix, rest: named.slice(prefix.length) }
  }

  async search(...[query, options = {}]: Parameters<Engine['search']>): Promise<MergedSearch> {
    const { mergeSearches } = await import('../../answer/answering/answer-across.ts')
    const searches: { name: string; of: SearchResult }[] = []
    for (const { name, engine } of this.#members)
      searches.push({ name, of: await engine.search(query, options) })
    return mergeSearches(searches, options.limit ?? 10)
  }

  async assemble(...[query, options = {}]: Parameters<Engine['assemble']>): ReturnType<Engine['assemble']> {
    const { assembleAcross } = await import('../../answer/answering/answer-across.ts')
    const members: { name: string; of: AssembleContext }[] = []
    for (const { name, engine } of this.#members)
      members.push({ name, of: await engine.prepare(query, options) })
    return assembleAcross(query, this.#first.wanted(options), members)
  }

  async read(...[named, options = {}]: Parameters<Engine['read']>): ReturnType<Engine['read']> {
    const [{ renderPlaced }, { loadTokenizer }] = await Promise.all([
      import('../../answer/assemble/render-placed.ts'),
      import('../../read/assets/load-tokenizer.ts'),
    ])
    const { maxTokens, tokenizer } = { ...this.#first.settings, ...options }
    const countTokens = loadTokenizer(tokenizer)
    const { member, prefix, rest } = this.#find(named)
    // The heading and the source name the place.
    const room = Math.max(1, maxTokens - 2 * (countTokens(prefix) + 1))
    const found = await member.engine.read(rest, { ...options, maxTokens: room })
    const passage = { ...found.passage, id: prefix + found.passage.id, path: prefix + found.passage.path }
    const output = renderPlaced(passage)
    const next = found.next === null ? null : prefix + found.next
    return { ...found, passage, output, next, tokensUsed: countTokens(output) }
  }

  async startExpansion(
    ...[present, limits = {}]: Parameters<Engine['startExpansion']>
  ): ReturnType<Engine['startExpansion']> {
    const { joinSessions } = await import('../../explore/join-sessions.ts')
    const members: SessionMember[] = []
    for (const { name, engine } of this.#members)
      members.push({ prefix: prefixOf(name), start: await engine.sessionStarter() })
    if (typeof present !== 'string') return joinSessions(members, present, limits)
    const { member, prefix, rest } = this.#find(present)
    const { held } = await member.engine.startExpansion(rest)
    return joinSessions(
      members,
      held.map(({ id, depth }) => ({ id: prefix + id, depth })),
      limits,
    )
  }

  async expand(...[request, within = {}]: Parameters<Engine['expand']>): ReturnType<Engine['expand']> {
    const session = within.session ?? (await this.startExpansion(request.from))
    return this.#first.expand(request, { ...within, session })
  }

  async ask(...[question, options = {}]: Parameters<Engine['ask']>): ReturnType<Engine['ask']> {
    const { openAsking } = await import('../../answer/answering/ask-question.ts')
    const corpora: AskedCorpus[] = []
    for (const { name, engine } of this.#members) corpora.push(await engine.toBeAsked(name, options))
    const context = openAsking(options, {
      settings: this.#first.settings,
      corpora,
      startExpansion: (present) => this.startExpansion(present),
    })
    return this.#first.askWith(question, options, context)
  }
}
