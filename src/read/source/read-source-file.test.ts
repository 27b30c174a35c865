import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestTree } from '../../../test/support/test-tree.ts'
import { readBytesInside } from './read-bytes-inside.ts'
import { readSourceFile } from './read-source-file.ts'
import { stampOf } from './walk/check-freshness.ts'

test('gives the text, the hash of the bytes, and the stamp of the file', () => {
  const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('# Ä\r\ntext\r\n')])
  const root = makeTestTree({ 'docs/a.md': bytes })
  expect(readSourceFile(root, { path: 'docs/a.md' })).toEqual({
    file: {
      path: 'docs/a.md',
      language: 'markdown',
      text: '# Ä\r\ntext\r\n',
      contentHash: createHash('sha256').update(bytes).digest('hex'),
      stamp: stampOf(statSync(join(root, 'docs/a.md'))),
      isGenerated: false,
      places: null,
    },
  })
})

test('an empty file has an empty text', () => {
  const root = makeTestTree({ 'a.txt': '' })
  expect(readSourceFile(root, { path: 'a.txt' })).toMatchObject({ file: { text: '', stamp: { size: 0 } } })
})

test.each<[string, string | Uint8Array, string, string]>([
  ['binary', 'a\0b', 'binary', 'a NUL byte near its start'],
  ['invalid', Buffer.from([0xc3, 0x28, 0x41]), 'binary', '1 of 3 characters are not valid text'],
  ['large', 'x'.repeat(1001), 'too-large', '1001 bytes, the limit is 1000 bytes'],
  ['long line', `ok\n${'x'.repeat(101)}\nok`, 'long-line', 'line 2 has more than 100 characters'],
  ['long last line', `ok\nok\n${'x'.repeat(101)}`, 'long-line', 'line 3 has more than 100 characters'],
])('a %s file is skipped with its reason', (_, content, reason, detail) => {
  const root = makeTestTree({ 'a.md': content })
  const outcome = readSourceFile(root, { path: 'a.md' }, { maxFileSize: 1000, maxLineLength: 100 })
  expect(outcome).toMatchObject({ skipped: { path: 'a.md', reason, detail } })
})

test('a line of exactly the limit is read', () => {
  const root = makeTestTree({ 'a.md': `${'x'.repeat(100)}\n${'y'.repeat(100)}` })
  expect(readSourceFile(root, { path: 'a.md' }, { maxLineLength: 100 })).toHaveProperty('file')
})

test.each<[string, string]>([
  ['gone.md', 'unreadable'],
  ['folder.md', 'unreadable'],
  ['logo.png', 'unsupported'],
  ['.env.md', 'secret'],
  ['.ssh/a.md', 'secret'],
  ['a.md\0', 'unreadable'],
  ['a\0.md', 'unreadable'],
  ['a.md/x.md', 'unreadable'],
])('%j is not read: %s', (path, reason) => {
  const root = makeTestTree({
    'a.md': 'x',
    'folder.md/': '',
    'logo.png': 'x',
    '.env.md': 'x',
    '.ssh/a.md': 'x',
  })
  expect(readSourceFile(root, { path })).toMatchObject({ skipped: { path, reason } })
})

// Files below /proc report 0 bytes and hold more: to a reader, the same as a file that grows meanwhile.
test.runIf(existsSync('/proc/self/status'))(
  'a file that grows is read to its end, but not over the limit',
  () => {
    const read = (most: number) => readBytesInside(`/proc/${process.pid}`, 'status', most)
    expect(read(100_000)).toMatchObject({ stats: { size: 0 }, bytes: expect.objectContaining({ 0: 0x4e }) })
    expect(read(10)).toEqual({ reason: 'too-large', detail: 'it grew over 10 bytes while it was read' })
  },
)
