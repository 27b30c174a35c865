// How is an indexing run described in one line, and how far are its embeddings?

import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { IndexReport, VectorReport } from '../../model/report.ts'
import { formatDuration } from './format.ts'

export function describeRun(report: IndexReport): string {
  const others = `${formatCount(report.unchanged)} unchanged, ${formatCount(report.removed)} removed`
  const rate =
    report.indexed > 0
      ? `, ${formatCount((report.indexed / Math.max(1, report.milliseconds)) * 1000)} files/s`
      : ''
  const skipped = report.skipped.length > 0 ? `, ${formatCount(report.skipped.length)} skipped` : ''
  const counts = `indexed ${formatQuantity(report.indexed, 'file')} (${others}${skipped})`
  return `${counts} in ${formatDuration(report.milliseconds)}${rate}`
}

/** How many fragments have embeddings. */
export function describeVectors({ model, embedded, total, note }: VectorReport): string {
  if (model === null) return `words only: ${note ?? 'no model'}`
  const done =
    embedded === total
      ? `all ${formatCount(total)} fragments`
      : `${formatCount(embedded)} of ${formatCount(total)} fragments`
  const name = model.startsWith('yore-static') ? 'built-in model' : model
  return `${name}, ${done}${note === null ? '' : `; ${note}`}`
}
