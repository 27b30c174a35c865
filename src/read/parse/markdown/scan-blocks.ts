// Which blocks are at the top level of a Markdown text, and which of them are headings?
import type { Env, Token } from 'markdown-it'
import { offsetOf, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import type { Block, Cut } from '../split-pieces.ts'
import { markdown, mdxTag } from './markdown-parser.ts'
import { scanTag } from './scan-tag.ts'

/** A top-level block; `heading` holds its level and source when it is one. */
export interface MarkdownBlock extends Block {
  readonly heading: { readonly level: number; readonly source: string } | null
  /** Index of its first token. */
  readonly token: number
}

export interface ScannedBlocks {
  readonly blocks: readonly MarkdownBlock[]
  /** Positions where a long list may be cut; other blocks are cut between lines. */
  readonly cutsOf: (block: Block) => readonly Cut[]
  /** Link definitions, for links inside headings. */
  readonly env: Env
  readonly tokens: readonly Token[]
}

/** Scans a text from the given 0-based line on; the lines before it (frontmatter, imports of MDX) form one block. */
export function scanBlocks(
  lines: TextLines,
  { firstLine, isMdx }: { readonly firstLine: number; readonly isMdx: boolean },
): ScannedBlocks {
  const env: Env = { isMdx }
  const tokens: Token[] = []
  markdown.block.parse(sourceFrom(lines, firstLine), markdown, env, tokens)
  const blocks: MarkdownBlock[] = firstLine === 0 ? [] : [{ line: 0, heading: null, token: -1 }]
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.level !== 0 || token.map === null || token.nesting < 0) continue
    const heading =
      token.type === 'heading_open'
        ? { level: token.tag.charCodeAt(1) - 48, source: tokens[index + 1]?.content ?? '' }
        : token.type === 'html_block'
          ? readTagHeading(token.content)
          : null
    const last = blocks.at(-1)
    const opened = tokens[last?.token ?? -1]
    if (heading !== null || last === undefined || (!isTag(token, '</') && !isTag(opened, '<')))
      blocks.push({ line: firstLine + token.map[0], heading, token: index })
    else if (!isTag(token, '</')) blocks[blocks.length - 1] = { ...last, token: index }
  }
  return {
    blocks,
    env,
    tokens,
    cutsOf: (block) => listCuts(tokens, (block as MarkdownBlock).token, firstLine),
  }
}

/** `<h3 id="x">Title</h3>` is a heading; `<h1>` and aligned ones are banners, which repeat on every page of some sites. */
function readTagHeading(content: string): MarkdownBlock['heading'] {
  const start = content.search(patterns.tagHeading)
  const tag = start === -1 ? null : scanTag(content, start)
  if (tag === null || tag.attributes.has('align')) return null
  const end = content.indexOf(`</${tag.name}`, tag.end)
  const text = end === -1 ? '' : content.slice(tag.end, end).replace(patterns.whitespaceRun, ' ').trim()
  const id = tag.attributes.get('id') ?? tag.attributes.get('name')
  if (text === '') return null
  return { level: tag.name.charCodeAt(1) - 48, source: id === undefined ? text : `${text} {#${id}}` }
}

/** Is this a tag of MDX? An opening one belongs to the block after it, a closing one to the block before it. */
function isTag(token: Token | undefined, start: '<' | '</'): boolean {
  return token?.markup === mdxTag && token.content.trimStart().startsWith('</') === (start === '</')
}

/** Normalizes the text like markdown-it's first step, without a byte order mark; lines stay the same. */
function sourceFrom(lines: TextLines, firstLine: number): string {
  const start = offsetOf(lines, firstLine)
  let source = lines.text.slice(start === 0 && lines.text.charCodeAt(0) === 0xfeff ? 1 : start)
  if (source.includes('\r')) source = source.replace(patterns.carriageReturn, '\n')
  if (source.includes('\0')) source = source.replace(patterns.nul, '\ufffd')
  return source
}

/** Start positions of list items and of the blocks inside them, the outermost level first. */
function listCuts(tokens: readonly Token[], first: number, firstLine: number): readonly Cut[] {
  const cuts: Cut[] = []
  const opener = tokens[first]
  if (opener?.type !== 'bullet_list_open' && opener?.type !== 'ordered_list_open') return cuts
  let lastLine = -1
  for (let index = first + 1; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.level === 0) break
    // A table's head stays with its first rows, so only its rows are positions to cut.
    if (token.map === null || token.type === 'thead_open' || token.type === 'tbody_open') continue
    if (token.map[0] <= lastLine) continue
    lastLine = token.map[0]
    cuts.push({ line: firstLine + lastLine, level: token.level })
  }
  return cuts
}
