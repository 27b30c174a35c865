// Does an engine that stays open see every change in its next answer?
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lookAtFreshness, refreshIndex } from '../src/corpus/indexing/refresh-index.ts'
import { takeWriterLock } from '../src/corpus/store/ownership/writer-lock.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { ownProcess, TestCorpus } from './support/corpus.ts'

const files = { 'a.md': '# A\n\nalpha\n', 'docs/b.md': '# B\n\nbeta\n', 'docs/deep/c.md': '# C\n\ngamma\n' }

/** An engine that has answered before. */
async function opened() {
  const corpus = new TestCorpus(files)
  await corpus.index()
  const { root, indexDir, settings } = corpus
  const engine = openEngine({ root, indexDir, settings, now: 0 })
  onTestFinished(() => engine.close())
  expect((await engine.search('alpha')).freshness.state).toBe('fresh')
  return { corpus, engine }
}

describe('an engine that stays open', () => {
  it.each([
    ['changed in place', ({ write }: Change) => write({ 'docs/b.md': '# B\n\nquokka\n' })],
    ['added', ({ write }: Change) => write({ 'docs/new.md': '# New\n\nquokka\n' })],
    ['added in a new folder', ({ write }: Change) => write({ 'docs/x/y/new.md': '# New\n\nquokka\n' })],
    [
      'moved over another',
      ({ root, write }: Change) => {
        write({ 'next.tmp': '# B\n\nquokka\n' })
        renameSync(path.join(root, 'next.tmp'), path.join(root, 'docs/b.md'))
      },
    ],
  ])('finds a file that was %s in the very next answer', async (_, change) => {
    const { corpus, engine } = await opened()
    change({ root: corpus.root, write: (changed) => corpus.write(changed) })
    const { hits, freshness } = await engine.search('quokka')
    expect(hits).toHaveLength(1)
    expect(freshness).toMatchObject({ state: 'refreshed', changedFiles: 1 })
  })

  it('says so until a change is in the index, however often it is asked', async () => {
    const { corpus, engine } = await opened()
    corpus.write({ 'docs/b.md': '# B\n\nquokka\n' })
    const lock = takeWriterLock(corpus.indexDir)
    for (const _ of [1, 2, 3])
      expect((await engine.search('beta')).freshness).toMatchObject({ state: 'stale', changedFiles: 1 })
    lock.release()
    expect((await engine.search('quokka')).hits).toHaveLength(1)
    expect((await engine.search('quokka')).freshness).toMatchObject({ state: 'fresh' })
  })

  it('answers two questions at once from the index after the change', async () => {
    const { corpus, engine } = await opened()
    corpus.write({ 'docs/b.md': '# B\n\nquokka\n' })
    const found = await Promise.all([
      engine.search('quokka'),
      engine.assemble('quokka'),
      engine.search('quokka'),
    ])
    expect(found.map((result) => ('hits' in result ? result.hits : result.digest.primary).length)).toEqual([
      1, 1, 1,
    ])
  })

  it('is right after any edits', async () => {
    const name = fc.constantFrom(
      ...'a.md docs/b.md docs/deep/c.md docs/deep/d.md new/e.md new/x/f.md'.split(' '),
    )
    const folder = fc.constantFrom('docs', 'docs/deep', 'new', 'new/x')
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), name, text: fc.constantFrom('one', 'two', 'three') }),
      fc.record({ kind: fc.constant('remove' as const), name }),
      fc.record({ kind: fc.constant('rename' as const), name, to: name }),
      fc.record({
        kind: fc.constant('move' as const),
        name: folder,
        to: fc.constantFrom('moved', 'docs/moved', 'new'),
      }),
      fc.record({ kind: fc.constant('clear' as const), name: folder }),
      fc.record({
        kind: fc.constant('ignore' as const),
        name: fc.constantFrom('', 'deep/\n', '*.md\n!a.md\n'),
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        async (rounds) => {
          const corpus = new TestCorpus({ ...files, 'keep.txt': 'always here\n' })
          await corpus.index()
          const { root, indexDir, settings } = corpus
          using engine = openEngine({ root, indexDir, settings, now: 0 })
          for (const _ of [1, 2]) await engine.search('alpha')
          for (const edits of rounds) {
            for (const change of edits) apply(corpus, change)
            await engine.search('alpha')
            expect(await lookAtFreshness(corpus.read(), corpus)).toMatchObject({ state: 'fresh' })
          }
        },
      ),
      { numRuns: 25 },
    )
  }, 60_000)
})

interface Change {
  readonly root: string
  readonly write: (files: Readonly<Record<string, string>>) => void
}

function apply(
  corpus: TestCorpus,
  change: { readonly kind: string; readonly name: string; readonly text?: string; readonly to?: string },
): void {
  const at = (name: string): string => path.join(corpus.root, name)
  if (change.kind === 'write') corpus.write({ [change.name]: `# ${change.text}\n` })
  else if (change.kind === 'ignore') corpus.write({ '.gitignore': change.name })
  else if (change.kind === 'rename' || change.kind === 'move') {
    try {
      mkdirSync(path.dirname(at(change.to ?? '')), { recursive: true })
      renameSync(at(change.name), at(change.to ?? ''))
    } catch {
      // Not there, or in the way.
    }
  } else rmSync(at(change.name), { recursive: true, force: true })
}

describe('a corpus of more files than a question waits for', () => {
  it('has those compared that were indexed last, and says of how many', async () => {
    const corpus = new TestCorpus(files)
    await corpus.index()
    const { root, indexDir, settings } = corpus
    const ask = () => refreshIndex(corpus.read(), { ...ownProcess, root, indexDir, settings }, { most: 1 })
    expect(await ask()).toMatchObject({ state: 'fresh', compared: { files: 1, of: 3 } })
    corpus.write({ 'a.md': '# A\n\nalpha two\n' })
    await corpus.index()
    corpus.write({ 'docs/b.md': '# B\n\nunseen\n' })
    expect(await ask()).toMatchObject({ state: 'fresh', compared: { files: 1, of: 3 } })
    corpus.write({ 'a.md': '# A\n\nalpha three\n' })
    expect(await ask()).toMatchObject({ state: 'refreshed', changedFiles: 2 })
  })
})
