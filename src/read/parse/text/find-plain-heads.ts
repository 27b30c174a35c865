// Where are the headings of plain text? Underlined, boxed, numbered or marked lines.
import { patterns } from '../patterns.ts'
import { endOfTerms, findClosings, isRun } from './find-asciidoc-heads.ts'
import { type HeadCandidate, makeCandidate, plainMarkup } from './head-candidate.ts'

/** Characters that underline a title in reStructuredText and AsciiDoc. */
const underlines = '=-~^"*+#`:.\'_'

/** Marked headings, or numbered ones if there are none. */
export function findPlainHeads(texts: readonly string[]): HeadCandidate[] {
  const marked = findMarkedHeads(texts)
  return marked.some(({ level }) => level !== null)
    ? marked
    : [...findNumberedHeads(texts), ...marked].sort(byLine)
}

const byLine = (a: HeadCandidate, b: HeadCandidate): number => a.line - b.line

/** Fewer are a list. */
const fewestNumbered = 3

/** `3. Usage` and `3.2 Proxies` as in FAQs and RFCs, each between blank lines; a list has no second numbers. */
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

/** `== Title`, underlined and boxed titles; `term::` and directives are items. */
function findMarkedHeads(texts: readonly string[]): HeadCandidate[] {
  const found: HeadCandidate[] = []
  const styles: string[] = []
  const levelOf = (style: string): number => {
    if (!styles.includes(style)) styles.push(style)
    return styles.indexOf(style) + 1
  }
  const closings = findClosings(texts, (text) => text.length >= 4 && isRule(text))
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

/** A title between two rules of its length, as in reStructuredText; shorter rules delimit an example. */
function isBoxed(texts: readonly string[], line: number): boolean {
  const rule = texts[line]!
  const title = texts[line + 1]?.trim() ?? ''
  const isFree = line === 0 || texts[line - 1] === ''
  const room = rule.length - title.length
  return isFree && texts[line + 2] === rule && room >= 0 && room <= 8 && patterns.titleStart.test(title)
}

/** AsciiDoc allows two characters more or less; a longer rule must be alone, or it delimits an example. */
function isUnderlined(texts: readonly string[], line: number): boolean {
  const title = texts[line]!
  const rule = texts[line + 1] ?? ''
  if (!isRule(rule) || !patterns.word.test(title) || title.startsWith(' ') || title.startsWith('.. '))
    return false
  const room = rule.length - title.length
  return room >= -2 && (room <= 3 || ((texts[line + 2] ?? '') === '' && !title.endsWith(':')))
}

/** Consists of one underline character. */
const isRule = (text: string): boolean => text.length >= 3 && underlines.includes(text[0]!) && isRun(text)
