// Does the progress line say share, rate and time left, and only on a terminal?
import { describe, expect, it } from 'vitest'
import { formatCount } from '../../model/format-numbers.ts'
import type { IndexProgress } from '../../model/report.ts'
import { formatAge, formatBytes, formatDuration } from './format.ts'
import { formatProgress, openProgressLine } from './progress.ts'

const reading: IndexProgress = {
  phase: 'reading',
  done: 250,
  total: 1000,
  bytesDone: 1 << 20,
  bytesTotal: 4 << 20,
}

describe('formatProgress', () => {
  it('estimates once there is something to measure', () => {
    expect(formatProgress(reading, 10)).toBe('reading 250 of 1,000 files, 25 %')
    expect(formatProgress(reading, 2000)).toBe('reading 250 of 1,000 files, 25 %, 512 KB/s, 6.0 s left')
  })

  it('counts fragments while they are embedded', () => {
    const embedding = { phase: 'embedding', done: 500, total: 2000, bytesDone: 0, bytesTotal: 0 } as const
    expect(formatProgress(embedding, 2000)).toBe('embedding 500 of 2,000 fragments, 25 %, 250/s, 6.0 s left')
  })

  it('works with empty files', () => {
    expect(formatProgress({ ...reading, bytesDone: 0, bytesTotal: 0 }, 5000)).toBe(
      'reading 250 of 1,000 files, 100 %',
    )
  })
})

describe('openProgressLine', () => {
  const written = (isTTY: boolean, times: readonly number[]): string[] => {
    const lines: string[] = []
    let at = 0
    const line = openProgressLine(
      { isTTY, columns: 30, write: (text) => lines.push(text) },
      () => times[at++]!,
    )
    for (const _ of times) line.report(reading)
    line.clear()
    line.clear()
    return lines
  }

  it('rewrites one line at most ten times a second, cut to the width, and removes it once', () => {
    const line = '\r\u001b[Kreading 250 of 1,000 files, 2'
    expect(written(true, [0, 50, 99, 100, 150])).toEqual([line, line, '\r\u001b[K'])
  })

  it('writes nothing when the stream is no terminal', () => {
    expect(written(false, [0, 1000])).toEqual([])
  })
})

describe('numbers for people', () => {
  it.each([
    [formatCount(0), '0'],
    [formatCount(999), '999'],
    [formatCount(1_234_567), '1,234,567'],
    [formatBytes(0), '0 B'],
    [formatBytes(1536), '1.5 KB'],
    [formatBytes(1024 * 1024 - 1), '1.0 MB'],
    [formatBytes(2 * 1024 ** 5), '2048 TB'],
    [formatDuration(999.4), '999 ms'],
    [formatDuration(59_960), '1 min'],
    [formatDuration(61_000), '1 min 1 s'],
    [formatDuration(3_660_000), '1 h 1 min'],
    [formatAge(-5), 'just now'],
    [formatAge(60_000), '1 minute ago'],
    [formatAge(47 * 3_600_000), '47 hours ago'],
    [formatAge(50 * 3_600_000), '2 days ago'],
  ])('%s is %s', (formatted, expected) => {
    expect(formatted).toBe(expected)
  })
})
