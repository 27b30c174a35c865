// Which text should find which? Headings their bodies, words their meanings, comments their functions, in batches that are hard.
import { pickBelow, type Random, shuffle } from './random.ts'
import type { Section, SourceName } from './section.ts'

export interface TokenSection {
  readonly section: Section
  readonly title: Int32Array
  readonly heading: Int32Array
  readonly body: Int32Array
}

export interface Pair {
  readonly question: Int32Array
  readonly passage: Int32Array
  /** Pairs with the same question or passage may not count as wrong for each other. */
  readonly key: string
}

/** Sections by source and group, in a fixed order. */
export interface PairPool {
  readonly groups: Readonly<Record<SourceName, readonly TokenSection[][]>>
}

export interface PairOptions {
  /** Tokens of a passage. */
  readonly longest: number
  /** How many sections of one document stand in one batch. */
  readonly siblings: number
  /** Share of the batches of documentation that come from one repository. */
  readonly oneGroup: number
  readonly shares: Readonly<Record<SourceName, number>>
  /** How often a passage loses the tokens that its question has: search by words finds those, meaning has to find the rest. */
  readonly hidden: number
}

export const pairDefaults: PairOptions = {
  longest: 128,
  siblings: 4,
  oneGroup: 0.6,
  shares: { docs: 0.75, glosses: 0.15, code: 0.1 },
  hidden: 0.5,
}

export function makePool(sections: readonly TokenSection[]): PairPool {
  const groupsOf = (source: SourceName): TokenSection[][] => {
    const own = sections.filter(({ section }) => section.source === source)
    return [...Map.groupBy(own, ({ section }) => section.group).values()]
  }
  return { groups: { docs: groupsOf('docs'), glosses: groupsOf('glosses'), code: groupsOf('code') } }
}

/** Sections of one source: of one group as far as it reaches, several of each document. */
export function chooseSections(
  pool: PairPool,
  size: number,
  options: PairOptions,
  random: Random,
): TokenSection[] {
  const source = chooseSource(options.shares, random)
  const groups = pool.groups[source]
  if (groups.length === 0)
    return chooseSections(pool, size, { ...options, shares: { docs: 1, glosses: 0, code: 0 } }, random)
  const all = groups.flat()
  const isOne = source === 'docs' && random() < options.oneGroup
  const chosen: TokenSection[] = []
  if (!isOne) return takeRuns(chosen, all, size, options.siblings, random)
  // A section picks its group, so that large groups come more often.
  const named = all[pickBelow(all.length, random)]!.section.group
  const group = groups.find(([first]) => first?.section.group === named) ?? all
  takeRuns(chosen, group, Math.min(size, group.length), options.siblings, random)
  return chosen.length < size ? takeRuns(chosen, all, size, options.siblings, random) : chosen
}

function chooseSource(shares: PairOptions['shares'], random: Random): SourceName {
  const at = random()
  if (at < shares.glosses) return 'glosses'
  return at < shares.glosses + shares.code ? 'code' : 'docs'
}

/** Starts anywhere and takes neighbours of the same document; sections lie in the order of their documents. */
function takeRuns(
  chosen: TokenSection[],
  from: readonly TokenSection[],
  size: number,
  siblings: number,
  random: Random,
): TokenSection[] {
  const seen = new Set(chosen)
  for (let tries = 0; chosen.length < size && tries < size * 20; tries++) {
    let at = pickBelow(from.length, random)
    const { document } = from[at]!.section
    for (let run = 0; run < siblings && chosen.length < size; run++, at++) {
      const one = from[at]
      if (one === undefined || one.section.document !== document) break
      if (seen.has(one)) continue
      seen.add(one)
      chosen.push(one)
    }
  }
  return chosen
}

const join = (...parts: readonly Int32Array[]): Int32Array => {
  const joined = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

const shortestCloze = 6
const longestCloze = 24

/** Some tokens in a row ask for the rest. */
function makeCloze({ title, heading, body }: TokenSection, random: Random): [Int32Array, Int32Array] {
  const length = Math.min(
    shortestCloze + pickBelow(longestCloze - shortestCloze + 1, random),
    body.length >> 1,
  )
  const start = pickBelow(body.length - length + 1, random)
  const rest = join(body.subarray(0, start), body.subarray(start + length))
  return [body.subarray(start, start + length), random() < 0.5 ? join(title, heading, rest) : rest]
}

function pairOfDocs(one: TokenSection, random: Random): [Int32Array, Int32Array] {
  const { title, heading, body } = one
  if (random() < 0.4) return makeCloze(one, random)
  if (heading.length === 0) return [title, body]
  const share = random()
  if (share < 0.4) return [heading, random() < 0.5 ? join(title, body) : body]
  return share < 0.8 ? [join(title, heading), body] : [join(heading, title), join(title, body)]
}

function pairOfGlosses(one: TokenSection, random: Random): [Int32Array, Int32Array] {
  const { title, heading, body } = one
  const share = random()
  if (share < 0.25 && body.length >= 12) return makeCloze(one, random)
  if (heading.length === 0 || share < 0.5) return [title, body]
  return share < 0.75 ? [join(title, heading), body] : [heading, join(title, body)]
}

function pairOfCode(one: TokenSection, random: Random): [Int32Array, Int32Array] {
  const { title, heading, body } = one
  const share = random()
  if (share < 0.15) return [heading, join(title, body)]
  return share < 0.3 ? makeCloze(one, random) : [title, body]
}

const makers = { docs: pairOfDocs, glosses: pairOfGlosses, code: pairOfCode } as const

/** The tokens that are not in `taken`. */
function without(tokens: Int32Array, taken: Int32Array): Int32Array {
  const hidden = new Set(taken)
  return tokens.filter((id) => !hidden.has(id))
}

/** A batch of pairs in which no question and no passage is empty. */
export function makePairs(pool: PairPool, size: number, options: PairOptions, random: Random): Pair[] {
  const pairs: Pair[] = []
  while (pairs.length < size) {
    for (const one of shuffle(chooseSections(pool, size, options, random), random)) {
      const [question, whole] = makers[one.section.source](one, random)
      const passage = random() < options.hidden ? without(whole, question) : whole
      if (question.length === 0 || passage.length === 0 || pairs.length === size) continue
      const cut = passage.length > options.longest ? passage.subarray(0, options.longest) : passage
      pairs.push({ question, passage: cut, key: question.join(' ') })
    }
  }
  return pairs
}

/** −1e9 where two different pairs ask the same: neither is wrong for the other. */
export function maskOf(pairs: readonly Pair[]): Float32Array {
  const mask = new Float32Array(pairs.length * pairs.length)
  for (const same of Map.groupBy(pairs.keys(), (at) => pairs[at]!.key).values())
    for (const a of same) for (const b of same) if (a !== b) mask[a * pairs.length + b] = -1e9
  return mask
}
