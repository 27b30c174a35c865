// Does the scan give every row its exact score, and the best rows in order?
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildKernels } from '../../../scripts/build-kernels.ts'
import { normalizeVector, quantizationScale, quantizeVector } from '../../corpus/embed/vector-numbers.ts'
import { keepBest } from './keep-best.ts'
import { createVectorScanner, scoreScale, type VectorScanner } from './scan-vectors.ts'

/** Numbers from -8 to 7 by a formula, the same on every run. */
function makeNumbers(length: number, seed: number): number[] {
  let state = seed
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >> 28
  })
}

/** Rows of these numbers, in place of all rows before. */
function load(scanner: VectorScanner, rows: readonly (readonly number[])[]): void {
  const memory = scanner.reserve(rows.length)
  for (const [at, row] of rows.entries())
    memory.set(quantizeVector(row.map((number) => number / quantizationScale)), at * scanner.rowBytes)
}

const rowsOf = (numbers: readonly number[], dimensions: number, count: number): number[][] =>
  Array.from({ length: count }, (_, row) => numbers.slice(row * dimensions, (row + 1) * dimensions))

/** A query that the kernel reads as these integers. */
const queryOf = (numbers: readonly number[]): Float32Array =>
  Float32Array.from(numbers, (number) => number / 32_767)

/** The integer score of each row. */
function scoresOf(scanner: VectorScanner, query: Float32Array): number[] {
  const scores: number[] = []
  for (const { row, score } of scanner.top(query, { limit: scanner.count })) scores[row] = score
  return scores
}

test('the committed kernels are what their sources say', async () => {
  for (const { path, text } of await buildKernels()) expect(readFileSync(path, 'utf8')).toBe(text)
})

test('any rows and query: scores are the exact dot products', () => {
  const shape = fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 0, max: 40 }), fc.integer())
  fc.assert(
    fc.property(shape, ([dimensions, count, seed]) => {
      const rows = rowsOf(makeNumbers(dimensions * count, seed), dimensions, count)
      const query = makeNumbers(dimensions, seed + 1)
      const exact = rows.map((row) => query.reduce((sum, value, at) => sum + value * row[at]!, 0))
      const scanner = createVectorScanner(dimensions)
      load(scanner, rows)
      expect(scoresOf(scanner, queryOf(query))).toEqual(exact)
    }),
  )
})

test('sums that leave 32 bits wrap', () => {
  const dimensions = 65_536
  for (const sign of [1, -1]) {
    const scanner = createVectorScanner(dimensions)
    load(
      scanner,
      [0, 0, 0].map(() => Array.from({ length: dimensions }, () => -8)),
    )
    const wrapped = (dimensions * -8 * 32_767 * sign) | 0
    expect(scoresOf(scanner, new Float32Array(dimensions).fill(sign * 5))).toEqual([
      wrapped,
      wrapped,
      wrapped,
    ])
  }
})

test('scores of float queries are cosines, within what rounding costs', () => {
  const vectors = Array.from({ length: 50 }, (_, row) => normalizeVector(makeNumbers(512, row)))
  const scanner = createVectorScanner(512)
  const memory = scanner.reserve(50)
  for (const [row, vector] of vectors.entries()) memory.set(quantizeVector(vector), row * scanner.rowBytes)
  const query = vectors[7]!
  const found = scanner.top(query, { limit: 50 })
  for (const { row, score } of found) {
    const cosine = vectors[row]!.reduce((sum, value, at) => sum + value * query[at]!, 0)
    expect(Math.abs(score / scoreScale - cosine)).toBeLessThan(0.03)
  }
  expect(found[0]!.row).toBe(7)
})

test('over several blocks, the best rows are those of a full sort, ties by row', () => {
  const count = 5_000
  const dimensions = 16
  // Few different values, so that many scores are equal.
  const numbers = makeNumbers(count * dimensions, 3).map((value) => value >> 2)
  const query = queryOf(makeNumbers(dimensions, 4).map((value) => value >> 1))
  const scanner = createVectorScanner(dimensions)
  load(scanner, rowsOf(numbers, dimensions, count))
  const scores = scoresOf(scanner, query)
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
    const scanner = createVectorScanner(32)
    const one = queryOf(Array.from({ length: 32 }, () => 1))
    load(
      scanner,
      rowsOf(
        Array.from({ length: 64 }, () => 1),
        32,
        2,
      ),
    )
    scanner.reserve(10_000)
    expect(scoresOf(scanner, one).slice(0, 3)).toEqual([32, 32, 0])
    scanner.reserve(1)
    expect(scanner.count).toBe(1)
    scanner.reserve(2)
    expect(scoresOf(scanner, one)).toEqual([32, 0])
  })

  test('rows of other sizes than multiples of 32 are padded', () => {
    const scanner = createVectorScanner(17)
    expect(scanner.rowBytes).toBe(16)
    load(
      scanner,
      rowsOf(
        Array.from({ length: 34 }, () => 1),
        17,
        2,
      ),
    )
    expect(scoresOf(scanner, queryOf(Array.from({ length: 17 }, () => 1)))).toEqual([17, 17])
  })

  test('an empty scanner finds nothing', () => {
    const scanner = createVectorScanner(16)
    expect(scanner.top(new Float32Array(16), { limit: 5 })).toEqual([])
  })
})

test('what does not fit is refused', () => {
  const scanner = createVectorScanner(16)
  expect(() => createVectorScanner(0)).toThrow('cannot have 0 dimensions')
  expect(() => scanner.top(new Float32Array(8), { limit: 1 })).toThrow(
    'the query has 8 dimensions, the rows 16',
  )
  expect(() => scanner.reserve(2 ** 40)).toThrow('no memory for')
  expect(() => scanner.reserve(-1)).toThrow('there cannot be -1 rows')
})
