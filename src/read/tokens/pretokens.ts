// Where does o200k cut a text before it merges bytes? The o200k pattern, as a linear scanner over UTF-8.
//
// The pattern is, in order of preference, with `upper` = Lu Lt Lm Lo M and `lower` = Ll Lm Lo M:
//   1  [^\r\n L N]? upper* lower+ contraction?      4  ' '? [^\s L N]+ [\r\n/]*      6  \s+ (?!\S)
//   2  [^\r\n L N]? upper+ lower* contraction?      5  \s* [\r\n]+                   7  \s+
//   3  N{1,3}
// Every byte gets the class of its code point, so a run of a class is a run of bytes, in any script. Classes
// come from the JavaScript engine's own Unicode tables, as in gpt-tokenizer. Where that package's pattern
// and OpenAI's Rust one differ we follow the package: \s holds U+FEFF and not U+0085, and 'ſ (U+017F) is not
// a contraction.

const upper = 1
const lower = 2
const letter = 4
const number = 8
const space = 16
const newline = 32
/** Neither space nor letter nor number; marks are among them. */
const symbol = 64
/** Every byte of a code point but its first. */
const inside = 128

/** The class of an ASCII byte; 0 for every other. */
const byteClass = new Uint8Array(256).map((_, byte) => (byte < 128 ? classOfAscii(byte) : 0))
/** Classes of other code points, filled as they are met; a megabyte, so only once a text needs it. */
let wideClass: Uint8Array | undefined

/** As `classOf`, without the regular expressions that take longer to compile than all of this takes to run. */
function classOfAscii(byte: number): number {
  if (byte === 10 || byte === 13) return space | newline
  if (byte === 32 || (byte > 8 && byte < 13)) return space
  if (byte > 47 && byte < 58) return number
  if (byte > 64 && byte < 91) return letter | upper
  return byte > 96 && byte < 123 ? letter | lower : symbol
}

function classOf(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  if (/[\r\n]/.test(char)) return space | newline
  if (/\s/u.test(char)) return space
  if (/\p{N}/u.test(char)) return number
  if (/[\p{Lu}\p{Lt}]/u.test(char)) return letter | upper
  if (/\p{Ll}/u.test(char)) return letter | lower
  if (/[\p{Lm}\p{Lo}]/u.test(char)) return letter | upper | lower
  return /\p{M}/u.test(char) ? symbol | upper | lower : symbol
}

function wideClassOf(codePoint: number): number {
  wideClass ??= new Uint8Array(0x110000)
  const known = wideClass[codePoint]!
  if (known !== 0) return known
  const found = classOf(codePoint)
  wideClass[codePoint] = found
  return found
}

/** Writes the class of each of the first `size` bytes, and a 0 that ends every run. `bytes` is valid UTF-8. */
export function classifyBytes(bytes: Uint8Array, size: number, classes: Uint8Array): void {
  let at = 0
  while (at < size) {
    const found = byteClass[bytes[at]!]!
    if (found !== 0) classes[at++] = found
    else at = classifyWide(bytes, at, classes)
  }
  classes[size] = 0
}

function classifyWide(bytes: Uint8Array, at: number, classes: Uint8Array): number {
  const lead = bytes[at]!
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  let codePoint = lead & (0x7f >> length)
  for (let next = at + 1; next < at + length; next++) codePoint = (codePoint << 6) | (bytes[next]! & 0x3f)
  const found = wideClassOf(codePoint)
  classes[at] = found
  for (let next = at + 1; next < at + length; next++) classes[next] = found | inside
  return at + length
}

/** The end of the pretoken that begins at `start`, which is the end of the last one; `classes` as classified. */
export function endOfPretoken(bytes: Uint8Array, classes: Uint8Array, start: number): number {
  const first = classes[start]!
  if ((first & letter) !== 0) return endOfContraction(bytes, classes, endOfLetters(classes, start))
  if ((first & number) !== 0) return endOfNumber(classes, start)
  if ((first & newline) === 0) {
    const end = endOfPrefixed(classes, start)
    if (end > start) return endOfContraction(bytes, classes, end)
  }
  if ((first & symbol) !== 0) return endOfSymbols(bytes, classes, start)
  if (bytes[start] === 0x20 && (classes[start + 1]! & symbol) !== 0)
    return endOfSymbols(bytes, classes, start + 1)
  return endOfSpace(classes, start)
}

/** Alternatives 1 and 2 behind a prefix, which is any code point but a letter, a number or a newline. */
function endOfPrefixed(classes: Uint8Array, start: number): number {
  const after = afterCodePoint(classes, start)
  const cased = upper | lower
  const isMark = (classes[start]! & cased) !== 0
  if ((classes[after]! & cased) === 0) return isMark ? after : start
  if (!isMark) return endOfLetters(classes, after)
  // A mark may be the prefix or a letter of its own. As a prefix it must lead to a lower-case match; else
  // alternative 1 matches from the mark itself, before alternative 2 is tried.
  const end = endOfLowerMatch(classes, after)
  return end > after ? end : endOfLowerMatch(classes, start)
}

/** Alternative 1, else 2, without prefix; the first code point is a letter or a mark. */
function endOfLetters(classes: Uint8Array, start: number): number {
  let at = start
  while ((classes[at]! & upper) !== 0) at++
  if ((classes[at]! & lower) !== 0) {
    while ((classes[at]! & lower) !== 0) at++
    return at
  }
  const end = lastLowerEnd(classes, start, at)
  return end > start ? end : at
}

/** Alternative 1 alone, without prefix; `start` when it does not match. */
function endOfLowerMatch(classes: Uint8Array, start: number): number {
  let at = start
  while ((classes[at]! & upper) !== 0) at++
  if ((classes[at]! & lower) === 0) return lastLowerEnd(classes, start, at)
  while ((classes[at]! & lower) !== 0) at++
  return at
}

/** What backtracking finds: the upper run gives back up to its last code point that is also lower. */
function lastLowerEnd(classes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && (classes[at - 1]! & lower) === 0) at--
  return at
}

/** Past one of 's 't 'm 'd 'll 've 're, in either case, when it is at `at`. */
function endOfContraction(bytes: Uint8Array, classes: Uint8Array, at: number): number {
  if (classes[at] !== symbol || bytes[at] !== 0x27) return at
  if ((classes[at + 1]! & letter) === 0) return at
  const first = bytes[at + 1]! | 0x20
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return at + 2
  if ((classes[at + 2]! & letter) === 0) return at
  const second = bytes[at + 2]! | 0x20
  if (first === 0x6c) return second === 0x6c ? at + 3 : at
  return (first === 0x76 || first === 0x72) && second === 0x65 ? at + 3 : at
}

function endOfNumber(classes: Uint8Array, start: number): number {
  let at = start
  for (let digits = 0; digits < 3 && (classes[at]! & number) !== 0; digits++) at = afterCodePoint(classes, at)
  return at
}

function endOfSymbols(bytes: Uint8Array, classes: Uint8Array, start: number): number {
  let at = start
  while ((classes[at]! & symbol) !== 0) at++
  while ((classes[at]! & newline) !== 0 || (classes[at] === symbol && bytes[at] === 0x2f)) at++
  return at
}

/** Alternatives 5 to 7: up to the last newline, else all but the last space, unless that is all there is. */
function endOfSpace(classes: Uint8Array, start: number): number {
  let end = start
  while ((classes[end]! & space) !== 0) end++
  for (let at = end; at > start; at--) if ((classes[at - 1]! & newline) !== 0) return at
  if (classes[end] === 0) return end
  let last = end - 1
  while ((classes[last]! & inside) !== 0) last--
  return last > start ? last : end
}

function afterCodePoint(classes: Uint8Array, start: number): number {
  let at = start + 1
  while ((classes[at]! & inside) !== 0) at++
  return at
}
