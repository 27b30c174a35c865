// Which references and documents need work? Findings of the link check by kind, worst first, each with its lines.
import {
  certainKinds,
  describeFinding,
  type FaultyLink,
  type LinkReport,
} from '../../check/links/link-report.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { showTiles, tag } from './frame-page.ts'
import { documentAddress, html, type Markup } from './html.ts'

/** Listed of each kind; the others are in JSON and on the command line. */
const LISTED = 200
const OPEN = 12

export function showLinks(links: LinkReport): Markup {
  const { checked, broken, doubtful, orphans, stale } = links
  const groups = certainKinds.flatMap(({ kind, title }) => {
    const found = links[kind] ?? []
    // The same target may be missing in many places.
    const places = [...Map.groupBy(found, (link) => describeFinding(kind, link))]
    const [open, rest] = [places.slice(0, OPEN), places.slice(OPEN, LISTED)]
    const list = (some: typeof places): Markup =>
      html`<ul class="plain">${some.map(([message, same]) => html`<li class="finding"><b>${message}</b><span>${same.map(showPlace)}</span></li>`)}</ul>`
    const more = html`<details><summary>${formatCount(places.length - OPEN)} more</summary>${list(rest)}</details>`
    const count = tag(formatCount(found.length), kind === 'broken' ? 'bad' : 'warn')
    const card = html`<section class="card" id="${kind}"><div class="row"><h2>${title}</h2>${count}</div>${list(open)}${rest.length === 0 ? '' : more}</section>`
    return found.length === 0 ? [] : [card]
  })
  const tiles = [
    ['references', formatCount(checked)],
    ['broken', formatCount(broken.length)],
    ['doubtful', formatCount(doubtful.length)],
    ['orphans', formatCount(orphans.length)],
  ] as const
  return html`<div class="lead"><h1>Links</h1><p>References that lead nowhere, and documents that are out of date. <code>yore links</code> prints the same, also in CI; <code>--doubtful</code> lists the rest.</p></div>
${showTiles(tiles)}
${stale === null ? html`<p class="notice">Documents were not compared with the code: there is no complete git history.</p>` : ''}
${groups.length === 0 ? html`<p class="card">Nothing found in ${formatQuantity(checked, 'reference')}.</p>` : groups}
${orphans.length === 0 ? '' : html`<details class="card"><summary>Documents that nothing links to · ${formatCount(orphans.length)}</summary><ul class="plain small columns">${orphans.slice(0, LISTED).map((path) => html`<li><a class="mono" href="${documentAddress(path)}">${path}</a></li>`)}</ul></details>`}
<p class="small"><a class="quiet" href="/links.json">JSON</a></p>`
}

function showPlace({ path, line }: FaultyLink): Markup {
  return html`<a class="place" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a> `
}
