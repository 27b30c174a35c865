// Is any regular expression super-linear? T14: each at n, 2n and 4n, and on a megabyte.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { patterns } from './patterns.ts'

const seeds = [
  'a',
  ' ',
  '\t',
  '\r',
  '\n',
  '\0',
  '-',
  '_',
  '0',
  '1',
  '.',
  '9.',
  '2024-01-02 ',
  '\\',
  '`',
  '[',
  'é',
  '😀',
  '\ud800',
  'a ',
  ' a',
  '\r\n',
  'a-',
  '!é',
  '0-0',
  '٣',
]
/** Below this, a ratio of times says nothing. */
const floor = 20

function shortest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const started = processorTime()
    run()
    best = Math.min(best, processorTime() - started)
  }
  return best
}

/** The time of one pass over a text of so many characters, with an end that defeats an anchor. */
function timeOf(pattern: RegExp, seed: string, chars: number): number {
  const text = `${seed.repeat(Math.ceil(chars / seed.length))}\u0001`
  return shortest(() => {
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
  })
}

/** Measured up to five times, because a busy machine makes one run slow; a super-linear pattern fails every time. */
function findFault(pattern: RegExp, seed: string, sizes: readonly number[]): string | null {
  let fault: string | null = null
  for (let attempt = 0; attempt < 5; attempt++) {
    const times = sizes.map((chars) => timeOf(pattern, seed, chars))
    const grows = times.some((time, index) => index > 0 && time > Math.max(floor, 2.5 * times[index - 1]!))
    if (!grows && times.at(-1)! <= 200) return null
    fault = `${pattern} on ${JSON.stringify(seed)}: ${times.map((time) => time.toFixed(1)).join(', ')} ms`
  }
  return fault
}

test.each(Object.entries(patterns))('T14: %s takes linear time', (_, pattern) => {
  for (const seed of seeds) expect(findFault(pattern, seed, [250_000, 500_000, 1_000_000])).toBeNull()
})

test('T14: the measurement finds a pattern that is super-linear', () => {
  expect(findFault(/\s+$/, ' ', [2_000, 4_000, 8_000])).not.toBeNull()
})

test('T14: parsing uses no regular expression but these', () => {
  const elsewhere = ['patterns.ts', 'analyze-words.ts', 'stem-word.ts', 'find-ids.ts']
  const folder = new URL('.', import.meta.url)
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || elsewhere.includes(name)) continue
    const code = readFileSync(new URL(name, folder), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    expect([name, /[=(,:?|&![]\s*\/[^/*\s]|new RegExp|\.match\(/.exec(code)?.[0]]).toEqual([name, undefined])
  }
})
