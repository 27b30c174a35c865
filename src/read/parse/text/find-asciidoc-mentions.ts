// What does AsciiDoc refer to, and which labels does it define? Cross-references, links, macros, includes, anchors, header attributes.

import { lineAt, type TextLines } from '../find-lines.ts'
import type { FoundMention } from '../markdown/collect-inline.ts'
import { collectMarkedCode } from '../markdown/find-code-marks.ts'
import { emptyValues } from '../markdown/read-simple-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { findClosings, isTitleRule } from './find-asciidoc-heads.ts'
import type { FoundLabel, MarkedText } from './marked-text.ts'

const maxTextChars = 200
/** Longer lines are cut. */
const maxLineChars = 5_000
const maxTargetChars = 300

/** One pass over the lines outside verbatim blocks. Linear in the text. */
export function markAsciidoc(lines: TextLines, { codeNames }: { readonly codeNames: boolean }): MarkedText {
  const texts = lines.starts.map((_, line) => cutText(lineAt(lines, line), maxLineChars).trimEnd())
  const values = readAttributes(texts)
  const closings = findClosings(texts)
  const mentions: FoundMention[] = []
  const labels: FoundLabel[] = []
  let isLiteral = false
  for (let line = 0; line < texts.length; line++) {
    const text = texts[line]!
    if (patterns.asciidocFence.test(text) && !isTitleRule(texts, line)) {
      // Files are also included into blocks, but not into comments.
      const end = closings.get(line) ?? line
      for (line++; line < end; line++)
        if (texts[line]!.startsWith('include::') && !text.startsWith('//'))
          markMacros(texts[line]!, line, { values, mentions, labels })
      line = end
      continue
    }
    // An indented paragraph is literal unless it is an item of a list.
    const isFirst = line === 0 || texts[line - 1] === ''
    isLiteral = text !== '' && (isFirst ? patterns.asciidocLiteral.test(text) : isLiteral)
    if (isLiteral || text.startsWith('//')) continue
    const label = patterns.anchorLine.exec(text)?.[1]
    if (label !== undefined) labels.push({ name: label, line })
    else if (text.includes('[')) markMacros(text, line, { values, mentions, labels })
    if (text.includes('<<')) markReferences(text, line, mentions)
    if (codeNames && text.includes('`')) collectMarkedCode(text, line, mentions)
  }
  return { mentions, labels, values }
}

/** Attributes of the header: up to the first blank line after the title. */
function readAttributes(texts: readonly string[]): MarkedText['values'] {
  const values = emptyValues()
  let isHeader = false
  for (const text of texts) {
    if (text === '' && isHeader) break
    if (text !== '' && !text.startsWith('//')) isHeader = true
    const [head, name] = patterns.asciidocAttribute.exec(text) ?? []
    if (head === undefined || name === undefined) continue
    const key = name === 'revdate' ? 'date' : name.toLowerCase()
    values[key] ??= cutText(text.slice(head.length).trim(), maxTextChars)
  }
  return values
}

interface Marks {
  readonly values: MarkedText['values']
  readonly mentions: FoundMention[]
  readonly labels: FoundLabel[]
}

/** `name:target[words]` and `[[anchor]]`, found from the bracket. */
function markMacros(written: string, line: number, { values, mentions, labels }: Marks): void {
  const text = patterns.asciidocCondition.exec(written)?.[1] ?? written
  let from = 0
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', from)) {
    const isAnchor = text[at + 1] === '['
    const end = text.indexOf(isAnchor ? ']]' : ']', at + 1)
    const close = end === -1 ? text.length : end
    const inner = text.slice(at + (isAnchor ? 2 : 1), close)
    if (isAnchor) {
      const [name = ''] = inner.split(',', 1)
      if (name !== '' && name.length <= maxTextChars) labels.push({ name, line })
    } else {
      const [name, expanded] = macroBefore(text.slice(Math.max(from, at - maxTargetChars), at), values)
      const isPattern = name === 'include' && expanded.includes('{')
      const target = isPattern ? `glob:${expanded.replace(patterns.asciidocVariable, '*')}` : expanded
      const words = cutText(inner, maxTextChars)
      if (name === 'image') mentions.push({ form: 'image', text: words, target, line })
      else if (name === 'anchor' && target.length <= maxTextChars) labels.push({ name: target, line })
      else if (isLink(name) && target !== '' && !target.includes('{'))
        mentions.push({
          form: 'link',
          text: words === '' || isOwnMacro(name) ? target : words,
          target: asTarget(name, target, words),
          line,
        })
    }
    from = close + (isAnchor ? 2 : 1)
  }
}

/** `{parts}/one.adoc` with the attributes of the header; empty if the result is longer than any path. */
function expandAttributes(written: string, values: MarkedText['values']): string {
  if (!written.includes('{')) return written
  const target = written.replace(patterns.asciidocVariable, (whole, key: string) =>
    typeof values[key] === 'string' ? values[key] : whole,
  )
  return target.length > maxTargetChars ? '' : target
}

/** `linkgit:git-log[1]`: the brackets of a project's own macro need not hold words. */
const isOwnMacro = (name: string): boolean => name.startsWith('link') && name !== 'link'

/** Name pattern of a project's own link macros. */
const isLink = (name: string): boolean =>
  name === 'xref' || name === 'include' || name.startsWith('link') || name === 'http' || name === 'https'

/** A URL keeps its scheme; a reference without a file is a label; `[1]` is the section of a manual page. */
function asTarget(name: string, target: string, words: string): string {
  if (isOwnMacro(name) && patterns.manSection.test(words)) return `man:${target}`
  if (name === 'http' || name === 'https') return `${name}:${target}`
  if (name !== 'xref' || target.includes('.') || target.includes('/')) return target
  return `label:${target.startsWith('#') ? target.slice(1) : target}`
}

/** The name and the target before a bracket; a double colon makes a block macro. */
function macroBefore(before: string, values: MarkedText['values']): readonly [name: string, target: string] {
  let start = before.length
  while (start > 0 && !patterns.notInMacro.test(before[start - 1]!)) start--
  const macro = expandAttributes(before.slice(start), values)
  const colon = macro.indexOf(':')
  if (colon === -1) return ['', '']
  const target = macro.slice(macro[colon + 1] === ':' ? colon + 2 : colon + 1)
  return [macro.slice(0, colon).toLowerCase(), target.replace(patterns.asciidocPass, '$2')]
}

/** `<<anchor>>`, `<<anchor,words>>`, `<<file#anchor>>`. */
function markReferences(text: string, line: number, mentions: FoundMention[]): void {
  for (let at = text.indexOf('<<'); at !== -1; ) {
    const close = text.indexOf('>>', at + 2)
    if (close === -1) return
    const [written = '', words = ''] = text
      .slice(at + 2, Math.min(close, at + 2 + 2 * maxTargetChars))
      .split(',', 2)
    const target = written.trim()
    if (target !== '' && !patterns.notInReference.test(target)) {
      const isFile = target.includes('#') && !target.startsWith('#')
      const label = target.startsWith('#') ? target.slice(1) : target
      mentions.push({
        form: 'link',
        text: cutText(words.trim() === '' ? target : words.trim(), maxTextChars),
        target: isFile ? target : `label:${label}`,
        line,
      })
    }
    at = text.indexOf('<<', close + 2)
  }
}
