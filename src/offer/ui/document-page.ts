// What is in a document, and what is around it? Its lines, its sections with their tokens, and its references.
import type {
  DocumentDescription,
  DocumentGraph,
  DocumentReference,
} from '../../explore/describe-document.ts'
import type { Lines } from '../../model/artifact.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { listReasons, numberLines, statusTag, tag } from './frame-page.ts'
import { addressOf, type Child, documentAddress, formatDay, html, type Markup } from './html.ts'

/** Parses `12-40` or `12`; null for anything else. */
export function readLinesParameter(written: string): Lines | null {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(written)
  if (match === null) return null
  const start = Number(match[1])
  return { start, end: Math.max(start, Number(match[2] ?? start)) }
}

const LISTED = 60

function listReferences(title: string, found: readonly DocumentReference[], side: 'in' | 'out'): Child {
  if (found.length === 0)
    return html`<section class="card stack"><h2>${title}</h2><p class="small soft">None.</p></section>`
  const row = (one: DocumentReference): Markup => {
    const place = html`<a class="mono" href="${documentAddress(one.path, { start: one.line, end: one.line })}">${side === 'out' ? `line ${one.line}` : `${one.path}:${one.line}`}</a>`
    const target = one.to === null ? null : (one.to.split('#', 1)[0] as string)
    const leads =
      side === 'in' || target === null
        ? html`<span class="mono soft">${one.target}</span>`
        : html`<a class="mono" href="${documentAddress(target)}">${one.to}</a>`
    return html`<li>${place} ${one.outcome === 'resolved' ? '' : tag(one.outcome, 'bad')}<br>${leads}</li>`
  }
  return html`<section class="card stack"><h2>${title} · ${found.length}</h2><ul class="plain small">${found.slice(0, LISTED).map(row)}${found.length > LISTED ? html`<li class="soft">and ${found.length - LISTED} more, all in JSON</li>` : ''}</ul></section>`
}

export function showDocument(found: DocumentDescription, marked: Lines | null): Markup {
  const { path, title, language, text, tokens, sections, canonicality, status, modifiedAt } = found
  const top = Math.min(...sections.map(({ level }) => level))
  const outline = sections.map(
    ({ name, lines, level, tokens: own }) =>
      html`<li class="l${Math.min(4, level - top + 1)}"><a href="#L${lines.start}"><span>${name}</span><span class="soft mono">${formatCount(own)}</span></a></li>`,
  )
  const isCode = !['markdown', 'text'].includes(language)
  return html`<div class="lead"><h1>${title}</h1><div class="row small soft"><span class="mono">${path}</span>${statusTag(status)}<span>${formatQuantity(tokens, 'token')}</span><span>changed ${formatDay(modifiedAt)}</span><span class="push row"><a class="quiet" href="${addressOf(documentAddress(path), { format: 'json' })}">JSON</a><a class="quiet" href="${addressOf('/graph', { of: path })}">Graph</a></span></div></div>
<div class="two"><section class="card passage" aria-label="Text"><div class="text${isCode ? ' code' : ''}" tabindex="0" role="region" aria-label="Lines"><ol>${numberLines({ path, start: 1, text: text.replace(/\n$/, ''), language, marked, anchored: true })}</ol></div></section>
<aside class="stack" aria-label="Around it" tabindex="0">${outline.length === 0 ? '' : html`<section class="card"><h2>Sections</h2><ul class="plain outline small">${outline}</ul></section>`}
${listReferences('Referred to by', found.referencedBy, 'in')}${listReferences('Refers to', found.references, 'out')}
<section class="card"><h2>Canonicality ${canonicality.score.toFixed(2)}</h2>${listReasons(canonicality)}</section></aside></div>`
}

/** All documents, most referenced first. */
export function showDocuments({ nodes, total, offset }: DocumentGraph, limit: number): Markup {
  const rows = nodes.map(
    ({ path, title, language, inbound, status }, at) =>
      html`<tr><td class="n soft">${offset + at + 1}</td><td><a href="${documentAddress(path)}">${title}</a><br><span class="mono soft">${path}</span></td><td class="roomy">${language}</td><td class="n">${formatCount(inbound)}</td><td>${statusTag(status)}</td></tr>`,
  )
  return html`<div class="lead"><h1>${formatQuantity(total, 'document')}</h1><p>The most relied upon first, by the authority that flows along references.</p></div>
<section class="card scroll" tabindex="0" aria-label="Documents"><table><thead><tr><th class="n">#</th><th>document</th><th class="roomy">language</th><th class="n">referred to by</th><th>standing</th></tr></thead><tbody>${rows}</tbody></table></section>${turnPages('/doc', { offset, total, limit })}`
}

export function turnPages(
  address: string,
  { offset, total, limit }: { readonly offset: number; readonly total: number; readonly limit: number },
): Child {
  const [before, after] = [offset > 0, offset + limit < total]
  if (!before && !after) return null
  return html`<nav class="row" aria-label="Pages of the list">${before ? html`<a class="quiet" href="${addressOf(address, { offset: Math.max(0, offset - limit) })}">Before</a>` : ''}<span class="soft small">${offset + 1} to ${Math.min(total, offset + limit)} of ${formatCount(total)}</span>${after ? html`<a class="quiet" href="${addressOf(address, { offset: offset + limit })}">After</a>` : ''}</nav>`
}
