// Which references and documents need work? Findings of the link check by kind, worst first, each with its lines.
import {
  certainKinds,
  describeFinding,
  type FaultyLink,
  type LinkReport,
} from '../../check/links/link-report.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { lastSegment } from '../../model/paths.ts'
import { tag } from './frame-page.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'
import type { ReadLine } from './uses-page.ts'

/** Listed of each kind; the others are in JSON and on the command line. */
const LISTED = 200
const OPEN = 12
/** Places of one finding with their text, and letters of it on both sides. */
const [LINES, NEAR] = [3, 200]

export function showLinks(links: LinkReport, readLine: ReadLine = () => null): Markup {
  const { checked, doubtful, unindexed, orphans, stale } = links
  const groups = certainKinds.flatMap(({ kind, title }) => {
    const found = links[kind] ?? []
    // The same target may be missing in many places.
    const places = [...Map.groupBy(found, (link) => describeFinding(kind, link))]
    const [open, rest] = [places.slice(0, OPEN), places.slice(OPEN, LISTED)]
    const list = (some: typeof places): Markup =>
      html`<ul class="plain">${some.map(([message, same]) => html`<li class="finding"><b>${message}</b>${showTarget(kind, same[0])}${same.map((link, at) => showPlace(link, at < LINES ? readLine(link.path, link.line) : null))}</li>`)}</ul>`
    const more = html`<details><summary>${formatCount(places.length - OPEN)} more</summary>${list(rest)}</details>`
    const count = tag(formatCount(found.length), kind === 'broken' ? 'bad' : 'warn')
    const card = html`<section class="card" id="${kind}"><div class="row"><h2>${title}</h2>${count}</div>${list(open)}${rest.length === 0 ? '' : more}</section>`
    return found.length === 0 ? [] : [card]
  })
  const found = certainKinds.map(({ kind }) => ({ kind, count: links[kind]?.length ?? 0 }))
  const counts = [
    ...found,
    { kind: 'doubtful', count: doubtful.length },
    { kind: 'orphans', count: orphans.length },
  ]
  const shown = counts.filter(({ kind, count }) => count > 0 || /^(?:broken|doubtful|orphans)$/.test(kind))
  const tiles = shown.map(
    ({ kind, count }) =>
      html`<a class="tile" href="#${kind}"><b>${formatCount(count)}</b><span class="soft small">${kind === 'anchors' ? 'lost anchors' : kind}</span></a>`,
  )
  const listRest = (
    id: string,
    title: string,
    some: readonly (FaultyLink & { readonly why?: string })[],
  ): Child =>
    some.length > 0 &&
    html`<details class="card"><summary>${title} · ${formatCount(some.length)}</summary><ul class="plain small" id="${id}">${some.slice(0, LISTED).map((link) => html`<li>${showPlace(link, null)}<span class="mono">${link.target}</span>${link.why === undefined ? '' : html` <span class="soft">${link.why}</span>`}</li>`)}</ul></details>`
  return html`<div class="lead"><h1>Links</h1><p>References that lead nowhere, and documents that are out of date. <code>yore links</code> prints the same, also in CI.</p></div>
<section class="card tiles" aria-label="Counts"><div class="tile"><b>${formatCount(checked)}</b><span class="soft small">references</span></div>${tiles}</section>
${stale === null ? html`<p class="notice">Documents were not compared with the code: there is no complete git history.</p>` : ''}
${groups.length === 0 ? html`<p class="card">Nothing found in ${formatQuantity(checked, 'reference')}.</p>` : groups}
${listRest('doubtful', 'References that may be right', doubtful)}${listRest('unindexed', 'References to files that are not indexed', unindexed)}
${orphans.length === 0 ? '' : html`<details class="card"><summary>Documents that nothing links to · ${formatCount(orphans.length)}</summary><ul class="plain small columns" id="orphans">${orphans.slice(0, LISTED).map((path) => html`<li><a class="mono" href="${documentAddress(path)}">${path}</a></li>`)}</ul></details>`}
<p class="small"><a class="quiet" href="/links.json">JSON</a></p>`
}

/** Where the reference may lead instead: the documents that it could mean, or a search for its name. */
function showTarget(kind: string, link?: FaultyLink): Child {
  const { target = '', candidates = [] } = link ?? {}
  const name = lastSegment(target.split(/[#?]/, 1)[0] ?? '').replace(/\.\w+$/, '')
  const found = candidates.map((path) => html`<a class="mono" href="${documentAddress(path)}">${path}</a> `)
  if (found.length > 0) return html`<span class="small">See ${found}</span>`
  return (
    kind === 'broken' &&
    name !== '' &&
    html`<span class="small"><a href="${addressOf('/doc', { text: name })}">Look for ${name}</a></span>`
  )
}

/** With its line, in which the target is marked. */
function showPlace({ path, line, target }: FaultyLink, text: string | null): Markup {
  const [before = '', ...after] = (text ?? '').trim().split(target)
  const rest = after.join(target).slice(0, NEAR)
  const marked =
    after.length === 0 ? before.slice(0, 2 * NEAR) : [before.slice(-NEAR), html`<mark>${target}</mark>`, rest]
  return html`<div><a class="place" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a>${text === null ? '' : html`<pre class="call">${marked}</pre>`}</div>`
}
