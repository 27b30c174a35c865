// Where does a reader begin? What is here, how fresh it is, what needs care, and questions that this corpus answers well.
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { StatusReport } from '../../model/report.ts'
import { type AskQuery, askForm } from './ask-page.ts'
import { addressOf, html, type Markup } from './html.ts'
import { nameLanguage, summarizeStatus } from './index-page.ts'

interface StartFacts {
  readonly name: string
  /** Null where no index can be read yet. */
  readonly status: StatusReport | null
  readonly questions: readonly string[]
  /** Addresses of pages that are offered here. */
  readonly hasIndexPage: boolean
}

export function showStart(query: AskQuery, facts: StartFacts): Markup {
  const { name, status } = facts
  return html`<div class="lead"><h1>Ask ${name}</h1><p>The passages that your agent gets, within a token budget, with the reason for each.</p></div>${askForm(query)}
${status === null ? html`<p class="card">No index is ready. Ask a question, or run <code>yore index</code>.</p>` : showFacts(status, facts)}`
}

function showFacts(status: StatusReport, { questions, hasIndexPage }: StartFacts): Markup {
  const { files, sections, tokens, languages } = status
  const { state } = summarizeStatus(status)
  const kinds = Object.entries(languages)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 3)
  const tile = (href: string, title: string, value: Markup | string, more: Markup | string): Markup =>
    html`<a class="card tile" href="${href}"><span class="soft small">${title}</span><b>${value}</b><span class="soft small">${more}</span></a>`
  const isFresh = state.tone === 'good'
  return html`<div class="tiles">${tile('/doc', 'What is here', formatQuantity(files, 'file'), html`${formatCount(sections)} sections, ${formatCount(tokens)} tokens; ${kinds.map(([kind, count], at) => `${at === 0 ? '' : ', '}${nameLanguage(kind)} ${formatCount(count)}`)}`)}
${tile(hasIndexPage ? '/index' : '/doc', 'How fresh', isFresh ? 'Up to date' : state.text, isFresh ? 'Every file is as indexed.' : 'The next question updates the index.')}
${tile('/health', 'What needs care', html`<span data-health>Health</span>`, html`<span data-health-more>Broken references, lost anchors, outdated quotes</span>`)}</div>
<div class="pair">${questions.length === 0 ? '' : html`<section class="stack tight"><h2>Questions to try</h2><ul class="plain">${questions.map((q) => html`<li><a href="${addressOf('/ask', { q })}">${q}</a></li>`)}</ul></section>`}
<section class="stack tight" id="last" hidden><h2>Your last questions</h2><ul class="plain"></ul></section></div>`
}
