// Which links do the sources contain? Addresses, targets of links and whole tags, as an answer may repeat them.

export interface SourceLinks {
  readonly urls: ReadonlySet<string>
  /** Targets of Markdown links and images, relative ones included, and the paths of the documents. */
  readonly targets: ReadonlySet<string>
  /** HTML tags, verbatim. */
  readonly tags: ReadonlySet<string>
}

/** Where an address starts: with a scheme and slashes, without a scheme, with www, or with a scheme that runs or holds data. */
export const urlStart: RegExp =
  /[a-z][a-z0-9+.-]{1,20}:[/\\]{2}|(?<![a-z0-9:/\\])\/\/(?=[\w-]{1,63}\.\w|localhost|\[)|(?<![a-z0-9.])www\.(?=\w)|(?<![a-z0-9])(?:javascript|vbscript|blob|filesystem):(?=\S)|(?<![a-z0-9])data:(?=[\w/+.;=-]{0,80},)/gi

/** What ends an address in some renderer or other. */
const urlEnds = /["'`)\]}|\\*_~,;]/

/** Punctuation that may follow an address without being part of it. */
export const trailing: RegExp = /[.,;:!?'"`)\]}*_~|\\]{1,40}$/

/** A tag whose every attribute is quoted: where it ends is certain. */
const plainTag =
  /^<\/?[A-Za-z][\w:-]{0,40}(?:\s{1,9}[\w:@.-]{1,60}(?:=(?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}'))?)*\s{0,9}\/?>$/

/** Everything that looks like a link in the texts that an LLM was shown. */
export function gatherLinks(texts: Iterable<string>, paths: Iterable<string>): SourceLinks {
  const urls = new Set<string>()
  const targets = new Set<string>(paths)
  const tags = new Set<string>()
  for (const text of texts) {
    for (const url of urlsIn(text)) urls.add(url)
    for (const target of targetsIn(text)) targets.add(target)
    for (const [tag] of text.matchAll(/<[A-Za-z/][^<>\n]{0,4000}>/g)) if (plainTag.test(tag)) tags.add(tag)
  }
  return { urls, targets, tags }
}

function* urlsIn(text: string): Generator<string> {
  let end = 0
  for (const { index } of text.matchAll(urlStart)) {
    // An address inside of another is a part of it.
    if (index < end) continue
    const whole = runAt(text, index)
    end = index + whole.length
    yield* readings(whole)
  }
}

/** An address as long and as short as renderers may read it. */
function readings(whole: string): string[] {
  const found = new Set<string>([whole.replace(trailing, '')])
  const end = whole.search(urlEnds)
  if (end > 0) found.add(whole.slice(0, end).replace(trailing, ''))
  return [...found]
}

/** No address is longer. */
const run = /[^\s<>]{0,4000}/y

/** Everything up to a blank or an angle bracket. */
export function runAt(text: string, start: number): string {
  run.lastIndex = start
  return run.exec(text)?.[0] ?? ''
}

function* targetsIn(text: string): Generator<string> {
  for (const { index } of text.matchAll(/\]\(/g)) {
    const read = readTarget(text, index + 2)
    if (read !== null) yield read.target
  }
  for (const [, target] of text.matchAll(/\]:[ \t]{0,20}<?([^\s<>]{1,2000})/g)) yield target as string
}

interface ReadTarget {
  readonly target: string
  /** After the closing parenthesis. */
  readonly end: number
}

const longestTarget = 2000
/** As CommonMark has it. */
const deepestTarget = 32

/** The target after `](`; null when no link ends here. */
export function readTarget(text: string, from: number): ReadTarget | null {
  let at = skipBlanks(text, from)
  let target: string
  if (text.charAt(at) === '<') {
    const close = text.slice(at + 1, at + longestTarget).search(/[<>\n]/)
    if (close < 0 || text.charAt(at + 1 + close) !== '>') return null
    target = text.slice(at + 1, at + 1 + close)
    at += close + 2
  } else {
    const end = endOfBare(text, at)
    target = text.slice(at, end)
    at = end
  }
  at = skipTitle(text, skipBlanks(text, at))
  return text.charAt(at) === ')' ? { target, end: at + 1 } : null
}

const [backslash, opening, closing] = [0x5c, 0x28, 0x29]

function endOfBare(text: string, from: number): number {
  let depth = 0
  let at = from
  for (; at < text.length && at - from < longestTarget; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32) break
    if (code === backslash) at++
    else if (code === opening && ++depth > deepestTarget) break
    else if (code === closing && depth-- === 0) break
  }
  return Math.min(at, text.length)
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (/[ \t\r\n]/.test(text.charAt(at))) at++
  return at
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' }

function skipTitle(text: string, from: number): number {
  const closing = closings[text.charAt(from)]
  if (closing === undefined) return from
  const window = text.slice(from + 1, from + 1 + longestTarget)
  const end = window.indexOf(closing)
  return end < 0 ? from : skipBlanks(text, from + end + 2)
}
