// Why was nothing indexed? There is no index to ask afterwards, so the error itself says what was seen.
import { YoreError } from '../errors.ts'
import type { SkippedFile } from '../model/source-file.ts'

interface LeftOut {
  readonly skipped: readonly SkippedFile[]
  readonly ignored: number
  readonly unsupported: Readonly<Record<string, number>>
}

const shown = 3

/** The error for a folder of which nothing could be read. */
export function nothingIndexed(root: string, { skipped, ignored, unsupported }: LeftOut): YoreError {
  const kinds = Object.entries(unsupported).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const unread = kinds.reduce((sum, [, count]) => sum + count, 0)
  const seen = [
    list(
      `${skipped.length} skipped`,
      skipped.map(({ path, detail }) => `${path}: ${detail}`),
    ),
    list(`${ignored} left out by ignore rules`, []),
    list(
      `${unread} that are no text by their names`,
      kinds.map(([kind, count]) => `${kind === '' ? 'no extension' : kind} ${count}`),
    ),
  ].filter((part) => !part.startsWith('0 '))
  return new YoreError(
    'NOTHING_INDEXED',
    `no file to index in ${root}: ${seen.length === 0 ? 'it holds none' : seen.join('; ')}`,
  )
}

function list(count: string, examples: readonly string[]): string {
  if (examples.length === 0) return count
  return `${count} (${examples.slice(0, shown).join(', ')}${examples.length > shown ? ', …' : ''})`
}
