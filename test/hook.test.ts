// What does a hook add to an agent's own search? Real runs against a real index.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patternOfCall } from '../src/offer/cli/search-hook.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { makeFolder, removeFolder, writeFiles } from './temporary-corpus.ts'

const program = (name: string): string => path.join(import.meta.dirname, '../src/offer/cli', name)
const silent = { status: 0, stdout: '', stderr: '' }

let home: string
let project: string
const env = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: home,
  NODE_NO_WARNINGS: '1',
  // Sources start slower than the package.
  YORE_HOOK_MILLISECONDS: '20000',
  ...more,
})

beforeAll(() => {
  home = realpathSync(makeFolder())
  project = path.join(home, 'project')
  mkdirSync(path.join(project, '.git'), { recursive: true })
  writeFiles(project, {
    'README.md': '# Retries\n\nA failed delivery is repeated by `retryDelivery` with a growing pause.\n',
    'src/deliver.ts':
      'export function retryDelivery(order: string): number {\n  return pauseOf(order.length)\n}\n\nexport function pauseOf(attempt: number): number {\n  return attempt * 1000\n}\n',
    'src/orders.ts':
      "import { retryDelivery } from './deliver.ts'\n\nexport function sendOrder(order: string): number {\n  return retryDelivery(order)\n}\n",
  })
  expect(
    spawnSync(process.execPath, [program('main.ts'), 'index'], { cwd: project, env: env() }).status,
  ).toBe(0)
})
afterAll(() => removeFolder(home))

function hook(does: string, said: unknown, more: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program('main.ts'), 'hook', does], {
    cwd: home,
    encoding: 'utf8',
    input: typeof said === 'string' ? said : JSON.stringify(said),
    env: env(more),
  })
  return { status, stdout, stderr }
}

const grep = (pattern: string, more: Record<string, string> = {}, session = 'one') =>
  hook(
    'before-search',
    {
      cwd: project,
      session_id: session,
      hook_event_name: 'PreToolUse',
      tool_name: 'Grep',
      tool_input: { pattern },
    },
    more,
  )

function hintIn({ status, stdout, stderr }: ReturnType<typeof hook>): string {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  if (stdout === '') return ''
  const { hookSpecificOutput, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({})
  expect(Object.keys(hookSpecificOutput)).toEqual(['hookEventName', 'additionalContext'])
  expect(hookSpecificOutput.hookEventName).toBe('PreToolUse')
  expect(loadTokenizer()(hookSpecificOutput.additionalContext)).toBeLessThanOrEqual(200)
  return hookSpecificOutput.additionalContext
}

const defined =
  '- defined: src/deliver.ts:1-4 export function retryDelivery(order: string): number (used at 2 places)'

describe('before a search', () => {
  it('names the definition with its uses, and the best sections, without embeddings', () => {
    expect(hintIn(grep('function\\s+retryDelivery\\b'))).toBe(
      `From yore's index of this repository:\n${defined}\n- read: README.md:1-3 Retries\n- read: src/orders.ts:3-5 sendOrder`,
    )
  })

  it('adds nothing twice in a session, and remembers the latest session alone', () => {
    const first = hintIn(grep('retryDelivery', {}, 'two'))
    expect(first).toContain(defined)
    expect(hintIn(grep('retryDelivery', {}, 'two'))).toBe('')
    expect(hintIn(grep('retryDelivery', {}, 'three'))).toBe(first)
    expect(hintIn(grep('retryDelivery', {}, 'two'))).toBe(first)
  })

  it('keeps what it told to itself, and does without it where that is broken', () => {
    const folder = path.join(home, '.local/state/yore/hints')
    const [file = ''] = readdirSync(folder)
    expect(readdirSync(folder)).toHaveLength(1)
    if (process.platform !== 'win32') expect(statSync(path.join(folder, file)).mode & 0o077).toBe(0)
    writeFileSync(path.join(folder, file), '{ broken')
    expect(hintIn(grep('retryDelivery'))).toContain(defined)
  })

  it('is silent when it has nothing to add, is late, or anything is wrong', () => {
    for (const pattern of ['zyzzyva', '**/*.ts']) expect(grep(pattern, {}, 'new'), pattern).toEqual(silent)
    expect(grep('retryDelivery', { YORE_HOOK_MILLISECONDS: '1' })).toEqual(silent)
    for (const said of [
      'no JSON',
      '[]',
      'null',
      '{}',
      { cwd: 7 },
      { cwd: home, tool_input: { pattern: 'x' } },
    ])
      expect(hook('before-search', said)).toEqual(silent)
    const inFile = { pattern: 'retryDelivery', path: 'src/deliver.ts' }
    expect(hook('before-search', { cwd: project, tool_input: inFile })).toEqual(silent)
    const other = path.join(home, 'other')
    mkdirSync(path.join(other, '.yore'), { recursive: true })
    writeFileSync(path.join(other, '.yore/index.db'), 'not a database')
    expect(hook('before-search', { cwd: other, tool_input: { pattern: 'retryDelivery' } })).toEqual(silent)
    writeFileSync(path.join(other, 'yore.json'), '{ broken')
    expect(hook('before-search', { cwd: other, tool_input: { pattern: 'retryDelivery' } })).toEqual(silent)
  })
})

it('says what is indexed when a session starts, and nothing without an index', () => {
  expect(hook('session-start', { cwd: home })).toEqual(silent)
  expect(hook('session-start', 'no JSON')).toEqual(silent)
  const started = hook('session-start', { cwd: project, source: 'startup' })
  expect(started).toMatchObject({ status: 0, stderr: '' })
  expect(started.stdout).toMatch(/^yore has indexed this repository.*: 3 files, \d sections\.\n/)
  expect(started.stdout.trimEnd().split('\n')).toHaveLength(3)
})

it.each([
  ['grep -rn "how to deploy" .', 'how to deploy'],
  ['grep -rn --include "*.ts" sendOrder src', 'sendOrder'],
  ["cd src && rg -n -C 3 'class\\s+Foo' --type ts", 'class\\s+Foo'],
  ['git grep -n retryDelivery -- src', 'retryDelivery'],
  ['rg -e retry -e pause', 'retry'],
  ['find . -iname "*deliver*" -type f', '*deliver*'],
  ['ls -la | grep retry', null],
  ['grep retry src/deliver.ts', null],
  ['find . -type f', null],
  ['npm test', null],
  ['', null],
])('the command %j searches for %j', (command, pattern) => {
  expect(patternOfCall({ tool_input: { command } }, '/')).toBe(pattern)
})
