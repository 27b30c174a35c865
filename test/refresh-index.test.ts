// Does a question see the files as they are, when that is quick, and is it said when it does not?
import { describe, expect, it } from 'vitest'
import { lookAtFreshness, refreshIndex } from '../src/corpus/indexing/refresh-index.ts'
import { RememberedLook } from '../src/corpus/indexing/remember-look.ts'
import { takeWriterLock } from '../src/corpus/store/ownership/writer-lock.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { ownProcess, TestCorpus } from './support/corpus.ts'

const refresh = (
  corpus: TestCorpus,
  change: Partial<Parameters<typeof refreshIndex>[1] & Parameters<typeof refreshIndex>[2]> = {},
) => {
  const { root, indexDir, settings } = corpus
  const remembered = change.remembered ?? new RememberedLook(root, ownProcess.clock)
  const options = { ...ownProcess, root, indexDir, settings, ...change }
  return refreshIndex(corpus.read(), options, { ...change, remembered })
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
  expect(await lookAtFreshness(corpus.read(), corpus)).toMatchObject({ state: 'fresh' })
})

it('looks at nothing when told to, and says so in the answer', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nbeta beta\n' })
  const { root, indexDir, settings } = corpus
  using engine = openEngine({ root, indexDir, settings: { ...settings, refresh: 'never' }, now: 0 })
  const { freshness, output } = await engine.assemble('alpha')
  expect(freshness).toMatchObject({ state: 'unchecked', changedFiles: 0 })
  expect(output).toContain('No file was compared with the index for this answer.')
  expect(await lookAtFreshness(corpus.read(), corpus)).toMatchObject({ state: 'stale', touched: ['a.md'] })
  expect(await engine.status()).toMatchObject({ freshness: { state: 'stale', changedFiles: 1 } })
})

it('leaves it alone when indexing would take longer than a question may wait', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nbeta beta\n' })
  expect(await refresh(corpus, { refreshMilliseconds: 0 })).toMatchObject({ state: 'stale' })
})

it('answers from the state before while another process writes', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nbeta beta\n' })
  const lock = takeWriterLock(corpus.indexDir)
  try {
    expect(await refresh(corpus)).toMatchObject({ state: 'stale', changedFiles: 1 })
  } finally {
    lock.release()
  }
})

describe('an index whose first run was stopped', () => {
  const begun = (): TestCorpus => {
    const corpus = new TestCorpus({ 'a.md': '# A\n\nalpha\n', 'b.md': '# B\n\nbeta\n' })
    corpus.begin()
    return corpus
  }

  it('is completed before answering when that is quick', async () => {
    const corpus = begun()
    expect(await refresh(corpus)).toMatchObject({ state: 'refreshed', changedFiles: 2 })
    expect(await lookAtFreshness(corpus.read(), corpus)).toMatchObject({ state: 'fresh' })
  })

  it('is called incomplete otherwise, with the number of files that it lacks', async () => {
    const corpus = begun()
    const incomplete = { state: 'incomplete', changedFiles: 2 }
    expect(await refresh(corpus, { refreshMilliseconds: 0 })).toMatchObject(incomplete)
    const lock = takeWriterLock(corpus.indexDir)
    try {
      expect(await refresh(corpus)).toMatchObject(incomplete)
    } finally {
      lock.release()
    }
  })

  it('says so in the digest and in the status', async () => {
    const { root, indexDir, settings } = begun()
    using engine = openEngine({ root, indexDir, settings: { ...settings, refresh: 'never' }, now: 0 })
    const { output, digest } = await engine.assemble('alpha')
    expect(digest.notices[0]).toContain('The index is not complete: run `yore index`, or wait')
    expect(output).toContain('The index is not complete')
    expect(await engine.status()).toMatchObject({ freshness: { state: 'incomplete', changedFiles: 2 } })
  })
})
