// Where does assets/o200k.bin come from? From the ranks in the devDependency gpt-tokenizer, packed for views.
//
// Run: node scripts/build-o200k.ts. Does nothing when the file is there and was made from the same ranks.

import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  blockBits,
  digestOffset,
  firstSlot,
  hashBytes,
  headerField,
  headerSize,
  rankBits,
  sectionSizes,
  slotTag,
  tableMagic,
  tableVersion,
} from '../src/read/tokens/rank-table.ts'

const ranksPath = fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'))
const tablePath = fileURLToPath(new URL('../assets/o200k.bin', import.meta.url))

/** Makes sure that assets/o200k.bin is up to date; returns its path and whether it had to be written. */
export function buildO200k(): { readonly path: string; readonly written: boolean } {
  const source = readFileSync(ranksPath)
  const digest = createHash('sha256').update(source).digest()
  if (isCurrent(digest)) return { path: tablePath, written: false }
  mkdirSync(dirname(tablePath), { recursive: true })
  // Renamed into place, so that a build that runs beside tests never shows them half a file.
  const draft = `${tablePath}.${process.pid}`
  writeFileSync(draft, packRanks(readRanks(source.toString('latin1')), digest))
  renameSync(draft, tablePath)
  return { path: tablePath, written: true }
}

function isCurrent(digest: Uint8Array): boolean {
  const header = Buffer.alloc(headerSize)
  try {
    const file = openSync(tablePath, 'r')
    readSync(file, header)
    closeSync(file)
  } catch {
    return false
  }
  return (
    header.readUInt32LE(headerField.magic * 4) === tableMagic &&
    header.readUInt32LE(headerField.version * 4) === tableVersion &&
    header.subarray(digestOffset).equals(digest)
  )
}

/** Reads lines of `<base64 of the token's bytes> <rank>`; the ranks must run from 0 without a gap. */
function readRanks(source: string): Uint8Array[] {
  return source
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const [token = '', rank] = line.split(' ')
      if (Number(rank) !== index) throw new Error(`line ${index + 1}: expected rank ${index}, found ${rank}`)
      return new Uint8Array(Buffer.from(token, 'base64'))
    })
}

/** Packs tokens, given in rank order, into the layout that src/read/tokens/rank-table.ts describes. */
export function packRanks(tokens: readonly Uint8Array[], digest: Uint8Array): Uint8Array {
  if (tokens.length >= 2 ** rankBits) throw new Error(`${tokens.length} tokens do not fit ${rankBits} bits`)
  const slotCount = 2 ** Math.ceil(Math.log2(tokens.length * 2))
  const byteCount = tokens.reduce((sum, token) => sum + token.length, 0)
  const longest = tokens.reduce((most, token) => Math.max(most, token.length), 0)
  if (longest > 255) throw new Error(`a token of ${longest} bytes does not fit the layout`)
  const counts = sectionSizes(tokens.length)
  const basesAt = headerSize + slotCount * 4
  const deltasAt = basesAt + counts.bases * 4
  const bytesAt = deltasAt + counts.deltas * 2
  const file = Buffer.alloc(bytesAt + byteCount)
  const fields = {
    magic: tableMagic,
    version: tableVersion,
    tokenCount: tokens.length,
    slotCount,
    byteCount,
    longest,
  }
  for (const [name, value] of Object.entries(fields)) {
    file.writeUInt32LE(value, headerField[name as keyof typeof headerField] * 4)
  }
  file.set(digest, digestOffset)
  fillSlots(tokens, slotCount).forEach((slot, index) => {
    file.writeUInt32LE(slot, headerSize + index * 4)
  })
  let offset = 0
  let base = 0
  for (let rank = 0; rank <= tokens.length; rank++) {
    if (rank % 2 ** blockBits === 0) {
      base = offset
      file.writeUInt32LE(base, basesAt + (rank >> blockBits) * 4)
    }
    file.writeUInt16LE(offset - base, deltasAt + rank * 2)
    const token = tokens[rank] ?? new Uint8Array()
    file.set(token, bytesAt + offset)
    offset += token.length
  }
  return file
}

function fillSlots(tokens: readonly Uint8Array[], slotCount: number): Uint32Array {
  const slots = new Uint32Array(slotCount)
  tokens.forEach((token, rank) => {
    const hash = hashBytes(token, 0, token.length)
    let slot = firstSlot(hash, slotCount)
    while (slots[slot] !== 0) slot = (slot + 1) % slotCount
    slots[slot] = slotTag(hash) + rank + 1
  })
  return slots
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, written } = buildO200k()
  process.stderr.write(`${path}: ${written ? 'written' : 'up to date'}\n`)
}
