import { expect, test } from 'vitest'
import { extensionOf, languageOf } from './language-of.ts'

test.each([
  ['docs/guide.md', 'markdown'],
  ['Guide.MARKDOWN', 'markdown'],
  ['a.mdx', 'markdown'],
  ['a.mdown', 'markdown'],
  ['notes.txt', 'text'],
  ['a.b/x.rst', 'text'],
  ['x.adoc', 'text'],
  ['README', 'text'],
  ['sub/license', 'text'],
  ['TODO', 'text'],
  ['Makefile', null],
  ['a.md/main.ts', 'typescript'],
  ['a.PY', 'python'],
  ['a.md/main.zig', null],
  ['.md', null],
  ['x.md~', null],
  ['readme.', null],
])('the language of %s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})

test('an extension is lower case, and a leading dot starts none', () => {
  expect(extensionOf('a/B.Tar.GZ')).toBe('.gz')
  expect(extensionOf('a.b/.env')).toBe('')
})
