// Is a file that links give several names indexed once, and found under each of them?
import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string
let engine: Engine
beforeEach(() => {
  root = makeFolder()
  writeFiles(root, {
    'guide.md': '# Guide\n\n## Backoff\n\nbackoff, see [nothing](missing.md)\n',
    'README.md': '# Read me\n\nSee [the rules](link.md#backoff).\n',
  })
  symlinkSync('guide.md', path.join(root, 'link.md'))
  engine = openCorpus(root, { 'embedding.provider': 'none' })
})
afterEach(() => engine.close())

it.skipIf(process.platform === 'win32')('is found once, with its faults once', async () => {
  expect(await engine.index()).toMatchObject({ files: 2, indexed: 2 })
  const { hits } = await engine.search('backoff')
  expect(hits.map((hit) => hit.path).sort()).toEqual(['README.md', 'guide.md'])
  const { links } = await engine.checkLinks()
  expect(JSON.stringify(links).match(/missing\.md/g)).toHaveLength(1)
})

it.skipIf(process.platform === 'win32')('is what references to its other name lead to', async () => {
  await engine.index()
  expect(JSON.stringify((await engine.checkLinks()).links)).not.toContain('link.md')
  expect(await engine.read('link.md')).toMatchObject({ passage: { path: 'guide.md' } })
  rmSync(path.join(root, 'link.md'))
  await engine.index()
  expect(JSON.stringify((await engine.checkLinks()).links)).toContain('link.md')
  symlinkSync('guide.md', path.join(root, 'link.md'))
  await engine.index()
  expect(JSON.stringify((await engine.checkLinks()).links)).not.toContain('link.md')
})
