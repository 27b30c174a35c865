// Which documents need care? Findings by kind, worst first, each with the line as it is and as it should be.
import { countFindings, type HealthReport, healthRules, severities } from '../../check/health/health-rules.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { clip } from '../../model/mark-invisible.ts'
import { lastSegment } from '../../model/paths.ts'
import { showTiles, tag } from './frame-page.ts'
import { documentAddress, html, type Markup } from './html.ts'

const tones = { error: 'bad', warning: 'warn' } as const
/** Shown at once of each kind; the others are in JSON and on the command line. */
const LISTED = 200
const OPEN = 12
/** Characters of a line. */
const SHOWN = 400

export function showHealth(report: HealthReport): Markup {
  const { documents, references, findings, notices } = report
  const tiles = [
    ['documents', formatCount(documents)],
    ['references', formatCount(references)],
    ...severities.map((severity) => [`${severity}s`, formatCount(countFindings(report, severity))] as const),
  ] as const
  const groups = [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, found]) => {
    const { title, help, severity } = healthRules[rule]
    const row = ({ path, line, message, evidence, fix, fixed, related }: (typeof found)[number]): Markup =>
      html`<li class="finding"><a class="place" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a><span>${message}</span><pre class="diff"><del>${clip(evidence, SHOWN)}</del>${fixed === null ? '' : html`<ins>${clip(fixed, SHOWN)}</ins>`}</pre>${fixed === null ? html`<span class="small soft">${fix}${related.slice(0, 3).map((one) => html` · <a class="mono" href="${documentAddress(one.path, { start: one.line, end: one.line })}">${lastSegment(one.path)}</a>`)}</span>` : ''}</li>`
    return html`<section class="card" id="${rule}"><div class="row"><h2>${title}</h2>${tag(`${formatQuantity(found.length, severity)}`, tones[severity])}</div><p class="small soft">${help}</p>
<ul class="plain">${found.slice(0, OPEN).map(row)}</ul>${found.length > OPEN ? html`<details><summary>${formatCount(found.length - OPEN)} more</summary><ul class="plain">${found.slice(OPEN, LISTED).map(row)}</ul></details>` : ''}</section>`
  })
  return html`<div class="lead"><h1>Health of the documents</h1><p>Certain findings only; a new line was applied to a copy and leads to its target. The same as <code>yore health</code>, which CI can run.</p></div>
${showTiles(tiles)}
${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
${groups.length === 0 ? html`<p class="card">Nothing found: every reference that was checked leads somewhere.</p>` : groups}
<p class="small"><a class="quiet" href="/health.json">JSON</a></p>`
}
