import { expect, test } from 'vitest'
import { extensionOf } from '../../model/paths.ts'
import { isBinaryName, languageOf, languageOfShebang, languageOfText } from './language-of.ts'

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
  ['a.md/main.nim', null],
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

test.each([
  ['#!/bin/sh', 'bash'],
  ['#! /bin/bash -e', 'bash'],
  ['#!/usr/bin/env python3', 'python'],
  ['#!/usr/bin/env -S LANG=C python3.12 -u', 'python'],
  ['#!/usr/local/bin/node', 'javascript'],
  ['#!/usr/bin/ruby2.7', 'ruby'],
  ['#!/usr/bin/perl', null],
  ['#!', null],
  ['#include <a.h>', null],
])('a script that starts with %s is %s', (line, language) => {
  expect(languageOfShebang(line)).toBe(language)
})

test('a header is C++ when it plainly is, and a script without an extension what its first line says', () => {
  expect(languageOfText('a.h', '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n')).toBe('c')
  expect(languageOfText('a.h', 'namespace a {\nint f();\n}\n')).toBe('cpp')
  expect(languageOfText('a.h', 'template <typename T>\nT f(T a);\n')).toBe('cpp')
  expect(languageOfText('bin/run', '#!/bin/sh\nexit 0\n')).toBe('bash')
  expect(languageOfText('run.py', '#!/bin/sh\n')).toBe('python')
})
