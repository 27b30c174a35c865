// Where are the texts of artifacts? In compressed blocks of consecutive artifacts of one file.
//
// A block is compressed by zstd: a varint with the number of texts, the varint of the bytes of each, and the texts in
// UTF-8. Its key is the row of its first artifact.

import { ByteSink, VarintReader } from '../postings/postings.ts'
import { damaged, present } from './checksum.ts'
import type { Prepare } from './table.ts'

/** Characters after which a block ends: a question decompresses little more than what it reads. */
const BLOCK_CHARS = 32_768

/** Loaded with the first text, because it takes milliseconds of a cold start. */
const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib')

export const packText = (text: string | Uint8Array): Uint8Array => zlib().zstdCompressSync(text)

/** Throws INDEX_DAMAGED. */
function unpackBytes(data: Uint8Array): Buffer {
  try {
    return zlib().zstdDecompressSync(data)
  } catch {
    throw damaged('a compressed text')
  }
}

/** The text that `packText` packed. Throws INDEX_DAMAGED. */
export const unpackText = (data: Uint8Array): string => unpackBytes(data).toString()

export interface PackedTexts {
  /** Index of its first artifact in the document. */
  readonly artifact: number
  readonly data: Uint8Array
}

/** Packs the texts of a document's artifacts, in order. */
export function packTexts(all: readonly string[]): PackedTexts[] {
  const blocks: PackedTexts[] = []
  for (let next = 0; next < all.length; ) {
    const artifact = next
    for (let chars = 0; next < all.length && chars < BLOCK_CHARS; next++)
      chars += (all[next] as string).length
    const encoded = all.slice(artifact, next).map((text) => Buffer.from(text))
    const head = new ByteSink(encoded.length * 2 + 4)
    head.varint(encoded.length)
    for (const { length } of encoded) head.varint(length)
    blocks.push({ artifact, data: packText(Buffer.concat([head.view(), ...encoded])) })
  }
  return blocks
}

/** A decompressed block; not verified. */
export class TextBlock {
  readonly #first: number
  readonly #bytes: Buffer
  /** Where each text starts, and the end of the last. */
  readonly #starts: number[]

  /** `first` is the number of its first artifact. Throws INDEX_DAMAGED. */
  constructor(first: number, data: Uint8Array) {
    this.#first = first
    this.#bytes = unpackBytes(data)
    const reader = new VarintReader(this.#bytes)
    const lengths = reader.varints(Math.min(reader.varint(), this.#bytes.length))
    let end = reader.at
    this.#starts = [end, ...lengths.map((length) => (end += length))]
  }

  /** In bytes. */
  get size(): number {
    return this.#bytes.length
  }

  /** The text of an artifact. Throws INDEX_DAMAGED. */
  text(artifact: number): string {
    const at = artifact - this.#first
    if (at >= this.#starts.length - 1) throw damaged('a block of texts')
    return this.#bytes.toString('utf8', this.#starts[at], this.#starts[at + 1])
  }

  all(): string[] {
    return this.#starts.slice(1).map((_, at) => this.text(this.#first + at))
  }
}

/** The texts that `packTexts` packed. */
export const unpackTexts = (blocks: readonly PackedTexts[]): string[] =>
  blocks.flatMap(({ data }) => new TextBlock(0, data).all())

const firstSql = 'SELECT max(artifact) AS first FROM texts WHERE artifact <= ?'
const blockSql = 'SELECT data FROM texts WHERE artifact = ?'

/** The first artifact of the block that has the text of this artifact. Throws INDEX_DAMAGED. */
export function findBlock(prepare: Prepare, artifact: number): number {
  const { first } = prepare(firstSql).get(artifact) as { first: number | null }
  return present(first, 'a block of texts')
}

export function openBlock(prepare: Prepare, first: number): TextBlock {
  const row = prepare(blockSql).get(first) as { data: Uint8Array } | undefined
  return new TextBlock(first, present(row, 'a block of texts').data)
}

/** Reads texts of artifacts in order: each block is decompressed once. Throws INDEX_DAMAGED. */
export function readTexts(prepare: Prepare): (artifact: number) => string {
  let [first, block]: [number, TextBlock | null] = [0, null]
  return (artifact) => {
    const wanted = findBlock(prepare, artifact)
    if (block === null || wanted !== first) block = openBlock(prepare, wanted)
    first = wanted
    return block.text(artifact)
  }
}
