// What refers to what? The most referenced documents around a circle, grouped by folder; or one document between those that refer to it and those that it refers to.

import type { DocumentGraph, DocumentNode } from '../../explore/describe-document.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { cut } from '../../model/mark-invisible.ts'
import { lastSegment } from '../../model/paths.ts'
import { type FolderGroup, groupByFolder } from './draw-treemap.ts'
import { chooseOne, showTable } from './frame-page.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

export interface GraphQuery {
  /** A document in the middle; empty for the whole corpus. */
  readonly of: string
  readonly kind: string
  readonly limit: number
}

/** What the drawing may be confined to, by its name in the address. */
export const drawnKinds = {
  '': 'all but tests',
  all: 'all',
  docs: 'docs',
  code: 'code',
  tests: 'tests',
  config: 'config',
} as const

/** Colours of the style sheet; smaller folders share the last. */
const COLOURS = 8
/** A folder of more documents is shown by its folders. */
const LARGE = 0.3
const [WIDTH, HEIGHT, RADIUS] = [1120, 940, 265]
/** Of a row next to the middle, in pixels, as in the style sheet. */
const ROW = 44
/** Rows on a side before the others are folded. */
const ROWS = 12
/** Letters of a label in full size; longer ones are smaller, to a limit. */
const LETTERS = { full: 26, most: 40, size: 14 }

/** Folders of the nodes, the largest first; the smaller ones together. */
function groupNodes(nodes: readonly DocumentNode[]): FolderGroup[] {
  const paths = nodes.map(({ path }) => path)
  const all = groupByFolder(
    paths,
    paths.map(() => 1),
    LARGE,
  ).sort((a, b) => b.at.length - a.at.length)
  const others = all.splice(COLOURS - 1).flatMap(({ at }) => at)
  return others.length === 0 ? all : [...all, { path: 'other folders', at: others }]
}

/** Titles; files whose title is their name with their folder where another has the same. */
function nameNodes(nodes: readonly DocumentNode[]): string[] {
  const titles = Map.groupBy(nodes, ({ title }) => title)
  return nodes.map(({ path, title }) => {
    const isName = path.endsWith(`/${title}`) || /^\W*v?\d/.test(title)
    return isName && (titles.get(title)?.length !== 1 || !path.endsWith(title))
      ? path.split('/').slice(-2).join('/')
      : title
  })
}

const round = (value: number): string => value.toFixed(1)

/** Documents around a circle with their names outside, references as curves inside. */
function drawRing(
  { nodes, edges }: DocumentGraph,
  groups: readonly FolderGroup[],
  titles: readonly string[],
): Markup {
  // One place stays free between two folders.
  const slots = nodes.length + groups.length
  const placed = new Map(
    groups
      .flatMap(({ at }, group) => at.map((node) => [node, group] as const))
      .map(([node, group], slot) => [
        node,
        { group, angle: (2 * Math.PI * (slot + group)) / slots - Math.PI / 2 },
      ]),
  )
  const point = (node: number, radius: number): string => {
    const { angle = 0 } = placed.get(node) ?? {}
    return `${round(WIDTH / 2 + radius * Math.cos(angle))} ${round(HEIGHT / 2 + radius * Math.sin(angle))}`
  }
  const most = Math.max(...nodes.map(({ inbound }) => inbound), 1)
  const lines = edges
    .filter(({ from, to }) => from !== to)
    .map(
      ({ from, to }) =>
        html`<path class="edge c${placed.get(from)?.group ?? 0}" data-from="${from}" data-to="${to}" d="M${point(from, RADIUS)}Q${WIDTH / 2} ${HEIGHT / 2} ${point(to, RADIUS - 6)}"/>`,
    )
  const names = nodes.map(({ path, inbound }, at) => {
    const { group = 0, angle = 0 } = placed.get(at) ?? {}
    const degrees = (angle * 180) / Math.PI
    const [x, y] = point(at, RADIUS + 20).split(' ')
    const label = cut(titles[at] ?? '', LETTERS.most)
    const size = LETTERS.size * Math.min(1, LETTERS.full / label.length)
    const turn =
      degrees > 90
        ? html`text-anchor="end" transform="rotate(${round(degrees + 180)} ${x} ${y})"`
        : html`transform="rotate(${round(degrees)} ${x} ${y})"`
    const [dotX, dotY] = point(at, RADIUS + 8).split(' ')
    return html`<a class="node c${group}" href="${documentAddress(path)}" data-node="${at}"><circle cx="${dotX}" cy="${dotY}" r="${round(3 + 6 * Math.sqrt(inbound / most))}"/><text x="${x}" y="${y}" dy=".32em" font-size="${round(size)}" ${turn}>${label}</text><title>${path}: ${formatQuantity(inbound, 'document')} refer to it</title></a>`
  })
  return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Documents around a circle, references as curves between them"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs><g>${lines}</g>${names}</svg>`
}

/** One document in the middle: who refers to it at the left, what it refers to at the right. */
function drawAround({ nodes, edges }: DocumentGraph, middle: number, groups: readonly FolderGroup[]): Markup {
  const colour = new Map(groups.flatMap(({ at }, group) => at.map((node) => [node, group] as const)))
  const side = (near: 'from' | 'to', far: 'from' | 'to', title: string): Markup => {
    const found = edges
      .filter((edge) => edge[far] === middle && edge[near] !== middle)
      .sort((a, b) => b.count - a.count || a[near] - b[near])
    const row = (edge: (typeof edges)[number]): Markup => {
      const { path } = nodes[edge[near]] as DocumentNode
      const name = lastSegment(path)
      return html`<li><a class="node c${colour.get(edge[near])}" href="${addressOf('/graph', { of: path })}" title="${path}: ${formatQuantity(edge.count, 'reference')}"><b>${name}</b><span class="soft">${path.slice(0, -name.length)}</span></a></li>`
    }
    const [drawn, rest] = [found.slice(0, ROWS), found.slice(ROWS)]
    const half = drawn.length * 5
    const curves = drawn.map((edge, at) => {
      const y = at * 10 + 5
      const way =
        near === 'from' ? `M0 ${y}C60 ${y} 40 ${half} 94 ${half}` : `M6 ${half}C60 ${half} 40 ${y} 100 ${y}`
      const width = Math.ceil((3 * edge.count) / (drawn[0]?.count ?? 1))
      return html`<path class="edge c${colour.get(edge[near])} w${width}" d="${way}"/>`
    })
    const part = near === 'from' ? 'before' : 'after'
    const more = html`<details class="${part}"><summary>${formatCount(rest.length)} more</summary><ul class="plain">${rest.map(row)}</ul></details>`
    return html`<h2 class="${part}">${title} · ${formatCount(found.length)}</h2><ul class="plain ${part}">${drawn.map(row)}</ul><svg class="${part}" viewBox="0 0 100 ${2 * half}" height="${drawn.length * ROW}" preserveAspectRatio="none" aria-hidden="true">${curves}</svg>${rest.length === 0 ? '' : more}`
  }
  const { path, title } = nodes[middle] as DocumentNode
  return html`<div class="graph around"><div class="card middle"><a class="node c${colour.get(middle)}" href="${documentAddress(path)}"><b>${title}</b></a><span class="mono small soft">${path}</span></div>${side('from', 'to', 'Refer to it')}${side('to', 'from', 'It refers to')}</div>`
}

const LISTED = 12

export function showGraph(graph: DocumentGraph, { of, kind, limit }: GraphQuery): Markup {
  const { nodes, edges, total } = graph
  const groups = groupNodes(nodes)
  const titles = nameNodes(nodes)
  const middle = of === '' ? -1 : nodes.findIndex(({ path }) => path === of)
  const rows = nodes
    .slice(0, LISTED)
    .map(({ path, inbound }, at) => [
      html`<a href="${addressOf('/graph', { of: path })}" title="${path}">${titles[at]}</a>`,
      formatCount(inbound),
    ])
  const columns = [{ name: 'document' }, { name: 'referenced by', isNumber: true }]
  const names = groups.map(({ path }) => path)
  // Folders are named without the part that all share.
  const shared =
    names[0]
      ?.split('/')
      .filter((_, at, parts) =>
        names.every((name) => !name.includes('/') || name.startsWith(`${parts.slice(0, at + 1).join('/')}/`)),
      )
      .join('/') ?? ''
  const key = html`<div class="key">${groups.map(({ path, at }, group) => html`<span class="c${group}">${(path.startsWith(`${shared}/`) ? path.slice(shared.length + 1) : path) || './'} · ${at.length}</span>`)}</div>`
  const drawing =
    middle === -1
      ? html`<div class="two wide"><section class="card scroll" tabindex="0" aria-label="Drawing">${key}${drawRing(graph, groups, titles)}<p class="small soft js">Point at a document to see its neighbours; click to keep them, click again to open it.</p></section>
<aside class="stack tight" aria-label="The same as a list" tabindex="0"><h2>Most referenced</h2>${showTable('Documents', columns, rows)}</aside></div>`
      : html`<section class="card stack" aria-label="Drawing">${key}${drawAround(graph, middle, groups)}</section>`
  return html`<div class="lead">${of === '' ? html`<h1>What refers to what</h1>` : html`<h1 class="mono">${of}</h1>`}<p>${middle === -1 ? html`${formatQuantity(nodes.length, 'document')}${total > nodes.length ? html` of ${formatCount(total)}, the most referenced${kind === '' ? ', without tests' : ''}` : ''}, and ${formatQuantity(edges.length, 'reference')} between them. Larger dots are referenced more.` : html`The documents that refer to it, and those that it refers to${total > nodes.length ? html`: the ${nodes.length - 1} most referenced of ${formatCount(total - 1)}` : ''}. Click one to put it in the middle.`}</p></div>
<form class="options" action="/graph"><label>Around <input class="wide" name="of" value="${of}" placeholder="the whole corpus"></label>${chooseOne('Kind', 'kind', kind, Object.entries(drawnKinds))}<label>At most <input type="number" name="limit" value="${limit}" min="10" max="200"></label><button class="quiet">Show</button><a class="quiet push" href="${addressOf('/graph.json', { of, kind, limit })}">JSON</a></form>
${nodes.length === 0 ? html`<p class="card">No document of this kind. <a href="/graph">Show the whole corpus</a></p>` : drawing}`
}
