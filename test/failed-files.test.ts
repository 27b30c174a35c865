// Does one file, or one failed refresh, keep the rest from being indexed and asked?
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { call, serveStdio } from './mcp-clients.ts'
import { plainVariables, type Ran, runYore } from './run-command-line.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

let root: string
beforeEach(() => {
  root = makeFolder()
})

const yore = (...args: readonly string[]): Ran => {
  const env = { ...plainVariables(), NO_COLOR: '1', NODE_NO_WARNINGS: '1', YORE_EMBEDDING_PROVIDER: 'none' }
  return runYore([...args, '--root', root], { env })
}

describe('a file that cannot be stored', () => {
  // Its path is the id of a section of another file.
  const named = 'guide.md#setup'
  beforeEach(() => {
    writeFiles(root, {
      'guide.md': '# setup\n\nOwls live in the attic.\n',
      [named]: 'Owls are fed at night.\n',
      'last.md': '# Last\n\nOwls sleep by day.\n',
    })
  })

  it('is skipped with its path and reason, and the others are indexed', () => {
    const indexed = yore('index')
    expect(indexed.status).toBe(0)
    const reason = `skipped ${named}: the index refused it: UNIQUE constraint failed: artifacts.key`
    expect(indexed.stderr).toContain(`warning: ${reason}\n`)
    expect(indexed.stdout).toContain('indexed 2 files (0 unchanged, 0 removed, 1 skipped)')
    expect(yore('status', '--skipped').stdout).toContain(`not stored (1)\n  ${named}  the index refused it`)
    const found = yore('search', 'owls')
    expect([found.status, found.stderr]).toEqual([0, ''])
    expect(found.stdout).toContain('last.md')
    expect(yore('doctor').stdout).not.toContain('damaged')
  })

  it('is tried again by the next run', () => {
    yore('index')
    writeFiles(
      root,
      { 'guide.md': '# Introduction\n\nOwls live in the attic.\n' },
      { 'guide.md': Date.now() },
    )
    expect(yore('index').stdout).toContain('indexed 2 files')
    expect(yore('search', 'owls night').stdout).toContain(named)
  })
})

describe('a refresh that fails', () => {
  const failure = /The index could not be refreshed, so this answer may be out of date: UNIQUE constraint/i

  /** Far from every word that is asked for. */
  const animal = 'xoloitzcuintli'

  /** A row is in the way of the next segment; nothing that exists already uses it. */
  beforeEach(() => {
    writeFiles(root, { 'owls.md': '# Owls\n\nOwls live in the attic.\n', 'bats.md': '# Bats\n' })
    expect(yore('index').status).toBe(0)
    using db = new DatabaseSync(path.join(root, '.yore/index.db'))
    db.exec(`INSERT INTO postings SELECT max(id) + 1, '${animal}', x'00' FROM segments`)
    writeFiles(root, { 'bats.md': `# Bats\n\nA ${animal}.\n` }, { 'bats.md': Date.now() })
  })

  it('does not keep a question from its answer, which says so', () => {
    expect(yore('index').status).toBe(1)
    const digest = yore('assemble', 'owls attic')
    expect(digest.status).toBe(0)
    expect(digest.stdout).toContain('Owls live in the attic.')
    expect(digest.stdout).toMatch(failure)
    expect(digest.stderr).toMatch(failure)
    for (const args of [['search', 'owls'], ['read', 'owls.md'], ['uses', 'owls.md'], ['outline']]) {
      const run = yore(...args)
      expect([args, run.status, run.stderr]).toEqual([args, 0, expect.stringMatching(failure)])
    }
    expect(JSON.parse(yore('search', 'owls', '--json').stdout).freshness).toMatchObject({
      state: 'stale',
      changedFiles: 1,
      failure: expect.stringContaining('UNIQUE constraint failed'),
    })
  })

  it('is a sentence of the answer for agents, not an error', async () => {
    const served = await serveStdio(root)
    const found = await call(served.client, 'search', { query: 'owls' })
    expect([found.isError, found.text]).toEqual([false, expect.stringMatching(failure)])
    expect(found.text).toContain('UNIQUE constraint failed')
    const digest = await call(served.client, 'assemble_context', { question: 'owls attic' })
    expect([digest.isError, digest.text]).toEqual([false, expect.stringMatching(failure)])
    await served.close()
  })

  it('is an error where there is no index to answer from', async () => {
    using engine = openEngine(makeFolder())
    await expect(engine.search('owls')).rejects.toMatchObject({ code: 'NOTHING_INDEXED' })
  })
})
