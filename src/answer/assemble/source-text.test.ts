// Are marks of generators quoted? Only between lines of text.
import { describe, expect, it } from 'vitest'
import { dropMarks } from './source-text.ts'

describe('marks of an excerpt', () => {
  const text = [
    '<!-- overview -->',
    '',
    '{{< feature-state for_k8s_version="v1.30" state="stable" >}}',
    '',
    'Pods wait.',
    '{{< note >}}',
    'They may wait long.',
    '',
    '<!-- body -->',
  ].join('\n')

  it('are dropped at its two ends, and its lines follow', () => {
    expect(dropMarks({ lines: { start: 7, end: 15 }, text })).toEqual({
      lines: { start: 11, end: 13 },
      text: 'Pods wait.\n{{< note >}}\nThey may wait long.',
    })
  })

  it('stay where there is nothing else, and inside of code', () => {
    const marks = { lines: { start: 1, end: 1 }, text: '<!-- body -->' }
    expect(dropMarks(marks)).toEqual(marks)
    const code = { lines: { start: 1, end: 9 }, text, inFence: true } as const
    expect(dropMarks(code)).toEqual(code)
  })
})
