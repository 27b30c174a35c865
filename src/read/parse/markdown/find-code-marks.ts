// Which words of a paragraph may name code? Code spans, and paths and qualified names outside them.

import { countLines, lineOf } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import type { FoundMention } from './collect-inline.ts'

const maxChars = 120

/** Adds a mention for each; resolution decides later whether it names anything. */
export function collectCodeMarks(content: string, found: FoundMention[]): void {
  if (!content.includes('`')) {
    if (content.includes('.')) collectPlain(content, 0, content.length, found)
    return
  }
  const lines = countLines(content)
  let plainFrom = 0
  for (const { at, text, end } of findCodeSpans(content)) {
    collectPlain(content, plainFrom, at, found)
    const isRole = content[at - 1] === '}'
    if (!isRole && mayNameCode(text))
      found.push({ form: 'code', text, target: text, line: lineOf(lines, at) })
    plainFrom = end
  }
  collectPlain(content, plainFrom, content.length, found)
}

/** The code spans of a paragraph: their words, and the offsets before the first mark and after the last. */
export function* findCodeSpans(content: string): Generator<{ at: number; text: string; end: number }> {
  for (let at = content.indexOf('`'); at !== -1; at = content.indexOf('`', at)) {
    const run = runLength(content, at)
    const isEscaped = content.charCodeAt(at - 1) === 92
    const close = isEscaped ? -1 : findRun(content, at + run, run)
    if (close !== -1) yield { at, text: content.slice(at + run, close).trim(), end: close + run }
    at = close === -1 ? at + run : close + run
  }
}

/** The code spans in a line with single backticks, as in AsciiDoc. */
export function collectMarkedCode(text: string, line: number, found: FoundMention[]): void {
  for (let at = text.indexOf('`'); at !== -1; ) {
    const close = text.indexOf('`', at + 1)
    if (close === -1) return
    const inner = text.slice(at + 1, close).trim()
    if (mayNameCode(inner)) found.push({ form: 'code', text: inner, target: inner, line })
    at = text.indexOf('`', close + 1)
  }
}

function runLength(text: string, from: number): number {
  let length = 0
  while (text.charCodeAt(from + length) === 96) length++
  return length
}

/** The next run of exactly this many backticks. */
function findRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at !== -1; ) {
    const run = runLength(text, at)
    if (run === length) return at
    at = text.indexOf('`', at + run)
  }
  return -1
}

/** One word with characters that ordinary words do not have. */
export function mayNameCode(text: string): boolean {
  if (text.length < 3 || text.length > maxChars || !patterns.codeName.test(text)) return false
  return patterns.codeSign.test(text)
}

/** Outside code spans, only unambiguous names: a path with a folder, a name of three parts. */
function collectPlain(content: string, start: number, end: number, found: FoundMention[]): void {
  if (end - start < 5) return
  const part = content.slice(start, end)
  for (const match of part.matchAll(patterns.qualified)) {
    const text = match[0]
    if (text.length > maxChars || part.startsWith('://', match.index + text.length)) continue
    if (part.charAt(match.index - 1) === '/' || part.charAt(match.index - 1) === '@') continue
    const line = content.slice(0, start + match.index).split('\n').length - 1
    found.push({ form: 'code', text, target: text, line })
  }
}
