// Where are the headings of a text that is no Markdown? Underlined or marked lines, man pages, Perl's and Texinfo's marks.

import { lineAt, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { findAsciidocHeads } from './find-asciidoc-heads.ts'
import { findRstHeads } from './find-rst-heads.ts'
import {
  type HeadCandidate,
  makeCandidate,
  maxHeadChars,
  plainMarkup,
  type TextHead,
} from './head-candidate.ts'
import { findOrgHeads } from './read-org.ts'
import type { TextFormat } from './text-format.ts'

/** A section from so many UTF-16 units on is divided at its items: that is more than a fragment. */
const longSection = 2_000
/** Characters that underline a title in reStructuredText and AsciiDoc. */
const underlines = '=-~^"*+#`:.\'_'

/** The headings of a text in its format, in order. Linear in its length. */
export function findTextHeads(lines: TextLines, format: TextFormat): TextHead[] {
  return placeItems(lines, findCandidates(headLines(lines), format))
}

/** The lines as they are looked at for headings. */
export function headLines(lines: TextLines): string[] {
  return lines.starts.map((_, line) => headLine(lines, line))
}

/** Headings and items as found. */
export function findCandidates(texts: readonly string[], format: TextFormat): HeadCandidate[] {
  return headFinders[format](texts)
}

const headFinders: Readonly<Record<TextFormat, (texts: readonly string[]) => HeadCandidate[]>> = {
  rst: findRstHeads,
  asciidoc: findAsciidocHeads,
  org: findOrgHeads,
  man: findManHeads,
  pod: findPodHeads,
  texinfo: findTexinfoHeads,
  plain: findPlainHeads,
}

/** A line without what trails; of one that is too long for a heading, only enough to see that it is not blank. */
function headLine(lines: TextLines, line: number): string {
  const start = lines.starts[line]!
  const end = lines.starts[line + 1] ?? lines.text.length
  if (end - start > maxHeadChars + 2)
    return lines.text.slice(start, start + maxHeadChars + 2).replaceAll('\n', ' ')
  const text = lineAt(lines, line)
  return (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).trimEnd()
}

/** Gives items a level, and drops those of sections that are short. */
function placeItems(lines: TextLines, found: readonly HeadCandidate[]): TextHead[] {
  const heads: TextHead[] = []
  let above = 0
  let isLong = false
  for (const [index, candidate] of found.entries()) {
    if (index === 0 || candidate.level !== null) {
      above = candidate.level ?? 0
      let next = index + 1
      while (next < found.length && found[next]!.level === null) next++
      const start = candidate.level === null ? 0 : lines.starts[candidate.line]!
      isLong = (lines.starts[found[next]?.line ?? -1] ?? lines.text.length) - start >= longSection
    }
    if (candidate.level === null && !isLong) continue
    heads.push({ ...candidate, plain: candidate.name, level: candidate.level ?? above + 1 })
  }
  return heads
}

/** roff: `.SH` and `.SS`, mdoc's `.Sh` and `.Ss`; items are `.TP` with the line below it, `.IP` and `.It`. */
function findManHeads(texts: readonly string[]): HeadCandidate[] {
  const found: HeadCandidate[] = []
  for (const [line, text] of texts.entries()) {
    if (!text.startsWith('.')) continue
    const request = text.slice(1, 3)
    const level = { SH: 1, Sh: 1, SS: 2, Ss: 2 }[request]
    const next = texts[line + 1] ?? ''
    const below = text.length > 3 ? text.slice(3) : next
    if (level !== undefined) {
      const bodyLine = line + (text.length > 3 ? 1 : 2)
      found.push(makeCandidate(line, level, plainRoff(below), { bodyLine: Math.min(bodyLine, texts.length) }))
    } else if (request === 'TP' || request === 'IP' || request === 'It') {
      const isNext = request === 'TP'
      const name = plainRoff(isNext ? next.replace(patterns.roffRequest, '') : text.slice(3))
      if (!patterns.word.test(name)) continue
      const bodyLine = Math.min(texts.length, line + (isNext ? 2 : 1))
      found.push(makeCandidate(line, null, name, { bodyLine }))
    }
  }
  return found
}

/** `\fB\-a\fP, "x" 4` reads `-a, x`. */
function plainRoff(text: string): string {
  const quoted = patterns.roffQuoted.exec(text.trim())
  const written = quoted?.[1] ?? text
  return written
    .replace(patterns.roffFont, '')
    .replace(patterns.roffDash, '-')
    .replace(patterns.roffEscape, '$1')
    .replaceAll('"', '')
    .replace(patterns.roffTail, '')
}

function findPodHeads(texts: readonly string[]): HeadCandidate[] {
  return texts.flatMap((text, line) => {
    const [, mark = '', name = ''] = patterns.podHead.exec(text) ?? []
    if (mark === '' || !patterns.word.test(name)) return []
    return [
      makeCandidate(
        line,
        mark === 'item' ? null : Number(mark.slice(4)),
        name.replace(patterns.podFormat, '$1'),
      ),
    ]
  })
}

const texinfoLevels: Readonly<Record<string, number>> = {
  chapter: 1,
  unnumbered: 1,
  appendix: 1,
  section: 2,
  unnumberedsec: 2,
  appendixsec: 2,
  subsection: 3,
  subsubsection: 4,
}

function findTexinfoHeads(texts: readonly string[]): HeadCandidate[] {
  return texts.flatMap((text, line) => {
    const [, mark = '', name = ''] = patterns.texinfoHead.exec(text) ?? []
    const level = Object.hasOwn(texinfoLevels, mark) ? texinfoLevels[mark] : undefined
    return level === undefined ? [] : [makeCandidate(line, level, name)]
  })
}

/** Marked headings; in a text without any, numbered ones. */
function findPlainHeads(texts: readonly string[]): HeadCandidate[] {
  const marked = findMarkedHeads(texts)
  return marked.some(({ level }) => level !== null)
    ? marked
    : [...findNumberedHeads(texts), ...marked].sort(byLine)
}

const byLine = (a: HeadCandidate, b: HeadCandidate): number => a.line - b.line

/** Fewer are a list. */
const fewestNumbered = 3

/** `3. Usage` and `3.2 Proxies` as FAQs and RFCs have them, each alone between blank lines; a list has no second numbers. */
function findNumberedHeads(texts: readonly string[]): HeadCandidate[] {
  const found: { numbers: readonly string[]; head: HeadCandidate }[] = []
  for (const [line, text] of texts.entries()) {
    if ((texts[line - 1] ?? '') !== '' || (texts[line + 1] ?? '') !== '') continue
    const [, number = '', name = ''] = patterns.numberedTitle.exec(text) ?? []
    const numbers = number.split('.')
    if (number !== '' && patterns.word.test(name))
      found.push({ numbers, head: makeCandidate(line, numbers.length, `${number} ${name}`) })
  }
  const chapters = new Set(found.flatMap(({ numbers }) => (numbers.length > 1 ? [numbers[0]] : [])))
  const heads = found.filter(({ numbers }) => chapters.has(numbers[0])).map(({ head }) => head)
  return heads.length < fewestNumbered ? [] : heads
}

/** reStructuredText, AsciiDoc and plain text: `== Title`, underlined and boxed titles; `term::` and directives are items. */
function findMarkedHeads(texts: readonly string[]): HeadCandidate[] {
  const found: HeadCandidate[] = []
  const styles: string[] = []
  const levelOf = (style: string): number => {
    if (!styles.includes(style)) styles.push(style)
    return styles.indexOf(style) + 1
  }
  const closings = findClosings(texts)
  for (let line = 0; line < texts.length; line++) {
    const text = texts[line]!
    if (text === '') continue
    const next = texts[line + 1] ?? ''
    if (isRule(text)) {
      if (isBoxed(texts, line)) {
        found.push(makeCandidate(line, levelOf(`${text[0]} boxed`), next, { bodyLine: line + 3 }))
        line += 2
      } else if (text.length > 3 && next !== '') line = closings.get(line) ?? line
      continue
    }
    const anchor = line === 0 ? null : (patterns.anchorLine.exec(texts[line - 1]!)?.[1] ?? null)
    const isFree = line === 0 || anchor !== null || texts[line - 1] === ''
    const start = anchor === null ? line : line - 1
    const marked = isFree ? patterns.markedTitle.exec(text) : null
    if (marked !== null) {
      const name = marked[2]!.replace(patterns.trailingMarks, '')
      if (patterns.word.test(name))
        found.push(makeCandidate(start, marked[1]!.length, name, { bodyLine: line + 1, explicitId: anchor }))
    } else if (isFree && isUnderlined(texts, line)) {
      const name = plainMarkup(text)
      found.push(makeCandidate(start, levelOf(next[0]!), name, { bodyLine: line + 2, explicitId: anchor }))
      line++
    } else if (text.endsWith('::')) {
      const end = endOfTerms(texts, line)
      const terms = texts.slice(line, end).map((term) => plainMarkup(term.slice(0, -2)))
      const name = terms.join(', ')
      if (isFree && patterns.word.test(name))
        found.push(makeCandidate(start, null, name, { bodyLine: end, explicitId: anchor }))
      line = end - 1
    } else {
      const directive = patterns.directive.exec(text)
      if (directive !== null) found.push(makeCandidate(line, null, plainMarkup(directive[1]!)))
    }
  }
  return found
}

/** AsciiDoc lists several terms of one description above it. */
function endOfTerms(texts: readonly string[], line: number): number {
  let end = line + 1
  while (texts[end]?.endsWith('::') === true) end++
  return end
}

/** For each line that is a rule, the next that is the same: where a delimited block would end. */
function findClosings(texts: readonly string[]): ReadonlyMap<number, number> {
  const closings = new Map<number, number>()
  const later = new Map<string, number>()
  for (let line = texts.length - 1; line >= 0; line--) {
    const text = texts[line]!
    if (text.length < 4 || !isRule(text)) continue
    const next = later.get(text)
    if (next !== undefined) closings.set(line, next)
    later.set(text, line)
  }
  return closings
}

/** A title between two rules of its length, as reStructuredText has them; shorter ones enclose an example. */
function isBoxed(texts: readonly string[], line: number): boolean {
  const rule = texts[line]!
  const title = texts[line + 1]?.trim() ?? ''
  const isFree = line === 0 || texts[line - 1] === ''
  const room = rule.length - title.length
  return isFree && texts[line + 2] === rule && room >= 0 && room <= 8 && patterns.titleStart.test(title)
}

/** AsciiDoc allows two characters more or less; a longer rule must stand alone to be no delimiter of an example. */
function isUnderlined(texts: readonly string[], line: number): boolean {
  const title = texts[line]!
  const rule = texts[line + 1] ?? ''
  if (!isRule(rule) || !patterns.word.test(title) || title.startsWith(' ') || title.startsWith('.. '))
    return false
  const room = rule.length - title.length
  return room >= -2 && (room <= 3 || ((texts[line + 2] ?? '') === '' && !title.endsWith(':')))
}

/** One underlining character throughout. */
export function isRule(text: string): boolean {
  if (text.length < 3 || !underlines.includes(text[0]!)) return false
  for (let at = 1; at < text.length; at++) if (text[at] !== text[0]) return false
  return true
}
