// Which term did this word become last time? A table keyed by characters, so that a look-up creates no string.

/** Returns the term of text[from, end) and calls `make` if it is unknown. */
interface TermCache {
  find(text: string, from: number, end: number, make: (word: string) => string): string
}

/** Limit on words; above it the table starts over. Far more than the words of common use. */
const WORDS = 1 << 16
/** Twice as many slots as words keep the runs short. */
const PLACES = WORDS * 2
/** Characters stored; words have about nine. */
const CHARACTERS = WORDS * 12

export function createTermCache(): TermCache {
  /** Number of the word at each place, from 1. */
  let places = new Int32Array(1024)
  let hashes = new Int32Array(512)
  let starts = new Int32Array(513)
  let characters = new Uint16Array(512 * 12)
  let terms: string[] = []

  function isWord(number: number, text: string, from: number, end: number): boolean {
    const start = starts[number] as number
    if ((starts[number + 1] as number) - start !== end - from) return false
    for (let at = from; at < end; at++)
      if (characters[start + at - from] !== text.charCodeAt(at)) return false
    return true
  }

  function enter(place: number, number: number): void {
    let at = place
    while (places[at] !== 0) at = (at + 1) & (places.length - 1)
    places[at] = number + 1
  }

  /** Makes space for one more word of this length: grows the tables, or empties them at their limit. */
  function makeRoom(length: number): void {
    const used = starts[terms.length] as number
    if (terms.length < hashes.length && used + length <= characters.length) return
    if (terms.length >= WORDS || used + length > CHARACTERS) {
      places.fill(0)
      terms = []
      return
    }
    if (used + length > characters.length) characters = grown(characters, new Uint16Array(CHARACTERS))
    if (terms.length < hashes.length) return
    hashes = grown(hashes, new Int32Array(Math.min(WORDS, hashes.length * 4)))
    starts = grown(starts, new Int32Array(hashes.length + 1))
    places = new Int32Array(Math.min(PLACES, hashes.length * 2))
    for (let number = 0; number < terms.length; number++)
      enter((hashes[number] as number) & (places.length - 1), number)
  }

  function remember(text: string, from: number, end: number, hash: number, term: string): void {
    if (end - from > CHARACTERS) return
    makeRoom(end - from)
    const number = terms.length
    const start = starts[number] as number
    for (let at = from; at < end; at++) characters[start + at - from] = text.charCodeAt(at)
    hashes[number] = hash
    starts[number + 1] = start + end - from
    terms.push(term)
    enter(hash & (places.length - 1), number)
  }

  function find(text: string, from: number, end: number, make: (word: string) => string): string {
    let hash = 0
    for (let at = from; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995)
    hash ^= hash >>> 15
    for (let at = hash & (places.length - 1); places[at] !== 0; at = (at + 1) & (places.length - 1)) {
      const number = (places[at] as number) - 1
      if (hashes[number] === hash && isWord(number, text, from, end)) return terms[number] as string
    }
    const term = make(text.slice(from, end))
    remember(text, from, end, hash, term)
    return term
  }
  return { find }
}

function grown<T extends Int32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
