// Which lines of a section show why it matched? The window with the most different terms of the question, matches marked.

import { remember } from '../../model/remember.ts'
import type { SearchHit } from '../../model/report.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'

export interface ExcerptInput {
  readonly text: string
  readonly firstLine: number
}

type MarkedExcerpt = SearchHit['excerpt']

const WINDOW_LINES = 3
const MAX_CHARS = 300

export type FindTerms = (word: string) => readonly string[]

/** Finds the terms of a question; each word is read once. */
export const makeFindTerms = (asked: ReadonlySet<string>): FindTerms =>
  remember((word) => [...new Set(termsIn(word))].filter((term) => asked.has(term)))

/** Offsets and terms of the words in a line that have a searched term. */
function matchesIn(line: string, findTerms: FindTerms) {
  return [...line.matchAll(/[\p{L}\p{N}\p{M}_.-]+/gu)]
    .map(({ 0: word, index }) => ({ at: [index, index + word.length] as const, terms: findTerms(word) }))
    .filter(({ terms }) => terms.length > 0)
}

/** Blank lines and comments for site generators are not shown. */
function isIdle(line: string): boolean {
  const text = line.trim()
  return text === '' || (text.startsWith('<!--') && text.endsWith('-->'))
}

/** The best few lines of the text for these terms. */
export function makeExcerpt(input: ExcerptInput, findTerms: FindTerms): MarkedExcerpt {
  const lines = input.text.split(/\r\n|\n|\r/)
  const held = lines.map((line) => matchesIn(line.slice(0, 2000), findTerms).flatMap(({ terms }) => terms))
  let best = { start: 0, distinct: -1 }
  for (let start = 0; start < lines.length; start++) {
    if (isIdle(lines[start] as string)) continue
    const distinct = new Set(held.slice(start, start + WINDOW_LINES).flat()).size
    if (distinct > best.distinct) best = { start, distinct }
  }
  const window = lines.slice(best.start, best.start + WINDOW_LINES).join('\n')
  const text = window.trimEnd().slice(0, MAX_CHARS)
  return { line: input.firstLine + best.start, text, matches: matchesIn(text, findTerms).map(({ at }) => at) }
}
