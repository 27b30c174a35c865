// Where is a definition, who uses it, and what does it use? The same facts as `yore uses` prints, each with its line of code.
import type { Use, Uses } from '../../explore/find-uses.ts'
import { blindSpots } from '../../explore/list-uses.ts'
import { formatCount } from '../../model/format-numbers.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'

/** Lines of code of one use, and uses at once. */
const [LINES, OPEN] = [4, 12]

export type ReadLine = (path: string, line: number) => string | null

const place = (path: string, start: number, end = start): Markup =>
  html`<a class="place" href="${documentAddress(path, { start, end })}">${path}:${start}</a>`

type OneUse = Pick<Use, 'node' | 'path' | 'lines'>

function listUses(title: string, uses: readonly OneUse[], total: number, readLine: ReadLine): Child {
  const row = ({ node, path, lines }: OneUse): Markup => {
    const written = lines.length === 0 ? [node.lines.start] : lines
    const shown = written.slice(0, LINES).map((line) => {
      const code = readLine(path, line)?.trim() ?? ''
      return html`<div>${place(path, line)}${code === '' ? '' : html`<pre class="call">${code}</pre>`}</div>`
    })
    const more =
      written.length > LINES ? html`<span class="soft">and ${written.length - LINES} more lines</span>` : ''
    return html`<li>${node.name === 'imports' ? 'Imported' : html`<a href="${addressOf('/uses', { of: node.id })}">${node.name}</a>`}${shown}${more}</li>`
  }
  const list = (some: readonly OneUse[]): Markup => html`<ul class="plain small">${some.map(row)}</ul>`
  const rest = uses.slice(OPEN)
  const folded = html`<details><summary>${formatCount(total - OPEN)} more</summary>${list(rest)}</details>`
  return html`<section class="card stack"><h2>${title}</h2>${list(uses.slice(0, OPEN))}${rest.length === 0 ? '' : folded}</section>`
}

export function showUses(
  facts: Uses,
  signatures: ReadonlyMap<string, string> = new Map(),
  readLine: ReadLine = () => null,
): Markup {
  return html`${[facts, ...facts.others].map((one) => showOne(one, signatures.get(one.subject.id) ?? '', readLine))}`
}

function showOne(facts: Uses, signature: string, readLine: ReadLine): Markup {
  const { subject, usedBy, uses, possibleUses, possibleTotal, cut } = facts
  const { name, path, lines } = subject
  const isAtLeast = cut || possibleTotal > 0
  const used = `Used by · ${isAtLeast ? 'at least ' : ''}${formatCount(usedBy.length)}`
  const possible =
    possibleTotal === 0
      ? ''
      : listUses(
          `Possible uses: same name, target unknown · ${formatCount(possibleTotal)}`,
          possibleUses,
          possibleTotal,
          readLine,
        )
  return html`<div class="lead"><h1>${name}</h1><p>Defined at ${place(path, lines.start, lines.end)}.</p>${signature === '' ? '' : html`<pre class="call">${signature}</pre>`}<p class="small">${blindSpots}</p></div>
<div class="pair">${listUses(used, usedBy, usedBy.length, readLine)}${possible}${listUses(`Uses · ${formatCount(uses.length)}`, uses, uses.length, readLine)}</div>`
}
