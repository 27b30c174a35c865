// Which links does a Markdown text have, and with which words? From the parser's tokens, without images and code.
import type { Env, Token } from 'markdown-it'
import { patterns } from '../patterns.ts'
import { markdown } from './markdown-parser.ts'

export interface MarkdownLink {
  /** The words of the link, one line, without markup. */
  readonly text: string
  /** As the parser returns it: normalised, percent-encoded. */
  readonly target: string
  /** The words of its block; empty if the block has other links. */
  readonly around: string
}

/** The links of a whole document, in the order of the text: `listLinks('[a](b.md)')` has one, to `b.md`. */
export function listLinks(source: string): readonly MarkdownLink[] {
  if (!source.includes('[')) return []
  const env: Env = {}
  const blocks: Token[] = []
  const text = source.replace(patterns.carriageReturn, '\n').replace(patterns.nul, '\ufffd')
  markdown.block.parse(text, markdown, env, blocks)
  return blocks.flatMap((block) => {
    if (block.type !== 'inline' || !block.content.includes('[')) return []
    const tokens: Token[] = []
    markdown.inline.parse(block.content, markdown, env, tokens)
    return linksIn(tokens)
  })
}

function linksIn(tokens: readonly Token[]): MarkdownLink[] {
  const links: Omit<MarkdownLink, 'around'>[] = []
  let around = ''
  let target: string | null = null
  let words = ''
  for (const token of tokens) {
    if (token.type === 'link_open') {
      target = String(token.attrGet('href') ?? '')
      words = ''
    } else if (token.type === 'link_close') {
      if (target !== null) links.push({ text: plain(words), target })
      target = null
    } else {
      words += wordsOf(token)
      around += wordsOf(token)
    }
  }
  const alone = links.length === 1 ? plain(around) : ''
  return links.map((link) => ({ ...link, around: alone }))
}

function wordsOf({ type, content }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' '
  return type === 'text' || type === 'code_inline' || type === 'text_special' ? content : ''
}

function plain(words: string): string {
  return words.replace(patterns.whitespaceRun, ' ').trim()
}
