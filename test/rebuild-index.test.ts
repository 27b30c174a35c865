// Does the old index answer until the new one is complete, and only the new one after that?
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { TestCorpus } from './support/corpus.ts'

function open({ root, indexDir, settings }: TestCorpus): Engine {
  return openEngine({ root, indexDir, settings: { ...settings, refresh: 'never' }, now: 0 })
}

async function indexed(): Promise<TestCorpus> {
  const corpus = new TestCorpus({ 'a.md': '# Alpha\n\nalpha\n' })
  await corpus.index()
  return corpus
}

const hitsOf = async (engine: Engine): Promise<number> => (await engine.search('alpha')).hits.length

it('answers from the old index while it is rebuilt, and from the new one afterwards', async () => {
  const corpus = await indexed()
  const reader = open(corpus)
  expect(await hitsOf(reader)).toBe(1)
  corpus.write({ 'b.md': '# More alpha\n\nalpha\n' })
  const phases: string[] = []
  const filesSeen: number[] = []
  const writer = open(corpus)
  const report = await writer.index({
    rebuild: true,
    onProgress: ({ phase }) => {
      phases.push(phase)
      filesSeen.push(corpus.read().count('files'))
    },
  })
  writer.close()
  expect(report).toMatchObject({ rebuilt: true, indexed: 2 })
  expect(phases).toContain('merging')
  expect(new Set(filesSeen)).toEqual(new Set([1]))
  expect(await hitsOf(reader)).toBe(2)
  reader.close()
  expect(readdirSync(corpus.indexDir).filter((name) => name.includes('.new'))).toEqual([])
})

it('keeps the old index when the rebuild fails', async () => {
  const corpus = await indexed()
  const engine = open(corpus)
  const onProgress = ({ phase }: { readonly phase: string }): void => {
    if (phase === 'merging') throw new Error('stopped')
  }
  await expect(engine.index({ rebuild: true, onProgress })).rejects.toThrow('stopped')
  expect(await hitsOf(engine)).toBe(1)
  expect(existsSync(path.join(corpus.indexDir, 'index.db.new'))).toBe(false)
  engine.close()
})

it('goes on writing to the file that took the place of the old one', async () => {
  const corpus = await indexed()
  const reader = open(corpus)
  await hitsOf(reader)
  const writer = open(corpus)
  await writer.index({ rebuild: true })
  corpus.write({ 'b.md': '# More alpha\n\nalpha\n' })
  await writer.index()
  expect(await hitsOf(reader)).toBe(2)
  expect((await reader.doctor()).filter(({ verdict }) => verdict === 'problem')).toEqual([])
  reader.close()
  writer.close()
})
