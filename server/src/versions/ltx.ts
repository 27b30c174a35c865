// How are pages of a SQLite file stored? In LTX, the public page-set format of Litestream and LiteFS, version 3.
import { compress, decompress } from 'lz4-wasm-nodejs'
import { ByteQueue } from './byte-queue.ts'
import { Crc64 } from './crc64.ts'

/** Sizes and marks as in the format's description (superfly/ltx, README); decision 0029 explains the choice. */
const magic = 0x4c545831
const headerBytes = 100
const frameHeadBytes = 6
const trailerBytes = 16
/** The page's compressed size follows, then one LZ4 block of that size. Older versions wrote other frames. */
const sizedFrame = 1
/** Set in every checksum, so that none is zero. */
const checksumMark = 1n << 63n
/** The largest page, with LZ4's overhead for incompressible data. */
const largestFrame = 65_536 + 65_536 / 255 + 16

export interface LtxHeader {
  readonly pageSize: number
  /** Pages of the database after the file is applied. */
  readonly commit: number
  /** A file whose first transaction is 1 holds every page of the database. */
  readonly minTxid: number
  readonly maxTxid: number
  /** Milliseconds since 1970. */
  readonly timestamp: number
  /** Of the database before; 0 for a whole one. */
  readonly preApplyChecksum: bigint
}

/** Pages count from 1. */
export interface LtxPage {
  readonly pgno: number
  readonly bytes: Uint8Array
}

/** Reading yields the header, pages in ascending order, and the end once everything was read and verified. */
export type LtxEvent =
  | { readonly kind: 'header'; readonly header: LtxHeader }
  | ({ readonly kind: 'page' } & LtxPage)
  | { readonly kind: 'end'; readonly postApplyChecksum: bigint }

/** The file is not LTX, is incomplete, or does not match its checksum. */
export class LtxError extends Error {
  override readonly name = 'LtxError'
}

function demand(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new LtxError(fault)
}

/** SQLite locks bytes at 1 GiB; the page there is empty and never part of a file or a checksum. */
export function lockPage(pageSize: number): number {
  return Math.floor(0x4000_0000 / pageSize) + 1
}

export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0
}

/** The checksum of a database without pages. */
export const emptyChecksum: bigint = checksumMark

/**
 * The rolling checksum of a database with this page added or removed.
 *
 * @example rollChecksum(rollChecksum(sum, old), changed)
 */
export function rollChecksum(checksum: bigint, { pgno, bytes }: LtxPage): bigint {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(pgno)
  return checksumMark | (checksum ^ new Crc64().add(number).add(bytes).value)
}

export function formatChecksum(checksum: bigint): string {
  return checksum.toString(16).padStart(16, '0')
}

function checkHeader(header: LtxHeader): void {
  demand(isPageSize(header.pageSize), `LTX: a page of ${header.pageSize} bytes`)
  demand(header.minTxid >= 1 && header.minTxid <= header.maxTxid, 'LTX: transactions out of order')
  demand(Number.isSafeInteger(header.maxTxid), 'LTX: transaction out of range')
  const isWhole = header.minTxid === 1
  demand(
    isWhole ? header.preApplyChecksum === 0n : (header.preApplyChecksum & checksumMark) !== 0n,
    'LTX: a pre-apply checksum belongs in a delta, and only there',
  )
}

function writeHeader(header: LtxHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.writeUInt32BE(magic, 0)
  bytes.writeUInt32BE(header.pageSize, 8)
  bytes.writeUInt32BE(header.commit, 12)
  bytes.writeBigUInt64BE(BigInt(header.minTxid), 16)
  bytes.writeBigUInt64BE(BigInt(header.maxTxid), 24)
  bytes.writeBigInt64BE(BigInt(header.timestamp), 32)
  bytes.writeBigUInt64BE(header.preApplyChecksum, 40)
  return bytes
}

function readHeader(bytes: Buffer): LtxHeader {
  demand(bytes.readUInt32BE(0) === magic, 'not an LTX file')
  demand(bytes.readUInt32BE(4) === 0, 'LTX: a file without checksums, or of a later version')
  const header: LtxHeader = {
    pageSize: bytes.readUInt32BE(8),
    commit: bytes.readUInt32BE(12),
    minTxid: Number(bytes.readBigUInt64BE(16)),
    maxTxid: Number(bytes.readBigUInt64BE(24)),
    timestamp: Number(bytes.readBigInt64BE(32)),
    preApplyChecksum: bytes.readBigUInt64BE(40),
  }
  checkHeader(header)
  return header
}

/** Checks the order of pages: every page of a whole database, any later one in a delta, never the lock page. */
function checkOrder(header: LtxHeader, previous: number, pgno: number): void {
  const lock = lockPage(header.pageSize)
  demand(pgno > previous && pgno <= header.commit && pgno !== lock, `LTX: page ${pgno} out of order`)
  const expected = previous + 1 === lock ? previous + 2 : previous + 1
  demand(header.minTxid !== 1 || pgno === expected, `LTX: page ${expected} is missing`)
}

/** Checks that a whole database has all its pages. */
function checkLast(header: LtxHeader, last: number): void {
  const lock = lockPage(header.pageSize)
  const end = header.commit === lock ? lock - 1 : header.commit
  demand(header.minTxid !== 1 || last === end, `LTX: ${header.commit} pages, ${last} written`)
}

function appendVarint(target: number[], value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) target.push((rest % 128) | 128)
  target.push(rest)
}

export interface LtxWriter {
  readonly head: Uint8Array
  /** The bytes of one page's frame. */
  page(page: LtxPage): Uint8Array
  /** Everything after the pages. */
  end(postApplyChecksum: bigint): Uint8Array
}

/** The same pages give the same bytes. */
export function writeLtx(header: LtxHeader): LtxWriter {
  checkHeader(header)
  const head = writeHeader(header)
  const sum = new Crc64().add(head)
  const index: number[] = []
  let previous = 0
  let offset = headerBytes
  return {
    head,
    page: ({ pgno, bytes }) => {
      demand(bytes.byteLength === header.pageSize, `LTX: page ${pgno} has ${bytes.byteLength} bytes`)
      checkOrder(header, previous, pgno)
      // The library writes the uncompressed size, four bytes, before the block.
      const frame = Buffer.concat([Buffer.alloc(frameHeadBytes), compress(bytes)])
      frame.writeUInt32BE(pgno, 0)
      frame.writeUInt16BE(sizedFrame, 4)
      frame.writeUInt32BE(frame.byteLength - frameHeadBytes - 4, frameHeadBytes)
      sum.add(frame.subarray(0, frameHeadBytes + 4)).add(bytes)
      for (const value of [pgno, offset, frame.byteLength]) appendVarint(index, value)
      previous = pgno
      offset += frame.byteLength
      return frame
    },
    end: (postApplyChecksum) => {
      checkLast(header, previous)
      demand((postApplyChecksum & checksumMark) !== 0n, 'LTX: no checksum of the database')
      index.push(0)
      const bytes = Buffer.alloc(frameHeadBytes + index.length + 8 + trailerBytes)
      bytes.set(index, frameHeadBytes)
      bytes.writeBigUInt64BE(BigInt(index.length), frameHeadBytes + index.length)
      bytes.writeBigUInt64BE(postApplyChecksum, bytes.byteLength - 16)
      sum.add(bytes.subarray(0, -8))
      bytes.writeBigUInt64BE(checksumMark | sum.value, bytes.byteLength - 8)
      return bytes
    },
  }
}

function decompressPage(block: Buffer, pageSize: number): Uint8Array {
  // The library expects the uncompressed size before the block.
  const sized = Buffer.alloc(4 + block.byteLength)
  sized.writeUInt32LE(pageSize)
  sized.set(block, 4)
  try {
    const bytes = decompress(sized)
    if (bytes.byteLength === pageSize) return bytes
  } catch (cause) {
    throw new LtxError(`LTX: a page cannot be decompressed: ${String(cause)}`)
  }
  throw new LtxError('LTX: a page has the wrong size')
}

/** The index repeats the position of each frame and must match what was read. */
async function checkIndex(queue: ByteQueue, sum: Crc64, index: readonly number[]): Promise<void> {
  const bytes = await queue.take(index.length + 8)
  sum.add(bytes)
  const isSame = bytes.subarray(0, index.length).equals(Buffer.from(index))
  demand(isSame && bytes.readBigUInt64BE(index.length) === BigInt(index.length), 'LTX: the index differs')
}

/**
 * Reads and verifies a file as it arrives. The pages are unverified until the end
 * has been yielded.
 *
 * @throws LtxError
 */
export async function* readLtx(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LtxEvent, void, void> {
  const queue = new ByteQueue(pieces, () => new LtxError('LTX: the file ends too early'))
  const sum = new Crc64()
  const taking = async (count: number): Promise<Buffer> => {
    const bytes = await queue.take(count)
    sum.add(bytes)
    return bytes
  }
  try {
    const header = readHeader(await taking(headerBytes))
    yield { kind: 'header', header }
    const index: number[] = []
    let previous = 0
    let offset = headerBytes
    let whole = emptyChecksum
    for (;;) {
      const head = await taking(frameHeadBytes)
      const pgno = head.readUInt32BE(0)
      if (pgno === 0 && head.readUInt16BE(4) === 0) break
      demand(head.readUInt16BE(4) === sizedFrame, 'LTX: a frame of an older or a later version')
      checkOrder(header, previous, pgno)
      const size = (await taking(4)).readUInt32BE(0)
      demand(size <= largestFrame, `LTX: a frame of ${size} bytes`)
      const bytes = decompressPage(await queue.take(size), header.pageSize)
      sum.add(bytes)
      if (header.minTxid === 1) whole = rollChecksum(whole, { pgno, bytes })
      const frameBytes = frameHeadBytes + 4 + size
      for (const value of [pgno, offset, frameBytes]) appendVarint(index, value)
      previous = pgno
      offset += frameBytes
      yield { kind: 'page', pgno, bytes }
    }
    checkLast(header, previous)
    index.push(0)
    await checkIndex(queue, sum, index)
    const postApplyChecksum = (await taking(8)).readBigUInt64BE(0)
    const fileChecksum = (await queue.take(8)).readBigUInt64BE(0)
    demand(fileChecksum === (checksumMark | sum.value), 'LTX: the checksum of the file differs')
    demand(header.minTxid !== 1 || whole === postApplyChecksum, 'LTX: the checksum of the database differs')
    demand((await queue.tryTake(1)) === null, 'LTX: data after the end of the file')
    yield { kind: 'end', postApplyChecksum }
  } finally {
    await queue.close()
  }
}
