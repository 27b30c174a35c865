// Does `yore eval` keep its contract from end to end? Real processes, a real index, questions of a small repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
    '# Deploying\n\nHow services reach production, step by step; see [undoing a bad release](ops.md#rollback) when it fails.\n\n## Required steps\n\nRun `./scripts/new_service.sh` and register the service in services.yaml before anything else.\n\n## Deploy a new service\n\nEvery service has one entry in services.yaml: its name, its owner, its port and the channel that hears of its failures. Ask the platform team for a review of the entry, then merge it and wait until the nightly job has picked it up.\n',
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

describe('yore eval', () => {
  it('says what to do when there are no questions', () => {
    expect(yore(['eval'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'error: no questions at evaluation/questions.jsonl\nhint: run `yore eval --propose` for questions about your documents\n',
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
    expect(run.stdout).toContain('missing phrase "quokka"')
    expect(run.stdout).toContain('1 of 2 questions pass (50 %); failed (threshold 80 %)')
    expect(yore(['eval', '--min-coverage', '0.5']).status).toBe(0)
    expect(yore(['eval', '--min-coverage', '0.51']).status).toBe(1)
    expect(yore(['eval', '--min-coverage', '1.5']).stderr).toMatch(
      /^error: --min-coverage must be a number from 0 to 1/,
    )
  })

  it('prints JSON of a stable shape, the same twice', () => {
    ask(rollback, hopeless)
    const args = ['eval', '--json', '--now', '2025-11-29T15:23:00Z', '--max-tokens', '2000', '--depth', '0']
    const run = yore(args)
    expect(run.status).toBe(1)
    expect(yore(args)).toEqual(run)
    expect(JSON.parse(run.stdout)).toEqual({
      schemaVersion: 2,
      yoreVersion: expect.any(String),
      generatedAt: '2025-11-29T15:23:00.000Z',
      questionsFile: 'evaluation/questions.jsonl',
      fingerprint: expect.stringMatching(/^\w+$/),
      settings: { maxTokens: 2000, sections: 20, depth: 0, relevanceThreshold: 0.15 },
      minCoverage: 0.8,
      passed: false,
      totals: {
        questions: 2,
        passed: 1,
        passRate: 0.5,
        meanCoverage: 0.5,
        meanTokens: expect.any(Number),
      },
      questions: [
        {
          id: '1',
          question: 'How do I roll back?',
          passed: true,
          coverage: 1,
          tokens: expect.any(Number),
          misses: [],
          forbidden: [],
        },
        expect.objectContaining({
          id: '2',
          passed: false,
          misses: [{ kind: 'phrase', expected: 'quokka', problem: null }],
        }),
      ],
    })
  })

  it('needs something to index', () => {
    const bare = path.join(folder, 'bare')
    mkdirSync(path.join(bare, '.git'), { recursive: true })
    const run = yore(['eval', path.join(root, 'docs', 'ops.md')], bare)
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(readdirSync(bare)).toEqual(['.git'])
  })
})

describe('yore eval --propose', () => {
  it('writes questions that the corpus answers, says what comes next, and keeps what is there', () => {
    const run = yore(['eval', '--propose'])
    expect([run.status, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatch(
      /^wrote \d+ questions? to evaluation\/questions\.jsonl\nnext: edit them to what people ask, then run `yore eval` with this file\n$/,
    )
    const written = readFileSync(path.join(root, questionsFile), 'utf8')
    expect(JSON.parse(written.split('\n')[0] as string)).toMatchObject({
      id: 'proposed-1',
      question: expect.stringMatching(/\?$/),
      expected_sections: [expect.stringMatching(/^docs\/\w+\.md#/)],
    })
    expect(yore(['eval', '--propose'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'error: evaluation/questions.jsonl exists already\nhint: run `yore eval` to use it, or name another file\n',
    })
    expect(yore(['eval']).status).toBe(0)
  })

  it('writes where it is told to', () => {
    const file = path.join(folder, 'mine', 'q.jsonl')
    expect(yore(['eval', '--propose', file])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(file),
    })
    expect(existsSync(path.join(root, 'evaluation'))).toBe(false)
    expect(yore(['eval', file, '--min-coverage', '0']).status).toBe(0)
  })

  it('replaces `yore eval init`', () => {
    expect(yore(['eval', 'init'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: `yore eval init` was removed\nhint: use `yore eval --propose`\n',
    })
  })
})
