import { expect, test } from 'vitest'
import { extensionOf, isBinaryName, languageOf } from './language-of.ts'

test.each([
  ['docs/guide.md', 'markdown'],
  ['Guide.MARKDOWN', 'markdown'],
  ['a.mdx', 'markdown'],
  ['a.mdown', 'markdown'],
  ['notes.txt', null],
  ['a.b/x.rst', 'text'],
  ['x.adoc', 'text'],
  ['README', null],
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

test('pictures and archives are known by their names; what else is text, the bytes say', () => {
  expect(['a.PNG', 'b/c.tar.gz', 'x.woff2'].every(isBinaryName)).toBe(true)
  expect(['a.zig', 'png', '.gitconfig', 'x.svg', 'x.tar.md'].some(isBinaryName)).toBe(false)
})

test('an extension is lower case, and a leading dot starts none', () => {
  expect(extensionOf('a/B.Tar.GZ')).toBe('.gz')
  expect(extensionOf('a.b/.env')).toBe('')
})
