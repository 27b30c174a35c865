// What did a question get, why, and what was dropped? The digest with its budget, its reasons and its refusals.

import type { Digest, Dropped, JudgeDecision, Passage, Signals } from '../../model/digest.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { AssembleResult, SearchMode, TokenAccount } from '../../model/report.ts'
import {
  drawBar,
  formatEffect,
  listReasons,
  numberLines,
  showStages,
  stagesOf,
  statusTag,
  tag,
} from './frame-page.ts'
import { addressOf, type Child, documentAddress, formatDay, html, type Markup } from './html.ts'

/** The query of the page. */
export interface AskQuery {
  readonly q: string
  readonly max: number
  readonly depth: number
  readonly mode: SearchMode
  readonly path: string
  /** Words and names that the asker expects in the answer, with commas; by the address alone. */
  readonly words?: string
  readonly names?: string
  /** A document, or path:line, that the user expected. */
  readonly find: string
  /** Settings to compare with, as a query: `max=2000&depth=0`. */
  readonly vs: string
}

interface ShownPassage {
  readonly passage: Passage
  readonly tokens: number
  readonly role: 'found' | 'came'
  readonly number: number
}

/** Passages in the order of the digest, with what each takes. */
function listPassages({ primary, expanded }: Digest, account: TokenAccount): ShownPassage[] {
  const found = primary.map((passage, at) => ({
    passage,
    tokens: account.primary[at] ?? 0,
    role: 'found' as const,
  }))
  const came = expanded.flatMap(({ passages }, document) =>
    passages.map((passage, at) => ({
      passage,
      tokens: account.expanded[document]?.[at] ?? 0,
      role: 'came' as const,
    })),
  )
  return [...found, ...came].map((one, at) => ({ ...one, number: at + 1 }))
}

const nothingCounted: TokenAccount = { frame: 0, primary: [], expanded: [] }

export function askForm(query: AskQuery): Markup {
  const modes = ['lexical', 'hybrid', 'vector'] as const
  const names = { lexical: 'words', hybrid: 'words and meaning', vector: 'meaning' } as const
  const chosen = (mode: string): string => (mode === query.mode ? 'selected' : '')
  return html`<form class="ask" action="/ask" role="search">
<div class="line"><input type="search" name="q" value="${query.q}" placeholder="How do I deploy a new service?" aria-label="Question" autocomplete="off" maxlength="4000" required><button>Ask</button></div>
<div class="options">
<label>budget <input type="number" name="max" value="${query.max}" min="100" max="200000" step="100"></label>
<label>hops <select name="depth">${[0, 1, 2].map((depth) => html`<option value="${depth}"${depth === query.depth ? html` selected` : ''}>${depth}</option>`)}</select></label>
<label>by <select name="mode">${modes.map((mode) => html`<option value="${mode}"${chosen(mode) === '' ? '' : html` selected`}>${names[mode]}</option>`)}</select></label>
<label>in <input class="wide" name="path" value="${query.path}" placeholder="all paths"></label>
<label>look for <input class="wide" name="find" value="${query.find}" placeholder="docs/guide.md:12"></label>
<label>compare with <input class="wide" name="vs" value="${query.vs}" placeholder="max=2000"></label>
</div></form>`
}

/** The budget bar: each part links to its passage. */
function drawBudget(
  shown: readonly ShownPassage[],
  frame: number,
  { used, max, label }: { readonly used: number; readonly max: number; readonly label?: string },
): Markup {
  // In a comparison the ids of passages are not unique.
  const isLinked = label === undefined
  const scale = 1000 / Math.max(max, used)
  let left = frame * scale
  const parts = shown.map(({ passage, tokens, role, number }) => {
    const width = tokens * scale
    const x = left
    left += width
    const part = html`<rect class="s-${role}${number % 2 === 0 ? '2' : ''}" x="${x.toFixed(1)}" width="${Math.max(1, width - 1.5).toFixed(1)}" height="30"/>`
    const name = `${number}. ${passage.path}: ${formatQuantity(tokens, 'token')}`
    return isLinked
      ? html`<a href="#p${number}" aria-label="${name}">${part}<title>${name}</title></a>`
      : part
  })
  const sum = (role: string): number =>
    shown.filter((one) => one.role === role).reduce((total, { tokens }) => total + tokens, 0)
  const share = (tokens: number): string => `${formatCount(tokens)} (${Math.round((100 * tokens) / max)} %)`
  return html`<section class="card budget" aria-label="${label ?? 'Budget'}">
<div class="row"><h2>${formatCount(used)} of ${formatCount(max)} tokens</h2>${isLinked ? html`<span class="soft small push">each part leads to its passage</span>` : ''}</div>
<svg viewBox="0 0 1000 30" preserveAspectRatio="none" role="group" aria-label="Where the tokens went"><rect class="s-free" width="1000" height="30"/><rect class="s-frame" width="${Math.max(0, frame * scale - 1.5).toFixed(1)}" height="30"/>${parts}</svg>
<div class="key"><span class="k-frame">Headings and sources ${share(frame)}</span><span class="k-found">Search results ${share(sum('found'))}</span><span class="k-came">Followed references ${share(sum('came'))}</span><span>Unused ${share(Math.max(0, max - used))}</span></div>
</section>`
}

function confidenceTag({ confidence }: Digest): Markup {
  const tones = { 'strong matches': 'good', 'weak matches': 'warn', 'no match': 'bad' } as const
  return tag(`${confidence.label} · ${Math.round(confidence.score * 100)} %`, tones[confidence.label])
}

function explainSignals(signals: Signals, score: number, number: number): Markup {
  const { relevance, lexical, document, vector, canonicality, parts, ranks } = signals
  const rows: readonly (readonly [string, number | null])[] = [
    ['final score', score],
    ['relevance', relevance],
    ['words', lexical],
    ['whole document', document],
    ['meaning', vector],
    ['canonicality', canonicality],
  ]
  const bars = rows.flatMap(([name, value]) =>
    value === null
      ? []
      : [html`<span>${name}</span>${drawBar(value)}<span class="mono">${value.toFixed(2)}</span>`],
  )
  const effects = parts.map(
    ({ name, effect }) =>
      html`<span>${name}</span>${drawBar(Math.abs(effect), effect < 0)}<span class="mono">${formatEffect(effect)}</span>`,
  )
  const stages = stagesOf(ranks)
  return html`<div class="pair"><div><h3 class="small">Signals</h3><div class="bars">${bars}</div></div>
${effects.length === 0 ? '' : html`<div><h3 class="small">For and against, at the second look</h3><div class="bars">${effects}</div></div>`}</div>
${stages.length === 0 ? '' : html`<h3 class="small">Rank, stage by stage</h3>${showStages([...stages, ['digest', String(number)]])}`}`
}

function explainOrigin({ origin, referencedBy, refersTo = [], sameDocumentAs = [] }: Passage): Markup | null {
  const line = ({ path, line }: { path: string; line: number }): Markup =>
    html`<a class="mono" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a> `
  if (origin.kind === 'search') return null
  return html`<p class="small">Followed <b>${origin.via}</b>: ${origin.because}. Cost ${origin.cost}, ${formatQuantity(origin.depth, 'reference')} away from <span class="mono">${origin.from}</span>.</p>
${referencedBy.length === 0 ? '' : html`<p class="small">Referred to at ${referencedBy.map(line)}</p>`}${refersTo.length === 0 ? '' : html`<p class="small">Speaks of ${refersTo.map(line)}</p>`}${sameDocumentAs.length === 0 ? '' : html`<p class="small">Same document as ${sameDocumentAs.map(line)}</p>`}`
}

function showPassage({ passage, tokens, role, number }: ShownPassage, digest: Digest): Markup {
  const { path, name, excerpts, truncated, alsoAt, score, language } = passage
  const lines = { start: excerpts[0]?.lines.start ?? 1, end: excerpts.at(-1)?.lines.end ?? 1 }
  const citation = `${path}:${lines.start}-${lines.end}`
  const document = digest.documents.find((one) => one.path === path)
  const isCode = !['markdown', 'text'].includes(language)
  const text = excerpts.flatMap((excerpt, at) => {
    const before = excerpts[at - 1]
    // A passage that starts with its heading has the heading as its name, not in its text.
    const start = excerpt.lines.end - excerpt.text.split('\n').length + 1
    const gap =
      before === undefined
        ? []
        : [
            html`<li class="gap">… ${formatQuantity(Math.max(0, excerpt.lines.start - before.lines.end - 1), 'line')} omitted</li>`,
          ]
    return [...gap, ...numberLines({ path, start: Math.max(1, start), text: excerpt.text, language })]
  })
  return html`<article class="card passage ${role}" id="p${number}" tabindex="-1" data-cite="${citation}">
<header><div class="row"><h2><span class="number">${number}</span>${name}</h2><span class="push tag">${formatQuantity(tokens, 'token')}</span>${truncated ? tag('shortened', 'warn') : ''}</div>
<div class="row"><a class="place" href="${documentAddress(path, lines)}">${citation}</a>${document === undefined ? '' : statusTag(document.status)}<button class="quiet push js" type="button" data-copy="${citation}">Copy citation</button></div>
${alsoAt.length === 0 ? '' : html`<p class="small soft">The same text at ${alsoAt.map((at) => html`<a class="mono" href="${documentAddress(at.path, at.lines)}">${at.path}:${at.lines.start}</a> `)}</p>`}</header>
<details class="why"><summary>Why is it here?</summary><div>${explainOrigin(passage)}${explainSignals(passage.signals, score, number)}
${document === undefined ? '' : explainCanonicality(document)}</div></details>
<div class="text${isCode ? ' code' : ''}"><ol>${text}</ol></div></article>`
}

function explainCanonicality({ canonicality, modifiedAt }: Digest['documents'][number]): Markup {
  return html`<h3 class="small">Canonicality ${canonicality.score.toFixed(2)}, last changed ${formatDay(modifiedAt)}</h3>${listReasons(canonicality)}`
}

const causes: Readonly<Record<Dropped['reason'], string>> = {
  'no room': 'It matches, and the budget was full.',
  'no room for references': 'A reference leads there, and the share for references was used up.',
  'adds little': 'It matches so much less than the best that it would be noise.',
  'below threshold': 'It matches too little.',
  'section limit': 'The limit of sections was reached.',
  duplicate: 'The same text is in the digest already.',
  'no text of its own': 'It is a heading alone.',
  'by reference': 'A better section refers to its document, and the reference decides what of it is shown.',
  'expansion budget': 'A reference leads there, and the cost budget of expansions was spent.',
}
const LISTED = 12

function showDropped(dropped: readonly Dropped[]): Markup {
  const order = Object.keys(causes)
  const byCause = [...Map.groupBy(dropped, ({ reason }) => reason)].sort(
    ([a], [b]) => order.indexOf(a) - order.indexOf(b),
  )
  const groups = byCause.map(([reason, entries], at) => {
    const best = entries.toSorted((a, b) => b.score - a.score || (a.artifact < b.artifact ? -1 : 1))
    return html`<details${at === 0 ? html` open` : ''}><summary>${reason} · ${entries.length}</summary>
<p class="small soft">${causes[reason]}</p><ul class="plain small">${best
      .slice(0, LISTED)
      .map(
        ({ path, lines, score }) =>
          html`<li><a class="mono" href="${documentAddress(path, lines)}">${path}:${lines.start}</a> <span class="soft">${score.toFixed(2)}</span></li>`,
      )}${entries.length > LISTED ? html`<li class="soft">and ${entries.length - LISTED} more, all in JSON</li>` : ''}</ul></details>`
  })
  return html`<section class="card stack"><h2>Dropped${dropped.length === 0 ? '' : html` · ${dropped.length}`}</h2>${groups.length === 0 ? html`<p class="soft small">No match was dropped.</p>` : groups}</section>`
}

function showDecisions(decisions: readonly JudgeDecision[]): Child {
  if (decisions.length === 0) return null
  const row = ({ via, target, cost, reason }: JudgeDecision): Markup =>
    html`<li>${cost === null ? tag('denied', 'bad') : tag(`cost ${cost}`, 'good')} <b>${via}</b> <span class="mono">${target}</span><br><span class="soft">${reason}</span></li>`
  const [allowed, denied] = [
    decisions.filter(({ cost }) => cost !== null),
    decisions.filter(({ cost }) => cost === null),
  ]
  return html`<section class="card stack"><h2>What the judge said</h2><p class="small soft">${formatQuantity(allowed.length, 'proposal')} allowed, ${denied.length} denied.</p>
<ul class="plain small">${allowed.slice(0, LISTED).map(row)}</ul>${denied.length === 0 ? '' : html`<details><summary>denied · ${denied.length}</summary><ul class="plain small">${denied.slice(0, LISTED).map(row)}</ul></details>`}</section>`
}

function showOffers({ offers }: Digest): Child {
  if (offers === undefined) return null
  const { listed, more } = offers
  return html`<section class="card stack"><h2>References to follow · ${listed.length + more}</h2><p class="small soft">The digest ends with this list; an agent follows one by <span class="mono">expand</span>.</p><ul class="plain small">${listed.map(
    ({ from, via, target, name }) =>
      html`<li><b>${via}</b> <span class="mono">${target}</span> (${name})<br><span class="soft">from <span class="mono">${from}</span></span></li>`,
  )}${more === 0 ? '' : html`<li class="soft">and ${more} more</li>`}</ul></section>`
}

function showUnresolved({ unresolved }: Digest): Child {
  if (unresolved.length === 0) return null
  return html`<section class="card stack"><h2>References without a target · ${unresolved.length}</h2><ul class="plain small">${unresolved.map(
    ({ path, line, target, reason }) =>
      html`<li>${tag(reason, 'warn')} <span class="mono">${target}</span><br><a class="mono" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a></li>`,
  )}</ul></section>`
}

/** Where an expected place is: in the digest, dropped for a reason, or not found. */
export function findExpected(
  find: string,
  digest: Digest,
  standing: string,
): { readonly tone: 'good' | 'warn' | 'bad'; readonly text: string } {
  const [, path = find, line] = /^(.*?)(?::(\d{1,9})(?:-\d{1,9})?)?$/.exec(find) ?? []
  const at = line === undefined ? null : Number(line)
  const holds = (lines: { readonly start: number; readonly end: number }): boolean =>
    at === null || (lines.start <= at && at <= lines.end)
  const passages = [...digest.primary, ...digest.expanded.flatMap((one) => one.passages)]
  const shown = passages.findIndex(
    (one) => one.path === path && one.excerpts.some(({ lines }) => holds(lines)),
  )
  if (shown !== -1) return { tone: 'good', text: `${find} is passage ${shown + 1} of the digest` }
  const sorted = digest.dropped.toSorted((a, b) => b.score - a.score)
  const place = sorted.findIndex((one) => one.path === path && holds(one.lines))
  const left = sorted[place]
  if (left !== undefined)
    return {
      tone: 'warn',
      text: `${path}:${left.lines.start} was dropped: ${left.reason}. ${causes[left.reason]} Score ${left.score.toFixed(2)}, number ${place + 1} of ${sorted.length} dropped`,
    }
  return { tone: 'bad', text: `${find} did not match the question at all: ${standing}` }
}

const examples = [
  'How do I install it?',
  'How is it configured?',
  'Where are errors handled?',
  'What changed in the last release?',
]

/** Before a question: what may be asked. */
export function showWelcome(query: AskQuery): Markup {
  return html`<div class="lead"><h1>Ask the corpus</h1><p>See what a question gets within its budget, why each passage is there, and what was dropped. It is what your agent gets, byte for byte.</p></div>${askForm(query)}
<p class="soft small">Try ${examples.map((q) => html`<a href="${addressOf('/ask', { q })}">${q}</a> `)}</p>`
}

interface AnswerOptions {
  /** Why an expected document did not match. */
  readonly standing?: string
  /** The token of a reader who may write. */
  readonly token?: string | null
  readonly hasIndexPage?: boolean
}

/** The answer to one question. */
export function showAnswer(
  query: AskQuery,
  result: AssembleResult,
  { standing = '', token = null, hasIndexPage = true }: AnswerOptions = {},
): Markup {
  const { digest, tokensUsed, account = nothingCounted } = result
  const shown = listPassages(digest, account)
  const { q, max, depth, mode, path } = query
  const same = { q, max, depth, mode, path }
  const wanted = query.find === '' ? (digest.documents[0]?.path ?? '') : query.find
  const expected = query.find === '' ? null : findExpected(query.find, digest, standing)
  return html`<h1 class="unseen">${q}</h1>${askForm(query)}
<div class="row">${confidenceTag(digest)}<span class="soft small">${digest.confidence.why}</span><span class="push row">
<a class="quiet" href="${addressOf('/ask.md', same)}" data-digest>Markdown</a><a class="quiet" href="${addressOf('/ask.json', same)}">JSON</a><button class="quiet js" type="button" data-copy-digest>Copy digest</button>${token === null ? html`<button class="quiet js" type="button" data-copy="${JSON.stringify({ question: q, expected_docs: [wanted] })}">Copy as evaluation question</button>` : ''}</span></div>
${token === null ? '' : saveForm(q, wanted, token)}
${expected === null ? '' : html`<p class="row" id="expected">${tag('expected', expected.tone)}<span>${expected.text}.</span></p>`}
${digest.notices.map((notice) => html`<p class="notice">${notice}</p>`)}
${drawBudget(shown, account.frame, { used: tokensUsed, max: digest.query.maxTokens })}
<div class="two"><div class="stack">${shown.length === 0 ? html`<p class="card">Nothing in the index answers this. Near misses are listed under <b>Dropped</b>${hasIndexPage ? html`; <a href="/index">the index</a> says which files were skipped` : ''}.</p>` : shown.map((one) => showPassage(one, digest))}</div>
<aside class="stack" aria-label="Dropped and decided" tabindex="0">${showOffers(digest)}${showDropped(digest.dropped)}${showDecisions(digest.decisions ?? [])}${showUnresolved(digest)}
<section class="card stack small"><h2>How it was searched</h2><p>${digest.strategy.why}</p><p class="soft">${formatQuantity(digest.candidateSections, 'candidate section')} in ${formatQuantity(digest.documentsScanned, 'document')}. Index <span class="mono">${digest.fingerprint.slice(0, 12)}</span>.</p></section></aside></div>`
}

/** A form that saves the question; it needs the token. */
function saveForm(q: string, wanted: string, token: string): Markup {
  return html`<details class="save"><summary>Save as an evaluation question</summary><form class="options" method="post" action="${addressOf('/eval/questions', { token })}"><input type="hidden" name="q" value="${q}"><label>its digest must quote <input class="wide" name="expected" value="${wanted}" placeholder="docs/guide.md:12-40"></label><label>and say <input class="wide" name="phrase" placeholder="words of the answer"></label><button class="quiet">Save</button></form></details>`
}

/** Two answers to one question, under two settings. */
export function showComparison(
  query: AskQuery,
  [one, other]: readonly [AssembleResult, AssembleResult],
): Markup {
  const idsOf = ({ digest }: AssembleResult): Set<string> =>
    new Set(
      [...digest.primary, ...digest.expanded.flatMap(({ passages }) => passages)].flatMap(
        ({ artifacts }) => artifacts,
      ),
    )
  const [left, right] = [idsOf(one), idsOf(other)]
  const shared = [...left].filter((id) => right.has(id)).length
  const column = (result: AssembleResult, name: string, others: ReadonlySet<string>): Markup => {
    const { digest, tokensUsed, account = nothingCounted } = result
    const shown = listPassages(digest, account)
    const rows = shown.map(({ passage, tokens, role, number }) => {
      const isShared = passage.artifacts.some((id) => others.has(id))
      return html`<tr><td class="n">${number}</td><td><a class="mono" href="${documentAddress(passage.path, passage.excerpts[0]?.lines)}">${passage.path}</a><br><span class="soft">${passage.name}</span></td><td>${isShared ? tag('both') : tag('only here', 'good')}${role === 'came' ? tag('followed reference') : ''}</td><td class="n">${formatCount(tokens)}</td></tr>`
    })
    return html`<div class="stack"><h2>${name}</h2><div class="row">${confidenceTag(digest)}</div>${drawBudget(shown, account.frame, { used: tokensUsed, max: digest.query.maxTokens, label: `Budget of ${name}` })}<section class="card scroll" tabindex="0" aria-label="Passages of ${name}"><table><thead><tr><th class="n">#</th><th>passage</th><th>where</th><th class="n">tokens</th></tr></thead><tbody>${rows}</tbody></table></section></div>`
  }
  return html`<div class="lead"><h1>${query.q}</h1><p>${formatQuantity(shared, 'section')} in both, ${left.size - shared} only in the first, ${right.size - shared} only in the second.</p></div>${askForm(query)}
<div class="versus">${column(one, 'As asked', right)}${column(other, query.vs, left)}</div>`
}
