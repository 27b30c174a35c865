// Do readers ever see half a document, or have to wait, while a writer works? Four readers and one writer (T5).
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import path from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import type { ReaderReport } from './reader-process.ts'
import { indexFolder, makeFolder, openCorpus, removeFolder, slow, writeFiles } from './temporary-corpus.ts'
import { doneFile, generationFiles } from './writer-process.ts'

const READERS = 4
const MILLISECONDS = slow ? 15_000 : 3_000

let root: string
beforeEach(async () => {
  root = makeFolder()
  writeFiles(root, generationFiles(0))
  await indexFolder(root)
})
afterEach(() => {
  removeFolder(doneFile(root))
})

function start(
  program: string,
  ...args: string[]
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program), ...args])
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })))
}

it('serves whole documents to four readers while a writer replaces them', async () => {
  const writer = start('writer-process.ts', root, String(MILLISECONDS))
  const readers = Array.from({ length: READERS }, () => start('reader-process.ts', root))
  const written = await writer
  expect([written.status, written.stderr]).toEqual([0, expect.not.stringContaining('Error')])
  expect(Number(written.stdout)).toBeGreaterThan(3)
  for (const { status, stdout, stderr } of await Promise.all(readers)) {
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('Error')])
    const report = JSON.parse(stdout) as ReaderReport
    expect(report).toMatchObject({ torn: [], errors: [] })
    expect(report.answers).toBeGreaterThan(4)
    expect(report.generations).toBeGreaterThan(1)
  }
})

it('opens the index at every moment of a rebuild', async () => {
  const writing = start('writer-process.ts', root, String(MILLISECONDS), 'rebuild')
  let done = false
  writing.finally(() => (done = true))
  const failures: string[] = []
  let opened = 0
  while (!done) {
    for (let turn = 0; turn < 20; turn++) {
      try {
        const reader = new CorpusReader(openForReading(path.join(root, '.yore/index.db'), { root }))
        if (reader.snapshot(() => reader.count('files')) !== 12) failures.push('not all files')
        reader.close()
        opened++
      } catch (cause) {
        failures.push(String(cause))
      }
    }
    await setImmediate()
  }
  expect((await writing).status).toBe(0)
  expect(failures).toEqual([])
  expect(opened).toBeGreaterThan(50)
})

it("never makes a journal, which would be taken for a stranger's", async () => {
  const seen = new Set<string | null>()
  const watcher = watch(path.join(root, '.yore'), (_, name) => seen.add(name))
  const engine = openCorpus(root)
  await engine.index({ rebuild: true })
  engine.close()
  await setTimeout(100)
  watcher.close()
  expect([...seen]).toContain('index.db.new')
  expect([...seen].filter((name) => name?.endsWith('-journal'))).toEqual([])
})
