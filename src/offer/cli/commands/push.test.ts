// Does a push print everything that did not arrive?
import { expect, it } from 'vitest'
import { printPush } from './push.ts'

it('lists what stays here and what the service skipped, with the reasons', () => {
  const report = {
    ...{ server: 'https://yore.example', corpus: 'docs', sent: 24, bytes: 100, removed: 0 },
    ...{ unchanged: 0, elsewhere: 0, version: 3 },
    withheld: [{ path: 'setup.md', reason: 'it contains a likely secret' }],
    skipped: { count: 22, first: [{ path: 'b.pdf', reason: 'it cannot be read' }] },
  }
  expect(printPush(report).split('\n').slice(1)).toEqual([
    '  stays  setup.md: it contains a likely secret',
    '  skipped by the service  b.pdf: it cannot be read',
    '  skipped by the service  and 21 more',
    '',
  ])
})
