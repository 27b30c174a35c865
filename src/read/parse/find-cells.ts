// What does a notebook define? Code blocks in which a grammar finds a definition, each an artifact of that name.
import type { Artifact } from '../../model/artifact.ts'
import type { Language } from '../../model/source-file.ts'
import { shapeOfKind } from './artifact-kinds.ts'
import { type FindTool, parseCode } from './code/parse-code.ts'
import type { SectionHead } from './make-sections.ts'
import type { MarkdownBlock, ScannedBlocks } from './markdown/scan-blocks.ts'
import type { ParsableFile } from './parsable-file.ts'
import { patterns } from './patterns.ts'

/** A section start that is not a heading: a block that defines something, or the text after it. */
export interface CellHead extends SectionHead {
  /** The kind and metadata of the artifact; absent for a heading. */
  readonly cell?: Pick<Artifact, 'kind' | 'language' | 'headings' | 'metadata'>
}

export function isNotebook(path: string): boolean {
  return patterns.notebookFile.test(path)
}

/** The languages of the code blocks in a notebook's text. */
export function cellLanguages(text: string): Language[] {
  return [...new Set([...text.matchAll(patterns.cellFence)].map(([, name]) => name as Language))]
}

const defining: ReadonlySet<string> = new Set(['class', 'function', 'type'])

/** The first definition that a grammar finds in a code block; null if there is none. */
function findDefinition(
  block: MarkdownBlock,
  { tokens }: ScannedBlocks,
  { path, toolFor }: { readonly path: string; readonly toolFor: FindTool },
): Artifact | null {
  const token = tokens[block.token]
  if (token?.type !== 'fence' || patterns.foreignCell.test(token.content)) return null
  const file: ParsableFile = {
    path,
    language: token.info as Language,
    text: token.content.replace(patterns.cellMagic, '#'),
  }
  const tool = toolFor(file)
  if (tool === null) return null
  try {
    const { artifacts } = parseCode(file, tool)
    return artifacts.find(({ kind, level }) => level === 1 && defining.has(shapeOfKind(kind))) ?? null
  } catch {
    return null
  }
}

/** Parses the code blocks of a notebook and returns its section starts: headings, and below them definitions and the text after them. */
export function findCells(
  scanned: ScannedBlocks,
  headings: readonly SectionHead[],
  source: { readonly path: string; readonly title: string; readonly toolFor: FindTool },
): readonly CellHead[] {
  const byLine = new Map(headings.map((head) => [head.line, head]))
  const heads: CellHead[] = []
  const path: SectionHead[] = []
  let isBehind = false
  for (const block of scanned.blocks) {
    const { line } = block
    const heading = byLine.get(line)
    if (heading !== undefined) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
      path.push(heading)
      heads.push(heading)
      isBehind = false
      continue
    }
    const level = (path.at(-1)?.level ?? 0) + 1
    const defined = findDefinition(block, scanned, source)
    if (defined !== null) {
      const { name, kind, language, headings, metadata } = defined
      heads.push({
        ...{ line, level, name, plain: name, explicitId: null },
        cell: { kind, language, headings, ...(metadata === undefined ? {} : { metadata }) },
      })
    } else if (isBehind) {
      const name = path.at(-1)?.name ?? source.title
      const above = path.length === 0 ? [name] : path.map((head) => head.name)
      heads.push({
        ...{ line, level, name, plain: name, explicitId: null },
        cell: { kind: 'markdown_module', language: 'markdown', headings: above },
      })
    }
    isBehind = defined !== null
  }
  return heads
}
