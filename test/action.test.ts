// Does the GitHub Action say what a pull request does to the documents? Run on a repository, against a server that speaks GitHub's API.
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { copyFixture, makeFolder, removeFolder } from './temporary-corpus.ts'

interface Comment {
  readonly id: number
  body: string
  readonly user: { readonly type: string }
}

const home = path.join(import.meta.dirname, '..')
const root = makeFolder()
/** A hundred comments of others, and one that forges the mark: the own one is on the second page. */
const comments: Comment[] = Array.from({ length: 100 }, (_, id) => ({
  id,
  body: id === 7 ? '<!-- yore: documents and this change -->' : 'Nice!',
  user: { type: 'User' },
}))
const asked: string[] = []
let refuses = false

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://localhost')
    asked.push(`${request.method} ${url.pathname}`)
    const allowed = request.headers.authorization === 'Bearer token' && !(refuses && request.method !== 'GET')
    response.writeHead(allowed ? 200 : 403, { 'content-type': 'application/json' })
    if (!allowed) return void response.end('{}')
    const page = Number(url.searchParams.get('page') ?? 1)
    if (request.method === 'GET') {
      response.end(JSON.stringify(comments.slice(100 * (page - 1), 100 * page)))
      return
    }
    const { body } = JSON.parse(text) as { body: string }
    const known = comments.find(({ id }) => url.pathname === `/repos/o/r/issues/comments/${id}`)
    if (known === undefined) comments.push({ id: 500, body, user: { type: 'Bot' } })
    else known.body = body
    response.end('{}')
  })
})

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim()

function edit(file: string, from: string, to: string): void {
  const place = path.join(root, file)
  const text = readFileSync(place, 'utf8')
  expect(text).toContain(from)
  writeFileSync(place, text.replace(from, to))
}

beforeAll(async () => {
  copyFixture('mixed', root)
  writeFileSync(
    path.join(root, 'docs/design.md'),
    '# Design\n\n`call_with_retry()` keeps what it cannot deliver.\n',
  )
  git('init', '--quiet', '.')
  git('add', '-A')
  git('commit', '--quiet', '-m', 'before')
  const sha = git('rev-parse', 'HEAD')
  edit('docs/runbook.md', 'ADR-004', 'ADR-404')
  edit('src/pauses.py', 'class Pauses', 'class OtherPauses')
  edit('src/retry.py', 'return give_up(call)', 'return give_up(call) or policy')
  git('commit', '--quiet', '-am', 'after')
  const event = { pull_request: { number: 3, base: { sha } } }
  writeFileSync(path.join(root, '.git/event.json'), JSON.stringify(event))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
  removeFolder(root)
})

async function act(inputs: Record<string, string> = {}): Promise<{ code: number; out: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_EVENT_PATH: path.join(root, '.git/event.json'),
    GITHUB_STEP_SUMMARY: path.join(root, '.git/summary.md'),
    INPUT_TOKEN: 'token',
    INPUT_SARIF: '.git/yore.sarif',
    INPUT_COMMAND: `${process.execPath} ${path.join(home, 'src/offer/cli/main.ts')}`,
    ...inputs,
  }
  const run = promisify(execFile)(process.execPath, [path.join(home, 'action/comment.js')], {
    cwd: root,
    env,
  })
  return run.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, out: error.stdout }),
  )
}

it('writes one comment, changes it on the next run, and keeps the findings as SARIF', async () => {
  expect(await act()).toEqual({ code: 0, out: '' })
  const written = comments.at(-1)?.body ?? ''
  expect(written).toContain('`docs/runbook.md:5` `ADR-404 does not exist`')
  expect(written).toContain('**Documents that this change touches**\n\n- `docs/runbook.md`')
  expect(written).toMatch(/May be stale: [^*]+\*\*\n\n- `docs\/design\.md:3`[^\n]*call_with_retry/)
  expect(readFileSync(path.join(root, '.git/summary.md'), 'utf8')).toBe(written)
  const sarif = JSON.parse(readFileSync(path.join(root, '.git/yore.sarif'), 'utf8')) as {
    runs: { results: { ruleId: string }[] }[]
  }
  expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toContain('broken-reference')

  edit('docs/runbook.md', 'ADR-404', 'ADR-004')
  expect((await act()).code).toBe(0)
  expect(comments.length).toBe(101)
  expect(comments.at(-1)?.body).not.toContain('ADR-404')
  expect(comments[7]?.body).toBe('<!-- yore: documents and this change -->')
  expect(asked.filter((one) => !one.startsWith('GET'))).toEqual([
    'POST /repos/o/r/issues/3/comments',
    'PATCH /repos/o/r/issues/comments/500',
  ])
})

it('fails where it is told to, and not because a token may only read', async () => {
  edit('docs/runbook.md', 'ADR-004', 'ADR-404')
  refuses = true
  const { code, out } = await act({ 'INPUT_FAIL-ON': 'error' })
  expect(code).toBe(1)
  expect(out).toContain('::warning::no comment was written: PATCH')
  expect(out).toContain('::error::documents that this change touches need care')
})

it.skipIf(process.platform === 'win32')(
  'gives the program of the checkout no token, writes through no link, and runs no git of the checkout',
  async () => {
    const bin = path.join(root, 'node_modules/.bin')
    const outside = makeFolder()
    const secret = path.join(outside, 'secret.txt')
    const told = path.join(outside, 'told.txt')
    mkdirSync(bin, { recursive: true })
    writeFileSync(secret, 'as it was\n')
    writeFileSync(
      path.join(bin, 'spy'),
      `#!/bin/sh\nenv >> ${told}\nexec ${process.execPath} ${path.join(home, 'src/offer/cli/main.ts')} "$@"\n`,
    )
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho planted git >> ${told}\nexit 1\n`)
    for (const name of ['spy', 'git']) chmodSync(path.join(bin, name), 0o755)
    symlinkSync(secret, path.join(root, 'yore.sarif'))
    const inputs = {
      INPUT_TOKEN: 'ghs_canary',
      ACTIONS_RUNTIME_TOKEN: 'ghs_canary',
      GITHUB_TOKEN: 'ghs_canary',
      PATH: `${bin}:${process.env['PATH']}`,
      INPUT_COMMAND: path.join(bin, 'spy'),
      INPUT_SARIF: 'yore.sarif',
    }
    expect((await act(inputs)).code).toBe(0)
    expect(readFileSync(told, 'utf8')).not.toMatch(/ghs_canary|INPUT_|planted git/)
    expect(readFileSync(secret, 'utf8')).toBe('as it was\n')
    expect(JSON.parse(readFileSync(path.join(root, 'yore.sarif'), 'utf8'))).toHaveProperty('runs')
    symlinkSync(outside, path.join(root, 'out'))
    expect((await act({ ...inputs, INPUT_SARIF: 'out/yore.sarif' })).code).toBe(1)
    expect(existsSync(path.join(outside, 'yore.sarif'))).toBe(false)
    for (const name of ['out', 'yore.sarif', 'node_modules'])
      rmSync(path.join(root, name), { recursive: true })
    removeFolder(outside)
  },
)

it('declares the inputs that it reads, and a program that is there', () => {
  const { inputs, runs } = parse(readFileSync(path.join(home, 'action/action.yml'), 'utf8')) as {
    inputs: Record<string, unknown>
    runs: { using: string; main: string }
  }
  const program = readFileSync(path.join(home, 'action', runs.main), 'utf8')
  const read = [...program.matchAll(/\binput\('([\w-]+)'/g)].map(([, name]) => name)
  expect([...new Set(read)].sort()).toEqual(Object.keys(inputs).sort())
  expect(existsSync(path.join(home, 'action', runs.main))).toBe(true)
})
