// What did a question get, why, and what was dropped? The digest with its budget, its reasons and its refusals.

import { fullName, plainName } from '../../explore/show-passage.ts'
import { isCodeLanguage } from '../../model/code-languages.ts'
import { describeLimit, describeWords } from '../../model/describe-confidence.ts'
import type { Digest, Dropped, Passage, Signals } from '../../model/digest.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { AssembleResult, SearchMode, TokenAccount } from '../../model/report.ts'
import { agentTokens } from '../operations/operations.ts'
import { ageOf, chooseOne, drawBar, formatEffect, listReasons, statusTags, tag } from './frame-page.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'
import { type CardLines, type CardText, showText, WHOLE } from './show-text.ts'

export interface AskQuery {
  readonly q: string
  readonly max: number
  readonly depth: number
  readonly mode: SearchMode
  readonly path: string
  /** Words and names that the asker expects in the answer, with commas. */
  readonly words?: string
  readonly names?: string
  readonly fill?: boolean
  /** A file, path:line or sentence that the user expected. */
  readonly find: string
}

/** Why something is not in the digest, and the link that changes it. */
export interface Missing {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly text: string
  readonly action: { readonly name: string; readonly href: string } | null
}

interface ShownPassage {
  readonly passage: Passage
  readonly tokens: number
  readonly role: 'found' | 'came'
  readonly number: number
}

const nothingCounted: TokenAccount = { frame: 0, primary: [], expanded: [] }

/** Passages in the order of the digest, with what each takes. */
export function listPassages({ primary, expanded }: Digest, account = nothingCounted): ShownPassage[] {
  const row = (role: 'found' | 'came', passage: Passage, tokens = 0) => ({ role, passage, tokens })
  const found = primary.map((passage, at) => row('found', passage, account.primary[at]))
  const came = expanded.flatMap(({ passages }, document) =>
    passages.map((passage, at) => row('came', passage, account.expanded[document]?.[at])),
  )
  return [...found, ...came].map((one, at) => ({ ...one, number: at + 1 }))
}

export function askAddress(query: AskQuery, changes: Partial<AskQuery> = {}, page = '/ask'): string {
  const { q, max, depth, mode, path, words, names, fill, find } = { ...query, find: '', ...changes }
  return addressOf(page, { q, max, depth, mode, path, words, names, fill: fill ? 1 : '', find })
}

const listWords = (written = ''): string[] =>
  written
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** The caller's words, each to remove, and a field for more. */
function showChips(query: AskQuery): Markup {
  const given = (['words', 'names'] as const).flatMap((kind) =>
    listWords(query[kind]).map((word, at, all) => {
      const href = askAddress(query, { [kind]: all.toSpliced(at, 1).join(', ') })
      return html`<span class="chip">${word} <a href="${href}" aria-label="Remove ${word}">×</a></span>`
    }),
  )
  return html`<div class="chips"><span>The answer may say</span>${given}<input name="word" form="ask" placeholder="add a word" aria-label="Add a word that the answer may use" maxlength="200"></div>`
}

/** Budgets of the slider's marks: fifteen equal steps on a logarithmic scale. */
export const markedBudgets: readonly number[] = Array.from(
  { length: 16 },
  (_, step) => Math.round((500 * 32 ** (step / 15)) / 50) * 50,
)

export const listEntries = (found: readonly (AssembleResult | null)[]): readonly object[] =>
  found.map((result, at) => {
    const shown = result === null ? [] : listPassages(result.digest)
    const passages = shown.map(({ passage: { artifacts, name }, role }) => ({ id: artifacts[0], name, role }))
    return { max: markedBudgets[at], used: result?.tokensUsed ?? 0, passages }
  })

const modes = Object.entries({ hybrid: 'words and embeddings', lexical: 'words', vector: 'embeddings' })
const depths = Object.entries({ 0: 'no', 1: 'one step', 2: 'two steps' })
const scaleTicks = [500, 1000, 2000, 4000, 8000, 16_000]

/** The question, and the field of the budget on a page without an answer. */
export function askForm(query: AskQuery): Markup {
  return html`<form class="ask" id="ask" action="/ask" role="search" aria-label="Ask"><div class="line"><input type="search" name="q" value="${query.q}" placeholder="Ask this corpus" aria-label="Question" autocomplete="off" maxlength="4000" required${query.q === '' ? html` autofocus` : ''}><button>Ask</button></div><input type="hidden" name="words" value="${query.words}"><input type="hidden" name="names" value="${query.names}">${query.q === '' ? html`<div class="row soft small">${budgetField(query)}${showOptions(query)}</div>` : ''}</form>`
}

const budgetField = ({ max }: AskQuery): Markup =>
  html`<label class="tokens">Token budget <input type="number" form="ask" name="max" value="${max}" min="100" max="200000" step="100"></label>`

function showOptions(query: AskQuery, chips: Child = null): Markup {
  const given = `${query.words ?? ''}${query.names ?? ''}${query.path}`
  const isPlain = query.depth === 1 && query.mode === 'hybrid' && given === '' && !query.fill
  return html`<details class="more-options"${isPlain ? '' : html` open`}><summary>Search options</summary><div class="options">${chips}${chooseOne('Follow references', 'depth', String(query.depth), depths, 'ask')}${chooseOne('Search by', 'mode', query.mode, modes, 'ask')}<label>Folder <input class="wide" form="ask" name="path" value="${query.path}" placeholder="everywhere"></label><label><input type="checkbox" form="ask" name="fill" value="1"${query.fill ? html` checked` : ''}> Fill the budget with weaker matches</label>${chips === null ? '' : html`<button class="quiet" form="ask">Ask again</button>`}</div></details>`
}

/** The slider: its marks are the passages, each at the first budget that shows it. */
function showSlider(query: AskQuery): Markup {
  return html`<div class="slide js"><div class="marks"></div><input type="range" min="0" max="100" step="1" aria-label="Token budget"><div class="scale" aria-hidden="true">${scaleTicks.map((tokens) => html`<span>${tokens < 1000 ? tokens : `${tokens / 1000}k`}</span>`)}</div></div>
<div class="row small soft">${budgetField(query)}<button class="quiet" form="ask" data-apply>Apply</button><a href="${askAddress(query, { max: agentTokens })}">What agents get: ${formatCount(agentTokens)}</a></div>`
}

function drawBudget(
  shown: readonly ShownPassage[],
  frame: number,
  { used, max }: { readonly used: number; readonly max: number },
): Markup {
  const scale = 1000 / Math.max(max, used)
  let left = frame * scale
  const parts = shown.map(({ passage, tokens, role, number }) => {
    const width = tokens * scale
    const x = left
    left += width
    const name = `${number}. ${passage.path}: ${formatQuantity(tokens, 'token')}`
    return html`<a href="#p${number}" aria-label="${name}"><rect class="s-${role}${number % 2 === 0 ? '2' : ''}" x="${x.toFixed(1)}" width="${Math.max(1, width - 1.5).toFixed(1)}" height="14"/><title>${name}</title></a>`
  })
  const sum = (role: string): number =>
    shown.filter((one) => one.role === role).reduce((total, { tokens }) => total + tokens, 0)
  const entries = [
    ['Search results', 'k-found', sum('found')],
    ['Followed references', 'k-came', sum('came')],
    ['Headings and sources', 'k-frame', frame],
    ['Unused', '', Math.max(0, max - used)],
  ] as const
  const share = (tokens: number): string => `${Math.round((100 * tokens) / max)} %`
  return html`<div id="spent"><h2>${formatCount(used)} of ${formatCount(max)} tokens <span class="soft small">in the brief layout</span></h2>
<svg viewBox="0 0 1000 14" preserveAspectRatio="none" role="group" aria-label="Where the tokens went"><rect class="s-free" width="1000" height="14"/><rect class="s-frame" width="${Math.max(0, frame * scale - 1.5).toFixed(1)}" height="14"/>${parts}</svg>
<div class="key">${entries.map(([name, kind, tokens]) => html`<span class="${kind}">${name} ${share(tokens)}</span>`)}</div></div>`
}

export function confidenceTag({ confidence }: Digest): Markup {
  const tones = { high: 'good', medium: 'warn', low: 'warn', none: 'bad' } as const
  return tag(confidence.label, tones[confidence.label])
}

function explainSignals(signals: Signals, score: number): Markup {
  const { relevance, lexical, document, vector, canonicality, parts } = signals
  const values = { 'final score': score, relevance, words: lexical, 'whole document': document }
  const bars = Object.entries({ ...values, embeddings: vector, authority: canonicality }).map(
    ([name, value]) => (value === null ? null : drawBar(name, value, value.toFixed(2))),
  )
  const effects = parts.map(({ name, effect }) => drawBar(name, effect, formatEffect(effect)))
  return html`<div class="pair"><div><h3 class="small">Signals</h3><div class="bars">${bars}</div></div>
${effects.length === 0 ? '' : html`<div><h3 class="small">Re-ranking adjustments</h3><div class="bars">${effects}</div></div>`}</div>`
}

function explainOrigin({ origin, referencedBy, sameDocumentAs = [] }: Passage): Markup | null {
  const line = ({ path, line }: { path: string; line: number }): Markup =>
    html`<a class="mono" href="${documentAddress(path, { start: line, end: line })}">${path}:${line}</a> `
  if (origin.kind === 'search') return null
  return html`<p class="small">Followed <b>${origin.via}</b>: ${origin.because}. Cost ${origin.cost}, ${formatQuantity(origin.depth, 'reference')} away from <span class="mono">${origin.from}</span>.</p>
${referencedBy.length === 0 ? '' : html`<p class="small">Referred to at ${referencedBy.map(line)}</p>`}${sameDocumentAs.length === 0 ? '' : html`<p class="small">Same document as ${sameDocumentAs.map(line)}</p>`}`
}

/** The best passages show more lines than those after them, so that a digest fits a few screens. */
function linesOf(number: number, { confidence }: Digest): CardLines {
  if (confidence.label === 'none') return 0
  return number === 1 ? 16 : number <= 3 ? 8 : number <= 5 ? 5 : number === 6 ? 3 : 0
}

interface CardContext {
  readonly digest: Digest
  readonly terms: readonly string[]
  readonly query: AskQuery
  readonly isWhole: boolean
}

/** The question that a passage raises: a name in code, or its heading. */
const about = (name: string): string => (/\s/.test(name) ? name : `What is ${name}?`)

/** Shows all lines in the card; without a script, in the document. */
export const linkMore = (href: string, { seen, total }: Pick<CardText, 'seen' | 'total'>): Markup =>
  html`<a class="more" href="${href}">${seen === 0 ? 'Show' : `${seen} of ${formatQuantity(total, 'line')}, show all`}</a>`

function showPassage({ passage, tokens, role, number }: ShownPassage, context: CardContext): Markup {
  const { path, excerpts, alsoAt, score, artifacts } = passage
  const { digest, terms, query, isWhole } = context
  const name = fullName(passage, digest.documents)
  const isCode = isCodeLanguage(passage.language)
  const lines = { start: excerpts[0]?.lines.start ?? 1, end: excerpts.at(-1)?.lines.end ?? 1 }
  const citation = `${path}:${lines.start}-${lines.end}`
  const document = digest.documents.find((one) => one.path === path)
  const shownLines = isWhole ? WHOLE : linesOf(number, digest)
  const { body, isCut, seen, total } = showText(passage, { lines: shownLines, terms })
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return html`<article class="card passage ${role}${shownLines === 0 ? ' brief' : ''}" id="p${number}" tabindex="-1" data-id="${artifacts[0]}" data-name="${name}">
<header><h2><span class="number">${number}</span>${name}</h2><span class="soft small size">${formatQuantity(tokens, 'token')}</span><a class="place" href="${documentAddress(path, lines)}" title="${citation}"><span class="folder">${folder}</span>${citation.slice(folder.length)}</a>${document === undefined ? '' : statusTags(document.canonicality)}<span class="soft small age">${document === undefined ? '' : ageOf(document.modifiedAt, digest.generatedAt)}</span></header>
${isCut ? linkMore(documentAddress(path, lines), { seen, total }) : ''}
<details class="why"><summary>Why is it here?</summary><div>${explainOrigin(passage)}${explainSignals(passage.signals, score)}
${document === undefined ? '' : html`<h3 class="small">Authority ${document.canonicality.score.toFixed(2)}</h3>${listReasons(document.canonicality)}`}
${alsoAt.length === 0 ? '' : html`<p class="small soft">The same text at ${alsoAt.map((at) => html`<a class="mono" href="${documentAddress(at.path, at.lines)}">${at.path}:${at.lines.start}</a> `)}</p>`}</div></details>
<span class="acts"><button class="plain js" type="button" data-copy="${citation}">Copy citation</button><a href="${askAddress({ ...query, q: about(name), path: '' })}">Ask about this</a>${isCode ? html`<a href="${addressOf('/uses', { of: artifacts[0] ?? path })}">Uses</a>` : ''}<a href="${documentAddress(path, lines)}">Open</a></span>
${body}</article>`
}

const causes: Readonly<Record<string, string>> = {
  'no room': 'did not fit',
  'adds little': 'match much less than the best passages',
  'below threshold': 'match too little',
  'section limit': 'are more sections than the digest may have',
  duplicate: 'have the text of another file in the digest',
  'other edition': 'are translations or other versions of documents in the digest',
  'no text of its own': 'are headings without text',
}

/** What a reader may read next, by name and best line, and why the other matches are not shown. */
function showDropped({ dropped, pointers }: Digest): Child {
  const matches = Map.groupBy(dropped, ({ reason }) => causes[reason])
  matches.delete(undefined)
  const total = [...matches.values()].reduce((sum, { length }) => sum + length, 0)
  if (total === 0) return null
  const near = pointers.map(
    ({ path, lines, name, line }) =>
      html`<li>${plainName(name)}<br><a class="mono" href="${documentAddress(path, lines)}">${path}:${lines.start}</a> <span class="soft">${line}</span></li>`,
  )
  const counts = [...matches].map(([cause, { length }]) => html`<li>${formatCount(length)} ${cause}</li>`)
  return html`<details class="card side"><summary>Matching sections not shown · ${total}</summary><div class="stack"><ul class="plain small soft">${counts}</ul><ul class="plain small">${near}</ul></div></details>`
}

export function hideQuery({ find: _, fill, ...given }: AskQuery, shown: readonly string[] = []): Markup[] {
  const same = Object.entries({ ...given, ...(fill ? { fill: 1 } : {}) })
  return same
    .filter(([name]) => !shown.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

/** One field: why is a file, a line or a sentence not in the digest? */
function showMissing(query: AskQuery, missing: Missing | null): Markup {
  return html`<section class="card stack" id="missing"><h2>Missing something?</h2><form class="stack" action="/ask#missing">${hideQuery(query)}<div class="line"><input name="find" value="${query.find}" placeholder="File, file:line or a sentence" aria-label="A file, a line or a sentence that you expected" maxlength="1000"><button class="quiet">Why?</button></div></form>
${missing === null ? '' : html`<p class="small ${missing.tone}" id="expected" role="status">${missing.text}${missing.action === null ? '' : html` <a class="quiet" href="${missing.action.href}">${missing.action.name}</a>`}</p>`}</section>`
}

function sayMissing(digest: Digest, query: AskQuery): Child {
  const { notices, dropped, confidence, expanded, leastScore } = digest
  const { maxTokens, tokenLimit } = digest.query
  const count = (...wanted: Dropped['reason'][]): number =>
    dropped.filter(({ reason }) => wanted.includes(reason)).length
  const [full, low] = [count('no room'), count('adds little', 'below threshold')]
  const came = expanded.reduce((sum, { passages }) => sum + passages.length, 0)
  const found = `${formatCount(digest.sectionsSelected - came)} of ${formatQuantity(digest.candidateSections, 'matching section')} shown`
  const shown = `${found}${came === 0 ? '' : `, and ${formatQuantity(came, 'referenced one')}`}`
  const filled = html`<a href="${askAddress(query, { fill: true })}">Fill the budget</a>`
  const rest =
    count('section limit') > 0 && confidence.label === 'none'
      ? html`, the closest, because nothing seems to answer. ${filled} to see more`
      : tokenLimit < maxTokens && full > 0
        ? html`; ${formatCount(full)} more did not fit into ${describeLimit(digest.query, confidence)}. ${filled} to see them`
        : full > 0 && confidence.label !== 'none'
          ? html`; ${formatCount(full)} more would need <a href="${askAddress(query, { max: query.max * 2 })}">a larger budget</a>`
          : low > 0 &&
            html`; ${formatCount(low)} ${leastScore > 0 ? `scored below the cut-off of ${leastScore.toFixed(2)}` : causes['below threshold']}`
  return html`<p class="small soft">${notices.map((notice) => html`${notice} `)}${shown}${rest}.</p>`
}

interface AnswerContext {
  readonly missing?: Missing | null
  /** Prints the same digest; empty elsewhere. */
  readonly command?: string
  readonly compare?: Markup | null
  readonly isWhole?: boolean
}

export function showAnswer(
  query: AskQuery,
  result: AssembleResult,
  { missing = null, command = '', compare = null, isWhole = false }: AnswerContext = {},
): Markup {
  const { digest, tokensUsed, account = nothingCounted, askedTerms = [] } = result
  const shown = listPassages(digest, account)
  const wanted = query.find === '' ? (digest.documents[0]?.path ?? '') : query.find
  const { why } = digest.confidence
  const copyable = (name: string, text: string): Markup =>
    html`<button class="quiet js" type="button" data-copy="${text}">${name}</button>`
  return html`<h1 class="unseen">${query.q}</h1>${askForm(query)}
<div class="two"><div id="answer" class="stack tight"><div class="verdict"><div class="row">${confidenceTag(digest)}<p>${why.charAt(0).toUpperCase() + why.slice(1)}.</p></div>${sayMissing(digest, query)}<span class="small narrow"><a href="#budget">${formatCount(tokensUsed)} of ${formatCount(query.max)} tokens: budget and options</a></span><p class="small" id="moved" role="status"></p></div>
${shown.length === 0 ? html`<p class="card">Nothing in the index answers this. Try other words, or check a file under <b>Missing something?</b></p>` : shown.map((one) => showPassage(one, { digest, terms: askedTerms, query, isWhole }))}<p class="small soft js"><kbd>j</kbd> <kbd>k</kbd> next and previous passage · <kbd>e</kbd> all of its lines · <kbd>/</kbd> find</p></div>
<aside class="stack tight" aria-label="Budget, options and what is not shown" tabindex="0"><section class="card budget" id="budget" aria-label="Budget">${drawBudget(shown, account.frame, { used: tokensUsed, max: digest.query.maxTokens })}
${showSlider(query)}</section><div id="more" class="stack tight">
<div class="row"><button class="quiet js" type="button" data-copy-digest>Copy digest</button>${command === '' ? '' : copyable('Copy command', command)}<a class="quiet" href="${askAddress(query, {}, '/ask.md')}" data-digest>Markdown</a><a class="quiet" href="${askAddress(query, {}, '/ask.json')}">JSON</a></div>
${showMissing(query, missing)}
<section class="card side">${showOptions(query, showChips(query))}</section>${showDropped(digest)}
${compare === null ? '' : html`<details class="card side"><summary>Compare with another budget or question</summary><div class="stack">${compare}</div></details>`}
<details class="card side"><summary>How it was searched</summary><div class="stack small"><p>${digest.strategy.why}. Tokens are those of the brief layout, as agents get it; the default of the command line is longer and may hold fewer passages.</p>${digest.strategy.callerWords === undefined ? '' : html`<p>${describeWords(digest.strategy.callerWords)}</p>`}<p class="soft">${formatQuantity(digest.candidateSections, 'matching section')} in ${formatQuantity(digest.documentsScanned, 'document')}. Index <span class="mono">${digest.fingerprint.slice(0, 12)}</span>.</p>${copyable('Copy as evaluation question', JSON.stringify({ question: query.q, expected_docs: [wanted] }))}</div></details></div></aside></div>`
}
