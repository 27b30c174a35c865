// How much of the index is where? Folders as rectangles in proportion to their tokens, in the colour of their main kind of files.

import type { DocumentNode } from '../../explore/describe-document.ts'
import { fileKinds } from '../../model/file-kind.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import { cut } from '../../model/mark-invisible.ts'
import { lastSegment } from '../../model/paths.ts'
import { addressOf, html, type Markup } from './html.ts'

/** Left, top, width and height. */
type Area = readonly [x: number, y: number, w: number, h: number]

/** A folder with its documents, by their number in the list. */
export interface FolderGroup {
  readonly path: string
  readonly at: readonly number[]
}

/** Folders by path, each with its documents; a folder of more than this share of the weight is split into its own folders. */
export function groupByFolder(paths: readonly string[], weights: readonly number[], share: number) {
  const most = share * sum(weights)
  const split = (path: string, at: readonly number[]): FolderGroup[] => {
    const below = path === '' ? 0 : path.length + 1
    const folders = Map.groupBy(
      at,
      (one) => (paths[one] as string).slice(below).split('/').slice(0, -1)[0] ?? '',
    )
    const [[only = '', ...others]] = [[...folders.keys()]]
    const isLarge = sum(at.map((one) => weights[one] as number)) > most
    if (path !== '' && (!isLarge || (only === '' && others.length === 0))) return [{ path, at }]
    return [...folders].flatMap(([folder, own]) =>
      folder === '' ? [{ path, at: own }] : split(path === '' ? folder : `${path}/${folder}`, own),
    )
  }
  return split('', [...paths.keys()]).sort((a, b) => (a.path < b.path ? -1 : 1))
}

const [WIDTH, HEIGHT] = [1000, 240]
const SHOWN = 28

/** Halves the list by weight along the longer side until each has its own area. */
function divide(weights: readonly number[], [x, y, w, h]: Area): Area[] {
  if (weights.length <= 1) return weights.map(() => [x, y, w, h])
  const total = sum(weights)
  let [split, left] = [1, weights[0] as number]
  while (split < weights.length - 1 && left + (weights[split] as number) / 2 < total / 2)
    left += weights[split++] as number
  const [one, other] = [weights.slice(0, split), weights.slice(split)]
  const wide = (w * left) / total
  const high = (h * left) / total
  return w >= h
    ? [...divide(one, [x, y, wide, h]), ...divide(other, [x + wide, y, w - wide, h])]
    : [...divide(one, [x, y, w, high]), ...divide(other, [x, y + high, w, h - high])]
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
const round = (value: number): string => Math.max(0, value).toFixed(1)

/** A folder with more than this share of the tokens is shown by its folders. */
const LARGE = 0.15

export function drawTreemap(nodes: readonly DocumentNode[]): Markup {
  const tokens = nodes.map((node) => node.tokens)
  const groups = groupByFolder(
    nodes.map(({ path }) => path),
    tokens,
    LARGE,
  )
  const all = groups.map(({ path, at }) => {
    const own = at.map((one) => nodes[one] as DocumentNode)
    const weigh = (some: readonly DocumentNode[]): number => sum(some.map(({ tokens }) => tokens))
    const sizes = fileKinds.map((one) => weigh(own.filter(({ kind }) => kind === one)))
    const kind = fileKinds[sizes.indexOf(Math.max(...sizes))]
    return { path: path === '' ? './' : path, files: own.length, kind, tokens: weigh(own) }
  })
  const folders = all
    .filter((one) => one.tokens > 0)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, SHOWN)
  const areas = divide(
    folders.map((one) => one.tokens),
    [0, 0, WIDTH, HEIGHT],
  )
  const drawn = folders.map(({ path, files, kind, tokens }, at) => {
    const [x, y, w, h] = areas[at] as Area
    const letters = Math.floor((w - 10) / 7.6)
    const names = [path, path.split('/').slice(-2).join('/')]
    const label = names.find(({ length }) => length <= letters) ?? lastSegment(path)
    const told = `${path}: ${formatQuantity(files, 'file')}, ${formatQuantity(tokens, 'token')}`
    const shown =
      h > 16 && w > 60 && html`<text x="${round(x + 6)}" y="${round(y + 15)}">${cut(label, letters)}</text>`
    const folder = path === './' ? '' : path
    return html`<a class="t${at % 3}" href="${addressOf('/doc', { folder, sort: 'tokens' })}" aria-label="${told}"><rect class="m-${kind}" x="${round(x + 1)}" y="${round(y + 1)}" width="${round(w - 2)}" height="${round(h - 2)}" rx="2"/>${shown}<title>${told}</title></a>`
  })
  const kinds = fileKinds.filter((kind) => folders.some((one) => one.kind === kind))
  return html`<svg class="treemap" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Folders in proportion to their tokens">${drawn}</svg><div class="key">${kinds.map((kind) => html`<span class="m-${kind}">${kind}</span>`)}${all.length > folders.length ? html`<a href="/doc">${formatQuantity(all.length - folders.length, 'smaller folder')} not drawn</a>` : ''}</div>`
}
