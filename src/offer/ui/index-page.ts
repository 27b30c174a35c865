// What is indexed, what was skipped and why, which settings are in effect, and would a reference be followed?

import type { ExpandResult } from '../../explore/request-expansion.ts'
import { settingNames } from '../../model/config/check-settings.ts'
import type { LoadedSettings } from '../../model/config/load-settings.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { StatusReport } from '../../model/report.ts'
import { showTable, showTiles, tag } from './frame-page.ts'
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

/** The language of files without one. */
export const nameLanguage = (language: string): string => (language === 'generic' ? 'other text' : language)

/** Settings that index what is skipped for this reason. */
const changes: Readonly<Record<string, string>> = {
  'too-large': 'yore config set maxFileSize 8000000',
}

function showSkipped({ skipped, ignored, unsupported }: StatusReport): Markup {
  const groups = [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, files]) => {
    const command = changes[reason]
    const change =
      command === undefined
        ? ''
        : html`<p class="small">To index them: <code>${command}</code> <button class="plain js" type="button" data-copy="${command}">Copy</button></p>`
    const name = reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('-', ' ')
    return html`<details><summary>${name} · ${formatCount(files.length)}</summary>${change}<ul class="plain small">${files.slice(0, LISTED).map(({ path, detail }) => html`<li><span class="mono">${path}</span> <span class="soft">${detail}</span></li>`)}${files.length > LISTED ? html`<li class="soft">and ${files.length - LISTED} more: <code>yore status --skipped</code></li>` : ''}</ul></details>`
  })
  const kinds = Object.values(unsupported).reduce((sum, count) => sum + count, 0)
  return html`<section class="card stack" id="skipped"><h2>Skipped files</h2>${groups.length === 0 ? html`<p class="small soft">No file was skipped.</p>` : groups}<p class="small soft">${formatCount(ignored)} more are excluded by ignore rules (<code>yore status --ignored</code>), ${formatCount(kinds)} are binary by their names.</p></section>`
}

function showSettings({ settings, places, warnings }: LoadedSettings): Markup {
  const rows = settingNames
    .toSorted((a, b) => Number(places[a] === 'default') - Number(places[b] === 'default'))
    .map((name) => [
      html`<code>${name}</code>`,
      html`<span class="mono">${JSON.stringify(settings[name])}</span>`,
      places[name] === 'default' ? html`<span class="soft">default</span>` : tag(places[name], 'good'),
    ])
  const changed = settingNames.filter((name) => places[name] !== 'default').length
  return html`<details class="card side"${warnings.length > 0 ? html` open` : ''}><summary>Settings and where they come from · ${changed === 0 ? 'all defaults' : `${changed} changed`}</summary>${warnings.map((warning) => html`<p class="notice">${warning}</p>`)}${showTable('Settings', [{ name: 'setting' }, { name: 'value' }, { name: 'from' }], rows)}</details>`
}

function showTryOut({ from, via, target, result, fault }: TryOut): Markup {
  const offers = result?.offers ?? []
  const verdict =
    result?.outcome == null
      ? ''
      : result.outcome.allowed
        ? html`<p>${tag('followed', 'good')} ${formatQuantity(result.tokensUsed, 'token')}.</p>`
        : html`<p>${tag('not followed', 'bad')} <span class="small">${result.output}</span></p>`
  return html`<section class="card stack" id="judge"><h2>Would yore follow this reference?</h2><p class="small soft">Name a document, a section or a line to list what may be followed from it; <code>yore rulebook</code> prints the rules.</p>
<form action="/index#judge" class="options"><label>From <input class="wide" name="from" value="${from}" placeholder="docs/guide.md:12" required></label><label>Relation <input name="via" value="${via}" placeholder="links"></label><label>Target <input class="wide" name="target" value="${target}"></label><button class="quiet">Check</button></form>
${fault === null ? '' : html`<p class="notice">${fault}</p>`}${verdict}
${offers.length === 0 ? '' : html`<ul class="plain small">${offers.slice(0, LISTED).map((offer) => html`<li>${tag(`cost ${offer.cost}`)} <b>${offer.via}</b> <span class="mono">${offer.target}</span> ${offer.name}</li>`)}</ul>`}
${result !== null && result.outcome === null && offers.length === 0 ? html`<p class="small">No reference may be followed.</p>` : ''}</section>`
}

/** What changes while files are indexed, in words. */
interface LiveStatus {
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
  readonly tryOut: TryOut
  readonly treemap: Markup
}

export function showIndex({ status, loaded, tryOut, treemap }: IndexFacts): Markup {
  const { languages, masked, vectors, sources } = status
  const { counts, state } = summarizeStatus(status)
  const kinds = Object.entries(languages).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return html`<div class="lead"><h1>Index</h1><div class="row small soft"><span class="mono">${status.indexPath}</span><span class="tag ${state.tone}" data-live="state" role="status">${state.text}</span><span>indexed ${formatDay(status.indexedAt)}, schema ${status.schemaVersion}, yore ${status.yoreVersion}</span></div></div>
${showTiles(Object.entries(counts), true)}
<section class="card stack"><h2>What is in it</h2>${treemap}</section>
<div class="two"><div class="stack tight">${showSkipped(status)}${showSettings(loaded)}${showTryOut(tryOut)}</div>
<aside class="stack tight" aria-label="What it holds" tabindex="0"><section class="card"><h2>Languages</h2><table><tbody>${kinds.map(([name, count]) => html`<tr><td>${nameLanguage(name)}</td><td class="n">${formatCount(count)}</td></tr>`)}</tbody></table></section>
<section class="card small"><h2>Embeddings</h2><p>${vectors.model === null ? `None, searched by words only: ${vectors.note ?? 'no model'}` : `${/^yore-static/.test(vectors.model) ? 'Built-in model' : vectors.model}, ${formatCount(vectors.embedded)} of ${formatCount(vectors.total)} fragments`}</p></section>
${sources.length === 0 ? '' : html`<section class="card small"><h2>Other sources</h2><ul class="plain">${sources.map(({ name, origin, fetchedAt }) => html`<li><span class="mono">${name}</span> ${origin ?? ''}${fetchedAt === null ? '' : ` fetched ${formatDay(fetchedAt)}`}</li>`)}</ul></section>`}
${masked.length === 0 ? '' : html`<details class="card side"><summary>Masked secrets · ${masked.length}</summary><ul class="plain small">${masked.slice(0, LISTED).map(({ path, line, kind }) => html`<li><a class="mono" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a> ${kind}</li>`)}</ul></details>`}</aside></div>`
}
