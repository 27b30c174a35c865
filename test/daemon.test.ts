// Does a daemon change nothing but the time? The same bytes with it, without it, and when it goes, is old or is an impostor.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildOf, type DaemonReport } from '../src/offer/cli/ask-daemon.ts'
import { callDaemon, type DaemonAddress, findDaemon } from '../src/offer/service/call-daemon.ts'
import { serveDaemon } from '../src/offer/service/serve-daemon.ts'
import { copyFixture, makeFolder, removeFolder, writeFiles } from './temporary-corpus.ts'

const program = (name: string): string => path.join(import.meta.dirname, '../src/offer/cli', name)
const now = ['--now', '2025-11-29T15:23:00Z']
let root: string
let home: string
let daemon: ChildProcess | null = null

interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function environment(mode: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = { HOME: home, YORE_DAEMON: mode, NODE_NO_WARNINGS: '1', NO_COLOR: '1' }
  return { PATH: process.env['PATH'], ...own, ...more }
}

function yore(mode: string, args: readonly string[], more: Record<string, string> = {}): Promise<Outcome> {
  // Where a daemon was started just now, a command starts none.
  if (mode === 'on') openFolder('log')
  const options = { cwd: path.join(root, 'docs'), env: environment(mode, more) }
  const child = spawn(process.execPath, [program('main.ts'), ...args], options)
  const outcome = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (outcome[name] += text))
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...outcome })))
}

const folder = (): string => path.join(home, '.local/state/yore/daemon')
const place = (): DaemonAddress | null => findDaemon({ HOME: home })

function openFolder(name: string, text = ''): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  writeFileSync(path.join(folder(), name), text)
}

async function report(): Promise<DaemonReport> {
  return (await callDaemon(place() as DaemonAddress, { report: true })) as DaemonReport
}

async function startDaemon(more: Record<string, string> = {}): Promise<ChildProcess> {
  daemon = spawn(process.execPath, [program('daemon.ts')], { env: environment('on', more), stdio: 'inherit' })
  while (place()?.pid !== daemon.pid) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with ${daemon.exitCode}`)
    await setTimeout(20)
  }
  return daemon
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('exit', resolve))
}

beforeAll(async () => {
  root = makeFolder()
  home = makeFolder()
  copyFixture('services', root)
  writeFiles(root, { 'docs/draft.md': '# Draft\n\nNot for everybody.\n', '.yoreignore': 'draft.md\n' })
  expect(await yore('off', ['index', '--quiet', '-C', '..'])).toMatchObject({ status: 0, stderr: '' })
})
afterAll(() => {
  removeFolder(root)
  removeFolder(home)
})
afterEach(async () => {
  if (daemon !== null) {
    daemon.kill('SIGKILL')
    await gone(daemon)
  }
  daemon = null
  removeFolder(folder())
})

describe('with a daemon and without', () => {
  it('every command writes the same, and ends the same', async () => {
    await startDaemon()
    const lines = [
      ['assemble', 'How do I deploy a new service?', '--explain', '--color', 'always', ...now],
      ['assemble', 'How do I deploy a new service?', '--format', 'json', ...now],
      ['search', 'deploy', 'service', '--color', 'always', '--explain', ...now],
      ['search', 'deploy', '--json', '--refresh', 'never', ...now],
      ['search', 'zyzzyva', '--exit-code', ...now],
      ['read', 'adr/ADR-0007-message-bus.md'],
      ['outline'],
      ['uses', 'adr/ADR-0007-message-bus.md', '--json'],
      ['graph', 'adr/ADR-0007-message-bus.md'],
      ['links'],
      ['health'],
      ['expand', 'adr/ADR-0007-message-bus.md'],
    ]
    for (const line of lines) {
      const alone = await yore('off', line)
      // Twice: an engine that is open knows more than one that opens.
      expect(await yore('on', line), line.join(' ')).toEqual(alone)
      expect(await yore('on', line), line.join(' ')).toEqual(alone)
      expect(alone.stderr).not.toMatch(/^error/m)
    }
    // One that the machine kept waiting may have been answered without it.
    expect((await report()).answered).toBeGreaterThan(lines.length)
  })

  it('failures, help and what writes are left to the command itself', async () => {
    await startDaemon()
    const file = path.join(home, 'digest.md')
    for (const line of [
      ['search', '--limt', '3'],
      ['read', 'draft.md'],
      ['search', '--help'],
      ['assemble', 'deploy', '--output', file, ...now],
      ['search', 'x', '-C', home, '--refresh', 'never'],
    ])
      expect(await yore('on', line), line.join(' ')).toEqual(await yore('off', line))
    expect(readFileSync(file, 'utf8')).toContain('deploy')
    expect((await report()).answered).toBe(0)
  })

  it('an edit is in the next answer', async () => {
    await startDaemon()
    const file = path.join(root, 'docs/animals.md')
    for (const word of ['ocelot', 'okapi', 'osprey']) {
      writeFileSync(file, `# Animals\n\nToday: the ${word}.\n`)
      expect((await yore('on', ['search', word, '--json'])).stdout).toContain('docs/animals.md')
    }
    rmSync(file)
    expect((await yore('on', ['search', 'osprey', '--exit-code', '--mode', 'lexical'])).status).toBe(3)
    const rulebook = path.join(root, 'yore.rulebook.json')
    writeFileSync(rulebook, '{')
    const broken = await yore('on', ['expand', 'adr/ADR-0007-message-bus.md'])
    rmSync(rulebook)
    expect(broken).toMatchObject({ status: 1, stderr: expect.stringContaining('yore.rulebook.json') })
    expect((await report()).answered).toBeGreaterThan(2)
  })

  it('callers at once get their own answers, each in its environment', async () => {
    await startDaemon()
    const line = ['assemble', 'How do I deploy a new service?', ...now]
    const all = await Promise.all([
      yore('on', line),
      yore('on', line, { YORE_MAX_TOKENS: '600' }),
      yore('on', line),
    ])
    expect((await report()).answered).toBeGreaterThan(0)
    expect(all[0]).toEqual(await yore('off', line))
    expect(all[1]).toEqual(await yore('off', line, { YORE_MAX_TOKENS: '600' }))
    expect(all[2]).toEqual(all[0])
  })
})

describe('a daemon that cannot answer', () => {
  const line = ['search', 'deploy', ...now]
  let alone: Outcome
  beforeAll(async () => {
    alone = await yore('off', line)
  })

  it('that is killed in the middle leaves the answer to the command', async () => {
    const child = await startDaemon()
    child.kill('SIGSTOP')
    const asking = yore('on', line)
    await setTimeout(300)
    child.kill('SIGKILL')
    expect(await asking).toEqual(alone)
  })

  it('that is busy is not waited for', async () => {
    ;(await startDaemon()).kill('SIGSTOP')
    expect(await yore('on', line)).toEqual(alone)
  })

  it('of another build is not asked', async () => {
    await startDaemon()
    openFolder('place.json', JSON.stringify({ ...place(), build: 'another yore' }))
    expect(await yore('on', line)).toEqual(alone)
    expect((await report()).answered).toBe(0)
  })

  it.each([
    ['says half of an answer', 'welcome', '{"status":0,"written":[["stdout","planted'],
    ['does not know the word', 'hello', '{"status":0,"written":[["stdout","planted"]]}\n'],
    ['talks without end', 'x'.repeat(4 << 20), ''],
  ])('that %s is as none', async (_, welcome, answer) => {
    openFolder('log')
    const address = path.join(folder(), 'socket')
    let heard = ''
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.on('data', (text) => {
        heard += text
        if (heard === 'knock\n') socket.write(`${welcome}\n`)
        else socket.end(answer)
      })
    }).listen(address)
    openFolder(
      'place.json',
      JSON.stringify({ pid: 1, build: buildOf(), address, knock: 'knock', welcome: 'welcome' }),
    )
    const outcome = await yore('on', line)
    server.close()
    expect(outcome).toEqual(alone)
    // Who does not know the word is told nothing.
    expect(heard.includes('deploy')).toBe(welcome === 'welcome')
  })
})

describe('a socket', () => {
  it('is for its user alone, and tells nothing to who does not knock', async () => {
    await startDaemon()
    const { address, welcome } = place() as DaemonAddress
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    for (const file of [address, path.join(folder(), 'place.json')])
      expect(statSync(file).mode & 0o777, file).toBe(0o600)
    const guess = { ...(place() as DaemonAddress), knock: 'guessed' }
    expect(await callDaemon(guess, { report: true })).toBe(null)
    expect(await callDaemon({ ...guess, knock: `x${welcome}` }, { stop: true })).toBe(null)
    expect((await report()).answered).toBe(0)
  })

  it('in a folder that others may enter, that is a link or that is theirs, is not used', async () => {
    await startDaemon()
    expect(place()).not.toBe(null)
    chmodSync(folder(), 0o755)
    expect(place()).toBe(null)
    expect((await yore('', ['daemon'])).stderr).toContain('is accessible to other users\nhint: ')
    chmodSync(folder(), 0o700)
    if (process.getuid?.() === 0) {
      chownSync(folder(), 65_534, 65_534)
      expect(place()).toBe(null)
      chownSync(folder(), 0, 0)
      chownSync(path.join(folder(), 'socket'), 65_534, 65_534)
      expect(place()).toBe(null)
    }
    const options = {
      folder: folder(),
      build: '',
      answer: async () => 0,
      idleMilliseconds: 1,
      isSpent: () => true,
    }
    rmSync(folder(), { recursive: true })
    symlinkSync(home, folder())
    expect(place()).toBe(null)
    await expect(serveDaemon(options, AbortSignal.abort())).rejects.toMatchObject({ code: 'NO_PERMISSION' })
  })
})

describe('a daemon comes and goes', () => {
  it('by the first command where the user allows it, once, in place of what a dead one left', async () => {
    const first = await startDaemon()
    first.kill('SIGKILL')
    await gone(first)
    expect(statSync(path.join(folder(), 'socket')).isSocket()).toBe(true)
    rmSync(path.join(folder(), 'log'), { force: true })
    const line = ['search', 'deploy', ...now]
    // What a repository says does not count.
    writeFileSync(path.join(root, 'yore.json'), '{ "daemon": "on" }')
    const refused = await yore('', line)
    rmSync(path.join(root, 'yore.json'))
    expect(refused.stderr).toContain('yore.json')
    expect(statSync(path.join(folder(), 'log'), { throwIfNoEntry: false })).toBe(undefined)
    writeFiles(home, { '.config/yore/config.json': '{ "daemon": "on" }' })
    await yore('', line)
    let second = place()
    for (; second === null || second.pid === first.pid; second = place()) await setTimeout(20)
    const third = spawn(process.execPath, [program('daemon.ts')], { env: environment('on') })
    await gone(third)
    expect(place()).toEqual(second)
    const shown = await yore('', ['daemon', 'status'])
    expect(shown).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining(`process ${second.pid}`),
    })
    expect((await yore('', ['daemon', 'stop'])).stderr).toBe(`note: stopped process ${second.pid}\n`)
    while (place() !== null) await setTimeout(20)
    expect((await yore('', ['daemon', 'status'])).stdout).toBe('not running\n')
    rmSync(path.join(home, '.config'), { recursive: true })
  })

  it('when nobody asks, and when it takes too much or its own files changed', async () => {
    const base = { folder: folder(), build: '', answer: async (asked: unknown) => asked }
    const never = new AbortController().signal
    const start = performance.now()
    expect(await serveDaemon({ ...base, idleMilliseconds: 50, isSpent: () => false }, never)).toBe(true)
    expect(performance.now() - start).toBeGreaterThanOrEqual(50)
    let spent = false
    const served = serveDaemon({ ...base, idleMilliseconds: 60_000, isSpent: () => spent }, never)
    while (place() === null) await setTimeout(5)
    const here = place() as DaemonAddress
    expect(await callDaemon(here, { say: 'é\ud800\n' })).toEqual({ say: 'é\ud800\n' })
    spent = true
    // The last answer is whole.
    expect(await callDaemon(here, 'x'.repeat(1 << 20))).toHaveLength(1 << 20)
    expect(await served).toBe(true)
    expect(place()).toBe(null)
  })
})
