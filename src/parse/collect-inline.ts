// Which mentions stand in one paragraph, heading or table cell? Read off its inline tokens, with the line of each.
import type { Env } from 'markdown-it'
import type { MentionForm } from '../model/reference.ts'
import { findIds } from './find-ids.ts'
import { readHeading } from './heading-text.ts'
import { type InlineToken, parseInline } from './inline-parser.ts'
import { patterns } from './patterns.ts'
import { expandTarget } from './scan-shortcode.ts'
import { scanTag } from './scan-tag.ts'
import { cutText } from './slug.ts'

/** A mention before it is known whose text holds it. */
export interface Found {
  readonly form: MentionForm
  readonly text: string
  readonly target: string
  /** Lines below the first of the block. */
  readonly line: number
}

export interface Finding {
  readonly env: Env
  readonly wikiLinks: boolean
  /** Lower-case prefixes of decision ids. */
  readonly prefixes: ReadonlySet<string>
}

const maxTextChars = 200

/** Finds links, images and ids in a block's inline content. */
export function collectInline(content: string, finding: Finding, found: Found[]): void {
  if (canHoldLink(content, finding)) new InlineWalk(content, finding, found).run()
  else if (content.includes('`') && findIds(content, finding.prefixes).length > 0)
    new InlineWalk(content, finding, found).run()
  else collectIds(content, finding.prefixes, found)
}

/** Nothing else starts a link; a paragraph without these is not parsed. */
function canHoldLink(content: string, { env, wikiLinks }: Finding): boolean {
  if (content.includes('[')) {
    if (wikiLinks || env.references !== undefined || content.includes('](')) return true
  }
  return content.includes('<') || content.includes('{{')
}

/** Ids in text without markup. */
export function collectIds(text: string, prefixes: ReadonlySet<string>, found: Found[]): void {
  let line = 0
  let from = 0
  for (const id of findIds(text, prefixes)) {
    for (let at = text.indexOf('\n', from); at !== -1 && at < id.at; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    found.push({ form: 'id', text: id.text, target: id.text, line })
  }
}

interface OpenLink {
  readonly target: string
  readonly line: number
  readonly html: boolean
  words: string
}

/** One pass over the tokens; holds the link whose words are being read. */
class InlineWalk {
  readonly content: string
  readonly finding: Finding
  readonly found: Found[]
  link: OpenLink | null = null
  codeDepth = 0
  line = 0
  from = 0

  constructor(content: string, finding: Finding, found: Found[]) {
    this.content = content
    this.finding = finding
    this.found = found
  }

  run(): void {
    for (const token of parseInline(this.content, this.finding.env)) this.visit(token)
    this.closeLink()
  }

  visit(token: InlineToken): void {
    switch (token.type) {
      case 'text':
        return this.addText(token)
      case 'text_special':
      case 'code_inline':
        return this.addWords(token.content)
      case 'softbreak':
      case 'hardbreak':
        return this.addWords(' ')
      case 'link_open':
        return this.openLink(attribute(token, 'href'), token.at, false)
      case 'link_close':
        return this.closeLink()
      case 'image':
        return this.addImage(attribute(token, 'src'), token)
      case 'wiki_link':
        return this.add('wiki', token.content, attribute(token, 'href'), this.lineOf(token.at))
      case 'shortcode':
        this.addWords(token.content)
        return this.add('link', token.content, attribute(token, 'href'), this.lineOf(token.at))
      case 'html_inline':
        return this.visitTag(token)
    }
  }

  visitTag(token: InlineToken): void {
    const tag = scanTag(token.content, 0)
    if (tag === null) return
    if (tag.name === 'code' || tag.name === 'pre') this.codeDepth = Math.max(0, this.codeDepth + (tag.closing ? -1 : 1))
    else if (tag.name === 'a' && tag.closing) this.closeLink()
    else if (tag.name === 'a' && tag.attributes.has('href'))
      this.openLink(unescapeAmpersand(tag.attributes.get('href')!), token.at, true)
    else if (tag.name === 'img' && tag.attributes.has('src'))
      this.add('image', tag.attributes.get('alt') ?? '', tag.attributes.get('src')!, this.lineOf(token.at))
  }

  openLink(target: string, at: number, html: boolean): void {
    if (html) this.closeLink()
    // A Markdown link inside <a> would be two links in one place; the outer one ends where the inner starts.
    else if (this.link !== null) this.closeLink()
    this.link = { target: expandTarget(target), line: this.lineOf(at), html, words: '' }
  }

  closeLink(): void {
    if (this.link === null) return
    const { target, line, words } = this.link
    this.link = null
    this.add('link', plainWords(words), target, line)
    for (const id of findIds(words, this.finding.prefixes))
      if (!namesNumber(target, id.text)) this.add('id', id.text, id.text, line)
  }

  addImage(target: string, token: InlineToken): void {
    this.addWords(token.content)
    this.add('image', plainWords(token.content), target, this.lineOf(token.at))
  }

  addText(token: InlineToken): void {
    if (this.link !== null) return this.addWords(token.content)
    if (this.codeDepth > 0) return
    const ids = findIds(token.content, this.finding.prefixes)
    if (ids.length === 0) return
    const line = this.lineOf(token.at)
    for (const id of ids) this.add('id', id.text, id.text, line)
  }

  addWords(words: string): void {
    if (this.link !== null && this.link.words.length < maxTextChars * 2) this.link.words += words
  }

  add(form: MentionForm, text: string, target: string, line: number): void {
    this.found.push({ form, text: cutText(text, maxTextChars), target, line })
  }

  /** Tokens come in the order of the text, so lines are counted once. */
  lineOf(offset: number): number {
    for (let at = this.content.indexOf('\n', this.from); at !== -1 && at < offset; ) {
      this.line++
      this.from = at + 1
      at = this.content.indexOf('\n', this.from)
    }
    return this.line
  }
}

function attribute(token: InlineToken, name: string): string {
  return token.attrs?.find(([key]) => key === name)?.[1] ?? ''
}

function plainWords(words: string): string {
  const text = words.includes('*') || words.includes('_') || words.includes('~') ? readHeading(words, {}).name : words
  return text.replace(patterns.whitespaceRun, ' ').trim()
}

/** The one character reference that targets need: `a?x=1&amp;y=2`. */
export function unescapeAmpersand(target: string): string {
  return target.includes('&') ? target.replaceAll('&amp;', '&') : target
}

/** Does a target's path hold the number of an id? Then a link whose words are that id says it already. */
function namesNumber(target: string, id: string): boolean {
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
