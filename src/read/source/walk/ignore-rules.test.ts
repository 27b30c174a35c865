import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { addFiles, git, makeTestTree } from '../../../../test/support/test-tree.ts'
import { walkFiles } from './walk-files.ts'

const walked = (root: string): string[] => walkFiles(root).files.map((file) => file.path)

/** What git itself would take into a commit. */
function listedByGit(root: string): string[] {
  const output = git(root, ['ls-files', '-co', '--exclude-standard', '-z'])
  return output
    .split('\0')
    .filter((path) => path.endsWith('.md'))
    .sort()
}

/** Each name in each folder, so that every pattern has something to hit and something to miss. */
function crowdedTree(folders: readonly string[], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(folders.flatMap((folder) => names.map((name) => [join(folder, name), 'x'])))
}

const folders = [
  '',
  'a',
  'a/b',
  'a/b/c',
  'build',
  'a/build',
  'docs',
  'docs/drafts',
  'docs/drafts/keep',
  'sub',
  'sub/build',
  'sub dir',
  'x[1]',
  'foo',
  'foo/bar',
  'foo/bar/baz',
  'logs',
  'logs/debug',
  'tmp',
  'tmp/in',
]
const names = [
  'readme.md',
  'draft.md',
  'keep.md',
  'Keep.md',
  '#hash.md',
  '!bang.md',
  'a1.md',
  'a22.md',
  'with space.md',
  'end .md',
  'star*.md',
  'new.md',
  'build.md',
  'x.log.md',
  'ünï.md',
]

const tricky: Record<string, string> = {
  '.gitignore': [
    '\ufeff# a comment after a byte order mark',
    '',
    'build/',
    '!/a/build/',
    '/new.md',
    'a/b/draft.md',
    'docs/drafts/*',
    '!docs/drafts/keep/',
    '\\#hash.md',
    '\\!bang.md',
    'a[0-9].md',
    '!a/a1.md',
    'a??.md',
    '**/foo/bar',
    '!foo/bar/baz/readme.md',
    'logs/**',
    '!logs/debug/',
    '!logs/debug/keep.md',
    'with\\ space.md   ',
    'star\\*.md',
    '*.log.md\r',
    '/tmp/**/keep.md',
    'sub/',
    '!sub/',
    '[[:upper:]]eep.md',
    'end\\ .md',
    'x\\[1\\]/readme.md',
    '/',
    '!',
    'nothing\\',
    '[unclosed',
    'ünï.md',
    '!/docs/ünï.md',
  ].join('\n'),
  'a/.gitignore': '/readme.md\n!draft.md\nb/keep.md\n!*.log.md\n',
  'a/b/.gitignore': '!readme.md\n*\n!c/\n!c/new.md\n!.gitignore\n',
  'sub/.gitignore': '!build/\n/build/new.md\n',
  'sub dir/.gitignore': 'a22.md\n!a??.md\n/keep.md\n',
  'x[1]/.gitignore': 'draft.md\n!readme.md\n**\n!new.md\n',
  'docs/.gitignore': 'drafts/keep/**/draft.md\n!/drafts/readme.md\nkeep.md/\n',
}

test('leaves out exactly what git leaves out, in a tree full of tricky patterns', () => {
  const patterns = Object.values(tricky)
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
  expect(patterns.length).toBeGreaterThanOrEqual(25)
  const root = makeTestTree({ ...crowdedTree(folders, names), ...tricky })
  git(root, ['init', '-q'])
  writeFileSync(join(root, '.git/info/exclude'), 'logs/\n!keep.md\nfoo/draft.md\n')
  const expected = listedByGit(root)
  expect(expected.length).toBeGreaterThan(50)
  expect(expected.length).toBeLessThan(folders.length * names.length - 60)
  expect(walked(root)).toEqual(expected)
})

test('leaves out what git leaves out, whatever the patterns are', () => {
  const piece = fc.constantFrom(...'a b c * ** ? a* *b [ab] [!a] d.md *.md a.md ?.md'.split(' '))
  const pattern = fc
    .tuple(
      fc.constantFrom('', '', '!'),
      fc.constantFrom('', '/'),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/'),
    )
    .map(([negation, anchor, pieces, end]) => negation + anchor + pieces.join('/') + end)
  const text = fc.array(pattern, { maxLength: 5 }).map((lines) => lines.join('\n'))
  const files = crowdedTree(['', 'a', 'b', 'a/a', 'a/b', 'a/b/c', 'b/a', 'b/c'], ['a.md', 'b.md', 'd.md'])
  const root = makeTestTree(files)
  git(root, ['init', '-q'])
  fc.assert(
    fc.property(text, text, text, (top, inA, inAB) => {
      addFiles(root, { '.gitignore': top, 'a/.gitignore': inA, 'a/b/.gitignore': inAB })
      expect(walked(root)).toEqual(listedByGit(root))
    }),
    { numRuns: 150 },
  )
})

test('a root below the top obeys the ignore files above it', () => {
  const root = makeTestTree({
    '.gitignore': 'draft.md\n/docs/top.md\n*.txt\n!docs/in/*.txt\n',
    'docs/.gitignore': '/in/own.md\n',
    'docs/in/draft.md': 'x',
    'docs/in/own.md': 'x',
    'docs/in/deep/draft.md': 'x',
    'docs/in/notes.txt': 'x',
    'docs/in/deep/notes.txt': 'x',
    'docs/in/keep.md': 'x',
  })
  git(root, ['init', '-q'])
  const walk = walkFiles(join(root, 'docs/in'))
  expect(walk.files.map((file) => file.path)).toEqual(['keep.md', 'notes.txt'])
  expect(walk.ignoreFiles.map((file) => file.path)).toEqual([
    '../../.git/info/exclude',
    '../../.gitignore',
    '../.gitignore',
  ])
})

test('a root inside an ignored folder is read, since it was asked for', () => {
  const root = makeTestTree({
    '.gitignore': 'out/\ndraft.md\n',
    'out/docs/a.md': 'x',
    'out/docs/draft.md': 'x',
  })
  git(root, ['init', '-q'])
  expect(walked(join(root, 'out/docs'))).toEqual(['a.md'])
  expect(walked(root)).toEqual([])
})

test('ignore files above the root do not count outside a checkout', () => {
  const root = makeTestTree({ '.gitignore': '*.md\n', 'docs/a.md': 'x' })
  expect(walked(join(root, 'docs'))).toEqual(['a.md'])
  expect(walked(root)).toEqual([])
})

test('a .yoreignore outranks every .gitignore, and may bring back what it left out', () => {
  const root = makeTestTree({
    '.gitignore': 'generated/\n*.txt\n',
    '.yoreignore': '!generated/\n!keep.txt\n/old/\n',
    'generated/api.md': 'x',
    'generated/api.txt': 'x',
    'docs/.gitignore': 'keep.txt\n!old.md\n',
    'docs/.yoreignore': 'old.md\n',
    'docs/keep.txt': 'x',
    'docs/old.md': 'x',
    'old/a.md': 'x',
  })
  expect(walked(root)).toEqual(['docs/keep.txt', 'generated/api.md'])
})

test('nothing brings back a file below an ignored folder', () => {
  const root = makeTestTree({
    '.gitignore': 'out/\n!out/keep.md\n',
    'out/.gitignore': '!keep.md\n',
    'out/keep.md': 'x',
  })
  expect(walkFiles(root)).toMatchObject({ files: [], ignored: 1 })
})

test("the caller's patterns outrank the ignore files", () => {
  const root = makeTestTree({ '.yoreignore': '!a.md\nb.md\n', 'a.md': 'x', 'b.md': 'x', 'c/a.md': 'x' })
  const files = walkFiles(root, { extraIgnore: ['/a.md', '!b.md'] }).files
  expect(files.map((file) => file.path)).toEqual(['b.md', 'c/a.md'])
})

test('patterns that could take long are refused and named, and a hostile tree stays quick', () => {
  const deep = Array.from({ length: 60 }, () => 'a').join('/')
  const root = makeTestTree({
    '.gitignore': `${'**/a/'.repeat(20)}b\n${'x'.repeat(2000)}\n${'*a'.repeat(200)}b\na/**/a/**/a/**/b\n`,
    [`${deep}/${'a'.repeat(200)}.md`]: 'x',
  })
  const start = processorTime()
  const walk = walkFiles(root)
  expect(processorTime() - start).toBeLessThan(5000)
  expect(walk.files).toHaveLength(1)
  expect(walk.skipped.map((skipped) => [skipped.path, skipped.detail.slice(0, 6)])).toEqual([
    ['.gitignore', 'line 1'],
    ['.gitignore', 'line 2'],
  ])
})
