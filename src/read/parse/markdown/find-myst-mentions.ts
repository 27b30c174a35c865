// What do the directives, roles and labels of MyST refer to and define? Markdown around what reStructuredText also has.

import { countLines, lineAt, lineOf, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { labelKey } from '../text/find-rst-heads.ts'
import { maxParagraphChars, RstScan } from '../text/find-rst-mentions.ts'
import { type MarkedText, unmarked } from '../text/marked-text.ts'
import { findCodeSpans } from './find-code-marks.ts'

/** Every text of MyST has one of these; others cost no more than the search. */
const marks = ['`{', ':{', '~{', '}`', ')=']

/** One pass over the lines from the given one on; nothing for plain Markdown. */
export function markMyst(
  lines: TextLines,
  { firstLine, codeNames }: { readonly firstLine: number; readonly codeNames: boolean },
): Omit<MarkedText, 'values'> {
  const isMyst = marks.some((mark) => lines.text.includes(mark)) && patterns.mystMark.test(lines.text)
  if (!isMyst) return unmarked
  const scan = new RstScan(codeNames)
  const fences: { readonly mark: string; readonly body: 'markdown' | 'rst' | 'directive' }[] = []
  /** Labels that name what follows them, and the lines of a paragraph. */
  let [labels, block]: string[][] = [[], []]
  /** Line of the last `---` that opens the options of a directive, and of its head. */
  let [options, head] = [-1, -1]
  const endBlock = (next: number): void => {
    const content = cutText(block!.join('\n'), maxParagraphChars)
    const starts = countLines(content)
    for (const { at, text } of findCodeSpans(content)) {
      const [, role] = patterns.mystRole.exec(content.slice(Math.max(0, at - 64), at)) ?? []
      if (role !== undefined) scan.markRole(role, text, next - block!.length + lineOf(starts, at))
    }
    block = []
  }
  for (let line = firstLine; line < lines.starts.length; line++) {
    const text = lineAt(lines, line).trimEnd()
    const fence = fences.at(-1)
    const [, mark = '', name, argument = ''] = patterns.mystFence.exec(text) ?? []
    if (fence !== undefined && name === undefined && argument === '' && mark.startsWith(fence.mark)) {
      endBlock(line)
      fences.pop()
      scan.end('body')
    } else if (fence?.body === 'rst') scan.take(text, line)
    else if (fence?.body === 'directive') {
      if (text === '---') options = head === line - 1 ? line : -1
      else if (options === -1) scan.take(`   ${text.trimStart()}`, line)
    } else if (mark !== '' && (name !== undefined || mark[0] !== ':')) {
      endBlock(line)
      ;[options, head] = [-1, line]
      if (name !== 'eval-rst') scan.take(`.. ${name ?? 'code'}:: ${argument}`, line)
      fences.push({ mark, body: name === 'eval-rst' ? 'rst' : scan.end('block') ? 'directive' : 'markdown' })
    } else {
      const label = patterns.mystLabel.exec(text)?.[1]
      if (label !== undefined) labels!.push(labelKey(label))
      else if (text === '') endBlock(line)
      else {
        for (const one of labels!.splice(0)) scan.label(one, line)
        block!.push(text)
      }
    }
  }
  endBlock(lines.starts.length)
  return scan.finish()
}
