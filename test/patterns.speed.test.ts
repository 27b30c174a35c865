// Is any regular expression of the source slower than linear? T14: each on repetitions of what it is about, of more with YORE_SLOW=1.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { processorTime } from './processor-time.ts'
import { findPatterns, type SourcePattern } from './source-patterns.ts'
import { slow } from './temporary-corpus.ts'

/** Growing, so that a pattern of exponential time shows itself while it still ends. */
const sizes = slow
  ? [24, 32, 40, 50, 64, 80, 100, 150, 250, 500, 1_000, 4_000, 16_000]
  : [24, 32, 50, 100, 500, 16_000]
/** Of what took longest at those: so many characters, in so many milliseconds. */
const long = { seeds: 6, size: 1_000_000, milliseconds: 200 }
/** Processor time. A linear pattern takes less for 16,000 characters; n² steps take some hundred. */
const quickMilliseconds = 8
/** No other work on the machine makes a quick pattern so slow: it is not measured again. */
const plainlySlow = 150

/** Characters that classes stand for. */
const classes: Readonly<Record<string, string>> = {
  s: ' \t\n\r\u00a0',
  S: 'a-.',
  w: 'a0_',
  W: ' -.',
  d: '07',
  D: 'a ',
  b: 'a ',
  p: 'aÉ0_é中',
  P: 'a ',
  '.': 'x',
}

/** Characters of the pattern itself, escapes and classes included. */
function charactersOf({ source }: RegExp): string[] {
  const found = new Set<string>(['a', ' ', '\n', '0', 'é'])
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    if (char === '\\') {
      const next = source[++at]!
      for (const one of classes[next] ?? (/[a-z]/i.test(next) ? '' : next)) found.add(one)
      if (next === 't' || next === 'r' || next === 'n') found.add({ t: '\t', r: '\r', n: '\n' }[next])
    } else if (char === '.') found.add('x')
    else found.add(char)
  }
  return [...found]
}

/** Texts that the pattern matches, as far as they can be made. */
function examplesOf(pattern: RegExp): string[] {
  if (!slow || /^\[(?:[^\]\\]|\\.)*\]$/.test(pattern.source)) return [] // One class: nothing to find, and slow to make.
  const plain = pattern.source.replaceAll(/\(\?<?[=!](?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)/g, '')
  try {
    return fc.sample(fc.stringMatching(new RegExp(plain, pattern.flags.replace(/[gy]/g, ''))), 6)
  } catch {
    return []
  }
}

function seedsOf(pattern: RegExp): string[] {
  const characters = charactersOf(pattern)
  const few = characters.slice(0, slow ? 8 : 0)
  const pairs = few.flatMap((first) => few.map((second) => first + second))
  const words = pattern.source.match(/[A-Za-z]{2,}|[^\\()[\]{}*+?|.^$A-Za-z]{2,}/g) ?? []
  const examples = examplesOf(pattern).flatMap((text) => [
    text,
    text.slice(0, -1),
    text.slice(0, text.length >> 1),
  ])
  const seeds = slow
    ? [...characters, ...pairs, ...words, ...words.map((word) => `${word} `), ...examples]
    : [...characters, ...words.slice(0, 6)]
  return [...new Set(seeds)].filter((seed) => seed !== '' && seed.length <= 200)
}

function timeOf(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3 && best > quickMilliseconds; round++) {
    pattern.lastIndex = 0
    const started = processorTime()
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
    best = Math.min(best, processorTime() - started)
    if (best > plainlySlow) break
  }
  return best
}

/** Ends around repetitions that begin and break a match. */
const ends = [
  ['', '\u0001'],
  ['\u0001', '\n\u0001'],
] as const

interface Tried {
  readonly seed: string
  /** Why the pattern is too slow on repetitions of the seed; null when it is not. */
  readonly fault: string | null
  /** The longest time for the largest size. */
  readonly milliseconds: number
}

function trySeed(pattern: RegExp, seed: string, tried: readonly number[], limit: number): Tried {
  let milliseconds = 0
  for (const [head, tail] of ends) {
    for (const size of tried) {
      const time = (chars: number): number =>
        timeOf(pattern, head + seed.repeat(Math.ceil(chars / seed.length)) + tail)
      const first = time(size)
      if (size === tried.at(-1)) milliseconds = Math.max(milliseconds, first)
      if (first <= limit) continue
      // Linear all the same? Other work makes some runs slow, a super-linear pattern every one: the best of each size
      // counts, of sizes two doublings apart, which are to take 2.5 times as long each.
      let fault: string | null = null
      let [quarter, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let attempt = 0; attempt < 6; attempt++) {
        quarter = Math.min(quarter, time(size / 4))
        whole = Math.min(whole, time(size))
        const isLinear = whole <= quickMilliseconds || (size >= 4_000 && whole <= 2.5 ** 2 * quarter)
        fault = isLinear
          ? null
          : `${JSON.stringify(seed)} × ${size}: ${quarter.toFixed(1)} and ${whole.toFixed(1)} ms`
        if (fault === null || (whole > plainlySlow && (size < 4_000 || whole > 10 * quarter))) break
      }
      if (fault !== null) return { seed, fault, milliseconds }
    }
  }
  return { seed, fault: null, milliseconds }
}

function faultsOf({ place, pattern }: SourcePattern): string[] {
  const tried: Tried[] = []
  for (const seed of seedsOf(pattern)) {
    tried.push(trySeed(pattern, seed, sizes, quickMilliseconds))
    if (tried.at(-1)?.fault) break
  }
  const slowest = tried.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, slow ? long.seeds : 0)
  const isQuick = tried.every(({ fault }) => fault === null)
  if (isQuick)
    tried.push(...slowest.map(({ seed }) => trySeed(pattern, seed, [long.size], long.milliseconds)))
  return tried.flatMap(({ fault }) => (fault === null ? [] : [`${place} ${pattern} on ${fault}`])).slice(0, 1)
}

it(
  'T14: no regular expression of the source is slower than linear',
  async () => {
    const found = await findPatterns()
    const patterns = [...new Map(found.map((one) => [`${one.pattern}`, one])).values()]
    expect(patterns.length).toBeGreaterThan(400)
    const faults = patterns.flatMap((pattern, at) => {
      if (slow && at % 50 === 0) console.info(`${at} of ${patterns.length} patterns`)
      return faultsOf(pattern)
    })
    expect(faults).toEqual([])
  },
  slow ? 14_400_000 : 120_000,
)

it.each([/\s+$/, /(?:a|a)+$/, /(\w+)+!/, /^(?:.*,)*$/, /<!--.*?-->/g, /a*b/g])(
  'T14: the measurement finds that %s is slower',
  (pattern) => {
    expect(faultsOf({ place: 'here', pattern })).toHaveLength(1)
  },
)
