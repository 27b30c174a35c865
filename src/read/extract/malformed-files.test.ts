// T15: does any damaged file end more than the thread that reads it? Truncated, flipped, spliced; 500 by seed, 5,000 in the slow form.
import { afterAll, expect, it } from 'vitest'
import * as samples from '../../../test/support/sample-files.ts'
import { Extractor } from './extract-text.ts'

const slow = process.env['YORE_SLOW'] === '1'
const files = slow ? 5_000 : 500
const seed = Number(process.env['YORE_SEED'] ?? 20)
const formats: readonly (readonly [string, Buffer])[] = [
  ['pdf', samples.handbook],
  ['docx', samples.docx],
  ['pptx', samples.pptx],
  ['html', Buffer.from(samples.html)],
  [
    'notebook',
    Buffer.from(
      '{"cells":[{"cell_type":"markdown","source":["# A\\n"]},{"cell_type":"code","source":["@x(\\n", ")\\ndef f():\\n  pass"]}]}',
    ),
  ],
]

const extractor = new Extractor()
afterAll(() => extractor.close())

/** The same numbers for the same seed. */
function makeRandom(start: number): (below: number) => number {
  let state = start >>> 0 || 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** One way in which files break. */
function damage(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes)
  const kind = random(5)
  if (kind === 0) return copy.subarray(0, random(copy.length))
  if (kind === 1)
    return Buffer.concat([copy.subarray(random(copy.length)), copy.subarray(0, random(copy.length))])
  if (kind === 2) return Buffer.concat([copy, copy.subarray(random(copy.length))])
  // A few bits anywhere, or many at the end, where archives and PDFs have their directories.
  const flips = kind === 3 ? 1 + random(8) : 40
  const from = kind === 3 ? 0 : Math.floor(copy.length * 0.8)
  for (let flip = 0; flip < flips; flip++) {
    const at = from + random(copy.length - from)
    copy[at] = (copy[at] as number) ^ (1 << random(8))
  }
  return copy
}

it(
  `${files} damaged files are read or refused with a reason, within bounds`,
  async () => {
    const random = makeRandom(seed)
    const before = process.memoryUsage.rss()
    let [read, refused, longest, most] = [0, 0, 0, 0]
    for (let at = 0; at < files; at++) {
      const [format, bytes] = formats[at % formats.length] as readonly [string, Buffer]
      const started = performance.now()
      const outcome = await extractor.extract(format, damage(bytes, random))
      longest = Math.max(longest, performance.now() - started)
      most = Math.max(most, process.memoryUsage.rss() - before)
      if ('extraction' in outcome) {
        read++
        expect(outcome.extraction.text.isWellFormed()).toBe(true)
      } else {
        refused++
        expect(['parse-failed', 'too-large'], outcome.detail).toContain(outcome.reason)
        expect(outcome.detail).not.toBe('')
      }
    }
    expect(read + refused).toBe(files)
    // It is read at all where the damage allows it, and each seed damages some beyond reading.
    expect(read).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
    expect(most / 1024 / 1024).toBeLessThan(512)
    if (slow)
      console.log(
        `seed ${seed}: ${read} read, ${refused} refused, longest ${Math.round(longest)} ms, +${Math.round(most / 1024 / 1024)} MB`,
      )
  },
  slow ? 600_000 : 120_000,
)

it('the same damaged bytes give the same text', async () => {
  const random = makeRandom(seed + 1)
  for (const [format, bytes] of formats) {
    const damaged = damage(bytes, random)
    expect(await extractor.extract(format, damaged)).toEqual(await extractor.extract(format, damaged))
  }
})
