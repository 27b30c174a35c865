// Does the packed table give back the ranks that went in, and refuse what is not a table?

import { statSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildO200k, packRanks } from '../../../scripts/build-o200k.ts'
import { hashBytes, openRankTable } from './rank-table.ts'

const digest = new Uint8Array(32)
const tokens = fc.uniqueArray(fc.uint8Array({ minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 600,
  selector: (token) => token.join(),
})

test('finds every packed token at its rank, and no other bytes', () => {
  fc.assert(
    fc.property(tokens, fc.uint8Array({ maxLength: 13 }), (packed, other) => {
      const table = openRankTable(packRanks(packed, digest))
      const rankOf = (token: Uint8Array) =>
        table.rankOf(token, 0, token.length, hashBytes(token, 0, token.length))
      expect(packed.map(rankOf)).toEqual(packed.map((_, rank) => rank))
      if (!packed.some((token) => token.join() === other.join())) expect(rankOf(other)).toBe(-1)
    }),
    { numRuns: 200 },
  )
})

test('refuses a cut, foreign or newer file with a hint', () => {
  const sound = packRanks([new Uint8Array([1])], digest)
  const foreign = Uint8Array.from(sound).fill(7, 0, 4)
  const newer = Uint8Array.from(sound).fill(9, 4, 5)
  for (const file of [sound.subarray(0, 10), sound.subarray(0, sound.length - 1), foreign, newer]) {
    expect(() => openRankTable(file)).toThrow(/token table cannot be read/)
  }
})

test('builds a file of at most 4 MB, and only once', () => {
  const { path } = buildO200k()
  expect(buildO200k().written).toBe(false)
  expect(statSync(path).size).toBeLessThanOrEqual(4_000_000)
})
