// How do many documents become one upload? As a tar.gz, with names of any length and times in milliseconds.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { CorpusChanges } from '../../corpus/indexing/given-files.ts'

export type PackedDocument = NonNullable<CorpusChanges['put']>[number]

const block = 512

/** The fields of a POSIX ustar header. */
function headerOf(name: string, type: '0' | 'x', size: number, seconds: number): Buffer {
  const header = Buffer.alloc(block)
  const octal = (value: number, length: number): string => value.toString(8).padStart(length - 1, '0')
  header.write(name, 0, 100)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(Math.max(0, seconds), 12), 136)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)}\0 `, 148)
  return header
}

/** `27 path=some/name\n`: the number includes its own length. */
function paxLine(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + 1
  while (bytes + String(length).length !== length) length = bytes + String(length).length
  return `${length}${rest}`
}

const padding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block)

/**
 * In the order given; the same documents give the same archive.
 *
 * @example await writeTar([{ path: 'README.md', bytes, modifiedAt: 0 }])
 */
export async function writeTar(documents: readonly PackedDocument[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (const { path, bytes, modifiedAt } of documents) {
    const seconds = Math.floor(modifiedAt / 1000)
    const facts = Buffer.from(paxLine('path', path) + paxLine('mtime', (modifiedAt / 1000).toFixed(3)))
    pieces.push(headerOf('facts', 'x', facts.length, seconds), facts, padding(facts.length))
    pieces.push(headerOf('document', '0', bytes.length, seconds), bytes, padding(bytes.length))
  }
  pieces.push(Buffer.alloc(2 * block))
  return await promisify(gzip)(Buffer.concat(pieces))
}
