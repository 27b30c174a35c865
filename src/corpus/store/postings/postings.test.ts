import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addOccurrence, DecodedPostings, PostingList, packedField } from './postings.ts'

const entries = fc
  .uniqueArray(fc.tuple(fc.nat(300_000), fc.integer({ min: 1, max: 0x3fffff })), {
    selector: ([fragment]) => fragment,
    minLength: 1,
    maxLength: 60,
  })
  .map((list) => list.sort((a, b) => a[0] - b[0]))

function encode(list: readonly (readonly [number, number])[]): Uint8Array {
  const writer = new PostingList()
  for (const [fragment, packed] of list) writer.add(fragment, packed)
  return writer.finish()
}

function decode(bytes: Uint8Array, first = 0, dead: Uint8Array | null = null): [number, number][] {
  const decoded = new DecodedPostings()
  decoded.read(bytes, first, dead)
  return Array.from({ length: decoded.length }, (_, i) => [
    decoded.fragments[i] as number,
    decoded.packed[i] as number,
  ])
}

it('reads back what was written, from any first fragment', () => {
  fc.assert(
    fc.property(entries, fc.nat(1_000_000), (list, first) => {
      expect(decode(encode(list), first)).toEqual(
        list.map(([fragment, packed]) => [fragment + first, packed]),
      )
    }),
    { numRuns: 1000 },
  )
})

it('joins lists so that they read as one', () => {
  fc.assert(
    fc.property(fc.array(entries, { minLength: 1, maxLength: 5 }), (lists) => {
      const joined = new PostingList()
      const expected: [number, number][] = []
      for (const [index, list] of lists.entries()) {
        joined.join(encode(list), index * 400_000)
        for (const [fragment, packed] of list) expected.push([fragment + index * 400_000, packed])
      }
      expect(decode(joined.finish())).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

it('leaves out dead fragments', () => {
  const dead = new Uint8Array(4)
  dead[0] = 0b0000_0100
  expect(
    decode(
      encode([
        [1, 1],
        [2, 5],
        [9, 1],
      ]),
      0,
      dead,
    ),
  ).toEqual([
    [1, 1],
    [9, 1],
  ])
})

it('counts each field apart, and stops at what its bits can hold', () => {
  const most = { body: 0xffff, heading: 3, title: 3, path: 3 }
  const fields = Object.keys(most) as (keyof typeof most)[]
  const countOf = (packed: number, field: keyof typeof most): number =>
    Math.floor(packed / packedField[field]) % (most[field] + 1)
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...fields), { maxLength: 12 }), (seen) => {
      const packed = seen.reduce(addOccurrence, 0)
      for (const field of fields)
        expect(countOf(packed, field)).toBe(Math.min(most[field], seen.filter((one) => one === field).length))
    }),
  )
  expect(addOccurrence(0xfffe, 'body')).toBe(0xffff)
  expect(addOccurrence(0xffff, 'body')).toBe(0xffff)
})

it('refuses a list that was cut short, or that goes on after its end', () => {
  fc.assert(
    fc.property(entries, fc.nat(), (list, cut) => {
      const bytes = encode(list)
      expect(() => decode(bytes.subarray(0, cut % bytes.length))).toThrow('checksum mismatch')
      expect(() => decode(Uint8Array.of(...bytes, 0))).toThrow('checksum mismatch')
    }),
  )
})

it('reads on into the room that it has, and beyond', () => {
  const list = Array.from({ length: 700 }, (_, fragment) => [fragment, 1] as const)
  const decoded = new DecodedPostings()
  for (const first of [0, 700, 1400]) decoded.read(encode(list), first, null)
  expect(decoded.length).toBe(2100)
  expect(Array.from(decoded.fragments.subarray(0, 2100))).toEqual(Array.from({ length: 2100 }, (_, at) => at))
})
