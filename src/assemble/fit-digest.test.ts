// Does a digest stay under its budget, use it, and keep its best source, whatever there is to say?
// Long because it builds its own sections: only so are the budget and the frame tried at every size.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { YoreError } from '../errors.ts'
import type { Digest, Dropped, Passage } from '../model/digest.ts'
import { estimateTokens, type TokenCounter } from '../tokens/token-counter.ts'
import { digestFixture, passageFixture } from './digest.fixture.ts'
import {
  type BuildDigest,
  chooseLayout,
  type FitDigestOptions,
  type Fitted,
  fitDigest,
  hasRoom,
} from './fit-digest.ts'
import { renderDocumentEntry, renderPassage } from './render-markdown.ts'

/** A section as a list of its pieces; a piece that may be cut is cut between words. */
interface Section {
  readonly name: string
  readonly score: number
  readonly pieces: readonly string[]
}

/** Takes the best sections first, whole or up to where the room ends, and shows them in the order of their names. */
function choose(sections: readonly Section[], count: TokenCounter = estimateTokens): BuildDigest {
  return (contentTokens, cutPieces) => {
    const primary: Passage[] = []
    const dropped: Dropped[] = []
    let left = contentTokens
    for (const section of sections.toSorted((a, b) => b.score - a.score)) {
      const passage = longestWithin(section, left, { cutPieces, count })
      if (passage === null) dropped.push(droppedFrom(section))
      else {
        left -= costOf(passage, count)
        primary.push(passage)
      }
    }
    return digestOf(
      primary.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      dropped,
    )
  }
}

function longestWithin(
  section: Section,
  left: number,
  { cutPieces, count }: { readonly cutPieces: boolean; readonly count: TokenCounter },
): Passage | null {
  const parts = cutPieces ? section.pieces.flatMap((piece) => piece.split(' ')) : section.pieces
  let found: Passage | null = null
  for (let fewest = 1, most = parts.length; fewest <= most; ) {
    const kept = Math.ceil((fewest + most) / 2)
    const text = parts.slice(0, kept).join(cutPieces ? ' ' : '\n')
    const passage = passageOf(section, text, kept < parts.length)
    if (costOf(passage, count) > left) most = kept - 1
    else {
      found = passage
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
  return { ...digestFixture, sectionsSelected: primary.length, documents, primary, dropped }
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

describe('fitDigest', () => {
  it('never exceeds a budget, says how many tokens it has, and uses what it was given', () => {
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
        const isShort = digest.dropped.length > 0 || digest.primary.some(({ truncated }) => truncated)
        // `choose` counts a passage as Markdown does; explained in JSON one more takes up to a fifth of 1,000 tokens.
        const least = options.explain && options.format === 'json' ? 0.75 : 0.9
        if (isShort && options.maxTokens >= 1000)
          expect(tokensUsed / options.maxTokens).toBeGreaterThan(least)
      }),
      { numRuns: 150 },
    )
  })

  it('shows everything, uncut, where everything fits', () => {
    const asked: boolean[] = []
    const build = choose(sectionsOf(4, walrus, 3))
    const { digest } = fitDigest((content, cutPieces) => {
      asked.push(cutPieces)
      return build(content, cutPieces)
    }, markdown)
    expect(digest.primary.length).toBe(4)
    expect(digest.dropped).toEqual([])
    // Once for the frame alone, and once for all of it.
    expect(asked).toEqual([false, false])
  })

  it('keeps pieces whole where they fill the budget', () => {
    let cuts = 0
    for (let maxTokens = 3000; maxTokens < 4000; maxTokens += 50) {
      const build = choose(sectionsOf(100, walrus.repeat(8), 1))
      const { digest, tokensUsed } = fitDigest(
        (content, cutPieces) => {
          if (cutPieces) cuts++
          return build(content, cutPieces)
        },
        { ...markdown, maxTokens },
      )
      expect(tokensUsed / maxTokens).toBeGreaterThan(0.92)
      expect(digest.primary.some(({ truncated }) => truncated)).toBe(false)
    }
    expect(cuts).toBe(0)
  })

  it('goes on while a section is cut, though none was left out', () => {
    const small = { name: 'small', score: 1, pieces: [walrus] }
    const large = { name: 'large', score: 0.5, pieces: Array.from({ length: 300 }, () => walrus) }
    const build = choose([small, large], (text) => estimateTokens(text) * 3)
    const { digest, tokensUsed } = fitDigest(build, markdown)
    expect(digest.primary.map(({ truncated }) => truncated)).toEqual([true, false])
    expect(tokensUsed).toBeGreaterThan(0.92 * 3000)
  })

  it('cuts pieces where whole ones leave much of the budget unused', () => {
    const { digest, tokensUsed } = fitDigest(choose(sectionsOf(3, 'walrus '.repeat(1000), 2)), markdown)
    expect(digest.primary.map(({ name }) => name)).toEqual(['section-000'])
    expect(tokensUsed).toBeGreaterThan(0.95 * 3000)
  })

  it('keeps to whole pieces where cut ones would say less', () => {
    const whole = choose(sectionsOf(3, 'walrus '.repeat(170), 1))
    let cuts = 0
    const build: BuildDigest = (content, cutPieces) => {
      const { primary, dropped } = whole(content, false)
      if (!cutPieces) return digestOf(primary, dropped)
      cuts++
      return digestOf(primary.slice(0, 1), dropped)
    }
    const { digest } = fitDigest(build, { ...markdown, maxTokens: 1200 })
    expect(cuts).toBeGreaterThan(0)
    expect(digest.primary).toHaveLength(2)
  })

  it('finds what fits where the pieces cost more than they were said to', () => {
    const build = choose(sectionsOf(100, walrus, 2), (text) => Math.ceil(estimateTokens(text) / 3))
    const { tokensUsed } = fitDigest(build, markdown)
    expect(tokensUsed).toBeLessThanOrEqual(3000)
    expect(tokensUsed).toBeGreaterThan(0.92 * 3000)
  })

  it('finds what fits where the pieces cost less than they were said to', () => {
    const build = choose(sectionsOf(100, walrus, 2), (text) => estimateTokens(text) * 3)
    const { tokensUsed } = fitDigest(build, markdown)
    expect(tokensUsed).toBeLessThanOrEqual(3000)
    expect(tokensUsed).toBeGreaterThan(0.92 * 3000)
  })

  it('builds a bounded number of digests, however badly they were estimated', () => {
    for (const factor of [0.01, 0.2, 1, 5, 50]) {
      let built = 0
      const build = choose(sectionsOf(60, walrus, 3), (text) => Math.ceil(estimateTokens(text) * factor))
      fitDigest((content, cutPieces) => {
        built++
        return build(content, cutPieces)
      }, markdown)
      expect(built).toBeLessThanOrEqual(36)
    }
  })

  it('stays under its budget where its own number never settles', () => {
    const restless: TokenCounter = (text) => {
      const stated = Number(/~([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
      return 2 * Math.ceil(text.length / 8) + (stated % 2 === 0 ? 1 : 0)
    }
    const options = { ...markdown, countTokens: restless }
    const { output, tokensUsed } = fitDigest(choose(sectionsOf(200, walrus, 1)), options)
    expect(tokensUsed).toBe(restless(output))
    expect(tokensUsed).toBeLessThanOrEqual(3000)
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
    expect(tokensUsed / least).toBeGreaterThan(0.7)
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

  it('is named so that its own number fits too', () => {
    // Each digit more in the text of the budget is a token more.
    const least = failureOf(choose(sections), { ...markdown, maxTokens: 50 }).leastTokens as number
    expect(() => fitDigest(choose(sections), { ...markdown, maxTokens: least - 4 })).not.toThrow()
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

  it('does not give way for what was left out for another reason than room', () => {
    const best = droppedFrom({ name: 'copy', score: 1, pieces: [] })
    const one = { name: 'one', score: 0.5, pieces: Array.from({ length: 30 }, () => walrus) }
    const build: BuildDigest = (content, cutPieces) => {
      const digest = choose([one])(content, cutPieces)
      return { ...digest, dropped: [...digest.dropped, { ...best, reason: 'duplicate' }] }
    }
    expect(fitDigest(build, { ...markdown, maxTokens: 599 }).output).toContain(documentsHeading)
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

  it('gives its lists up, and keeps their numbers, where the sources need the room', () => {
    const one = sectionsOf(40, walrus, 1)
    const least = failureOf(choose(one), { ...explained, maxTokens: 50 }).leastTokens as number
    const { output } = fitDigest(choose(one), { ...explained, maxTokens: least })
    const { dropped, unresolved, droppedTotal, primary } = JSON.parse(output)
    expect(primary.length).toBe(1)
    expect([dropped, unresolved]).toEqual([[], []])
    expect(droppedTotal).toBe(39)
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
