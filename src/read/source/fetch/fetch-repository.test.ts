// Is a repository by its address read at its ref, without redirects and within limits? A real git over real HTTP.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FetchLimits, fetchDefaults, fetchRepository } from './fetch-repository.ts'

let folder: string
let server: Server
let base: string
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
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The folder that a fetch writes into, and its commit. */
async function bring(
  name: string,
  ref = 'main',
  limits: Partial<FetchLimits> = {},
): Promise<{ out: string; commit: string }> {
  const out = mkdtempSync(path.join(folder, 'out-'))
  const options = { ...fetchDefaults, protocols: 'http', env: process.env, ...limits }
  return { out, commit: await fetchRepository({ url: `${base}/${name}`, ref }, out, options) }
}

describe('a repository', () => {
  it('becomes a folder without its links and large files, with the time of the commit', async () => {
    const { out, commit } = await bring('docs.git')
    expect(commit).toBe(git('rev-parse', 'main').trim())
    expect(readdirSync(out, { recursive: true }).sort()).toEqual(['README.md', 'docs', 'docs/old.md'])
    expect(statSync(path.join(out, 'README.md')).mtime.toISOString()).toBe('2025-09-15T12:00:00.000Z')
  })

  it.each([
    ['that is not there', 'nothing.git', undefined],
    ['that leads elsewhere', 'moved', undefined],
    ['without the ref', 'docs.git', 'no-such-branch'],
  ])('%s fails, and no redirect is followed', async (_, name, ref) => {
    asked.length = 0
    await expect(bring(name, ref)).rejects.toMatchObject({
      code: 'CANNOT_FETCH',
      message: expect.stringMatching(/^cannot fetch the repository/),
    })
    if (name === 'moved') expect(asked.every((place) => place.startsWith('/moved'))).toBe(true)
  })

  it('is asked for by https alone', async () => {
    asked.length = 0
    await expect(bring('docs.git', 'main', { protocols: fetchDefaults.protocols })).rejects.toMatchObject({
      code: 'CANNOT_FETCH',
    })
    expect(asked).toEqual([])
  })
})

it.each([
  ['files', { files: 1 }],
  ['bytes of its files', { totalBytes: 30 }],
  ['bytes of the pack', { packBytes: 512 }],
  ['time', { timeoutMs: 1 }],
] as const)('limits hold for %s', async (_, limits) => {
  await expect(bring('docs.git', 'main', limits)).rejects.toMatchObject({ code: 'CANNOT_FETCH' })
})

it('a repository that unfolds without end is left after as much of its list as a corpus may have', async () => {
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
  const most = process.memoryUsage().arrayBuffers + 100 * 1024 * 1024
  let seen = 0
  const looking = setInterval(() => {
    seen = Math.max(seen, process.memoryUsage().arrayBuffers)
  }, 5)
  await expect(bring('docs.git', 'bomb')).rejects.toMatchObject({ code: 'CANNOT_FETCH' })
  clearInterval(looking)
  expect(seen).toBeLessThan(most)
})
