import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestTree } from '../../../../test/support/test-tree.ts'
import { checkFreshness, type KnownFiles } from './check-freshness.ts'
import { walkFiles } from './walk-files.ts'

const LONG_AGO = new Date('2020-01-01')

/** A tree of old files, and what a walk knows about it. */
function indexedTree(): { root: string; known: KnownFiles } {
  const root = makeTestTree({
    'a.md': 'one',
    'docs/b.md': 'two',
    'docs/c.md': 'three',
    '.gitignore': 'x.md\n',
  })
  for (const path of ['a.md', 'docs/b.md', 'docs/c.md', '.gitignore', 'docs', '.']) {
    utimesSync(join(root, path), LONG_AGO, LONG_AGO)
  }
  return { root, known: { ...walkFiles(root), indexedAt: Date.now() } }
}

test('an untouched tree is fresh', () => {
  const { root, known } = indexedTree()
  expect(known.files.length + known.directories.length).toBe(5)
  expect(checkFreshness(root, known)).toEqual({ fresh: true })
})

test('a file with another size or time, and a file that is gone, are touched', () => {
  const { root, known } = indexedTree()
  writeFileSync(join(root, 'a.md'), 'longer')
  utimesSync(join(root, 'a.md'), LONG_AGO, LONG_AGO)
  utimesSync(join(root, 'docs/b.md'), LONG_AGO, new Date('2020-01-02'))
  rmSync(join(root, 'docs/c.md'))
  const touched = ['a.md', 'docs/b.md', 'docs/c.md']
  expect(checkFreshness(root, known)).toEqual({ fresh: false, touched, directoriesChanged: true })
})

test('a file that was edited or replaced at the same size and time is touched', () => {
  const { root, known } = indexedTree()
  writeFileSync(join(root, 'a.md'), readFileSync(join(root, 'a.md'), 'utf8').toUpperCase())
  utimesSync(join(root, 'a.md'), LONG_AGO, LONG_AGO)
  expect(checkFreshness(root, known)).toMatchObject({ fresh: false, touched: ['a.md'] })
})

test('a change inside a file does not count as a change of its folder', () => {
  const { root, known } = indexedTree()
  writeFileSync(join(root, 'docs/b.md'), 'changed')
  expect(checkFreshness(root, known)).toEqual({
    fresh: false,
    touched: ['docs/b.md'],
    directoriesChanged: false,
  })
})

test('a new file or a removed folder changes a folder', () => {
  const added = indexedTree()
  writeFileSync(join(added.root, 'docs/new.md'), 'x')
  expect(checkFreshness(added.root, added.known)).toEqual({
    fresh: false,
    touched: [],
    directoriesChanged: true,
  })
  const removed = indexedTree()
  rmSync(join(removed.root, 'docs'), { recursive: true })
  expect(checkFreshness(removed.root, removed.known)).toMatchObject({
    touched: ['docs/b.md', 'docs/c.md'],
    directoriesChanged: true,
  })
})

test('a folder that became a file has changed', () => {
  const { root, known } = indexedTree()
  const bare = { ...known, files: [], directories: [{ path: 'a.md', mtime: LONG_AGO.getTime() }] }
  expect(checkFreshness(root, bare)).toMatchObject({ directoriesChanged: true })
})

test('an edited ignore file asks for a new walk', () => {
  const { root, known } = indexedTree()
  writeFileSync(join(root, '.gitignore'), 'a.md\n')
  expect(checkFreshness(root, known)).toEqual({ fresh: false, touched: [], directoriesChanged: true })
})

test('a file written within a clock tick before the walk is touched, because a second write could hide', () => {
  const { root, known } = indexedTree()
  const path = join(root, 'a.md')
  const indexedAt = Math.trunc(known.indexedAt / 1000) * 1000 + 777
  for (const [mtime, touched] of [
    [indexedAt - 30, ['a.md']],
    [indexedAt + 500, ['a.md']],
    [indexedAt - 200, undefined],
    // Whole seconds: a clock that ticks every second or two.
    [indexedAt - 1777, ['a.md']],
    [indexedAt - 2777, undefined],
  ] as const) {
    utimesSync(path, new Date(mtime), new Date(mtime))
    const files = walkFiles(root).files
    const answer = checkFreshness(root, { ...known, indexedAt, files })
    expect(answer.fresh ? undefined : answer.touched).toEqual(touched)
  }
})

test('a known path that cannot be looked at is touched', () => {
  const { root, known } = indexedTree()
  const path = `${'d/'.repeat(3000)}x.md`
  const answer = checkFreshness(root, { ...known, files: [{ path, size: 1, mtime: 1, ctime: 1, inode: 1 }] })
  expect(answer).toMatchObject({ touched: [path] })
})

test('1,500 files are checked without a walk', () => {
  const root = makeTestTree()
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(join(root, `d${folder}`))
    for (let file = 0; file < 15; file++) {
      const path = join(root, `d${folder}/${file}.md`)
      writeFileSync(path, 'x')
      utimesSync(path, LONG_AGO, LONG_AGO)
    }
  }
  const known = { ...walkFiles(root), indexedAt: Date.now() }
  expect(checkFreshness(root, known).fresh).toBe(true)
})
