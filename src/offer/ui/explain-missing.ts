// Why is a file, a line or a sentence not in the digest? One sentence, and the link that changes it.
import type { Digest, Dropped } from '../../model/digest.ts'
import { formatCount } from '../../model/format-numbers.ts'
import { lastSegment } from '../../model/paths.ts'
import type { AssembleResult } from '../../model/report.ts'
import type { CorpusEngine } from '../engine/engine.ts'
import { type AskQuery, askAddress, type Missing } from './ask-page.ts'
import { documentAddress } from './html.ts'

interface Place {
  readonly path: string
  readonly line: number | null
}

interface MissingContext {
  readonly engine: CorpusEngine
  readonly query: AskQuery
  readonly result: AssembleResult
  /** Digests of the same question at other budgets. */
  readonly assembleAt: (budgets: readonly number[]) => Promise<readonly (AssembleResult | null)[]>
}

export const MOST_TOKENS = 200_000
/** How closely the smallest budget is found. */
const STEP_TOKENS = 100
/** Ranks that are searched for a section, and files for a name. */
const [RANKED, NAMED] = [1000, 50]

const holds = ({ line }: Place, lines: { readonly start: number; readonly end: number }): boolean =>
  line === null || (lines.start <= line && line <= lines.end)

/** The number of the passage that shows a place, from 1; 0 for none. */
function passageOf(place: Place, { primary, expanded }: Digest): number {
  const passages = [...primary, ...expanded.flatMap(({ passages }) => passages)]
  const shows = (one: (typeof passages)[number]): boolean =>
    one.path === place.path && one.excerpts.some(({ lines }) => holds(place, lines))
  return passages.findIndex(shows) + 1
}

/** The place that the written text means: a path with or without its line, part of a path, or text of a section. */
async function findPlace(find: string, engine: CorpusEngine): Promise<Place | Missing> {
  const [, path = find, written] = /^(.*?)(?::(\d{1,9})(?:-\d{1,9})?)?$/.exec(find) ?? []
  const line = written === undefined ? null : Number(written)
  const standing = await engine.standingOf(path)
  if (standing.state === 'indexed') return { path, line }
  const bad = (text: string): Missing => ({ tone: 'bad', text: `${text}.`, action: null })
  if (standing.state === 'skipped') return bad(`${path} is not indexed: ${standing.reason}`)
  if (standing.state === 'not indexed yet') return bad(`${path} is not indexed yet; run yore index`)
  const { nodes } = await engine.documentGraph({ text: path, limit: NAMED, refresh: 'never' })
  // Of several files of this name, the one of the highest rank.
  const same = nodes.find((node) => lastSegment(node.path) === path)
  const only = same ?? (nodes.length === 1 ? nodes[0] : undefined)
  if (only !== undefined) return { path: only.path, line }
  const lines = find.split('\n').map((one) => one.trim())
  const longest = lines.reduce((best, one) => (one.length > best.length ? one : best), '')
  const { hits } = await engine.search(longest, { match: 'exact', limit: 1, refresh: 'never' })
  const [hit] = hits
  if (hit !== undefined) return { path: hit.path, line: hit.matchedLines[0]?.start ?? hit.excerpt.line }
  const isPath = !/\s/.test(path) && nodes.length === 0
  return bad(isPath ? `There is no file ${path}` : `No indexed section contains “${longest.slice(0, 80)}”`)
}

/** The smallest budget that shows the place, to the hundred; null when even the largest does not. */
async function findBudget(place: Place, { query, assembleAt }: MissingContext): Promise<number | null> {
  const shows = (found: AssembleResult | null): boolean =>
    found !== null && passageOf(place, found.digest) > 0
  for (const times of [4, 32]) {
    let [low, high, found] = [query.max, Math.min(MOST_TOKENS, query.max * times), false]
    while (high - low > STEP_TOKENS) {
      const budgets = [1, 2, 3, 4, 5].map((part) => Math.round(low + ((high - low) * part) / 5))
      const at = (await assembleAt(budgets)).findIndex(shows)
      if (at === -1) break
      ;[low, high, found] = [budgets[at - 1] ?? low, budgets[at] as number, true]
    }
    if (found) return Math.ceil(high / STEP_TOKENS) * STEP_TOKENS
  }
  return null
}

const format = (score: number): string => score.toFixed(2)

function sayDropped({ reason, score }: Dropped, { digest }: AssembleResult): string {
  const last = Math.min(...digest.primary.map((one) => one.score), 1)
  const causes: Partial<Record<Dropped['reason'], string>> = {
    'adds little': `is below the cut: it scores ${format(score)}, and the digest ends at ${format(digest.leastScore)}`,
    'below threshold': `matches too little: its relevance is below the threshold of ${format(digest.relevanceThreshold)}`,
    duplicate: 'has a text that the digest already shows from another file',
    'no text of its own': 'is a heading without text',
    'other edition': 'is a translation or another version of a document in the digest',
  }
  return causes[reason] ?? `did not fit: it scores ${format(score)}, the last passage ${format(last)}`
}

export async function explainMissing(context: MissingContext): Promise<Missing | null> {
  const { engine, query, result } = context
  const { digest } = result
  if (query.find === '') return null
  const place = await findPlace(query.find, engine)
  if ('tone' in place) return place
  const name = place.line === null ? place.path : `${place.path}:${place.line}`
  const alone = { name: 'Ask in this file only', href: askAddress(query, { path: place.path }) }
  const warn = (text: string, action = alone): Missing => ({ tone: 'warn', text: `${name} ${text}.`, action })
  const number = passageOf(place, digest)
  const shown = { name: `Show passage ${number}`, href: `#p${number}` }
  if (number > 0) return { ...warn(`is passage ${number} of the digest`, shown), tone: 'good' }
  const dropped = digest.dropped
    .toSorted((a, b) => b.score - a.score)
    .find((one) => one.path === place.path && holds(place, one.lines))
  const isCut = passageOf({ ...place, line: null }, digest) > 0
  const canFit = isCut || (dropped !== undefined && /no room|limit|budget/.test(dropped.reason))
  const budget = canFit ? await findBudget(place, context) : null
  if (budget !== null) {
    const why = isCut ? 'was cut from its passage' : sayDropped(dropped as Dropped, result)
    const tokens = formatCount(budget)
    const href = askAddress(query, { max: budget, find: query.find })
    return warn(`${why}. It fits from ${tokens} tokens`, { name: `Raise the budget to ${tokens}`, href })
  }
  const more = canFit ? '; a larger budget does not show it either' : ''
  if (dropped !== undefined) return warn(`${sayDropped(dropped, result)}${more}`)
  const denied = (digest.decisions ?? []).find(
    ({ cost, target }) => cost === null && target.split('#', 1)[0] === place.path,
  )
  if (denied !== undefined)
    return warn(`is the target of a reference (${denied.via}) that was not followed: ${denied.reason}`)
  const { hits } = await engine.search(query.q, { limit: RANKED, allSections: true, refresh: 'never' })
  const rank = hits.findIndex(({ path, lines }) => path === place.path && holds(place, lines))
  const score = `rank ${rank + 1}, score ${format(hits[rank]?.score ?? 0)}`
  if (rank !== -1) return warn(`is below the cut: ${score}; the digest ends at ${format(digest.leastScore)}`)
  const lines = { start: place.line ?? 1, end: place.line ?? 1 }
  const first = `ranks below the first ${formatCount(RANKED)} sections`
  const why = hits.length < RANKED ? 'no section there has the words of the question' : first
  return warn(`is indexed, but ${why}`, { name: 'Open it', href: documentAddress(place.path, lines) })
}
