// Is any regular expression of resolving super-linear? T14: each at n, 2n and 4n.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { patterns } from './patterns.ts'

const seeds = [
  'a',
  '0',
  '.',
  '/',
  '-',
  '_',
  ' ',
  ':',
  'a.',
  '0-',
  '/0',
  '/0-',
  '0a',
  'é',
  '😀',
  'ADR-1',
  '#',
  '<a ',
  '<a id=',
  '{#',
  '<a x',
]

function timeOf(pattern: RegExp, seed: string, chars: number): number {
  const text = `${seed.repeat(Math.ceil(chars / seed.length))}\u0001`
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const started = processorTime()
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
    best = Math.min(best, processorTime() - started)
  }
  return best
}

test.each(Object.entries(patterns))('T14: %s takes linear time', (_, pattern) => {
  for (const seed of seeds) {
    let fault: string | null = null
    for (let attempt = 0; attempt < 5; attempt++) {
      const times = [250_000, 500_000, 1_000_000].map((chars) => timeOf(pattern, seed, chars))
      const grows = times.some((time, index) => index > 0 && time > Math.max(20, 2.5 * times[index - 1]!))
      fault = grows || times[2]! > 200 ? `${pattern} on ${seed}: ${times.join()}` : null
      if (fault === null) break
    }
    expect(fault).toBeNull()
  }
})

test('T14: resolving mentions uses no regular expression but these', () => {
  const folder = new URL('.', import.meta.url)
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name === 'patterns.ts') continue
    const code = readFileSync(new URL(name, folder), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    expect([name, /[=(,:?|&![]\s*\/[^/*\s]|new RegExp|\.match\(/.exec(code)?.[0]]).toEqual([name, undefined])
  }
})
