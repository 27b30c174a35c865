// What is the layout of the full-text index? For each term and segment one blob: the fragments that contain it, with counts.
//
// A list is: varint count, varint last fragment, then per fragment varint(delta * 2 + rich), and for a rich entry one
// byte of field counts and varint body count. A plain entry means: once, in the body. Fragments are numbered from the
// segment's first; deltas start from -1, so lists can be joined by rewriting one number.
//
// A stored list is sealed: four bytes of checksum over its term, its segment and all of it.
import { blobSum, damaged, textSum } from '../rows/checksum.ts'

const FIELD_CAP = 3

/** Counts packed in one number: body in the low 16 bits, then two bits for each other field. */
export const packedField = { body: 1, heading: 1 << 16, title: 1 << 18, path: 1 << 20 } as const

/** Adds one occurrence to packed counts, stopping at the field's cap. */
export function addOccurrence(packed: number, field: keyof typeof packedField): number {
  if (field === 'body') return (packed & 0xffff) === 0xffff ? packed : packed + 1
  const shift = field === 'heading' ? 16 : field === 'title' ? 18 : 20
  return ((packed >> shift) & FIELD_CAP) === FIELD_CAP ? packed : packed + (1 << shift)
}

/** A growing byte buffer. */
export class ByteSink {
  bytes: Uint8Array
  length = 0

  constructor(room = 16) {
    this.bytes = new Uint8Array(room)
  }

  varint(value: number): void {
    if (this.length + 5 > this.bytes.length) this.#grow(5)
    let rest = value
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  append(source: Uint8Array): void {
    if (this.length + source.length > this.bytes.length) this.#grow(source.length)
    this.bytes.set(source, this.length)
    this.length += source.length
  }

  #grow(room: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + room))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  view(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}

/** The list of one term while it is written. Bytes are allocated with its second fragment, because most terms have one. */
export class PostingList {
  count = 0
  last = -1
  #first = 0
  #sink: ByteSink | null = null

  /** `fragment` must be larger than the previous one. */
  add(fragment: number, packed: number): void {
    if (this.count === 0) this.#first = packed
    else writeEntry(this.#bytes(), fragment - this.last, packed)
    this.count++
    this.last = fragment
  }

  /** The bytes so far. */
  #bytes(): ByteSink {
    if (this.#sink !== null) return this.#sink
    this.#sink = new ByteSink()
    if (this.count === 1) writeEntry(this.#sink, this.last + 1, this.#first)
    return this.#sink
  }

  /** Appends a finished list whose fragments are numbered from `base` on. */
  join(list: Uint8Array, base: number): void {
    const reader = new VarintReader(list)
    const [count, last, first] = [reader.varint(), reader.varint(), reader.varint()]
    const fragment = base + (first >>> 1) - 1
    if (this.count === 0 && count === 1) {
      const fields = (first & 1) === 0 ? packedField.body : (reader.varint() << 16) + reader.varint()
      this.add(fragment, fields)
      return
    }
    const sink = this.#bytes()
    sink.varint((fragment - this.last) * 2 + (first & 1))
    sink.append(list.subarray(reader.at))
    this.count += count
    this.last = base + last
  }

  finish(): Uint8Array {
    const whole = new ByteSink((this.#sink?.length ?? 16) + 10)
    whole.varint(this.count)
    whole.varint(this.last)
    if (this.#sink !== null) whole.append(this.#sink.view())
    else if (this.count === 1) writeEntry(whole, this.last + 1, this.#first)
    return whole.view()
  }
}

/** One entry of a list: its distance from the previous one, and its counts. */
export function writeEntry(sink: ByteSink, delta: number, packed: number): void {
  if (packed === packedField.body) {
    sink.varint(delta * 2)
    return
  }
  sink.varint(delta * 2 + 1)
  sink.varint(packed >> 16)
  sink.varint(packed & 0xffff)
}

/** Reads numbers as `ByteSink` wrote them. */
export class VarintReader {
  at: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  varint(): number {
    const bytes = this.#bytes
    let value = 0
    let shift = 0
    for (;;) {
      const byte = bytes[this.at++]
      if (byte === undefined) throw damagedList()
      value |= (byte & 127) << shift
      if (byte < 128) return value >>> 0
      shift += 7
    }
  }

  /** The next numbers. Written flat, because it is a hot loop; a read past the end fails with the next number. */
  varints(count: number): Uint32Array {
    const [bytes, numbers] = [this.#bytes, new Uint32Array(count)]
    for (let index = 0; index < count; index++) {
      let byte = bytes[this.at++] as number
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[this.at++] as number
        value |= (byte & 127) << shift
      }
      numbers[index] = value
    }
    return numbers
  }
}

/** Decoded lists of one term: parallel arrays, `length` entries valid. */
export class DecodedPostings {
  fragments: Uint32Array = new Uint32Array(1024)
  packed: Uint32Array = new Uint32Array(1024)
  length = 0

  #reserve(room: number): void {
    if (this.length + room <= this.fragments.length) return
    const size = Math.max(this.fragments.length * 2, this.length + room)
    const fragments = new Uint32Array(size)
    const packed = new Uint32Array(size)
    fragments.set(this.fragments.subarray(0, this.length))
    packed.set(this.packed.subarray(0, this.length))
    this.fragments = fragments
    this.packed = packed
  }

  /** Appends a list without the fragments for which `dead` has a bit. Written flat, because it is the hot loop. */
  read(list: Uint8Array, firstFragment: number, dead: Uint8Array | null): void {
    const reader = new VarintReader(list)
    const [count, last] = [reader.varint(), reader.varint()]
    if (count > list.length) throw damagedList()
    this.#reserve(count)
    const { fragments, packed } = this
    let [at, fragment, length] = [reader.at, firstFragment - 1, this.length]
    for (let left = count; left > 0; left--) {
      let byte = list[at++] as number
      let head = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = list[at++] as number
        head |= (byte & 127) << shift
      }
      fragment += head >>> 1
      let counts: number = packedField.body
      if ((head & 1) === 1) {
        // Fields other than the body fit in one byte; body counts rarely need two.
        counts = (list[at++] as number) << 16
        byte = list[at++] as number
        counts |= byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = list[at++] as number
          counts |= (byte & 127) << shift
        }
      }
      if (dead !== null && ((dead[fragment >>> 3] as number) & (1 << (fragment & 7))) !== 0) continue
      fragments[length] = fragment
      packed[length] = counts
      length++
    }
    // Reading past the end gives undefined, which counts as 0, so that the sums do not match.
    if (at !== list.length || fragment !== firstFragment + last) throw damagedList()
    this.length = length
  }
}

const damagedList = (): Error => damaged('a list of the index')

const SEAL_BYTES = 4

const listSum = (list: Uint8Array, term: string, segment: number): number =>
  blobSum(textSum(`${term}\0${segment}`), list)

/** A finished list as it is stored. */
export function sealList(list: Uint8Array, term: string, segment: number): Uint8Array {
  const sealed = Buffer.alloc(SEAL_BYTES + list.length)
  sealed.set(list, SEAL_BYTES)
  sealed.writeUInt32LE(listSum(list, term, segment), 0)
  return sealed
}

/** The finished list inside a stored one. Throws INDEX_DAMAGED. */
export function openList(sealed: Uint8Array, term: string, segment: number): Uint8Array {
  const list = sealed.subarray(SEAL_BYTES)
  const sum = new DataView(sealed.buffer, sealed.byteOffset).getUint32(0, true)
  if (listSum(list, term, segment) !== sum) throw damagedList()
  return list
}
