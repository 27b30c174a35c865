// Is a path told from nothing without a look outside the root?
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { lookInside } from './is-inside.ts'

let folder: string
let root: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yore-look-'))
  root = join(folder, 'root')
  mkdirSync(join(root, 'docs'), { recursive: true })
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside/secret.md'), 'x')
  writeFileSync(join(root, 'docs/a b.md'), 'x')
  symlinkSync('docs', join(root, 'inner'))
  symlinkSync('../outside', join(root, 'outer'))
  symlinkSync('nowhere', join(root, 'dangling'))
})

it.each([
  ['docs', 'folder'],
  ['docs/', 'folder'],
  ['docs/a b.md', 'file'],
  ['./docs/../docs/a b.md', 'file'],
  ['inner', 'folder'],
  ['inner/a b.md', 'file'],
  ['outer', 'file'],
  ['outer/secret.md', null],
  ['outer/gone.md', null],
  ['dangling', null],
  ['docs/gone.md', null],
  ['docs/a b.md/x', null],
  ['../outside/secret.md', null],
  ['/etc/passwd', null],
  ['docs/\0', null],
  ['x'.repeat(5000), null],
  ['', null],
])('%j is %s', (path, kind) => {
  expect(lookInside(root, path)).toBe(kind)
})
