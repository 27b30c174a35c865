// What must every object store do? One suite for all adapters; each test file of an adapter runs it.
import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ObjectStore, StoreFault } from '../../src/versions/store.ts'

export interface StoreContractOptions {
  /** An empty store that takes objects of up to `maxBytes`. */
  readonly open: () => Promise<ObjectStore>
  readonly maxBytes: number
  /** Bytes of an object that travels in several parts. */
  readonly manyParts: number
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length)
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

const failure = async (promise: Promise<unknown>): Promise<StoreFault | 'none'> =>
  promise.then(
    () => 'none' as const,
    (cause: { readonly fault: StoreFault }) => cause.fault,
  )

/** Describes the suite for one adapter. */
export function describeStoreContract(name: string, options: StoreContractOptions): void {
  describe(`${name} keeps the contract of object stores`, () => {
    let store: ObjectStore
    beforeAll(async () => {
      store = await options.open()
    })

    it('gives back the bytes that were put, whole, in pieces and by range', async () => {
      const bytes = randomBytes(100_000)
      expect(await store.put('a/one', bytes, { sha256: hashOf(bytes) })).toBe('created')
      expect(Buffer.compare(await store.get('a/one'), bytes)).toBe(0)
      expect(Buffer.concat(await gather(store.stream('a/one'))).equals(bytes)).toBe(true)
      expect(await store.head('a/one')).toEqual({ size: 100_000 })
      const range = async (start: number, end?: number): Promise<Buffer> =>
        Buffer.from(await store.get('a/one', end === undefined ? { start } : { start, end }))
      expect((await range(10, 20)).equals(bytes.subarray(10, 20))).toBe(true)
      expect((await range(99_990)).equals(bytes.subarray(99_990))).toBe(true)
      expect((await range(99_990, 200_000)).equals(bytes.subarray(99_990))).toBe(true)
      expect(await range(5, 5)).toHaveLength(0)
      expect(await range(100_000)).toHaveLength(0)
    })

    it('keeps an object without bytes, and any bytes at all', async () => {
      expect(await store.put('a/empty', new Uint8Array())).toBe('created')
      expect(await store.get('a/empty')).toHaveLength(0)
      expect(await gather(store.stream('a/empty'))).toEqual([])
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          await store.put('a/any', bytes)
          expect(Buffer.compare(await store.get('a/any'), bytes)).toBe(0)
        }),
        { numRuns: 20 },
      )
    })

    it('creates once, if asked to, and replaces otherwise', async () => {
      const [first, second] = [Buffer.from('first'), Buffer.from('second')]
      expect(await store.put('once', first, { ifAbsent: true })).toBe('created')
      expect(await store.put('once', second, { ifAbsent: true })).toBe('exists')
      expect(Buffer.from(await store.get('once')).toString()).toBe('first')
      expect(await store.put('once', second)).toBe('created')
      expect(Buffer.from(await store.get('once')).toString()).toBe('second')
    })

    it('lets one of 16 racing writers create, and keeps the bytes of that one', async () => {
      const texts = Array.from({ length: 16 }, (_, at) => Buffer.from(`writer ${at} `.repeat(1000)))
      const outcomes = await Promise.all(texts.map((text) => store.put('race', text, { ifAbsent: true })))
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
      const winner = texts[outcomes.indexOf('created')]!
      expect(winner.equals(await store.get('race'))).toBe(true)
    })

    it('takes an object in many parts, from pieces of odd lengths', async () => {
      const bytes = randomBytes(options.manyParts)
      const outcome = await store.put('big/object', inPieces(bytes, 700_001), {
        sha256: hashOf(bytes),
        ifAbsent: true,
      })
      expect(outcome).toBe('created')
      expect(await store.head('big/object')).toEqual({ size: bytes.byteLength })
      expect(hashOf(Buffer.concat(await gather(store.stream('big/object'))))).toBe(hashOf(bytes))
      const again = await store.put('big/object', inPieces(randomBytes(options.manyParts), 700_001), {
        ifAbsent: true,
      })
      expect(again).toBe('exists')
      expect(hashOf(Buffer.concat(await gather(store.stream('big/object'))))).toBe(hashOf(bytes))
    })

    it('keeps nothing of an object whose checksum is another, small or big', async () => {
      const wrong = { sha256: hashOf(Buffer.from('other')), ifAbsent: true }
      expect(await failure(store.put('wrong/small', Buffer.from('text'), wrong))).toBe('wrong-checksum')
      const big = inPieces(randomBytes(options.manyParts), 1 << 20)
      expect(await failure(store.put('wrong/big', big, wrong))).toBe('wrong-checksum')
      expect(await store.head('wrong/small')).toBeNull()
      expect(await gather(store.list('wrong/'))).toEqual([])
    })

    it('keeps nothing of an object whose source breaks or is too large', async () => {
      async function* breaking(): AsyncGenerator<Uint8Array> {
        yield* inPieces(randomBytes(options.manyParts), 1 << 20)
        throw new Error('the source broke')
      }
      async function* endless(): AsyncGenerator<Uint8Array> {
        const piece = new Uint8Array(1 << 20)
        for (;;) yield piece
      }
      await expect(store.put('broken/object', breaking())).rejects.toThrow('the source broke')
      expect(await failure(store.put('broken/endless', endless()))).toBe('too-large')
      expect(await failure(store.put('broken/large', new Uint8Array(options.maxBytes + 1)))).toBe('too-large')
      expect(await gather(store.list('broken/'))).toEqual([])
    })

    it('says what is missing', async () => {
      expect(await failure(store.get('not/there'))).toBe('missing')
      expect(await failure(store.get('not/there', { start: 3, end: 5 }))).toBe('missing')
      expect(await failure(gather(store.stream('not/there')))).toBe('missing')
      expect(await store.head('not/there')).toBeNull()
      await store.delete('not/there')
    })

    it('deletes', async () => {
      await store.put('gone', Buffer.from('x'))
      await store.delete('gone')
      expect(await store.head('gone')).toBeNull()
      expect(await store.put('gone', Buffer.from('y'), { ifAbsent: true })).toBe('created')
    })

    it('lists keys in code-unit order, by any prefix', async () => {
      const keys = ['l/a', 'l/a-b', 'l/a.c', 'l/a0', 'l/B', 'l/b/c', 'l/b-c', 'l/b/a/z', 'l_x', 'l/_']
      for (const key of keys) await store.put(key, Buffer.from(key))
      const below = keys.filter((key) => key.startsWith('l/')).sort()
      expect(await gather(store.list('l/'))).toEqual(below)
      expect(await gather(store.list('l/b/'))).toEqual(['l/b/a/z', 'l/b/c'])
      expect(await gather(store.list('l/a'))).toEqual(['l/a', 'l/a-b', 'l/a.c', 'l/a0'])
      expect(await gather(store.list('nothing'))).toEqual([])
      const all = await gather(store.list(''))
      expect(all).toEqual([...all].sort())
      expect(all).toContain('l_x')
    })

    it.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.a', 'a/.b', 'ä', 'a b', 'a\n', 'x'.repeat(901)])(
      'refuses the key %j',
      async (key) => {
        expect(await failure(store.put(key, Buffer.from('x')))).toBe('refused')
        expect(await failure(store.get(key))).toBe('refused')
        expect(await failure(store.head(key))).toBe('refused')
        expect(await failure(store.delete(key))).toBe('refused')
      },
    )
  })
}
