// What is in a Markdown file? The file itself, one section per top-level heading, and the mentions in them.
import type { ParsedDocument } from '../../../model/artifact.ts'
import { boundHeads, warnOfMerged } from '../bound-rows.ts'
import { findLines } from '../find-lines.ts'
import { headingTitle, makeSections, type SectionHead } from '../make-sections.ts'
import { fileName, type ParsableFile } from '../parsable-file.ts'
import { splitPieces } from '../split-pieces.ts'
import { findMentions, type MentionOptions } from './find-mentions.ts'
import { endOfModules, readFrontmatter, statusOf, titleOf } from './frontmatter.ts'
import { readHeading } from './heading-text.ts'
import { type MarkdownBlock, scanBlocks } from './scan-blocks.ts'

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
  const heads = boundHeads(written, {
    path,
    title: title ?? '',
    starts: lines.starts,
    chars: file.text.length,
  })
  const blocks = splitParts(scanned.blocks, heads)
  const { artifacts, ...sections } = makeSections(file, lines, heads, {
    kinds: { file: 'markdown_module', section: 'markdown_section' },
    title,
    untitled: fileName(path),
    piecesOf: (start, end, part) =>
      splitPieces(lines, { start, end, blocks: blocks[part]!, cutsOf: scanned.cutsOf }),
  })
  const facts = { title: sections.title, status: statusOf(values), frontmatter: values }
  const holders = artifacts.map(({ id }, part) => [(heads[part - 1]?.line ?? 0) + 1, id] as const)
  return {
    ...{ path, language, facts, artifacts },
    ...warnOfMerged(written, heads),
    mentions: findMentions({ ...scanned, lines, firstLine }, holders, options),
  }
}

/** The blocks of each part: those before the first heading, then each heading with what follows it. */
function splitParts(
  blocks: readonly MarkdownBlock[],
  heads: readonly SectionHead[],
): readonly (readonly MarkdownBlock[])[] {
  const parts: MarkdownBlock[][] = [[]]
  for (const block of blocks) {
    if (block.line === heads[parts.length - 1]?.line) parts.push([])
    parts[parts.length - 1]!.push(block)
  }
  return parts
}
