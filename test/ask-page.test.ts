// Which further budget does the ask page offer? One that would show more.
import { expect, it } from 'vitest'
import { showAnswer } from '../src/offer/ui/ask-page.ts'
import { digestFixture, emptyDigestFixture } from './support/digest.ts'

it('offers a larger budget where sections had no room, but not where nothing matches', () => {
  const query = { q: 'deploy', max: 4000, depth: 1, mode: 'hybrid', path: '', find: '' } as const
  const freshness = { state: 'fresh', changedFiles: 0, indexedAt: 0 } as const
  const { confidence } = emptyDigestFixture
  const show = (digest: typeof digestFixture): string =>
    showAnswer(query, { digest, output: '', tokensUsed: 600, freshness, explanation: '' }).text
  expect(show(digestFixture)).toContain('a larger budget')
  expect(show({ ...digestFixture, confidence })).not.toContain('a larger budget')
})
