import path from 'node:path'
import { expect, it } from 'vitest'
import { pathBelow } from './path-below.ts'

it.each([
  ['/work/repo', '/work/repo/docs/a.md', 'docs/a.md'],
  ['/work/repo', '/work/repo', ''],
  ['/work/repo', '/work/repo/..a/b.md', '..a/b.md'],
  ['/work/repo', '/work/repository/a.md', null],
  ['/work/repo', '/work', null],
  ['/', '/etc/hosts', 'etc/hosts'],
])('%s holds %s as %s', (folder, file, below) => {
  expect(pathBelow(folder, file, path.posix)).toBe(below)
})

it.each([
  [String.raw`C:\work\repo`, String.raw`C:\work\repo\docs\a.md`, 'docs/a.md'],
  // Names differ by case alone: one folder there.
  [String.raw`C:\Work\Repo`, String.raw`c:\work\repo\docs\a.md`, 'docs/a.md'],
  [String.raw`C:\work\repo`, String.raw`C:\work\repo\..a\b.md`, '..a/b.md'],
  [String.raw`C:\work\repo`, String.raw`C:\work\repository\a.md`, null],
  [String.raw`C:\work\repo`, String.raw`D:\work\repo\a.md`, null],
  [String.raw`C:\work\repo`, String.raw`\\host\share\repo\a.md`, null],
  [String.raw`\\host\share\repo`, String.raw`\\host\share\repo\docs\a.md`, 'docs/a.md'],
  [String.raw`\\?\C:\work\repo`, String.raw`\\?\C:\work\repo\docs\a.md`, 'docs/a.md'],
])('on Windows, %s holds %s as %s', (folder, file, below) => {
  expect(pathBelow(folder, file, path.win32)).toBe(below)
})
