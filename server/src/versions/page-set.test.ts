// Does a set of pages give the file it was made from, and is everything else refused?
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashFile, makeTestFolder } from '../../test/support/versions.ts'
import { applyPageSet, measurePages, writePageSet } from './page-set.ts'

const pageSize = 512

/** A file with the header of SQLite and these numbers as pages. */
function makeFile(file: string, fills: readonly number[]): string {
  const bytes = Buffer.concat(fills.map((fill) => Buffer.alloc(pageSize, fill)))
  bytes.write('SQLite format 3\0', 0, 'latin1')
  bytes.writeUInt16BE(pageSize, 16)
  writeFileSync(file, bytes)
  return file
}

async function apply(file: string, object: Uint8Array): Promise<void> {
  await using handle = await open(file, 'r+')
  writeFileSync(`${file}.object`, object)
  await applyPageSet(handle, `${file}.object`, () => undefined)
}

/** The object that makes `after` of `before`. */
async function write(folder: string, after: string, before: string | null): Promise<Buffer> {
  const target = path.join(folder, 'object')
  const hashes = { before: before === null ? null : hashFile(before), after: hashFile(after) }
  await writePageSet(target, { ...(await measurePages(after)), ...hashes }, { file: after, before })
  return readFileSync(target)
}

it('makes the later file of the earlier one, whichever pages differ', async () => {
  const fills = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 })
  const folder = makeTestFolder()
  await fc.assert(
    fc.asyncProperty(fills, fills, async (old, now) => {
      const [before, after] = [makeFile(path.join(folder, 'a'), old), makeFile(path.join(folder, 'b'), now)]
      const delta = await write(folder, after, before)
      expect((await write(folder, after, before)).equals(delta)).toBe(true)
      const changed = now.filter((fill, at) => old[at] !== fill).length
      const pages = changed === 0 ? 0 : zstdDecompressSync(delta.subarray(80)).byteLength
      expect(pages).toBe(changed * (4 + pageSize))
      await apply(before, delta)
      expect(hashFile(before)).toBe(hashFile(after))
      writeFileSync(before, '')
      await apply(before, await write(folder, after, null))
      expect(hashFile(before)).toBe(hashFile(after))
    }),
    { numRuns: 60 },
  )
})

it('is refused cut off anywhere, with a page beyond its end, or where it is something else', async () => {
  const folder = makeTestFolder()
  const after = makeFile(path.join(folder, 'b'), [1, 2, 3])
  const object = await write(folder, after, null)
  const target = path.join(folder, 'a')
  for (let length = 0; length < object.byteLength; length++) {
    copyFileSync(after, target)
    // Cut after its header, it is a set without pages: the hashes of the object and of the file refuse it.
    if (length !== 76) await expect(apply(target, object.subarray(0, length))).rejects.toThrow()
  }
  const changeHead = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(object)
    bytes.writeUInt32BE(value, at)
    return bytes
  }
  const repack = (pages: Uint8Array): Buffer => {
    const block = zstdCompressSync(pages)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(block.byteLength)
    return Buffer.concat([object.subarray(0, 76), length, block])
  }
  const plain = zstdDecompressSync(object.subarray(80))
  for (const page of [0, 4]) {
    const bytes = Buffer.from(plain)
    bytes.writeUInt32BE(page)
    await expect(apply(target, repack(bytes))).rejects.toThrow(`page ${page} of`)
  }
  await expect(apply(target, changeHead(4, 1000))).rejects.toThrow('not a set of pages')
  await expect(apply(target, changeHead(0, 1))).rejects.toThrow('not a set of pages')
  await expect(apply(target, changeHead(76, 2 ** 32 - 1))).rejects.toThrow('cut off')
  await expect(apply(target, repack(plain.subarray(0, -1)))).rejects.toThrow()
  // A block that decompresses to more than any publisher writes.
  await expect(apply(target, repack(Buffer.alloc(4 << 20)))).rejects.toThrow()
  await expect(measurePages(`${target}.object`)).rejects.toThrow('not a whole SQLite file')
})

it('takes files of many blocks', async () => {
  const folder = makeTestFolder()
  const fills = Array.from({ length: 5000 }, (_, at) => at % 251)
  const [before, after] = [makeFile(path.join(folder, 'a'), [1]), makeFile(path.join(folder, 'b'), fills)]
  await apply(before, await write(folder, after, before))
  expect(hashFile(before)).toBe(hashFile(after))
})
