// Which mentions are in one paragraph, heading, table cell or block of HTML? From its inline tokens, with the line of each.
import type { Env } from 'markdown-it'
import type { Mention, MentionForm } from '../../../model/reference.ts'
import { findIds, type IdSearch } from '../find-ids.ts'
import { countLines, type LineCounter, lineOf } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { readHeading } from './heading-text.ts'
import { type InlineToken, parseInline } from './inline-parser.ts'
import { expandTarget } from './scan-shortcode.ts'
import { scanTag } from './scan-tag.ts'

/** A mention whose artifact is not yet known; its line counts from the first of the block, 0. */
export type FoundMention = Omit<Mention, 'origin'>

export interface Finding {
  readonly env: Env
  readonly wikiLinks: boolean
  /** Null when the document holds no decision id. */
  readonly ids: IdSearch
}

const maxTextChars = 200
/** Longer paragraphs are cut before links are searched: their tokens take a hundred times their size. */
const maxParagraphChars = 100_000

/** Finds links, images and ids in a block's inline content, or in a block of HTML. */
export function collectInline(written: string, finding: Finding, found: FoundMention[]): void {
  const content = cutText(written, maxParagraphChars)
  if (canHoldLink(content, finding)) walkTokens(content, finding, found)
  else if (finding.ids === null) return
  else if (hasMarkup(content) && findIds(content, finding.ids).length > 0) walkTokens(content, finding, found)
  else collectIds(content, finding.ids, found)
}

/** Characters that every link contains; a paragraph without them is not parsed. An HTML link has `=`, an autolink `:` or `@`. */
function canHoldLink(content: string, { env, wikiLinks }: Finding): boolean {
  if (content.includes('['))
    if (wikiLinks || env.references !== undefined || content.includes('](')) return true

  if (!content.includes('<') && !content.includes('{{')) return false
  return content.includes('=') || content.includes(':') || content.includes('@') || content.includes('ref')
}

/** Code and tags, also in shortcodes, where ids do not count. */
const hasMarkup = (content: string): boolean =>
  content.includes('`') || content.includes('<') || content.includes('{{')

/** Ids in text without markup. */
export function collectIds(text: string, search: IdSearch, found: FoundMention[]): void {
  const lines = countLines(text)
  for (const id of findIds(text, search))
    found.push({ form: 'id', text: id.text, target: id.text, line: lineOf(lines, id.at) })
}

interface OpenLink {
  readonly target: string
  readonly line: number
  words: string
  /** The words outside code, where ids count. */
  plain: string
}

/** One pass over the tokens of a block. */
interface InlineWalk {
  readonly finding: Finding
  readonly found: FoundMention[]
  /** The link whose words are being read. */
  link: OpenLink | null
  codeDepth: number
  readonly lines: LineCounter
}

function walkTokens(content: string, finding: Finding, found: FoundMention[]): void {
  const walk: InlineWalk = { finding, found, link: null, codeDepth: 0, lines: countLines(content) }
  for (const token of parseInline(content, finding.env)) visitors[token.type]?.(walk, token)
  closeLink(walk)
}

/** The effect of each token type on the walk; other types have no words. */
const visitors: Readonly<Record<string, (walk: InlineWalk, token: InlineToken) => void>> = {
  text: addText,
  text_special: (walk, token) => addWords(walk, token.content),
  code_inline: (walk, token) => addWords(walk, token.content),
  softbreak: (walk) => addWords(walk, ' ', true),
  hardbreak: (walk) => addWords(walk, ' ', true),
  link_open: (walk, token) => {
    // `[^1]` is a footnote, although `[^1]: word` looks like a link definition.
    if (token.meta?.label?.startsWith('^') !== true) openLink(walk, attribute(token, 'href'), token.at)
  },
  link_close: closeLink,
  html_inline: visitTag,
  wiki_link: (walk, token) => add(walk, 'wiki', token.content, token),
  image: (walk, token) => {
    addWords(walk, token.content)
    add(walk, 'image', plainWords(token.content), token)
  },
  shortcode: (walk, token) => {
    addWords(walk, token.content)
    add(walk, 'link', token.content, token)
  },
}

function visitTag(walk: InlineWalk, token: InlineToken): void {
  const tag = scanTag(token.content, 0)
  if (tag === null) return
  const { name, closing, attributes } = tag
  if (name === 'code' || name === 'pre') walk.codeDepth = Math.max(0, walk.codeDepth + (closing ? -1 : 1))
  else if (name === 'a' && closing) closeLink(walk)
  else if (name === 'a' && attributes.has('href'))
    // The only character reference that targets need: `a?x=1&amp;y=2`.
    openLink(walk, attributes.get('href')!.replaceAll('&amp;', '&'), token.at)
  else if (name === 'img' && attributes.has('src'))
    push(walk, 'image', attributes.get('alt') ?? '', attributes.get('src')!, lineOf(walk.lines, token.at))
}

/** A link inside `<a>` would be two at one position: the outer one ends where the inner starts. */
function openLink(walk: InlineWalk, target: string, at: number): void {
  closeLink(walk)
  walk.link = { target: expandTarget(target), line: lineOf(walk.lines, at), words: '', plain: '' }
}

function closeLink(walk: InlineWalk): void {
  if (walk.link === null) return
  const { target, line, words, plain } = walk.link
  walk.link = null
  push(walk, 'link', plainWords(words), target, line)
  for (const id of findIds(plain, walk.finding.ids))
    if (!namesNumber(target, id.text)) push(walk, 'id', id.text, id.text, line)
}

function addText(walk: InlineWalk, token: InlineToken): void {
  if (walk.link !== null) addWords(walk, token.content, walk.codeDepth === 0)
  else if (walk.codeDepth === 0)
    for (const id of findIds(token.content, walk.finding.ids))
      push(walk, 'id', id.text, id.text, lineOf(walk.lines, token.at))
}

function addWords({ link }: InlineWalk, words: string, plain = false): void {
  if (link === null || link.words.length > 2 * maxTextChars) return
  link.words += words
  link.plain += plain ? words : ' '
}

/** Adds a mention whose target is the token's own attribute. */
function add(walk: InlineWalk, form: MentionForm, text: string, token: InlineToken): void {
  push(walk, form, text, attribute(token, form === 'image' ? 'src' : 'href'), lineOf(walk.lines, token.at))
}

function push(walk: InlineWalk, form: MentionForm, text: string, target: string, line: number): void {
  walk.found.push({ form, text: cutText(text, maxTextChars), target, line })
}

const attribute = (token: InlineToken, name: string): string =>
  token.attrs?.find(([key]) => key === name)?.[1] ?? ''

function plainWords(words: string): string {
  const text =
    words.includes('*') || words.includes('_') || words.includes('~') ? readHeading(words, {}).name : words
  return text.replace(patterns.whitespaceRun, ' ').trim()
}

/** Does a target inside the corpus contain the number of an id? Then a link whose words are that id repeats it. */
function namesNumber(target: string, id: string): boolean {
  if (target.includes('://')) return false
  let start = id.length
  while (id.charCodeAt(start - 1) >= 48 && id.charCodeAt(start - 1) <= 57) start--
  const number = Number(id.slice(start))
  let digits = ''
  for (let at = 0; at <= target.length; at++) {
    const code = target.charCodeAt(at)
    if (code >= 48 && code <= 57) digits += target[at]
    else if (digits !== '') {
      if (Number(digits) === number) return true
      digits = ''
    }
  }
  return false
}
