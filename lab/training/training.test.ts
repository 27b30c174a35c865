// Does training do what it says? Slopes against differences, axes, rounding, pairs, and a tiny run that repeats to the bit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStaticModel } from '../../src/corpus/embed/static-embedder.ts'
import { createBagTable } from './bag-table.ts'
import { openCheckpoint } from './checkpoint.ts'
import { chooseTexts, cutWindow } from './choose-texts.ts'
import { contrastByRuntime, contrastPlainly, type PairBatch } from './contrast.ts'
import { makePairs, makePool, maskOf, pairDefaults, type TokenSection } from './make-pairs.ts'
import { findAxes, project, solveSymmetric } from './principal-axes.ts'
import { packTable, quantizeRow } from './quantize-table.ts'
import { createRandom, shuffle } from './random.ts'
import { findInJavaScript, findInPython, firstSentence } from './read-code.ts'
import { cleanProse } from './read-docs.ts'
import { readGloss } from './read-glosses.ts'
import type { Section, SourceName } from './section.ts'
import { spreadRows } from './spread-rows.ts'
import { type Training, trainDefaults, trainTable } from './train-table.ts'
import { writeModel } from './write-model.ts'

const unitRows = (rows: number, dimensions: number, seed: number): Float32Array => {
  const random = createRandom(seed)
  const matrix = new Float32Array(rows * dimensions).map(() => random() - 0.5)
  for (let start = 0; start < matrix.length; start += dimensions) {
    const row = matrix.subarray(start, start + dimensions)
    const length = Math.hypot(...row)
    row.set(row.map((value) => value / length))
  }
  return matrix
}

describe('the slopes of a batch of pairs', () => {
  const batch = (seed: number): PairBatch => {
    const mask = new Float32Array(36)
    mask[3] = -1e9
    return {
      size: 6,
      dimensions: 16,
      questions: unitRows(6, 16, seed),
      passages: unitRows(6, 16, seed + 1),
      mask,
    }
  }

  it('are what the loss changes by', async () => {
    const contrast = contrastPlainly(0.1)
    const one = batch(1)
    const { questions, passages, loss } = await contrast(one)
    for (const [name, slopes] of [['questions', questions] as const, ['passages', passages] as const]) {
      for (const at of [0, 17, 50]) {
        const moved = one[name].slice()
        moved[at]! += 1e-3
        const after = await contrast({ ...one, [name]: moved })
        expect((after.loss - loss) / 1e-3).toBeCloseTo(slopes[at]!, 2)
      }
    }
  })

  it('are the same by the runtime, where it is installed', async () => {
    const fast = await contrastByRuntime(0.1)
    if (fast === null) {
      process.stderr.write('SKIPPED: no onnxruntime-node in training/node_modules\n')
      return
    }
    const [plain, quick] = [await contrastPlainly(0.1)(batch(5)), await fast(batch(5))]
    expect(quick.loss).toBeCloseTo(plain.loss, 4)
    quick.questions.forEach((value, at) => {
      expect(value).toBeCloseTo(plain.questions[at]!, 4)
    })
    quick.passages.forEach((value, at) => {
      expect(value).toBeCloseTo(plain.passages[at]!, 4)
    })
  })
})

describe('a table of bags', () => {
  it('gives sums of unit length, and zero for no tokens', () => {
    const table = createBagTable(unitRows(5, 16, 3), 16)
    const { vectors, lengths } = table.embed([Int32Array.of(1, 1, 2), new Int32Array(0)])
    const sum = Array.from({ length: 16 }, (_, d) => 2 * table.rows[16 + d]! + table.rows[32 + d]!)
    sum.forEach((value, d) => {
      expect(vectors[d]).toBeCloseTo(value / Math.hypot(...sum), 5)
    })
    expect(lengths[1]).toBe(0)
    expect(vectors.subarray(16).every((value) => value === 0)).toBe(true)
  })

  it('learns to point where it should, and leaves other rows alone', () => {
    const table = createBagTable(unitRows(5, 16, 3), 16)
    const before = table.rows.slice(64)
    const target = unitRows(1, 16, 9)
    for (let step = 0; step < 200; step++) {
      const embedded = table.embed([Int32Array.of(0, 1, 2)])
      table.learn(
        embedded,
        target.map((value) => -value),
      )
      table.step(0.01)
    }
    const { vectors } = table.embed([Int32Array.of(0, 1, 2)])
    expect(vectors.reduce((sum, value, d) => sum + value * target[d]!, 0)).toBeGreaterThan(0.99)
    expect(table.rows.slice(64)).toEqual(before)
  })
})

describe('axes and rotations', () => {
  it('finds eigenvectors of any symmetric matrix', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const n = 6
        const random = createRandom(seed)
        const a = new Float64Array(n * n)
        for (let p = 0; p < n; p++) for (let q = p; q < n; q++) a[q * n + p] = a[p * n + q] = random() - 0.5
        const { values, vectors } = solveSymmetric(a, n)
        for (let row = 0; row < n; row++)
          for (let p = 0; p < n; p++) {
            let sum = 0
            for (let q = 0; q < n; q++) sum += a[p * n + q]! * vectors[row * n + q]!
            expect(sum).toBeCloseTo(values[row]! * vectors[row * n + p]!, 5)
          }
      }),
    )
  })

  it('puts what differs most first', () => {
    const random = createRandom(4)
    const matrix = Float32Array.from({ length: 300 }, (_, at) => (random() - 0.5) * [1, 10, 3][at % 3]!)
    const projected = project(matrix, findAxes(matrix, 3, 2))
    const spread = (axis: number): number =>
      projected.filter((_, at) => at % 2 === axis).reduce((sum, value) => sum + value * value, 0)
    expect(spread(0)).toBeGreaterThan(spread(1))
    expect(spread(1)).toBeGreaterThan(0)
  })

  it('spreads a row without changing any angle', () => {
    const before = unitRows(4, 32, 8)
    const after = spreadRows(before.slice(), 32)
    const dot = (m: Float32Array, a: number, b: number): number =>
      Array.from({ length: 32 }, (_, d) => m[a * 32 + d]! * m[b * 32 + d]!).reduce((sum, one) => sum + one, 0)
    for (const [a, b] of [
      [0, 0],
      [0, 1],
      [2, 3],
    ] as const)
      expect(dot(after, a, b)).toBeCloseTo(dot(before, a, b), 5)
  })
})

describe('rounding to four bits', () => {
  it('stays within a quarter of any row, and never beyond ±7', () => {
    fc.assert(
      fc.property(
        fc.float32Array({ minLength: 32, maxLength: 32, noNaN: true, min: -10, max: 10 }),
        (row) => {
          const { scale, numbers } = quantizeRow(row)
          expect(numbers.every((number) => number >= -7 && number <= 7)).toBe(true)
          const error = Math.hypot(...row.map((value, d) => value - numbers[d]! * scale))
          expect(error).toBeLessThanOrEqual(0.25 * Math.hypot(...row) + 1e-6)
        },
      ),
    )
  })

  it('packs rows first, then scales', () => {
    expect(packTable(unitRows(3, 16, 2), 16)).toHaveLength(3 * (8 + 4))
  })
})

describe('sources', () => {
  it('reads an entry of the dictionary', () => {
    const line = '00001 04 n 02 living_thing 0 being 0 001 @ 00002 n 0000 | a living entity; "it breathes"  '
    expect(readGloss(line, 'noun')).toMatchObject({
      document: 'wordnet/noun/04',
      title: 'living thing',
      heading: 'being',
      body: 'a living entity; "it breathes"',
    })
    expect(readGloss('  1 This software and database', 'noun')).toBeNull()
  })

  it('takes functions with what their comments say', () => {
    const js =
      '/**\n * Adds two numbers together. More.\n * @param a one\n */\nfunction add(a, b) {\n  return a + b\n}\n'
    expect(findInJavaScript(js)).toEqual([
      { name: 'add', about: 'Adds two numbers together', code: 'function add(a, b) {\n  return a + b\n}' },
    ])
    const py =
      'class A:\n    def add(self, a):\n        """Add a number to this.\n\n        More."""\n        return a\n\nx = 1\n'
    expect(findInPython(py)).toEqual([
      { name: 'add', about: 'Add a number to this', code: '    def add(self, a):\n        return a' },
    ])
    expect(firstSentence(' * @private\n')).toBe('')
  })

  it('leaves templates, tags and addresses out of prose', () => {
    expect(cleanProse('See {% data x %} the [page](https://a.b/c) <b>now</b>')).toBe('See the [page] now')
  })

  it('chooses distinct texts, the same for the same seed', () => {
    const sections = makeSections(40)
    const counts = { headings: 10, windows: 10, glosses: 5, code: 5 }
    const texts = chooseTexts(sections, counts, 1)
    expect(new Set(texts).size).toBe(texts.length)
    expect(chooseTexts(sections, counts, 1)).toEqual(texts)
    expect(cutWindow('one two three', createRandom(1))).toBe('one two three')
    expect(shuffle(texts, createRandom(3)).sort()).toEqual([...texts].sort())
  })
})

const words = 'pod node deploy service volume secret log table index query merge branch'.split(' ')

function makeSections(count: number): Section[] {
  const random = createRandom(7)
  const pick = (): string => words[Math.floor(random() * words.length)]!
  return Array.from({ length: count }, (_, at) => ({
    source: (['docs', 'docs', 'glosses', 'code'] as SourceName[])[at % 4]!,
    group: `group ${at % 2}`,
    document: `document ${at >> 2}`,
    title: `${pick()} ${pick()}`,
    heading: `${pick()} ${at}`,
    body: Array.from({ length: 20 }, pick).join(' '),
  }))
}

const vocabulary = ['[PAD]', ...words, ...Array.from({ length: 120 }, (_, at) => `word${at}`)]

function tokenize(text: string): Int32Array {
  return Int32Array.from(text.split(' ').map((word) => Math.max(1, vocabulary.indexOf(word))))
}

function makeTraining(): Training {
  const sections = makeSections(80).map((section): TokenSection => {
    const { title, heading, body } = section
    return { section, title: tokenize(title), heading: tokenize(heading), body: tokenize(body) }
  })
  const lists = sections.map(({ body }) => body)
  return {
    rows: unitRows(vocabulary.length, 32, 12),
    dimensions: 32,
    taught: { lists, targets: unitRows(lists.length, 32, 13) },
    pool: makePool(sections),
    contrast: contrastPlainly(0.05),
    report: () => undefined,
  }
}

const tiny = {
  ...trainDefaults,
  distillSteps: 5,
  distillBatch: 8,
  pairSteps: 10,
  pairBatch: 12,
  roundedShare: 0.2,
}

describe('pairs', () => {
  it('fill every batch, none of them empty, and never call the same question wrong', () => {
    const { pool } = makeTraining()
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const pairs = makePairs(pool, 12, pairDefaults, createRandom(seed))
        expect(pairs).toHaveLength(12)
        expect(pairs.every(({ question, passage }) => question.length > 0 && passage.length > 0)).toBe(true)
        const mask = maskOf(pairs)
        for (let a = 0; a < 12; a++)
          for (let b = 0; b < 12; b++) {
            const isSame = a !== b && pairs[a]!.key === pairs[b]!.key
            expect(mask[a * 12 + b]).toBe(isSame ? Math.fround(-1e9) : 0)
          }
      }),
      { numRuns: 50 },
    )
  })
})

describe('a tiny run', () => {
  const temporary = (): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'yore-training-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }

  it('gives the same table twice, and a folder that the product opens', async () => {
    const hashes: string[] = []
    for (const name of ['one', 'two']) {
      const folder = path.join(temporary(), name)
      const rows = await trainTable(makeTraining(), tiny)
      const lines = new TextEncoder().encode(`${vocabulary.join('\n')}\n`)
      hashes.push(writeModel(folder, rows, lines, { name: 'tiny', dimensions: 32, about: {} }))
      const embedder = openStaticModel(folder, { rows: 'all' })
      const [vector] = await embedder.embed(['deploy a pod'], 'query')
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 5)
      embedder.close()
    }
    expect(hashes[0]).toBe(hashes[1])
  })

  it('goes on from a checkpoint to the same table', async () => {
    const whole = await trainTable(makeTraining(), tiny)
    const checkpoint = openCheckpoint(temporary(), 'tiny')
    const stopped = new Error('stopped')
    const stopping: Training = {
      ...makeTraining(),
      checkpoint: {
        ...checkpoint,
        save: (table, steps) => {
          checkpoint.save(table, steps)
          throw stopped
        },
      },
    }
    await expect(trainTable(stopping, tiny)).rejects.toBe(stopped)
    expect(await trainTable({ ...makeTraining(), checkpoint }, tiny)).toEqual(whole)
  })
})
