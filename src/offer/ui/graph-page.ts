// What refers to a document, and what does it refer to? The document in the middle, its neighbours with arrows at both sides.

import type { DocumentDescription, DocumentGraph, DocumentNode } from '../../explore/describe-document.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import { groupReferences, listReferences, sayLines } from './document-page.ts'
import { type FolderGroup, groupByFolder } from './draw-treemap.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

/** Colours of the style sheet; smaller folders share the last. */
const COLOURS = 8
/** A folder of more documents is shown by its folders. */
const LARGE = 0.3
/** Of a row next to the middle, in pixels, as in the style sheet. */
const ROW = 44
/** Rows on a side before the others are folded. */
const ROWS = 11
/** Letters of a label that fit next to the middle. */
const LETTERS = { name: 34, folder: 40 }

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

/** One document in the middle: who refers to it at the left, what it refers to at the right; tests come last. */
function drawAround(
  { around, found }: Drawing,
  groups: readonly FolderGroup[],
  paths: readonly string[],
): Markup {
  const { nodes, edges } = around
  const named = new Map(groups.flatMap(({ at }, group) => at.map((node) => [paths[node], group] as const)))
  const colourOf = (at: number): number | undefined => named.get(nodes[at]?.path)
  const isTest = (at: number): number => Number(nodes[at]?.kind === 'tests')
  const side = (near: 'from' | 'to', far: 'from' | 'to', title: string): Markup => {
    const held =
      near === 'from' ? groupReferences(found.referencedBy, 'in') : groupReferences(found.references, 'out')
    const others = edges
      .filter((edge) => edge[far] === 0 && edge[near] !== 0)
      .sort((a, b) => isTest(a[near]) - isTest(b[near]) || b.count - a.count || a[near] - b[near])
    const row = (edge: (typeof edges)[number]): Markup => {
      const { path } = nodes[edge[near]] as DocumentNode
      const name = lastSegment(path)
      const folder = path.slice(0, -name.length)
      const shown = folder.length > LETTERS.folder ? `…${folder.slice(1 - LETTERS.folder)}` : folder
      const references = held.get(path)
      const own = lastSegment(found.path)
      // A long name takes the row of its folder.
      return html`<li><a class="node c${colourOf(edge[near])}" href="${addressOf('/graph', { of: path })}" title="${path}"><b>${name}</b>${name.length > LETTERS.name ? '' : html`<span class="soft">${shown || './'}</span>`}</a>${references === undefined ? '' : html`<div class="lines-of card small">${sayLines(references, near === 'from' ? 'in' : 'out', own)}</div>`}</li>`
    }
    const [drawn, rest] = [others.slice(0, ROWS), others.slice(ROWS)]
    const half = drawn.length * 5
    const most = Math.max(...drawn.map(({ count }) => count))
    const curves = drawn.map((edge, at) => {
      const y = at * 10 + 5
      const way =
        near === 'from' ? `M0 ${y}C60 ${y} 40 ${half} 94 ${half}` : `M6 ${half}C60 ${half} 40 ${y} 100 ${y}`
      return html`<path class="edge c${colourOf(edge[near])} w${Math.ceil((3 * edge.count) / most)}" d="${way}"/>`
    })
    const part = near === 'from' ? 'before' : 'after'
    const list =
      others.length === 0
        ? html`<p class="${part} small soft">No document.</p>`
        : html`<ul class="plain ${part}">${drawn.map(row)}</ul><svg class="${part}" viewBox="0 0 100 ${2 * half}" height="${drawn.length * ROW}" preserveAspectRatio="none" aria-hidden="true">${curves}</svg>`
    const more = html`<details class="${part}"><summary>${formatCount(rest.length)} more</summary><ul class="plain">${rest.map(row)}</ul></details>`
    return html`<h2 class="${part}">${title} · ${formatCount(others.length)}</h2>${list}${rest.length === 0 ? '' : more}`
  }
  const { path, title, tokens } = nodes[0] as DocumentNode
  return html`<div class="around"><div class="card middle"><a class="node c${colourOf(0)}" href="${documentAddress(path)}"><b>${lastSegment(path)}</b><span class="soft">${folderOf(path) || './'}</span></a><span class="small soft">${title === lastSegment(path) ? '' : `${title}, `}${formatQuantity(tokens, 'token')}</span></div>${side('from', 'to', 'Referenced by')}${side('to', 'from', 'Refers to')}</div>`
}

/** Documents with neighbours on both sides, the best connected first, then the others. */
export function listConnected({ nodes, edges }: DocumentGraph): string[] {
  const others = edges.filter(({ from, to }) => from !== to)
  const count = (side: 'from' | 'to'): number[] => {
    const held = Map.groupBy(others, (edge) => edge[side])
    return nodes.map((_, at) => held.get(at)?.length ?? 0)
  }
  const [after, before] = [count('from'), count('to')]
  const both = (at: number): number => Math.min(before[at] as number, after[at] as number)
  const all = (at: number): number => (before[at] as number) + (after[at] as number)
  return [...nodes.keys()]
    .sort((a, b) => both(b) - both(a) || all(b) - all(a) || a - b)
    .map((at) => (nodes[at] as DocumentNode).path)
}

type GraphedDocument = Pick<DocumentDescription, 'path' | 'references' | 'referencedBy'>

/** A drawing: the graph has its document first. */
export interface Drawing {
  readonly around: DocumentGraph
  readonly found: GraphedDocument
}

/** The part of the folders that all of them share. */
function sharedFolder(names: readonly string[]): string {
  const parts = names[0]?.split('/') ?? []
  const isShared = (_: string, at: number): boolean =>
    names.every((name) => !name.includes('/') || name.startsWith(`${parts.slice(0, at + 1).join('/')}/`))
  return parts.filter(isShared).join('/')
}

/** A small corpus has several drawings, a large one the first; `best` are its most referenced documents. */
export function showGraph(drawings: readonly Drawing[], best: readonly DocumentNode[]): Markup {
  const [{ around, found }] = drawings as [Drawing]
  const { nodes, total } = around
  const of = found.path
  const all = new Map(drawings.flatMap((one) => one.around.nodes.map((node) => [node.path, node] as const)))
  const groups = groupNodes([...all.values()])
  const shared = sharedFolder(groups.map(({ path }) => path))
  const nameOf = (path: string): string =>
    (path.startsWith(`${shared}/`) ? path.slice(shared.length + 1) : path) || './'
  const key = html`<div class="key">${groups.map(({ path }, group) => html`<span class="c${group}">${nameOf(path)}</span>`)}</div>`
  const others = best.flatMap(({ path, title, inbound }) =>
    inbound === 0
      ? []
      : [
          html`<li><a href="${addressOf('/graph', { of: path })}" title="${path}">${title}</a> <span class="soft">${formatCount(inbound)}</span></li>`,
        ],
  )
  const part =
    total > nodes.length
      ? `; the ${nodes.length - 1} most referenced of ${formatCount(total - 1)} neighbours are drawn`
      : ''
  const own = lastSegment(of)
  const outside = found.references.filter(({ to }) => to !== null && to.split('#', 1)[0] !== of)
  return html`<div class="lead"><h1 class="mono">${of}</h1><p>What refers to it, and what it refers to${part}. Click a neighbour to put it in the middle; point at one for the lines.</p></div>
<form class="options" action="/graph"><label>Around <input class="wide" name="of" value="${of}" placeholder="path"></label><button class="quiet">Show</button><a class="quiet push" href="${addressOf('/graph.json', { of, limit: 200 })}">JSON</a></form>
<section class="card stack" aria-label="Drawing">${key}${drawings.map((one) => drawAround(one, groups, [...all.keys()]))}</section>
<div class="pair">${listReferences(`What refers to ${own}`, found.referencedBy, 'in', { own })}${listReferences(`What ${own} refers to`, outside, 'out', { own })}</div>
<section class="card stack"><h2>Most referenced</h2><ul class="plain small columns">${others}</ul></section>`
}
