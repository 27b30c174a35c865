// What does a large folder answer before it is indexed? From the files that match, with a note; a process builds the index meanwhile.
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readRecord } from '../src/corpus/store/ownership/build-record.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { call, serveStdio } from './mcp-clients.ts'
import { runYore } from './run-command-line.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

const filler = (at: number): string =>
  `# Note ${at}\n\n${`Plain words about topic ${at} and nothing else.\n\n`.repeat(120)}`

function makeLarge(): string {
  const root = makeFolder()
  const notes = Array.from({ length: 400 }, (_, at) => [`notes/n${at}.md`, filler(at)])
  writeFiles(root, {
    ...Object.fromEntries(notes),
    'docs/rollback.md': '# Rollback\n\nA rollback restores the walrus snapshot of the ledger.\n',
  })
  return root
}

const parts = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('yore-part-'))

/** Resolves with whether the process in the background estimated its end meanwhile. */
async function untilComplete(root: string): Promise<boolean> {
  let isEstimated = false
  for (let tries = 0; tries < 6000; tries++) {
    isEstimated ||= readRecord(path.join(root, '.yore'))?.endsAt !== undefined
    if (
      existsSync(path.join(root, '.yore', 'index.db')) &&
      !existsSync(path.join(root, '.yore', 'writer.lock'))
    )
      return isEstimated
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the index was not built')
}

it('answers from the files that match, and the index is there soon after', async () => {
  const root = makeLarge()
  const before = parts()
  const ask = ['search', 'walrus snapshot of the ledger', '--json', '--root', root]
  const first = runYore(ask, {})
  expect(first.stderr).toMatch(
    /^note: the index is being built; this answer is from the \d+ of 401 files that match best: ask again (?:when it is complete|in about \d+ (?:s|min))\n/,
  )
  const { hits, freshness } = JSON.parse(first.stdout)
  expect(hits[0].path).toBe('docs/rollback.md')
  expect(freshness).toMatchObject({ state: 'incomplete', early: expect.any(Number) })
  expect(freshness.early + freshness.changedFiles).toBe(401)
  expect(parts()).toEqual(before)
  expect(await untilComplete(root)).toBe(true)
  const second = runYore(ask, {})
  expect(second.stderr).toBe('')
  expect(JSON.parse(second.stdout).freshness).toMatchObject({ state: 'fresh' })
})

it('reads a place before the index is there, and says why it cannot find a name', async () => {
  const root = makeLarge()
  const { client, close } = await serveStdio(root)
  const first = await call(client, 'read', { place: ['docs/rollback.md:3', 'notes/n7.md:1', 'no/such.md'] })
  expect(first.text).toContain('walrus snapshot of the ledger')
  expect(first.text).toContain('# Note 7')
  expect(first.text).toContain('error: ')
  await close()
})

it('says so in the digest', async () => {
  const root = makeLarge()
  const digest = runYore(['assemble', 'walrus snapshot', '--root', root], {}).stdout
  expect(digest).toContain('walrus snapshot of the ledger')
  expect(digest).toMatch(/Note:.+The index is being built; this answer is from the \d+ of 401 files/)
  // What needs the whole index waits for it.
  const outline = runYore(['outline', 'docs/rollback.md', '--root', root], {})
  expect(outline.stdout, outline.stderr).toContain('Rollback')
  await untilComplete(root)
})

it('answers agents, too; a map shows the whole index', async () => {
  const root = makeLarge()
  const served = await serveStdio(root, 'modern')
  const first = await call(served.client, 'search', { query: 'walrus snapshot of the ledger' })
  expect(first.text).toMatch(/\nThe index is being built; .+\n1\. docs\/rollback\.md/)
  const map = await call(served.client, 'outline', {})
  expect(map.text).toMatch(/^Index fresh\. .+\n401 files \(markdown 401\)/)
  const second = await call(served.client, 'search', { query: 'walrus snapshot of the ledger' })
  expect(second.text).not.toContain('being built')
  await served.close()
})

it('builds the index for a map as the first call of an agent', async () => {
  const root = makeFolder()
  writeFiles(root, { 'docs/a.md': '# Retry\n\nbackoff\n' })
  const served = await serveStdio(root, 'modern')
  expect((await call(served.client, 'outline', {})).text).toMatch(/^Index fresh\. .+\n1 files/)
  await served.close()
})

it('waits for the whole index in a program', async () => {
  const root = makeLarge()
  using engine = openEngine(root, { settings: { 'embedding.provider': 'none' } })
  const { freshness } = await engine.search('walrus')
  expect(freshness).toMatchObject({ state: 'fresh' })
})

it('fails with what stopped the first index, although a part of it was written', async () => {
  const root = makeFolder()
  writeFiles(root, { 'docs/a.md': '# Retry\n\nbackoff\n' })
  const onProgress = ({ phase }: { readonly phase: string }): void => {
    if (phase !== 'looking') throw new Error('stopped')
  }
  using engine = openEngine(root, { firstUse: { onProgress } })
  await expect(engine.search('backoff')).rejects.toThrow('stopped')
})
