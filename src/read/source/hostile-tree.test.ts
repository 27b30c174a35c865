// T21: too many files, a file and a line that are far too large, names that break lines.
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestTree } from '../../../test/support/test-tree.ts'
import { readSourceFile } from './read-source-file.ts'
import { walkFiles } from './walk/walk-files.ts'

const FILES = process.env['YORE_SLOW'] === '1' ? 200_000 : 20_000
const MEGABYTE = 1024 * 1024

function writeLongLine(path: string): void {
  const descriptor = openSync(path, 'w')
  const part = Buffer.alloc(MEGABYTE, 'a')
  for (let count = 0; count < 100; count++) writeSync(descriptor, part)
  closeSync(descriptor)
}

test('a hostile tree is walked and read within 512 MB, and every skip has its reason', () => {
  const root = makeTestTree({ 'line\nbreak.md': 'x', 'tab\t.md': 'x' })
  for (let file = 0; file < FILES; file++) {
    if (file % 1000 === 0) mkdirSync(join(root, `d${file / 1000}`))
    writeFileSync(join(root, `d${Math.floor(file / 1000)}/${file}.md`), `# File ${file}\n`)
  }
  writeFileSync(join(root, 'huge.md'), '')
  truncateSync(join(root, 'huge.md'), 1024 * MEGABYTE)
  writeLongLine(join(root, 'line.txt'))

  const before = process.memoryUsage().rss
  const start = performance.now()
  const walk = walkFiles(root)
  const walked = performance.now()
  let read = 0
  for (const stamp of walk.files) if ('file' in readSourceFile(root, stamp)) read++
  const skipped = [
    ...walk.skipped,
    ...['huge.md', 'line.txt'].map((path) => readSourceFile(root, { path })),
    readSourceFile(root, { path: 'line.txt' }, { maxFileSize: 200 * MEGABYTE }),
    readSourceFile(root, { path: 'huge.md' }, { maxFileSize: 200 * MEGABYTE }),
  ]
  const growth = process.resourceUsage().maxRSS / 1024 - before / MEGABYTE
  console.info(
    `${FILES} files: walk ${(walked - start).toFixed(0)} ms, read ${(performance.now() - walked).toFixed(0)} ms, ` +
      `memory +${growth.toFixed(0)} MB`,
  )
  expect(read).toBe(FILES)
  expect(growth).toBeLessThanOrEqual(512)
  expect(skipped).toMatchObject([
    { path: 'huge.md', reason: 'too-large', detail: '1024 MB, the limit is 2 MB' },
    { path: 'line.txt', reason: 'too-large', detail: '100 MB, the limit is 2 MB' },
    { path: 'line\\nbreak.md', reason: 'unusual-name' },
    { path: 'tab\\t.md', reason: 'unusual-name' },
    { skipped: { reason: 'too-large' } },
    { skipped: { reason: 'too-large' } },
    { skipped: { reason: 'long-line', detail: 'line 1 has more than 100000 characters' } },
    { skipped: { reason: 'too-large' } },
  ])
})
