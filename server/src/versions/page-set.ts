// Which pages of a SQLite file differ from an earlier one, and how do they travel? Compressed behind a header, as one object.
import { ftruncateSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)]

/**
 * These fields in this order, then blocks of pages: the length of a block and zstd of its pages, each behind its number.
 * Numbers are 4 bytes, big-endian.
 */
export interface PageSetHeader {
  readonly pageSize: number
  /** Pages of the file after it. */
  readonly pages: number
  /** SHA-256 of the file before it, hex; null for a whole file, stored as zeros. */
  readonly before: string | null
  /** SHA-256 of the file after it, hex. */
  readonly after: string
}

/** Pages count from 1. */
interface Page {
  readonly number: number
  readonly bytes: Uint8Array
}

/** The object is damaged, or does not belong where it is used. */
export class PageSetError extends Error {
  override readonly name = 'PageSetError'
}

const magic = Buffer.from('yore')
const headerBytes = 76
/** Bytes compared and compressed at once: a multiple of every page size. */
const blockBytes = 1 << 20
/** With the numbers of the smallest pages. */
const maxBlockBytes = blockBytes + (blockBytes / 512) * 4

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0

/** Reads the page size from the SQLite header, where 1 means 65,536. */
export async function measurePages(file: string): Promise<{ pageSize: number; pages: number }> {
  await using handle = await open(file, 'r')
  const head = Buffer.alloc(18)
  await handle.read(head, 0, 18, 0)
  const { size } = await handle.stat()
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  const isSqlite = head.toString('latin1', 0, 15) === 'SQLite format 3'
  if (!isSqlite || !isPageSize(pageSize) || size % pageSize !== 0)
    throw new PageSetError('not a whole SQLite file')
  return { pageSize, pages: size / pageSize }
}

/** The block at this position; shorter at the end of the file. */
async function readBlock(handle: FileHandle, at: number, target: Buffer): Promise<Buffer> {
  let filled = 0
  while (filled < target.byteLength) {
    const { bytesRead } = await handle.read(target, filled, target.byteLength - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return target.subarray(0, filled)
}

/** Pages of a file that another does not have, in ascending order; their bytes are valid until the next one. */
async function* comparePages(file: string, before: string | null, pageSize: number): AsyncGenerator<Page> {
  await using after = await open(file, 'r')
  await using earlier = before === null ? null : await open(before, 'r')
  const [oldBlock, newBlock] = [Buffer.alloc(blockBytes), Buffer.alloc(blockBytes)]
  for (let start = 0; ; start += blockBytes) {
    const now = await readBlock(after, start, newBlock)
    const old = earlier === null ? Buffer.alloc(0) : await readBlock(earlier, start, oldBlock)
    for (let at = 0; at < now.byteLength; at += pageSize) {
      const bytes = now.subarray(at, at + pageSize)
      if (!bytes.equals(old.subarray(at, at + pageSize))) yield { number: (start + at) / pageSize + 1, bytes }
    }
    if (now.byteLength < blockBytes) return
  }
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Writes the pages of `file` that differ from those of `before`, or all. The same pages give the same bytes. */
export async function writePageSet(
  target: string,
  header: PageSetHeader,
  { file, before }: { readonly file: string; readonly before: string | null },
): Promise<void> {
  await using handle = await open(target, 'w')
  const hashes = [header.before ?? '00'.repeat(32), header.after].map((hex) => Buffer.from(hex, 'hex'))
  const head = [magic, numberBytes(header.pageSize), numberBytes(header.pages), ...hashes]
  await handle.writeFile(Buffer.concat(head))
  let records: Uint8Array[] = []
  const writeBlock = async (): Promise<void> => {
    const block = await compress(Buffer.concat(records))
    await handle.writeFile(Buffer.concat([numberBytes(block.byteLength), block]))
    records = []
  }
  for await (const { number, bytes } of comparePages(file, before, header.pageSize)) {
    records.push(numberBytes(number), Buffer.from(bytes))
    if ((records.length / 2) * header.pageSize >= blockBytes) await writeBlock()
  }
  if (records.length > 0) await writeBlock()
}

function readHeader(bytes: Buffer): PageSetHeader {
  const [pageSize, pages] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)]
  if (!bytes.subarray(0, 4).equals(magic) || !isPageSize(pageSize))
    throw new PageSetError('not a set of pages')
  const [before, after] = [bytes.toString('hex', 12, 44), bytes.toString('hex', 44, 76)]
  return { pageSize, pages, before: /^0+$/.test(before) ? null : before, after }
}

/** Applies an object to a file. `check` sees its header before the first page. */
export async function applyPageSet(
  { fd }: FileHandle,
  object: string,
  check: (header: PageSetHeader) => void,
): Promise<void> {
  await using handle = await open(object, 'r')
  const take = async (at: number, length: number): Promise<Buffer> => {
    const bytes = await readBlock(handle, at, Buffer.alloc(Math.min(length, maxBlockBytes)))
    if (bytes.byteLength < length) throw new PageSetError('a set of pages is cut off')
    return bytes
  }
  const header = readHeader(await take(0, headerBytes))
  check(header)
  const { pageSize, pages } = header
  const { size } = await handle.stat()
  for (let at = headerBytes; at < size; ) {
    const length = (await take(at, 4)).readUInt32BE(0)
    const records = await decompress(await take(at + 4, length), { maxOutputLength: maxBlockBytes })
    at += 4 + length
    for (let from = 0; from < records.byteLength; from += 4 + pageSize) {
      const number = records.readUInt32BE(from)
      if (number < 1 || number > pages) throw new PageSetError(`page ${number} of a file of ${pages}`)
      // Into the page cache: asynchronous writes of single pages would take longer.
      writeSync(fd, records, from + 4, pageSize, (number - 1) * pageSize)
    }
  }
  ftruncateSync(fd, pages * pageSize)
}
