// Which term did this word become last time? A table keyed by characters, so that a look-up creates no string.

interface TermCache {
  /** The number of the word text[from, end), whose `hashOf` is known. Another word may have it after the next call. */
  find(text: string, from: number, end: number, hash: number): number
  /** The term of the word that was found last. */
  term(number: number): string
}

/** Limit on words; above it the table starts over, with higher numbers. Far more than the words of common use. */
export const WORDS: number = 1 << 16
/** Twice as many slots as words keep the runs short. */
const PLACES = WORDS * 2
/** Characters stored; words have about nine. */
const CHARACTERS = WORDS * 12

/** The hash of a text of this character after the text with this hash. */
export function hashNext(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x5bd1e995)
}

export function hashOf(text: string, from: number, end: number): number {
  let hash = 0
  for (let at = from; at < end; at++) hash = hashNext(hash, text.charCodeAt(at))
  return hash
}

/** `make` gives the term of a new word. Words have at most `CHARACTERS` characters. */
export function createTermCache(make: (word: string) => string): TermCache {
  /** Number of the word at each place, from 1. */
  let places = new Int32Array(1024)
  let hashes = new Int32Array(512)
  let starts = new Int32Array(513)
  let characters = new Uint16Array(512 * 12)
  let terms: string[] = []
  /** The number of the first word since the table started over: a multiple of `WORDS`. */
  let base = 0

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
      base += WORDS
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

  function remember(text: string, from: number, end: number, hash: number): number {
    const term = make(text.slice(from, end))
    makeRoom(end - from)
    const number = terms.length
    const start = starts[number] as number
    for (let at = from; at < end; at++) characters[start + at - from] = text.charCodeAt(at)
    hashes[number] = hash
    starts[number + 1] = start + end - from
    terms.push(term)
    enter(hash & (places.length - 1), number)
    return base + number
  }

  function find(text: string, from: number, end: number, hashed: number): number {
    const hash = hashed ^ (hashed >>> 15)
    const last = places.length - 1
    for (let at = hash & last; places[at] !== 0; at = (at + 1) & last) {
      const number = (places[at] as number) - 1
      if (hashes[number] === hash && isWord(number, text, from, end)) return base + number
    }
    return remember(text, from, end, hash)
  }
  return { find, term: (number) => terms[number - base] as string }
}

function grown<T extends Int32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
