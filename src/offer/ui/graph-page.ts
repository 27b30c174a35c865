// What refers to what? The most referenced documents around a circle, grouped by folder, and the same as lists.

import type { DocumentGraph, DocumentNode } from '../../explore/describe-document.ts'
import { type FileKind, fileKinds } from '../../model/file-kind.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { cut } from '../../model/mark-invisible.ts'
import { type FolderGroup, groupByFolder } from './draw-treemap.ts'
import { chooseOne, showTable } from './frame-page.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

export interface GraphQuery {
  readonly of: string
  readonly hops: number
  readonly kind: FileKind | undefined
  readonly limit: number
}

/** Colours of the style sheet; smaller folders share the last. */
const COLOURS = 8
const SIZE = 1000
const RADIUS = 315
const LABEL = 20

/** Folders of the nodes, the largest first; the smaller ones together. */
function groupNodes(nodes: readonly DocumentNode[]): FolderGroup[] {
  const groups = groupByFolder(nodes).sort((a, b) => b.at.length - a.at.length)
  const others = groups.splice(COLOURS - 1).flatMap(({ at }) => at)
  return others.length === 0
    ? groups
    : [...groups, { path: 'other folders', name: 'other folders', at: others }]
}

/** Titles; files of the same name with their folder. */
function nameNodes(nodes: readonly DocumentNode[]): string[] {
  const titles = Map.groupBy(nodes, ({ title }) => title)
  return nodes.map(({ path, title }) =>
    path.endsWith(`/${title}`) && titles.get(title)?.length !== 1
      ? path.split('/').slice(-2).join('/')
      : title,
  )
}

const round = (value: number): string => value.toFixed(1)

/** Documents around a circle with their names outside, references as curves inside. */
function drawGraph(
  { nodes, edges }: DocumentGraph,
  groups: readonly FolderGroup[],
  titles: readonly string[],
): Markup {
  // One place stays free between two folders.
  const slots = nodes.length + groups.length
  const angles = new Map<number, number>()
  let slot = 0
  for (const { at } of groups) {
    for (const node of at) angles.set(node, (2 * Math.PI * slot++) / slots - Math.PI / 2)
    slot++
  }
  const point = (node: number, radius: number): readonly [number, number] => {
    const angle = angles.get(node) ?? 0
    return [SIZE / 2 + radius * Math.cos(angle), SIZE / 2 + radius * Math.sin(angle)]
  }
  const colour = new Map(groups.flatMap(({ at }, group) => at.map((node) => [node, group] as const)))
  const most = Math.max(...nodes.map(({ inbound }) => inbound), 1)
  const lines = edges.flatMap(({ from, to }) => {
    if (from === to) return []
    const [[x1, y1], [x2, y2]] = [point(from, RADIUS), point(to, RADIUS)]
    return [
      html`<path class="edge c${colour.get(from) ?? 0}" data-from="${from}" data-to="${to}" d="M${round(x1)} ${round(y1)}Q500 500 ${round(x2)} ${round(y2)}"/>`,
    ]
  })
  const names = nodes.map(({ path, inbound }, at) => {
    const [x, y] = point(at, RADIUS + 8)
    const [labelX, labelY] = point(at, RADIUS + 24)
    const degrees = ((angles.get(at) ?? 0) * 180) / Math.PI
    const isLeft = degrees > 90
    return html`<a class="node c${colour.get(at) ?? 0}" href="${documentAddress(path)}" data-node="${at}"><circle cx="${round(x)}" cy="${round(y)}" r="${round(3 + 6 * Math.sqrt(inbound / most))}"/><text x="${round(labelX)}" y="${round(labelY)}" dy=".32em" text-anchor="${isLeft ? 'end' : 'start'}" transform="rotate(${round(isLeft ? degrees + 180 : degrees)} ${round(labelX)} ${round(labelY)})">${cut(titles[at] ?? '', LABEL)}</text><title>${path}: ${formatQuantity(inbound, 'document')} refer to it</title></a>`
  })
  return html`<svg class="graph" viewBox="0 0 ${SIZE} ${SIZE}" role="group" aria-label="Documents around a circle, references as curves between them"><g>${lines}</g>${names}</svg>`
}

const LISTED = 10

export function showGraph(graph: DocumentGraph, { of, hops, kind, limit }: GraphQuery): Markup {
  const { nodes, edges, total } = graph
  const groups = groupNodes(nodes)
  const titles = nameNodes(nodes)
  const rows = nodes
    .slice(0, of === '' ? LISTED : nodes.length)
    .map(({ path, inbound }, at) => [
      html`<a href="${documentAddress(path)}" title="${path}">${titles[at]}</a>`,
      html`<a href="${addressOf('/graph', { of: path })}" title="Show what is around it">${formatCount(inbound)}</a>`,
    ])
  const columns = [{ name: 'document' }, { name: 'referenced by', isNumber: true }]
  return html`<div class="lead"><h1>${of === '' ? 'What refers to what' : of}</h1><p>${formatQuantity(nodes.length, 'document')}${total > nodes.length ? html` of ${formatCount(total)}, the most referenced` : ''}, and ${formatQuantity(edges.length, 'reference')} between them. Larger dots are referenced more.</p></div>
<form class="options" action="/graph"><label>Around <input class="wide" name="of" value="${of}" placeholder="the whole corpus"></label>${chooseOne(
    'Steps',
    'hops',
    String(hops),
    ['1', '2', '3'].map((one) => [one, one] as const),
  )}${chooseOne('Kind', 'kind', kind ?? '', [['', 'all'], ...fileKinds.map((one) => [one, one] as const)])}<label>At most <input type="number" name="limit" value="${limit}" min="10" max="200"></label><button class="quiet">Show</button><a class="quiet push" href="${addressOf('/graph.json', { of, hops, kind, limit })}">JSON</a></form>
${
  nodes.length === 0
    ? html`<p class="card">No document of this kind. <a href="/graph">Show the whole corpus</a></p>`
    : html`<div class="two wide"><section class="card scroll" tabindex="0" aria-label="Drawing"><div class="key">${groups.map(({ name, at }, group) => html`<span class="c${group}">${name} · ${at.length}</span>`)}</div>${drawGraph(graph, groups, titles)}<p class="small soft js">Point at a document to see its neighbours; click to keep them, click again to open it.</p></section>
<aside class="stack tight" aria-label="The same as a list" tabindex="0"><h2>${of === '' ? 'What everything rests on' : 'Documents around it'}</h2>${showTable('Documents', columns, rows)}</aside></div>`
}`
}
