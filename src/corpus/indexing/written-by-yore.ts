// Which files did yore write? They quote or explain the corpus, and would displace its documents.
import type { SkippedFile } from '../../model/source-file.ts'

/** Marks every guide that `yore setup` writes. */
export const guideMark = '<!-- Written by `yore setup`, removed by `yore setup --undo`. -->'

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
  if (text.startsWith('---') && text.slice(0, WINDOW).includes(`\n${guideMark}`))
    return { reason: 'guide', detail: 'a guide for agents that `yore setup` wrote' }
  if (isEvaluation(text)) return { reason: 'evaluation', detail: 'questions or results of `yore eval`' }
  return null
}
