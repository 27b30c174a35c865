// What is in an Org file? Headings by stars, links, properties with ids, and keywords with metadata.

import { lineAt, type TextLines } from '../find-lines.ts'
import type { FoundMention } from '../markdown/collect-inline.ts'
import { mayNameCode } from '../markdown/find-code-marks.ts'
import { emptyValues } from '../markdown/read-simple-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { type HeadCandidate, makeCandidate } from './head-candidate.ts'
import type { FoundLabel, MarkedText } from './marked-text.ts'

const maxTextChars = 200
const maxLineChars = 5_000
/** A custom id is in the drawer directly below its heading. */
const maxDrawerLines = 12

/** `** TODO [#A] Title :tag:`, without its marks. Stars also count in blocks, as in Org itself. */
export function findOrgHeads(texts: readonly string[]): HeadCandidate[] {
  return texts.flatMap((text, line) => {
    const [, stars = '', written = ''] = patterns.orgHead.exec(text) ?? []
    if (stars === '') return []
    const name = written.replace(patterns.orgState, '').replace(patterns.orgTags, '')
    return [makeCandidate(line, stars.length, plainOrg(name), { explicitId: customId(texts, line) })]
  })
}

function customId(texts: readonly string[], head: number): string | null {
  for (let line = head + 1; line < Math.min(texts.length, head + maxDrawerLines); line++) {
    const text = texts[line]!.trim()
    if (text === ':END:' || text.startsWith('* ')) return null
    const [, key = '', value = ''] = patterns.orgProperty.exec(text) ?? []
    if (key.toUpperCase() === 'CUSTOM_ID') return value
  }
  return null
}

/** A link shows its words. */
function plainOrg(text: string): string {
  return text.replace(patterns.orgLink, (_, target: string, words?: string) => words ?? target)
}

/** One pass over the lines outside code blocks. Linear in the text. */
export function markOrg(lines: TextLines, { codeNames }: { readonly codeNames: boolean }): MarkedText {
  const values = emptyValues()
  const mentions: FoundMention[] = []
  const labels: FoundLabel[] = []
  let isLiteral = false
  for (let line = 0; line < lines.starts.length; line++) {
    const text = cutText(lineAt(lines, line), maxLineChars).trim()
    const [, block = '', kind = ''] = patterns.orgBlock.exec(text) ?? []
    if (block !== '') isLiteral = block.toLowerCase() === 'begin' && patterns.orgLiteral.test(kind)
    if (isLiteral) continue
    const [, keyword = '', value = ''] = patterns.orgKeyword.exec(text) ?? []
    const [, property = '', id = ''] = patterns.orgProperty.exec(text) ?? []
    if (keyword.toLowerCase() === 'include') {
      const target = value.split('"')[1] ?? value.split(' ', 1)[0]!
      if (target !== '') mentions.push({ form: 'link', text: target, target, line })
    } else if (keyword !== '' && patterns.frontmatterKey.test(keyword))
      values[keyword.toLowerCase()] ??= cutText(value.trim(), maxTextChars)
    else if (property.toUpperCase() === 'ID' || property.toUpperCase() === 'CUSTOM_ID')
      labels.push({ name: id, line })
    if (text.includes('[['))
      for (const [, target = '', words = target] of text.matchAll(patterns.orgLink))
        addLink(target, { text: cutText(words, maxTextChars), line }, mentions)
    if (codeNames)
      for (const [, marked = ''] of text.matchAll(patterns.orgCode))
        if (mayNameCode(marked)) mentions.push({ form: 'code', text: marked, target: marked, line })
  }
  return { mentions, labels, values: withoutTitleMarks(values) }
}

function addLink(target: string, at: { text: string; line: number }, mentions: FoundMention[]): void {
  const path = target.startsWith('file:') ? target.slice('file:'.length) : target
  // `file.org::*Heading` and `file.org::#id` name a position in the file.
  const [file = '', place = ''] = path.split('::', 2)
  if (patterns.orgImage.test(file)) mentions.push({ form: 'image', ...at, target: file })
  else if (target.startsWith('#') || target.startsWith('id:'))
    mentions.push({ form: 'link', ...at, target: `label:${target.slice(target.startsWith('#') ? 1 : 3)}` })
  else if (place !== '')
    mentions.push({ form: 'link', ...at, target: `${file}#${place.replace(patterns.orgPlaceMark, '')}` })
  else if (patterns.orgTarget.test(path)) mentions.push({ form: 'link', ...at, target: path })
}

/** A date may be in brackets: `<2024-01-02 Tue>`. */
function withoutTitleMarks(values: Record<string, unknown>): MarkedText['values'] {
  const { date } = values
  if (typeof date === 'string') values['date'] = patterns.orgDate.exec(date)?.[0] ?? date
  return values
}
