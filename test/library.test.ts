// Does a program get what the command line gives? The library's door: configuration, time, closing, and a file alone.
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adoptCorpusFile, errorTable, openCorpusFile, openEngine } from '../src/index.ts'
import { runCommandLine, runNode } from './run-command-line.ts'
import { copyFixture, makeFolder, writeFiles } from './temporary-corpus.ts'

const question = 'What are the retry semantics for failed API calls?'
const state = makeFolder()
const env = { HOME: state, YORE_EMBEDDING_PROVIDER: 'none', SOURCE_DATE_EPOCH: '1764429780' }

let root: string
beforeAll(async () => {
  root = makeFolder()
  copyFixture('services', root)
  writeFiles(root, { 'yore.json': '{ "maxTokens": 1200 }' })
  using engine = openEngine(root, { env })
  await engine.index()
})
afterAll(() => {})

describe('openEngine with a folder', () => {
  it('reads configuration and time as the command line does, and gives the same bytes', async () => {
    using engine = openEngine(root, { env })
    const { output, digest } = await engine.assemble(question, { layout: 'auto' })
    expect(digest).toMatchObject({ query: { maxTokens: 1200 }, generatedAt: 1_764_429_780_000 })
    expect(runCommandLine(['assemble', question, '--root', root], env)).toBe(output)
  })

  it('lets a program say more than configuration does, for the engine and for one call', async () => {
    using engine = openEngine(root, { env, settings: { maxTokens: 700 }, now: 5 })
    const { digest } = await engine.assemble(question)
    expect(digest).toMatchObject({ query: { maxTokens: 700 }, generatedAt: 5 })
    expect((await engine.assemble(question, { now: 7 })).digest.generatedAt).toBe(7)
  })

  it('asks what tells the time for each call', async () => {
    let time = 10
    using engine = openEngine(root, { env, now: () => time++ })
    expect((await engine.assemble(question)).digest.generatedAt).toBe(10)
    expect((await engine.assemble(question)).digest.generatedAt).toBe(11)
  })

  it('refuses what is no folder, and configuration that is none', () => {
    expect(() => openEngine(path.join(root, 'nothing'))).toThrow('no such folder')
    expect(() => openEngine(root, { env: { ...env, YORE_MAX_TOKENS: 'many' } })).toThrow('YORE_MAX_TOKENS')
  })
})

describe('the examples', () => {
  const blocks = ['README.md', 'docs/guides/library.md'].flatMap((page) =>
    [
      ...readFileSync(path.join(import.meta.dirname, '..', page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
    ].map(([, block = '']): [string, string] => [page, block]),
  )

  it.each(blocks)('of %s run, and print something', (_, block) => {
    const api = pathToFileURL(path.join(import.meta.dirname, '../src/index.ts')).href
    const program = path.join(state, 'example.mts')
    writeFileSync(program, block.replace("'yore'", JSON.stringify(api)))
    const printed = runNode(program, [], env, root)
    rmSync(program)
    expect(printed).toMatch(/docs\//)
  })
})

describe('openCorpusFile', () => {
  const placeOf = (folder: string): { file: string; sha256: string } => {
    const file = path.join(folder, 'corpus.db')
    copyFileSync(path.join(root, '.yore/index.db'), file)
    return { file, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }
  }

  it('answers from the file alone as from its folder, and leaves nothing beside it', async () => {
    const folder = makeFolder()
    const { file, sha256 } = placeOf(folder)
    const settings = { maxTokens: 1200, 'embedding.provider': 'none' } as const
    using engine = openCorpusFile(file, { sha256, settings, env })
    using whole = openEngine(root, { env })
    expect((await engine.assemble(question)).output).toBe((await whole.assemble(question)).output)
    expect((await engine.status()).files).toBe((await whole.status()).files)
    expect((await engine.graph('ADR-0021')).graph).toEqual((await whole.graph('ADR-0021')).graph)
    const ids = await engine.artifactIds()
    expect(ids).toEqual(await whole.artifactIds())
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(ids.filter((id) => !id.includes('#'))).toHaveLength((await engine.status()).files)
    // @ts-expect-error: a corpus file has no folder to index.
    expect(engine.index).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['corpus.db'])
  })

  it('refuses a file with another hash, or none', async () => {
    const folder = makeFolder()
    const { file } = placeOf(folder)
    using wrong = openCorpusFile(file, { sha256: '0'.repeat(64) })
    await expect(wrong.assemble(question)).rejects.toMatchObject({ code: 'INDEX_DAMAGED' })
    rmSync(file)
    await expect(wrong.assemble(question)).rejects.toMatchObject({ code: 'NO_INDEX' })
    expect(errorTable.NO_INDEX.hint).not.toBe('')
  })
})

describe('adoptCorpusFile', () => {
  it('begins the index of another folder: what is the same is not read again, and answers are those of a new index', async () => {
    const elsewhere = makeFolder()
    copyFixture('services', elsewhere)
    writeFiles(elsewhere, {
      'yore.json': '{ "maxTokens": 1200 }',
      'docs/new.md': '# Retry\n\nRetries wait.\n',
    })
    const indexDir = path.join(elsewhere, '.yore')
    const file = path.join(root, '.yore/index.db')
    adoptCorpusFile(file, { root: elsewhere, indexDir, env })
    using adopted = openEngine(elsewhere, { env })
    expect(await adopted.index()).toMatchObject({ indexed: 1, removed: 0, rebuilt: false, notices: [] })
    const { output } = await adopted.assemble(question)
    expect(() => adoptCorpusFile(file, { root: elsewhere, indexDir, env })).toThrow(/exist/)
    expect(await adopted.index({ rebuild: true })).toMatchObject({ rebuilt: true })
    expect((await adopted.assemble(question)).output).toBe(output)
  })
})
