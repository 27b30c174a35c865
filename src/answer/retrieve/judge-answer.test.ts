import { expect, it } from 'vitest'
import { type AnswerEvidence, describeConfidence, judgeAnswer } from './judge-answer.ts'

const evidence = (
  features: Readonly<Record<string, number>>,
  more: Partial<AnswerEvidence> & { readonly vector?: number | null } = {},
): AnswerEvidence => {
  const { vector = 0.6, known = 1, hasNames = false } = more
  return { known, hasNames, candidates: [{ features, vector }] }
}

const good = { coverage: 0.8, pairs: 0.5, quoted: 0, mentions: 1, defines: 0 }
const poor = { coverage: 0.15, pairs: 0, quoted: 0 }

it('answers where the words stand in one place and mean the same', () => {
  expect(judgeAnswer(evidence(good)).label).toBe('answered')
})

it('finds nothing where the words are unknown and nothing is near', () => {
  const { label, why } = judgeAnswer(evidence(poor, { known: 0.3, vector: 0.2 }))
  expect(label).toBe('nothing found')
  expect(why).toContain('5 %')
})

it('finds nothing where no section was found', () => {
  expect(judgeAnswer({ known: 0, hasNames: false, candidates: [] })).toMatchObject({
    label: 'nothing found',
    score: 0,
  })
})

it('doubts an answer without the name that is asked about', () => {
  const plain = judgeAnswer(evidence({ ...good, mentions: 0 }))
  const named = judgeAnswer(evidence({ ...good, mentions: 0 }, { hasNames: true }))
  expect(named.score).toBeLessThan(plain.score)
  expect(named.label).toBe('partly')
  expect(named.why).toContain('the name')
})

it('judges by words alone where there is no vector', () => {
  expect(judgeAnswer(evidence(good, { vector: null })).label).toBe('answered')
  expect(judgeAnswer(evidence(poor, { vector: null, known: 0.2 })).label).toBe('nothing found')
})

it('looks at the first sections only', () => {
  const candidates = [...Array(5).fill({ features: poor, vector: 0.2 }), { features: good, vector: 0.9 }]
  expect(judgeAnswer({ known: 0.3, hasNames: false, candidates }).label).toBe('nothing found')
})

it('says so only where there is doubt', () => {
  expect(describeConfidence(judgeAnswer(evidence(good)))).toEqual([])
  expect(describeConfidence(judgeAnswer(evidence(poor, { known: 0.3, vector: 0.2 })))[0]).toMatch(
    /^Nothing here/,
  )
})
