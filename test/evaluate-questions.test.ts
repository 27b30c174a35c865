// Is every verdict right? A real index of a small folder.
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
    expect(result).toMatchObject({ passed: true, coverage: 1, misses: [] })
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
    expect(totals).toMatchObject({ questions: 2, passed: 1, passRate: 0.5 })
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
      forbidden: expect.arrayContaining([{ path: 'docs/deploy.md', lines: { start: 12, end: 14 } }]),
    })
    expect(await evaluateOne({ ...question, forbiddenDocs: ['archive/'] })).toMatchObject({ passed: true })
  })

  it('never counts the echoed question', async () => {
    const result = await evaluateOne({ question: 'rollback of the quokka', expectedContains: ['quokka'] })
    expect(result.misses).toEqual([{ kind: 'phrase', expected: 'quokka', problem: null }])
  })
})

describe('what no digest can hold', () => {
  it('is named with its problem: no such document, section or line', async () => {
    const { misses } = await evaluateOne(
      {
        expectedContains: ['platform-team'],
        expectedDocs: ['docs/none.md', 'docs/metrics.md', 'docs/zebra.md'],
        expectedSections: ['docs/deploy.md#nope', 'docs/none.md#x', 'docs/zebra.md:40-50'],
      },
      { settings: { maxFileSize: 1024 } },
    )
    expect(misses.map(({ problem }) => problem)).toEqual([
      null,
      'no document docs/none.md in the index; see `yore status --skipped`',
      'no document docs/metrics.md in the index; see `yore status --skipped`',
      null,
      expect.stringContaining('nothing named "docs/deploy.md#nope"'),
      expect.stringContaining('nothing named "docs/none.md#x"'),
      'no text at docs/zebra.md:40-50',
    ])
  })

  it('is everything when not even one source fits', async () => {
    const result = await evaluateOne(
      { expectedContains: ['x'], expectedDocs: ['docs/zebra.md'] },
      { maxTokens: 5 },
    )
    expect(result).toMatchObject({ passed: false, tokens: 0, coverage: 0 })
    for (const { problem } of result.misses) expect(problem).toContain('raise --max-tokens to ')
    expect(result.misses).toHaveLength(2)
  })
})

it('misses a section most of whose lines were cut', async () => {
  const { misses, coverage } = await evaluateOne(
    { expectedContains: ['tail sentinel'], expectedSections: ['docs/metrics.md#coordinator-metrics'] },
    { maxTokens: 900 },
  )
  expect(coverage).toBe(0)
  expect(misses.map(({ kind, problem }) => [kind, problem])).toEqual([
    ['phrase', null],
    ['section', null],
  ])
})

it('expects what is below a section that is only a heading', async () => {
  const result = await evaluateOne({
    question: 'text of the outline',
    expectedSections: ['docs/outline.md#coordinator-outline-heading'],
  })
  expect(result.misses).toMatchObject([{ kind: 'section', problem: null }])
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
