import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, git, makeTestTree } from '../../../../test/support/test-tree.ts'
import { readCommitTimes } from './read-commit-times.ts'
import { readGitHead, runGit } from './run-git.ts'

const DAY = 86_400

function commit(root: string, files: Record<string, string>, seconds: number): void {
  addFiles(root, files)
  git(root, ['add', '-A'])
  const date = `@${seconds} +0000`
  git(root, ['commit', '-qm', 'x'], { GIT_AUTHOR_DATE: `@${seconds - 50} +0000`, GIT_COMMITTER_DATE: date })
}

/** Three commits, a day apart, from day 100. */
function history(): string {
  const root = makeTestTree()
  git(root, ['init', '-q'])
  commit(root, { 'a.md': '1', 'docs/b.md': '1', 'docs/ü "x".md': '1', 'docs/old.md': 'same text' }, 100 * DAY)
  commit(root, { 'docs/b.md': '2' }, 101 * DAY)
  rmSync(join(root, 'docs/old.md'))
  commit(root, { 'docs/new.md': 'same text' }, 102 * DAY)
  return root
}

test('gives the time of the last commit that touched each file, in milliseconds', () => {
  const root = history()
  addFiles(root, { 'untracked.md': 'x' })
  expect(readCommitTimes(root)).toEqual(
    new Map([
      ['a.md', 100 * DAY * 1000],
      ['docs/b.md', 101 * DAY * 1000],
      ['docs/ü "x".md', 100 * DAY * 1000],
      ['docs/new.md', 102 * DAY * 1000],
    ]),
  )
})

test('gives only the paths asked for, and nothing for files that git does not know', () => {
  const times = readCommitTimes(history(), ['a.md', 'gone.md', '../x.md', 'docs/old.md'])
  expect(times).toEqual(new Map([['a.md', 100 * DAY * 1000]]))
})

test('paths are relative to a root below the top', () => {
  const times = readCommitTimes(join(history(), 'docs'))
  expect([...(times?.keys() ?? [])].sort()).toEqual(['b.md', 'new.md', 'ü "x".md'])
})

test('a history longer than one slice is read to its start', () => {
  const root = makeTestTree()
  git(root, ['init', '-q', '-b', 'main'])
  const stream = ['blob', 'mark :1', 'data 1', 'x']
  for (let number = 1; number <= 1200; number++) {
    const name = number === 1 ? 'first.md' : 'other.md'
    stream.push('commit refs/heads/main', `committer a <a@example.org> ${number * DAY} +0000`, 'data 1', 'm')
    stream.push(
      `M 100644 ${number % 2 ? ':1' : 'inline'} ${name}`,
      ...(number % 2 ? [] : ['data 1', 'y']),
      '',
    )
  }
  execFileSync('git', ['-C', root, 'fast-import', '--quiet'], { input: stream.join('\n') })
  expect(readCommitTimes(root)).toEqual(
    new Map([
      ['other.md', 1200 * DAY * 1000],
      ['first.md', DAY * 1000],
    ]),
  )
})

test('outside a checkout, before the first commit and without a folder there is nothing to tell', () => {
  const root = makeTestTree({ 'a.md': 'x' })
  expect(readCommitTimes(root)).toBeNull()
  expect(readGitHead(root)).toBeNull()
  git(root, ['init', '-q'])
  expect(readCommitTimes(root)).toBeNull()
  expect(readGitHead(root)).toBeNull()
  expect(readGitHead(join(root, 'gone'))).toBeNull()
})

test('reads the commit that is checked out', () => {
  const root = history()
  expect(readGitHead(join(root, 'docs'))).toBe(git(root, ['rev-parse', 'HEAD']).trim())
})

test('a repository of the environment does not take the place of the one at the root', () => {
  const root = history()
  const other = history()
  process.env['GIT_DIR'] = join(other, '.git')
  try {
    writeFileSync(join(root, 'a.md'), 'changed')
    commitElsewhere(root)
    expect(readGitHead(root)).not.toBe(readGitHead(other))
  } finally {
    delete process.env['GIT_DIR']
  }
})

function commitElsewhere(root: string): void {
  const env = { GIT_DIR: join(root, '.git') }
  git(root, ['commit', '-qam', 'y'], env)
}

test('an answer that is too slow or too long is no answer', () => {
  const root = history()
  expect(runGit(root, ['log'], { maxOutput: 10 })).toBeNull()
  expect(runGit(root, ['log'], { timeout: 1 })).toBeNull()
})

/** A repository whose settings name a program wherever git would run one, and a commit that seems signed. */
function hostileRepository(): { root: string; ran: string } {
  const root = history()
  const ran = join(root, '.git/ran')
  const program = join(root, '.git/program')
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${ran}'\nexit 1\n`)
  chmodSync(program, 0o755)
  const tree = git(root, ['rev-parse', 'HEAD^{tree}']).trim()
  const signed = [
    `tree ${tree}`,
    `parent ${git(root, ['rev-parse', 'HEAD']).trim()}`,
    'author a <a@example.org> 9000000 +0000',
    'committer a <a@example.org> 9000000 +0000',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' ',
    ' x',
    ' -----END PGP SIGNATURE-----',
    '',
    'signed',
    '',
  ].join('\n')
  const id = execFileSync('git', ['-C', root, 'hash-object', '-t', 'commit', '-w', '--stdin'], {
    input: signed,
  })
  git(root, ['reset', '-q', '--soft', id.toString().trim()])
  const settings: Record<string, string> = {
    'core.fsmonitor': program,
    'core.hooksPath': join(root, '.git'),
    'core.pager': program,
    'core.sshCommand': program,
    'diff.external': program,
    'gpg.program': program,
    'log.showSignature': 'true',
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'evil',
    'remote.evil.url': root,
    'remote.evil.promisor': 'true',
    'remote.evil.uploadpack': program,
  }
  for (const [name, value] of Object.entries(settings)) git(root, ['config', name, value])
  return { root, ran }
}

test('no program that a repository names is run', () => {
  const { root, ran } = hostileRepository()
  readCommitTimes(root)
  readGitHead(root)
  expect(existsSync(ran)).toBe(false)
  git(root, ['log', '-1']) // Without the precautions the program does run.
  expect(existsSync(ran)).toBe(true)
})

test('missing objects of a partial clone are not fetched through a program', () => {
  const { root, ran } = hostileRepository()
  git(root, ['config', 'log.showSignature', 'false'])
  const first = git(root, ['rev-list', '--max-parents=0', 'HEAD']).trim()
  const tree = git(root, ['rev-parse', `${first}^{tree}`]).trim()
  const folder = join(root, '.git/objects', tree.slice(0, 2))
  expect(readdirSync(folder)).toContain(tree.slice(2))
  rmSync(join(folder, tree.slice(2)))
  expect(readCommitTimes(root)).toBeNull()
  expect(existsSync(ran)).toBe(false)
  expect(() => git(root, ['log', '--name-only'])).toThrow()
  expect(existsSync(ran)).toBe(true)
})
