// How does vocab.txt become vocab.bin? Its tokens in a hash table, so that nothing is computed when it is opened.
import {
  extendHash,
  field,
  finishHash,
  headerSize,
  idBits,
  idMask,
  insideSeed,
  isInside,
  magic,
  newline,
  startSeed,
  unreadable,
  version,
} from '../src/corpus/embed/vocabulary.ts'

export function packVocabulary(lines: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = lines.at(-1) === newline ? lines : new Uint8Array([...lines, newline])
  const tokenCount = countLines(text)
  if (tokenCount > idMask) throw unreadable(`${tokenCount} tokens are more than ${idMask}`)
  const slotCount = 2 ** Math.ceil(Math.log2(tokenCount * 2))
  const file = new Uint8Array(headerSize + (slotCount + tokenCount + 1) * 4 + text.length)
  const slots = new Uint32Array(file.buffer, headerSize, slotCount)
  const offsets = new Uint32Array(file.buffer, headerSize + slotCount * 4, tokenCount + 1)
  const longest = fillSlots(text, slots, offsets)
  const header = new Uint32Array(file.buffer, 0, headerSize / 4)
  const values = { magic, version, tokenCount, slotCount, lineBytes: text.length, longest }
  for (const name of Object.keys(field) as (keyof typeof field)[]) header[field[name]] = values[name]
  file.set(text, file.length - text.length)
  return file
}

function countLines(text: Uint8Array): number {
  let count = 0
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) count++
  return count
}

/** Returns the length of the longest token. */
function fillSlots(text: Uint8Array, slots: Uint32Array, offsets: Uint32Array): number {
  const mask = slots.length - 1
  const shift = Math.clz32(slots.length) + 1
  let longest = 0
  let id = 0
  for (let at = 0; at < text.length; at++, id++) {
    offsets[id] = at
    const inside = isInside(text, at)
    if (inside) at += 2
    const start = at
    let state = inside ? insideSeed : startSeed
    for (let byte = text[at]!; byte !== newline; byte = text[++at]!) state = extendHash(state, byte)
    if (at > start && text[at - 1] === 13) throw unreadable('its lines end with a carriage return')
    longest = Math.max(longest, at - start)
    const finished = finishHash(state)
    let slot = finished >>> shift
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = (finished << idBits) | (id + 1)
  }
  offsets[id] = text.length
  return longest
}
