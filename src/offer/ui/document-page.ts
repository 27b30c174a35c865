// What is in a document, and what is around it? A table of all documents to filter and sort; of one its outline, lines and references.
import { certainKinds, type LinkReport } from '../../check/links/link-report.ts'
import type {
  DocumentDescription,
  DocumentGraph,
  DocumentReference,
  documentSorts,
} from '../../explore/describe-document.ts'
import { readAsMarkdown } from '../../explore/read-as-markdown.ts'
import { plainName } from '../../explore/show-passage.ts'
import type { Lines } from '../../model/artifact.ts'
import { type CanonicalStatus, canonicalStatuses } from '../../model/digest.ts'
import { type FileKind, fileKinds } from '../../model/file-kind.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { Definitions } from './colour-lines.ts'
import { type Destination, listDestinations } from './find-destinations.ts'
import { ageOf, chooseOne, listReasons, showTable, statusTags, tag } from './frame-page.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'
import { anchorOf } from './render-document.ts'
import { numberLines } from './show-text.ts'

export function readLinesParameter(written: string): Lines | null {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(written)
  if (match === null) return null
  const start = Number(match[1])
  return { start, end: Math.max(start, Number(match[2] ?? start)) }
}

/** Documents on the other side: at once, and at most. */
const OPEN = 8
const LISTED = 100
const LINES = 6

const breakPath = (path: string): Child =>
  path.split('/').map((part, at) => (at === 0 ? part : html`/<wbr>${part}`))

const linkFolders = (path: string): Child =>
  path.split('/').map((part, at, all) => {
    const folder = all.slice(0, at + 1).join('/')
    return at === all.length - 1 ? part : html`<a href="${addressOf('/doc', { folder })}">${part}</a>/<wbr>`
  })

const foldPath = (path: string): Child =>
  breakPath(path.split('/').length > 3 ? `…/${path.split('/').slice(-2).join('/')}` : path)

const verbs: Readonly<Record<DocumentReference['form'], string>> = {
  ...{ link: 'links to', wiki: 'links to', id: 'cites', image: 'shows', uses: 'uses', import: 'imports' },
  ...{ class: 'adds methods to', script: 'loads', code: 'names code of' },
}

export const groupReferences = (
  found: readonly DocumentReference[],
  side: 'in' | 'out',
): ReadonlyMap<string, readonly DocumentReference[]> =>
  Map.groupBy(found, ({ path, to, target }) => (side === 'in' ? path : (to?.split('#', 1)[0] ?? target)))

/** `imports this file at its line 3; uses it at lines 5 12`, or `this file imports it at line 3`: by kind. */
export function sayLines(references: readonly DocumentReference[], side: 'in' | 'out', own: string): Markup {
  const kinds = [...Map.groupBy(references, ({ form }) => verbs[form])].sort(([a], [b]) => (a < b ? -1 : 1))
  const said = kinds.map(([verb, some], at) => {
    const places = [...new Map(some.map(({ path, line }) => [line, path]))]
    const link = ([line, path]: readonly [number, string]): Markup =>
      html` <a href="${documentAddress(path, { start: line, end: line })}">${line}</a>`
    const more = places.length > LINES ? ` and ${places.length - LINES} more` : ''
    const word = places.length === 1 ? 'line' : 'lines'
    const what = `${verb} ${side === 'in' && at === 0 ? own : 'it'} at ${side === 'in' && at === 0 ? 'its ' : ''}${word}`
    return html`${at === 0 ? '' : '; '}${what}${places.slice(0, LINES).map(link)}${more}`
  })
  return html`<span class="soft">${side === 'in' ? '' : `${own} `}${said}</span>`
}

export function listReferences(
  title: string,
  found: readonly DocumentReference[],
  side: 'in' | 'out',
  { judged = new Map(), own = 'this file' }: { judged?: ReadonlyMap<string, Markup>; own?: string } = {},
): Child {
  const groups = [...groupReferences(found, side)]
  const row = ([name, references]: (typeof groups)[number]): Markup => {
    const isKnown = side === 'in' || references[0]?.to != null
    const [verdict] = references.flatMap(({ line, target }) => judged.get(`${line} ${target}`) ?? [])
    return html`<li>${isKnown ? html`<a class="mono" href="${documentAddress(name)}" title="${name}">${foldPath(name)}</a>` : html`<span class="mono soft">${name}</span>`} ${verdict ?? ''}<br>${sayLines(references, side, own)}</li>`
  }
  const list = (some: typeof groups): Markup => html`<ul class="plain small">${some.map(row)}</ul>`
  const rest = groups.slice(OPEN, LISTED)
  return html`<section class="card stack" id="${side}"><h2>${title}${groups.length === 0 ? '' : ` · ${groups.length}`}</h2>${groups.length === 0 ? html`<p class="small soft">No document.</p>` : list(groups.slice(0, OPEN))}${rest.length === 0 ? '' : html`<details><summary>${formatCount(groups.length - OPEN)} more</summary>${list(rest)}${groups.length > LISTED ? html`<p class="small soft">and ${groups.length - LISTED} more, all in JSON</p>` : ''}</details>`}</section>`
}

interface DocumentContext {
  readonly marked: Lines | null
  readonly now: number
  readonly links: Pick<LinkReport, (typeof certainKinds)[number]['kind'] | 'doubtful' | 'unindexed'>
  /** Null for the source. */
  readonly rendered?: Markup | null
  /** The lines of the source with their colours, where its language has a grammar. */
  readonly coloured?: readonly Markup[] | null
}

function judgeReferences(links: DocumentContext['links']): ReadonlyMap<string, Markup> {
  const kinds = [...certainKinds.map(({ kind }) => kind), 'doubtful', 'unindexed'] as const
  const judged = kinds.flatMap((kind) => {
    const tone = kind === 'broken' ? 'bad' : kind === 'doubtful' || kind === 'unindexed' ? 'plain' : 'warn'
    const verdict = tag(kind === 'anchors' ? 'no such heading' : kind, tone)
    return (links[kind] ?? []).map(({ line, target }) => [`${line} ${target}`, verdict] as const)
  })
  return new Map(judged)
}

/** What the names in its code lead to. The index has the first line of a name in a definition: it is the same in the others. */
export function findDefinitions({ sections, references }: DocumentDescription): Definitions {
  const innermost = (line: number): number =>
    sections.findLastIndex(({ lines }) => lines.start <= line && line <= lines.end)
  const known = references.flatMap(({ definition, target, to, line }) => {
    if (definition === undefined || to === null) return []
    const [path = ''] = to.split('#', 1)
    const title = `${definition.name} · ${path}:${definition.lines.start}`
    const name = target.slice(target.search(/[^.#:/]+$/))
    return [{ at: innermost(line), name, href: documentAddress(path, definition.lines), title }]
  })
  const bySection = Map.groupBy(known, ({ at }) => at)
  return (line) => new Map(bySection.get(innermost(line))?.map((one) => [one.name, one]))
}

export function showDocument(
  found: DocumentDescription,
  { marked, now, links, rendered = null, coloured = null }: DocumentContext,
): Markup {
  const { path, language, text, tokens, sections, canonicality, modifiedAt } = found
  const isCode = !['markdown', 'text'].includes(language)
  const top = Math.min(...sections.map(({ level }) => level))
  const outline = sections.map(
    ({ id, name, headings, lines, level, tokens: own }) =>
      html`<li class="l${Math.min(4, level - top + 1)}"><a href="#${rendered === null ? `L${lines.start}` : anchorOf(id)}"><span${isCode ? html` title="${name}"` : ''}>${isCode ? headings.slice(level - top).join('.') || name : plainName(name)}</span></a>${isCode ? html`<a class="soft" href="${addressOf('/uses', { of: id })}">uses</a>` : html`<span class="soft mono">${formatCount(own)}</span>`}</li>`,
  )
  const address = documentAddress(path)
  // Names that the file itself defines lead to no other document.
  const referrers = new Set(found.referencedBy.map((one) => one.path)).size
  const references = found.references.filter(({ to }) => to?.split('#', 1)[0] !== path)
  const view = (name: string, href: string, isHere: boolean): Markup =>
    html`<a class="quiet" href="${href}"${isHere ? html` aria-current="true"` : ''}>${name}</a>`
  const views =
    readAsMarkdown(found) === null
      ? ''
      : html`${view('Rendered', address, rendered !== null)}${view('Source', `${address}?view=source`, rendered === null)}`
  const lines = html`<div class="text${isCode ? ' code' : ''}" tabindex="0" role="region" aria-label="Lines"><ol data-path="${path}">${numberLines({ path, start: 1, text: text.replace(/\n$/, ''), language, marked, anchored: true, coloured })}</ol></div>`
  return html`<div class="lead"><h1 class="mono">${linkFolders(path)}</h1><div class="row small soft">${statusTags(canonicality)}<span>${formatQuantity(tokens, 'token')}</span><span>${ageOf(modifiedAt, now)}</span><span class="narrow"><a href="#in">Referenced by · ${referrers}</a> <a href="#out">Refers to</a></span><span class="push row">${views}<a class="quiet" href="${addressOf('/ask', { path })}">Ask about it</a><a class="quiet" href="${addressOf('/graph', { of: path })}">Graph</a><a class="quiet" href="${addressOf(address, { format: 'json' })}">JSON</a></span></div></div>
<div class="two${outline.length === 0 ? '' : ' read'}">${outline.length === 0 ? '' : html`<details class="toc" open><summary>Outline · ${formatQuantity(outline.length, 'section')}${isCode ? '' : html`<span class="soft">tokens</span>`}</summary><ul class="plain outline small">${outline}</ul></details>`}
<section class="card${rendered === null ? ' lines' : ''}" aria-label="Text">${rendered ?? lines}</section>
<aside class="stack tight" aria-label="References" tabindex="0">${listReferences('Referenced by', found.referencedBy, 'in')}${listReferences('Refers to', references, 'out', { judged: judgeReferences(links) })}
<section class="card stack"><h2>Authority ${canonicality.score.toFixed(2)}</h2><p class="small soft">From 0 to 1: can it be trusted to be current? Ranks its passages.</p>${listReasons(canonicality)}</section></aside></div>`
}

export interface DocumentsQuery {
  readonly text: string
  readonly folder: string
  readonly kind: FileKind | undefined
  readonly status: CanonicalStatus | undefined
  readonly sort: (typeof documentSorts)[number]
}

/** All documents that the filter leaves; `places` is what the text may mean where it leaves none. */
export function showDocuments(
  { nodes, total, offset }: DocumentGraph,
  query: DocumentsQuery,
  {
    now,
    limit,
    places,
  }: { readonly now: number; readonly limit: number; readonly places: readonly Destination[] },
): Markup {
  const { text, folder, kind, status, sort } = query
  const address = (changes: Partial<DocumentsQuery> & { readonly offset?: number }): string =>
    addressOf('/doc', { ...query, ...changes })
  const rows = nodes.map(({ path, title, kind: own, status: standing, inbound, tokens, modifiedAt }) => {
    const at = path.lastIndexOf('/')
    return [
      html`<a href="${documentAddress(path)}">${title}</a>${standing === 'possibly stale' ? html` ${tag(standing, 'warn')}` : ''}`,
      html`<span class="path mono">${at === -1 ? '' : html`<a class="soft" href="${address({ folder: path.slice(0, at) })}">${path.slice(0, at + 1)}</a>`}<span>${path.slice(at + 1)}</span></span>`,
      own,
      formatCount(inbound),
      formatCount(tokens),
      ageOf(modifiedAt, now).replace(/^changed /, ''),
    ]
  })
  const link = (name: string, by: DocumentsQuery['sort']): Child =>
    html`<a href="${address({ sort: by })}"${by === sort ? html` aria-current="true"` : ''}>${name}</a>`
  const columns = [
    { name: link('title', 'title') },
    { name: 'path', isRoomy: true },
    { name: 'kind', isRoomy: true },
    { name: link('references', 'references'), isNumber: true },
    { name: link('tokens', 'tokens'), isNumber: true },
    { name: link('changed', 'age'), isNumber: true, isRoomy: true },
  ]
  return html`<div class="lead"><h1>Documents</h1></div>
<form class="options" action="/doc" data-filter="documents"><label>Text <input name="text" value="${text}" placeholder="title or path" type="search" maxlength="200"></label><label>Folder <input class="wide" name="folder" value="${folder}" placeholder="everywhere"></label>${chooseOne('Kind', 'kind', kind ?? '', [['', 'all'], ...fileKinds.map((one) => [one, one] as const)])}${chooseOne('Status', 'status', status ?? '', [['', 'all'], ...canonicalStatuses.map((one) => [one, one] as const)])}<input type="hidden" name="sort" value="${sort}"><button class="quiet">Filter</button></form>
<div id="documents" class="stack tight"><p class="small soft" role="status">${formatQuantity(total, 'document')}</p>
${rows.length === 0 ? html`<div class="card stack"><p>No document matches. <a href="/doc">Show all documents</a></p>${places.length === 0 ? '' : html`<h2>Sections, symbols and questions</h2>${listDestinations(places)}`}</div>` : showTable('Documents', columns, rows)}${turnPages({ offset, total, limit }, (next) => address({ offset: next }))}</div>`
}

function turnPages(
  { offset, total, limit }: { readonly offset: number; readonly total: number; readonly limit: number },
  address: (offset: number) => string,
): Child {
  const [before, after] = [offset > 0, offset + limit < total]
  if (!before && !after) return null
  return html`<nav class="row" aria-label="Pages of the list">${before ? html`<a class="quiet" href="${address(Math.max(0, offset - limit))}">Previous</a>` : ''}<span class="soft small">${formatCount(offset + 1)} to ${formatCount(Math.min(total, offset + limit))} of ${formatCount(total)}</span>${after ? html`<a class="quiet" href="${address(offset + limit)}">Next</a>` : ''}</nav>`
}
