// Is a text worth indexing? Lock files, minified code, data and translation catalogues are skipped, by name or structure.
import { extensionOf, lastSegment } from '../../model/paths.ts'
import type { Language, SkippedFile } from '../../model/source-file.ts'

type Refusal = Omit<SkippedFile, 'path'>

/** Shorter texts are always kept: they cost little and show no structure. */
const MIN_DATA = 4_000
/** Tables and repeated records count as data from this size on; smaller ones are examples or settings. */
const MIN_TABLE = 64_000
/** Only this much of a longer text is judged. */
const WINDOW = 256 * 1024
/** Lines longer than people write. */
const LONG_LINE = 500
/** Minified: the share of text in long lines, and the most white space and the least statement separators in it. */
const MIN_LONG = 0.6
const MAX_SPACE = 0.1
const MIN_MARKS = 0.05
/** Share of characters in lines that consist of one run of base64 or hexadecimal digits. */
const MIN_ENCODED = 0.6
/** Share of digits, and of digits with their separators. */
const MIN_DIGITS = 0.3
const MIN_NUMERIC = 0.75
/** From this number of one-word lines on, a text is a list of words or paths. */
const MIN_WORDS = 300
const MOSTLY = 0.95
/** Below this share of distinct line beginnings, the same record repeats. */
const MAX_VARIETY = 0.02

const lockNames: ReadonlySet<string> = new Set(
  'go.sum go.work.sum npm-shrinkwrap.json package.resolved'.split(' '),
)
/** `package-lock.json`, `Cargo.lock`, `gradle.lockfile`, `.terraform.lock.hcl`. */
const lockName = /[-.]lock(?:file)?(?:\.(?:json|ya?ml|hcl))?$/
const encodedRun = /[A-Za-z0-9+/=_-]{56,}|(?:\b[0-9a-fA-F]{2}[ :,]){16,}|(?:0x[0-9a-fA-F]{2},\s{0,8}){8,}/g
/** Languages that tools minify. Prose may have one paragraph per line. */
const minifiable: ReadonlySet<Language> = new Set(['javascript', 'typescript', 'generic'])

/** Is this the lock file of a package manager, by its name? */
export function isLockFile(path: string): boolean {
  const name = lastSegment(path).toLowerCase()
  return lockNames.has(name) || lockName.test(name)
}

/** Why a text is not indexed; null if it is. Documents are indexed unless they hold no prose. */
export function findSkipReason(path: string, text: string, language: Language): Refusal | null {
  const sample = text.slice(0, WINDOW)
  if (language === 'text' || language === 'generic') {
    if (sample.trimStart().startsWith('-----BEGIN') && privateKey.test(sample)) return secret
    if (isCatalogue(sample)) return { reason: 'translation', detail: 'a catalogue of translations' }
  }
  if (!minifiable.has(language)) return null
  if (extensionOf(path) === '.map' && text.includes('"mappings"'))
    return { reason: 'source-map', detail: 'a source map' }
  if (isEncoded(sample)) return { reason: 'data', detail: 'mostly base64 or hexadecimal' }
  const kind = language === 'generic' ? findDataKind(sample, text.length) : null
  if (kind !== null) return { reason: 'data', detail: kind }
  return isMinified(sample) ? minified : null
}

const privateKey = /^-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----$/m
const secret: Refusal = { reason: 'secret', detail: 'it is a private key' }
const minified: Refusal = { reason: 'minified', detail: 'minified: long lines almost without spaces' }

function isMinified(text: string): boolean {
  if (text.length < MIN_DATA / 2) return false
  let long = 0
  let spaces = 0
  let marks = 0
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 10 : text.charCodeAt(at)
    if (code === 32 || code === 9) spaces++
    else if ('{}();,<>"'.includes(text[at] ?? ' ')) marks++
    if (code !== 10) continue
    if (at - start > LONG_LINE) long += at - start
    start = at + 1
  }
  const most = text.length
  return long >= MIN_LONG * most && spaces <= MAX_SPACE * most && marks >= MIN_MARKS * most
}

/** gettext catalogues, whose lines are almost all messages and comments, and XLIFF. */
function isCatalogue(text: string): boolean {
  if (/^<\?xml[^>]{0,200}>\s{0,99}<xliff\b/.test(text)) return true
  if (!text.includes('\nmsgid "') || !text.includes('\nmsgstr')) return false
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.filter((line) => /^(?:msg|"|#)/.test(line)).length >= 0.9 * lines.length
}

/** Lines of base64 or hexadecimal bytes. */
function isEncoded(text: string): boolean {
  if (text.length < MIN_DATA / 8) return false
  let encoded = 0
  for (const [run] of text.matchAll(encodedRun)) encoded += run.length
  return encoded >= MIN_ENCODED * text.length
}

function findDataKind(text: string, length: number): string | null {
  if (/^(?:<\?xml[^>]{0,200}>)?(?:\s|<!--[^>]{0,2000}-->|<!DOCTYPE svg[^>]{0,300}>){0,20}<svg\b/.test(text))
    return 'a drawing (SVG)'
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  if (length < MIN_DATA) return null
  if (isNumeric(text)) return 'mostly numbers'
  if (
    lines.length >= MIN_WORDS &&
    lines.filter((line) => /^\S+$/.test(line.trim())).length >= MOSTLY * lines.length
  )
    return 'a list with one word per line'
  if (length < MIN_TABLE) return null
  if (isTable(lines)) return 'a table'
  return isRepetitive(lines) ? 'repeated records' : null
}

function isNumeric(text: string): boolean {
  let digits = 0
  let others = 0
  let spaces = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits++
    else if (code === 32 || (code >= 9 && code <= 13)) spaces++
    else if (!'.,;:+-eExX|/'.includes(text[at]!)) others++
  }
  const visible = text.length - spaces
  return digits >= MIN_DIGITS * visible && others <= (1 - MIN_NUMERIC) * visible
}

/** Almost every line has the same number of commas, tabs, semicolons or bars. */
const isTable = (lines: readonly string[]): boolean =>
  [',', '\t', ';', '|'].some((separator) => {
    const width = (lines[0] ?? '').split(separator).length
    return (
      width > 2 && lines.filter((line) => line.split(separator).length === width).length >= 0.9 * lines.length
    )
  })

/** Lines by their beginning, up to the first value; all numbers count as equal. */
function isRepetitive(lines: readonly string[]): boolean {
  const shapes = new Set(lines.map((line) => /^[^:=,(>]{0,60}/.exec(line)![0].replace(/\d+/g, '0').trim()))
  return lines.length > 100 && shapes.size <= MAX_VARIETY * lines.length
}

/** Characters at the start that are searched for a generator's comment. */
const HEAD = 4_000
const commentMark = /^(?:[#;%*"<]|\/\/|\/\*|--|\.\\"|'\\"|dnl\b|\{\/\*|'use strict'|"use strict"|package \w)/
/** Phrases of generators; in upper case where a sentence could continue from the line above. */
const generatedMarks: readonly RegExp[] = [
  /\bcode generated\b.{0,100}\bdo not edit\b|@generated\b/i,
  /\b(?:file|script|page|code) (?:is|was|has been) (?:auto-?|automatically |machine[- ])?generated\b/i,
  /^\W*(?:Automatically generated|Auto-?generated|Autogenerated|Generated|GENERATED)(?: automatically)? (?:by|from|BY|FROM)\b/,
  /\bgenerated (?:automatically )?by (?:automake|gnu autoconf|aclocal|configure|swig|bison|flex)\b/i,
  /\b(?:never(?: ever)?|do not|don't) (?:edit|modify|change)\b.{0,40}\b(?:manually|by hand)\b/i,
  /\bgenerated\b.{0,60}\bdo not (?:edit|modify)\b|\bdo not (?:edit|modify)\b.{0,60}\bgenerated\b/i,
]

/** Does the comment at the start say that a program wrote this text? */
export function saysGenerated(text: string): boolean {
  let inComment = false
  for (const raw of text.slice(0, HEAD).split('\n')) {
    const line = raw.trim().slice(0, LONG_LINE)
    if (line === '') continue
    if (!inComment && !commentMark.test(line)) return false
    if (generatedMarks.some((mark) => mark.test(line))) return true
    if (line.startsWith('/*') || line.startsWith('<!--')) inComment = true
    if (line.includes('*/') || line.includes('-->')) inComment = false
  }
  return false
}
