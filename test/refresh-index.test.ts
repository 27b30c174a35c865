// Does a question see the files as they are, when that is quick, and is it said when it does not?
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lookAtFreshness, refreshIndex } from '../src/corpus/indexing/refresh-index.ts'
import { takeWriterLock } from '../src/corpus/store/ownership/writer-lock.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { ownProcess, TestCorpus } from './support/corpus.ts'
import { git } from './support/test-tree.ts'

const refresh = (
  corpus: TestCorpus,
  change: Partial<Parameters<typeof refreshIndex>[1] & Parameters<typeof refreshIndex>[2]> = {},
) => {
  const { root, indexDir, settings } = corpus
  const options = { ...ownProcess, root, indexDir, settings, ...change }
  return refreshIndex(corpus.read(), options, change)
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

it('leaves it alone when one file changed, and all of many would be read again for other settings', async () => {
  const corpus = await indexed(
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.md`, `# Page ${at}\n\nalpha\n`])),
  )
  corpus.write({ '7.md': '# Page 7\n\nbeta beta\n' })
  const settings = { ...corpus.settings, ids: ['RFC'] }
  expect(await refresh(corpus, { settings, refreshMilliseconds: 500 })).toMatchObject({ state: 'stale' })
  expect(await refresh(corpus, { refreshMilliseconds: 500 })).toMatchObject({ state: 'refreshed' })
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
    expect(digest.notices[0]).toContain('The index is not complete: run `yore index`')
    expect(output).toContain('The index is not complete')
    expect(await engine.status()).toMatchObject({ freshness: { state: 'incomplete', changedFiles: 2 } })
  })
})

it('expects Swift to take eight times as long as other code: its grammar recovers from errors in most files', async () => {
  const files = (name: string): Record<string, string> => ({
    [name]: `// one\n${'let a = 1\n'.repeat(40_000)}`,
  })
  for (const [name, state] of [
    ['a.swift', 'stale'],
    ['a.go', 'refreshed'],
  ] as const) {
    const corpus = await indexed({ [name]: '// one\n' })
    corpus.write(files(name))
    expect(await refresh(corpus)).toMatchObject({ state, changedFiles: 1 })
  }
})

describe('T47: a commit alone', () => {
  const commit = (root: string, at: string): void => {
    git(root, ['add', '-A', '--', '*.md'])
    git(root, ['commit', '-qm', 'x'], { GIT_COMMITTER_DATE: `${at}T12:00:00+0000` })
  }

  async function dates(corpus: TestCorpus): Promise<unknown> {
    const { root, indexDir, settings } = corpus
    using engine = openEngine({ root, indexDir, settings, now: Date.UTC(2026, 0, 1) })
    const { digest } = await engine.assemble('What do alpha and beta say?')
    const found = digest.documents.map(({ path, modifiedAt }) => [path, dayOf(modifiedAt)] as const)
    return Object.fromEntries(found)
  }
  const dayOf = (at: number | null): string => new Date(at ?? 0).toISOString().slice(0, 10)

  it.each(['loose', 'packed', 'detached', 'linked'])('refreshes dates, with a %s reference', async (kind) => {
    const corpus = new TestCorpus({ 'a.md': '# Alpha\n\nalpha says beta\n' })
    git(corpus.root, ['init', '-q'])
    commit(corpus.root, '2024-01-01')
    corpus.write({ 'b.md': '# Beta\n\nbeta says alpha\n' })
    utimesSync(join(corpus.root, 'b.md'), new Date('2025-01-01'), new Date('2025-01-01'))
    // As in a worktree and in a submodule.
    if (kind === 'linked') git(corpus.root, ['init', '-q', '--separate-git-dir', `${corpus.root}.git`])
    if (kind === 'detached') git(corpus.root, ['checkout', '-q', '--detach'])
    await corpus.index()
    expect(await dates(corpus)).toEqual({ 'a.md': '2024-01-01', 'b.md': '2025-01-01' })
    commit(corpus.root, '2025-07-01')
    if (kind === 'packed') git(corpus.root, ['pack-refs', '--all'])
    expect(await dates(corpus)).toEqual({ 'a.md': '2024-01-01', 'b.md': '2025-07-01' })
  })

  it('of a repository without any refreshes dates, too', async () => {
    const corpus = new TestCorpus({ 'a.md': '# Alpha\n\nalpha says beta\n' })
    utimesSync(join(corpus.root, 'a.md'), new Date('2023-01-01'), new Date('2023-01-01'))
    git(corpus.root, ['init', '-q'])
    await corpus.index()
    expect(await dates(corpus)).toEqual({ 'a.md': '2023-01-01' })
    commit(corpus.root, '2025-07-01')
    expect(await dates(corpus)).toEqual({ 'a.md': '2025-07-01' })
  })
})
