// Where are the headings of AsciiDoc? Marked or underlined lines at the start of a block, outside delimited blocks, as in Asciidoctor.

import { patterns } from '../patterns.ts'
import { type HeadCandidate, makeCandidate, plainMarkup } from './head-candidate.ts'

/** The level of each underline character. */
const underlines = '=-~^+'
const delimiters = '-.=*_+/'

/** Titles with the anchors above them; described terms are items. Linear in the lines. */
export function findAsciidocHeads(texts: readonly string[]): HeadCandidate[] {
  const found: HeadCandidate[] = []
  const closings = findClosings(texts)
  /** Does a block start here? */
  let isFree = true
  /** The first attribute line of the next block, and its anchor. */
  let above = null as { readonly line: number; readonly anchor: string | null } | null
  for (let line = 0; line < texts.length; line++) {
    const text = texts[line]!
    if (text === '') {
      isFree = true
      above = null
      continue
    }
    const anchor = patterns.anchorLine.exec(text)?.[1] ?? null
    if (anchor !== null || (isFree && patterns.asciidocStyle.test(text))) {
      above = { line: above?.line ?? line, anchor: anchor ?? above?.anchor ?? null }
      isFree = true
      continue
    }
    const { line: start, anchor: explicitId } = above ?? { line, anchor: null }
    above = null
    const marked = isFree ? patterns.asciidocTitle.exec(text) : null
    if (marked !== null && patterns.word.test(marked[2]!)) {
      const level = marked[1]!.length
      const name = plainAsciidoc(marked[2]!.replace(patterns.trailingMarks, ''))
      const before = found.at(-1)
      // A title over several lines repeats its marks on each.
      const goesOn = before?.level === level && before.bodyLine === line && start === line
      if (goesOn) found.pop()
      found.push(
        goesOn
          ? makeCandidate(before.line, level, `${before.name} ${name}`, { ...before, bodyLine: line + 1 })
          : makeCandidate(start, level, name, { bodyLine: line + 1, explicitId }),
      )
    } else if (isFree && isUnderlined(text, texts[line + 1] ?? '')) {
      const level = underlines.indexOf(texts[line + 1]![0]!) + 1
      found.push(makeCandidate(start, level, plainAsciidoc(text), { bodyLine: line + 2, explicitId }))
      line++
    } else if (isDelimiter(text)) {
      line = closings.get(line) ?? line
      isFree = true
    } else if (text.endsWith('::')) {
      const end = endOfTerms(texts, line)
      const terms = texts.slice(line, end).map((term) => term.slice(0, -2))
      const name = plainAsciidoc(terms.join(', '))
      if (isFree && patterns.word.test(name))
        found.push(makeCandidate(start, null, name, { bodyLine: end, explicitId }))
      line = end - 1
      isFree = false
    } else isFree = isAside(text)
  }
  return found
}

/** Without the markup around words: `<<x,words>>`, `link:x[words]` and backticks. */
const plainAsciidoc = (text: string): string => plainMarkup(text.replace(patterns.anchorInLine, ''))

/** A comment, an attribute, a condition or an include: the next line starts a block. */
const isAside = (text: string): boolean =>
  text.startsWith('//') || patterns.asciidocDirective.test(text) || patterns.asciidocAttribute.test(text)

/** Of the title's length, or one more or less. */
function isUnderlined(title: string, rule: string): boolean {
  if (!underlines.includes(rule[0] ?? ' ') || Math.abs(title.length - rule.length) > 1) return false
  return isRun(rule) && title[0] !== '.' && patterns.word.test(title)
}

/** `----`, `....`, `====`, `|===`, `--`, three backticks: delimiters of an example, a quotation or a table. */
export function isDelimiter(text: string): boolean {
  if (text === '--' || text === '|===' || text === '```') return true
  return text.length >= 4 && delimiters.includes(text[0]!) && isRun(text)
}

/** Several terms may be above one description. */
export function endOfTerms(texts: readonly string[], line: number): number {
  let end = line + 1
  while (texts[end]?.endsWith('::') === true) end++
  return end
}

/** Is every character the same? */
export function isRun(text: string): boolean {
  for (let at = 1; at < text.length; at++) if (text[at] !== text[0]) return false
  return true
}

/** Is this the rule below a title that starts a block? `----` below `NAME` is not a delimiter. */
export function isTitleRule(texts: readonly string[], line: number): boolean {
  const [before = '', above = ''] = [texts[line - 2], texts[line - 1]]
  const startsBlock = before === '' || isAside(before) || patterns.anchorLine.test(before)
  return startsBlock && isUnderlined(above, texts[line] ?? '')
}

/** For each line that may open a block, the next that is the same: its end. */
export function findClosings(
  texts: readonly string[],
  opens: (text: string) => boolean = isDelimiter,
): ReadonlyMap<number, number> {
  const closings = new Map<number, number>()
  const later = new Map<string, number>()
  for (let line = texts.length - 1; line >= 0; line--) {
    const text = texts[line]!
    if (!opens(text)) continue
    const next = later.get(text)
    if (next !== undefined) closings.set(line, next)
    later.set(text, line)
  }
  return closings
}
