// Does the scan give every row its exact score, and the best rows in order?
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildKernels } from '../../../scripts/build-kernels.ts'
import { normalizeVector, quantizeVector } from '../../corpus/embed/vector-numbers.ts'
import { keepBest } from './keep-best.ts'
import { createVectorScanner, similarityOf, type VectorScanner } from './scan-vectors.ts'

/** Bytes by a formula, the same on every run. */
function makeBytes(length: number, seed: number): Int8Array {
  let state = seed
  return Int8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >> 24
  })
}

/** Rows of `dimensions` bytes each, in place of all rows before. */
function load(scanner: VectorScanner, matrix: Int8Array, rows: number): void {
  const memory = scanner.reserve(rows)
  for (let row = 0; row < rows; row++)
    memory.set(
      matrix.subarray(row * scanner.dimensions, (row + 1) * scanner.dimensions),
      row * scanner.rowBytes,
    )
}

test('the committed kernels are what their sources say', async () => {
  for (const { path, text } of await buildKernels()) expect(readFileSync(path, 'utf8')).toBe(text)
})

test('any rows and query: scores are the exact dot products', () => {
  const shape = fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 0, max: 40 }), fc.integer())
  fc.assert(
    fc.property(shape, ([dimensions, count, seed]) => {
      const matrix = makeBytes(dimensions * count, seed)
      const query = makeBytes(dimensions, seed + 1)
      const exact = Array.from({ length: count }, (_, row) =>
        query.reduce((sum, value, at) => sum + value * matrix[row * dimensions + at]!, 0),
      )
      const scanner = createVectorScanner(dimensions)
      load(scanner, matrix, count)
      expect([...scanner.score(query)]).toEqual(exact)
    }),
  )
})

test('sums that leave 32 bits wrap', () => {
  const dimensions = 4096
  for (const sign of [1, -1]) {
    const scanner = createVectorScanner(dimensions)
    load(scanner, new Int8Array(dimensions * 3).fill(-128), 3)
    const wrapped = (dimensions * -128 * 32_767 * sign) | 0
    expect([...scanner.score(new Float32Array(dimensions).fill(sign * 5))]).toEqual([
      wrapped,
      wrapped,
      wrapped,
    ])
  }
})

test('scores of float queries are cosines, within what rounding costs', () => {
  const vectors = Array.from({ length: 50 }, (_, row) => normalizeVector(makeBytes(512, row)))
  const scanner = createVectorScanner(512)
  load(scanner, new Int8Array(vectors.flatMap((vector) => [...quantizeVector(vector)])), 50)
  const query = vectors[7]!
  const scores = scanner.score(query)
  vectors.forEach((vector, row) => {
    const cosine = vector.reduce((sum, value, at) => sum + value * query[at]!, 0)
    expect(similarityOf(scores[row]!, query)).toBeCloseTo(cosine, 2)
  })
  expect(scanner.top(query, { limit: 1 })[0]!.row).toBe(7)
  expect(scanner.top(quantizeVector(query), { limit: 1 })[0]!.score).toBeCloseTo(1, 1)
})

test('over several blocks, the best rows are those of a full sort, ties by row', () => {
  const count = 5_000
  const dimensions = 16
  // Few different values, so that many scores are equal.
  const matrix = makeBytes(count * dimensions, 3).map((value) => value >> 6)
  const query = makeBytes(dimensions, 4).map((value) => value >> 5)
  const scanner = createVectorScanner(dimensions)
  load(scanner, matrix, count)
  const scores = scanner.score(query)
  const sorted = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b)
  for (const limit of [0, 1, 100, count, count + 5]) {
    expect(scanner.top(query, { limit }).map(({ row }) => row)).toEqual(sorted.slice(0, limit))
  }
  const even = sorted.filter((row) => row % 2 === 0)
  const top = scanner.top(query, { limit: 50, accept: (row) => row % 2 === 0 })
  expect(top.map(({ row }) => row)).toEqual(even.slice(0, 50))
})

test('keepBest keeps the best whatever the order in which rows are offered', () => {
  const offers = fc.uniqueArray(fc.tuple(fc.nat(500), fc.integer({ min: -3, max: 3 })), {
    selector: ([row]) => row,
  })
  fc.assert(
    fc.property(offers, fc.nat(10), (entries, limit) => {
      const best = keepBest(limit)
      for (const [row, score] of entries) best.offer(row, score)
      const sorted = entries
        .map(([row, score]) => ({ row, score }))
        .sort((a, b) => b.score - a.score || a.row - b.row)
      expect(best.list()).toEqual(sorted.slice(0, limit))
    }),
  )
})

describe('room for rows', () => {
  test('grows with what is in it, and rows that were given up come back as zeros', () => {
    const scanner = createVectorScanner(16)
    scanner.reserve(2).fill(1)
    expect(scanner.reserve(10_000).slice(0, 48)).toEqual(new Int8Array(48).fill(1, 0, 32))
    scanner.reserve(1)
    expect(scanner.count).toBe(1)
    expect(scanner.reserve(2)).toEqual(new Int8Array(32).fill(1, 0, 16))
    expect([...scanner.score(new Int8Array(16).fill(1))]).toEqual([16, 0])
  })

  test('rows of other sizes than multiples of 16 are padded', () => {
    const scanner = createVectorScanner(17)
    expect(scanner.rowBytes).toBe(32)
    load(scanner, new Int8Array(34).fill(1), 2)
    expect([...scanner.score(new Int8Array(17).fill(1))]).toEqual([17, 17])
  })

  test('an empty scanner finds nothing', () => {
    const scanner = createVectorScanner(16)
    expect(scanner.top(new Float32Array(16), { limit: 5 })).toEqual([])
  })
})

test('what does not fit is refused', () => {
  const scanner = createVectorScanner(16)
  expect(() => createVectorScanner(0)).toThrow('cannot have 0 dimensions')
  expect(() => scanner.score(new Int8Array(8))).toThrow('the query has 8 dimensions, the rows 16')
  expect(() => scanner.reserve(2 ** 40)).toThrow('no memory for')
  expect(() => scanner.reserve(-1)).toThrow('there cannot be -1 rows')
})
