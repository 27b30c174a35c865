// What does meaning cost? Texts embedded per second, and an exact scan of 10k and 100k vectors beside a plain loop.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStaticModel } from '../src/embed/static-embedder.ts'
import { createVectorScanner } from '../src/retrieve/scan-vectors.ts'
import { listFiles, splitSections } from './bare-engine.ts'
import { prepareCorpus } from './corpora.ts'
import { describeMachine, median } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const DIMENSIONS = 512
const LIMIT = 300
const ROUNDS = 30

/** Numbers that look random and are the same in every run. */
function makeMatrix(count: number): Int8Array {
  const matrix = new Int8Array(count * DIMENSIONS)
  let state = 1
  for (let at = 0; at < matrix.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    matrix[at] = state >> 26
  }
  return matrix
}

/** The least that any exact scan must do: every number of every row, once. */
function scanPlainly(matrix: Int8Array, query: Int8Array): number {
  let best = 0
  for (let row = 0; row < matrix.length; row += DIMENSIONS) {
    let sum = 0
    for (let at = 0; at < DIMENSIONS; at++) sum += (matrix[row + at] as number) * (query[at] as number)
    best = Math.max(best, sum)
  }
  return best
}

function timeOf(run: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  })
  return median(times)
}

function measureScan(count: number): { count: number; yoreMs: number; plainMs: number; memoryMb: number } {
  const matrix = makeMatrix(count)
  const query = makeMatrix(1)
  const scanner = createVectorScanner(DIMENSIONS)
  scanner.load(matrix, count)
  const yoreMs = timeOf(() => scanner.top(query, { limit: LIMIT }))
  return {
    count,
    yoreMs,
    plainMs: timeOf(() => scanPlainly(matrix, query)),
    memoryMb: (count * scanner.rowBytes) / 1e6,
  }
}

async function measureEmbedding(): Promise<{ texts: number; perSecond: number } | null> {
  const root = prepareCorpus('k8sdocs')
  if (root === null) return null
  const model = openStaticModel(join(import.meta.dirname, '..', 'assets', 'model'))
  const texts = listFiles(root).flatMap((path) =>
    splitSections(path, readFileSync(join(root, path), 'utf8')).map(
      ({ headings, body }) => `${headings}\n${body}`,
    ),
  )
  await model.embed(texts.slice(0, 500), 'passage')
  const before = process.cpuUsage()
  for (let at = 0; at < texts.length; at += 512) await model.embed(texts.slice(at, at + 512), 'passage')
  const { user, system } = process.cpuUsage(before)
  model.close()
  return { texts: texts.length, perSecond: texts.length / ((user + system) / 1e6) }
}

const scans = [10_000, 100_000].map(measureScan)
const embedding = await measureEmbedding()
printTable(
  `exact scan of vectors of ${DIMENSIONS} bytes, the ${LIMIT} best, medians of ${ROUNDS}`,
  ['vectors', 'yore, ms', 'plain loop, ms', 'memory, MB'],
  scans.map(({ count, yoreMs, plainMs, memoryMb }) => [count, yoreMs, plainMs, memoryMb]),
)
if (embedding !== null)
  console.log(
    `\n${embedding.texts} sections of k8sdocs: ${Math.round(embedding.perSecond)} per second of processor time`,
  )
writeRun('vectors', { machine: describeMachine(), scans, embedding })
