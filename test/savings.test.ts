// Does `yore savings` tell what answers took? Only where the user allows it, the same from every surface, and without a word of them.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addReceipt, type Receipt, readReceipts } from '../src/answering/savings-log.ts'
import { defaultSettings } from '../src/config/settings.ts'
import type { Engine } from '../src/engine/engine.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { call, serveStdio } from './mcp-clients.ts'
import { plainVariables, type Ran, runYore } from './run-command-line.ts'
import { copyFixture, makeFolder, now, removeFolder, writeFiles } from './temporary-corpus.ts'

const question = 'How do I deploy a new service?'
let root: string
let home: string

const settings = { ...defaultSettings, savings: 'on', embedder: 'none' } as const

beforeEach(async () => {
  root = makeFolder()
  home = makeFolder()
  copyFixture('services', root)
  using engine = open()
  await engine.index()
})
afterEach(() => {
  removeFolder(root)
  removeFolder(home)
})

const own = (): Record<string, string> => ({
  ...{ HOME: home, XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' },
  ...{ YORE_EMBEDDER: 'none', YORE_REFRESH: 'never' },
})
const state = (): string => path.join(home, '.local/state/yore')
const log = (): string => path.join(state(), 'savings.jsonl')

function open(): Engine {
  return openEngine({ root, indexDir: path.join(root, '.yore'), settings, now, env: own(), clock: () => now })
}

function yore(args: readonly string[], more: Record<string, string> = {}): Ran {
  const env = { ...plainVariables(), NODE_NO_WARNINGS: '1', NO_COLOR: '1', ...own(), ...more }
  return runYore(args, { cwd: root, env })
}

it('nothing is kept until the user says so, whatever a repository says', async () => {
  writeFiles(root, { 'yore.json': '{ "savings": "on" }\n', '.env': 'YORE_SAVINGS=on\n' })
  {
    using engine = openEngine(root, { env: own() })
    expect((await engine.search('retry')).hits.length).toBeGreaterThan(0)
  }
  expect(readReceipts(own())).toEqual([])
  const { status, stdout, stderr } = yore(['savings'])
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'no receipts\n' })
  expect(stderr).toContain('yore config set savings on --scope user')
})

it('then answers are summed beside the quoted files, by day and corpus, and forgotten on demand', async () => {
  writeFiles(home, { '.config/yore/config.json': '{ "savings": "on" }\n' })
  expect(yore(['search', 'retry', 'budget'])).toMatchObject({ status: 0, stderr: expect.any(String) })
  {
    using engine = openEngine(root, { env: own() })
    await engine.assemble(question)
  }
  const kept = readReceipts(own())
  expect(kept.map(({ operation }) => operation)).toEqual(['search', 'assemble'])
  const text = readFileSync(log(), 'utf8')
  for (const word of ['deploy', 'retry', path.basename(root), '.md']) expect(text).not.toContain(word)
  if (process.platform !== 'win32') expect(statSync(log()).mode & 0o777).toBe(0o600)

  const shown = yore(['savings'])
  expect(shown.stderr).toBe('')
  expect(shown.stdout).toMatch(/^all +2 +[\d,]+ +[\d,]+ +\d+\.\d$/m)
  expect(shown.stdout).toContain('(this folder)')
  expect(shown.stdout).toContain('would not have read all of these files')
  const sums = JSON.parse(yore(['savings', '--json']).stdout) as Record<string, unknown>
  const served = kept.reduce((sum, one) => sum + one.served, 0)
  const touched = kept.reduce((sum, one) => sum + one.touched, 0)
  expect(touched).toBeGreaterThan(0)
  expect(sums).toMatchObject({ on: true, questions: 2, served, touched, ratio: touched / served })
  expect(sums['days']).toMatchObject([{ day: kept[0]?.day, questions: 2 }])
  expect(sums['corpora']).toMatchObject([{ corpus: kept[0]?.corpus, questions: 2 }])

  expect(yore(['savings', '--clear']).stderr).toContain('deleted the receipts of 2 answers')
  expect(readdirSync(state()).filter((name) => name.startsWith('savings'))).toEqual([])
})

it('agents and the daemon leave the receipts that a program leaves', async () => {
  const on = { ...own(), YORE_SAVINGS: 'on' }
  {
    using engine = openEngine(root, { env: on })
    await engine.search('retry budget')
  }
  const { client, close } = await serveStdio(root, 'legacy', on)
  await call(client, 'search', { words: 'retry budget' })
  await call(client, 'assemble_context', { question, maxTokens: 2000 })
  await close()
  const resident = { ...on, YORE_DAEMON: 'on' }
  expect(yore(['daemon'], resident).status).toBe(0)
  try {
    yore(['search', 'retry', 'budget'], resident)
    expect(JSON.parse(yore(['daemon', 'status', '--json'], resident).stdout)).toMatchObject({
      running: { answered: 1 },
    })
  } finally {
    yore(['daemon', 'stop'], resident)
  }
  const [program, agent, digest, daemon, ...more] = readReceipts(own())
  expect(agent).toEqual(program)
  expect(digest).toMatchObject({ operation: 'assemble', corpus: program?.corpus })
  expect(daemon).toEqual(program)
  expect(more).toEqual([])
})

describe('a receipt', () => {
  it('counts each quoted file once, as a whole, on the day that the clock says', async () => {
    using engine = open()
    const { digest, tokensUsed } = await engine.assemble(question)
    const paths = new Set([...digest.primary, ...digest.expanded].map((one) => one.path))
    let touched = 0
    for (const file of paths) touched += (await engine.describeDocument(file)).tokens
    const [receipt] = readReceipts(own())
    expect(receipt).toMatchObject({ day: '2025-11-29', served: tokensUsed, files: paths.size, touched })
  })

  it('that cannot be written fails no question', async () => {
    mkdirSync(log())
    using engine = open()
    expect((await engine.search('retry')).hits.length).toBeGreaterThan(0)
  })

  it('is one of at most 2 MB, and what is none is passed over', () => {
    const receipt: Receipt = {
      day: '2026-01-01',
      operation: 'search',
      corpus: 'c0ffee',
      served: 1,
      files: 1,
      touched: 2,
    }
    addReceipt(receipt, own())
    const line = readFileSync(log(), 'utf8')
    writeFileSync(log(), line.repeat(Math.ceil(2 ** 20 / line.length)))
    addReceipt(receipt, own())
    expect(statSync(log()).size).toBe(line.length)
    writeFileSync(log(), `${line}{"day":"2026-01-\n[]\nnull\n${line.replace('"served":1', '"served":"1"')}`)
    const before = Math.ceil(2 ** 20 / line.length)
    expect(readReceipts(own())).toHaveLength(before + 1)
    writeFileSync(log(), line.repeat(before))
    addReceipt(receipt, own())
    expect(readReceipts(own())).toHaveLength(before + 1)
  })
})
