// Where are the headings of reStructuredText? Outside blocks at the margin, which are recognised as in docutils.

import { patterns } from '../patterns.ts'
import { isRun } from './find-asciidoc-heads.ts'
import { type HeadCandidate, makeCandidate } from './head-candidate.ts'

/** A shorter rule underlines only a title of at most its length. */
const sureRule = 4

/** Titles with the labels above them, and directives that describe an object as items. Linear in the lines. */
export function findRstHeads(texts: readonly string[]): HeadCandidate[] {
  const found: HeadCandidate[] = []
  const styles: string[] = []
  /** The first label above the next title, and the name of the last. */
  let labels = null as { readonly line: number; readonly name: string } | null
  const addTitle = (line: number, titleLine: number, style: string, bodyLine: number): void => {
    if (!styles.includes(style)) styles.push(style)
    const name = plainRst(texts[titleLine]!)
    const { line: start, name: explicitId } = labels ?? { line, name: null }
    found.push(makeCandidate(start, styles.indexOf(style) + 1, name, { bodyLine, explicitId }))
  }
  for (let line = 0; line < texts.length; ) {
    const text = texts[line]!
    if (text === '' || isIndented(text)) {
      line++
      continue
    }
    // `.. ` or `..` alone; `__ ` is a target without a name.
    if (text === '..' || text === '__' || text.startsWith('.. ') || text.startsWith('__ ')) {
      const label = patterns.rstLabel.exec(text)
      if (label !== null) labels = { line: labels?.line ?? line, name: labelKey(label[1] ?? label[2]!) }
      else if (!text.startsWith('.. index::')) labels = null
      const directive = patterns.directive.exec(text)
      if (directive !== null) found.push(makeCandidate(line, null, plainRst(directive[1]!)))
      line++
      continue
    }
    const rule = ruleOf(text)
    const title = titleAt(texts, line, rule)
    if (title === 'boxed') {
      addTitle(line, line + 1, `${rule} boxed`, line + 3)
      line += 3
    } else if (title === 'underlined') {
      addTitle(line, line, texts[line + 1]![0]!, line + 2)
      line += 2
    } else line = endOfBlock(texts, line, rule)
    labels = null
  }
  return found
}

/** A title as a reader sees it: a role shows its words, without the target. */
const plainRst = (text: string): string =>
  text.replace(patterns.rstRoleText, (_, words: string) => readRstWords(words).text).replaceAll('`', '')

/** The text between backticks: its visible words and its target, which differ only in `words <target>`. */
export function readRstWords(written: string): { readonly text: string; readonly target: string } {
  const open = written.endsWith('>') ? written.lastIndexOf('<') : -1
  if (open > 0) return { text: written.slice(0, open).trim(), target: written.slice(open + 1, -1).trim() }
  if (!written.startsWith('~')) return { text: written.trim(), target: written.trim() }
  const target = written.slice(1).trim()
  return { text: target.slice(target.lastIndexOf('.') + 1), target }
}

/** A label as references write it, ignoring case and spaces. */
export const labelKey = (written: string): string =>
  written.replace(patterns.whitespaceRun, ' ').trim().toLowerCase()

function titleAt(texts: readonly string[], line: number, rule: string): 'boxed' | 'underlined' | null {
  const text = texts[line]!
  const next = texts[line + 1] ?? ''
  if (next === '') return null
  if (rule !== '') {
    const isLongEnough = text.length >= sureRule || next.trim().length <= text.length
    return isLongEnough && ruleOf(next) === '' && texts[line + 2] === text ? 'boxed' : null
  }
  if (ruleOf(next) === '' || (next.length < sureRule && next.length < text.length)) return null
  const isTableTop =
    patterns.rstGridTable.test(text) || (text.includes(' ') && patterns.rstTableBorder.test(text))
  return isTableTop || isListItem(text, next) ? null : 'underlined'
}

/** The line after the block that starts here: a table, the first line of a list item, or a paragraph. */
function endOfBlock(texts: readonly string[], line: number, rule: string): number {
  const text = texts[line]!
  if (patterns.rstGridTable.test(text) || text.startsWith('>>> ')) return nextBlank(texts, line)
  if (patterns.rstTableBorder.test(text) && text.includes(' ')) return endOfTable(texts, line)
  const next = texts[line + 1] ?? ''
  if (rule.length > 0 && text.length >= sureRule) return line + 1
  if (next === '' || isIndented(next)) return afterText(texts, line + 1)
  if (isListItem(text, next)) return line + 1
  let end = line + 1
  while (end < texts.length && texts[end] !== '' && !isIndented(texts[end]!)) end++
  return afterText(texts, end)
}

/** After a paragraph that ends with `::`, a block whose lines all start with a mark is literal. */
function afterText(texts: readonly string[], end: number): number {
  if (!texts[end - 1]!.endsWith('::')) return end
  let next = end
  while (texts[next] === '') next++
  return patterns.rstPunctuation.test(texts[next] ?? '') ? nextBlank(texts, next) : end
}

function nextBlank(texts: readonly string[], line: number): number {
  let end = line + 1
  while (end < texts.length && texts[end] !== '') end++
  return end
}

/** A simple table ends at its second border below the first, or at one with a blank line under it. */
function endOfTable(texts: readonly string[], top: number): number {
  let borders = 0
  for (let line = top + 1; line < texts.length; line++) {
    if (!patterns.rstTableBorder.test(texts[line]!)) continue
    borders++
    if (borders === 2 || (texts[line + 1] ?? '') === '') return line + 1
  }
  return top + 1
}

/** A number starts a list item only if the following text belongs to it; other marks always do. */
function isListItem(text: string, next: string): boolean {
  if (patterns.rstItem.test(text)) return true
  if (!patterns.rstNumbered.test(text)) return isField(text)
  return next === '' || isIndented(next) || patterns.rstNumbered.test(next)
}

/** `:name: value`; a colon before a backtick belongs to a role. */
function isField(text: string): boolean {
  if (text[0] !== ':' || text[1] === ' ' || text[1] === ':') return false
  for (let at = text.indexOf(':', 1); at !== -1; at = text.indexOf(':', at + 1)) {
    const after = text[at + 1]
    if (after === '`') return false
    if (after === undefined || after === ' ') return text[at - 1] !== ' '
  }
  return false
}

const isIndented = (text: string): boolean => text[0] === ' ' || text[0] === '\t'

/** The mark that a line consists of, otherwise ''. */
function ruleOf(text: string): string {
  const mark = text[0] ?? ''
  return patterns.rstPunctuation.test(mark) && isRun(text) ? mark : ''
}
