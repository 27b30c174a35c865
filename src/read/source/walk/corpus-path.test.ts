import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addFiles, makeTestTree } from '../../../../test/support/test-tree.ts'
import { readSourceFile } from '../read-source-file.ts'
import { normalizeCorpusPath } from './corpus-path.ts'
import { isInside } from './is-inside.ts'

// T19: what users, links and uploads may send, and the corpus path it means. Null: refused.
const vectors: readonly (readonly [input: string, path: string | null])[] = [
  ['docs/guide.md', 'docs/guide.md'],
  ['./docs/guide.md', 'docs/guide.md'],
  ['docs//guide.md', 'docs/guide.md'],
  ['docs/./guide.md', 'docs/guide.md'],
  ['docs/a/../guide.md', 'docs/guide.md'],
  ['docs\\guide.md', 'docs/guide.md'],
  ['docs/', 'docs'],
  ['a b/ü.md', 'a b/ü.md'],
  ['100%.md', '100%.md'],
  ['a%20b.md', 'a%20b.md'],
  ['..hidden.md', '..hidden.md'],
  ['...x.md', '...x.md'],
  ['v1.0./x.md', 'v1.0./x.md'],
  ['12:30.md', '12:30.md'],
  ['~user.md', '~user.md'],
  ['$HOME/x.md', '$HOME/x.md'],
  ['notes a:b.md', 'notes a:b.md'],
  ['lunch:$5.md', 'lunch:$5.md'],
  ['ﬁle １２.md', 'ﬁle １２.md'],
  ['a%e0%a0%80%f0%9f%98%80.md', 'a%e0%a0%80%f0%9f%98%80.md'],
  ['a%e0.md', 'a%e0.md'],
  [`${'ü'.repeat(126)}.md`, `${'ü'.repeat(126)}.md`],
  [`${'a/'.repeat(2047)}aa`, `${'a/'.repeat(2047)}aa`],
  ['', null],
  ['.', null],
  ['./', null],
  ['docs/..', null],
  ['..', null],
  ['../', null],
  ['../x.md', null],
  ['../../../../etc/passwd', null],
  ['./../x.md', null],
  ['docs/../../x.md', null],
  ['docs/../../docs/guide.md', null],
  ['a/b/../../../x.md', null],
  ['..\\x.md', null],
  ['docs\\..\\..\\x.md', null],
  ['docs/..\\../x.md', null],
  ['..%2fx.md', null],
  ['..%2Fx.md', null],
  ['%2e%2e/x.md', null],
  ['%2e%2e%2fx.md', null],
  ['.%2e/x.md', null],
  ['..%5cx.md', null],
  ['%252e%252e%252fx.md', null],
  ['%25252e%25252e/x.md', null],
  ['..%c0%afx.md', null],
  ['..%c1%9cx.md', null],
  ['%c0%ae%c0%ae/x.md', null],
  ['..%e0%80%afx.md', null],
  ['%f0%80%80%ae/x.md', null],
  ['..%25e0%2580%25afx.md', null],
  ['..%e0%9f%80x.md', null],
  ['%25f0%2580%2580%25ae/x.md', null],
  ['x%7f.md', null],
  ['x%1F.md', null],
  ['x.md%00.png', null],
  ['x%0a.md', null],
  ['x.md\0', null],
  ['\0../x.md', null],
  ['a\nb.md', null],
  ['a\rb.md', null],
  ['a\u007fb.md', null],
  ['a\u0085b.md', null],
  ['a\u202eb.md', null],
  ['a\u2028b.md', null],
  ['\ufffd.md', null],
  ['\ud800.md', null],
  ['/etc/passwd', null],
  ['//etc/passwd', null],
  ['///x.md', null],
  ['\\x.md', null],
  ['\\\\server\\share\\x.md', null],
  ['//server/share/x.md', null],
  ['\\\\?\\C:\\x.md', null],
  ['\\\\.\\pipe\\x', null],
  ['C:\\x.md', null],
  ['c:/x.md', null],
  ['C:x.md', null],
  ['./C:x.md', null],
  ['docs/C:/x.md', null],
  ['./~/x.md', null],
  ['file:///etc/passwd', null],
  ['http://example.org/x.md', null],
  ['x.md::$DATA', null],
  ['docs:$INDEX_ALLOCATION/x.md', null],
  ['~', null],
  ['~/x.md', null],
  ['.../x.md', null],
  ['.. /x.md', null],
  ['.. ./x.md', null],
  [' /x.md', null],
  ['docs/. /x.md', null],
  ['．．/x.md', null],
  ['．．／x.md', null],
  ['‥/x.md', null],
  ['a／..／x.md', null],
  ['a'.repeat(256), null],
  [`${'ü'.repeat(128)}.md`, null],
  ['a/'.repeat(2049), null],
  [`${'a/'.repeat(2047)}aaa`, null],
  [`${'../'.repeat(500)}etc/passwd`, null],
]

test('there are at least 60 vectors', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(60)
})

test.each(vectors)('%j means %j', (input, path) => {
  expect(normalizeCorpusPath(input)).toBe(path)
})

test('reading any vector, normalised or not, never gives a file outside the root', () => {
  const outside = makeTestTree({ 'x.md': 'OUTSIDE', 'etc/passwd.md': 'OUTSIDE' })
  const root = join(outside, 'root')
  addFiles(root, { 'docs/guide.md': 'inside' })
  for (const [input] of vectors) {
    for (const path of [input, `${input}/x.md`, normalizeCorpusPath(input) ?? 'none.md']) {
      const outcome = readSourceFile(root, { path })
      if ('file' in outcome) expect(outcome.file.text).toBe('inside')
    }
  }
})

test('whatever is sent, the answer stays inside and means itself', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '/', '\\', '%2e', '%2f', ':', '~', ' ', 'a', 'docs', '\0', '．', 'C:'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const path = normalizeCorpusPath(parts.join(''))
      if (path === null) return
      expect(isInside(resolve('/root/corpus', path), '/root/corpus')).toBe(true)
      expect(path.split('/')).not.toContain('..')
      expect(normalizeCorpusPath(path)).toBe(path)
    }),
    { numRuns: 10_000 },
  )
})

test('a folder whose name starts like the root is not inside it', () => {
  expect(isInside('/repo-evil/x', '/repo')).toBe(false)
  expect(isInside('/repo/x', '/repo')).toBe(true)
  expect(isInside('/repo', '/repo')).toBe(true)
  expect(isInside('/x', '/')).toBe(true)
})
