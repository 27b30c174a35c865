// Which files did yore write? They quote or explain the corpus, and would displace its documents.
import type { SkippedFile } from '../../model/source-file.ts'

/** Marks every guide that `yore setup` writes. */
export const guideMark = '<!-- Written by `yore setup`, removed by `yore setup --undo`. -->'

/** The block for agents in AGENTS.md or CLAUDE.md. */
export const blockMarks: BlockMarks = {
  begin: '<!-- yore:begin',
  rest: ' (by `yore setup`, removed by `yore setup --undo`) -->',
  end: '<!-- yore:end -->',
}

export interface BlockMarks {
  /** Start of the first line, and the rest of it. */
  readonly begin: string
  readonly rest: string
  /** Start of the last line. */
  readonly end: string
}

/** Offsets of the block with its marks; null without one. Each mark starts a line: a file name may hold one. */
export function findBlock(
  text: string,
  { begin, end }: BlockMarks = blockMarks,
): { readonly start: number; readonly end: number } | null {
  const start = text.indexOf(begin)
  const last = start === -1 ? -1 : text.indexOf(`\n${end}`, start)
  if (last === -1 || (start > 0 && text[start - 1] !== '\n')) return null
  return { start, end: last + 1 + end.length }
}

/** The text with empty lines instead of the block, so that later lines keep their numbers. */
export function blankBlock(text: string): string {
  const block = findBlock(text)
  if (block === null) return text
  const { start, end } = block
  return text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]+/g, '') + text.slice(end)
}

/** Characters to examine. */
const WINDOW = 2000

/** Recognised by the first lines of a digest, as `yore assemble --output` writes it in Markdown or JSON. */
export function isDigest(text: string): boolean {
  const start = text.slice(0, WINDOW)
  if (start.startsWith('# Context Digest for: "')) return start.includes('\n**Token Budget:** ')
  return start.startsWith('{\n"schemaVersion":') && start.includes('\n"tokenBudget":')
}

/** Questions of `yore eval`, or its results: both contain questions word for word. */
function isEvaluation(text: string): boolean {
  const start = text.slice(0, WINDOW).trimStart()
  if (!start.startsWith('{')) return false
  return (
    (start.includes('"question":') &&
      /"(?:expected_(?:docs|sections|contains)|forbidden_docs)":/.test(start)) ||
    (start.includes('"schemaVersion":') && start.includes('"questionsFile":'))
  )
}

/** Why a text is not part of the corpus; null for other texts. */
export function findOwnFile(text: string): Omit<SkippedFile, 'path'> | null {
  if (isDigest(text)) return { reason: 'digest', detail: 'a digest that yore wrote' }
  const isBlock = findBlock(text) !== null && blankBlock(text).trim() === ''
  if (isBlock || (text.startsWith('---') && text.slice(0, WINDOW).includes(`\n${guideMark}`)))
    return { reason: 'guide', detail: 'a guide for agents that `yore setup` wrote' }
  if (isEvaluation(text)) return { reason: 'evaluation', detail: 'questions or results of `yore eval`' }
  return null
}
