import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, makeTestTree } from '../../../../test/support/test-tree.ts'
import { YoreError } from '../../../model/errors.ts'
import { readSourceFile } from '../read-source-file.ts'
import { stampOf } from './check-freshness.ts'
import { normalizeCorpusPath } from './corpus-path.ts'
import { walkFiles } from './walk-files.ts'

const paths = (list: readonly { readonly path: string }[]): string[] => list.map(({ path }) => path)
const reasons = (root: string): string[][] =>
  walkFiles(root).skipped.map(({ path, reason }) => [path, reason])

test('lists files with their stamps, sorted by code unit, and counts what no text is by extension', () => {
  const root = makeTestTree({
    'b.md': 'x',
    'a/z.md': 'four',
    'a.md': 'x',
    'B.txt': 'x',
    README: 'x',
    'src/main.zig': 'x',
    'src/a.png': 'x',
    'src/b.PNG': 'x',
    'c.zip': 'x',
    Makefile: 'x',
  })
  const walk = walkFiles(root)
  expect(paths(walk.files)).toEqual(['B.txt', 'Makefile', 'README', 'a.md', 'a/z.md', 'b.md', 'src/main.zig'])
  expect(paths(walk.directories)).toEqual(['', 'a', 'src'])
  expect(walk.unsupported).toEqual({ '.png': 2, '.zip': 1 })
  expect(walk.skipped).toEqual([])
  expect(walk.files[4]).toEqual({ path: 'a/z.md', ...stampOf(statSync(join(root, 'a/z.md'))) })
})

test('leaves out the stores of tools and hidden folders, but not .github', () => {
  const root = makeTestTree({
    '.git/a.md': 'x',
    '.yore/a.md': 'x',
    '.hg/a.md': 'x',
    '.svn/a.md': 'x',
    'web/node_modules/p/README.md': 'x',
    '.cache/a.md': 'x',
    '.github/CONTRIBUTING.md': 'x',
    '.hidden.md': 'x',
    '.yoreignore': '!node_modules/\n!.git/\n!.cache/\n',
  })
  const walk = walkFiles(root)
  expect(paths(walk.files)).toEqual(['.github/CONTRIBUTING.md', '.hidden.md'])
  // The stores of tools are not counted: an empty repository has left out nothing.
  expect(walk.ignored).toBe(2)
})

test('names secret files and folders, and says why large files are skipped', () => {
  const root = makeTestTree({
    '.env': 'x',
    'id_rsa.txt': 'x',
    '.ssh/notes.md': 'x',
    'big.md': 'x'.repeat(3000),
  })
  expect(walkFiles(root, { maxFileSize: 2048 }).skipped).toEqual([
    { path: '.env', reason: 'secret', detail: 'a file of this name holds secrets' },
    { path: '.ssh', reason: 'secret', detail: 'a directory of this name holds secrets' },
    { path: 'big.md', reason: 'too-large', detail: '2.9 KB, the limit is 2 KB' },
    { path: 'id_rsa.txt', reason: 'secret', detail: 'a file of this name holds secrets' },
  ])
})

test('a file of exactly the limit is listed', () => {
  const root = makeTestTree({ 'a.md': 'x'.repeat(100), 'b.md': 'x'.repeat(101) })
  const walk = walkFiles(root, { maxFileSize: 100 })
  expect(paths(walk.files)).toEqual(['a.md'])
  expect(walk.skipped[0]?.detail).toBe('101 bytes, the limit is 100 bytes')
})

test('skips names that cannot be shown, and shows them escaped', () => {
  const root = makeTestTree({ 'a\nb.md': 'x', 'c\u202e.md': 'x', 'd\u001b[2J/e.md': 'x', 'f\\g.md': 'x' })
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x68, 0xff]), Buffer.from('.md')]), 'x')
  const walk = walkFiles(root)
  expect(walk.files).toEqual([])
  expect(walk.skipped.map(({ path, reason }) => [path, reason])).toEqual([
    ['a\\nb.md', 'unusual-name'],
    ['c\\u202e.md', 'unusual-name'],
    ['d\\u001b[2J', 'unusual-name'],
    ['f\\\\g.md', 'unusual-name'],
    ['h\\ufffd.md', 'unusual-name'],
  ])
  for (const { detail } of walk.skipped) expect(detail).toMatch(/^[\x20-\x7e]+$/)
})

test('every path it lists means itself', () => {
  const root = makeTestTree({ 'a b/ü.md': 'x', "q'uote.md": 'x', '日本/語.md': 'x', '~x/$y.md': 'x' })
  for (const { path } of walkFiles(root).files) expect(normalizeCorpusPath(path)).toBe(path)
})

test('confines itself to the paths that it is given', () => {
  const root = makeTestTree({
    'a.md': 'x',
    'docs/b.md': 'x',
    'docs/in/c.md': 'x',
    'docs2/d.md': 'x',
    'e/f/g.md': 'x',
  })
  const walk = walkFiles(root, { include: ['./docs/', 'e/f/g.md', 'gone.md'] })
  expect(paths(walk.files)).toEqual(['docs/b.md', 'docs/in/c.md', 'e/f/g.md'])
  expect(paths(walk.directories)).toEqual(['', 'docs', 'docs/in', 'e', 'e/f'])
  expect(walk.skipped).toEqual([{ path: 'gone.md', reason: 'unreadable', detail: 'no such file or folder' }])
  expect(walkFiles(root, { include: ['.'] }).files).toHaveLength(5)
})

test.each(['../x', '/etc', 'docs/../../x'])('refuses to be confined to %s', (path) => {
  expect(() => walkFiles(makeTestTree(), { include: [path] })).toThrow(YoreError)
})

test('a root that is missing or a file is an error', () => {
  const root = makeTestTree({ 'a.md': 'x' })
  expect(() => walkFiles(join(root, 'gone'))).toThrow(/no folder/)
  expect(() => walkFiles(join(root, 'a.md'))).toThrow(/not a folder/)
})

test('a pipe with the name of a document is not read', () => {
  const root = makeTestTree()
  execFileSync('mkfifo', [join(root, 'pipe.md')])
  expect(reasons(root)).toEqual([['pipe.md', 'unreadable']])
  expect(readSourceFile(root, { path: 'pipe.md' })).toMatchObject({ skipped: { reason: 'unreadable' } })
})

test('a link inside the root is another name, and nothing is read through a link', () => {
  const outside = makeTestTree({ 'x.md': 'OUTSIDE', 'root-evil/y.md': 'OUTSIDE' })
  const root = join(outside, 'root')
  addFiles(root, { 'docs/a.md': 'inside' })
  symlinkSync('docs/a.md', join(root, 'README.md'))
  symlinkSync('../x.md', join(root, 'out.md'))
  symlinkSync('../root-evil', join(root, 'evil'))
  symlinkSync('/etc', join(root, 'etc'))
  symlinkSync('nowhere', join(root, 'dangling.md'))
  symlinkSync('loop.md', join(root, 'loop.md'))
  const walk = walkFiles(root)
  expect(paths(walk.files)).toEqual(['docs/a.md'])
  expect(walk.otherNames).toEqual({ 'README.md': 'docs/a.md' })
  expect(reasons(root)).toEqual([
    ['README.md', 'ignored'],
    ['dangling.md', 'unreadable'],
    ['etc', 'outside-root'],
    ['evil', 'outside-root'],
    ['loop.md', 'unreadable'],
    ['out.md', 'outside-root'],
  ])
  expect(readSourceFile(root, { path: 'README.md' })).toMatchObject({ file: { text: 'inside' } })
  expect(readSourceFile(root, { path: 'out.md' })).toMatchObject({ skipped: { reason: 'outside-root' } })
  expect(readSourceFile(root, { path: 'evil/y.md' })).toMatchObject({ skipped: { reason: 'outside-root' } })
})

test('a file with several names is read once, under its own', () => {
  const root = makeTestTree({ 'guide.md': 'x', 'notes.dat': 'x', 'docs/a.md': 'x' })
  symlinkSync('guide.md', join(root, 'agents.md'))
  symlinkSync('agents.md', join(root, 'claude.md'))
  symlinkSync('notes.dat', join(root, 'notes.md'))
  symlinkSync('notes.dat', join(root, 'notes.txt'))
  symlinkSync('../guide.md', join(root, 'docs/guide.md'))
  const walk = walkFiles(root)
  expect(paths(walk.files)).toEqual(['docs/a.md', 'guide.md'])
  expect(walk.otherNames).toEqual({
    'agents.md': 'guide.md',
    'claude.md': 'guide.md',
    'docs/guide.md': 'guide.md',
  })
  expect(walk.skipped.find(({ path }) => path === 'claude.md')).toMatchObject({
    reason: 'ignored',
    detail: expect.stringContaining('a link to guide.md'),
  })
  expect(paths(walkFiles(root, { include: ['docs'] }).files)).toEqual(['docs/a.md'])
})

test('circles of links end, and each real folder is read once, under its own name', () => {
  const root = makeTestTree({ 'z/deep/a.md': 'x' })
  symlinkSync('z', join(root, 'first'))
  symlinkSync('..', join(root, 'z/deep/up'))
  symlinkSync('.', join(root, 'self'))
  const walk = walkFiles(root)
  expect(paths(walk.files)).toEqual(['z/deep/a.md'])
  expect(walk.skipped.map(({ path, reason, detail }) => [path, reason, detail.slice(0, 20)])).toEqual([
    ['first', 'ignored', 'a link to a folder, '],
    ['self', 'ignored', 'a link to a folder, '],
    ['z/deep/up', 'ignored', 'a link to a folder, '],
  ])
})

test('a link is no way round the rules for what it leads to', () => {
  const root = makeTestTree({
    '.gitignore': 'private/\n',
    'private/a.md': 'x',
    '.cache/b.md': 'x',
    '.env': 'SECRET',
    'node_modules/p/README.md': 'x',
  })
  symlinkSync('private', join(root, 'public'))
  symlinkSync('private/a.md', join(root, 'a.md'))
  symlinkSync('.cache', join(root, 'cache'))
  symlinkSync('.cache/b.md', join(root, 'b.md'))
  symlinkSync('.env', join(root, 'env.md'))
  symlinkSync('node_modules/p', join(root, 'p'))
  const walk = walkFiles(root)
  expect(walk.files).toEqual([])
  expect(reasons(root)).toEqual([
    ['.env', 'secret'],
    ['cache', 'ignored'],
    ['env.md', 'secret'],
    ['p', 'ignored'],
    ['public', 'ignored'],
  ])
  expect(walk.ignored).toBe(5)
  expect(readSourceFile(root, { path: 'env.md' })).toMatchObject({ skipped: { reason: 'secret' } })
})

test('an ignore file that is a link is not applied', () => {
  const outside = makeTestTree({ rules: '*.md\n' })
  const root = join(outside, 'root')
  addFiles(root, { 'a.md': 'x' })
  symlinkSync('../rules', join(root, '.gitignore'))
  expect(paths(walkFiles(root).files)).toEqual(['a.md'])
})

test('folders more than 64 deep are skipped with their reason', () => {
  const root = makeTestTree({ [`${'d/'.repeat(64)}a.md`]: 'x', [`${'d/'.repeat(65)}b.md`]: 'x' })
  const walk = walkFiles(root)
  expect(walk.files).toHaveLength(1)
  expect(walk.skipped).toMatchObject([{ reason: 'unreadable', detail: 'more than 64 folders deep' }])
})

test('a root that is itself a link is walked', () => {
  const root = makeTestTree({ 'real/a.md': 'x' })
  symlinkSync('real', join(root, 'link'))
  expect(paths(walkFiles(join(root, 'link')).files)).toEqual(['a.md'])
})

test('two walks give the same result whatever the order on disk', () => {
  const root = makeTestTree({ 'c.md': 'x', 'a.md': 'x', 'b/d.md': 'x', 'x.o': 'x', 'x.a': 'x' })
  const before = walkFiles(root)
  renameSync(join(root, 'a.md'), join(root, 'tmp.md'))
  renameSync(join(root, 'tmp.md'), join(root, 'a.md'))
  const after = walkFiles(root)
  expect(paths(after.files)).toEqual(paths(before.files))
  expect(Object.keys(after.unsupported)).toEqual(['.a', '.o'])
})

test('1,500 documents among as many other files are walked', () => {
  const root = makeTestTree({
    '.gitignore': Array.from({ length: 40 }, (_, n) => `build${n}/\n*.t${n}`).join('\n'),
  })
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(join(root, `d${folder % 10}/e${folder}`), { recursive: true })
    for (let file = 0; file < 15; file++) {
      writeFileSync(join(root, `d${folder % 10}/e${folder}/${file}.md`), 'x')
      writeFileSync(join(root, `d${folder % 10}/e${folder}/${file}.png`), 'x')
    }
  }
  expect(walkFiles(root).files).toHaveLength(1500)
})
