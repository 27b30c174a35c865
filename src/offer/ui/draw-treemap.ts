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

/** A folder, named without the part that all share, with its documents by their number in the list. */
export interface FolderGroup {
  readonly path: string
  readonly name: string
  readonly at: readonly number[]
}

/** Folders two levels below the part that all paths share, by path. */
export function groupByFolder(nodes: readonly Pick<DocumentNode, 'path'>[]): FolderGroup[] {
  const folders = nodes.map(({ path }) => path.split('/').slice(0, -1))
  const [first = []] = folders
  let shared = 0
  while (shared < first.length && folders.every((parts) => parts[shared] === first[shared])) shared++
  const pathOf = (at: number): string => (folders[at] as string[]).slice(0, shared + 2).join('/')
  return [...Map.groupBy(nodes.keys(), pathOf)]
    .map(([path, at]) => ({ path, name: path.split('/').slice(shared).join('/') || './', at }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
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

function splitLarge(
  { path, name, at }: FolderGroup,
  nodes: readonly DocumentNode[],
  most: number,
): FolderGroup[] {
  if (sum(at.map((one) => nodes[one]?.tokens ?? 0)) <= most) return [{ path, name, at }]
  const below = path === '' ? 0 : path.length + 1
  const parts = Map.groupBy(at, (one) => {
    const rest = (nodes[one]?.path ?? '').slice(below)
    return rest.slice(0, Math.max(0, rest.indexOf('/')))
  })
  return [...parts].flatMap(([folder, own]) =>
    folder === ''
      ? [{ path, name, at: own }]
      : splitLarge(
          {
            path: path === '' ? folder : `${path}/${folder}`,
            name: `${lastSegment(path)}/${folder}`,
            at: own,
          },
          nodes,
          most,
        ),
  )
}

/** Each rectangle links to its documents. */
export function drawTreemap(nodes: readonly DocumentNode[]): Markup {
  const most = LARGE * sum(nodes.map(({ tokens }) => tokens))
  const folders = groupByFolder(nodes)
    .flatMap((one) => splitLarge(one, nodes, most))
    .map(({ path, name, at }) => {
      const kinds = new Map<FileKind, number>()
      for (const { kind, tokens } of at.map((one) => nodes[one] as DocumentNode))
        kinds.set(kind, (kinds.get(kind) ?? 0) + tokens)
      return { path, name, files: at.length, kinds, tokens: sum([...kinds.values()]) }
    })
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, SHOWN)
  const whole = { x: 0, y: 0, w: WIDTH, h: HEIGHT }
  const areas = divide(
    folders.map(({ tokens }) => tokens),
    whole,
  )
  const drawn = folders.map(({ path, name, files, tokens, kinds }, at) => {
    const area = areas[at] as Area
    const held = fileKinds.filter((kind) => (kinds.get(kind) ?? 0) > 0)
    const parts = divide(
      held.map((kind) => kinds.get(kind) as number),
      area,
    )
    const fits = area.h > 16 && area.w > 60
    const letters = Math.floor((area.w - 8) / 7.4)
    const label = name.length > letters ? lastSegment(name) : name
    const told = `${path === '' ? './' : path}: ${formatQuantity(files, 'file')}, ${formatQuantity(tokens, 'token')}`
    return html`<a href="${addressOf('/doc', { folder: path, sort: 'tokens' })}"${fits ? '' : html` aria-label="${told}"`}>${held.map(
      (kind, part) => {
        const { x, y, w, h } = parts[part] as Area
        return html`<rect class="m-${kind}" x="${round(x + 1)}" y="${round(y + 1)}" width="${round(w - 2)}" height="${round(h - 2)}" rx="2"/>`
      },
    )}${fits ? html`<text x="${round(area.x + 6)}" y="${round(area.y + 15)}">${cut(label, letters)}</text>` : ''}<title>${told}</title></a>`
  })
  return html`<svg class="treemap" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Folders in proportion to their tokens">${drawn}</svg><div class="key">${fileKinds.map((kind) => html`<span class="m-${kind}">${kind}</span>`)}</div>`
}
