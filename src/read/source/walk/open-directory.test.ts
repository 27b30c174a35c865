import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, makeTestTree } from '../../../../test/support/test-tree.ts'
import { openDirectory } from './read-folder.ts'

test.runIf(process.platform === 'linux')('a folder held open stays itself when a link takes its name', () => {
  const outside = makeTestTree({ 'folder/outside.md': 'OUTSIDE' })
  const root = join(outside, 'root')
  addFiles(root, { 'folder/inside.md': 'inside' })
  const opened = openDirectory(join(root, 'folder'))
  try {
    renameSync(join(root, 'folder'), join(root, 'moved'))
    symlinkSync(join(outside, 'folder'), join(root, 'folder'))
    expect(readdirSync(opened.base)).toEqual(['inside.md'])
    expect(readFileSync(`${opened.base}/inside.md`, 'utf8')).toBe('inside')
    expect(opened.realPath).toBe(join(root, 'moved'))
    expect(() => openDirectory(join(root, 'folder'))).toThrow()
  } finally {
    opened.close()
  }
})

test('a file is not opened as a folder', () => {
  const root = makeTestTree({ 'a.md': 'x' })
  expect(() => openDirectory(join(root, 'a.md'))).toThrow()
})
