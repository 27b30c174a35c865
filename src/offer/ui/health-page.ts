// Which documents need care? Findings by kind, worst first, each with the line as it is and as it should be.
import {
  countFindings,
  type HealthFinding,
  type HealthReport,
  healthRules,
  severities,
} from '../../check/health/health-rules.ts'
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

/** One finding, with the other places where it is the same. */
function showFinding(places: readonly HealthFinding[]): Markup {
  const { path, message, evidence, fix, fixed, related } = places[0] as HealthFinding
  const place = ({ path: file, line }: { path: string; line: number }, name: string): Markup =>
    html`<a class="place" href="${documentAddress(file, { start: line, end: line })}">${name}</a>`
  const links = places.map(
    (one, at) =>
      html`${at === 0 ? '' : ' '}${place(one, at > 0 && one.path === path ? `:${one.line}` : `${one.path}:${one.line}`)}`,
  )
  const advice = html`<span class="small soft">${fix}.${related.slice(0, 3).map((one) => html` ${place(one, lastSegment(one.path))}`)}</span>`
  return html`<li class="finding"><b>${message}</b><span>${links}</span><pre class="diff"><del>${clip(evidence, SHOWN)}</del>${fixed === null ? '' : html`<ins>${clip(fixed, SHOWN)}</ins>`}</pre>${fixed === null ? advice : ''}</li>`
}

export function showHealth(report: HealthReport): Markup {
  const { documents, references, findings, notices } = report
  const tiles = [
    ['documents', formatCount(documents)],
    ['references', formatCount(references)],
    ...severities.map((severity) => [`${severity}s`, formatCount(countFindings(report, severity))] as const),
  ] as const
  const groups = [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, found]) => {
    const { title, help, severity } = healthRules[rule]
    // The same target may be missing in many places.
    const kinds = [...Map.groupBy(found, ({ message, fix, fixed }) => `${message}\n${fixed ?? fix}`).values()]
    const shown = kinds.slice(0, LISTED).map(showFinding)
    const rest = shown.slice(OPEN)
    return html`<section class="card" id="${rule}"><div class="row"><h2>${title}</h2>${tag(`${formatQuantity(found.length, severity)}`, tones[severity])}</div><p class="small soft">${help}</p>
<ul class="plain">${shown.slice(0, OPEN)}</ul>${rest.length === 0 ? '' : html`<details><summary>${formatCount(kinds.length - OPEN)} more</summary><ul class="plain">${rest}</ul></details>`}</section>`
  })
  return html`<div class="lead"><h1>Health of the documents</h1><p>Certain findings only. Each corrected line was applied to a copy and leads to its target. <code>yore health</code> prints the same, also in CI.</p></div>
${showTiles(tiles)}
${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
${groups.length === 0 ? html`<p class="card">Nothing found: every reference that was checked leads somewhere.</p>` : groups}
<p class="small"><a class="quiet" href="/health.json">JSON</a></p>`
}
