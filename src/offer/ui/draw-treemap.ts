// How much of the index is where? Rectangles in proportion to tokens: folders, and in each its kinds of files.

import type { DocumentNode } from '../../explore/describe-document.ts'
import { type FileKind, fileKinds } from '../../model/file-kind.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import { cut } from '../../model/mark-invisible.ts'
import { lastSegment } from '../../model/paths.ts'
import { addressOf, html, type Markup } from './html.ts'

interface Area {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

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

const [WIDTH, HEIGHT] = [1000, 340]
const SHOWN = 28

/** Halves the list by weight along the longer side until each has its own area. */
function divide(weights: readonly number[], { x, y, w, h }: Area): Area[] {
  if (weights.length <= 1) return weights.map(() => ({ x, y, w, h }))
  const total = sum(weights)
  let [split, left] = [1, weights[0] as number]
  while (split < weights.length - 1 && left + (weights[split] as number) / 2 < total / 2)
    left += weights[split++] as number
  const share = total === 0 ? 0.5 : left / total
  const [one, other] =
    w >= h
      ? [
          { x, y, w: w * share, h },
          { x: x + w * share, y, w: w * (1 - share), h },
        ]
      : [
          { x, y, w, h: h * share },
          { x, y: y + h * share, w, h: h * (1 - share) },
        ]
  return [...divide(weights.slice(0, split), one), ...divide(weights.slice(split), other)]
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
const round = (value: number): string => Math.max(0, value).toFixed(1)

/** A folder with more than this share of the tokens is shown by its folders. */
const LARGE = 0.15

/** Each rectangle links to its documents. */
export function drawTreemap(nodes: readonly DocumentNode[]): Markup {
  const paths = nodes.map(({ path }) => path)
  const tokens = nodes.map((node) => node.tokens)
  const all = groupByFolder(paths, tokens, LARGE)
  const folders = all
    .map(({ path, at }) => {
      const kinds = new Map<FileKind, number>()
      for (const { kind, tokens } of at.map((one) => nodes[one] as DocumentNode))
        kinds.set(kind, (kinds.get(kind) ?? 0) + tokens)
      return { path, files: at.length, kinds, tokens: sum([...kinds.values()]) }
    })
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, SHOWN)
  const whole = { x: 0, y: 0, w: WIDTH, h: HEIGHT }
  const areas = divide(
    folders.map(({ tokens }) => tokens),
    whole,
  )
  const drawn = folders.map(({ path, files, tokens, kinds }, at) => {
    const area = areas[at] as Area
    const held = fileKinds.filter((kind) => (kinds.get(kind) ?? 0) > 0)
    const parts = divide(
      held.map((kind) => kinds.get(kind) as number),
      area,
    )
    const fits = area.h > 16 && area.w > 60
    const letters = Math.floor((area.w - 10) / 7.6)
    const named = path === '' ? './' : path
    const names = [named, named.split('/').slice(-2).join('/'), lastSegment(named)]
    const label = names.find(({ length }) => length <= letters) ?? lastSegment(named)
    const told = `${named}: ${formatQuantity(files, 'file')}, ${formatQuantity(tokens, 'token')}`
    return html`<a class="t${at % 3}" href="${addressOf('/doc', { folder: path, sort: 'tokens' })}"${fits ? '' : html` aria-label="${told}"`}>${held.map(
      (kind, part) => {
        const { x, y, w, h } = parts[part] as Area
        return html`<rect class="m-${kind}" x="${round(x + 1)}" y="${round(y + 1)}" width="${round(w - 2)}" height="${round(h - 2)}" rx="2"/>`
      },
    )}${fits ? html`<text x="${round(area.x + 6)}" y="${round(area.y + 15)}">${cut(label, letters)}</text>` : ''}<title>${told}</title></a>`
  })
  return html`<svg class="treemap" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Folders in proportion to their tokens">${drawn}</svg><div class="key">${fileKinds.filter((kind) => nodes.some((node) => node.kind === kind)).map((kind) => html`<span class="m-${kind}">${kind}</span>`)}${all.length > folders.length ? html`<a href="/doc">${formatQuantity(all.length - folders.length, 'smaller folder')} not drawn</a>` : ''}</div>`
}
