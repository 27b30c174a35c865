// Where does a reader begin? What is here, how fresh it is, what needs care, and questions that this corpus answers well.
import type { LinkReport } from '../../check/links/link-report.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { Freshness, StatusReport } from '../../model/report.ts'
import { type AskQuery, askForm } from './ask-page.ts'
import { addressOf, html, type Markup } from './html.ts'

export interface StartFacts {
  readonly status: StatusReport
  readonly questions: readonly string[]
  /** Null for a corpus whose check takes long. */
  readonly links: LinkReport | null
  readonly treemap: Markup
}

/** `facts` is null where no index can be read yet. */
export function showStart(query: AskQuery, name: string, facts: StartFacts | null): Markup {
  return html`<div class="lead"><h1>Ask ${name}</h1><p>The best passages for a question, within a token budget, with the reason for each.</p></div>${askForm(query)}
${facts === null ? html`<p class="card" id="corpus" data-building role="status">No index is ready: the files are being indexed. You can ask now.</p>` : html`<div class="stack" id="corpus">${showFacts(facts)}</div>`}`
}

/** Null for an index that is up to date. */
function findChanges({ state, changedFiles, progress }: Freshness): string | null {
  if (progress !== undefined) return `${Math.floor(100 * progress.share)} % indexed`
  if (state === 'incomplete') return 'not complete'
  return changedFiles === 0 ? null : `${formatQuantity(changedFiles, 'file')} changed`
}

function showFacts({ status, questions, links, treemap }: StartFacts): Markup {
  const { files, sections, tokens, languages, skipped } = status
  const changes = findChanges(status.freshness)
  const kinds = Object.entries(languages).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const others = kinds.splice(3).reduce((sum, [, count]) => sum + count, 0)
  if (others > 0) kinds.push(['others', others])
  const tile = (href: string, title: string, value: Markup | string, more: Markup | string): Markup =>
    html`<a class="card tile" href="${href}"><span class="soft small">${title}</span><b>${value}</b><span class="soft small">${more}</span></a>`
  const tries = questions.map((q) => html`<a class="chip" href="${addressOf('/ask', { q })}">${q}</a>`)
  return html`${tries.length === 0 ? '' : html`<section class="chips"><span class="soft">Questions to try</span>${tries}</section>`}<div class="tiles">${tile('/doc', 'What is here', formatQuantity(files, 'file'), html`${formatCount(sections)} sections, ${formatCount(tokens)} tokens; ${kinds.map(([kind, count], at) => `${at === 0 ? '' : ', '}${kind === 'generic' ? 'other text' : kind} ${formatCount(count)}`)}`)}
${tile('/doc', 'How fresh', changes ?? 'Up to date', changes === null ? 'No files changed since indexing.' : 'The next question updates the index.')}
${links === null ? tile('/links', 'What needs care', 'Links', 'Broken references, lost anchors, outdated quotes') : tile('/links', 'What needs care', `${formatCount(links.broken.length)} broken`, `${formatQuantity(links.checked, 'reference')}, ${formatQuantity(links.anchors.length, 'lost anchor')}, ${formatCount(links.doubtful.length)} doubtful, ${formatCount(links.orphans.length)} orphans`)}</div>
<section class="card stack" id="asked" hidden><div class="row"><h2>Asked before</h2><button class="quiet push" type="button" disabled>Compare two</button></div><ul class="plain small"></ul></section>
<section class="card stack"><h2>What is in it</h2>${treemap}${skipped.length === 0 ? '' : html`<p class="small soft">${formatQuantity(skipped.length, 'file')} skipped: <code>yore status --skipped</code> lists them.</p>`}</section>`
}
