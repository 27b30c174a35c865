// What do the directives, roles and labels of MyST refer to and define? Markdown around what reStructuredText also has.

import { countLines, lineAt, lineOf, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { labelKey } from '../text/find-rst-heads.ts'
import { maxParagraphChars, RstScan } from '../text/find-rst-mentions.ts'
import type { MarkedText } from '../text/marked-text.ts'
import { findCodeSpans } from './find-code-marks.ts'

/** Every text of MyST has one of these; others cost no more than the search. */
const marks = ['`{', ':{', '~{', '}`', ')=']

interface Fence {
  readonly mark: string
  readonly body: 'markdown' | 'rst' | 'directive'
  /** Is the next line the first of its body, or one of the YAML that sets its options? */
  options: 'first' | 'yaml' | null
}

/** One pass over the lines from the given one on; null for plain Markdown. */
export function markMyst(
  lines: TextLines,
  { firstLine, codeNames }: { readonly firstLine: number; readonly codeNames: boolean },
): Omit<MarkedText, 'values'> | null {
  const isMyst = marks.some((mark) => lines.text.includes(mark)) && patterns.mystMark.test(lines.text)
  if (!isMyst) return null
  const scan = new RstScan(codeNames)
  const fences: Fence[] = []
  /** Labels that name what follows them. */
  const labels: string[] = []
  let block: string[] = []
  const endBlock = (next: number): void => {
    const content = cutText(block.join('\n'), maxParagraphChars)
    const starts = countLines(content)
    for (const { at, text } of findCodeSpans(content)) {
      const [, role] = patterns.mystRole.exec(content.slice(Math.max(0, at - 64), at)) ?? []
      if (role !== undefined) scan.markRole(role, text, next - block.length + lineOf(starts, at))
    }
    block = []
  }
  for (let line = firstLine; line < lines.starts.length; line++) {
    const text = lineAt(lines, line).trimEnd()
    const fence = fences.at(-1)
    const [, mark = '', name, argument = ''] = patterns.mystFence.exec(text) ?? []
    const isBare = name === undefined && argument === ''
    if (fence !== undefined && isBare && mark.startsWith(fence.mark)) {
      endBlock(line)
      fences.pop()
      scan.endBody()
    } else if (fence?.body === 'rst') scan.take(text, line)
    else if (fence?.body === 'directive') {
      if (text === '---' && fence.options !== null) fence.options = fence.options === 'first' ? 'yaml' : null
      else if (fence.options !== 'yaml') {
        fence.options = null
        scan.take(`   ${text.trimStart()}`, line)
      }
    } else {
      const label = patterns.mystLabel.exec(text)?.[1]
      if (label !== undefined) labels.push(labelKey(label))
      else if (text !== '') for (const one of labels.splice(0)) scan.label(one, line)
      const opens = mark !== '' && (name !== undefined || mark[0] !== ':')
      if (text !== '' && !opens) block.push(text)
      else endBlock(line)
      if (!opens) continue
      const isRst = name === 'eval-rst'
      if (name !== undefined && !isRst) scan.take(`.. ${name}:: ${argument}`, line)
      else if (!isRst) scan.take('.. code::', line)
      const body = isRst ? 'rst' : scan.isInBody ? 'directive' : 'markdown'
      fences.push({ mark, body, options: 'first' })
      if (body === 'markdown') scan.take('', line)
    }
  }
  endBlock(lines.starts.length)
  for (const one of labels) scan.label(one, lines.starts.length - 1)
  return scan.finish()
}
