// Does a question see the files as they are, when that is quick, and is it said when it does not?
import { expect, it } from 'vitest'
import { takeWriterLock } from '../store/open-database.ts'
import { TestCorpus } from './corpus.fixture.ts'
import { lookAtFreshness, refreshIndex } from './refresh-index.ts'

const refresh = (corpus: TestCorpus, change: Partial<Parameters<typeof refreshIndex>[1]> = {}) => {
  const { root, indexDir, settings } = corpus
  return refreshIndex(corpus.read(), { root, indexDir, settings, refresh: 'auto', ...change })
}

async function indexed(
  files: Readonly<Record<string, string>> = { 'a.md': '# A\n\nalpha\n' },
): Promise<TestCorpus> {
  const corpus = new TestCorpus(files)
  await corpus.index()
  return corpus
}

it('finds a fresh index fresh, and touches nothing', async () => {
  const corpus = await indexed()
  expect(await refresh(corpus)).toMatchObject({ state: 'fresh', changedFiles: 0 })
})

it.each([
  ['changed', (corpus: TestCorpus) => corpus.write({ 'a.md': '# A\n\nbeta beta\n' })],
  ['added', (corpus: TestCorpus) => corpus.write({ 'b.md': '# B\n' })],
  ['removed', (corpus: TestCorpus) => corpus.remove('a.md')],
])('indexes a file that was %s before answering', async (_, change) => {
  const corpus = await indexed({ 'a.md': '# A\n\nalpha\n', 'keep.md': '# Keep\n' })
  change(corpus)
  expect(await refresh(corpus)).toMatchObject({ state: 'refreshed', changedFiles: 1 })
  expect(lookAtFreshness(corpus.read(), corpus.root).state).toBe('fresh')
})

it('leaves the index alone when told to, and says that it is stale', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nbeta beta\n' })
  expect(await refresh(corpus, { refresh: 'never' })).toMatchObject({ state: 'stale', changedFiles: 1 })
  expect(lookAtFreshness(corpus.read(), corpus.root)).toMatchObject({ state: 'stale', touched: ['a.md'] })
})

it('leaves it alone when indexing would take longer than a question may wait', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nbeta beta\n' })
  const settings = { ...corpus.settings, refreshMilliseconds: 0 }
  expect(await refresh(corpus, { settings })).toMatchObject({ state: 'stale' })
})

it('answers from the state before while another process writes', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nbeta beta\n' })
  const lock = takeWriterLock(corpus.indexDir)
  try {
    expect(await refresh(corpus)).toMatchObject({ state: 'stale', changedFiles: 1 })
  } finally {
    lock?.release()
  }
})
