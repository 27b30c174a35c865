// Why is nothing indexed? The folder has no readable file.
import { YoreError } from '../../model/errors.ts'
import type { IndexReport } from '../../model/report.ts'

/** Files that a walk found and did not index. */
export type LeftOut = Pick<IndexReport, 'skipped' | 'ignored' | 'unsupported'>

const shown = 3

/** The error for a folder without readable files; its cause holds what was found. */
export function nothingIndexed(root: string, cause: LeftOut): YoreError {
  const { skipped, ignored, unsupported } = cause
  const kinds = Object.entries(unsupported).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const unread = kinds.reduce((sum, [, count]) => sum + count, 0)
  const reasons = skipped.map(({ path, detail }) => `${path}: ${detail}`)
  const names = kinds.map(([kind, count]) => `${kind === '' ? 'no extension' : kind} ${count}`)
  const seen = [
    list(`${skipped.length} skipped`, reasons),
    `${ignored} excluded by ignore rules`,
    list(`${unread} that are not text by name`, names),
  ].filter((part) => !part.startsWith('0 '))
  const why = seen.length === 0 ? 'it is empty' : seen.join('; ')
  return new YoreError('NOTHING_INDEXED', `no file to index in ${root}: ${why}`, { cause })
}

function list(count: string, examples: readonly string[]): string {
  if (examples.length === 0) return count
  return `${count} (${examples.slice(0, shown).join(', ')}${examples.length > shown ? ', …' : ''})`
}
