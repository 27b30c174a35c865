// What is in a Markdown file? The file itself, one section per top-level heading, and the mentions in them.

import type { Env, Token } from 'markdown-it'
import type { Artifact, ParsedDocument } from '../../../model/artifact.ts'
import { boundHeads, warnOfMerged } from '../bound-rows.ts'
import { findLines, lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import { headingTitle, makeSections, type SectionHead } from '../make-sections.ts'
import { fileName, type ParsableFile } from '../parsable-file.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { type Block, type Cut, groupPieces, splitPieces } from '../split-pieces.ts'
import { withLabels } from '../text/marked-text.ts'
import { findMentions, type MentionOptions } from './find-mentions.ts'
import { markMyst } from './find-myst-mentions.ts'
import { endOfModules, readFrontmatter, statusOf, titleOf } from './frontmatter.ts'
import { readHeading } from './heading-text.ts'
import { markdown, mdxTag } from './markdown-parser.ts'
import { scanTag } from './scan-tag.ts'

/** Parses Markdown by its block structure. The texts of the artifacts, joined, are exactly the file's text. */
export function parseMarkdown(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  const { path, language } = file
  const lines = findLines(file.text)
  const { lineCount, values } = readFrontmatter(lines)
  const isMdx = path.endsWith('.mdx')
  const firstLine = isMdx ? endOfModules(lines, lineCount) : lineCount
  const scanned = scanBlocks(lines, { firstLine, isMdx })
  const written = scanned.blocks.flatMap(({ line, heading }): SectionHead[] =>
    heading === null ? [] : [{ line, level: heading.level, ...readHeading(heading.source, scanned.env) }],
  )
  const title = titleOf(values) ?? headingTitle(written)
  const cut = cutLong(written, { lines, ...scanned, title: title ?? fileName(path) })
  const heads = boundHeads(cut, { path, title: title ?? '', starts: lines.starts, chars: file.text.length })
  const blocks = splitParts(scanned.blocks, heads)
  const sections = makeSections(file, lines, heads, {
    kinds: { file: 'markdown_module', section: 'markdown_section' },
    title,
    untitled: fileName(path),
    piecesOf: (start, end, part) =>
      splitPieces(lines, { start, end, blocks: blocks[part]!, cutsOf: scanned.cutsOf }),
  })
  const artifacts = sections.artifacts.map((artifact, part) => ({ ...artifact, ...heads[part - 1]?.part }))
  const holders = artifacts.map(({ id }, part) => [(heads[part - 1]?.line ?? 0) + 1, id] as const)
  const marked = { ...markMyst(lines, { firstLine, codeNames: options.codeNames ?? false }), values }
  const frontmatter = withLabels(marked, holders, file.text.length)
  const facts = { title: sections.title, status: statusOf(values), frontmatter }
  return {
    ...{ path, language, facts, artifacts },
    ...warnOfMerged(cut, heads),
    mentions: findMentions({ ...scanned, lines, firstLine, marked: marked.mentions }, holders, options),
  }
}

/** The start of a part that has no heading of its own; absent for a heading. */
interface PartHead extends SectionHead {
  readonly part?: Pick<Artifact, 'kind' | 'headings'>
}

/** Of its first line, for its id. */
const partNameChars = 40
/** UTF-16 units of a section that is not divided, and of its parts: about 2,000 and 800 tokens. */
const sectionChars = { longest: 7_000, most: 2_800 } as const

/** The heads with those of the parts of long sections: items, rows and paragraphs below the same heading. */
function cutLong(
  heads: readonly SectionHead[],
  text: Pick<ScannedBlocks, 'blocks' | 'cutsOf'> & { readonly lines: TextLines; readonly title: string },
): readonly PartHead[] {
  const { lines, cutsOf, title } = text
  const blocks = splitParts(text.blocks, heads)
  const path: SectionHead[] = []
  return [undefined, ...heads].flatMap((head, part) => {
    while (head !== undefined && (path.at(-1)?.level ?? 0) >= head.level) path.pop()
    if (head !== undefined) path.push(head)
    const [start, end] = [head?.line ?? 0, heads[part]?.line ?? lines.starts.length]
    const own = head === undefined ? [] : [head]
    const written = lines.text.slice(offsetOf(lines, start), offsetOf(lines, end))
    if (written.length <= sectionChars.longest) return own
    if (written.replace(patterns.whitespaceRun, ' ').length <= sectionChars.longest) return own
    const pieces = splitPieces(lines, { start, end, blocks: blocks[part] ?? [], cutsOf })
    const named = { kind: 'markdown_module', headings: path.map(({ name }) => name) } as const
    const level = (head?.level ?? 0) + 1
    const parts = groupPieces(pieces, sectionChars.most).map((line) => {
      const plain = cutText(lineAt(lines, line).trim(), partNameChars)
      return { line, level, name: head?.name ?? title, plain, explicitId: null, part: named }
    })
    return [...own, ...parts]
  })
}

/** The blocks of each part: those before the first heading, then those from each heading on, which may divide a block. */
function splitParts(blocks: readonly MarkdownBlock[], heads: readonly SectionHead[]) {
  const parts: MarkdownBlock[][] = [[]]
  let last = blocks[0]
  for (const block of [...blocks, null]) {
    for (let head = heads[parts.length - 1]; head !== undefined; head = heads[parts.length - 1]) {
      if (block !== null && head.line > block.line) break
      const isInside = last !== undefined && head.line !== block?.line
      parts.push(isInside ? [{ ...(last as MarkdownBlock), line: head.line, heading: null }] : [])
    }
    if (block !== null) parts[parts.length - 1]!.push(block)
    last = block ?? last
  }
  return parts
}

/** A top-level block; `heading` holds its level and source when it is one. */
interface MarkdownBlock extends Block {
  readonly heading: { readonly level: number; readonly source: string } | null
  /** Index of its first token. */
  readonly token: number
}

interface ScannedBlocks {
  readonly blocks: readonly MarkdownBlock[]
  /** Positions where a long list may be cut; other blocks are cut between lines. */
  readonly cutsOf: (block: Block) => readonly Cut[]
  /** Link definitions, for links inside headings. */
  readonly env: Env
  readonly tokens: readonly Token[]
}

/** Scans a text from the given 0-based line on; the lines before it (frontmatter, imports of MDX) form one block. */
function scanBlocks(
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
const isTag = (token: Token | undefined, start: '<' | '</'): boolean =>
  token?.markup === mdxTag && token.content.trimStart().startsWith('</') === (start === '</')

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
