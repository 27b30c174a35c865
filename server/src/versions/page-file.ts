// What are the pages of a SQLite file, and which of them differ from those of another?
import type { FileHandle } from 'node:fs/promises'
import { emptyChecksum, isPageSize, LtxError, type LtxPage, lockPage, rollChecksum } from './ltx.ts'

export interface PageFile {
  readonly handle: FileHandle
  readonly pageSize: number
  readonly pages: number
}

/** The page before and after; absent where a file is shorter. */
export interface PageChange {
  readonly pgno: number
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

/** Bytes compared at once: a multiple of every page size. */
const blockBytes = 1 << 20

/** Reads the page size from the SQLite header; 1 means 65,536. */
export async function readPageFile(handle: FileHandle): Promise<PageFile> {
  const head = Buffer.alloc(18)
  const { bytesRead } = await handle.read(head, 0, 18, 0)
  const { size } = await handle.stat()
  const written = head.readUInt16BE(16)
  const pageSize = written === 1 ? 65_536 : written
  const isSqlite = bytesRead === 18 && head.subarray(0, 15).toString() === 'SQLite format 3'
  if (!isSqlite || !isPageSize(pageSize) || size % pageSize !== 0)
    throw new LtxError('not a whole SQLite file')
  return { handle, pageSize, pages: size / pageSize }
}

async function readBlock({ handle }: PageFile, at: number, target: Buffer): Promise<Buffer> {
  let filled = 0
  while (filled < target.byteLength) {
    const { bytesRead } = await handle.read(target, filled, target.byteLength - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return target.subarray(0, filled)
}

function pageIn(block: Buffer, at: number, pageSize: number): Buffer | null {
  return at < block.byteLength ? block.subarray(at, at + pageSize) : null
}

/** Yields every page that differs, in ascending order; its bytes are valid until the next one. */
export async function* comparePages(before: PageFile | null, after: PageFile): AsyncGenerator<PageChange> {
  const { pageSize } = after
  const lock = lockPage(pageSize)
  const end = Math.max(before?.pages ?? 0, after.pages) * pageSize
  const [oldBlock, newBlock] = [Buffer.alloc(before === null ? 0 : blockBytes), Buffer.alloc(blockBytes)]
  for (let start = 0; start < end; start += blockBytes) {
    const old = before === null ? oldBlock : await readBlock(before, start, oldBlock)
    const now = await readBlock(after, start, newBlock)
    if (old.equals(now)) continue
    for (let at = 0; at < Math.max(old.byteLength, now.byteLength); at += pageSize) {
      const [was, is] = [pageIn(old, at, pageSize), pageIn(now, at, pageSize)]
      const pgno = (start + at) / pageSize + 1
      if (pgno === lock || (was !== null && is !== null && was.equals(is))) continue
      yield { pgno, before: was, after: is }
    }
  }
}

/** Updates the rolling checksum for a changed page. */
export function rollChange(checksum: bigint, { pgno, before, after }: PageChange): bigint {
  const pages: LtxPage[] = [before, after].flatMap((bytes) => (bytes === null ? [] : [{ pgno, bytes }]))
  return pages.reduce(rollChecksum, checksum)
}

/** The rolling checksum of a whole file. */
export async function sumPages(file: PageFile): Promise<bigint> {
  let checksum = emptyChecksum
  for await (const change of comparePages(null, file)) checksum = rollChange(checksum, change)
  return checksum
}
