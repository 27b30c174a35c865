// What do references offer, and is everything that is shown referred to by a line in the digest?
import { expect, it } from 'vitest'
import { makeSection } from '../../../test/support/sections.ts'
import type { PlannedDocument, PlannedSection } from '../expand/plan.ts'
import {
  type ExpansionCosts,
  type ExpansionSource,
  offerExpansions,
  type ShownExpansions,
  showExpansions,
} from './expansion-offers.ts'
import { type Offer, takeOffers } from './take-offers.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
/** A document costs 5, a passage 3, a word 1. */
const costs: ExpansionCosts = {
  document: () => 5,
  passage: () => 3,
  text: words,
  piece: (text, piece) => text.pieces[piece]?.tokens ?? 0,
}
/** A section that wants the same tokens. */
const rival = (tokens: number): Offer => ({
  id: 'rival',
  kind: 'section',
  part: 'head',
  tokens,
  least: tokens,
  gain: 0.01,
  requires: [],
})
const body = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')

const sources = new Map<string, ExpansionSource>()
function planned(
  id: string,
  paragraphs: readonly string[],
  change: Partial<PlannedSection> = {},
): PlannedSection {
  const { section, text } = makeSection({ id, paragraphs, file: sources.size + 1 })
  const path = id.split('#')[0] as string
  sources.set(id, {
    artifact: section.artifact,
    text,
    language: 'markdown',
    title: path,
    canonicality: section.canonicality,
  })
  return {
    path,
    id,
    because: 'context and decision',
    paragraphs: null,
    from: 'here.md#a',
    via: 'links',
    depth: 1,
    cost: 1,
    referencedBy: [{ path: 'here.md', line: 3 }],
    ...change,
  }
}
const document = (...sections: readonly PlannedSection[]): PlannedDocument => ({
  path: sections[0]?.path ?? '',
  type: 'adr',
  score: 1,
  sections,
})

interface Limits {
  readonly tokens: number
  readonly share: number
  readonly perDocument: number
  readonly others: readonly Offer[]
  readonly isReferred: boolean
}

function select(plan: readonly PlannedDocument[], given: Partial<Limits> = {}): ShownExpansions {
  const limits: Limits = {
    tokens: 1000,
    share: 1000,
    perDocument: 1000,
    others: [],
    isReferred: true,
    ...given,
  }
  const expansions = offerExpansions(plan, {
    costs,
    sourceOf: ({ id }) => sources.get(id) as ExpansionSource,
    gainOf: () => 1,
    perDocument: limits.perDocument,
  })
  const offers = [...expansions.flatMap((one) => one.offers), ...limits.others]
  const shares = { reference: { tokens: limits.share, perDocument: limits.perDocument } }
  const taken = takeOffers(offers, { tokens: limits.tokens, sections: 9, shares })
  return showExpansions(expansions, taken, { costs, isReferred: () => limits.isReferred })
}
const ids = ({ documents }: ShownExpansions): string[] =>
  documents.flatMap(({ passages }) => passages.flatMap(({ artifacts }) => artifacts))

const a = planned('a.md#a', ['# A', body(80, 'a')])
const b = planned('b.md#b', ['# B', body(80, 'b')])

it('5.2.3 token budget cap: what is left binds before the share does', () => {
  expect(ids(select([document(a), document(b)], { tokens: 100, share: 1000 }))).toEqual(['a.md#a'])
})

it('5.2.4 no-budget scenario: nothing is left, nothing is followed', () => {
  expect(ids(select([document(a)], { tokens: 20 }))).toEqual([])
})

it('5.2.3 drops what no longer fits, with the reason', () => {
  const { dropped } = select([document(a), document(b)], { tokens: 100 })
  expect(dropped.map(({ artifact, reason }) => `${artifact} ${reason}`)).toEqual([
    'b.md#b no room for references',
  ])
})

it('keeps a document to its own cap while others want the tokens, so that the next gets its turn', () => {
  const more = planned('a.md#more', ['# More', body(80, 'm')])
  const plan = [document(a, more), document(b)]
  expect(ids(select(plan, { tokens: 300, perDocument: 100, others: [rival(60)] }))).toEqual([
    'a.md#a',
    'b.md#b',
  ])
  expect(ids(select(plan, { perDocument: 100 }))).toEqual(['a.md#a', 'a.md#more', 'b.md#b'])
})

it('never shows a later part of a decision without the earlier ones', () => {
  const long = planned('d.md#decision', ['# Decision', body(200, 'd')])
  const short = planned('d.md#consequences', ['# Consequences', body(10, 'c')])
  expect(ids(select([document(long, short)], { tokens: 60 }))).toEqual([])
  expect(ids(select([document(long, short)], { tokens: 300 }))).toEqual([
    'd.md#decision',
    'd.md#consequences',
  ])
})

it('takes the first paragraphs only where the plan says so', () => {
  const overview = planned('o.md#o', ['# O', body(5, 'x'), body(5, 'y'), body(5, 'z')], { paragraphs: 2 })
  const [passage] = select([document(overview)]).documents[0]?.passages ?? []
  expect(passage?.excerpts[0]?.text).not.toContain('z0')
  expect(passage).toMatchObject({ truncated: true })
})

it('cuts at paragraphs', () => {
  const long = planned('l.md#l', ['# L', body(80, 'x'), body(80, 'y')])
  const [passage] = select([document(long)], { tokens: 5 + 3 + 100 }).documents[0]?.passages ?? []
  expect(passage?.excerpts[0]?.text.split('\n')).toEqual(['# L', '', body(80, 'x')])
})

it('drops what no shown line refers to', () => {
  expect(select([document(a)], { isReferred: false })).toMatchObject({
    documents: [],
    dropped: [{ artifact: 'a.md#a', reason: 'no room for references' }],
  })
})
