// Where does a reader begin? What is here, how fresh it is, what needs care, and questions that this corpus answers well.
import type { MappedFile } from '../../explore/map-corpus.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { StatusReport } from '../../model/report.ts'
import type { CorpusEngine } from '../engine/engine.ts'
import { type AskQuery, askForm } from './ask-page.ts'
import { addressOf, html, type Markup } from './html.ts'
import { summarizeStatus } from './index-page.ts'

const verbs = new Set(
  'add apply assign build choose configure connect create customize debug declare define delete deploy disable discover distribute enable expose extend handle inspect install manage migrate publish remove rename replace restart restore rotate run secure send serve troubleshoot update upgrade use validate verify write'.split(
    ' ',
  ),
)

/** `configuring` as `configure`; null for words that the list of verbs does not have. */
function verbOf(word: string): string | null {
  const lower = word.toLowerCase()
  if (verbs.has(lower)) return lower
  const stem = /^(.{2,})ing$/.exec(lower)?.[1]
  if (stem === undefined) return null
  return [stem, `${stem}e`, stem.slice(0, -1)].find((one) => verbs.has(one)) ?? null
}

/** A heading or a signature as a question; null where it makes none. */
export function makeQuestion(heading: string): string | null {
  const text = heading.replaceAll(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, '').trim()
  if (/^(?:how|why|what|when|where|which|who|can|does|is|are)\b.{8,80}\?$/i.test(text)) return text
  const symbol =
    /^(?:async |export |def |function |fn |func |class |public |static |abstract |namespace |interface |type |enum |struct |protocol )+([A-Za-z_]\w{5,40})/.exec(
      heading,
    )?.[1]
  if (symbol !== undefined) return `What does ${symbol} do?`
  const [first = '', ...rest] = text.split(/\s+/)
  if (
    rest.length < 2 ||
    rest.length > 8 ||
    /^(?:or|and)$/i.test(rest[0] ?? '') ||
    /[^\w\s'’.,/()-]/.test(text)
  )
    return null
  const verb = verbOf(first)
  if (verb !== null) return `How do I ${verb} ${rest.join(' ')}?`
  return /^how to$/i.test(`${first} ${rest[0]}`) ? `How do I ${rest.slice(1).join(' ')}?` : null
}

const OFFERED = 5
const TRIED = 30
/** A shorter question says too little, a longer one too much. */
const GOOD_WORDS = 7

/** Questions made of headings of important files, as far as a search finds their file with strong matches. */
export async function findQuestions(engine: CorpusEngine): Promise<readonly string[]> {
  const { facts } = await engine.outline(null, { maxTokens: 20_000, refresh: 'never' })
  const ofFile = ({ path, title, entries }: MappedFile): { path: string; questions: string[] } => ({
    path,
    questions: [title, ...entries.map(({ name }) => name)].flatMap((name) => makeQuestion(name) ?? []),
  })
  const files = facts.map(ofFile).filter(({ questions }) => questions.length > 0)
  const found: string[] = []
  for (const { path, questions } of files.slice(0, TRIED)) {
    const lengths = questions.map((one) => Math.abs(one.split(' ').length - GOOD_WORDS))
    const question = questions[lengths.indexOf(Math.min(...lengths))] as string
    const { hits, confidence } = await engine.search(question, { limit: 3, refresh: 'never' })
    if (confidence.label !== 'strong matches' || !hits.some((hit) => hit.path === path)) continue
    found.push(question)
    if (found.length === OFFERED) break
  }
  return found
}

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
  return html`<div class="tiles">${tile('/doc', 'What is here', formatQuantity(files, 'file'), html`${formatCount(sections)} sections, ${formatCount(tokens)} tokens; ${kinds.map(([kind, count], at) => `${at === 0 ? '' : ', '}${kind} ${formatCount(count)}`)}`)}
${tile(hasIndexPage ? '/index' : '/doc', 'How fresh', isFresh ? 'Up to date' : state.text, isFresh ? 'Every file is as indexed.' : 'The next question updates the index.')}
${tile('/health', 'What needs care', html`<span data-health>Health</span>`, html`<span data-health-more>Broken references, copies, outdated documents</span>`)}</div>
<div class="pair">${questions.length === 0 ? '' : html`<section class="stack tight"><h2>Questions to try</h2><ul class="plain">${questions.map((q) => html`<li><a href="${addressOf('/ask', { q })}">${q}</a></li>`)}</ul></section>`}
<section class="stack tight" id="last" hidden><h2>Your last questions</h2><ul class="plain"></ul></section></div>`
}
