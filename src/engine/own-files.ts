// Which files did yore write itself? They quote or explain the corpus, and would displace its documents.
import type { SkippedFile } from '../model/source-file.ts'
import { isDigest } from './is-digest.ts'

/** Stands in every guide that `yore setup` writes, and says that the file may be taken away again. */
export const guideMark = '<!-- Written by `yore setup`, removed by `yore setup --undo`. -->'

/** It shows itself in its first lines. */
const WINDOW = 2000

/** Why a text is no part of the corpus; null for a text of anybody else. */
export function findOwnFile(text: string): Omit<SkippedFile, 'path'> | null {
  if (isDigest(text)) return { reason: 'digest', detail: 'a digest that yore wrote' }
  if (text.startsWith('---') && text.slice(0, WINDOW).includes(`\n${guideMark}`))
    return { reason: 'guide', detail: 'a guide for agents that `yore setup` wrote' }
  return null
}
