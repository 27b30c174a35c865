// Which mentions are in a block of HTML? Links, images, shortcodes, and ids in its text; not in comments or code.

import { findIds } from '../find-ids.ts'
import { countLines, type LineCounter, lineOf } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { type Finding, type FoundMention, unescapeAmpersand } from './collect-inline.ts'
import { expandTarget, scanShortcode, shortcodeTarget } from './scan-shortcode.ts'
import { scanTag, type Tag } from './scan-tag.ts'

const maxTextChars = 200
/** Elements without prose. */
const silentTags = new Set(['code', 'pre', 'script', 'style', 'textarea'])

interface HtmlWalk {
  readonly content: string
  readonly finding: Finding
  readonly found: FoundMention[]
  link: { readonly target: string; readonly line: number; words: string } | null
  silent: string | null
  readonly lines: LineCounter
}

/** One pass over the `<` and `{{` of a block. */
export function collectHtml(content: string, finding: Finding, found: FoundMention[]): void {
  if (!canHoldMention(content, finding)) return
  const walk: HtmlWalk = { content, finding, found, link: null, silent: null, lines: countLines(content) }
  let textStart = 0
  let at = 0
  while (at < content.length) {
    const code = content.charCodeAt(at)
    const end =
      code === 60 ? passTag(walk, textStart, at) : code === 123 ? passShortcode(walk, textStart, at) : -1
    if (end === -1) at++
    else {
      at = end
      textStart = end
    }
  }
  addText(walk, textStart, content.length)
  closeLink(walk)
}

function canHoldMention(content: string, { ids }: Finding): boolean {
  return ids !== null || content.includes('{{') || content.includes('=')
}

/** Tags that start or end something; for others only the length matters, and only if ids are searched for. */
function isTelling(content: string, at: number): boolean {
  const code = content.charCodeAt(at + 1)
  const letter = (code === 47 ? content.charCodeAt(at + 2) : code) | 32
  return code === 33 || letter === 97 || letter === 105 || letter === 99 || letter === 112 || letter === 115
}

function passTag(walk: HtmlWalk, textStart: number, at: number): number {
  const { content } = walk
  if (content.startsWith('<!--', at)) {
    addText(walk, textStart, at)
    const close = content.indexOf('-->', at + 4)
    return close === -1 ? content.length : close + 3
  }
  if (walk.finding.ids === null && !isTelling(content, at)) return -1
  const tag = scanTag(content, at)
  if (tag === null) return -1
  addText(walk, textStart, at)
  visitTag(walk, tag, at)
  return tag.end
}

function visitTag(walk: HtmlWalk, tag: Tag, at: number): void {
  const { name, closing, attributes } = tag
  if (silentTags.has(name)) {
    if (!closing) walk.silent ??= name
    else if (walk.silent === name) walk.silent = null
  } else if (walk.silent === 'script' || walk.silent === 'style' || walk.silent === 'textarea') return
  else if (name === 'a') {
    closeLink(walk)
    const href = closing ? undefined : attributes.get('href')
    if (href !== undefined)
      walk.link = { target: expandTarget(unescapeAmpersand(href)), line: lineOf(walk.lines, at), words: '' }
  } else if (name === 'img' && attributes.has('src'))
    walk.found.push({
      form: 'image',
      text: cutText(attributes.get('alt') ?? '', maxTextChars),
      target: attributes.get('src')!,
      line: lineOf(walk.lines, at),
    })
}

function passShortcode(walk: HtmlWalk, textStart: number, at: number): number {
  const code = scanShortcode(walk.content, at)
  if (code === null) return -1
  addText(walk, textStart, at)
  const target = shortcodeTarget(code)
  const text = code.named.get('text') ?? ''
  if (walk.link !== null) walk.link.words += text
  if (target !== null && walk.silent === null)
    walk.found.push({ form: 'link', text: cutText(text, maxTextChars), target, line: lineOf(walk.lines, at) })
  return code.end
}

function addText(walk: HtmlWalk, start: number, end: number): void {
  if (start >= end) return
  const text = walk.content.slice(start, end)
  if (walk.link !== null) {
    if (walk.link.words.length <= 2 * maxTextChars) walk.link.words += text
  } else if (walk.silent === null)
    for (const id of findIds(text, walk.finding.ids))
      walk.found.push({ form: 'id', text: id.text, target: id.text, line: lineOf(walk.lines, start + id.at) })
}

function closeLink(walk: HtmlWalk): void {
  if (walk.link === null) return
  const { target, line, words } = walk.link
  walk.link = null
  const text = cutText(words.replace(patterns.whitespaceRun, ' ').trim(), maxTextChars)
  walk.found.push({ form: 'link', text, target, line })
}
