// Does the built-in model give the sums that its layout promises, and related texts related vectors?
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildStaticModel } from '../../../scripts/build-static-model.ts'
import { describeEmbedderContract } from '../../../test/support/embedder-contract.ts'
import { tinyNumber, tinyScale, tinyTokens, writeTinyModel } from '../../../test/support/tiny-model.ts'
import { openStaticModel } from './static-embedder.ts'
import { readModelFacts } from './static-model.ts'
import { sumPlainly, sumWithKernel } from './sum-rows.ts'

/** The layout in words: the sum of scale × row over the tokens, then length one. */
function expectedVector(tokens: readonly string[], dimensions: number): number[] {
  const sum = Array.from({ length: dimensions }, (_, dimension) =>
    tokens.reduce((total, token) => {
      const id = tinyTokens.indexOf(token)
      return total + tinyScale(id) * tinyNumber(id, dimension)
    }, 0),
  )
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}

describe('a tiny model', () => {
  test.each([
    ['getPodNames', ['get', 'pod', 'name', '##s']],
    ['pod pod POD', ['pod', 'pod', 'pod']],
    ['HTTPServer 2.2', ['http', 'server', '2', '.', '2']],
    ['pod unknownword', ['pod']],
  ])('gives for %s the sum of its rows', async (text, tokens) => {
    for (const dimensions of [64, 24]) {
      for (const rows of ['needed', 'all'] as const) {
        const embedder = openStaticModel(writeTinyModel({ dimensions }), { rows })
        const [vector] = await embedder.embed([text], 'query')
        expectedVector(tokens, dimensions).forEach((value, index) => {
          expect(vector![index]).toBeCloseTo(value, 5)
        })
        embedder.close()
      }
    }
  })

  test('the first line of a passage counts by its weight beside the rest, however long that is', async () => {
    const plain = openStaticModel(writeTinyModel())
    const weighing = openStaticModel(writeTinyModel({ json: { first_line_weight: 0.5 } }))
    const [line, rest, short, long] = (await plain.embed(
      ['pod', 'http server', 'http server', 'http server http server'],
      'passage',
    )) as [Float32Array, Float32Array, Float32Array, Float32Array]
    const sum = rest.map((value, index) => value + 0.5 * line[index]!)
    const expected = sum.map((value) => value / Math.hypot(...sum))
    const passages = ['pod\nhttp server', 'pod\nhttp server http server']
    for (const vector of await weighing.embed(passages, 'passage'))
      vector.forEach((value, index) => {
        expect(value).toBeCloseTo(expected[index]!, 5)
      })
    expect(await weighing.embed(['http server', 'http server http server'], 'passage')).toEqual([short, long])
    expect(await weighing.embed(passages, 'query')).toEqual(await plain.embed(passages, 'query'))
    expect(weighing.id).toMatch(/^tiny-line0\.5-[0-9a-f]{12}$/)
    expect(() => openStaticModel(writeTinyModel({ json: { first_line_weight: -1 } }))).toThrow(
      'first_line_weight',
    )
  })

  test('gives the zero vector when no word is known', async () => {
    const embedder = openStaticModel(writeTinyModel())
    const [vector] = await embedder.embed(['xyzzy'], 'query')
    expect(vector!.every((value) => value === 0)).toBe(true)
  })

  test('has an id from its name and the hash of its table, recorded or computed', () => {
    const recorded = openStaticModel(writeTinyModel()).id
    expect(recorded).toMatch(/^tiny-[0-9a-f]{12}$/)
    expect(openStaticModel(writeTinyModel({ json: { sha256: undefined } })).id).toBe(recorded)
    expect(openStaticModel(writeTinyModel({ dimensions: 32 })).id).not.toBe(recorded)
  })

  test('the packed vocabulary gives the same vectors, and one that is missing or does not fit its source is refused', async () => {
    const source = writeTinyModel()
    const target = writeTinyModel({ dimensions: 32 })
    const before = openStaticModel(source)
    expect(buildStaticModel(source, target)).toBe(before.id)
    const after = openStaticModel(target)
    const text = ['getPodName http']
    expect(await after.embed(text, 'query')).toEqual(await before.embed(text, 'query'))
    const longer = `${tinyTokens.join('\n').replace('pod', 'longpod')}\n`
    writeFileSync(path.join(source, 'vocab.txt'), longer)
    expect(() => openStaticModel(source)).toThrow('vocab.bin was packed from another vocab.txt')
    rmSync(path.join(source, 'vocab.bin'))
    expect(() => openStaticModel(source)).toThrow('ENOENT')
  })
})

describe('a folder that is no model is refused with its reason', () => {
  test.each([
    [{ format: 'other' }, 'its format is not static-embed-1'],
    [{ dtype: 'int8' }, 'its numbers are not int4'],
    [{ dims: 12 }, 'its dimensions are no multiple of 8'],
    [{ dims: '64' }, 'no usable dims'],
    [{ vocab_size: 3 }, 'the vocabulary has 15 tokens, model.json says 3'],
    [{ table: '../tiny.i4.bin' }, 'no usable table'],
    [{ dims: 128 }, 'the table has 540 bytes, not 1020'],
    [{ vocab: '../vocab.txt' }, 'no usable vocab'],
  ])('%j', (json, reason) => {
    const folder = writeTinyModel({ json })
    expect(() => openStaticModel(folder)).toThrow(reason)
    expect(() => openStaticModel(folder)).toThrow(expect.objectContaining({ code: 'BAD_CONFIG' }))
  })

  test('no folder, broken JSON, a table that was cut off or changed', () => {
    expect(() => openStaticModel('/no/such/folder')).toThrow('ENOENT')
    const broken = writeTinyModel()
    writeFileSync(path.join(broken, 'model.json'), '{')
    expect(() => openStaticModel(broken)).toThrow('cannot be used')
    const short = writeTinyModel()
    truncateSync(path.join(short, 'tiny.i4.bin'), 100)
    expect(() => openStaticModel(short)).toThrow('the table has 100 bytes')
    const changed = writeTinyModel({ json: { sha256: 'f'.repeat(64) } })
    expect(() => openStaticModel(changed, { rows: 'all' })).toThrow('SHA-256 differs')
  })
})

test('the kernel adds rows to the same bits as plain TypeScript', () => {
  const rowBytes = 32
  const bytes = fc.uint8Array({ minLength: rowBytes * 4, maxLength: rowBytes * 4 })
  const steps = fc.array(fc.tuple(fc.nat(3), fc.float({ noNaN: true, min: -1000, max: 1000 })), {
    maxLength: 20,
  })
  const plain = sumPlainly(rowBytes * 4, rowBytes * 2)
  const kernel = sumWithKernel(rowBytes * 4, rowBytes * 2)!
  expect(kernel.kernel).toBe('simd')
  fc.assert(
    fc.property(bytes, steps, (table, additions) => {
      const [a, b] = [plain, kernel].map((rows) => {
        rows.table.set(table)
        rows.clear()
        for (const [row, weight] of additions) rows.add(row * rowBytes, weight)
        return new Int32Array(rows.sum.slice().buffer)
      })
      expect(a).toEqual(b)
    }),
  )
  expect(sumWithKernel(100, 10)).toBeNull()
})

/** The one that ships. */
const folder = path.join(import.meta.dirname, '../../../assets/model')
const { facts } = readModelFacts(folder)
const id = `yore-static-512-line${facts.firstLineWeight}-${facts.sha256?.slice(0, 12)}`

describe('the real model', () => {
  test('reading rows as needed, all at once, or both one after the other gives the same bits', async () => {
    const all = openStaticModel(folder, { rows: 'all' })
    const needed = openStaticModel(folder)
    expect(needed.id).toBe(id)
    // Numbers and letters of many kinds: more different tokens than are read one by one.
    const texts = Array.from(
      { length: 1500 },
      (_, index) => `deploy ${index} ${String.fromCharCode(97 + (index % 26))}${index * 37} pods`,
    )
    expect(await needed.embed(texts, 'passage')).toEqual(await all.embed(texts, 'passage'))
    all.close()
    needed.close()
  })

  test('related sentences are nearer than unrelated ones', async () => {
    const embedder = openStaticModel(folder)
    const pairs = [
      ['How do I deploy a new service?', 'Rolling out an application to the cluster'],
      ['delete old log files', 'log rotation removes outdated records'],
      ['authentication with tokens', 'users log in with a password or an API key'],
      ['the cat sleeps on the sofa', 'kittens nap on the couch'],
    ] as const
    const lefts = pairs.map(([text]) => text)
    const left = await embedder.embed(lefts, 'query')
    const rights = pairs.map(([, text]) => text)
    const right = await embedder.embed(rights, 'passage')
    for (const [index, vector] of left.entries()) {
      const similar = right.map((other) => dot(vector, other))
      expect(similar.indexOf(Math.max(...similar))).toBe(index)
    }
    embedder.close()
  })

  test('a whole folder built from it opens alike', () => {
    const target = mkdtempSync(path.join(tmpdir(), 'yore-built-'))
    onTestFinished(() => rmSync(target, { recursive: true, force: true }))
    expect(buildStaticModel(folder, target)).toBe(id)
    expect(existsSync(path.join(target, 'vocab.bin'))).toBe(true)
  })

  describeEmbedderContract('the static model', {
    open: () => openStaticModel(folder),
    runs: 100,
    longChars: 2_000_000,
  })
})
