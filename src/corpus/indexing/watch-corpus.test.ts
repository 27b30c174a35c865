// Does the index follow the files while it is watched, and does watching end?
import { existsSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { IndexReport } from '../../model/report.ts'
import { takeWriterLock } from '../store/ownership/writer-lock.ts'
import { ownProcess, TestCorpus } from './corpus.fixture.ts'
import { watchCorpus } from './watch-corpus.ts'

/** Watches until the test says so; `next` waits for one more report. */
function startWatching(corpus: TestCorpus): {
  next: () => Promise<IndexReport>
  stop: () => Promise<void>
  done: Promise<void>
} {
  const stop = new AbortController()
  const reports: IndexReport[] = []
  let wake: (report: IndexReport) => void = (report) => reports.push(report)
  const waiting = (report: IndexReport): void => void reports.push(report)
  const done = watchCorpus(
    { ...ownProcess, root: corpus.root, indexDir: corpus.indexDir, settings: corpus.settings, now: 0 },
    { signal: stop.signal, onIndexed: (report) => wake(report) },
  )
  wake = waiting
  const next = (): Promise<IndexReport> => {
    const known = reports.shift()
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => {
      wake = (report) => {
        wake = waiting
        resolve(report)
      }
    })
  }
  return {
    next,
    done,
    stop: () => {
      stop.abort()
      return done
    },
  }
}

/** Reports until one has read or removed something. */
async function nextChange(next: () => Promise<IndexReport>): Promise<IndexReport> {
  for (;;) {
    const report = await next()
    if (report.indexed + report.removed > 0) return report
  }
}

it('indexes once, then after each change, until it is stopped', async () => {
  const corpus = new TestCorpus({ 'a.md': '# A\n' })
  const { next, stop } = startWatching(corpus)
  expect(await next()).toMatchObject({ indexed: 1 })
  corpus.write({ 'docs/b.md': '# B\n' })
  expect(await nextChange(next)).toMatchObject({ indexed: 1, files: 2 })
  corpus.remove('a.md')
  expect(await nextChange(next)).toMatchObject({ removed: 1, files: 1 })
  await stop()
  expect(
    corpus
      .read()
      .files()
      .map(({ path }) => path),
  ).toEqual(['docs/b.md'])
})

it('waits for its turn while another process writes', async () => {
  const corpus = new TestCorpus({ 'a.md': '# A\n' })
  const lock = takeWriterLock(corpus.indexDir)
  const { next, stop } = startWatching(corpus)
  setTimeout(() => lock.release(), 500)
  expect(await next()).toMatchObject({ indexed: 1 })
  await stop()
})

it('ends with an error when there is nothing to index, or nothing any more', async () => {
  const empty = startWatching(new TestCorpus({}))
  await expect(empty.done).rejects.toMatchObject({ code: 'NOTHING_INDEXED' })
  const corpus = new TestCorpus({ 'a.md': '# A\n' })
  const { next, done } = startWatching(corpus)
  await next()
  corpus.remove('a.md')
  await expect(done).rejects.toMatchObject({ code: 'NOTHING_INDEXED' })
})

it('ends with an error when its folder is taken away', async () => {
  const corpus = new TestCorpus({ 'a.md': '# A\n' })
  const { next, done } = startWatching(corpus)
  await next()
  rmSync(corpus.root, { recursive: true })
  await expect(done).rejects.toMatchObject({ code: 'CANNOT_WATCH' })
  expect(existsSync(corpus.root)).toBe(false)
})

it('ends at once when it is stopped before anything changes', async () => {
  const corpus = new TestCorpus({ 'a.md': '# A\n' })
  const { next, stop } = startWatching(corpus)
  await next()
  await stop()
})
