// How does text become a vector without a network? The rows of its tokens in a table are summed and normalised.
import type { Embedder } from './embedder.ts'
import { openStaticFiles, type StaticModel, unusable } from './static-model.ts'
import { type RowSum, sumPlainly, sumWithKernel } from './sum-rows.ts'
import { normalizeVector } from './vector-numbers.ts'
import { createWordPieces } from './word-pieces.ts'

/** Single rows after which reading the whole table is faster. */
const wholeTableAfter = 1_000
/** Texts between two turns of other work of the process. */
const textsPerTurn = 64

/** Opens the built-in model. A question reads a few hundred bytes per token; more texts, and `all`, read the whole table. */
export function openStaticModel(
  folder: string,
  { rows = 'needed' }: { readonly rows?: 'needed' | 'all' } = {},
): Embedder {
  const model = openStaticFiles(folder)
  try {
    const toPieces = createWordPieces(model.vocabulary, { splitIdentifiers: model.splitIdentifiers })
    const table = createRows(model, folder)
    if (rows === 'all' || model.sha256 === null) table.readAll()
    const embedText = (text: string): Float32Array => normalizeVector(table.sumOf(toPieces(text)))
    const embedPassage = (text: string): Float32Array => {
      const end = model.firstLineWeight === 0 ? -1 : text.indexOf('\n')
      if (end < 0) return embedText(text)
      const rest = embedText(text.slice(end + 1))
      addWeighted(rest, embedText(text.slice(0, end)), model.firstLineWeight)
      return normalizeVector(rest)
    }
    return {
      id: nameModel(model, model.sha256 ?? table.digest()),
      dimensions: model.dimensions,
      embed: async (texts, kind) => {
        const embedOne = kind === 'passage' ? embedPassage : embedText
        const vectors: Float32Array[] = []
        for (const text of texts) {
          vectors.push(embedOne(text))
          if (vectors.length % textsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
        }
        return vectors
      },
      close: model.close,
    }
  } catch (error) {
    model.close()
    throw error
  }
}

/** Both have unit length, so that the first line has the same weight with short and long texts. */
function addWeighted(sum: Float32Array, added: Float32Array, weight: number): void {
  for (let dimension = 0; dimension < sum.length; dimension++) sum[dimension]! += weight * added[dimension]!
}

/** The hash identifies the table; the weight of first lines also changes vectors. */
function nameModel({ name, firstLineWeight }: StaticModel, sha256: string): string {
  const weighed = firstLineWeight === 0 ? name : `${name}-line${firstLineWeight}`
  return `${weighed}-${sha256.slice(0, 12)}`
}

// Loaded on demand, because it costs milliseconds.
const digestOf = (content: Uint8Array): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex')

interface TableRows {
  readonly readAll: () => void
  readonly digest: () => string
  /** The sum of the rows of these tokens, times their scales; valid until the next call. */
  readonly sumOf: (ids: Int32Array) => Float32Array
}

function createRows(model: StaticModel, folder: string): TableRows {
  const { vocabSize, dimensions, tableBytes } = model
  const rowBytes = dimensions / 2
  const scalesAt = vocabSize * rowBytes
  let sums: RowSum = sumPlainly(tableBytes, dimensions)
  let scales = new Float32Array(sums.table.buffer, scalesAt, vocabSize)
  /** The rows in memory; null when all are. */
  let present: Uint8Array | null = new Uint8Array(vocabSize)
  let singles = 0
  const counts = new Uint32Array(vocabSize)

  const readAll = (): void => {
    if (present === null) return
    const bulk = sumWithKernel(tableBytes, dimensions) ?? sums
    model.read(bulk.table, 0, tableBytes)
    if (model.sha256 !== null && digestOf(bulk.table) !== model.sha256)
      throw unusable(folder, 'the table is not the one that model.json describes (its SHA-256 differs)')

    sums = bulk
    scales = new Float32Array(sums.table.buffer, sums.table.byteOffset + scalesAt, vocabSize)
    present = null
  }

  const bring = (id: number): void => {
    if (present === null || present[id] === 1) return
    if (singles === wholeTableAfter) {
      readAll()
      return
    }
    model.read(sums.table, id * rowBytes, rowBytes)
    model.read(sums.table, scalesAt + id * 4, 4)
    present[id] = 1
    singles++
  }

  const sumOf = (ids: Int32Array): Float32Array => {
    if (present !== null) ids.forEach(bring)
    for (let index = 0; index < ids.length; index++) counts[ids[index]!]!++
    sums.clear()
    // A repeated token was counted at its first position and is zero now.
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index]!
      const weight = counts[id]! * scales[id]!
      counts[id] = 0
      if (weight !== 0) sums.add(id * rowBytes, weight)
    }
    return sums.sum
  }
  return { readAll, digest: () => digestOf(sums.table), sumOf }
}
