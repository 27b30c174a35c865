// Where is a definition, who uses it, and what does it use? The same facts as `yore uses` prints.
import type { Use, Uses } from '../../explore/find-uses.ts'
import { formatCount } from '../../model/format-numbers.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'

const place = (path: string, start: number, end = start): Markup =>
  html`<a class="place" href="${documentAddress(path, { start, end })}">${path}:${start}</a>`

function listUses(
  title: string,
  uses: readonly Pick<Use, 'node' | 'path' | 'lines'>[],
  total: number,
): Child {
  const row = ({ node, path, lines }: (typeof uses)[number]): Markup =>
    html`<li>${node.name === 'imports' ? 'Imported at ' : html`<a href="${addressOf('/uses', { of: node.id })}">${node.name}</a><br>`}${place(path, lines[0] ?? node.lines.start)}${lines.slice(1, 6).map((line) => html` <a class="place" href="${documentAddress(path, { start: line, end: line })}">${line}</a>`)}</li>`
  const rest =
    total > uses.length ? html`<p class="small soft">and ${formatCount(total - uses.length)} more</p>` : ''
  return html`<section class="card stack"><h2>${title} · ${formatCount(total)}</h2><ul class="plain small">${uses.map(row)}</ul>${rest}</section>`
}

export function showUses(facts: Uses): Markup {
  return html`${[facts, ...facts.others].map(showOne)}`
}

function showOne({ subject, usedBy, uses, possibleUses, possibleTotal, cut }: Uses): Markup {
  const { name, path, lines } = subject
  const possible =
    possibleTotal === 0
      ? ''
      : listUses('Possible uses: same name, target unknown', possibleUses, possibleTotal)
  return html`<div class="lead"><h1>${name}</h1><p>Defined at ${place(path, lines.start, lines.end)}${cut ? '. There are more uses than are listed' : ''}.</p></div>
<div class="pair">${listUses('Used by', usedBy, usedBy.length)}${listUses('Uses', uses, uses.length)}${possible}</div>`
}
