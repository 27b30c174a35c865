// Does the main thread stay free for a signal to stop, whatever there is to parse?
import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { TestCorpus } from '../../../test/support/corpus.ts'
import { stampOf } from '../../read/source/walk/check-freshness.ts'
import type { AnalyzeResult, FileTask } from './analyze-documents.ts'
import { analyzeAll } from './parse-pool.ts'

/** How often this thread came to its timers while the files were parsed, and how many documents came of them. */
async function countTurns(
  files: Readonly<Record<string, string>>,
): Promise<{ turns: number; documents: number }> {
  const { root } = new TestCorpus(files)
  const tasks = Object.keys(files).map((file) => {
    return { path: file, ...stampOf(statSync(path.join(root, file))), knownHash: null, committedAt: null }
  })
  const limits = { maxFileSize: 100_000_000, maxLineLength: 10_000 }
  const mentions = { wikiLinks: false, idPrefixes: [], codeNames: false }
  const task = { root, files: tasks, limits, mentions, maskSecrets: true }
  let turns = 0
  let documents = 0
  const timer = setInterval(() => turns++, 1)
  for await (const { batch } of analyzeAll(task, { workers: 1 })) documents += batch.documents.length
  clearInterval(timer)
  return { turns, documents }
}

const prose = 'The deploy worker reads the registry and waits for its lease.\n'

it('parses a large file beside the main thread, also when there is but one worker', async () => {
  const { turns, documents } = await countTurns({ 'log.txt': prose.repeat(50_000) })
  expect(documents).toBe(1)
  expect(turns).toBeGreaterThan(20)
})

it('comes up for air between batches of small files', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`part${at}.txt`, prose.repeat(12_000)]),
  )
  const { turns, documents } = await countTurns(files)
  expect(documents).toBe(8)
  expect(turns).toBeGreaterThan(2)
})

it('skips a file whose reading fails, with its path, and analyses the rest of its batch', async () => {
  const { root } = new TestCorpus({ 'a.md': '# A\n\nalpha\n', 'b.md': '# B\n\nbeta\n' })
  const taskOf = (file: string): FileTask => ({
    ...{ path: file, knownHash: null, committedAt: null },
    ...stampOf(statSync(path.join(root, file))),
  })
  const bytes = new Uint8Array(8)
  // The caller gave its bytes away: reading them throws.
  structuredClone(bytes, { transfer: [bytes.buffer] })
  const gone = { ...taskOf('a.md'), path: 'gone.pdf', given: { bytes, contentHash: 'x', places: [] } }
  const limits = { maxFileSize: 100_000_000, maxLineLength: 10_000 }
  const mentions = { wikiLinks: false, idPrefixes: [], codeNames: false }
  const files = [taskOf('a.md'), gone, taskOf('b.md')]
  const task = { root, files, limits, mentions, maskSecrets: true }
  const results: AnalyzeResult[] = []
  for await (const result of analyzeAll(task, { workers: 1 })) results.push(result)
  expect(results.flatMap(({ batch }) => batch.documents.map((document) => document.path))).toEqual([
    'a.md',
    'b.md',
  ])
  expect(results[0]?.batch.terms.fragmentCount).toBe(2)
  expect(results.flatMap(({ skipped }) => skipped)).toEqual([
    { path: 'gone.pdf', reason: 'parse-failed', detail: expect.stringContaining('it cannot be read: ') },
  ])
})
