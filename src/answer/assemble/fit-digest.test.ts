// Does a digest stay under its budget, use it, and keep its best source, whatever there is to say?
// Long because it builds its own sections: only so are the budget and the frame tried at every size.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestFixture, passageFixture } from '../../../test/support/digest.ts'
import type { Digest, Dropped, Passage } from '../../model/digest.ts'
import { YoreError } from '../../model/errors.ts'
import type { TokenAccount } from '../../model/report.ts'
import { estimateTokens, type TokenCounter } from '../../read/tokens/token-counter.ts'
import {
  accountFor,
  type BuildDigest,
  chooseLayout,
  type FitDigestOptions,
  type Fitted,
  fitDigest,
  hasRoom,
} from './fit-digest.ts'
import { fitJson } from './fit-json.ts'
import { renderDocumentEntry, renderMarkdown, renderPassage } from './render-markdown.ts'

/** A section as a list of its pieces; a piece that may be cut is cut between words. */
interface Section {
  readonly name: string
  readonly score: number
  readonly pieces: readonly string[]
}

/** Takes the best sections first, whole or up to where the room ends, and shows them in the order of their names. */
function choose(
  sections: readonly Section[],
  count: TokenCounter = estimateTokens,
  cutPieces = false,
): BuildDigest {
  const best = sections.toSorted((a, b) => b.score - a.score)
  const whole = best.map((section) => startsOf(section, false, count))
  const cut = best.map((section) => startsOf(section, true, count))
  return (contentTokens) => {
    const primary: Passage[] = []
    const dropped: Dropped[] = []
    let left = contentTokens
    best.forEach((section, at) => {
      const longest = longestWithin((cutPieces ? cut : whole)[at] as Starts, left)
      if (longest === null) dropped.push(droppedFrom(section))
      else {
        left -= longest.cost
        primary.push(longest.passage)
      }
    })
    return digestOf(
      primary.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      dropped,
    )
  }
}

/** The passages that a section may begin with, by the number of their parts; each made once, for a digest is built often. */
interface Starts {
  readonly most: number
  readonly start: (parts: number) => Start
}

interface Start {
  readonly passage: Passage
  readonly cost: number
}

function startsOf(section: Section, cutPieces: boolean, count: TokenCounter): Starts {
  const parts = cutPieces ? section.pieces.flatMap((piece) => piece.split(' ')) : section.pieces
  const made = new Map<number, Start>()
  const make = (kept: number): Start => {
    const text = parts.slice(0, kept).join(cutPieces ? ' ' : '\n')
    const passage = passageOf(section, text, kept < parts.length)
    return { passage, cost: costOf(passage, count) }
  }
  const start: Starts['start'] = (kept) => {
    const known = made.get(kept) ?? make(kept)
    made.set(kept, known)
    return known
  }
  return { most: parts.length, start }
}

function longestWithin({ most: all, start }: Starts, left: number): Start | null {
  let found: Start | null = null
  for (let fewest = 1, most = all; fewest <= most; ) {
    const kept = Math.ceil((fewest + most) / 2)
    if (start(kept).cost > left) most = kept - 1
    else {
      found = start(kept)
      fewest = kept + 1
    }
  }
  return found
}

/** In the full layout, where each document is listed too. */
function costOf(passage: Passage, count: TokenCounter): number {
  return count(renderPassage(passage, 'full')) + count(renderDocumentEntry(documentOf(passage), 10))
}

function documentOf({ path, score }: Passage): Digest['documents'][number] {
  return { ...(digestFixture.documents[0] as Digest['documents'][number]), path, score }
}

function passageOf({ name, score }: Section, text: string, truncated: boolean): Passage {
  const lines = { start: 1, end: text.split('\n').length }
  return {
    ...passageFixture,
    path: `${name}.md`,
    name,
    score,
    truncated,
    artifacts: [`${name}.md#${name}`],
    excerpts: [{ lines, text }],
  }
}

function droppedFrom({ name, score }: Section): Dropped {
  const artifact = `${name}.md#${name}`
  return { artifact, path: `${name}.md`, lines: { start: 1, end: 1 }, score, reason: 'no room' }
}

function digestOf(primary: readonly Passage[], dropped: readonly Dropped[]): Digest {
  const documents = primary.map(documentOf)
  const isComplete = hasRoom({ dropped }) && !primary.some(({ truncated }) => truncated)
  // A short verdict: the frame takes less than a quarter of the budgets below.
  const confidence = { ...digestFixture.confidence, why: 'the words are here' }
  const sectionsSelected = primary.length
  return { ...digestFixture, confidence, sectionsSelected, documents, primary, dropped, isComplete }
}

/** Sections of equal pieces, the first the best. */
function sectionsOf(count: number, piece: string, pieces: number): Section[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `section-${String(at).padStart(3, '0')}`,
    score: 1 - at / 1000,
    pieces: Array.from({ length: pieces }, () => piece),
  }))
}

const walrus = 'The walrus is large and likes ice, and so do its friends.'
const markdown: FitDigestOptions = {
  maxTokens: 3000,
  format: 'markdown',
  layout: 'full',
  explain: false,
  countTokens: estimateTokens,
}

/** The least budget that shows a source. */
function leastOf(build: BuildDigest, options: FitDigestOptions): number {
  return failureOf(build, { ...options, maxTokens: 1 }).leastTokens ?? 0
}

function failureOf(build: BuildDigest, options: FitDigestOptions): YoreError {
  try {
    fitDigest(build, options)
  } catch (cause) {
    if (cause instanceof YoreError) return cause
    throw cause
  }
  throw new Error('it fits')
}

/** The tokens that the digest itself says it has. */
function statedTokens({ output }: Fitted, { format }: FitDigestOptions): number {
  if (format === 'json') return JSON.parse(output).tokensUsed
  return Number(/\*\*Actual Tokens:\*\* ~([\d,]+)$/m.exec(output)?.[1]?.replaceAll(',', ''))
}

const randomSections = fc
  .array(
    fc.record({
      score: fc.integer({ min: 0, max: 1000 }).map((score) => score / 1000),
      pieces: fc.array(
        fc.integer({ min: 1, max: 30 }).map((words) => 'walrus '.repeat(words).trimEnd()),
        { minLength: 1, maxLength: 8 },
      ),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((all) => all.map((section, at) => ({ ...section, name: `section-${at}` })))

const randomOptions = fc.record({
  maxTokens: fc.oneof(fc.integer({ min: 100, max: 700 }), fc.integer({ min: 700, max: 5000 })),
  format: fc.constantFrom('markdown', 'json'),
  layout: fc.constantFrom('full', 'brief'),
  explain: fc.boolean(),
  countTokens: fc.constantFrom<TokenCounter>(estimateTokens, (text) => Math.ceil(text.length / 3)),
})

/** JSON holds the first passages of the Markdown digest, and all of them unless one more exceeds the budget. */
function checkJson(build: BuildDigest, options: FitDigestOptions, { primary }: Digest): void {
  const whole = fitDigest(build, { ...options, format: 'markdown' }).digest
  const one = digestOf(whole.primary.slice(0, primary.length + 1), whole.dropped)
  const room = { ...options, explain: false, brief: true }
  if (fitJson(whole, room) === null) return
  expect(primary).toEqual(whole.primary.slice(0, primary.length))
  if (primary.length === whole.primary.length) return
  const held = fitJson(one, { ...room, maxTokens: options.maxTokens - 100 })
  expect(held?.digest.primary.length ?? 0).toBeLessThanOrEqual(primary.length)
}

describe('fitDigest', () => {
  it('never exceeds a budget, and says how many tokens it has', () => {
    fc.assert(
      fc.property(randomSections, randomOptions, (sections, options) => {
        const build = choose(sections, options.countTokens)
        let fitted: Fitted
        try {
          fitted = fitDigest(build, options)
        } catch (cause) {
          const { leastTokens } = cause as YoreError
          expect(leastTokens).toBeGreaterThan(options.maxTokens)
          fitted = fitDigest(build, { ...options, maxTokens: leastTokens as number })
          expect(fitted.digest.primary.length).toBeGreaterThan(0)
          return
        }
        const { output, tokensUsed, digest } = fitted
        expect(tokensUsed).toBeLessThanOrEqual(options.maxTokens)
        expect(options.countTokens(output)).toBe(tokensUsed)
        expect(statedTokens(fitted, options)).toBe(tokensUsed)
        expect(digest.primary.length).toBeGreaterThan(0)
        if (options.format === 'json') checkJson(build, options, digest)
      }),
      { numRuns: 150 },
    )
  })

  it('shows everything where everything fits, and composes it once', () => {
    const asked: number[] = []
    const build = choose(sectionsOf(4, walrus, 3))
    const fitted = fitDigest((content) => {
      asked.push(content)
      return build(content)
    }, markdown)
    expect(fitted.digest.primary.length).toBe(4)
    expect(fitted.digest.dropped).toEqual([])
    expect(statedTokens(fitted, markdown)).toBe(estimateTokens(fitted.output))
    // Once for the frame alone, and once for all of it.
    expect(asked).toEqual([0, expect.any(Number)])
  })

  it('finds what fits where the pieces cost more than they were said to', () => {
    const build = choose(sectionsOf(100, walrus, 2), (text) => Math.ceil(estimateTokens(text) / 3))
    expect(fitDigest(build, markdown).tokensUsed).toBeLessThanOrEqual(3000)
  })

  it('builds a bounded number of digests, however badly they were estimated', () => {
    for (const factor of [0.5, 1, 2]) {
      let built = 0
      const build = choose(sectionsOf(60, walrus, 3), (text) => Math.ceil(estimateTokens(text) * factor))
      fitDigest((content) => {
        built++
        return build(content)
      }, markdown)
      expect(built).toBeLessThanOrEqual(12)
    }
  })

  it('stays under its budget where its own number never settles', () => {
    const restless: TokenCounter = (text) => {
      const stated = Number(/~([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
      return 2 * Math.ceil(text.length / 8) + (stated % 2 === 0 ? 1 : 0)
    }
    let [built, counted] = [0, 0]
    const sections = choose(sectionsOf(200, walrus, 1))
    const build: BuildDigest = (content) => {
      built++
      return sections(content)
    }
    const countTokens: TokenCounter = (text) => {
      counted++
      return restless(text)
    }
    const { output, tokensUsed } = fitDigest(build, { ...markdown, countTokens })
    expect(tokensUsed).toBe(restless(output))
    expect(tokensUsed).toBeLessThanOrEqual(3000)
    // It is not tried for ever: five times for each digest.
    expect(counted / built).toBeLessThanOrEqual(5)
  })

  it.each(['markdown', 'json'] as const)('fits a budget that it takes to the last token, in %s', (format) => {
    const shown = sectionsOf(3, walrus, 1).map((section) => passageOf(section, walrus, false))
    const duplicate: Dropped = { ...droppedFrom({ name: 'copy', score: 1, pieces: [] }), reason: 'duplicate' }
    for (const [primary, dropped] of [
      [shown, [duplicate]],
      [[], []],
    ] as const) {
      const build: BuildDigest = () => digestOf(primary, dropped)
      const options = { ...markdown, format, explain: true, layout: 'brief' } as const
      const { output, tokensUsed } = fitDigest(build, options)
      expect(fitDigest(build, { ...options, maxTokens: tokensUsed }).output).toBe(output)
      expect(output.includes('copy.md')).toBe(format === 'json' && dropped.length > 0)
    }
  })

  it('says that nothing matched instead of asking for a larger budget', () => {
    const { digest, output } = fitDigest(() => digestOf([], []), { ...markdown, maxTokens: 400 })
    expect(digest.primary).toEqual([])
    expect(output).toContain('No section of the index matches this question.')
  })
})

describe('a budget that is too small', () => {
  const sections = sectionsOf(3, walrus.repeat(4), 1)

  it.each(['markdown', 'json'] as const)('is refused with one that does, in %s', (format) => {
    const options = { ...markdown, format, maxTokens: 50 }
    const error = failureOf(choose(sections), options)
    expect(error.code).toBe('BUDGET_TOO_SMALL')
    expect(error.message).toBe('50 tokens cannot hold the question and one source')
    const least = error.leastTokens as number
    expect(least % 10).toBe(0)
    const { digest, tokensUsed } = fitDigest(choose(sections), { ...options, maxTokens: least })
    expect(digest.primary.length).toBeGreaterThan(0)
    // Not much larger than it must be: that digest uses most of it.
    expect(tokensUsed / least).toBeGreaterThan(0.6)
  })

  it('is refused where only a source that is not there would have answered', () => {
    const none = digestOf([], [droppedFrom(sections[0] as Section)])
    expect(failureOf(() => none, { ...markdown, maxTokens: 500 }).leastTokens).toBeGreaterThan(100_000)
  })

  it('is not larger than one that does, even where only a lesser source fits', () => {
    const tooLong = { name: 'best', score: 1, pieces: ['walrus'.repeat(600)] }
    const all = choose(
      [tooLong, ...sectionsOf(1, walrus, 1)].map((one, at) => ({ ...one, score: 1 - at / 10 })),
    )
    const least = failureOf(all, { ...markdown, maxTokens: 50 }).leastTokens as number
    for (let maxTokens = least; maxTokens < 600; maxTokens += 10)
      expect(fitDigest(all, { ...markdown, maxTokens }).digest.primary).toHaveLength(1)
  })

  it('is refused where nothing matched and not even that can be said', () => {
    const build: BuildDigest = () => digestOf([], [])
    const { tokensUsed } = fitDigest(build, { ...markdown, layout: 'brief' })
    const tooSmall: FitDigestOptions = { ...markdown, layout: 'brief', maxTokens: tokensUsed - 1 }
    expect(failureOf(build, tooSmall).leastTokens).toBeGreaterThanOrEqual(tokensUsed)
  })

  it('is refused with the same one, whatever was given', () => {
    expect(leastOf(choose(sections), markdown)).toBe(
      failureOf(choose(sections), { ...markdown, maxTokens: 60 }).leastTokens,
    )
  })

  it('is refused with one that holds the larger text which the digest is part of', () => {
    const within: FitDigestOptions = {
      ...markdown,
      maxTokens: 50,
      sizeOf: (output) => estimateTokens(output) + 200,
    }
    const maxTokens = failureOf(choose(sections), within).leastTokens as number
    const { tokensUsed, digest } = fitDigest(choose(sections), { ...within, maxTokens })
    expect(digest.primary.length).toBeGreaterThan(0)
    expect(tokensUsed + 200).toBeLessThanOrEqual(maxTokens)
  })

  it('is refused with a larger one, even where a smaller one would do', () => {
    const sizeOf = (_: string, maxTokens: number): number => (maxTokens > 900 && maxTokens < 1100 ? 5000 : 0)
    expect(
      failureOf(choose(sections), { ...markdown, maxTokens: 1000, sizeOf }).leastTokens,
    ).toBeGreaterThanOrEqual(1100)
  })

  it('is refused with one that would do though it were four tokens smaller, for the number it states', () => {
    for (let enough = 400; enough < 440; enough++) {
      const sizeOf = (_: string, maxTokens: number): number => (maxTokens < enough ? 5000 : 0)
      const least = leastOf(choose(sections), { ...markdown, layout: 'brief', sizeOf })
      expect(least - 4).toBeGreaterThanOrEqual(enough)
    }
  })
})

const documentsHeading = '## Top Relevant Documents'

describe('the frame', () => {
  const frameOf = ({ output, digest }: Fitted): number =>
    digest.primary.reduce(
      (left, passage) => left - estimateTokens(renderPassage(passage, 'full')),
      estimateTokens(output),
    )

  it('is whole from 600 tokens on where the full layout was asked for', () => {
    const { output } = fitDigest(choose(sectionsOf(9, walrus, 1)), { ...markdown, maxTokens: 600 })
    expect(output).toContain('## Usage with LLM')
    expect(output).toContain(documentsHeading)
  })

  it('is shed below 600 tokens until it takes no more than a quarter of the budget', () => {
    for (const maxTokens of [300, 400, 500, 599]) {
      const fitted = fitDigest(choose(sectionsOf(60, walrus, 1)), { ...markdown, maxTokens })
      expect(fitted.output).not.toContain('## Usage with LLM')
      expect(frameOf(fitted)).toBeLessThanOrEqual(maxTokens / 4)
    }
  })

  it('is the barest one in the brief layout, whatever the budget', () => {
    const { output } = fitDigest(choose(sectionsOf(9, walrus, 1)), { ...markdown, layout: 'brief' })
    expect(output).not.toContain(documentsHeading)
    expect(output).not.toContain('## Metadata')
  })

  it('leaves out of brief JSON what its passages say too', () => {
    const json = { ...markdown, format: 'json' } as const
    const documents = (options: FitDigestOptions): number =>
      JSON.parse(fitDigest(choose(sectionsOf(3, walrus, 1)), options).output).documents.length
    expect(documents(json)).toBe(3)
    expect(documents({ ...json, layout: 'brief' })).toBe(0)
  })

  it('keeps the list of documents where one long source fills the budget, and no more', () => {
    const { output } = fitDigest(choose(sectionsOf(1, walrus, 60)), { ...markdown, maxTokens: 599 })
    expect(output).toContain(documentsHeading)
    expect(output).not.toContain('## Metadata')
  })

  it('gives way before the best section is left out or shown in less than 240 characters', () => {
    fc.assert(
      fc.property(randomSections, fc.integer({ min: 250, max: 599 }), (sections, maxTokens) => {
        const fitted = fitDigest(choose(sections), { ...markdown, maxTokens })
        if (!fitted.output.includes(documentsHeading)) return
        expect(frameOf(fitted)).toBeLessThanOrEqual(maxTokens / 4)
        const best = Math.max(...sections.map(({ score }) => score))
        const shown = fitted.digest.primary.find(({ score }) => score === best)
        expect(shown).toBeDefined()
        if (shown?.truncated) expect(shown.excerpts[0]?.text.length).toBeGreaterThanOrEqual(240)
      }),
      { numRuns: 100 },
    )
  })

  it('gives way wherever the barest frame would show the best section, or more than a crumb of it', () => {
    // Pieces of one word cannot be cut: they are whole or absent. The best stands after the other.
    const word = (min: number, max: number): fc.Arbitrary<string> =>
      fc.integer({ min, max }).map((length) => 'w'.repeat(length))
    const pieces = fc.oneof(
      fc.tuple(word(1300, 1800)),
      fc.tuple(word(80, 230), word(1100, 1600)),
      fc.tuple(word(80, 230), word(100, 230), word(1000, 1400)),
    )
    fc.assert(
      fc.property(
        pieces,
        fc.option(word(40, 200)),
        fc.integer({ min: 500, max: 599 }),
        (best, other, maxTokens) => {
          const build = choose([
            { name: 'the best', score: 1, pieces: best },
            ...(other === null ? [] : [{ name: 'other', score: 0.5, pieces: [other] }]),
          ])
          const shown = (layout: FitDigestOptions['layout']): number =>
            fitDigest(build, { ...markdown, layout, maxTokens })
              .digest.primary.filter(({ name }) => name === 'the best')
              .reduce((length, { excerpts }) => length + (excerpts[0]?.text.length ?? 0), 0)
          const most = leastOf(build, { ...markdown, layout: 'brief' }) > maxTokens ? 0 : shown('brief')
          if (most > 0) expect(shown('full')).toBeGreaterThanOrEqual(Math.min(most, 240))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is the same with and without what was left out for another reason than room', () => {
    const copy: Dropped = { ...droppedFrom({ name: 'copy', score: 2, pieces: [] }), reason: 'duplicate' }
    for (const sections of [sectionsOf(1, walrus, 30), sectionsOf(9, walrus, 1)]) {
      const build = choose(sections)
      const withCopy: BuildDigest = (content) => {
        const digest = build(content)
        return { ...digest, dropped: [...digest.dropped, copy] }
      }
      for (const maxTokens of [350, 450, 599]) {
        const options = { ...markdown, maxTokens }
        expect(fitDigest(withCopy, options).output).toBe(fitDigest(build, options).output)
      }
    }
  })

  const other: Section = { name: 'a lesser one', score: 0.5, pieces: [walrus] }
  const bestOf = (...pieces: string[]): Section => ({ name: 'best', score: 1, pieces })
  const word = (length: number): string => 'w'.repeat(length)
  const fit599 = (...sections: Section[]): Fitted =>
    fitDigest(choose(sections), { ...markdown, maxTokens: 599 })

  it('gives way for the best section, but not for one that scores the same as what is shown', () => {
    const best = bestOf(word(1980))
    expect(fit599(best, other).digest.primary.map(({ name }) => name)).toContain('best')
    expect(fit599(best, other).level).toBe(4)
    expect(fit599({ ...best, score: other.score }, other).level).toBeLessThan(4)
  })

  it('gives way where it leaves of the best section 239 characters, not where it leaves 240', () => {
    expect(fit599(bestOf(word(239), word(1740)), other).level).toBe(4)
    expect(fit599(bestOf(word(240), word(1740)), other).level).toBeLessThan(4)
  })

  it('stays, as far as it takes a quarter of the budget and no more, where it gives way in vain', () => {
    const build = choose([bestOf(word(5000)), other])
    for (const frameLevel of [2, 3] as const) {
      const alone = renderMarkdown(build(0), { actualTokens: '100', frameLevel })
      const maxTokens = 4 * estimateTokens(alone)
      expect(maxTokens).toBeLessThan(600)
      expect(fitDigest(build, { ...markdown, maxTokens }).level).toBe(frameLevel)
      expect(fitDigest(build, { ...markdown, maxTokens: maxTokens - 1 }).level).toBe(frameLevel + 1)
    }
  })

  it('stays where it takes exactly a quarter of the budget beside its sources', () => {
    const build: BuildDigest = (content) => choose([other])(content > 0 ? 3000 : 0)
    const fitted = fitDigest(build, { ...markdown, maxTokens: 599 })
    const maxTokens = 4 * accountFor(fitted, markdown).frame
    expect(fitDigest(build, { ...markdown, maxTokens }).level).toBe(fitted.level)
    expect(fitDigest(build, { ...markdown, maxTokens: maxTokens - 1 }).level).toBe(fitted.level + 1)
  })
})

describe('accountFor', () => {
  const passages = ['one', 'two', 'three'].map((name) =>
    passageOf({ name, score: 1, pieces: [] }, name, false),
  )
  const account = (expanded: readonly Passage[]): TokenAccount => {
    const document = { path: 'a.md', title: 'A', type: 'other', passages: expanded } as const
    const canonicality = { score: 0.5, reasons: [] }
    const digest = { ...digestOf(passages.slice(0, 1), []), expanded: [{ ...document, canonicality }] }
    const fitted = fitDigest(() => digest, markdown)
    const { frame, primary, expanded: along } = accountFor(fitted, markdown)
    expect([frame, ...primary, ...along.flat()].reduce((sum, tokens) => sum + tokens)).toBe(fitted.tokensUsed)
    return { frame, primary, expanded: along }
  }

  it('gives every token of a digest to a passage or to the frame', () => {
    const { primary, expanded } = account(passages)
    expect(primary).toHaveLength(1)
    expect(expanded.map((document) => document.length)).toEqual([3])
  })

  it('gives each cross-referenced passage its own text, and the first the heading of its document', () => {
    const [one, two, three] = passages as [Passage, Passage, Passage]
    const longer = { ...two, excerpts: [{ lines: { start: 1, end: 1 }, text: `two${'!'.repeat(400)}` }] }
    const [[first, second, third]] = account([one, two, three]).expanded as [[number, number, number]]
    expect(account([one, longer, three]).expanded).toEqual([[first, second + 100, third]])
    expect(first).toBeGreaterThan(second)
  })
})

describe('an explanation in JSON', () => {
  const explained: FitDigestOptions = { ...markdown, format: 'json', explain: true }

  it('lists the best of what was left out and counts all of it', () => {
    const dropped = sectionsOf(300, walrus, 1).map(droppedFrom)
    const shown = sectionsOf(3, walrus, 1).map((section) => passageOf(section, walrus, false))
    const { output } = fitDigest(() => digestOf(shown, dropped), explained)
    const read = JSON.parse(output)
    expect(read.dropped[0].section).toBe('section-000.md#section-000')
    expect(read.dropped.length).toBeLessThan(30)
    expect(read.droppedTotal).toBe(300)
    expect(fitDigest(() => digestOf(shown, dropped), { ...explained, explain: false }).output).not.toContain(
      'droppedTotal',
    )
  })

  it('is of no effect on Markdown, which has none, and takes no work there', () => {
    const chosen = choose(sectionsOf(90, walrus, 1))
    const work = (explain: boolean): { output: string; built: number; counted: number } => {
      let [built, counted] = [0, 0]
      const build: BuildDigest = (content) => {
        built++
        return chosen(content)
      }
      const countTokens: TokenCounter = (text) => {
        counted++
        return estimateTokens(text)
      }
      const { output } = fitDigest(build, { ...markdown, explain, countTokens })
      return { output, built, counted }
    }
    const { built, counted } = work(false)
    // Twice, since the number is part of the text, and once more where it became longer.
    expect(counted / built).toBeLessThanOrEqual(3)
    expect(work(true)).toEqual(work(false))
  })

  it('gives its lists up, and keeps their numbers, where the sources need the room', () => {
    const [first, ...rest] = sectionsOf(40, walrus, 1) as [Section, ...Section[]]
    const digest = digestOf([passageOf(first, walrus, false)], rest.map(droppedFrom))
    const build: BuildDigest = (content) => (content > 0 ? digest : digestOf([], rest.map(droppedFrom)))
    const least = failureOf(build, { ...explained, maxTokens: 50 }).leastTokens as number
    // The numbers take some tokens more than the source alone.
    const { output } = fitDigest(build, { ...explained, maxTokens: least + 80 })
    const { dropped, unresolved, droppedTotal, primary } = JSON.parse(output)
    expect(primary.length).toBeGreaterThan(0)
    expect([dropped, unresolved]).toEqual([[], []])
    expect(droppedTotal).toBe(40 - primary.length)
  })
})

describe('chooseLayout', () => {
  it('keeps the layout that was asked for', () => {
    expect(chooseLayout('full', 300)).toBe('full')
    expect(chooseLayout('brief', 30_000)).toBe('brief')
  })

  it('explains sources from 3,000 tokens on where none was asked for', () => {
    expect(chooseLayout('auto', 2999)).toBe('brief')
    expect(chooseLayout('auto', 3000)).toBe('full')
  })
})

describe('hasRoom', () => {
  it('is about room alone, not about what was left out for other reasons', () => {
    const dropped = droppedFrom({ name: 'a', score: 1, pieces: [] })
    expect(hasRoom({ dropped: [] })).toBe(true)
    expect(hasRoom({ dropped: [{ ...dropped, reason: 'duplicate' }] })).toBe(true)
    expect(hasRoom({ dropped: [{ ...dropped, reason: 'duplicate' }, dropped] })).toBe(false)
  })
})
