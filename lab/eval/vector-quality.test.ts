// Are the vectors of the built-in model the ones that were measured? Its ranking of real questions, by vectors alone.
import path from 'node:path'
import { expect, test } from 'vitest'
import { createVectorScanner } from '../../src/answer/retrieve/scan-vectors.ts'
import { openStaticModel } from '../../src/corpus/embed/static-embedder.ts'
import { quantizeVector } from '../../src/corpus/embed/vector-numbers.ts'
import { ndcg } from './measures.ts'
import { type CorpusRow, evalFolder, pathOf, type QueryRow, readQrels, readRows } from './read-sets.ts'

const sets = evalFolder()
/** The one that ships. */
const model = path.join(import.meta.dirname, '../../assets/model')
const chunkWords = 200

/** The title and up to so many words each. */
function cutChunks(row: CorpusRow): string[] {
  const words = row.text.split(/\s+/)
  const count = Math.max(1, Math.ceil(words.length / chunkWords))
  return Array.from({ length: count }, (_, index) =>
    [row.title, words.slice(index * chunkWords, (index + 1) * chunkWords).join(' ')].join('\n'),
  )
}

// Measured when the model was made, over all questions.
test.skipIf(sets === null).each([
  ['raydocs', 0.499],
  ['k8sdocs', 0.486],
])('the best chunk of each page of %s: nDCG@10 is %d', async (set, measured) => {
  const embedder = openStaticModel(model, { rows: 'all' })
  const chunks = readRows<CorpusRow>(path.join(sets!, set, 'corpus.jsonl')).flatMap((row) =>
    cutChunks(row).map((text) => ({ page: pathOf(row._id), text })),
  )
  const texts = chunks.map(({ text }) => text)
  const vectors = await embedder.embed(texts, 'passage')
  const scanner = createVectorScanner(embedder.dimensions)
  const rows = scanner.reserve(vectors.length)
  vectors.forEach((vector, row) => {
    rows.set(quantizeVector(vector), row * scanner.rowBytes)
  })
  const judged = readQrels(path.join(sets!, set, 'qrels', 'test.tsv'))
  const questions = readRows<QueryRow>(path.join(sets!, set, 'queries.jsonl')).filter(({ _id }) =>
    judged.has(_id),
  )
  const asked = await embedder.embed(
    questions.map(({ text }) => text),
    'query',
  )
  const values = questions.map(({ _id }, index) => {
    const pages = scanner.top(asked[index]!, { limit: 1000 }).map(({ row }) => chunks[row]!.page)
    return ndcg([...new Set(pages)], judged.get(_id)!)
  })
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  expect(mean, String(mean)).toBeCloseTo(measured, 2)
  embedder.close()
})
