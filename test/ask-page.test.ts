// Which further budget does the ask page offer? One that would show more.
import { expect, it } from 'vitest'
import { showAnswer } from '../src/offer/ui/ask-page.ts'
import { digestFixture, emptyDigestFixture } from './support/digest.ts'

const query = { q: 'deploy', max: 4000, depth: 1, mode: 'hybrid', path: '', find: '' } as const
const freshness = { state: 'fresh', changedFiles: 0, indexedAt: 0 } as const
const show = (digest: typeof digestFixture): string =>
  showAnswer(query, { digest, output: '', tokensUsed: 600, freshness, explanation: '' }).text

it('offers a larger budget where sections had no room, but not where nothing matches', () => {
  const { confidence } = emptyDigestFixture
  expect(show(digestFixture)).toContain('a larger budget')
  expect(show({ ...digestFixture, confidence })).not.toContain('a larger budget')
})

it('counts the matches that are shown and those below the cut-off, and names what to read next', () => {
  const [first] = digestFixture.dropped
  const lines = { start: 3, end: 9 }
  const digest: typeof digestFixture = {
    ...digestFixture,
    dropped: Array.from({ length: 406 }, () => ({ ...first!, reason: 'adds little' })),
    pointers: [{ path: 'docs/rollback.md', lines, name: 'Rollback', line: 'Run it again.' }],
  }
  const page = show(digest)
  expect(page).toContain('2 of 127 matching sections shown; 406 scored below the cut-off of 0.40.')
  expect(page).toMatch(/Matching sections not shown.*Rollback.*docs\/rollback\.md:3.*Run it again\./s)
})
