// What do all pages share? Title, menu, and how text with line numbers and tags are drawn.
import type { Canonicality } from '../../model/digest.ts'
import { formatQuantity, isDated } from '../../model/format-numbers.ts'
import { type Child, html, Markup } from './html.ts'

/** Every page by its address, in the order of the menu. */
export const pages = { '/ask': 'Ask', '/doc': 'Documents', '/graph': 'Graph', '/links': 'Links' } as const

export type PageAddress = keyof typeof pages

/** Where the pages are, and what is there. */
export interface PagePlace {
  /** Prefix of every page address; empty on a server of its own. */
  readonly base: string
  /** Address of the start page. */
  readonly home: string
  /** Prefix of script and style. */
  readonly assets: string
  readonly menu: readonly PageAddress[]
  readonly corner: Child
  readonly foot: string
}

export const ownPlace = (corpus: string): PagePlace => ({
  base: '',
  home: '/ask',
  assets: '',
  menu: Object.keys(pages) as PageAddress[],
  corner: html`<span class="corpus" title="${corpus}">${corpus}</span>`,
  foot: 'Nothing leaves this machine.',
})

export interface FramedPage {
  readonly title: string
  /** Null for a page that is not in the menu. */
  readonly at: PageAddress | null
  readonly place: PagePlace
  readonly body: Child
}

/**
 * Adds the prefix to page addresses, which begin with a slash wherever they are written. No text of a
 * document changes: its quotes are escaped, so that it holds no attribute.
 */
const rebase = (markup: Markup, base: string): Markup =>
  base === '' ? markup : new Markup(markup.text.replaceAll(/ (href|action)="\//g, ` $1="${base}/`))

/** Without a script it filters the documents. */
const findForm = html`<form class="find" action="/doc" role="search" aria-label="Find"><input type="search" name="text" placeholder="Find a file or symbol" aria-label="Find a file or symbol" autocomplete="off" maxlength="200"><kbd class="js" aria-hidden="true">/</kbd></form>`

/** The whole page. Scripts and styles are files of this server: nothing inline, nothing from other hosts. */
export function framePage({ title, at, place, body }: FramedPage): string {
  const { base, home, assets, menu, corner, foot } = place
  const links = menu.map(
    (address) =>
      html`<a href="${address}"${address === at ? new Markup(' aria-current="page"') : ''}>${pages[address]}</a>`,
  )
  const way = links.length === 0 ? html`` : html`<nav aria-label="Pages">${links}</nav>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · yore</title>
<link rel="stylesheet" href="${assets}/style.css">
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<script src="${assets}/ui-island.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div><a class="brand" href="${home}">yore</a>${rebase(way, base)}${menu.includes('/doc') ? rebase(findForm, base) : ''}${corner}</div></header>
<main id="main">${rebase(html`${body}`, base)}</main>
<footer>${foot}</footer>
</body>
</html>
`.text
}

export const tag = (text: string, tone: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): Markup =>
  html`<span class="tag ${tone}">${text}</span>`

interface Column {
  readonly name: Child
  readonly isNumber?: boolean
  /** Not shown on a narrow screen. */
  readonly isRoomy?: boolean
}

export function showTable(label: string, columns: readonly Column[], rows: readonly (readonly Child[])[]) {
  const names = columns.map(({ isNumber, isRoomy }) =>
    [isNumber && 'n', isRoomy && 'roomy'].filter(Boolean).join(' '),
  )
  return html`<section class="card scroll" tabindex="0" aria-label="${label}"><table><thead><tr>${columns.map(({ name }, at) => html`<th class="${names[at]}">${name}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => html`<td class="${names[at]}">${cell}</td>`)}</tr>`)}</tbody></table></section>`
}

export function chooseOne(
  label: string,
  name: string,
  chosen: string,
  options: readonly (readonly [value: string, name: string])[],
  form = '',
): Markup {
  return html`<label>${label} <select name="${name}"${form === '' ? '' : html` form="${form}"`}>${options.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`)}</select></label>`
}

const warnings: Readonly<Record<string, string>> = {
  'path says "archive"': 'archived',
  'path says "old"': 'in an old folder',
  'path says "scratch"': 'a scratch file',
}

/** What a reader must know of a document before believing it, in words. */
export function statusTags({ reasons }: Canonicality): Child {
  const against = reasons.filter(({ reason, effect }) => effect < 0 && reason !== 'not updated for a year')
  return against.map(({ reason }) => tag(warnings[reason] ?? reason.replace(/^status /, ''), 'warn'))
}

const ages = [
  [365, 'year'],
  [30, 'month'],
  [1, 'day'],
] as const

/** `changed 3 months ago`; nothing where the time is unknown. */
export function ageOf(modifiedAt: number, now: number): string {
  if (!isDated(modifiedAt)) return ''
  const days = Math.floor((now - modifiedAt) / 86_400_000)
  const [length, name] = ages.find(([least]) => days >= least) ?? [1, 'day']
  return days < 1 ? 'changed today' : `changed ${formatQuantity(Math.floor(days / length), name)} ago`
}

export function listReasons({ reasons }: Canonicality): Markup {
  return html`<ul class="plain small">${reasons.map(({ reason, effect }) => html`<li>${reason} <span class="mono soft">${formatEffect(effect)}</span></li>`)}</ul>`
}

export const formatEffect = (effect: number): string =>
  `${effect < 0 ? '−' : '+'}${Math.abs(effect).toFixed(2)}`

/** A share from -1 to 1 as a small bar with its name and number. */
export function drawBar(name: string, share: number, shown: string): Markup {
  const width = Math.round(Math.min(1, Math.abs(share)) * 100)
  return html`<span>${name}</span><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-back" width="100" height="8" rx="2"/><rect class="${share < 0 ? 'bar-off' : 'bar-on'}" width="${width}" height="8" rx="2"/></svg><span class="mono">${shown}</span>`
}
