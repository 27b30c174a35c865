// Does the time stay near-linear on texts without a place to cut?

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildO200k } from '../../../scripts/build-o200k.ts'
import { countMerged } from './merge-bytes.ts'
import { openO200k } from './o200k.ts'
import { openRankTable, type RankTable } from './rank-table.ts'

const countTokens = openO200k(readFileSync(buildO200k().path))

/** The same characters in the same order on every run. */
function shuffled(alphabet: string, length: number): string {
  const chars = [...alphabet]
  let state = 1
  let text = ''
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    text += chars[(state >>> 8) % chars.length]
  }
  return text
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const han = Array.from({ length: 3000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('')
const inputs: Record<string, (size: number) => string> = {
  'one letter': (size) => 'a'.repeat(size),
  'random letters': (size) => shuffled(lower, size),
  base64: (size) => shuffled(`${lower}${lower.toUpperCase()}0123456789+/`, size),
  spaces: (size) => ' '.repeat(size),
  'spaces and newlines': (size) => shuffled(' \n', size),
  punctuation: (size) => shuffled('!@#$%^&*()-=_+[]{};:,.<>?', size),
  'Chinese characters': (size) => shuffled(han, size / 3),
  'combining marks': (size) => '\u0301'.repeat(size / 2),
}

/** Processor time of the quickest of three tries: other work on the machine only ever adds. */
function quickest(text: string): number {
  const tries = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    countTokens(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...tries)
}

test.each(Object.entries(inputs))('counts %s in near-linear time', (_name, make) => {
  const sixteenth = quickest(make(25_000))
  const whole = quickest(make(400_000))
  // At most 2.5 per doubling, over four of them, since one alone drowns in the noise of a busy machine:
  // n log n gives about 20 in all, a quadratic step 256.
  expect(whole / sixteenth, `${sixteenth} ms, then ${whole} ms`).toBeLessThan(2.5 ** 4)
})

test.each(Object.entries(inputs))('looks up at most three pairs per byte of %s', (_name, make) => {
  const table = openRankTable(readFileSync(buildO200k().path))
  const bytes = new TextEncoder().encode(make(60_000))
  let lookups = 0
  const rankOf: RankTable['rankOf'] = (...query) => {
    lookups++
    return table.rankOf(...query)
  }
  countMerged({ longest: table.longest, rankOf }, bytes, 0, bytes.length)
  expect(lookups).toBeGreaterThan(bytes.length / 2)
  expect(lookups).toBeLessThan(bytes.length * 3)
})
