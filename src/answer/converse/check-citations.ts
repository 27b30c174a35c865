// Does an answer cite what it was shown? Places are found, written as path:lines, and compared with the context.
import type { Citation, ContextSection } from '../../model/conversation.ts'
import { handleAt } from './fit-opening.ts'
import { numberLines } from './frame-section.ts'

interface CheckedText {
  /** With every place as path:first-last, and a mark after those that were not shown. */
  readonly text: string
  readonly citations: readonly Citation[]
}

/** What an LLM was shown, ready to look places up. */
export class ShownLines {
  readonly #lines = new Map<string, Set<number>>()
  readonly #sections = new Map<string, ContextSection>()

  constructor(sections: readonly ContextSection[]) {
    sections.forEach((section, at) => {
      this.#sections.set(handleAt(at), section)
      const known = this.#lines.get(section.path) ?? new Set()
      this.#lines.set(section.path, known)
      for (const excerpt of section.excerpts) {
        // The heading's line belongs to the excerpt, though the text does not contain it.
        for (let line = excerpt.lines.start; line <= excerpt.lines.end; line++) known.add(line)
        for (const { number } of numberLines(excerpt)) known.add(number)
      }
    })
  }

  has(path: string): boolean {
    return this.#lines.has(path)
  }

  section(handle: string): ContextSection | null {
    return this.#sections.get(handle) ?? null
  }

  /** What was shown of a section, by its handle, or of a document, by its path; null for words that are neither. */
  whole(name: string): readonly Citation[] | null {
    const section = this.#sections.get(name)
    const named =
      section === undefined ? [...this.#sections.values()].filter(({ path }) => path === name) : [section]
    if (named.length === 0) return null
    return named.flatMap(({ path, excerpts }) =>
      excerpts.map(({ lines }) => this.judge(path, lines.start, lines.end)),
    )
  }

  judge(path: string, start: number, end: number): Citation {
    const lines = this.#lines.get(path)
    if (lines === undefined) return { path, start, end, verdict: 'unknown_document' }
    let shown = 0
    // A range may claim millions of lines; no more than the document's shown ones can count.
    for (const line of lines) if (line >= start && line <= end) shown++
    const verdict = shown === 0 ? 'lines_not_shown' : shown === end - start + 1 ? 'shown' : 'partly_shown'
    return { path, start, end, verdict }
  }
}

/** Brackets without brackets or line ends inside. */
const brackets = /\[[^[\]\n]{1,400}\]/g
const range = /^(?:L|lines? )?(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?$/
/** Handles in round brackets, as weak models write them. */
const rounded = /\((S\d{1,3}(?:[;,] ?S\d{1,3}){0,9})\)/g
/** What can be a path and lines outside of brackets. */
const words = /[^\s()[\]{}<>"'`,;]+/g

/** Finds and judges every place that a text cites. */
export function checkCitations(text: string, shown: ShownLines): CheckedText {
  const citations: Citation[] = []
  const squared = text.replaceAll(rounded, (group, names: string) =>
    readGroup(names, shown) === null ? group : `[${names}]`,
  )
  const bracketed = squared.replace(brackets, (group, at: number) => {
    // A link's text is followed by its target.
    const found = squared.charAt(at + group.length) === '(' ? null : readGroup(group.slice(1, -1), shown)
    if (found === null) return group
    citations.push(...found)
    return `[${found.map(formatCitation).join('; ')}]`
  })
  const outside = bracketed.replaceAll(brackets, ' ')
  for (const [word] of outside.matchAll(words)) {
    const found = readPlain(word, shown)
    if (found !== null) citations.push(found)
  }
  return { text: bracketed, citations }
}

/** `docs/a.md:3-5; docs/b.md:7, 9-10`, `S1, lines 3-5` or `docs/a.md` alone; null when it is something else. */
function readGroup(group: string, shown: ShownLines): Citation[] | null {
  const found: Citation[] = []
  let path: string | null = null
  /** A name without lines means all that was shown of it, unless lines follow. */
  let whole: readonly Citation[] = []
  for (const part of group.replaceAll('`', '').split(/[;,]/)) {
    const item = part.trim().replace(/(?<=\S) lines? (?=\d)/, ':')
    const named = shown.whole(item)
    if (named !== null) {
      found.push(...whole)
      whole = named
      path = shown.section(item)?.path ?? item
      continue
    }
    const colon = item.lastIndexOf(':')
    const lines = range.exec(item.slice(colon + 1))
    if (lines === null) return null
    if (colon > 0) {
      found.push(...whole)
      path = pathOf(item.slice(0, colon), shown)
    }
    whole = []
    if (path === null) return null
    found.push(shown.judge(path, Number(lines[1]), Number(lines[2] ?? lines[1])))
  }
  found.push(...whole)
  return found.length === 0 ? null : found
}

/** The path that a handle or a path means; null for words that are neither. */
function pathOf(name: string, shown: ShownLines): string | null {
  const section = shown.section(name)
  if (section !== null) return section.path
  return shown.has(name) || (/[./]/.test(name) && !/\s/.test(name)) ? name : null
}

function readPlain(word: string, shown: ShownLines): Citation | null {
  const place = word.replace(/[.:!?*_]{1,9}$/, '')
  const colon = place.lastIndexOf(':')
  const lines = colon > 0 ? range.exec(place.slice(colon + 1)) : null
  if (lines === null) return null
  const path = place.slice(0, colon)
  // Outside of brackets a host and its port look the same as a path and its line.
  if (!shown.has(path) && (!path.includes('/') || path.includes('//'))) return null
  return shown.judge(path, Number(lines[1]), Number(lines[2] ?? lines[1]))
}

/** `docs/a.md:3-5`, with a word when it was not shown. */
export function formatCitation({ path, start, end, verdict }: Citation): string {
  const place = start === end ? `${path}:${start}` : `${path}:${start}-${end}`
  return verdict === 'shown' || verdict === 'partly_shown' ? place : `${place} (not shown)`
}

const listItem = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]/

/** How many paragraphs and list items say something and cite nothing. */
export function countUncited(text: string, shown: ShownLines): number {
  let fence = false
  const claims: string[] = ['']
  for (const line of text.split('\n')) {
    if (/^[ \t]*(?:```|~~~)/.test(line)) fence = !fence
    if (fence || /^[ \t]*(?:```|~~~|#|>)/.test(line)) continue
    if (line.trim() === '' || listItem.test(line)) claims.push('')
    claims[claims.length - 1] += `${line}\n`
  }
  return claims.filter((claim) => isClaim(claim) && checkCitations(claim, shown).citations.length === 0)
    .length
}

function isClaim(text: string): boolean {
  const trimmed = text.trim()
  return !trimmed.endsWith(':') && trimmed.split(/\s+/).length >= 4
}
