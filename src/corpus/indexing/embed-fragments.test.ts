// Does each fragment get exactly one vector, and no unchanged document another?
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { ownProcess } from '../../../test/support/corpus.ts'
import { writeTinyModel } from '../../../test/support/tiny-model.ts'
import { defaultSettings } from '../../model/config/settings.ts'
import type { Embedder } from '../embed/embedder.ts'
import { openStaticModel } from '../embed/static-embedder.ts'
import { openForWriting } from '../store/open-database.ts'
import { VectorStore } from '../store/vectors/vector-store.ts'
import { embeddedText, embedFragments } from './embed-fragments.ts'
import { indexCorpus } from './index-corpus.ts'

/** A real model that notes what it is asked; after `until` calls it fails as a killed process would. */
function watched(model: Embedder, until = Number.POSITIVE_INFINITY): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  let calls = 0
  return {
    id: model.id,
    dimensions: model.dimensions,
    close: () => model.close(),
    asked,
    embed(texts, kind) {
      if (++calls > until) throw new Error('killed')
      asked.push(...texts)
      return model.embed(texts, kind)
    },
  }
}

class Corpus {
  readonly root: string = mkdtempSync(path.join(tmpdir(), 'yore-embed-'))
  #time = 1_700_000_000

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }))
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    this.#time += 10
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(path.join(this.root, file), text)
      utimesSync(path.join(this.root, file), this.#time, this.#time)
    }
    const settings = { ...defaultSettings, 'embedding.provider': 'none', workers: 1 } as const
    const indexDir = path.join(this.root, '.yore')
    await indexCorpus({ ...ownProcess, root: this.root, indexDir, settings, paths: [], rebuild: false })
  }

  open(): DatabaseSync {
    const { db } = openForWriting(path.join(this.root, '.yore/index.db'), { rebuild: false })
    onTestFinished(() => db.close())
    return db
  }
}

const openModel = (): Embedder => openStaticModel(writeTinyModel())

/** How many vectors each living fragment has. */
function vectorCounts(db: DatabaseSync, model: string): number[] {
  const counts = new Map<number, number>()
  for (const { fragments } of new VectorStore(db).rows(model))
    for (const id of fragments) counts.set(id, (counts.get(id) ?? 0) + 1)
  const living = db.prepare('SELECT id FROM fragments').all() as unknown as { id: number }[]
  return living.map(({ id }) => counts.get(id) ?? 0)
}

const sections = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `## Pod ${at}\n\nget ${word} name ${at} server\n`).join('\n')

it('gives every fragment one vector, and a second run nothing to do', async () => {
  const corpus = new Corpus()
  await corpus.write({ 'a.md': sections(5, 'a'), 'b.md': sections(3, 'b') })
  const db = corpus.open()
  const model = watched(openModel())
  const report = await embedFragments(db, model)
  expect(report).toEqual({ embedded: report.total, total: report.total })
  expect(new Set(vectorCounts(db, model.id))).toEqual(new Set([1]))
  const asked = model.asked.length
  expect(await embedFragments(db, model)).toEqual({ embedded: 0, total: report.total })
  expect(model.asked).toHaveLength(asked)
})

it('goes on where a killed run stopped, with exactly one vector for each fragment', async () => {
  const corpus = new Corpus()
  await corpus.write({ 'a.md': sections(700, 'a'), 'b.md': sections(700, 'b') })
  const db = corpus.open()
  const model = openModel()
  const first = watched(model, 1)
  await expect(embedFragments(db, first)).rejects.toThrow('killed')
  const between = vectorCounts(db, model.id)
  expect(between.filter((count) => count === 1)).toHaveLength(512)
  const second = watched(model)
  const { total } = await embedFragments(db, second)
  expect(vectorCounts(db, model.id)).toEqual(Array.from({ length: total }, () => 1))
  expect(first.asked.length + second.asked.length).toBe(new Set([...first.asked, ...second.asked]).size)
})

it('embeds the texts of a changed document alone', async () => {
  const corpus = new Corpus()
  await corpus.write({ 'a.md': sections(6, 'a'), 'b.md': sections(6, 'b') })
  const db = corpus.open()
  const model = watched(openModel())
  await embedFragments(db, model)
  model.asked.length = 0
  await corpus.write({ 'a.md': `${sections(6, 'a')}\n## Pod 6\n\nhttp server 2\n` })
  const report = await embedFragments(db, model)
  expect(model.asked).toContainEqual(expect.stringContaining('http server 2'))
  expect(model.asked.filter((text) => text.includes('get b name'))).toEqual([])
  expect(report.embedded).toBe(model.asked.length)
  expect(new Set(vectorCounts(db, model.id))).toEqual(new Set([1]))
})

it('keeps the vectors of two models apart', async () => {
  const corpus = new Corpus()
  await corpus.write({ 'a.md': sections(3, 'a') })
  const db = corpus.open()
  const small = openModel()
  const large = openStaticModel(writeTinyModel({ dimensions: 128 }))
  await embedFragments(db, small)
  await embedFragments(db, large)
  expect(small.id).not.toBe(large.id)
  for (const model of [small, large]) expect(new Set(vectorCounts(db, model.id))).toEqual(new Set([1]))
})

it('says where a text stands, and the title once', () => {
  const text = { id: 1, text: 'x', title: 'Guide' }
  expect(embeddedText({ ...text, headings: ['Guide', 'Install'] })).toBe('Guide > Install\nx')
  expect(embeddedText({ ...text, headings: ['Install'] })).toBe('Guide > Install\nx')
})
