// What refers to what? A drawing, and the same as a table.
import type { DocumentGraph } from '../../explore/describe-document.ts'
import { type FileKind, fileKinds } from '../../model/file-kind.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { statusTag } from './frame-page.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

export interface GraphQuery {
  readonly of: string
  readonly hops: number
  readonly kind: FileKind | undefined
  readonly limit: number
}

const LISTED = 100

export function showGraph(
  { nodes, edges, total }: DocumentGraph,
  { of, hops, kind, limit }: GraphQuery,
): Markup {
  const degree = new Map<number, number>()
  for (const { from, to } of edges) for (const end of [from, to]) degree.set(end, (degree.get(end) ?? 0) + 1)
  const rows = nodes
    .slice(0, LISTED)
    .map(
      ({ path, title, inbound, status }, at) =>
        html`<tr><td><a href="${addressOf('/graph', { of: path })}">${title}</a><br><a class="mono soft" href="${documentAddress(path)}">${path}</a></td><td class="n">${formatCount(inbound)}</td><td class="n">${formatCount(degree.get(at) ?? 0)}</td><td>${statusTag(status)}</td></tr>`,
    )
  const around = of === '' ? 'the whole corpus' : of
  return html`<div class="lead"><h1>Graph of ${around}</h1><p>${formatQuantity(nodes.length, 'document')}${total > nodes.length ? html` of ${formatCount(total)}` : ''} and ${formatQuantity(edges.length, 'reference')} between them. The larger a document, the more relies on it.</p></div>
<form class="options" action="/graph"><label>around <input class="wide" name="of" value="${of}" placeholder="the whole corpus"></label><label>hops <select name="hops">${[1, 2, 3].map((one) => html`<option value="${one}"${one === hops ? html` selected` : ''}>${one}</option>`)}</select></label><label>kind <select name="kind"><option value="">all</option>${fileKinds.map((one) => html`<option value="${one}"${one === kind ? html` selected` : ''}>${one}</option>`)}</select></label><label>at most <input type="number" name="limit" value="${limit}" min="10" max="10000"></label><button class="quiet">Show</button><a class="quiet push" href="${addressOf('/graph.json', { of, hops, kind, limit })}" data-graph>JSON</a></form>
<section class="card js" aria-label="Drawing"><canvas role="img" aria-label="Documents as circles, references as lines; the table below says the same"></canvas><p class="small soft">Drag to move, scroll to zoom, click a document to open it. <span id="hover"></span></p></section>
<section class="card scroll" tabindex="0" aria-label="Documents"><table><thead><tr><th>document</th><th class="n">referred to by</th><th class="n">edges here</th><th>standing</th></tr></thead><tbody>${rows}</tbody></table>${nodes.length > LISTED ? html`<p class="small soft">and ${formatCount(nodes.length - LISTED)} more, all in JSON</p>` : ''}</section>`
}
