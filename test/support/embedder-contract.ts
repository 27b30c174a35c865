// What must every embedder do? One suite for all adapters; each test file of an adapter runs it.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/corpus/embed/embedder.ts'

interface ContractOptions {
  readonly open: () => Embedder | Promise<Embedder>
  /** Random lists of texts to try; slow adapters use fewer. */
  readonly runs: number
  /** Characters of the very long text. */
  readonly longChars: number
}

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector)
const isZero = (vector: Float32Array): boolean => vector.every((value) => value === 0)

/** Words of several scripts, code, marks, and anything at all. */
const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.constantFrom('deploy', 'getPodName', 'Straße', '中文', 'naïve', '😀', 'ADR-12', '#', '\n'), {
      maxLength: 12,
    })
    .map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
)

/** Describes the suite for one adapter. */
export function describeEmbedderContract(name: string, options: ContractOptions): void {
  describe(`${name} keeps the contract of embedders`, () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await options.open()
    })
    afterAll(() => embedder.close())

    const embedOne = async (text: string): Promise<Float32Array> => {
      const [vector] = await embedder.embed([text], 'passage')
      return vector!
    }

    test('its id ends with a hash, and a second one opened alike has the same', async () => {
      expect(embedder.id).toMatch(/^.+-[0-9a-f]{12}$/)
      const second = await options.open()
      expect([second.id, second.dimensions]).toEqual([embedder.id, embedder.dimensions])
      second.close()
    })

    test('gives a vector of unit length and of its dimensions', async () => {
      for (const kind of ['query', 'passage'] as const) {
        const vectors = await embedder.embed(['How do I deploy a new service?', 'Rolling updates'], kind)
        expect(vectors.map((vector) => vector.length)).toEqual([embedder.dimensions, embedder.dimensions])
        for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 5)
      }
    })

    test('gives nothing for nothing', async () => {
      expect(await embedder.embed([], 'passage')).toEqual([])
    })

    test('gives the zero vector for empty and blank texts, and keeps their places', async () => {
      const vectors = await embedder.embed(['', 'a service', ' \n\t', 'a pod'], 'passage')
      expect(vectors.map(isZero)).toEqual([true, false, true, false])
      expect(vectors.every((vector) => vector.length === embedder.dimensions)).toBe(true)
      expect(vectors[3]).toEqual(await embedOne('a pod'))
    })

    test('embeds a very long text', async () => {
      const text = 'The scheduler places pods on nodes. '.repeat(Math.ceil(options.longChars / 36))
      expect(lengthOf(await embedOne(text))).toBeCloseTo(1, 5)
    })

    test('any texts: finite numbers, unit or zero length, in order, the same alone and together, and again', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(textArbitrary, { maxLength: 6 }), async (texts) => {
          const together = await embedder.embed(texts, 'passage')
          expect(together).toHaveLength(texts.length)
          for (const [index, vector] of together.entries()) {
            expect(vector.every(Number.isFinite)).toBe(true)
            if (!isZero(vector)) expect(lengthOf(vector)).toBeCloseTo(1, 5)
            expect(vector).toEqual(await embedOne(texts[index]!))
          }
        }),
        { numRuns: options.runs },
      )
    })

    test('vectors given before are not changed by later calls', async () => {
      const first = await embedOne('a stable vector')
      const copy = first.slice()
      await embedder.embed(['something else', 'and more'], 'passage')
      expect(first).toEqual(copy)
    })
  })
}
