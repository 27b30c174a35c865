// Can a person read why each passage is there?
import { describe, expect, it } from 'vitest'
import { digestFixture, emptyDigestFixture } from '../../../test/support/digest.ts'
import { renderExplain } from './render-explain.ts'

describe('renderExplain', () => {
  it('gives signals and reasons in short lines, and what was dropped', () => {
    expect(renderExplain(digestFixture, { all: true })).toBe(`strategy: original: the question as it was asked

chosen: 2 passages
  relevance = (relevance before re-ranking + re-ranking) / the best such sum
  0.92  docs/deployment/NEW_SERVICE_GUIDE.md:45-51,64-65  Required Steps (shortened)
        why: lifted by together; lowered by long; authority high
        score = 0.7 × relevance 0.95 + 0.3 × authority 0.85
        relevance before re-ranking 0.95: words 1.00, document 0.90
        re-ranking: together +0.21, long −0.04
  0.87  docs/adr/ADR-0013-service-onboarding.md:78  Service Registry
        why: authority high
        score = 0.7 × relevance 0.86 + 0.3 × authority 0.90
        relevance before re-ranking 0.85: words 0.80, document 0.75

authority of documents
  0.85  docs/deployment/NEW_SERVICE_GUIDE.md     canonical  baseline +0.50, file name says GUIDE +0.10, older than a year −0.10
  0.90  docs/adr/ADR-0013-service-onboarding.md  canonical

stopped: the next section does not fit into 8,000 tokens (confidence high 0.90)

dropped: 2 sections
  score  reason                source                            section
  0.11   relevance under 0.15  docs/operations/RUNBOOK.md:10-20  restart
  0.50   no room               README.md:7                       deploy
`)
  })

  it('takes at most 60 lines, and says how many entries there are more', () => {
    const many = <T>(list: readonly T[]): T[] =>
      Array.from({ length: 40 }, (_, at) => list[at % list.length] as T)
    const { primary, documents, dropped } = digestFixture
    const document = {
      path: 'a.md',
      title: 'A',
      type: 'other',
      canonicality: documents[0]!.canonicality,
    } as const
    const lost = { path: 'a.md', line: 3, target: 'b.md', reason: 'missing', candidates: [] } as const
    const digest = {
      ...digestFixture,
      primary: many(primary),
      documents: many(documents),
      dropped: many(dropped),
      expanded: [{ ...document, passages: many(primary) }],
      unresolved: many([lost]),
    }
    const short = renderExplain(digest, { all: false })
    expect(short.split('\n').length).toBeLessThanOrEqual(61)
    expect(short).toContain('  34 more: --all')
    expect(renderExplain(digest, { all: true })).not.toContain('--all')
  })

  it('says in words why a passage is there, above its numbers', () => {
    const [first] = digestFixture.primary
    const signals = { ...first!.signals, ranks: { words: 3, embeddings: 2, fused: 2, 're-ranked': 1 } }
    const primary = [{ ...first!, signals }]
    expect(renderExplain({ ...digestFixture, primary }, { all: false })).toContain(
      '        why: number 3 by words and 2 by embeddings; lifted by together; lowered by long; authority high\n        score = ',
    )
  })

  it('says that nothing was chosen and nothing dropped', () => {
    expect(renderExplain(emptyDigestFixture, { all: false })).toBe(
      'strategy: original: the question as it was asked\n\nchosen: nothing\n\nstopped: nothing else matches\n\ndropped: nothing\n',
    )
  })

  it('lets no path or name control the terminal', () => {
    const primary = digestFixture.primary.map((passage) => ({
      ...passage,
      path: 'a\u001b[2J\nb',
      name: '\u202e',
    }))
    expect(renderExplain({ ...digestFixture, primary }, { all: true })).toContain('a⟦U+001B⟧[2J⟦U+000A⟧b:78')
  })
})
