// Which lines of a section show why it matched? The window with the most different terms of the question, matches marked.
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'

export interface ExcerptInput {
  readonly text: string
  readonly firstLine: number
}

interface MarkedExcerpt {
  readonly line: number
  readonly text: string
  readonly matches: readonly (readonly [number, number])[]
}

const WINDOW_LINES = 3
const MAX_CHARS = 300

function termsOf(word: string, asked: ReadonlySet<string>): string[] {
  const terms: string[] = []
  analyzeWords(word, (term) => {
    if (asked.has(term) && !terms.includes(term)) terms.push(term)
  })
  return terms
}

/** Offsets and terms of the words in a line that have a searched term. */
function matchesIn(line: string, asked: ReadonlySet<string>): { at: [number, number]; terms: string[] }[] {
  const found: { at: [number, number]; terms: string[] }[] = []
  for (const match of line.matchAll(/[\p{L}\p{N}\p{M}_.-]+/gu)) {
    const terms = termsOf(match[0], asked)
    if (terms.length > 0) found.push({ at: [match.index, match.index + match[0].length], terms })
  }
  return found
}

/** Blank lines and comments for site generators are not shown. */
function isIdle(line: string): boolean {
  const text = line.trim()
  return text === '' || (text.startsWith('<!--') && text.endsWith('-->'))
}

/** The best few lines of the text for these terms. */
export function makeExcerpt(input: ExcerptInput, asked: ReadonlySet<string>): MarkedExcerpt {
  const lines = input.text.split(/\r\n|\n|\r/)
  const held = lines.map(
    (line) => new Set(matchesIn(line.slice(0, 2000), asked).flatMap(({ terms }) => terms)),
  )
  let best = { start: 0, distinct: -1 }
  for (let start = 0; start < lines.length; start++) {
    if (isIdle(lines[start] as string)) continue
    const distinct = new Set(held.slice(start, start + WINDOW_LINES).flatMap((terms) => [...terms])).size
    if (distinct > best.distinct) best = { start, distinct }
  }
  const window = lines.slice(best.start, best.start + WINDOW_LINES)
  const text = window.join('\n').trimEnd().slice(0, MAX_CHARS)
  return { line: input.firstLine + best.start, text, matches: matchesIn(text, asked).map(({ at }) => at) }
}
