// What do two questions, or two budgets of one question, show? Their passages side by side; what one side alone has is marked.
import { fullName } from '../../explore/show-passage.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { AssembleResult } from '../../model/report.ts'
import { agentTokens } from '../operations/operations.ts'
import { type AskQuery, askAddress, confidenceTag, hideQuery, linkMore, listPassages } from './ask-page.ts'
import { tag } from './frame-page.ts'
import { documentAddress, html, type Markup } from './html.ts'
import { showText, WHOLE } from './show-text.ts'

export interface Side {
  readonly query: AskQuery
  readonly result: AssembleResult
}

/** Asks for two digests: two budgets, two questions, or both. */
export function compareForm(query: AskQuery, other: Pick<AskQuery, 'q' | 'max'> | null = null): Markup {
  const { q, max } = other ?? { q: query.q, max: query.max === agentTokens ? 8000 : agentTokens }
  const side = (end: string, name: string, one: Pick<AskQuery, 'q' | 'max'>): Markup =>
    html`<div class="stack tight"><label class="small stack tight">${name} question <input name="q${end}" value="${one.q}" maxlength="4000" required></label><label class="small tokens">Token budget <input type="number" name="max${end}" value="${one.max}" min="100" max="200000" step="100"></label></div>`
  return html`<form class="stack" action="/compare">${hideQuery(query, ['q', 'max'])}<div class="pair">${side('', 'First', query)}${side('2', 'Second', { q, max })}</div><div><button class="quiet">Compare</button></div></form>`
}

/** The number of each passage, by its artifact. */
const numbersOf = ({ result: { digest, account } }: Side): ReadonlyMap<string | undefined, number> =>
  new Map(listPassages(digest, account).map(({ passage, number }) => [passage.artifacts[0], number]))

function showSide({ query, result }: Side, others: ReadonlyMap<unknown, number>, isWhole: boolean): Markup {
  const { digest, tokensUsed, account, askedTerms = [] } = result
  const rows = listPassages(digest, account).map(({ passage, tokens, number, role }) => {
    const { path, excerpts, artifacts } = passage
    const lines = { start: excerpts[0]?.lines.start ?? 1, end: excerpts.at(-1)?.lines.end ?? 1 }
    const there = others.get(artifacts[0])
    const isAlone = there === undefined
    const most = isWhole ? WHOLE : isAlone ? 8 : 3
    const { body, isCut, seen, total } = showText(passage, { lines: most, terms: askedTerms })
    return html`<article class="card passage ${role}"><header><h2><span class="number">${number}</span>${fullName(passage, digest.documents)}</h2><span class="soft small size">${formatQuantity(tokens, 'token')}</span><a class="place" href="${documentAddress(path, lines)}">${path}:${lines.start}-${lines.end}</a>${isAlone ? tag('only here', 'good') : tag(there === number ? 'same rank' : `number ${there} there`)}</header>${isCut ? linkMore(documentAddress(path, lines), { seen, total }) : ''}${body}</article>`
  })
  const words = [query.words, query.names].filter((part) => part).join(', ')
  return html`<section class="stack tight"><h2><a href="${askAddress(query)}">${query.q}</a></h2><p class="row small">${confidenceTag(digest)}<span>${formatCount(tokensUsed)} of ${formatQuantity(query.max, 'token')}</span>${words === '' ? '' : html`<span>with ${words}</span>`}</p>${rows}</section>`
}

export function showComparison(sides: readonly [Side, Side], isWhole = false): Markup {
  const [left, right] = sides
  const [one, other] = [numbersOf(left), numbersOf(right)]
  const both = [...one.keys()].filter((id) => other.has(id)).length
  return html`<div class="lead"><h1>Side by side</h1><p>${formatQuantity(both, 'passage')} on both sides, ${one.size - both} only in the first digest, ${other.size - both} only in the second.</p></div>
${compareForm(left.query, right.query)}
<div class="pair">${showSide(left, other, isWhole)}${showSide(right, one, isWhole)}</div>`
}
