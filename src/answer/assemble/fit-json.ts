// How does a digest fit its budget as JSON? The selection stays that of Markdown; explanations yield first, then passages from the end.
import type { Digest, Passage } from '../../model/digest.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { dropPassage } from './hide-shown.ts'
import {
  droppedFacts,
  type ExplanationLists,
  type JsonOptions,
  renderJson,
  unresolvedFacts,
} from './render-json.ts'
import { DROPPED_SHARE, UNRESOLVED_SHARE } from './tuning.ts'

/** What was dropped with the best scores first, and the first references that lead nowhere. */
export function boundExplanation(
  { unresolved, dropped }: ExplanationLists,
  { maxTokens, countTokens }: Pick<FitJsonOptions, 'maxTokens' | 'countTokens'>,
): ExplanationLists {
  const cost = (facts: object): number => countTokens(JSON.stringify(facts)) + 2
  const best = dropped.toSorted((a, b) => b.score - a.score || (a.artifact < b.artifact ? -1 : 1))
  return {
    unresolved: takeWithin(unresolved, maxTokens * UNRESOLVED_SHARE, (one) => cost(unresolvedFacts(one))),
    dropped: takeWithin(best, maxTokens * DROPPED_SHARE, (one) => cost(droppedFacts(one))),
  }
}

/** Entries from the first on, up to the first without room. */
function takeWithin<T>(entries: readonly T[], room: number, cost: (entry: T) => number): T[] {
  const taken: T[] = []
  let left = room
  for (const entry of entries) {
    left -= cost(entry)
    if (left < 0) break
    taken.push(entry)
  }
  return taken
}

export interface FitJsonOptions {
  readonly maxTokens: number
  readonly explain: boolean
  readonly brief: boolean
  readonly countTokens: TokenCounter
}

export interface FittedJson {
  readonly output: string
  readonly tokens: number
  /** As far as the output holds it. */
  readonly digest: Digest
}

/** What of a digest JSON holds: the first passages, of which the first are explained. */
interface Parts extends Omit<JsonOptions, 'explain'> {
  readonly passages: number
  readonly explained: number
}

const passagesOf = ({ primary, expanded }: Digest): readonly Passage[] => [
  ...primary,
  ...expanded.flatMap(({ passages }) => passages),
]

/** The first passages of a digest, with a notice of how many are omitted. */
function keepPassages(digest: Digest, count: number): Digest {
  const omitted = passagesOf(digest).slice(count)
  if (omitted.length === 0) return digest
  let left = Math.max(0, count - digest.primary.length)
  const expanded = digest.expanded.flatMap((document) => {
    const passages = document.passages.slice(0, left)
    left -= passages.length
    return passages.length === 0 ? [] : [{ ...document, passages }]
  })
  const [few, them] =
    omitted.length === 1 ? ['passage does', 'it'] : [`${omitted.length} passages do`, 'them']
  return {
    ...digest,
    sectionsSelected: digest.sectionsSelected - omitted.length,
    primary: digest.primary.slice(0, count),
    expanded,
    dropped: [
      ...digest.dropped,
      ...omitted.map((one) => ({ ...dropPassage(one, 'no room'), score: one.score })),
    ],
    notices: [...digest.notices, `The last ${few} not fit the budget as JSON; Markdown holds ${them}.`],
  }
}

/** The output states its own tokens, so the number is settled by repetition. */
function renderCounted(digest: Digest, { passages, ...parts }: Parts, o: FitJsonOptions): FittedJson {
  const kept = keepPassages(digest, passages)
  let [output, tokens] = ['', o.maxTokens]
  for (let round = 0; round < 5; round++) {
    output = renderJson(kept, { actualTokens: tokens }, { ...parts, explain: o.explain })
    const counted = o.countTokens(output)
    if (counted === tokens) break
    tokens = counted
  }
  return { output, tokens, digest: kept }
}

interface Fit extends FittedJson {
  readonly count: number
}

/** The rendering with the largest number that fits; null where 0 does not. */
function largestThatFits(most: number, render: (count: number) => FittedJson, maxTokens: number): Fit | null {
  let best: Fit | null = null
  for (let [low, high] = [0, most]; low <= high; ) {
    const count = Math.ceil((low + high) / 2)
    const made = render(count)
    if (made.tokens <= maxTokens) [best, low] = [{ ...made, count }, count + 1]
    else high = count - 1
  }
  return best
}

const nothingListed: ExplanationLists = { unresolved: [], dropped: [] }

/** Tokens of a digest as JSON with its first passage alone. */
export function leastJson(digest: Digest, o: FitJsonOptions): number {
  const parts = { passages: Math.min(1, passagesOf(digest).length), explained: 0, brief: true }
  return renderCounted(digest, { ...parts, lists: nothingListed }, o).tokens
}

/** As many passages as fit, from the first on, then pointers, then the list of documents; null where not even the first passage fits. */
function fitPassages(digest: Digest, o: FitJsonOptions): (Fit & { readonly brief: boolean }) | null {
  const passages = passagesOf(digest).length
  const bare = { ...digest, pointers: [] }
  const render = (of: Digest, count: number, brief: boolean): FittedJson =>
    renderCounted(of, { passages: count, explained: 0, brief, lists: nothingListed }, o)
  for (const [of, brief] of [
    [digest, o.brief],
    [digest, true],
  ] as const) {
    const all = render(of, passages, brief)
    if (all.tokens <= o.maxTokens) return { ...all, count: passages, brief }
  }
  const held = largestThatFits(passages, (count) => render(bare, count, true), o.maxTokens)
  return held === null || (held.count === 0 && passages > 0) ? null : { ...held, brief: true }
}

/**
 * The digest as JSON of at most `maxTokens`: its passages, then the list of documents, then as much of an explanation as
 * there are tokens for: an explanation changes no passage. Null where not even the first passage fits.
 */
export function fitJson(digest: Digest, o: FitJsonOptions): FittedJson | null {
  const held = fitPassages(digest, { ...o, explain: false })
  if (held === null || !o.explain) return held
  const { unresolved, dropped } = boundExplanation(digest, o)
  const base = { passages: held.count, brief: held.brief }
  const render = (parts: Pick<Parts, 'explained' | 'lists'>): FittedJson =>
    renderCounted({ ...digest, pointers: held.digest.pointers }, { ...base, ...parts }, o)
  const all = render({ explained: held.count, lists: { unresolved, dropped } })
  if (all.tokens <= o.maxTokens) return all
  const fit = (most: number, one: (count: number) => Pick<Parts, 'explained' | 'lists'>): Fit | null =>
    largestThatFits(most, (count) => render(one(count)), o.maxTokens)
  const explained = fit(held.count, (count) => ({ explained: count, lists: nothingListed }))?.count ?? 0
  const listed = (count: number): ExplanationLists => ({ unresolved: [], dropped: dropped.slice(0, count) })
  return fit(dropped.length, (count) => ({ explained, lists: listed(count) })) ?? held
}
