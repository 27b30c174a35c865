// Does `yore eval` keep its contract from end to end? Real processes, a real index, questions of a small repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { plainVariables, type Ran, runYore } from './run-command-line.ts'
import { makeFolder, removeFolder, writeFiles } from './temporary-corpus.ts'

const questionsFile = path.join('evaluation', 'questions.jsonl')
let folder: string
let root: string

const filler = Array.from(
  { length: 80 },
  (_, at) => `Line of thought ${at} about the scheduler and what it weighs.`,
).join('\n\n')
const backup = '## Backup\n\nTake a nightly backup of the ledger and keep thirty of them in cold storage.\n'
const files: Record<string, string> = {
  'docs/deploy.md':
    '# Deploying\n\nHow services reach production, step by step; see [undoing a bad release](ops.md#rollback) when it fails.\n\n## Required steps\n\nRun `./scripts/new_service.sh` and register the service in services.yaml before anything else.\n',
  'docs/ops.md': `# Operations\n\n## Rollback\n\nUse the rollback command when a deployment fails, then tell the others in the channel.\n\n${backup}`,
  'docs/backup-copy.md': `# Copy\n\n${backup}`,
  'docs/scheduler.md': `# Scheduler\n\n## How the scheduler decides\n\n${filler}\n\nThe last word is a coin toss.\n`,
  'docs/heading.md':
    '# Headings\n\n## Unwritten ledger chapter\n\n### Part\n\nSomething of the part stands here.\n',
  'docs/zebra.md': '# Zebra\n\nIts stripes confuse the flies.\n',
  'archive/old.md': '# Old\n\nThe rollback command of the old days.\n',
}

beforeAll(() => {
  folder = makeFolder()
  root = path.join(folder, 'repository')
  mkdirSync(path.join(root, '.git'), { recursive: true })
  writeFiles(root, files)
  expect(yore(['index', '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' })
})
beforeEach(() => removeFolder(path.join(root, 'evaluation')))

function yore(args: readonly string[], cwd = root): Ran {
  return runYore(args, { cwd, env: { ...plainVariables(), XDG_CONFIG_HOME: path.join(folder, 'config') } })
}

function ask(...questions: readonly object[]): void {
  mkdirSync(path.join(root, 'evaluation'), { recursive: true })
  const lines = questions.map((question, index) => JSON.stringify({ id: index + 1, ...question }))
  writeFileSync(path.join(root, questionsFile), `${lines.join('\n')}\n`)
}

const rollback = { question: 'How do I roll back?', expected_contains: ['rollback command'] }
const hopeless = { question: 'How do I roll back?', expected_contains: ['quokka'] }

describe('a run', () => {
  it('is kept beside the index, and only what this user kept is read back', async () => {
    ask(rollback, hopeless)
    const runs = path.join(root, '.yore', 'runs')
    removeFolder(runs)
    yore(['eval'])
    yore(['eval', '--max-tokens', '2000'])
    const [first = ''] = readdirSync(runs)
    const line = readFileSync(path.join(runs, first), 'utf8')
    writeFileSync(
      path.join(runs, '20990101t000000000-aaaa.jsonl'),
      line.replace('"coverage":1', '"coverage":0'),
    )
    const { env } = { env: plainVariables() }
    using engine = openEngine(root, { env })
    const kept = (await engine.evaluationRuns()).list()
    expect(kept.map(({ evaluation }) => evaluation.settings.maxTokens)).toEqual([8000, 2000])
    const [found, lost] = kept[0]?.evaluation.questions ?? []
    expect(found?.hits).toMatchObject([{ kind: 'phrase', passage: 1, cameAlong: false, rank: 1 }])
    expect(found?.hits[0]?.ranks).toMatchObject({ words: 1, merged: 1, weighed: 1 })
    expect(lost?.misses[0]).toMatchObject({ reason: 'not indexed', ranks: {} })
  })
})

describe('yore eval', () => {
  it('says what to do when there are no questions', () => {
    expect(yore(['eval'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'error: no questions at evaluation/questions.jsonl\nhint: run `yore eval init` for a file with two examples\n',
    })
  })

  it('names each bad line and what is wrong with it', () => {
    mkdirSync(path.join(root, 'evaluation'))
    writeFileSync(
      path.join(root, questionsFile),
      `${JSON.stringify({ id: 1, ...rollback })}\n{"id": 2}\nnope\n`,
    )
    const run = yore(['eval'])
    expect([run.status, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(
      /^error: evaluation\/questions\.jsonl:2: question is missing\nevaluation\/questions\.jsonl:3: not valid JSON.*\nhint: /,
    )
  })

  it('prints a table and totals, from a folder further down and with a file that is named', () => {
    ask(rollback, {
      question: 'Which services?',
      expected_docs: ['docs/deploy.md'],
      forbidden_docs: ['archive/'],
    })
    const run = yore(['eval'], path.join(root, 'docs'))
    expect([run.status, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatch(
      /^ {2}id {2}cover {2}tokens {2}question\n✓ 1 {4}1\.00 +[\d,]+ {2}How do I roll back\?\n/,
    )
    expect(run.stdout).toContain('2 of 2 questions pass (100 %); passed (threshold 80 %)')
    const named = yore(['eval', `../${questionsFile}`], path.join(root, 'docs'))
    expect(named).toEqual(run)
  })

  it('exits with 1 below the mark, and with 0 at it', () => {
    ask(rollback, hopeless)
    const run = yore(['eval'])
    expect([run.status, run.stderr]).toEqual([1, ''])
    expect(run.stdout).toContain('✗ 2')
    expect(run.stdout).toContain('phrase "quokka": not indexed: no document text in the index holds it')
    expect(run.stdout).toContain('1 of 2 questions pass (50 %); failed (threshold 80 %)')
    expect(yore(['eval', '--min-coverage', '0.5']).status).toBe(0)
    expect(yore(['eval', '--min-coverage', '0.51']).status).toBe(1)
    expect(yore(['eval', '--min-coverage', '1.5']).stderr).toMatch(
      /^error: --min-coverage must be a number from 0 to 1/,
    )
  })

  it('gives the reason for each miss', () => {
    ask(
      { question: 'rollback', expected_contains: ['quokka'] },
      { question: 'rollback', expected_docs: ['docs/zebra.md'] },
      { question: 'scheduler', expected_contains: ['coin toss'] },
      { question: 'nightly backup', expected_docs: ['docs/ops.md', 'docs/backup-copy.md'] },
      { question: 'ledger chapter', expected_contains: ['unwritten ledger chapter'] },
    )
    const reasons = (args: readonly string[]): readonly (readonly string[])[] => {
      const { questions } = JSON.parse(yore(['eval', '--json', ...args]).stdout)
      return questions.map(({ misses }: { misses: { reason: string }[] }) =>
        misses.map(({ reason }) => reason),
      )
    }
    // By words alone: by meaning everything is a little similar, and the reasons would depend on the model.
    writeFileSync(path.join(root, 'yore.json'), '{"embedding": { "weight": 0 }}')
    expect(reasons(['--max-tokens', '900'])).toEqual([
      ['not indexed'],
      ['ranked too low'],
      ['cut by the budget'],
      ['dropped as duplicate'],
      ['no text of its own'],
    ])
    ask({ question: 'rollback', expected_docs: ['docs/ops.md', 'archive/old.md'] })
    expect(reasons(['--sections', '1'])).toEqual([['ranked too low']])
    writeFileSync(path.join(root, 'yore.json'), '{"embedding": { "weight": 0 }, "relevanceThreshold": 1}')
    try {
      expect(reasons([])).toEqual([['below threshold']])
    } finally {
      removeFolder(path.join(root, 'yore.json'))
    }
  })

  it('prints JSON of a stable shape, the same twice', () => {
    ask(rollback, hopeless)
    const args = ['eval', '--json', '--now', '2025-11-29T15:23:00Z', '--max-tokens', '2000', '--depth', '0']
    const run = yore(args)
    expect(run.status).toBe(1)
    expect(yore(args)).toEqual(run)
    expect(JSON.parse(run.stdout)).toEqual({
      schemaVersion: 1,
      yoreVersion: expect.any(String),
      generatedAt: '2025-11-29T15:23:00.000Z',
      questionsFile: 'evaluation/questions.jsonl',
      fingerprint: expect.stringMatching(/^\w+$/),
      settings: { maxTokens: 2000, sections: 20, depth: 0, tokenizer: 'o200k', relevanceThreshold: 0.15 },
      minCoverage: 0.8,
      passed: false,
      totals: {
        questions: 2,
        passed: 1,
        passRate: 0.5,
        meanCoverage: 0.5,
        meanTokens: expect.any(Number),
        misses: { 'not indexed': 1 },
        forbidden: 0,
      },
      questions: [
        {
          id: '1',
          question: 'How do I roll back?',
          generated: false,
          passed: true,
          coverage: 1,
          tokens: expect.any(Number),
          phrases: { found: 1, of: 1 },
          documents: { found: 0, of: 0 },
          sections: { found: 0, of: 0 },
          hits: [
            {
              kind: 'phrase',
              expected: 'rollback command',
              path: 'docs/ops.md',
              passage: 1,
              cameAlong: false,
              rank: 1,
              ranks: expect.objectContaining({ words: 1, merged: 1, weighed: 1 }),
            },
          ],
          misses: [],
          forbidden: [],
        },
        expect.objectContaining({
          id: '2',
          passed: false,
          misses: [
            {
              kind: 'phrase',
              expected: 'quokka',
              reason: 'not indexed',
              detail: 'no document text in the index holds it',
              section: null,
              path: null,
              lines: null,
              rank: null,
              score: null,
              ranks: {},
            },
          ],
        }),
      ],
    })
  })

  it('compares with an earlier run', () => {
    const baseline = path.join(folder, 'baseline.json')
    ask(rollback, hopeless, rollback)
    writeFileSync(baseline, yore(['eval', '--json']).stdout)
    ask(hopeless, rollback, rollback)
    const run = yore(['eval', '--compare', baseline, '--max-tokens', '3000'])
    expect(run.stdout).toContain('since the baseline: 1 better, 1 worse, 1 the same, 0 new, 0 gone')
    expect(run.stdout).toContain('! maxTokens was 8000 and is 3000')
    expect(run.stdout).toMatch(/↓ now fails +1 {2}1\.00 → 0\.00/)
    expect(run.stdout).toMatch(/↑ now passes +2 {2}0\.00 → 1\.00/)
    const { comparison } = JSON.parse(yore(['eval', '--compare', baseline, '--json']).stdout)
    expect(comparison).toMatchObject({ counts: { fixed: 1, broken: 1, same: 1 }, differences: [] })
    writeFileSync(baseline, '{}')
    expect(yore(['eval', '--compare', baseline])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('is not an earlier evaluation: it has no schemaVersion'),
    })
    expect(yore(['eval', '--compare', path.join(folder, 'none.json')]).stderr).toMatch(/^error: cannot read /)
  })

  it('needs something to index', () => {
    const bare = path.join(folder, 'bare')
    mkdirSync(path.join(bare, '.git'), { recursive: true })
    const run = yore(['eval', path.join(root, 'docs', 'ops.md')], bare)
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(readdirSync(bare)).toEqual(['.git'])
  })
})

describe('yore eval init', () => {
  it('writes two examples, says what comes next, and keeps what is there', () => {
    const run = yore(['eval', 'init'])
    expect(run).toEqual({
      status: 0,
      stdout:
        'wrote two example questions to evaluation/questions.jsonl\nnext: replace them by what people ask, then run `yore eval`\n',
      stderr: '',
    })
    const written = readFileSync(path.join(root, questionsFile), 'utf8')
    expect(yore(['eval', 'init'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'error: evaluation/questions.jsonl exists already\nhint: run `yore eval` to use it, or add --force to replace it\n',
    })
    expect(yore(['eval', 'init', '--force']).status).toBe(0)
    expect(readFileSync(path.join(root, questionsFile), 'utf8')).toBe(written)
    expect(yore(['eval', '--min-coverage', '0', '--json']).status).toBe(0)
  })

  it('writes where it is told to', () => {
    const file = path.join(folder, 'mine', 'q.jsonl')
    expect(yore(['eval', 'init', file])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`run \`yore eval ${file}\``),
    })
    expect(existsSync(path.join(root, 'evaluation'))).toBe(false)
    expect(yore(['eval', file, '--min-coverage', '0']).status).toBe(0)
  })

  it('shows its own help', () => {
    expect(yore(['eval', 'init', '--help']).stdout).toContain('Usage: yore eval init [options] [questions]')
    expect(yore(['eval', '--help']).stdout).toContain('--min-coverage <n>')
  })
})
