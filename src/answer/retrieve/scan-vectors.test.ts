// Does the scan give every row its exact score, and the best rows in order?
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildKernels } from '../../../scripts/build-kernels.ts'
import { normalizeVector, quantizeVector } from '../../corpus/embed/vector-numbers.ts'
import { keepBest } from './keep-best.ts'
import { createVectorScanner, similarityOf } from './scan-vectors.ts'

/** Bytes by a formula, the same on every run. */
function makeBytes(length: number, seed: number): Int8Array {
  let state = seed
  return Int8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >> 24
  })
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
      scanner.load(matrix, count)
      expect([...scanner.score(query)]).toEqual(exact)
    }),
  )
})

test('sums that leave 32 bits wrap', () => {
  const dimensions = 4096
  for (const sign of [1, -1]) {
    const scanner = createVectorScanner(dimensions)
    scanner.load(new Int8Array(dimensions * 3).fill(-128), 3)
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
  scanner.load(new Int8Array(vectors.flatMap((vector) => [...quantizeVector(vector)])), 50)
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
  scanner.load(matrix, count)
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

describe('among very many rows, signs decide which are scored', () => {
  /** Vectors around some centres, as texts about the same things have them. */
  const makeRows = (count: number, dimensions: number): Int8Array => {
    const centres = makeBytes(64 * dimensions, 5)
    const noise = makeBytes(count * dimensions, 6)
    return noise.map((value, at) => {
      const row = Math.floor(at / dimensions)
      return (value + centres[((row * 7) % 64) * dimensions + (at % dimensions)]!) >> 1
    })
  }
  const bySigns = (dimensions: number) => createVectorScanner(dimensions, { signsFrom: 0 })

  test('the nearest are those of the exact scan, with their exact scores, whatever the order of the rows', () => {
    const [count, dimensions] = [20_000, 200]
    const matrix = makeRows(count, dimensions)
    const turned = new Int8Array(matrix.length)
    for (let row = 0; row < count; row++)
      turned.set(matrix.subarray(row * dimensions, (row + 1) * dimensions), (count - 1 - row) * dimensions)
    const exact = createVectorScanner(dimensions)
    exact.load(matrix, count)
    const query = normalizeVector(matrix.subarray(7 * dimensions, 8 * dimensions))
    const best = exact.top(query, { limit: 100 })
    const scanner = bySigns(dimensions)
    scanner.load(matrix, count)
    expect(scanner.top(query, { limit: 100 })).toEqual(best)
    expect(scanner.top(query, { limit: 5, accept: (row) => row > 100 }).every(({ row }) => row > 100)).toBe(
      true,
    )
    scanner.load(turned, count)
    const again = scanner.top(query, { limit: 100 })
    expect(again.map(({ score }) => score)).toEqual(best.map(({ score }) => score))
  })

  test('rows that come or change after signs were read are found, and new ones are zero', () => {
    const scanner = bySigns(48)
    scanner.reserve(3).fill(1)
    expect(scanner.top(new Int8Array(48).fill(1), { limit: 2 }).map(({ row }) => row)).toEqual([0, 1])
    const rows = scanner.reserve(6)
    expect(rows.subarray(3 * 48)).toEqual(new Int8Array(3 * 48))
    rows.fill(2, 5 * 48)
    expect(scanner.top(new Int8Array(48).fill(1), { limit: 2 }).map(({ row }) => row)).toEqual([5, 0])
  })

  test('any rows and query: agreement adds up the sizes of the query where the signs are equal', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 40 }), fc.integer())
    fc.assert(
      fc.property(shape, ([dimensions, count, seed]) => {
        const matrix = makeBytes(dimensions * count, seed)
        const query = makeBytes(dimensions, seed + 1)
        const scale =
          1.2 /
          Math.sqrt(
            Math.max(
              1,
              query.reduce((sum, value) => sum + value * value, 0),
            ) / dimensions,
          )
        const sizes = [...query].map((value) => Math.min(3, Math.round(Math.abs(value) * scale)))
        const scanner = bySigns(dimensions)
        scanner.load(matrix, count)
        const expected = Array.from({ length: count }, (_, row) =>
          sizes.reduce(
            (sum, size, at) => sum + (query[at]! < 0 === matrix[row * dimensions + at]! < 0 ? size : 0),
            0,
          ),
        )
        expect([...scanner.agreement(query)]).toEqual(expected)
      }),
    )
  })
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
    scanner.load(new Int8Array(34).fill(1), 2)
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
  expect(() => scanner.load(new Int8Array(17), 1)).toThrow('need 16 bytes, not 17')
  expect(() => scanner.score(new Int8Array(8))).toThrow('the query has 8 dimensions, the rows 16')
  expect(() => scanner.reserve(2 ** 40)).toThrow('no memory for')
  expect(() => scanner.reserve(-1)).toThrow('there cannot be -1 rows')
})
