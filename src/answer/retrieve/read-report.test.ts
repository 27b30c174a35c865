import { expect, it } from 'vitest'
import { analyzeQuery } from './analyze-query.ts'
import { readReport } from './read-report.ts'

const issue = `Parcels lose their label when a route is replanned

<!-- Please search for similar issues before you open one.
Please check that the newest release still has the bug. -->

### Steps to reproduce

\`\`\`python
from depot.routes import replan
replan(parcels, keep_labels=True)
\`\`\`

\`\`\`
Traceback (most recent call last):
  File "/srv/venv/lib/site-packages/depot/labels.py", line 41, in attach_label
    raise LabelError(parcel)
depot.labels.LabelError: parcel has two labels
\`\`\`

**Expected behavior**

Each parcel keeps one label, as \`attach_label\` promises.

### Environment

- OS: Ubuntu 22.04
- numpy 1.26.4

- [x] I have read the contributing guide

Thanks a lot!
`

it('reads the lines of an issue that say something, and weighs them by their kind', () => {
  expect(readReport(issue)?.map(({ text, weight }) => [weight, text.trim()])).toEqual([
    [2, 'Parcels lose their label when a route is replanned'],
    [0.5, 'from depot.routes import replan'],
    [0.5, 'replan(parcels, keep_labels=True)'],
    [0.5, 'Traceback (most recent call last):'],
    [0.5, 'File "/srv/venv/lib/site-packages/depot/labels.py", line 41, in attach_label'],
    [0.5, 'raise LabelError(parcel)'],
    [1.5, 'depot.labels.LabelError: parcel has two labels'],
    [1, 'Each parcel keeps one label, as `attach_label` promises.'],
  ])
})

it('takes no code sample for what the report quotes', () => {
  const { quotable } = analyzeQuery(issue)
  expect(quotable).toContain('LabelError: parcel has two labels')
  expect(quotable).not.toContain('keep_labels')
})

it('searches the words of a report by weight, those at its end included', () => {
  const filler = Array.from({ length: 60 }, (_, at) => `    call_${at}(value_${at})`).join('\n')
  const { terms, intents } = analyzeQuery(
    `Labels are lost\n\n${filler}\n\nThe cause may be \`attach_label\`: the label of a replanned route is lost.`,
  )
  const weightOf = (term: string): number => terms.find((one) => one.term === term)?.weight ?? 0
  expect(weightOf('attachlabel')).toBeGreaterThan(weightOf('call0'))
  expect(weightOf('call0')).toBeGreaterThan(0)
  expect(weightOf('label')).toBeGreaterThan(weightOf('attachlabel'))
  expect(intents).toEqual(['report'])
})

it.each([
  'how do I keep the label of a parcel when its route is replanned, and who attaches it the first time that it is weighed at the dock of the depot',
  'Labels are lost\n\nFixes #12',
])('leaves a question and a short message as they are: %s', (text) => {
  expect(readReport(text)).toBeNull()
})

it('takes neither the opening of a stack trace nor code for a title', () => {
  const call = '  File "/srv/depot/labels.py", line 41, in attach_label\n    raise LabelError(parcel)\n'
  const trace = `Traceback (most recent call last):\n${call.repeat(6)}depot.LabelError: parcel has two labels`
  expect(readReport(trace)?.map(({ weight }) => weight)).toEqual([...Array(13).fill(0.5), 1.5])
  const pasted = `\`\`\`py\nfrom depot import replan\n\`\`\`\n${call.repeat(6)}`
  expect(readReport(pasted)?.[0]?.weight).toBe(0.5)
})
