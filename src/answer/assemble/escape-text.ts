// How does document text stay Markdown without being able to write the digest's frame? Escapes that read back exactly, but for the ids of headings.

import { markInvisible } from '../../model/mark-invisible.ts'
import { patterns } from '../../read/parse/patterns.ts'
import { documentLanguages } from './fence-language.ts'
import { readsAsFrame } from './reads-as-frame.ts'
import {
  type BlockState,
  contentStart,
  excerptStart,
  isInert,
  nextBlockState,
  ruleStart,
} from './track-blocks.ts'

/** Document headings move below the frame's `###`. */
export const demotion = 3
/** Markdown has no deeper headings. */
export const deepest = 6
/** A heading that would go deeper stays here, and closes with as many hashes as it had: Markdown does not show these. */
export const closing: RegExp = / (#{3,6})$/

/** The line that opens a verbatim excerpt of a document, or of text without a grammar. */
export const wrapperOpening: RegExp = new RegExp(`^\`{3,}(${documentLanguages.join('|')})$`)

interface ExcerptOptions {
  readonly inFence?: boolean
  readonly language?: string
  /** Behind a fence in the first line it would say that the whole excerpt is code of the file. */
  readonly reserved?: string | null
}

/**
 * Source lines as lines of the digest: escaped, or verbatim in a fence of their language when they are not self-contained
 * or come from inside one.
 */
export function writeExcerpt(
  text: string,
  { inFence = false, language = 'markdown', reserved = null }: ExcerptOptions = {},
): string {
  const lines = markInvisible(sourceLines(text).join('\n')).split('\n')
  const isWrapped = inFence || (reserved !== null && opensFence(lines[0]!, reserved))
  const escaped = isWrapped ? null : escapeSelfContained(lines)
  return escaped?.join('\n') ?? writeCode(text, language)
}

/** Is the line a fence with this word behind it? */
export const opensFence = (line: string, language: string): boolean =>
  line.endsWith(language) && /^`{3,}$/.test(line.slice(0, line.length - language.length))

/** Lines of code in a fence of their language, longer than any fence inside. */
export function writeCode(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return [`${fence}${language}`, markInvisible(sourceLines(text).join('\n')), fence].join('\n')
}

/** The lines of a text, whatever ends them: LF, CRLF or CR. */
export const sourceLines = (text: string): string[] => text.split(/\r\n|\n|\r/)

/** Escaped lines, or null when they are not self-contained: both questions in one walk. */
function escapeSelfContained(lines: readonly string[]): string[] | null {
  if (wrapperOpening.test(lines[0]!)) return null
  const escaped: string[] = []
  let state = excerptStart
  for (const line of lines) {
    escaped.push(escapeLine(state, line))
    state = nextBlockState(state, line)
    if (state.doubtful) return null
  }
  return state.fence === null && (state.html === null || state.html === 'blank line') ? escaped : null
}

/** A line of document text behind this state of its blocks; test/parse-digest.ts restores the exact text. */
export function escapeLine(state: BlockState, line: string): string {
  if (state.fence || isInert(state, line)) return line
  const at = contentStart(line)
  if (line.charAt(at) === '#') return line.slice(0, at) + demoteHeading(line.slice(at))
  return isImitation(line, at) ? `${line.slice(0, at)}\\${line.slice(at)}` : line
}

function demoteHeading(written: string): string {
  const heading = written.replace(patterns.headingEnd, '')
  const level = countHashes(heading)
  if (level > deepest) return heading
  if (level + demotion < deepest) return '#'.repeat(demotion) + heading
  const demoted = '#'.repeat(deepest) + heading.slice(level)
  const needsClosing = level + demotion > deepest || closing.test(heading)
  return needsClosing ? `${demoted} ${'#'.repeat(level)}` : demoted
}

export function countHashes(text: string): number {
  let count = 0
  while (text.charAt(count) === '#') count++
  return count
}

/** Backslashes before it do not count: each escape adds one, so each can be taken away again. */
export function isImitation(line: string, at: number): boolean {
  let core = at
  while (line.charAt(core) === '\\') core++
  if (core === line.length) return false
  if (core >= ruleStart(line)) return true
  return readsAsFrame(line.slice(core), { inQuote: line.slice(0, at).includes('>') })
}

function longestRun(text: string): number {
  let longest = 0
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length)
  return longest
}
