// What do all pages share? Title, menu, and how text with line numbers and tags are drawn.
import type { Canonicality } from '../../model/digest.ts'
import { type Child, documentAddress, html, Markup } from './html.ts'
import { markCode } from './mark-code.ts'

/** Every page by its address, in the order of the menu, with its key after `g`. */
export const pages = {
  '/ask': { name: 'Ask', key: 'a' },
  '/doc': { name: 'Documents', key: 'd' },
  '/graph': { name: 'Graph', key: 'r' },
  '/health': { name: 'Health', key: 'h' },
  '/eval': { name: 'Evaluation', key: 'e' },
  '/index': { name: 'Index', key: 'i' },
} as const

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
  /** Content at the right of the header. */
  readonly corner: Child
  readonly foot: string
}

/** The explorer on this machine. */
export function ownPlace(corpus: string): PagePlace {
  return {
    base: '',
    home: '/ask',
    assets: '',
    menu: Object.keys(pages) as PageAddress[],
    corner: html`<span class="corpus" title="${corpus}">${corpus}</span>`,
    foot: 'Nothing leaves this machine.',
  }
}

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
function rebase(markup: Markup, base: string): Markup {
  return base === '' ? markup : new Markup(markup.text.replaceAll(/ (href|action)="\//g, ` $1="${base}/`))
}

/** The whole page. Scripts and styles are files of this server: nothing inline, nothing from other hosts. */
export function framePage({ title, at, place, body }: FramedPage): string {
  const { base, home, assets, menu, corner, foot } = place
  const links = menu.map((address) => {
    const { name, key } = pages[address]
    return html`<a href="${address}" data-go="${key}"${address === at ? new Markup(' aria-current="page"') : ''}>${name}</a>`
  })
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
<header class="top"><div><a class="brand" href="${home}">yore</a>${rebase(way, base)}${corner}</div></header>
<main id="main">${rebase(html`${body}`, base)}</main>
<footer>${foot}${links.length === 0 ? '' : html` <span class="js">Press <kbd>?</kbd> for keys.</span>`}</footer>
</body>
</html>
`.text
}

export function tag(text: string, tone: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): Markup {
  return html`<span class="tag ${tone}">${text}</span>`
}

export function statusTag(status: string): Markup {
  return tag(status, status === 'canonical' ? 'good' : status === 'possibly stale' ? 'warn' : 'plain')
}

/** What raises or lowers the authority of a document. */
export function listReasons({ reasons }: Canonicality): Markup {
  return html`<ul class="plain small">${reasons.map(({ reason, effect }) => html`<li>${reason} <span class="mono soft">${formatEffect(effect)}</span></li>`)}</ul>`
}

/** `+0.25` */
export function formatEffect(effect: number): string {
  return `${effect < 0 ? '−' : '+'}${Math.abs(effect).toFixed(2)}`
}

const stageNames: Readonly<Record<string, string>> = { weighed: 'second look', reranked: 'reranker' }

/** Ranks in the order of the stages, each with the name that people read. */
export function stagesOf(ranks: Readonly<Record<string, number>>): readonly (readonly [string, string])[] {
  return Object.entries(ranks).map(([name, rank]) => [stageNames[name] ?? name, String(rank)])
}

/** The ranks of a section, stage by stage. */
export function showStages(stages: readonly (readonly [string, string])[]): Markup {
  return html`<ol class="stages">${stages.map(([name, value]) => html`<li><span class="soft">${name}</span> <b>${value}</b></li>`)}</ol>`
}

export interface NumberedText {
  readonly path: string
  /** Of the first line. */
  readonly start: number
  readonly text: string
  readonly language: string
  /** Highlighted lines. */
  readonly marked?: { readonly start: number; readonly end: number } | null
  /** Gives each line an id; once on a page. */
  readonly anchored?: boolean
}

/** Numbered lines, each with a link to itself. */
export function numberLines(given: NumberedText): Markup[] {
  const { path, start, text, language, marked = null, anchored = false } = given
  const place = documentAddress(path)
  return text.split('\n').map((line, at) => {
    const number = start + at
    const isMarked = marked !== null && number >= marked.start && number <= marked.end
    const id = anchored ? html` id="L${number}"` : ''
    const written = markCode(line, language)
    return html`<li${id}${isMarked ? new Markup(' class="marked"') : ''}><a href="${anchored ? '' : place}#L${number}" aria-label="line ${number}">${number}</a><span>${written}</span></li>`
  })
}

/** A share from 0 to 1 as a small bar. */
export function drawBar(share: number, isAgainst = false): Markup {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-back" width="100" height="8" rx="2"/><rect class="${isAgainst ? 'bar-off' : 'bar-on'}" width="${width}" height="8" rx="2"/></svg>`
}
