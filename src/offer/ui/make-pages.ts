// Which page answers this address? Each reads its query, asks the engine, and gives HTML, or the facts as JSON or Markdown.

import type { EvaluationRun } from '../../check/evaluation/evaluation.ts'
import type { LoadedSettings } from '../../model/config/load-settings.ts'
import { readNow } from '../../model/config/read-time.ts'
import { defaultSettings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { fileKinds } from '../../model/file-kind.ts'
import type { AssembleResult, SearchMode } from '../../model/report.ts'
import type { CorpusEngine, Engine } from '../engine/engine.ts'
import { type AskQuery, showAnswer, showComparison, showWelcome } from './ask-page.ts'
import { readLinesParameter, showDocument, showDocuments } from './document-page.ts'
import {
  compareRuns,
  groupRuns,
  type RunSeries,
  showDifference,
  showNoRuns,
  showQuestion,
  showRun,
  showRuns,
} from './eval-page.ts'
import { framePage, ownPlace, type PageAddress, type PagePlace } from './frame-page.ts'
import { showGraph } from './graph-page.ts'
import { showHealth } from './health-page.ts'
import { addressOf, type Child, html } from './html.ts'
import { type LiveStatus, showIndex, summarizeStatus, type TryOut } from './index-page.ts'
import { layOutGraph } from './lay-out-graph.ts'

export interface UiCorpus {
  readonly engine: CorpusEngine
  /** The stored evaluations of a folder; null where nothing is stored. */
  readonly evaluations: Pick<Engine, 'evaluationRuns' | 'addQuestion'> | null
  /** What the corpus is called. */
  readonly name: string
  /** Null where settings are not shown. */
  readonly loaded: LoadedSettings | null
  /** Where a service serves its pages; this machine by default. */
  readonly place?: PagePlace
}

/** A cache of slow pages, by owner, page and version of the index. */
export interface PageMemory {
  /** May be shared: its size is bounded for all owners together. */
  readonly kept: Map<string, unknown>
  readonly owner: string
}

export interface MadePage {
  readonly status: number
  readonly type: string
  readonly body: string
  /** Time in the engine. */
  readonly engineMilliseconds?: number
}

const LISTED = 100
const KEPT = 20
/** Documents of a drawing by default. */
const DRAWN = 400

function numberIn(
  query: URLSearchParams,
  name: string,
  { otherwise, least, most }: { otherwise: number; least: number; most: number },
): number {
  const written = query.get(name) ?? ''
  const value = /^\d{1,9}$/.test(written) ? Number(written) : otherwise
  return Math.min(most, Math.max(least, value))
}

function decodePath(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    throw new YoreError('BAD_INPUT', 'the address of this document is not well formed', {
      hint: 'begin at /doc',
    })
  }
}

const json = (value: unknown): MadePage => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value, null, 1)}\n`,
})

/** Makes the pages of one corpus; only `saveQuestion` writes. */
export class PageMaker {
  readonly #corpus: UiCorpus
  readonly #place: PagePlace
  readonly #memory: PageMemory

  constructor(corpus: UiCorpus, memory: PageMemory = { kept: new Map(), owner: '' }) {
    this.#corpus = corpus
    this.#memory = memory
    this.#place = corpus.place ?? ownPlace(corpus.name)
  }

  /** `token` is that of a reader who may also write; else null. */
  async make(address: URL, token: string | null = null): Promise<MadePage> {
    const { pathname, searchParams: query } = address
    const began = performance.now()
    if (pathname.startsWith('/doc/')) return this.#document(pathname.slice('/doc/'.length), query)
    const [, name = '', extension = ''] = /^\/(\w+)(?:\.(json|md))?$/.exec(pathname) ?? []
    const made = this.#has(`/${name}`) ? await this.#named(name, extension, { query, token }) : null
    if (made !== null) return { engineMilliseconds: performance.now() - began, ...made }
    throw new YoreError('BAD_INPUT', `there is no page ${pathname}`, { hint: 'begin at /ask' })
  }

  #has(address: string): boolean {
    return this.#place.menu.some((one) => one === address)
  }

  async #named(
    name: string,
    extension: string,
    { query, token }: { readonly query: URLSearchParams; readonly token: string | null },
  ): Promise<MadePage | null> {
    switch (name) {
      case 'ask':
        return this.#ask(query, extension, token)
      case 'doc':
        return this.#documents(query, extension)
      case 'graph':
        return this.#graph(query, extension)
      case 'health':
        return this.#health(extension)
      case 'eval':
        return this.#evaluation(query, extension)
      case 'index':
        return this.#index(query, extension)
      default:
        return null
    }
  }

  #frame(at: PageAddress, title: string, engineMilliseconds: number, body: Child): MadePage {
    return {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: framePage({ at, title, place: this.#place, body }),
      engineMilliseconds,
    }
  }

  /** A page for an error. */
  explainFault({ message, hint, http }: YoreError): MadePage {
    const body = html`<div class="lead"><h1>That did not work</h1><p>${message}</p><p>${hint}</p></div><p><a class="quiet" href="/ask">Ask something</a></p>`
    return { ...this.#frame('/ask', 'That did not work', 0, body), status: http }
  }

  #askQuery(query: URLSearchParams): AskQuery {
    const { maxTokens, depth } = this.#corpus.loaded?.settings ?? defaultSettings
    const wanted = query.get('mode') ?? ''
    return {
      q: (query.get('q') ?? '').slice(0, 4000).trim(),
      max: numberIn(query, 'max', { otherwise: maxTokens, least: 100, most: 200_000 }),
      depth: numberIn(query, 'depth', { otherwise: depth, least: 0, most: 2 }),
      mode: ['lexical', 'hybrid', 'vector'].includes(wanted) ? (wanted as SearchMode) : 'hybrid',
      path: (query.get('path') ?? '').slice(0, 1000).trim(),
      words: (query.get('words') ?? '').slice(0, 1000).trim(),
      names: (query.get('names') ?? '').slice(0, 1000).trim(),
      find: (query.get('find') ?? '').slice(0, 1000).trim(),
      vs: (query.get('vs') ?? '').slice(0, 200).trim(),
    }
  }

  #assemble({ q, max, depth, mode, path, words = '', names = '' }: AskQuery): Promise<AssembleResult> {
    return this.#corpus.engine.assemble(q, {
      maxTokens: max,
      depth,
      mode,
      words,
      names,
      explain: true,
      layout: 'brief',
      // The explorer runs for long: the time is that of the request.
      now: readNow({ env: process.env, clock: Date.now() }),
      ...(path === '' ? {} : { path }),
    })
  }

  async #ask(query: URLSearchParams, extension: string, token: string | null): Promise<MadePage> {
    const asked = this.#askQuery(query)
    if (asked.q === '') return this.#frame('/ask', 'Ask', 0, showWelcome(asked))
    const began = performance.now()
    const result = await this.#assemble(asked)
    if (extension === 'md') return { status: 200, type: 'text/markdown; charset=utf-8', body: result.output }
    if (extension === 'json') {
      const { digest, tokensUsed, account, freshness } = result
      return json({ asked, tokensUsed, account, digest, freshness })
    }
    if (asked.vs === '') {
      const standing = await this.#standingOf(asked.find)
      return this.#frame(
        '/ask',
        asked.q,
        performance.now() - began,
        showAnswer(asked, result, { standing, token, hasIndexPage: this.#has('/index') }),
      )
    }
    const changed = new URLSearchParams(query)
    for (const [key, value] of new URLSearchParams(asked.vs)) if (key !== 'q') changed.set(key, value)
    const other = await this.#assemble(this.#askQuery(changed))
    return this.#frame('/ask', asked.q, performance.now() - began, showComparison(asked, [result, other]))
  }

  #evaluations(): NonNullable<UiCorpus['evaluations']> {
    if (this.#corpus.evaluations !== null) return this.#corpus.evaluations
    throw new YoreError('BAD_INPUT', 'evaluations are not stored here')
  }

  async #evaluation(query: URLSearchParams, extension: string): Promise<MadePage> {
    const began = performance.now()
    const runs = (await this.#evaluations().evaluationRuns()).list()
    const taken = performance.now() - began
    const value = (name: string): string => (query.get(name) ?? '').slice(0, 1000)
    const saved = /^saved-\d{1,9}$/.test(value('saved')) ? value('saved') : ''
    const all = groupRuns(runs)
    const run = (name: string): EvaluationRun | undefined => runs.find(({ id }) => id === value(name))
    const [one, from, to] = [run('run'), run('from'), run('to')]
    const holds = ({ key, runs: held }: RunSeries): boolean => {
      const named = to ?? one
      return named === undefined ? key === value('of') : held.includes(named)
    }
    const series = all.find(holds) ?? all[0]
    if (extension === 'json')
      return json(from !== undefined && to !== undefined ? compareRuns([from, to]) : (one ?? { runs }))
    const show = (): Child => {
      if (series === undefined) return showNoRuns(saved)
      if (from !== undefined && to !== undefined) return showDifference([from, to], series)
      if (one !== undefined) return showRun(one, series)
      return value('question') === '' ? showRuns(all, series, saved) : showQuestion(value('question'), series)
    }
    return this.#frame('/eval', 'Evaluation', taken, show())
  }

  /** Saves a question of the form on Ask; returns the address to show next. */
  async saveQuestion(form: URLSearchParams): Promise<string> {
    const field = (name: string): string => (form.get(name) ?? '').slice(0, 4000).trim()
    const [question, expected, phrase] = [field('q'), field('expected'), field('phrase')]
    const places = expected === '' ? [] : [expected]
    if (question === '' || (places.length === 0 && phrase === ''))
      throw new YoreError('BAD_INPUT', 'a question needs something that its digest must hold', {
        hint: 'name a document or words of the answer',
      })
    const isSection = (place: string): boolean => place.includes('#') || /:\d+(?:-\d+)?$/.test(place)
    const id = await this.#evaluations().addQuestion({
      question,
      expectedContains: phrase === '' ? [] : [phrase],
      expectedDocs: places.filter((place) => !isSection(place)),
      expectedSections: places.filter(isSection),
    })
    return addressOf('/eval', { saved: id })
  }

  /** What the page Index shows while it is open. */
  async live(): Promise<LiveStatus> {
    return summarizeStatus(await this.#corpus.engine.status())
  }

  /** Whether an expected document is in the index, and if not, why, in words. */
  async #standingOf(find: string): Promise<string> {
    if (find === '') return ''
    const standing = await this.#corpus.engine.standingOf(find.replace(/:\d{1,9}(?:-\d{1,9})?$/, ''))
    if (standing.state === 'skipped') return `it is not in the index, ${standing.reason}`
    if (standing.state === 'indexed')
      return 'it is in the index, and no section of it has enough of the words'
    return standing.state === 'absent' ? 'there is no such file' : 'it is not indexed yet; run `yore index`'
  }

  async #document(written: string, query: URLSearchParams): Promise<MadePage> {
    const began = performance.now()
    const found = await this.#corpus.engine.describeDocument(decodePath(written))
    if (query.get('format') === 'json') return json(found)
    const marked = readLinesParameter(query.get('lines') ?? '')
    return this.#frame('/doc', found.title, performance.now() - began, showDocument(found, marked))
  }

  async #documents(query: URLSearchParams, extension: string): Promise<MadePage> {
    const began = performance.now()
    const offset = numberIn(query, 'offset', { otherwise: 0, least: 0, most: 10_000_000 })
    const graph = await this.#corpus.engine.documentGraph({ offset, limit: LISTED })
    if (extension === 'json') return json(graph)
    return this.#frame('/doc', 'Documents', performance.now() - began, showDocuments(graph, LISTED))
  }

  async #graph(query: URLSearchParams, extension: string): Promise<MadePage> {
    const began = performance.now()
    const of = (query.get('of') ?? '').slice(0, 1000).trim()
    const hops = numberIn(query, 'hops', { otherwise: 1, least: 1, most: 3 })
    const limit = numberIn(query, 'limit', { otherwise: DRAWN, least: 10, most: 10_000 })
    const kind = fileKinds.find((one) => one === query.get('kind'))
    const graph = await this.#corpus.engine.documentGraph({ limit, hops, kind, ...(of === '' ? {} : { of }) })
    const engine = performance.now() - began
    if (extension === 'json') {
      const key = `${graph.fingerprint} ${of} ${hops} ${kind} ${limit}`
      const places = await this.#keep(key, async () => layOutGraph(graph))
      return { ...json({ ...graph, places }), engineMilliseconds: engine }
    }
    return this.#frame('/graph', 'Graph', engine, showGraph(graph, { of, hops, kind, limit }))
  }

  async #health(extension: string): Promise<MadePage> {
    const began = performance.now()
    const { engine } = this.#corpus
    const { fingerprint } = await engine.documentGraph({ limit: 1 })
    const { health } = await this.#keep(`health ${fingerprint}`, () =>
      engine.checkHealth({ refresh: 'never' }),
    )
    if (extension === 'json') return json(health)
    return this.#frame('/health', 'Health', performance.now() - began, showHealth(health))
  }

  async #keep<T>(key: string, make: () => Promise<T>): Promise<T> {
    const { kept, owner } = this.#memory
    const own = `${owner} ${key}`
    if (kept.has(own)) return kept.get(own) as T
    const made = await make()
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string)
    kept.set(own, made)
    return made
  }

  async #tryOut(query: URLSearchParams): Promise<TryOut> {
    const [from, via, target] = ['from', 'via', 'target'].map((name) => (query.get(name) ?? '').trim()) as [
      string,
      string,
      string,
    ]
    if (from === '') return { from, via, target, result: null, fault: null }
    try {
      const request = { from, via: via === '' ? undefined : via, target: target === '' ? undefined : target }
      return { from, via, target, result: await this.#corpus.engine.expand(request), fault: null }
    } catch (cause) {
      if (!(cause instanceof YoreError)) throw cause
      return { from, via, target, result: null, fault: `${cause.message}. ${cause.hint}` }
    }
  }

  async #index(query: URLSearchParams, extension: string): Promise<MadePage | null> {
    const began = performance.now()
    const { engine, loaded } = this.#corpus
    if (loaded === null) return null
    const [status, rulebooks, tryOut] = [
      await engine.status(),
      await engine.rulebooks(),
      await this.#tryOut(query),
    ]
    if (extension === 'json')
      return json({ status, settings: loaded.settings, places: loaded.places, rulebooks })
    return this.#frame(
      '/index',
      'Index',
      performance.now() - began,
      showIndex({ status, loaded, rulebooks, tryOut }),
    )
  }
}
