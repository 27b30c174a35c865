import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptyChecksum,
  formatChecksum,
  type LtxEvent,
  type LtxHeader,
  type LtxPage,
  lockPage,
  readLtx,
  rollChecksum,
  writeLtx,
} from './ltx.ts'

/** `ltx encode-db` of superfly/ltx 8cb8f8e wrote it, from a database of two pages of 512 bytes. */
const written = Buffer.from(
  `TFRYMQAAAAAAAAIAAAAAAgAAAAAAAAABAAAAAAAAAAEAAAGh4O4j7QAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAQAAAG7zDVNRTGl0ZSBmb3JtYXQgMwACAAEBAEAgIAAAAAIEAAQCAFMBAAAA
BAwABBAADwIADf8AAgAulcwNAAAAAQHfAAHfLwANDwIA/z/wEh8BBhcPDwEvdGFibGV0dAJDUkVBVEUgVEFCTEUgdCh4KQAAAAIA
AQAAACbfDQAAAAIB7gAB9wHuAAEA/8/wAwcCAhd3b3JsZAcBAhdoZWxsbwAAAAAAAAFkeALcATAAAAAAAAAAAAjXnqeB0LucVPLZ
awI1SnYU`,
  'base64',
)

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length)
}

async function read(bytes: Uint8Array, length = 4096): Promise<LtxEvent[]> {
  const events: LtxEvent[] = []
  for await (const event of readLtx(inPieces(bytes, length))) events.push(event)
  return events
}

function write(header: LtxHeader, pages: readonly LtxPage[], post: bigint): Buffer {
  const writer = writeLtx(header)
  return Buffer.concat([writer.head, ...pages.map(writer.page), writer.end(post)])
}

const pagesOf = (events: readonly LtxEvent[]): LtxPage[] =>
  events.flatMap((event) => (event.kind === 'page' ? [{ pgno: event.pgno, bytes: event.bytes }] : []))

const delta: LtxHeader = {
  pageSize: 512,
  commit: 9,
  minTxid: 7,
  maxTxid: 7,
  timestamp: 1_700_000_000_000,
  preApplyChecksum: emptyChecksum | 5n,
}
const pageOf = (pgno: number, fill = pgno): LtxPage => ({ pgno, bytes: Buffer.alloc(512, fill) })

describe('a file of the original tool', () => {
  it('is read: header, pages and rolling checksum', async () => {
    const events = await read(written, 7)
    expect(events[0]).toEqual({
      kind: 'header',
      header: {
        pageSize: 512,
        commit: 2,
        minTxid: 1,
        maxTxid: 1,
        timestamp: Date.parse('2026-11-15T20:37:45.581Z'),
        preApplyChecksum: 0n,
      },
    })
    const database = Buffer.concat(pagesOf(events).map(({ bytes }) => bytes))
    expect(createHash('sha256').update(database).digest('hex')).toBe(
      '613b5b026a99f44bdbd0d6fdf5bfdc30e637169991931eb942c6faa77366f647',
    )
    const end = events.at(-1)
    expect(end?.kind === 'end' && formatChecksum(end.postApplyChecksum)).toBe('d79ea781d0bb9c54')
    expect(formatChecksum(pagesOf(events).reduce(rollChecksum, emptyChecksum))).toBe('d79ea781d0bb9c54')
  })

  it('is refused with any bit flipped, unless the page still decompresses to the same bytes', async () => {
    const expected = await read(written)
    let refused = 0
    for (let bit = 0; bit < written.byteLength * 8; bit++) {
      const changed = Buffer.from(written)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      const found = await read(changed).catch(() => 'refused')
      if (found === 'refused') refused++
      else expect(found).toEqual(expected)
    }
    expect(refused).toBeGreaterThan(written.byteLength * 8 - 20)
  })

  it('is refused at every shorter length, and with one byte more', async () => {
    for (let length = 0; length < written.byteLength; length++)
      await expect(read(written.subarray(0, length))).rejects.toThrow('LTX')
    await expect(read(Buffer.concat([written, Buffer.alloc(1)]))).rejects.toThrow('data after the end')
  })
})

it('writes what the description of the format says, byte for byte around the compressed pages', () => {
  const file = write(delta, [pageOf(2)], emptyChecksum | 9n)
  const hex = file.toString('hex')
  // Header, head of the frame, the block, end of frames, index, its size, trailer.
  const size = file.byteLength - 100 - 10 - 6 - 4 - 8 - 16
  expect(hex.slice(0, 200)).toBe(
    [
      '4c545831', // LTX1
      '00000000', // flags
      '00000200', // page size
      '00000009', // pages after it
      '0000000000000007'.repeat(2), // transactions
      '0000018bcfe56800', // time
      '8000000000000005', // checksum before
      '00'.repeat(52), // places in a write-ahead log, node, reserved
    ].join(''),
  )
  expect(hex.slice(200, 220)).toBe(`000000020001${size.toString(16).padStart(8, '0')}`)
  // The index: page 2 at 100, the length of its frame, the end; and how many bytes that is.
  const frame = (size + 10).toString(16).padStart(2, '0')
  expect(hex.slice(220 + 2 * size, -32)).toBe(`${'00'.repeat(6)}0264${frame}00${'0000000000000004'}`)
  expect(hex.slice(-32, -16)).toBe('8000000000000009')
})

it('gives back what was written, in pieces of any length, and the same bytes for the same pages', async () => {
  const pages = fc
    .uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 })
    .chain((numbers) =>
      fc.tuple(
        ...numbers
          .sort((a, b) => a - b)
          .map((pgno) =>
            fc
              .oneof(fc.uint8Array({ minLength: 1024, maxLength: 1024 }), fc.constant(new Uint8Array(1024)))
              .map((bytes): LtxPage => ({ pgno, bytes })),
          ),
      ),
    )
  await fc.assert(
    fc.asyncProperty(pages, fc.integer({ min: 1, max: 5000 }), async (given, length) => {
      const header = { ...delta, pageSize: 1024, commit: 400 }
      const file = write(header, given, emptyChecksum)
      expect(write(header, given, emptyChecksum).equals(file)).toBe(true)
      const events = await read(file, length)
      expect(events[0]).toEqual({ kind: 'header', header })
      expect(pagesOf(events).map(({ pgno }) => pgno)).toEqual(given.map(({ pgno }) => pgno))
      for (const [at, { bytes }] of pagesOf(events).entries())
        expect(Buffer.compare(bytes, given[at]!.bytes)).toBe(0)
    }),
    { numRuns: 50 },
  )
})

it('refuses pages out of order, the lock page, a missing page of a whole file, and a delta without a past', () => {
  expect(() => write(delta, [pageOf(3), pageOf(2)], emptyChecksum)).toThrow('page 2 out of order')
  expect(() => write(delta, [pageOf(10)], emptyChecksum)).toThrow('page 10 out of order')
  const whole = { ...delta, minTxid: 1, preApplyChecksum: 0n }
  expect(() => write(whole, [pageOf(1), pageOf(3)], emptyChecksum)).toThrow('page 2 is missing')
  expect(() => write(whole, [pageOf(1)], emptyChecksum)).toThrow('9 pages, 1 written')
  expect(() => writeLtx({ ...delta, preApplyChecksum: 0n })).toThrow('checksum')
  expect(() => writeLtx({ ...delta, pageSize: 1000 })).toThrow('a page of 1000 bytes')
  const lock = lockPage(65_536)
  expect(lock).toBe(16_385)
  const wide = writeLtx({ ...delta, pageSize: 65_536, commit: 20_000 })
  expect(() => wide.page({ pgno: lock, bytes: Buffer.alloc(65_536) })).toThrow('out of order')
})

it('takes a page away from the rolling checksum as it was added', () => {
  const [one, two] = [pageOf(1), pageOf(2)]
  const both = [one, two].reduce(rollChecksum, emptyChecksum)
  expect(rollChecksum(both, two)).toBe(rollChecksum(emptyChecksum, one))
  expect(rollChecksum(rollChecksum(both, two), one)).toBe(emptyChecksum)
})
