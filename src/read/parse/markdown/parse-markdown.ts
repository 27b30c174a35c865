// What is in a Markdown file? The file itself, one section per top-level heading, and the mentions in them.
import type { Artifact, ParsedDocument } from '../../../model/artifact.ts'
import { boundHeads, warnOfMerged } from '../bound-rows.ts'
import { findLines, lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import { headingTitle, makeSections, type SectionHead } from '../make-sections.ts'
import { fileName, type ParsableFile } from '../parsable-file.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { groupPieces, splitPieces } from '../split-pieces.ts'
import { findMentions, type MentionOptions } from './find-mentions.ts'
import { endOfModules, readFrontmatter, statusOf, titleOf } from './frontmatter.ts'
import { readHeading } from './heading-text.ts'
import { type MarkdownBlock, type ScannedBlocks, scanBlocks } from './scan-blocks.ts'

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
  const facts = { title: sections.title, status: statusOf(values), frontmatter: values }
  const holders = artifacts.map(({ id }, part) => [(heads[part - 1]?.line ?? 0) + 1, id] as const)
  return {
    ...{ path, language, facts, artifacts },
    ...warnOfMerged(cut, heads),
    mentions: findMentions({ ...scanned, lines, firstLine }, holders, options),
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
