// Does the Markdown digest have the layout that was promised, at every frame level?
import { describe, expect, it } from 'vitest'
import { parseDigest } from '../../../test/parse-digest.ts'
import { digestFixture, emptyDigestFixture } from '../../../test/support/digest.ts'
import type { Passage } from '../../model/digest.ts'
import { frameLevels } from './digest-frame.ts'
import { renderMarkdown, renderPassage } from './render-markdown.ts'

const tokens = { actualTokens: '812' }

const passages = `## Distilled Content

### Required Steps (from docs/deployment/NEW_SERVICE_GUIDE.md)

**Source:** docs/deployment/NEW_SERVICE_GUIDE.md:45-51,64-65 (canonical: 0.85)
**Also at:** docs/archive/guide copy.md:3-9

##### Required Steps

Create a new service skeleton:

\`\`\`bash
./scripts/new_service.sh <service-name> # once
\`\`\`

*[… 12 lines omitted …]*

Register it in \`services.yaml\`:
- \`owner\` - Team email

*[… this section is shortened …]*

---

### Service Registry (from docs/adr/ADR-0013-service-onboarding.md)

**Source:** docs/adr/ADR-0013-service-onboarding.md:78 (canonical: 0.90)

All services must be registered in \`services.yaml\`.

---
`

const full = `# Context Digest for: "How do I deploy a new service?"

> Strong matches: the first passage has most key words of the question.

**Generated:** 2025-11-29T15:23:00Z
**Token Budget:** 8000
**Actual Tokens:** ~812
**Primary Areas:** deployment, services
**Documents Scanned:** 221
**Sections Selected:** 2

---

## Top Relevant Documents

1. **docs/deployment/NEW_SERVICE_GUIDE.md** (score: 0.92, canonical: 0.85)
   - Last updated: 2025-11-15
   - Status: canonical
   - Sections included: 1

2. **docs/adr/ADR-0013-service-onboarding.md** (score: 0.87, canonical: 0.90)
   - Last updated: 2025-10-01
   - Status: canonical
   - Sections included: 1

---

${passages}
## Metadata

**Canonicality Scores:** by place, name, age, status, references
- 0.90+: Authoritative, prefer over others
- 0.70-0.89: Reliable by these signs
- 0.50-0.69: Ordinary
- <0.50: Old, archived, superseded, a draft, a test or generated

**Section Selection:**
- Total candidate sections: 127
- BM25 relevance threshold: 0.15
- Selected after filtering: 2
- Token allocation per section: ~410 tokens avg

---

## Usage with LLM

Paste this digest into your LLM conversation, then ask:

> Using only the information in the context above, answer: "How do I deploy a new service?"
> Be explicit when something is not documented in the context.

So the LLM is asked to:
- Use only the sources above
- Invent no paths or commands
- Say what they do not cover
`

/** The same with each path once, and the canonicality only where it warns. */
const briefPassages = passages
  .replaceAll(/^(### .*) \(from .*\)$/gm, '$1')
  .replaceAll(/ \(canonical: (?:0\.[5-9]\d|1\.00)\)$/gm, '')

describe('renderMarkdown', () => {
  it('writes the full layout', () => {
    expect(renderMarkdown(digestFixture, tokens)).toBe(full)
  })

  it('sheds usage, legend, statistics and documents, in this order, and never a source', () => {
    const shed = [
      '## Usage with LLM',
      '**Canonicality Scores:**',
      '**Section Selection:**',
      '## Top Relevant Documents',
    ]
    for (const frameLevel of frameLevels) {
      const markdown = renderMarkdown(digestFixture, { ...tokens, frameLevel })
      shed.forEach((part, index) => {
        expect(markdown.includes(part)).toBe(index >= frameLevel)
      })
      expect(markdown).toContain(frameLevel === 4 ? briefPassages : passages)
    }
  })

  it('keeps three facts and the passages at the last level, and says in the first line how sure it is and what to do next', () => {
    const [title, , verdict, ...facts] = full.split('\n').slice(0, 7)
    const first = `${title} ${verdict?.slice(2)} Expand or read what is missing.`
    expect(renderMarkdown(digestFixture, { ...tokens, frameLevel: 4 })).toBe(
      `${[first, ...facts].join('\n')}\n\n---\n\n${briefPassages}`,
    )
  })

  it('lists the references to follow below the passages, by their origin', () => {
    const listed = [
      { from: 'a.md#a', via: 'links', target: 'b.md', cost: 1, name: 'B' },
      { from: 'a.md#a', via: 'defines', target: 'a.md#c', cost: 0, name: 'C' },
    ]
    const markdown = renderMarkdown(
      { ...digestFixture, offers: { listed, more: 2 } },
      { ...tokens, frameLevel: 4 },
    )
    expect(
      markdown.endsWith(`---

## References to follow

- from a.md#a
  - links b.md (B)
  - defines a.md#c (C, same document; free)
- 2 more: expand with from alone
`),
    ).toBe(true)
    expect(parseDigest(markdown).query).toBe('How do I deploy a new service?')
  })

  it('says plainly that nothing matched, and why', () => {
    const markdown = renderMarkdown(emptyDigestFixture, { ...tokens, frameLevel: 3 })
    expect(markdown.split('\n').slice(2)).toEqual([
      '> No match: no section has a word of the question.',
      '',
      '**Generated:** 2025-11-29T15:23:00Z',
      '**Token Budget:** 8000',
      '**Actual Tokens:** ~812',
      '**Documents Scanned:** 221',
      '**Sections Selected:** 0',
      '',
      '> **Note:** Near terms: deploy, deployment.',
      '',
      '---',
      '',
      '## Distilled Content',
      '',
      'No section of the index matches this question.',
      '',
      '---',
      '',
    ])
  })

  it('keeps the question on one line, with its quotes and controls escaped', () => {
    const query = { ...digestFixture.query, text: 'say "hi"\n# C:\\x\u202e' }
    const lines = renderMarkdown({ ...digestFixture, query }, tokens).split('\n')
    expect(lines[0]).toBe('# Context Digest for: "say \\"hi\\"\\n# C:\\\\x⟦U+202E⟧"')
    expect(lines).toContain(
      '> Using only the information in the context above, answer: "say \\"hi\\"\\n# C:\\\\x⟦U+202E⟧"',
    )
  })

  it('shortens a long question in the title and only refers to it in usage', () => {
    const query = { ...digestFixture.query, text: '😀'.repeat(400) }
    const lines = renderMarkdown({ ...digestFixture, query }, tokens).split('\n')
    expect(lines[0]).toBe(`# Context Digest for: "${'😀'.repeat(100)}…${'😀'.repeat(45)}"`)
    expect(lines).toContain(
      '> Using only the information in the context above, answer: the question that this digest was made for.',
    )
  })

  it('names a path once in the barest frame, and a canonicality only where it warns', () => {
    const [passage] = digestFixture.primary as [Passage]
    const written = (canonicality: number): string[] =>
      renderPassage(
        { ...passage, name: 'Setup', signals: { ...passage.signals, canonicality } },
        'brief',
      ).split('\n')
    const [heading, , source] = written(0.5)
    expect(heading).toBe('### Setup')
    expect(source).toMatch(/^\*\*Source:\*\* \S+:[\d,-]+$/)
    expect(written(0.49)[2]).toBe(`${source} (canonical: 0.49)`)
  })

  it('joins what renderPassage writes', () => {
    expect(passages).toBe(
      `## Distilled Content\n\n${digestFixture.primary.map((passage) => renderPassage(passage, 'full')).join('\n\n')}\n`,
    )
  })
})
