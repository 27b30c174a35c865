// Is a question confined to what its scope names? Real files, every surface's words.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { SearchOptions } from '../src/answer/answering/question-options.ts'
import { fileKindOf } from '../src/corpus/lookup/kind-of-file.ts'
import { nameScope } from '../src/offer/cli/name-place.ts'
import { indexTree } from './indexed-fixture.ts'
import { writeFiles } from './temporary-corpus.ts'

const { root, engine } = await indexTree(
  (root) => {
    writeFiles(root, {
      'docs/retry.md': '# Retry\n\nA retry waits longer each time, up to a minute.\n',
      'docs/new.md': '# New\n\nThe retry of tomorrow.\n',
      'packages/a/README.md': '# Package a\n\nIts retry is patient.\n',
      'packages/b/README.md': '# Package b\n\nIts retry is patient.\n',
      'src/retry.py': 'def retry(times):\n    """Retry some times."""\n    return times\n',
      'tests/test_retry.py': 'def test_retry():\n    assert retry(2) == 2\n',
      'service.yaml': 'retry: 3\n',
    })
  },
  { refresh: 'auto' },
)

async function paths(scope: Partial<SearchOptions>): Promise<string[]> {
  const { hits } = await engine.search('retry', { limit: 50, ...scope })
  return [...new Set(hits.map((hit) => hit.path))].sort()
}

it.each<[Partial<SearchOptions>, string[]]>([
  [{ path: 'packages' }, ['packages/a/README.md', 'packages/b/README.md']],
  [{ path: './packages/a/, src' }, ['packages/a/README.md', 'src/retry.py']],
  [{ path: 'packages/*/README.md' }, ['packages/a/README.md', 'packages/b/README.md']],
  [{ path: '*.py' }, ['src/retry.py', 'tests/test_retry.py']],
  [{ kind: 'docs', path: 'docs' }, ['docs/new.md', 'docs/retry.md']],
  [{ kind: 'code' }, ['src/retry.py']],
  [{ kind: 'tests' }, ['tests/test_retry.py']],
  [{ kind: 'config' }, ['service.yaml']],
  [{ lang: 'Python' }, ['src/retry.py', 'tests/test_retry.py']],
  [{ path: 'nowhere' }, []],
])('%o means these files', async (scope, expected) => {
  expect(await paths(scope)).toEqual(expected)
})

it('says what was searched, in hits and in digests', async () => {
  const searched = 'Searched 1 of 7 files: kind code.'
  expect((await engine.search('retry', { kind: 'code' })).notices).toContain(searched)
  const { output } = await engine.assemble('retry', { kind: 'code' })
  expect(output).toContain(searched)
  expect(output).not.toContain('docs/retry.md')
})

it('refuses a language that is not there', async () => {
  await expect(paths({ lang: 'pyton' })).rejects.toMatchObject({ hint: expect.stringContaining('python?') })
})

it('prefers the folder that one stands in, mildly, and explains it', async () => {
  const first = async (near: string): Promise<string | undefined> =>
    (await engine.search('patient retry', { near })).hits[0]?.path
  expect(await first('packages/a')).toBe('packages/a/README.md')
  expect(await first('packages/b')).toBe('packages/b/README.md')
  const { hits } = await engine.search('patient retry', { near: 'packages/b' })
  expect(hits[0]?.signals.parts).toContainEqual({ name: 'current folder', effect: 0.1 })
  // What answers better elsewhere stays first.
  expect((await engine.search('waits up to a minute', { near: 'packages/b' })).hits[0]?.path).toBe(
    'docs/retry.md',
  )
})

it('reads typed paths from the current folder, then from the root', () => {
  const cwd = path.join(root, 'packages')
  mkdirSync(path.join(root, 'packages/docs'), { recursive: true })
  writeFileSync(path.join(root, 'packages/docs/here.md'), '')
  const near = 'packages'
  expect(nameScope('a', { root, cwd })).toEqual({ path: 'packages/a', near })
  expect(nameScope('docs,src', { root, cwd })).toEqual({ path: 'packages/docs,src', near })
  expect(nameScope('*.md', { root, cwd })).toEqual({ path: 'packages/**/*.md', near })
  expect(nameScope(undefined, { root, cwd: root })).toEqual({})
  expect(() => nameScope('../..', { root, cwd })).toThrow(/outside/)
})

it.each([
  ['docs/a.md', 'markdown', 'docs'],
  ['a.html', 'html', 'docs'],
  ['src/a.go', 'go', 'code'],
  ['lib/a.lua', 'generic', 'code'],
  ['src/a_test.go', 'go', 'tests'],
  ['Makefile', 'generic', 'config'],
  ['.editorconfig', 'generic', 'config'],
  ['package.json', 'generic', 'config'],
])('%s in %s is of the kind %s', (file, language, kind) => {
  expect(fileKindOf({ path: file, language })).toBe(kind)
})

it('confines the graph of the corpus as it confines a question', async () => {
  const { nodes, total } = await engine.documentGraph({ kind: 'tests' })
  expect([nodes.map((node) => node.path), total]).toEqual([['tests/test_retry.py'], 1])
})
