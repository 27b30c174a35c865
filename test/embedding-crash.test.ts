// What is left of the vectors when embedding is killed again and again? Each fragment has one in the end, and the right one, and every answer is a fresh index's.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Embedder } from '../src/corpus/embed/embedder.ts'
import { openEmbedder } from '../src/corpus/embed/open-embedder.ts'
import { quantizeVector, vectorBytes } from '../src/corpus/embed/vector-numbers.ts'
import { embeddedText } from '../src/corpus/indexing/embed-fragments.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import { VectorStore } from '../src/corpus/store/vectors/vector-store.ts'
import { defaultSettings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { readAnswers } from './index-answers.ts'
import type { ProcessTask } from './index-process.ts'
import { makeFolder, openCorpus, slow, writeFiles } from './temporary-corpus.ts'

const KILLS = slow ? 60 : 12
/** Kills between two versions of the documents. */
const KILLS_PER_VERSION = 4
const DOCUMENTS = 40
const SECTIONS = 40

let embedder: Embedder
let root: string
beforeAll(async () => {
  const opened = await openEmbedder(defaultSettings)
  if ('missing' in opened) throw new Error(opened.missing)
  embedder = opened.embedder
  root = makeFolder()
})
afterAll(() => embedder.close())

/** Half of the documents changes with each version. */
function writeVersion(version: number): void {
  const own = (number: number): number => (number % 2 === version % 2 ? version : 0)
  writeFiles(
    root,
    Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, n) => [`d${n}.md`, document(n, own(n))])),
  )
}

function document(number: number, version: number): string {
  const sections = Array.from(
    { length: SECTIONS },
    (_, at) => `## Part ${at}\n\nWords ${number} of part ${at}, version ${version}.\n`,
  )
  return `# Document ${number}\n\n${sections.join('\n')}`
}

/** Indexes in a process of its own, killed once it has written so many batches of vectors. */
async function indexAndKill(batches: number): Promise<void> {
  const task: ProcessTask = { root, do: 'index', workers: 1 }
  const program = path.join(import.meta.dirname, 'index-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let heard = ''
  child.stderr?.on('data', (piece: Buffer) => {
    heard += piece
    if (heard.split('embedding').length > batches) child.kill('SIGKILL')
  })
  await ended
}

/** Vectors by fragment; fails when a fragment has two. */
function readVectors(): { vectors: Map<number, Uint8Array>; fragments: number[]; store: VectorStore } {
  const db = openForReading(path.join(root, '.yore', 'index.db'))
  const store = new VectorStore(db)
  const vectors = new Map<number, Uint8Array>()
  const { model } = db.prepare('SELECT max(model) AS model FROM vectors').get() as { model: string | null }
  for (const { fragments, data, dimensions } of model === null ? [] : store.rows(model)) {
    for (const [at, fragment] of fragments.entries()) {
      expect(vectors.has(fragment), `fragment ${fragment} has one vector`).toBe(false)
      const size = vectorBytes(dimensions)
      vectors.set(fragment, data.slice(at * size, (at + 1) * size))
    }
  }
  const rows = db.prepare('SELECT id FROM fragments').all() as unknown as { id: number }[]
  return { vectors, fragments: rows.map(({ id }) => id), store }
}

function open(indexDir?: string): Engine {
  return openCorpus(root, {}, indexDir)
}

/** Completes the index: each fragment has one vector, the right one, and the answers are those of a fresh index. */
async function checkComplete(): Promise<void> {
  const fresh = makeFolder()
  const [engine, other] = [open(), open(fresh)]
  const { vectors: told } = await engine.index()
  await other.index()
  const asked = ['words of part 3', 'document 7']
  expect(await readAnswers(engine, asked)).toEqual(await readAnswers(other, asked))
  engine.close()
  other.close()
  const { vectors, fragments, store } = readVectors()
  expect(told.embedded).toBe(fragments.length)
  const all = [...store.fragments(fragments)]
  const expected = await embedder.embed(all.map(embeddedText), 'passage')
  for (const [at, { id }] of all.entries())
    expect(vectors.get(id)).toEqual(quantizeVector(expected[at] as Float32Array))
}

it(
  `loses and doubles no vector over ${KILLS} kills between batches`,
  async () => {
    for (let version = 0; version < KILLS / KILLS_PER_VERSION; version++) {
      writeVersion(version)
      let before = 0
      for (let kill = 0; kill < KILLS_PER_VERSION; kill++) {
        await indexAndKill(1 + (kill % 3))
        // What was written stays written.
        const { vectors, fragments } = readVectors()
        const embedded = fragments.filter((fragment) => vectors.has(fragment)).length
        expect(embedded).toBeGreaterThanOrEqual(before)
        before = embedded
      }
      await checkComplete()
    }
  },
  slow ? 1_200_000 : 180_000,
)
