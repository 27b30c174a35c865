// Is every verdict right, and every miss explained by what really happened? A real index of a small folder.
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type {
  EvaluateOptions,
  Evaluation,
  Question,
  QuestionResult,
} from '../src/check/evaluation/evaluation.ts'
import { defaultSettings, type Settings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { makeTestTree } from './support/test-tree.ts'

const paragraphs = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `Paragraph ${at} tells how the coordinator gathers metrics number ${at}.`,
  ).join('\n\n')
const restart =
  '## Restart\n\nRestart the coordinator with a rolling restart, then watch its metrics for a while.\n'
const files: Record<string, string> = {
  'docs/deploy.md':
    '---\ntitle: Deploying\nowner: platform-team\n---\n# Deploying\n\n## Required `steps`\n\nRun `./scripts/new_service.sh`\nand register the   service in services.yaml.\n\n## Rollback\n\nUse the rollback command when a deployment fails.\n',
  'docs/runbook.md': `# Runbook\n\n${restart}`,
  'copies/runbook.md': `# Copied\n\n${restart}`,
  'docs/metrics.md': `# Metrics\n\n## Coordinator metrics\n\n${paragraphs(60)}\n\n${'Silence.\n\n'.repeat(300)}The tail sentinel stands at the end.\n`,
  'docs/outline.md':
    '# Outline\n\n## Coordinator outline heading\n\n### Below\n\nThe text of the outline is here.\n',
  'docs/zebra.md': '# Zebra\n\nStripes confuse the flies around it.\n',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `pages/page-${at}.md`,
      `# Page ${at}\n\nThe deployment of page ${at} ${'has many words to say nothing much at all '.repeat(at)}ends.\n`,
    ]),
  ),
}

let open: Engine | null = null
afterEach(() => open?.close())

async function evaluate(
  questions: readonly Partial<Question>[],
  options: Partial<EvaluateOptions> & { settings?: Partial<Settings> } = {},
): Promise<Evaluation> {
  const root = makeTestTree(files)
  const { settings: changed, ...asked } = options
  const settings = { ...defaultSettings, workers: 1, ...changed }
  open = openEngine({ root, indexDir: path.join(root, '.yore'), settings, now: 1e12 })
  await open.index()
  const whole = questions.map((question, index) => ({
    id: String(index + 1),
    question: 'coordinator metrics',
    expectedContains: [],
    expectedDocs: [],
    expectedSections: [],
    forbiddenDocs: [],
    generated: false,
    ...question,
  }))
  return (await open.evaluate({ questions: whole }, asked)).evaluation
}

async function evaluateOne(
  question: Partial<Question>,
  options: Parameters<typeof evaluate>[1] = {},
): Promise<QuestionResult> {
  return (await evaluate([question], options)).questions[0] as QuestionResult
}

describe('what a digest holds', () => {
  it('passes when phrases, documents and sections are quoted, however they are written', async () => {
    const result = await evaluateOne({
      question: 'How do I deploy a service?',
      expectedContains: ['NEW_SERVICE.SH` and register the service', 'required steps', 'Required `steps`'],
      expectedDocs: ['./docs/deploy.md', 'docs/'],
      expectedSections: [
        'docs/deploy.md#required-steps',
        'docs/deploy.md#deploying.required-steps',
        'docs/deploy.md:9-10',
        'docs/deploy.md:9',
      ],
    })
    expect(result).toMatchObject({ passed: true, coverage: 1, misses: [], sections: { found: 4, of: 4 } })
    expect(result.tokens).toBeGreaterThan(100)
  })

  it('passes at four of five phrases and fails at three', async () => {
    const held = ['rollback', 'command', 'deployment fails']
    const { questions, totals, passed } = await evaluate(
      [
        { question: 'rollback', expectedContains: [...held, 'use the', 'quokka'] },
        { question: 'rollback', expectedContains: [...held, 'quokka', 'numbat'] },
      ],
      { minCoverage: 0.5 },
    )
    expect(questions.map(({ passed, coverage }) => [passed, coverage])).toEqual([
      [true, 0.8],
      [false, 0.6],
    ])
    expect(totals).toMatchObject({ questions: 2, passed: 1, passRate: 0.5, misses: { 'not indexed': 3 } })
    expect(passed).toBe(true)
  })

  it('takes the lowest of the shares as the coverage', async () => {
    const result = await evaluateOne({
      question: 'rollback',
      expectedContains: ['rollback'],
      expectedDocs: ['docs/deploy.md', 'docs/none.md'],
    })
    expect(result).toMatchObject({ passed: false, coverage: 0.5 })
  })

  it('fails when a forbidden document is quoted', async () => {
    const question = { question: 'rollback', expectedContains: ['rollback'] }
    expect(await evaluateOne({ ...question, forbiddenDocs: ['docs/'] })).toMatchObject({
      passed: false,
      coverage: 1,
      forbidden: [{ path: 'docs/deploy.md', lines: { start: 12, end: 14 } }],
    })
    expect(await evaluateOne({ ...question, forbiddenDocs: ['archive/'] })).toMatchObject({ passed: true })
  })

  it('never counts the echoed question', async () => {
    const result = await evaluateOne({ question: 'rollback of the quokka', expectedContains: ['quokka'] })
    expect(result.misses).toMatchObject([{ reason: 'not indexed', rank: null, section: null }])
  })
})

describe('why something is missing', () => {
  it('is not indexed: no such phrase, document or section, or only frontmatter holds it', async () => {
    const { misses } = await evaluateOne(
      {
        expectedContains: ['platform-team'],
        expectedDocs: ['docs/none.md', 'docs/metrics.md'],
        expectedSections: ['docs/deploy.md#nope', 'docs/none.md#x', 'docs/zebra.md:40-50'],
      },
      { settings: { maxFileSize: 1024 } },
    )
    expect(misses.map(({ reason }) => reason)).toEqual(Array(6).fill('not indexed'))
    expect(misses.map(({ detail }) => detail)).toEqual([
      'no document text in the index holds it',
      'no document docs/none.md in the index',
      expect.stringMatching(/^it was skipped \(too-large: /),
      'docs/deploy.md has no section nope',
      'no document docs/none.md in the index',
      'docs/zebra.md has only 3 lines',
    ])
  })

  it('is ranked too low: no word in common with the question', async () => {
    const { misses } = await evaluateOne(
      {
        question: 'rollback',
        expectedContains: ['confuse the flies'],
        expectedDocs: ['docs/zebra.md'],
        expectedSections: ['docs/zebra.md#zebra'],
        // By meaning everything is a little similar.
      },
      { settings: { 'embedding.provider': 'none' } },
    )
    for (const miss of misses)
      expect(miss).toMatchObject({
        reason: 'ranked too low',
        rank: null,
        path: 'docs/zebra.md',
        detail: expect.stringMatching(
          /^in docs\/zebra\.md:1-3, which is not among the \d+ sections? that match$/,
        ),
      })
    expect(misses).toHaveLength(3)
  })

  it('is ranked too low: better sections than the digest may hold', async () => {
    const { misses } = await evaluateOne(
      {
        question: 'deployment',
        expectedContains: ['page 11'],
        expectedSections: ['pages/page-11.md#page-11'],
      },
      { sections: 2 },
    )
    expect(misses).toHaveLength(2)
    for (const miss of misses) {
      expect(miss).toMatchObject({ reason: 'ranked too low', section: 'pages/page-11.md#page-11' })
      expect(miss.rank).toBeGreaterThan(2)
      expect(miss.detail).toBe(
        `rank ${miss.rank}, score ${miss.score?.toFixed(2)}, pages/page-11.md:1-3; the digest holds 2 sections`,
      )
    }
  })

  it('is cut by the budget: the lines were cut from a section that is there', async () => {
    const { misses, sections } = await evaluateOne(
      { expectedContains: ['tail sentinel'], expectedSections: ['docs/metrics.md#coordinator-metrics'] },
      { maxTokens: 900 },
    )
    expect(sections).toEqual({ found: 0, of: 1 })
    expect(misses).toMatchObject([
      { kind: 'phrase', reason: 'cut by the budget', rank: expect.any(Number) },
      {
        kind: 'section',
        reason: 'cut by the budget',
        detail: expect.stringMatching(/^\d+ % of its lines are in; /),
      },
    ])
    expect(misses[0]?.detail).toContain('the section is in the digest, these lines were cut')
  })

  it('is cut by the budget: ranked high enough, but no room', async () => {
    const { questions } = await evaluate(
      Array.from({ length: 12 }, (_, at) => ({
        question: 'deployment',
        expectedDocs: [`pages/page-${at}.md`],
      })),
      { maxTokens: 700 },
    )
    const misses = questions.flatMap((result) => result.misses)
    expect(misses.length).toBeGreaterThan(2)
    for (const miss of misses)
      expect(miss).toMatchObject({
        reason: 'cut by the budget',
        detail: expect.stringContaining('; the budget is too small for its '),
      })
  })

  it('is cut by the budget when not even one source fits', async () => {
    const result = await evaluateOne(
      { expectedContains: ['x'], expectedDocs: ['docs/zebra.md'] },
      { maxTokens: 5 },
    )
    expect(result).toMatchObject({ passed: false, tokens: 0, coverage: 0 })
    expect(
      result.misses.map(({ reason, detail }) => [reason, detail.includes('raise --max-tokens to ')]),
    ).toEqual([
      ['cut by the budget', true],
      ['cut by the budget', true],
    ])
  })

  it('is dropped as duplicate: the same text is there from another document', async () => {
    const { questions } = await evaluate([
      {
        question: 'rolling restart',
        expectedContains: ['rolling restart'],
        expectedSections: ['docs/runbook.md#restart', 'copies/runbook.md#restart'],
      },
    ])
    expect(questions[0]?.phrases).toEqual({ found: 1, of: 1 })
    expect(questions[0]?.misses).toMatchObject([
      {
        reason: 'dropped as duplicate',
        detail: expect.stringMatching(
          /; the same text is in the digest from (docs|copies)\/runbook\.md:3-5$/,
        ),
      },
    ])
  })

  it('is below the threshold', async () => {
    const { misses } = await evaluateOne(
      { question: 'rollback deployment', expectedDocs: ['pages/page-11.md'] },
      { settings: { relevanceThreshold: 0.9 } },
    )
    expect(misses).toMatchObject([
      {
        reason: 'below threshold',
        detail: expect.stringMatching(/; relevance 0\.\d\d is under the threshold 0\.90$/),
      },
    ])
  })

  it('has no text of its own: a phrase that only a bare heading holds', async () => {
    const { misses } = await evaluateOne({
      question: 'coordinator outline',
      expectedContains: ['coordinator outline heading'],
    })
    expect(misses).toMatchObject([{ reason: 'no text of its own', path: 'docs/outline.md' }])
  })
})

it('expects what is below a section that is only a heading', async () => {
  const result = await evaluateOne({
    question: 'text of the outline',
    expectedSections: ['docs/outline.md#coordinator-outline-heading'],
  })
  expect(result.misses).toMatchObject([{ reason: 'no text of its own' }])
  const below = await evaluateOne({
    question: 'text of the outline',
    expectedSections: ['docs/outline.md#below'],
  })
  expect(below.passed).toBe(true)
})

it('gives the same evaluation twice', async () => {
  const questions = [{ expectedContains: ['tail sentinel', 'quokka'] }, { expectedDocs: ['docs/zebra.md'] }]
  const { fingerprint: first, ...one } = await evaluate(questions)
  const { fingerprint: second, ...other } = await evaluate(questions)
  expect(one).toEqual(other)
  expect([first, second]).toEqual([expect.stringMatching(/^\w{64}$/), expect.stringMatching(/^\w{64}$/)])
})
