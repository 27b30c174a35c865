// How is progress shown? One line on a terminal that rewrites itself: share, rate and time left.

import { formatCount } from '../../model/format-numbers.ts'
import type { IndexProgress } from '../../model/report.ts'
import { formatBytes, formatDuration } from './format.ts'
import { hasQuietFlag, type OutputStream } from './terminal.ts'

const millisecondsBetweenLines = 100
// Before this the rate is not reliable.
const millisecondsBeforeEstimate = 1000

/** The line for one report. `elapsed` counts from the start of its phase, in milliseconds. */
export function formatProgress(progress: IndexProgress, elapsed: number): string {
  const { phase, done, total } = progress
  if (phase === 'looking') return `looking for files: ${formatCount(done)} found`
  if (phase === 'merging') return `writing the index: ${formatCount(total)} files`
  const isEmbedding = phase === 'embedding'
  // Bytes predict the time left better than files, which differ in size.
  const work = isEmbedding ? { done, total } : { done: progress.bytesDone, total: progress.bytesTotal }
  const share = work.total === 0 ? 1 : Math.min(1, work.done / work.total)
  const parts = [
    `${phase} ${formatCount(done)} of ${formatCount(total)} ${isEmbedding ? 'fragments' : 'files'}`,
    `${Math.floor(share * 100)} %`,
  ]
  if (elapsed >= millisecondsBeforeEstimate && work.done > 0) {
    const rate = (work.done / elapsed) * 1000
    parts.push(`${isEmbedding ? formatCount(Math.round(rate)) : formatBytes(rate)}/s`)
    if (share < 1) parts.push(`${formatDuration(((work.total - work.done) / work.done) * elapsed)} left`)
  }
  return parts.join(', ')
}

interface ProgressLine {
  readonly report: (progress: IndexProgress) => void
  /** Removes the line. */
  readonly clear: () => void
}

/** A progress line on `stream`; silent if it is not a terminal, and with -q. `clock` gives milliseconds. */
export function openProgressLine(
  stream: OutputStream = process.stderr,
  clock = (): number => performance.now(),
): ProgressLine {
  if (stream.isTTY !== true || hasQuietFlag()) return { report: () => {}, clear: () => {} }
  let phase: IndexProgress['phase'] | null = null
  let phaseStart = 0
  let lastLine = Number.NEGATIVE_INFINITY
  let shown = false
  return {
    report(progress) {
      const time = clock()
      const newPhase = progress.phase !== phase
      if (newPhase) {
        phase = progress.phase
        phaseStart = time
      }
      if (!newPhase && time - lastLine < millisecondsBetweenLines) return
      lastLine = time
      shown = true
      const width = Math.max(10, (stream.columns || 80) - 1)
      stream.write(`\r\u001b[K${formatProgress(progress, time - phaseStart).slice(0, width)}`)
    },
    clear() {
      if (shown) stream.write('\r\u001b[K')
      shown = false
    },
  }
}
