// Does the Markdown digest have the layout that was promised, at every frame level?
import { describe, expect, it } from 'vitest'
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

*[… 9 of 45 lines shown …]*

---

### Service Registry (from docs/adr/ADR-0013-service-onboarding.md)

**Source:** docs/adr/ADR-0013-service-onboarding.md:78 (canonical: 0.90)

All services must be registered in \`services.yaml\`.

---
`

const full = `# Context Digest for: "How do I deploy a new service?"

> Confidence high: the first passage has most key words of the question.

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
- Cut-off score: 0.40
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

  it('says in how many passages the sections are, where some share a source', () => {
    const merged = { ...digestFixture, sectionsSelected: 4 }
    expect(renderMarkdown(merged, tokens)).toContain('**Sections Selected:** 4 in 2 passages\n')
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

  it('keeps two facts and the passages at the last level, and says below the title how sure it is and what to do next', () => {
    const [title, , verdict, , , ...facts] = full.split('\n').slice(0, 7)
    const head = [title, '', `${verdict} Read or expand what is missing.`, '', ...facts]
    expect(renderMarkdown(digestFixture, { ...tokens, frameLevel: 4 })).toBe(
      `${head.join('\n')}\n\n---\n\n${briefPassages}`,
    )
  })

  it('begins every fifth line with its number in the numbered layout, and never ends a fence by it', () => {
    const text = ['one', '```sh', 'two', '```', 'five', 'six'].join('\n')
    const passage = {
      ...(digestFixture.primary[0] as Passage),
      excerpts: [{ lines: { start: 7, end: 13 }, text }],
    }
    const shown = renderPassage(passage, 'numbered')
    expect(shown).toContain('````markdown\none\n```sh\n10\ttwo\n```\nfive\nsix\n````')
    // The fifth line is a fence: the one after it has the number. An empty one has its own.
    const later = ['one', '~~~', 'three', 'four', 'five', 'six', ''].join('\n')
    const apart = { ...passage, excerpts: [{ lines: { start: 9, end: 15 }, text: `${later}end` }] }
    expect(renderPassage(apart, 'numbered')).toContain('one\n~~~\n11\tthree\nfour\nfive\nsix\n15\tend')
    const blank = { ...apart, excerpts: [{ lines: { start: 14, end: 19 }, text: 'one\n\nthree\n4\n5\n6' }] }
    expect(renderPassage(blank, 'numbered')).toContain('one\n15\t\nthree\n')
  })

  it('says plainly that nothing matched, and why', () => {
    const markdown = renderMarkdown(emptyDigestFixture, { ...tokens, frameLevel: 3 })
    expect(markdown.split('\n').slice(2)).toEqual([
      '> Confidence none: no section has a word of the question.',
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

  it('names a path once in the barest frame, and says in words what speaks against a document', () => {
    const [passage] = digestFixture.primary as [Passage]
    const written = (given: Partial<Passage>): string[] =>
      renderPassage({ ...passage, name: 'Setup', ...given }, 'brief').split('\n')
    const [heading, , source] = written({})
    expect(heading).toBe('### Setup')
    expect(source).toMatch(/^\*\*Source:\*\* \S+:[\d,-]+$/)
    expect(written({ caution: 'path says "archive"' })[2]).toBe(`${source} (authority: path says "archive")`)
  })

  it('joins what renderPassage writes', () => {
    expect(passages).toBe(
      `## Distilled Content\n\n${digestFixture.primary.map((passage) => renderPassage(passage, 'full')).join('\n\n')}\n`,
    )
  })
})
