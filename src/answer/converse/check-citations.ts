// Does an answer cite what it was shown? Places are written as path:lines and compared with the context; links that no source has are removed.

import {
  type Answered,
  type Citation,
  type ContextSection,
  formatPlace,
  isShown,
} from '../../model/conversation.ts'
import { getOrAdd } from '../../model/remember.ts'
import { handleAt } from './fit-opening.ts'
import { numberLines } from './frame-section.ts'
import { stripLinks } from './strip-links.ts'

export type ShownLines = ReturnType<typeof listShownLines>

/** What an LLM was shown, ready to look places up. */
export function listShownLines(shown: readonly ContextSection[]) {
  const linesOf = new Map<string, Set<number>>()
  const sections = new Map<string, ContextSection>()
  shown.forEach((section, at) => {
    sections.set(handleAt(at), section)
    const known = getOrAdd(linesOf, section.path, () => new Set())
    for (const excerpt of section.excerpts) {
      // The heading's line belongs to the excerpt, though the text does not contain it.
      for (let line = excerpt.lines.start; line <= excerpt.lines.end; line++) known.add(line)
      for (const { number } of numberLines(excerpt)) known.add(number)
    }
  })

  /** The path that a handle or a path means; null for words that are neither. */
  function pathOf(name: string): string | null {
    const isPath = linesOf.has(name) || (/[./]/.test(name) && !/\s/.test(name))
    return sections.get(name)?.path ?? (isPath ? name : null)
  }

  /** What was shown of a section, by its handle, or of a document, by its path; null for words that are neither. */
  function whole(name: string): readonly Citation[] | null {
    const section = sections.get(name)
    const named =
      section === undefined ? [...sections.values()].filter(({ path }) => path === name) : [section]
    if (named.length === 0) return null
    return named.flatMap(({ path, excerpts }) =>
      excerpts.map(({ lines }) => judge(path, lines.start, lines.end)),
    )
  }

  function judge(path: string, start: number, end: number): Citation {
    const lines = linesOf.get(path)
    if (lines === undefined) return { path, start, end, verdict: 'unknown_document' }
    let shown = 0
    // A range may claim millions of lines; no more than the document's shown ones can count.
    for (const line of lines) if (line >= start && line <= end) shown++
    const verdict = shown === 0 ? 'lines_not_shown' : shown === end - start + 1 ? 'shown' : 'partly_shown'
    return { path, start, end, verdict }
  }

  return { pathOf, whole, judge }
}

/** Brackets without brackets or line ends inside. */
const brackets = /\[[^[\]\n]{1,400}\]/g
const range = /^(?:L|lines? )?(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?$/

/** Judges every place that a text cites in brackets, and writes it as path:first-last, with a mark if it was not shown. */
export function checkCitations(
  text: string,
  shown: ShownLines,
): { readonly text: string; readonly citations: readonly Citation[] } {
  const citations: Citation[] = []
  const checked = text.replace(brackets, (group, at: number) => {
    // A link's text is followed by its target.
    const found = text.charAt(at + group.length) === '(' ? null : readGroup(group.slice(1, -1), shown)
    if (found === null) return group
    citations.push(...found)
    return `[${found.map(formatCitation).join('; ')}]`
  })
  return { text: checked, citations }
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
      path = shown.pathOf(item)
      continue
    }
    const colon = item.lastIndexOf(':')
    const lines = range.exec(item.slice(colon + 1))
    if (lines === null) return null
    if (colon > 0) {
      found.push(...whole)
      path = shown.pathOf(item.slice(0, colon))
    }
    whole = []
    if (path === null) return null
    found.push(shown.judge(path, Number(lines[1]), Number(lines[2] ?? lines[1])))
  }
  found.push(...whole)
  return found.length === 0 ? null : found
}

/** `docs/a.md:3-5`, with a word when it was not shown. */
const formatCitation = (citation: Citation): string =>
  formatPlace(citation) + (isShown(citation) ? '' : ' (not shown)')

export type FinishedAnswer = Pick<Answered, 'content' | 'citations' | 'removed'>

/** An answer that cites nothing it was shown ends with the source that it names, if that was shown. */
export function finishAnswer(
  content: string,
  source: string | undefined,
  sections: readonly ContextSection[],
): FinishedAnswer {
  const shown = listShownLines(sections)
  const checked = checkCitations(content.trim(), shown)
  const { text, removed } = stripLinks(
    checked.text,
    sections.flatMap(({ excerpts }) => excerpts.map((excerpt) => excerpt.text)),
  )
  const isCited = checked.citations.some(isShown)
  const named = isCited || source === undefined ? [] : (shown.whole(source) ?? [])
  const ending = named.length === 0 ? '' : `\n\nSource: [${named.map(formatCitation).join('; ')}]`
  const citations = [...checked.citations, ...named]
  const distinct = new Map(citations.toReversed().map((one) => [formatPlace(one), one]))
  return { content: text + ending, citations: [...distinct.values()].reverse(), removed }
}
