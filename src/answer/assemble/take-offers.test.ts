// Are offers taken by gain, within the tokens and their shares, and never without what they require?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Offer, type TakeLimits, type Taken, takeOffers } from './take-offers.ts'

const offer = (id: string, tokens: number, gain: number, given: Partial<Offer> = {}): Offer => ({
  id,
  kind: 'section',
  part: 'head',
  tokens,
  least: tokens,
  gain,
  requires: [],
  ...given,
})
const take = (offers: readonly Offer[], tokens: number, limits: Partial<TakeLimits> = {}): Taken =>
  takeOffers(offers, { tokens, sections: 20, shares: {}, ...limits })
const rooms = ({ rooms: found }: Taken): Record<string, number> => Object.fromEntries(found)

describe('offers', () => {
  it('are taken by gain, and one that does not fit gives way to a smaller one', () => {
    const taken = take([offer('a', 50, 0.2), offer('b', 60, 0.9), offer('c', 30, 0.1)], 100)
    expect(rooms(taken)).toEqual({ b: 60, c: 30 })
    expect(taken.refused.map(({ id }) => id)).toEqual(['a'])
    expect(taken.left).toBe(10)
  })

  it('complete a likely section before an unlikely one is opened', () => {
    const lead = [offer('lead', 40, 1), offer('lead', 40, 0.9, { part: 'rest' })]
    expect(rooms(take([...lead, offer('other', 40, 0.5)], 100))).toEqual({ lead: 80 })
  })

  it('are taken in part where that is enough', () => {
    expect(rooms(take([offer('a', 50, 1), offer('b', 90, 0.5, { least: 20 })], 100))).toEqual({
      a: 50,
      b: 50,
    })
    expect(rooms(take([offer('a', 50, 1), offer('b', 90, 0.5, { least: 60 })], 100))).toEqual({ a: 50 })
  })

  it('wait for what they require', () => {
    const context = offer('context', 30, 0.9, { kind: 'reference', requires: ['decision'] })
    const decision = offer('decision', 30, 0.5, { kind: 'reference' })
    expect(rooms(take([context, decision], 60))).toEqual({ decision: 30, context: 30 })
    expect(rooms(take([context, { ...decision, tokens: 90, least: 90 }], 60))).toEqual({})
  })

  it('get the rest of what they were given in part, and count as one', () => {
    const part = offer('a', 90, 1, { kind: 'reference', least: 20, document: 'd' })
    const shares = { reference: { tokens: 40, perDocument: 40 } }
    const taken = take([part, offer('b', 30, 0.5)], 130, { shares })
    expect(rooms(taken)).toEqual({ a: 90, b: 30 })
    expect([taken.left, taken.order.length, taken.refused]).toEqual([10, 2, []])
  })

  it('keep to the number of sections', () => {
    expect(rooms(take([offer('a', 10, 1), offer('b', 10, 0.9)], 100, { sections: 1 }))).toEqual({ a: 10 })
  })
})

describe('the share of references', () => {
  const references = [1, 2, 3].map((at) =>
    offer(`r${at}`, 30, 0.8, { kind: 'reference', document: `d${at}` }),
  )
  const shares = { reference: { tokens: 40, perDocument: 30 } }

  it('holds while a section wants the tokens', () => {
    expect(rooms(take([...references, offer('a', 60, 0.5)], 100, { shares }))).toEqual({ r1: 30, a: 60 })
  })

  it('lapses where nothing else wants them', () => {
    expect(rooms(take([...references, offer('a', 10, 0.5)], 100, { shares }))).toEqual({
      r1: 30,
      r2: 30,
      r3: 30,
      a: 10,
    })
  })
})

const anyOffers = fc.array(
  fc.record({
    id: fc.nat(12).map(String),
    kind: fc.constantFrom('section' as const, 'reference' as const, 'family' as const),
    tokens: fc.integer({ min: 1, max: 60 }),
    least: fc.integer({ min: 1, max: 60 }),
    gain: fc.double({ min: 0, max: 1, noNaN: true }),
    after: fc.nat(12),
  }),
  { maxLength: 20 },
)

it('never exceeds the tokens, and takes nothing before what it requires', () => {
  fc.assert(
    fc.property(anyOffers, fc.integer({ min: 0, max: 300 }), (given, tokens) => {
      const offers = given
        .filter(({ id }, at) => given.findIndex((one) => one.id === id) === at)
        .map(
          ({ after, ...one }): Offer => ({
            ...one,
            part: 'head',
            requires: after % 3 === 0 ? [String(after)] : [],
          }),
        )
      const shares = { reference: { tokens: Math.floor(tokens / 3), perDocument: 40 } }
      const { rooms: found, order, left } = take(offers, tokens, { shares })
      expect([...found.values()].reduce((sum, one) => sum + one, 0)).toBe(tokens - left)
      expect(left).toBeGreaterThanOrEqual(0)
      for (const [at, { requires }] of order.entries())
        for (const id of requires) expect(order.slice(0, at).map((one) => one.id)).toContain(id)
    }),
  )
})
