// Which page answers this address? Each reads its query, asks the engine, and gives HTML, or the facts as JSON or Markdown.

import type { AssembleOptions } from '../../answer/answering/question-options.ts'
import { certainKinds, type LinkReport } from '../../check/links/link-report.ts'
import { type DocumentDescription, documentSorts } from '../../explore/describe-document.ts'
import { findPicture } from '../../explore/open-picture.ts'
import { readNow } from '../../model/config/read-time.ts'
import type { Settings } from '../../model/config/settings.ts'
import { canonicalStatuses } from '../../model/digest.ts'
import { YoreError } from '../../model/errors.ts'
import { fileKinds } from '../../model/file-kind.ts'
import type { AssembleResult, SearchMode, StatusReport } from '../../model/report.ts'
import type { CorpusEngine } from '../engine/engine.ts'
import { type AskQuery, listEntries, markedBudgets, showAnswer } from './ask-page.ts'
import { colourLines } from './colour-lines.ts'
import { compareForm, type Side, showComparison } from './compare-page.ts'
import { findDefinitions, readLinesParameter, showDocument, showDocuments } from './document-page.ts'
import { drawTreemap } from './draw-treemap.ts'
import { explainMissing, MOST_TOKENS } from './explain-missing.ts'
import { type Destination, findDestinations, listDestinations } from './find-destinations.ts'
import { framePage, ownPlace, type PageAddress, type PagePlace } from './frame-page.ts'
import { listConnected, showGraph } from './graph-page.ts'
import { type Child, decodePath, html, numberIn } from './html.ts'
import { showLinks } from './links-page.ts'
import { renderDocument } from './render-document.ts'
import { type StartFacts, showStart } from './start-page.ts'
import { type ReadLine, showUses } from './uses-page.ts'

export interface UiCorpus {
  readonly engine: CorpusEngine
  readonly name: string
  /** Whose budget and depth a question begins with. */
  readonly settings: Settings
  /** Folder of the corpus on the reader's machine; absent elsewhere. */
  readonly root?: string
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
}

const LISTED = 100
const PROPOSED = 5
/** Documents that the treemap counts. */
const COUNTED = 20_000
/** Files from which on the start page does not wait for the check of links. */
const CHECKED = 500
const KEPT = 20
const DRAWN = 200
/** Files whose lines the pages of uses and links show. */
const READ = 24
/** Documents that fill the page of the graph, and its drawings at most. */
const FILLED = 8
const MOST_DRAWINGS = 3
const aliases: Readonly<Record<string, string>> = { documents: 'doc', search: 'ask' }

const json = (value: unknown): MadePage => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value, null, 1)}\n`,
})

function readLines(files: readonly DocumentDescription[]): ReadLine {
  const texts = new Map(files.map(({ path, text }) => [path, text.split('\n')]))
  return (path, line) => texts.get(path)?.[line - 1] ?? null
}

export interface PageMaker {
  readonly make: (address: URL) => Promise<MadePage>
  readonly explainFault: (error: YoreError) => MadePage
}

export function makePages(
  { engine, name: corpusName, settings, root, place = ownPlace(corpusName) }: UiCorpus,
  { kept, owner }: PageMemory = { kept: new Map(), owner: '' },
): PageMaker {
  async function make(address: URL): Promise<MadePage> {
    const { pathname, searchParams: query } = address
    if (pathname.startsWith('/doc/')) return documentPage(pathname.slice('/doc/'.length), query)
    const [, written = '', extension = ''] = /^\/(\w+)(?:\.(json|md))?$/.exec(pathname) ?? []
    if (written === 'uses' && has('/doc')) return usesPage((query.get('of') ?? '').slice(0, 2000))
    if (written === 'compare' && has('/ask')) return comparePage(query)
    if (written === 'find') return findPage((query.get('text') ?? '').slice(0, 200).trim())
    const name = aliases[written] ?? written
    const named = async (): Promise<MadePage | null> => {
      if (name === 'ask') return askPage(query, extension)
      if (name === 'doc') return documentsPage(query, extension)
      if (name === 'graph') return graphPage(query, extension)
      return name === 'links' ? linksPage(extension) : null
    }
    const made = has(`/${name}`) ? await named().catch((cause) => build(cause, named)) : null
    return made ?? notFound(`There is no page ${pathname}.`)
  }

  /** Builds an index that is missing or outdated, and makes the page then. */
  async function build(cause: unknown, make: () => Promise<MadePage | null>): Promise<MadePage | null> {
    const isMissing = cause instanceof YoreError && ['NO_INDEX', 'INDEX_OUTDATED'].includes(cause.code)
    if (!isMissing) throw cause
    await engine.documentGraph({ limit: 1 })
    return make()
  }

  const has = (address: string): boolean => place.menu.some((one) => one === address)

  function frame(at: PageAddress | null, title: string, body: Child): MadePage {
    const page = framePage({ at, title, place, body })
    return { status: 200, type: 'text/html; charset=utf-8', body: page }
  }

  function explainFault({ message, hint, http }: YoreError): MadePage {
    const say = (text: string): Child =>
      (text.charAt(0).toUpperCase() + text.slice(1))
        .split('`')
        .map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))
    return excuse(http, 'This did not work', html`<p>${say(message)}.</p><p>${say(hint)}.</p>`)
  }

  function notFound(message: string, near: readonly Destination[] = []): MadePage {
    const offer = near.length === 0 ? '' : html`<p>Did you mean one of these?</p>${listDestinations(near)}`
    return excuse(404, 'Not found', html`<p>${message}</p>${offer}`)
  }

  function excuse(status: number, title: string, body: Child): MadePage {
    const out = html`<div class="lead"><h1>${title}</h1>${body}</div><p class="row"><a class="quiet" href="/ask">Ask something</a><a class="quiet" href="/doc">All documents</a></p>`
    return { ...frame(null, title, out), status }
  }

  function askQuery(query: URLSearchParams): AskQuery {
    const wanted = query.get('mode') ?? ''
    const text = (name: string, most: number): string => (query.get(name) ?? '').slice(0, most).trim()
    const added = text('word', 200)
    return {
      q: text('q', 4000),
      max: numberIn(query, 'max', { otherwise: settings.maxTokens, least: 100, most: MOST_TOKENS }),
      depth: numberIn(query, 'depth', { otherwise: settings.depth, least: 0, most: 2 }),
      mode: ['lexical', 'hybrid', 'vector'].includes(wanted) ? (wanted as SearchMode) : 'hybrid',
      path: text('path', 1000),
      words: [text('words', 1000), added].filter((part) => part !== '').join(', '),
      names: text('names', 1000),
      fill: query.get('fill') === '1',
      find: text('find', 1000),
    }
  }

  /** What prints this digest in a shell; empty where the corpus is not on this machine. */
  function commandOf({ q, max, depth, mode, path, words, names, fill }: AskQuery): string {
    const quote = (text: string): string =>
      /^[\w.,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
    const same = { depth: settings.depth, mode: 'hybrid', words: '', names: '', path: '' } as const
    const given = Object.entries({ depth, mode, words, names, path })
      .filter(([name, value = '']) => value !== same[name as keyof typeof same])
      .map(([name, value]) => ` --${name} ${quote(String(value))}`)
    const flags = `--max-tokens ${max} --layout brief${given.join('')}${fill ? ' --fill' : ''}`
    return root === undefined ? '' : `yore assemble ${quote(q)} ${flags}`
  }

  function assembleOptions(asked: AskQuery): Partial<AssembleOptions> {
    const { max: maxTokens, depth, mode, path, words = '', names = '', fill = false } = asked
    const scope = path === '' ? {} : { path }
    // The explorer runs for long: the time is that of the request.
    const now = readNow({ env: process.env, clock: Date.now() })
    return { maxTokens, depth, mode, words, names, fill, explain: true, layout: 'brief', now, ...scope }
  }

  async function askPage(query: URLSearchParams, extension: string): Promise<MadePage> {
    const asked = askQuery(query)
    if (asked.q === '') return startPage(asked)
    const options = assembleOptions(asked)
    const assembleAt = (budgets: readonly number[]): Promise<readonly (AssembleResult | null)[]> =>
      engine.assembleBudgets(asked.q, budgets, { ...options, refresh: 'never' })
    if (extension === 'json' && query.has('steps'))
      return json({ steps: listEntries(await assembleAt(markedBudgets)) })
    const result = await engine.assemble(asked.q, options)
    if (extension === 'md') return { status: 200, type: 'text/markdown; charset=utf-8', body: result.output }
    if (extension === 'json') {
      const { digest, tokensUsed, account, freshness } = result
      return json({ asked, tokensUsed, account, digest, freshness })
    }
    const missing = await explainMissing({ engine, query: asked, result, assembleAt })
    const [command, compare] = [commandOf(asked), compareForm(asked)]
    const context = { missing, command, compare, isWhole: query.has('whole') }
    return frame('/ask', asked.q, showAnswer(asked, result, context))
  }

  /** What ends with a 2 in the query is of the other side; everything else is of both. */
  async function comparePage(query: URLSearchParams): Promise<MadePage> {
    const other = new URLSearchParams(query)
    for (const [name, value] of query) if (name.endsWith('2')) other.set(name.slice(0, -1), value)
    const ask = async (one: URLSearchParams): Promise<Side> => {
      const asked = askQuery(one)
      const result = await engine.assemble(asked.q, assembleOptions(asked))
      return { query: asked, result }
    }
    const [one, two] = [await ask(query), await ask(other)]
    return frame('/ask', 'Side by side', showComparison([one, two], query.has('whole')))
  }

  async function startPage(asked: AskQuery): Promise<MadePage> {
    // An index may be missing or outdated: the page takes a question while it is built.
    const status = await engine.status({ refresh: 'auto' }).catch((cause: unknown) => {
      if (!(cause instanceof YoreError) || cause.http >= 500) throw cause
      engine.documentGraph({ limit: 1 }).catch(() => {})
      return null
    })
    const facts = status === null ? null : { status, ...(await describe(status)) }
    return frame('/ask', 'Ask', showStart(asked, corpusName, facts))
  }

  function describe({ indexedAt, tokens, files }: StatusReport): Promise<Omit<StartFacts, 'status'>> {
    return keep(`start ${indexedAt} ${tokens}`, async () => ({
      questions: await proposeQuestions(),
      links: files > CHECKED ? null : await checkLinks(),
      treemap: drawTreemap((await engine.documentGraph({ limit: COUNTED, refresh: 'never' })).nodes),
    }))
  }

  async function proposeQuestions(): Promise<string[]> {
    const sure: string[] = []
    for (const { question } of await engine.proposeQuestions(4 * PROPOSED)) {
      const { confidence } = await engine.search(question, { limit: 3, refresh: 'never' })
      if (confidence.label === 'high') sure.push(question)
      if (sure.length === PROPOSED) break
    }
    return sure
  }

  /** For the field at the top of every page. */
  async function findPage(text: string): Promise<MadePage> {
    const found = await findDestinations(engine, text)
    return json({ found: found.map((one) => ({ ...one, href: place.base + one.href })) })
  }

  async function documentPage(written: string, query: URLSearchParams): Promise<MadePage> {
    const path = decodePath(written)
    const isJson = query.get('format') === 'json'
    try {
      const found = await engine.describeDocument(path)
      if (isJson) return json(found)
      const { links } = await engine.checkLinks({ path: found.path, refresh: 'never' })
      const marked = readLinesParameter(query.get('lines') ?? '')
      const isSource = marked !== null || query.get('view') === 'source'
      const picture = (named: string) => (root === undefined ? null : findPicture(root, found.path, named))
      const rendered = isSource ? null : await renderDocument(found, picture)
      const coloured = rendered === null ? await colourLines(found.text, found, findDefinitions(found)) : null
      const context = { marked, now: Date.now(), links, rendered, coloured }
      return frame('/doc', found.title, showDocument(found, context))
    } catch (cause) {
      if (isJson || !(cause instanceof YoreError) || cause.code !== 'BAD_INPUT') throw cause
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
      return notFound(`The index has no file ${path}.`, await findDestinations(engine, name))
    }
  }

  async function usesPage(named: string): Promise<MadePage> {
    const { facts } = await engine.uses(named, { direction: 'both', depth: 1 })
    const all = [facts, ...facts.others]
    const places = all.flatMap((one) => [one.subject, ...one.usedBy, ...one.uses, ...one.possibleUses])
    const paths = new Set([...all.map(({ subject }) => subject), ...places].map(({ path }) => path))
    const files = await readFiles(paths)
    const signatures = new Map(files.flatMap(({ sections }) => sections.map(({ id, name }) => [id, name])))
    const body = showUses(facts, signatures, readLines(files))
    return frame('/doc', `Uses of ${facts.subject.name}`, body)
  }

  function readFiles(paths: Iterable<string>): Promise<DocumentDescription[]> {
    const read = (path: string) => engine.describeDocument(path, { refresh: 'never' })
    return Promise.all([...paths].slice(0, READ).map(read))
  }

  async function documentsPage(query: URLSearchParams, extension: string): Promise<MadePage> {
    const offset = numberIn(query, 'offset', { otherwise: 0, least: 0, most: 10_000_000 })
    const value = (name: string): string => (query.get(name) ?? '').slice(0, 1000).trim()
    const [text, folder] = [value('text'), value('folder')]
    const kind = fileKinds.find((one) => one === value('kind'))
    const status = canonicalStatuses.find((one) => one === value('status'))
    const sort = documentSorts.find((one) => one === value('sort')) ?? 'references'
    const filter = { text, folder, kind, status, sort }
    const graph = await engine.documentGraph({ offset, limit: LISTED, ...filter })
    if (extension === 'json') return json(graph)
    const places = graph.total === 0 ? await findDestinations(engine, text) : []
    const shown = showDocuments(graph, filter, { now: Date.now(), limit: LISTED, places })
    return frame('/doc', 'Documents', shown)
  }

  /** Around one document: the best connected one where none is named. The JSON without one is the graph of the corpus. */
  async function graphPage(query: URLSearchParams, extension: string): Promise<MadePage> {
    const asked = (query.get('of') ?? '').slice(0, 1000).trim()
    const named = asked === '' ? undefined : (await engine.describeDocument(asked)).path
    if (extension === 'json') {
      const kind = fileKinds.find((one) => one === query.get('kind'))
      const limit = numberIn(query, 'limit', { otherwise: DRAWN, least: 10, most: DRAWN })
      return json(await engine.documentGraph({ limit, of: named, kind, sort: 'references' }))
    }
    const best = await engine.documentGraph({ limit: DRAWN, without: 'tests', sort: 'references' })
    const drawings: DocumentDescription[] = []
    const drawn = new Set<string>()
    for (const of of named === undefined ? listConnected(best) : [named]) {
      if (drawn.has(of)) continue
      const found = await engine.describeDocument(of, { refresh: 'never' })
      drawings.push(found)
      for (const { path, to } of [...found.references, ...found.referencedBy])
        for (const one of [path, to?.split('#', 1)[0]]) if (one !== undefined) drawn.add(one)
      if (drawn.size >= FILLED || drawings.length === MOST_DRAWINGS) break
    }
    if (drawings.length === 0) return notFound('No document is indexed.')
    return frame('/graph', 'Graph', showGraph(drawings))
  }

  async function checkLinks(): Promise<LinkReport> {
    const { fingerprint } = await engine.documentGraph({ limit: 1 })
    const check = async () => (await engine.checkLinks({ refresh: 'never' })).links
    return keep(`links ${fingerprint}`, check)
  }

  async function linksPage(extension: string): Promise<MadePage> {
    const links = await checkLinks()
    if (extension === 'json') return json(links)
    const paths = certainKinds.flatMap(({ kind }) => (links[kind] ?? []).map(({ path }) => path))
    const files = await readFiles(new Set(paths))
    return frame('/links', 'Links', showLinks(links, readLines(files)))
  }

  async function keep<T>(key: string, make: () => Promise<T>): Promise<T> {
    const own = `${owner} ${key}`
    if (kept.has(own)) return kept.get(own) as T
    const made = await make()
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string)
    kept.set(own, made)
    return made
  }

  return { make, explainFault }
}
