// Does a digest parsed back give the truth, however hostile its documents? Fault test T23.
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { type FrameLevel, frameLevels } from '../src/answer/assemble/digest-frame.ts'
import { sourceLines } from '../src/answer/assemble/escape-text.ts'
import { renderMarkdown } from '../src/answer/assemble/render-markdown.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import { type ParsedDigest, type ParsedPassage, parseDigest } from './parse-digest.ts'
import { digestFixture, emptyDigestFixture } from './support/digest.ts'
import { hostileDigest, propertyRuns } from './support/hostile-digest.ts'

const anyLevel = fc.constantFrom(...frameLevels)

function truthOfPassage(passage: Passage, name: string, frameLevel: FrameLevel): ParsedPassage {
  const { canonicality } = passage.signals
  return {
    path: passage.path,
    name,
    ranges: passage.excerpts.map((excerpt) => excerpt.lines),
    texts: passage.excerpts.map((excerpt) => sourceLines(excerpt.text)),
    canonical: frameLevel === 4 ? null : Number(canonicality.toFixed(2)),
    alsoAt: passage.alsoAt,
    referencedBy: passage.referencedBy,
    sameDocumentAs: frameLevel === 4 ? [] : (passage.sameDocumentAs ?? []),
    truncated: passage.truncated,
  }
}

function truthOf(digest: Digest, frameLevel: FrameLevel = 0): ParsedDigest {
  return {
    query: digest.query.text,
    passages: digest.primary.map((passage) => truthOfPassage(passage, passage.name, frameLevel)),
    expanded: digest.expanded.flatMap((document) =>
      document.passages.map((passage) => truthOfPassage(passage, document.title, frameLevel)),
    ),
  }
}

describe('parseDigest', () => {
  it('reads back paths, ranges and source lines of documents that imitate digest markup', () => {
    fc.assert(
      fc.property(hostileDigest, anyLevel, (digest, frameLevel) => {
        const markdown = renderMarkdown(digest, { actualTokens: '7,850', frameLevel })
        expect(parseDigest(markdown)).toEqual(truthOf(digest, frameLevel))
      }),
      { numRuns: propertyRuns },
    )
  })

  it('reads back an ordinary digest and an empty one', () => {
    for (const digest of [digestFixture, emptyDigestFixture]) {
      expect(parseDigest(renderMarkdown(digest, { actualTokens: '812' }))).toEqual(truthOf(digest))
    }
  })

  it('gives a long question as it is shown', () => {
    const text = `${'a'.repeat(300)}\n"${'z'.repeat(300)}`
    const digest = { ...digestFixture, query: { ...digestFixture.query, text } }
    const { query } = parseDigest(renderMarkdown(digest, { actualTokens: '812' }))
    expect(query).toBe(`${'a'.repeat(200)}…${'z'.repeat(90)}`)
  })

  it.each(['', '# Title', '# Context Digest for: "x"\n\n## Distilled Content\n\n### no source'])(
    'refuses %j',
    (markdown) => {
      expect(() => parseDigest(markdown)).toThrow('not a Markdown digest')
    },
  )

  it('refuses a digest whose end is missing', () => {
    const markdown = renderMarkdown(digestFixture, { actualTokens: '812', frameLevel: 3 })
    expect(() => parseDigest(markdown.slice(0, -20))).toThrow('not a Markdown digest')
  })
})

describe('a rendered digest, read by a Markdown parser', () => {
  it.each([true, false])(
    'has no rule and no heading above level 4 but the frame’s (HTML blocks: %s)',
    (html) => {
      const parser = new MarkdownIt({ html })
      fc.assert(
        fc.property(hostileDigest, (digest) => {
          const markdown = renderMarkdown(digest, { actualTokens: '7,850' })
          const calm = renderMarkdown(withoutText(digest), { actualTokens: '7,850' })
          const frameLines = calm.split('\n').filter((line) => /^#{1,3} |^---$/.test(line))
          expect(headingsAndRules(parser, markdown)).toEqual(frameLines)
        }),
        { numRuns: propertyRuns },
      )
    },
  )
})

/** The same frame around harmless text. */
function withoutText(digest: Digest): Digest {
  const calm = (passage: Passage): Passage => ({
    ...passage,
    excerpts: passage.excerpts.map(({ lines }) => ({ lines, text: 'calm' })),
  })
  const expanded = digest.expanded.map((document) => ({ ...document, passages: document.passages.map(calm) }))
  return { ...digest, primary: digest.primary.map(calm), expanded }
}

function headingsAndRules(parser: InstanceType<typeof MarkdownIt>, markdown: string): string[] {
  const lines = markdown.split('\n')
  return parser
    .parse(markdown, {})
    .filter((token) => ['h1', 'h2', 'h3', 'hr'].includes(token.tag) && token.nesting >= 0)
    .map((token) => lines[token.map?.[0] ?? 0] ?? '')
}
