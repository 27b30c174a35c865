// Does a repository by its address become a corpus, and can its address be used to reach what is inside? A real git over real HTTP.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchRepository } from '../src/ingest/fetch-repository.ts'
import { fetchDefaults, publicAddresses } from '../src/yore.ts'
import { type Answer, Client, startService, type TestService } from './service.ts'

let folder: string
let server: Server
let base: string
let service: TestService
let client: Client
/** Paths that were asked for. */
const asked: string[] = []

/** Two halves of git's protocol over HTTP, by git itself. */
function serveGit(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://x')
  asked.push(url.pathname)
  if (url.pathname.startsWith('/moved')) {
    response
      .writeHead(302, { location: `${base}/docs.git${url.pathname.slice('/moved'.length)}${url.search}` })
      .end()
    return
  }
  const repository = path.join(folder, path.basename(path.dirname(url.pathname.replace('/info/refs', '/x'))))
  const advertises = url.pathname.endsWith('/info/refs')
  const kind = advertises ? 'advertisement' : 'result'
  response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${kind}` })
  if (advertises) response.write('001e# service=git-upload-pack\n0000')
  const args = ['upload-pack', '--stateless-rpc', ...(advertises ? ['--advertise-refs'] : []), repository]
  const env = { ...process.env, GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }
  const git = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  if (advertises) git.stdin.end()
  else body.pipe(git.stdin)
  git.stdin.on('error', () => {})
  git.stdout.pipe(response)
}

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: path.join(folder, 'docs.git'),
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_COMMITTER_DATE: '2025-09-15T12:00:00Z',
      GIT_AUTHOR_DATE: '2025-09-15T12:00:00Z',
    },
  })

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-repository-'))
  const work = path.join(folder, 'docs.git')
  mkdirSync(path.join(work, 'docs'), { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(path.join(work, 'README.md'), '# Kites\n\nKites need wind.\n')
  writeFileSync(path.join(work, 'docs', 'old.md'), '# Old\n\nKites needed paper.\n')
  writeFileSync(path.join(work, 'large.md'), `# Large\n\n${'x '.repeat(1_200_000)}\n`)
  symlinkSync('/etc/passwd', path.join(work, 'passwd.md'))
  git('add', '-A')
  git('commit', '--quiet', '-m', 'first')
  server = createServer(serveGit)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // This machine stands for the internet here, under one name.
  const policy = {
    ...publicAddresses,
    protocols: ['http:'],
    isAllowed: (address: string) => address === '127.0.0.1',
    lookup: async (host: string) => [host === 'git.example' ? '127.0.0.1' : '10.0.0.1'],
  }
  service = await startService({ git: { ...fetchDefaults, policy } })
  client = new Client(service.url, service.key)
})
afterAll(async () => {
  await service.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** By a name that no resolver knows: what was looked at is what is connected to. */
const named = (name: string): string => `http://git.example:${new URL(base).port}/${name}`

const bring = (url: string, ref?: string, corpus = 'kites'): Promise<Answer> =>
  client.call('POST', '/v1/ingest/git', { url, corpus, ...(ref === undefined ? {} : { ref }) })

const paths = async (): Promise<string[]> => {
  const { body } = await client.call('GET', '/v1/corpora/kites/documents')
  return body.items.map((item: { path: string }) => item.path)
}

describe('a repository', () => {
  it('becomes a corpus without its links and large files, and loses what it does not hold any more', async () => {
    await client.call('POST', '/v1/corpora', { name: 'kites' })
    const first = await bring(named('docs.git'))
    expect(first.status).toBe(202)
    expect(first.headers.get('location')).toBe(`/v1/ingestions/${first.body.id}`)
    expect(await client.wait(first.body.id)).toMatchObject({
      state: 'completed',
      kind: 'git',
      skipped: {
        count: 2,
        first: [
          { path: 'large.md', reason: 'larger than 2 MB' },
          { path: 'passwd.md', reason: 'links and submodules are not followed' },
        ],
      },
    })
    expect(await paths()).toEqual(['README.md', 'docs/old.md'])
    await client.wait((await client.upload('mine.md', '# Mine\n', { corpus: 'kites' })).body.id)
    git('rm', '--quiet', 'docs/old.md')
    writeFileSync(path.join(folder, 'docs.git', 'new.md'), '# New\n\nKites need string.\n')
    git('add', '-A')
    git('commit', '--quiet', '-m', 'second')
    const second = await bring(named('docs.git'))
    expect(await client.wait(second.body.id)).toMatchObject({ state: 'completed' })
    // What was uploaded beside it stays.
    expect(await paths()).toEqual(['README.md', 'mine.md', 'new.md'])
    const { body } = await client.call('POST', '/v1/corpora/kites/search', { query: 'What do kites need?' })
    expect(body.hits.map((hit: { path: string }) => hit.path)).toContain('new.md')
    expect((await client.call('GET', '/v1/corpora/kites/documents')).body.items[0].modified_at).toBe(
      '2025-09-15T12:00:00.000Z',
    )
  })

  it.each([
    ['that is not there', 'nothing.git', undefined],
    ['that leads elsewhere', 'moved', undefined],
    ['without the ref', 'docs.git', 'no-such-branch'],
  ])('%s fails in words that tell nothing of the inside', async (_, name, ref) => {
    asked.length = 0
    const { body } = await bring(named(name), ref)
    const ended = await client.wait(body.id)
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'BAD_REPOSITORY' } })
    expect(ended.error.detail).toMatch(/^cannot fetch the repository/)
    if (name === 'moved') expect(asked.every((place) => place.startsWith('/moved'))).toBe(true)
  })

  it('by a name that leads inside is asked for nothing', async () => {
    asked.length = 0
    const { body } = await bring(`http://inside.example:${new URL(base).port}/docs.git`)
    expect(await client.wait(body.id)).toMatchObject({
      state: 'failed',
      error: { detail: 'the address is not public' },
    })
    expect(asked).toEqual([])
  })

  it('is refused at once when its address or ref is none', async () => {
    for (const url of [
      'https://git.example/x',
      'file:///etc',
      'http://10.0.0.1/x',
      'http://a:b@git.example/x',
    ])
      expect((await bring(url)).body.code).toBe('BAD_REPOSITORY')
    for (const ref of ['--upload-pack=id', 'a..b', '../x', 'x y', '']) {
      const { body } = await bring(named('docs.git'), ref)
      expect([ref, body.code]).toEqual([ref, 'BAD_REPOSITORY'])
    }
  })
})

describe('limits', () => {
  const policy = {
    ...publicAddresses,
    protocols: ['http:'],
    isAllowed: () => true,
    lookup: async () => ['127.0.0.1'],
  }
  const fetchWith = (limits: Partial<typeof fetchDefaults>): Promise<unknown> =>
    fetchRepository(`${named('docs.git')}#main`, mkdtempSync(path.join(folder, 'out-')), {
      ...fetchDefaults,
      policy,
      ...limits,
    })

  it.each([
    ['files', { files: 1 }, 'TOO_LARGE'],
    ['bytes of its files', { totalBytes: 30 }, 'TOO_LARGE'],
    ['bytes of the pack', { packBytes: 512 }, 'BAD_REPOSITORY'],
    ['time', { timeoutMs: 1 }, 'BAD_REPOSITORY'],
  ] as const)('hold for %s', async (_, limits, code) => {
    await expect(fetchWith(limits)).rejects.toMatchObject({ code })
  })
})

describe('a repository that unfolds without end', () => {
  it('is left after as much of its list as a corpus may have', async () => {
    const run = (input: string, ...args: string[]): string =>
      execFileSync('git', args, { cwd: path.join(folder, 'docs.git'), input, encoding: 'utf8' }).trim()
    let object = run('# Bomb\n', 'hash-object', '-w', '--stdin')
    // Each folder holds ten times the same one: a million paths of a hundred characters out of seven objects.
    for (let level = 0; level < 6; level++) {
      const kind = level === 0 ? '100644 blob' : '040000 tree'
      const name = (at: number): string => `${'long-name-'.repeat(2)}${at}${level === 0 ? '.md' : ''}`
      const lines = Array.from({ length: 10 }, (_, at) => `${kind} ${object}\t${name(at)}`)
      object = run(`${lines.join('\n')}\n`, 'mktree')
    }
    git('branch', 'bomb', git('commit-tree', '-m', 'bomb', object).trim())
    const policy = {
      ...publicAddresses,
      protocols: ['http:'],
      isAllowed: () => true,
      lookup: async () => ['127.0.0.1'],
    }
    const most = process.memoryUsage().arrayBuffers + 100 * 1024 * 1024
    let seen = 0
    const looking = setInterval(() => {
      seen = Math.max(seen, process.memoryUsage().arrayBuffers)
    }, 5)
    const out = mkdtempSync(path.join(folder, 'out-'))
    await expect(
      fetchRepository(`${named('docs.git')}#bomb`, out, { ...fetchDefaults, policy }),
    ).rejects.toMatchObject({ code: 'BAD_REPOSITORY' })
    clearInterval(looking)
    expect(seen).toBeLessThan(most)
  })
})

describe('by default', () => {
  it('nothing is fetched, and no private address is reached', async () => {
    const node = await startService({ role: 'api' })
    try {
      const off = new Client(node.url, node.key)
      const answer = await off.call('POST', '/v1/ingest/git', { url: 'https://example.org/x.git' })
      expect([answer.status, answer.body.code]).toEqual([501, 'NOT_OFFERED'])
    } finally {
      await node.close()
    }
    asked.length = 0
    const { port } = new URL(base)
    for (const host of ['localhost', '127.0.0.1', '[::1]', '127.1', '0', '2130706433'])
      await expect(
        fetchRepository(`https://${host}:${port}/docs.git#main`, path.join(folder, 'inside'), fetchDefaults),
      ).rejects.toMatchObject({ code: 'BAD_REPOSITORY' })
    expect(asked).toEqual([])
  })
})
