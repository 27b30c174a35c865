// Which files did yore write itself? They quote or explain the corpus, and would displace its documents.
import type { SkippedFile } from '../../model/source-file.ts'

/** Stands in every guide that `yore setup` writes, and says that the file may be taken away again. */
export const guideMark = '<!-- Written by `yore setup`, removed by `yore setup --undo`. -->'

/** They show themselves in their first lines. */
const WINDOW = 2000

/** By the first lines of a digest, as `yore assemble --output` writes it in Markdown or JSON. */
export function isDigest(text: string): boolean {
  const start = text.slice(0, WINDOW)
  if (start.startsWith('# Context Digest for: "')) return start.includes('\n**Token Budget:** ')
  return start.startsWith('{\n"schemaVersion":') && start.includes('\n"tokenBudget":')
}

/** The questions of `yore eval`, or what it reported: both hold questions word for word. */
function isEvaluation(text: string): boolean {
  const start = text.slice(0, WINDOW).trimStart()
  if (!start.startsWith('{')) return false
  return (
    (start.includes('"question":') &&
      /"(?:expected_(?:docs|sections|contains)|forbidden_docs)":/.test(start)) ||
    (start.includes('"schemaVersion":') && start.includes('"questionsFile":'))
  )
}

/** Why a text is no part of the corpus; null for a text of anybody else. */
export function findOwnFile(text: string): Omit<SkippedFile, 'path'> | null {
  if (isDigest(text)) return { reason: 'digest', detail: 'a digest that yore wrote' }
  if (text.startsWith('---') && text.slice(0, WINDOW).includes(`\n${guideMark}`))
    return { reason: 'guide', detail: 'a guide for agents that `yore setup` wrote' }
  if (isEvaluation(text)) return { reason: 'evaluation', detail: 'questions or results of `yore eval`' }
  return null
}
