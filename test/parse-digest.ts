// What does a Markdown digest claim, and from where? Reads a rendered digest back into its passages and source lines.

import { digestFrame as frame } from '../src/answer/assemble/digest-frame.ts'
import {
  closing,
  countHashes,
  deepest,
  demotion,
  isImitation,
  opensFence,
  wrapperOpening,
} from '../src/answer/assemble/escape-text.ts'
import { fenceLanguage } from '../src/answer/assemble/fence-language.ts'
import {
  type BlockState,
  contentStart,
  excerptStart,
  isInert,
  nextBlockState,
} from '../src/answer/assemble/track-blocks.ts'
import type { Lines } from '../src/model/artifact.ts'
import type { LinePlace, Passage } from '../src/model/digest.ts'
import { YoreError } from '../src/model/errors.ts'
import { markOneLine, unmarkInvisible } from '../src/model/mark-invisible.ts'

export interface ParsedPassage {
  readonly path: string
  readonly name: string
  readonly ranges: readonly Lines[]
  /** Of lines of an extracted text; absent for a text that is the file. */
  readonly place?: string
  /** The source lines of each range, as they are in the document, without line ends. */
  readonly texts: readonly (readonly string[])[]
  /** As shown: two decimals; null where the brief layout does not show it. */
  readonly canonical: number | null
  readonly alsoAt: Passage['alsoAt']
  /** Lines that refer to the passage, as far as they are shown. */
  readonly referencedBy: readonly LinePlace[]
  /** Of a parent or sibling of found sections: where those are. */
  readonly sameDocumentAs: readonly LinePlace[]
  readonly truncated: boolean
}

export interface ParsedDigest {
  /** As shown: a very long question is shortened. */
  readonly query: string
  readonly passages: readonly ParsedPassage[]
  /** Referenced and surrounding sections; `name` is the document's title. */
  readonly expanded: readonly ParsedPassage[]
}

/** Lines read so far. Each reader takes what it knows from `at` on and moves it. */
interface Cursor {
  readonly lines: readonly string[]
  at: number
}

/** Inverts `renderMarkdown` at any frame level, as far as provenance goes. Refuses what is not a digest. */
export function parseDigest(markdown: string): ParsedDigest {
  const lines = markdown.split('\n')
  // Inside its quotes a question has no quote without a backslash.
  const query = /^# Context Digest for: "((?:[^"\\]|\\.)*)"$/.exec(lines[0] ?? '')?.[1] ?? null
  const content = lines.indexOf(frame.content)
  if (query === null || content < 0) throw notADigest(1)
  const cursor: Cursor = { lines, at: content + 2 }
  const passages: ParsedPassage[] = []
  while (lines[cursor.at]?.startsWith('### ')) {
    const heading = readHeading(cursor, frame.passage)
    passages.push(readSourced(cursor, heading))
  }
  return { query: unescapeQuery(query), passages, expanded: readExpanded(cursor) }
}

function readExpanded(cursor: Cursor): ParsedPassage[] {
  const found: ParsedPassage[] = []
  for (const part of [frame.expanded, frame.family]) {
    if (cursor.lines[cursor.at] !== part) continue
    cursor.at += 2
    while (cursor.lines[cursor.at]?.startsWith('### ')) {
      const heading = readHeading(cursor, frame.expandedDocument)
      while (cursor.lines[cursor.at]?.startsWith('**Source:** ')) found.push(readSourced(cursor, heading))
    }
  }
  return found
}

function readSourced(cursor: Cursor, heading: { name: string; path: string }): ParsedPassage {
  const { path, ranges, place, canonical } = readSource(cursor)
  if (path !== heading.path) throw notADigest(cursor.at)
  const alsoAt: Passage['alsoAt'][number][] = []
  while (peek(cursor).startsWith(alsoAtLabel)) alsoAt.push(readPlace(cursor, alsoAtLabel))
  const referencedBy = readLinePlaces(cursor, '**Referenced by:** ')
  const sameDocumentAs = readLinePlaces(cursor, '**Same document as:** ')
  expectLine(cursor, '')
  const texts: string[][] = []
  let truncated = false
  for (;;) {
    texts.push(readExcerpt(cursor, fenceLanguage(path)))
    if (peek(cursor) === frame.rule) break
    truncated = /^\*\[… \d+ of \d+ lines shown …\]\*$/.test(peek(cursor))
    cursor.at++
    expectLine(cursor, '')
    if (truncated) break
  }
  expectLine(cursor, frame.rule)
  if (cursor.at < cursor.lines.length) expectLine(cursor, '')
  if (texts.length !== ranges.length) throw notADigest(cursor.at)
  const where = place === undefined ? {} : { place }
  const { name } = heading
  return {
    path,
    name,
    ranges,
    ...where,
    texts,
    canonical,
    alsoAt,
    referencedBy,
    sameDocumentAs,
    truncated,
  }
}

const alsoAtLabel = '**Also at:** '

function readLinePlaces(cursor: Cursor, label: string): LinePlace[] {
  const found: LinePlace[] = []
  while (peek(cursor).startsWith(label)) {
    const { lines, ...place } = readPlace(cursor, label)
    found.push({ ...place, line: lines.start })
  }
  return found
}

/** A name may hold parentheses: the path is known from the source below it. */
function readHeading(
  cursor: Cursor,
  full: (name: string, path: string) => string,
): { name: string; path: string } {
  const line = take(cursor)
  expectLine(cursor, '')
  const { path } = readSource({ lines: cursor.lines, at: cursor.at })
  const [before, after] = full('\n', markOneLine(path)).split('\n') as [string, string]
  const name = between(line, before, after) ?? between(line, frame.briefPassage(''), '')
  if (name === null) throw notADigest(cursor.at)
  return { name: unescapeName(name), path }
}

function readSource(
  cursor: Cursor,
): NonNullable<ReturnType<typeof parsePlace>> & { readonly canonical: number | null } {
  const text = between(take(cursor), frame.briefSource('', ''), '') ?? ''
  const brief = parsePlace(text)
  if (brief !== null) return { ...brief, canonical: null }
  const doubt = text.lastIndexOf(' (authority: ')
  const doubted = doubt < 0 ? null : parsePlace(text.slice(0, doubt))
  if (doubted !== null) return { ...doubted, canonical: null }
  const split = text.lastIndexOf(' (canonical: ')
  const place = split < 0 ? null : parsePlace(text.slice(0, split))
  if (place === null) throw notADigest(cursor.at)
  return { ...place, canonical: Number.parseFloat(text.slice(split + ' (canonical: '.length)) }
}

function readPlace(cursor: Cursor, label: string): Passage['alsoAt'][number] {
  const parsed = parsePlace(between(take(cursor), label, '') ?? '')
  const lines = parsed?.ranges[0]
  if (!parsed || !lines) throw notADigest(cursor.at)
  const { ranges: _, ...place } = parsed
  return { ...place, lines }
}

/** Up to the frame's next line, and past the blank line before it. Inside a fence nothing is the frame's. */
function readExcerpt(cursor: Cursor, language: string | null): string[] {
  if (language !== null && opensFence(peek(cursor), language)) return readVerbatim(cursor, language)
  const wrapper = wrapperOpening.exec(peek(cursor))?.[1]
  if (wrapper !== undefined) return readVerbatim(cursor, wrapper)
  const source: string[] = []
  let state = excerptStart
  for (;;) {
    const line = peek(cursor)
    if (state.fence === null && (line === frame.rule || line.startsWith('*[…'))) break
    const unescaped = unescapeLine(state, take(cursor))
    state = nextBlockState(state, unescaped)
    source.push(unmarkInvisible(unescaped))
  }
  if (source.length < 2 || source.pop() !== '') throw notADigest(cursor.at)
  return source
}

function readVerbatim(cursor: Cursor, language: string): string[] {
  const fence = between(take(cursor), '', language)
  if (fence === null || !/^`{3,}$/.test(fence)) throw notADigest(cursor.at)
  const source: string[] = []
  while (peek(cursor) !== fence) source.push(unmarkInvisible(take(cursor)))
  expectLine(cursor, fence)
  expectLine(cursor, '')
  return source
}

function peek(cursor: Cursor): string {
  const line = cursor.lines[cursor.at]
  if (line === undefined) throw notADigest(cursor.at)
  return line
}

function take(cursor: Cursor): string {
  const line = peek(cursor)
  cursor.at++
  return line
}

function expectLine(cursor: Cursor, expected: string): void {
  if (take(cursor) !== expected) throw notADigest(cursor.at)
}

function between(line: string, before: string, after: string): string | null {
  const fits = line.length >= before.length + after.length && line.startsWith(before) && line.endsWith(after)
  return fits ? line.slice(before.length, line.length - after.length) : null
}

function notADigest(line: number): YoreError {
  return new YoreError('BAD_INPUT', `not a Markdown digest: line ${line} is not as yore writes it`)
}

const queryUnescapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Inverts `escapeQuery`, except for the omitted middle of a long question. */
export function unescapeQuery(escaped: string): string {
  return unmarkInvisible(escaped).replace(/\\(.)/g, (_, char: string) => queryUnescapes[char] ?? char)
}

export function unescapeName(escaped: string): string {
  return unmarkInvisible(escaped.replaceAll('\\(from', '(from'))
}

/** Inverts `formatPlace`; null when the text is not a place. */
export function parsePlace(
  text: string,
): { readonly path: string; readonly ranges: readonly Lines[]; readonly place?: string } | null {
  // No place holds a colon or a parenthesis, so that nothing else ends like this.
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1
  const named = open < 0 ? undefined : text.slice(open + 2, -1)
  if (named !== undefined && /^$|[():]/.test(named)) return null
  const place = open < 0 ? text : text.slice(0, open)
  const colon = place.lastIndexOf(':')
  if (colon < 0) return null
  const ranges: Lines[] = []
  for (const range of place.slice(colon + 1).split(',')) {
    const [, start, end] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
    if (start === undefined) return null
    ranges.push({ start: Number(start), end: Number(end ?? start) })
  }
  const path = unmarkInvisible(place.slice(0, colon))
  return { path, ranges, ...(named === undefined ? {} : { place: unmarkInvisible(named) }) }
}

/** Inverts `escapeExcerpt`. */
export function unescapeExcerpt(rendered: string): string {
  let state = excerptStart
  const lines = rendered.split('\n').map((line) => {
    const source = unescapeLine(state, line)
    state = nextBlockState(state, source)
    return source
  })
  return unmarkInvisible(lines.join('\n'))
}

/** One rendered line, invisible marks aside, as it was in the source. */
export function unescapeLine(state: BlockState, line: string): string {
  if (state.fence || isInert(state, line)) return line
  const at = contentStart(line)
  if (line.charAt(at) === '#') return line.slice(0, at) + restoreHeading(line.slice(at))
  return line.charAt(at) === '\\' && isImitation(line, at) ? line.slice(0, at) + line.slice(at + 1) : line
}

/** Inverts `demoteHeading`. */
function restoreHeading(heading: string): string {
  const level = countHashes(heading)
  if (level <= demotion || level > deepest) return heading
  const text = heading.slice(level)
  const closed = level === deepest ? closing.exec(text) : null
  if (closed === null) return '#'.repeat(level - demotion) + text
  return `${closed[1]}${text.slice(0, closed.index)}`
}
