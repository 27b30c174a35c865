// T20: somebody swaps files and folders for links that lead outside, while they are walked and read.
import { spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, makeTestTree } from '../../../test/support/test-tree.ts'
import { readSourceFile } from './read-source-file.ts'
import { walkFiles } from './walk/walk-files.ts'

const SWAPS = 10_000

/** Swaps `folder` and `file.md` for links and back, without a pause. */
const swapper = `
  const { renameSync } = require('node:fs')
  process.chdir(process.argv[1])
  for (let swap = 0; swap < ${SWAPS}; swap++) {
    for (const name of ['folder', 'file.md']) {
      renameSync(name, '.keep/' + name)
      renameSync('.links/' + name, name)
      renameSync(name, '.links/' + name)
      renameSync('.keep/' + name, name)
    }
  }
`

test('10,000 swaps of a file and of a folder, and nothing outside is read or listed', async () => {
  const outside = makeTestTree({
    'folder/a.md': 'OUTSIDE',
    'folder/only-outside.md': 'OUTSIDE',
    'file.md': 'OUTSIDE',
  })
  const root = join(outside, 'root')
  addFiles(root, { 'folder/a.md': 'inside', 'file.md': 'inside', '.keep/': '', '.links/': '' })
  symlinkSync(join(outside, 'folder'), join(root, '.links/folder'))
  symlinkSync(join(outside, 'file.md'), join(root, '.links/file.md'))

  const child = spawn(process.execPath, ['-e', swapper, root], { stdio: 'inherit' })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const seen = { read: 0, refused: 0, walks: 0, escapes: 0 }
  while (child.exitCode === null && child.signalCode === null) {
    for (let round = 0; round < 20; round++) countEscapes(root, seen)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await ended).toBe(0)
  console.info(`${SWAPS} swaps: ${JSON.stringify(seen)}`)
  expect(seen.escapes).toBe(0)
  expect(seen.read).toBeGreaterThan(0)
  expect(seen.refused).toBeGreaterThan(0)
})

function countEscapes(
  root: string,
  seen: { read: number; refused: number; walks: number; escapes: number },
): void {
  const walk = walkFiles(root)
  seen.walks++
  if (walk.files.some((file) => file.path.includes('only-outside'))) seen.escapes++
  for (let attempt = 0; attempt < 3; attempt++) {
    for (const path of ['folder/a.md', 'folder/only-outside.md', 'file.md']) {
      const outcome = readSourceFile(root, { path })
      if ('skipped' in outcome) seen.refused++
      else if ('file' in outcome && outcome.file.text === 'inside') seen.read++
      else seen.escapes++
    }
  }
}
