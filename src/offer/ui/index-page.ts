// What is indexed, what was skipped and why, which settings are in effect, and what does the rulebook allow?

import type { RulebooksInForce } from '../../check/rulebooks/load-rulebooks.ts'
import type { ExpandResult } from '../../explore/request-expansion.ts'
import { settingNames } from '../../model/config/check-settings.ts'
import type { LoadedSettings } from '../../model/config/load-settings.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { StatusReport } from '../../model/report.ts'
import { tag } from './frame-page.ts'
import { documentAddress, formatDay, html, type Markup } from './html.ts'

/** An expansion request of the page's query, and its result. */
export interface TryOut {
  readonly from: string
  readonly via: string
  readonly target: string
  readonly result: ExpandResult | null
  readonly fault: string | null
}

const LISTED = 50

function showSkipped({ skipped, ignored, unsupported }: StatusReport): Markup {
  const groups = [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, files]) =>
      html`<details${files.length <= 5 ? html` open` : ''}><summary>${reason} · ${files.length}</summary><ul class="plain small">${files.slice(0, LISTED).map(({ path, detail }) => html`<li><span class="mono">${path}</span> <span class="soft">${detail}</span></li>`)}${files.length > LISTED ? html`<li class="soft">and ${files.length - LISTED} more: <code>yore status --skipped</code></li>` : ''}</ul></details>`,
  )
  const kinds = Object.values(unsupported).reduce((sum, count) => sum + count, 0)
  return html`<section class="card stack"><h2>Excluded from the index</h2>${groups.length === 0 ? html`<p class="small soft">No file was skipped.</p>` : groups}<p class="small soft">${formatCount(ignored)} excluded by ignore rules, ${formatCount(kinds)} that are not text by their names.</p></section>`
}

function showSettings({ settings, places, warnings }: LoadedSettings): Markup {
  const rows = settingNames
    .toSorted((a, b) => Number(places[a] === 'default') - Number(places[b] === 'default'))
    .map(
      (name) =>
        html`<tr><td><code>${name}</code></td><td class="mono">${JSON.stringify(settings[name])}</td><td>${places[name] === 'default' ? html`<span class="soft">default</span>` : tag(places[name], 'good')}</td></tr>`,
    )
  return html`<section class="card stack"><h2>Settings, and who said so</h2>${warnings.map((warning) => html`<p class="notice">${warning}</p>`)}<details><summary>${formatQuantity(rows.length, 'setting')}</summary><div class="scroll" tabindex="0" role="region" aria-label="Settings"><table><thead><tr><th>setting</th><th>value</th><th>from</th></tr></thead><tbody>${rows}</tbody></table></div></details></section>`
}

function showRulebooks({ rulebooks }: RulebooksInForce, languages: Readonly<Record<string, number>>): Markup {
  const held = Object.values(rulebooks).filter(({ rulebook }) => languages[rulebook.language] !== undefined)
  const books = held.map(({ rulebook, tightenedBy }) => {
    const rows = Object.entries(rulebook.chunk_rules).flatMap(([type, { allow_expansion, expansions }]) =>
      !allow_expansion || expansions.length === 0
        ? [html`<tr><td>${type}</td><td colspan="3" class="soft">follows no reference</td></tr>`]
        : expansions.map(
            ({ via, direction, cost, allowed_target_types }) =>
              html`<tr><td>${type}</td><td><b>${via}</b> <span class="soft">${direction}</span></td><td class="n">${cost}</td><td class="small">${allowed_target_types.join(', ') || 'nothing'}</td></tr>`,
          ),
    )
    return html`<details><summary>${rulebook.language}${tightenedBy === null ? '' : ` (tightened by ${tightenedBy})`}</summary><div class="scroll" tabindex="0" role="region" aria-label="Rulebook of ${rulebook.language}"><table><thead><tr><th>from</th><th>via</th><th class="n">cost</th><th>to</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
  })
  return html`<section class="card stack"><h2>References that may be followed</h2>${books}</section>`
}

function showTryOut({ from, via, target, result, fault }: TryOut): Markup {
  const offers = result?.offers ?? []
  const verdict =
    result?.outcome == null
      ? ''
      : result.outcome.allowed
        ? html`<p>${tag('allowed', 'good')} and brought ${formatQuantity(result.tokensUsed, 'token')}.</p>`
        : html`<p>${tag('denied', 'bad')} <span class="small">${result.output}</span></p>`
  return html`<section class="card stack" id="judge"><h2>Ask the judge</h2><p class="small soft">Which references of a section may be followed? Name a document, a section or a line; a relation and a target make it a request.</p>
<form action="/index#judge" class="options"><label>from <input class="wide" name="from" value="${from}" placeholder="docs/guide.md:12" required></label><label>via <input name="via" value="${via}" placeholder="links"></label><label>target <input class="wide" name="target" value="${target}"></label><button class="quiet">Ask</button></form>
${fault === null ? '' : html`<p class="notice">${fault}</p>`}${verdict}
${offers.length === 0 ? '' : html`<ul class="plain small">${offers.slice(0, LISTED).map((offer) => html`<li>${tag(`cost ${offer.cost}`)} <b>${offer.via}</b> <span class="mono">${offer.target}</span> ${offer.name}</li>`)}</ul>`}
${result !== null && result.outcome === null && offers.length === 0 ? html`<p class="small">No reference may be followed.</p>` : ''}</section>`
}

/** What changes while files are indexed, in words. */
export interface LiveStatus {
  readonly counts: Readonly<Record<'files' | 'sections' | 'tokens' | 'index', string>>
  readonly state: { readonly text: string; readonly tone: 'good' | 'warn' }
}

export function summarizeStatus({
  files,
  sections,
  tokens,
  indexBytes,
  freshness,
}: StatusReport): LiveStatus {
  const { state, changedFiles } = freshness
  const isFresh = changedFiles === 0 && state !== 'incomplete'
  const text = state === 'incomplete' ? 'being indexed' : `${formatQuantity(changedFiles, 'file')} changed`
  return {
    counts: {
      files: formatCount(files),
      sections: formatCount(sections),
      tokens: formatCount(tokens),
      index: `${(indexBytes / 1e6).toFixed(1)} MB`,
    },
    state: isFresh ? { text: 'fresh', tone: 'good' } : { text, tone: 'warn' },
  }
}

export interface IndexFacts {
  readonly status: StatusReport
  readonly loaded: LoadedSettings
  readonly rulebooks: RulebooksInForce
  readonly tryOut: TryOut
}

export function showIndex({ status, loaded, rulebooks, tryOut }: IndexFacts): Markup {
  const { languages, masked, vectors, sources } = status
  const { counts, state } = summarizeStatus(status)
  const kinds = Object.entries(languages).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return html`<div class="lead"><h1>Index</h1><div class="row small soft"><span class="mono">${status.indexPath}</span><span class="tag ${state.tone}" data-live="state" role="status">${state.text}</span><span>indexed ${formatDay(status.indexedAt)}, schema ${status.schemaVersion}, yore ${status.yoreVersion}</span></div></div>
<section class="card tiles" aria-label="Counts">${Object.entries(counts).map(([name, value]) => html`<div class="tile"><b data-live="${name}">${value}</b><span class="soft small">${name}</span></div>`)}</section>
<div class="two"><div class="stack">${showTryOut(tryOut)}${showSkipped(status)}${showRulebooks(rulebooks, languages)}${showSettings(loaded)}</div>
<aside class="stack" aria-label="What it holds" tabindex="0"><section class="card"><h2>Languages</h2><table><tbody>${kinds.map(([name, count]) => html`<tr><td>${name}</td><td class="n">${formatCount(count)}</td></tr>`)}</tbody></table></section>
<section class="card small"><h2>Meaning</h2><p>${vectors.model === null ? `Searched by words only: ${vectors.note ?? 'no model'}` : `${vectors.model}, ${formatCount(vectors.embedded)} of ${formatCount(vectors.total)} fragments`}</p></section>
${sources.length === 0 ? '' : html`<section class="card small"><h2>Other sources</h2><ul class="plain">${sources.map(({ name, origin, fetchedAt }) => html`<li><span class="mono">${name}</span> ${origin ?? ''}${fetchedAt === null ? '' : ` fetched ${formatDay(fetchedAt)}`}</li>`)}</ul></section>`}
<section class="card small"><h2>Masked secrets · ${masked.length}</h2><ul class="plain">${masked.slice(0, LISTED).map(({ path, line, kind }) => html`<li><a class="mono" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a> ${kind}</li>`)}</ul></section></aside></div>`
}
