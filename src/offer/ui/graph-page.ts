// What refers to a document, and what does it refer to? The document in the middle, its neighbours with arrows at both sides.

import type { DocumentDescription, DocumentGraph, DocumentNode } from '../../explore/describe-document.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import { groupReferences, listReferences, sayLines } from './document-page.ts'
import { type FolderGroup, groupByFolder } from './draw-treemap.ts'
import { addressOf, documentAddress, html, type Markup } from './html.ts'

/** Colours of the style sheet; smaller folders share the last. */
const COLOURS = 8
const LARGE = 0.3
/** Of a row next to the middle, in pixels, as in the style sheet. */
const ROW = 44
const ROWS = 11
/** Letters of a label that fit next to the middle. */
const LETTERS = { name: 34, folder: 40 }

/** Folders of documents, the largest first; the smaller ones together. */
function groupPaths(paths: readonly string[]): FolderGroup[] {
  const weights = paths.map(() => 1)
  const all = groupByFolder(paths, weights, LARGE).sort((a, b) => b.at.length - a.at.length)
  const others = all.splice(COLOURS - 1).flatMap(({ at }) => at)
  return others.length === 0 ? all : [...all, { path: 'other folders', at: others }]
}

function listNeighbours({ path, references, referencedBy }: DocumentDescription, side: 'in' | 'out') {
  const resolved = references.filter(({ to }) => to !== null && to.split('#', 1)[0] !== path)
  return [...groupReferences(side === 'in' ? referencedBy : resolved, side)].sort(
    ([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1),
  )
}

/** One document in the middle: who refers to it at the left, what it refers to at the right. */
function drawAround(found: DocumentDescription, colours: ReadonlyMap<string, number>): Markup {
  const { path, title, tokens } = found
  const own = lastSegment(path)
  const draw = (side: 'in' | 'out', title: string): Markup => {
    const all = listNeighbours(found, side)
    const row = ([other, references]: (typeof all)[number]): Markup => {
      const name = lastSegment(other)
      const folder = other.slice(0, -name.length)
      const shown = folder.length > LETTERS.folder ? `…${folder.slice(1 - LETTERS.folder)}` : folder
      // A long name takes the row of its folder.
      return html`<li><a class="node c${colours.get(other)}" href="${addressOf('/graph', { of: other })}" title="${other}"><b>${name}</b>${name.length > LETTERS.name ? '' : html`<span class="soft">${shown || './'}</span>`}</a><div class="lines-of card small">${sayLines(references, side, own)}</div></li>`
    }
    const [drawn, rest] = [all.slice(0, ROWS), all.slice(ROWS)]
    const half = drawn.length * 5
    const most = Math.max(...drawn.map(([, { length }]) => length))
    const curves = drawn.map(([other, { length }], at) => {
      const y = at * 10 + 5
      const way =
        side === 'in' ? `M0 ${y}C60 ${y} 40 ${half} 94 ${half}` : `M6 ${half}C60 ${half} 40 ${y} 100 ${y}`
      return html`<path class="edge c${colours.get(other)} w${Math.ceil((3 * length) / most)}" d="${way}"/>`
    })
    const part = side === 'in' ? 'before' : 'after'
    const list =
      all.length === 0
        ? html`<p class="${part} small soft">No document.</p>`
        : html`<ul class="plain ${part}">${drawn.map(row)}</ul><svg class="${part}" viewBox="0 0 100 ${2 * half}" height="${drawn.length * ROW}" preserveAspectRatio="none" aria-hidden="true">${curves}</svg>`
    const more = html`<details class="${part}"><summary>${formatCount(rest.length)} more</summary><ul class="plain">${rest.map(row)}</ul></details>`
    return html`<h2 class="${part}">${title} · ${formatCount(all.length)}</h2>${list}${rest.length === 0 ? '' : more}`
  }
  return html`<div class="around"><div class="card middle"><a class="node c${colours.get(path)}" href="${documentAddress(path)}"><b>${own}</b><span class="soft">${folderOf(path) || './'}</span></a><span class="small soft">${title === own ? '' : `${title}, `}${formatQuantity(tokens, 'token')}</span></div>${draw('in', 'Referenced by')}${draw('out', 'Refers to')}</div>`
}

/** Documents with neighbours on both sides, the best connected first, then the others. */
export function listConnected({ nodes, edges }: DocumentGraph): string[] {
  const others = edges.filter(({ from, to }) => from !== to)
  const [after, before] = [Map.groupBy(others, ({ from }) => from), Map.groupBy(others, ({ to }) => to)]
  const sides = (at: number): [number, number] => [after.get(at)?.length ?? 0, before.get(at)?.length ?? 0]
  const both = (at: number): number => Math.min(...sides(at))
  const all = (at: number): number => sides(at)[0] + sides(at)[1]
  return [...nodes.keys()]
    .sort((a, b) => both(b) - both(a) || all(b) - all(a) || a - b)
    .map((at) => (nodes[at] as DocumentNode).path)
}

/** A small corpus has several drawings, a large one the first. */
export function showGraph(drawings: readonly DocumentDescription[]): Markup {
  const [found] = drawings as [DocumentDescription]
  const of = found.path
  const near = (one: DocumentDescription, side: 'in' | 'out') =>
    listNeighbours(one, side).map(([path]) => path)
  const paths = [...new Set(drawings.flatMap((one) => [one.path, ...near(one, 'in'), ...near(one, 'out')]))]
  const groups = groupPaths(paths)
  const colours = new Map(groups.flatMap(({ at }, group) => at.map((one) => [paths[one] as string, group])))
  const key = html`<div class="key">${groups.map(({ path }, group) => html`<span class="c${group}">${path.split('/').slice(-2).join('/') || './'}</span>`)}</div>`
  const own = lastSegment(of)
  const outgoing = listNeighbours(found, 'out').flatMap(([, references]) => references)
  return html`<div class="lead"><h1 class="mono">${of}</h1><p>What refers to it, and what it refers to. Click a neighbour to put it in the middle; point at one for the lines.</p></div>
<form class="options" action="/graph"><label>Around <input class="wide" name="of" value="${of}" placeholder="path"></label><button class="quiet">Show</button><a class="quiet push" href="${addressOf('/graph.json', { of, limit: 200 })}">JSON</a></form>
<section class="card stack" aria-label="Drawing">${key}${drawings.map((one) => drawAround(one, colours))}</section>
<div class="pair">${listReferences(`What refers to ${own}`, found.referencedBy, 'in', { own })}${listReferences(`What ${own} refers to`, outgoing, 'out', { own })}</div>`
}
