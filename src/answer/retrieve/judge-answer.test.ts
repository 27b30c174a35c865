import { expect, it } from 'vitest'
import { describeConfidence } from '../assemble/digest-frame.ts'
import { type AnswerEvidence, judgeAnswer } from './judge-answer.ts'

const evidence = (
  features: Readonly<Record<string, number>>,
  more: Partial<AnswerEvidence> & { readonly vector?: number | null } = {},
): AnswerEvidence => {
  const { vector = 0.6, ...given } = more
  const candidates = [{ features, vector }]
  return { known: 1, names: [], missingWords: [], missingPhrases: [], candidates, ...given }
}

const good = { coverage: 0.8, quoted: 0, mentions: 1, defines: 0 }
const poor = { coverage: 0.15, quoted: 0 }

it('is strong where the words stand in one place and mean the same', () => {
  expect(judgeAnswer(evidence(good)).label).toBe('strong matches')
})

it('is no match where the words are unknown and nothing is near', () => {
  const verdict = judgeAnswer(evidence(poor, { known: 0.3, vector: 0.2 }))
  expect(verdict.label).toBe('no match')
  expect(describeConfidence(verdict)).toBe(
    'No match: the first passage has few key words of the question; these are the closest passages.',
  )
})

it('is no match where no section was found', () => {
  expect(judgeAnswer(evidence({}, { candidates: [] }))).toMatchObject({ label: 'no match', score: 0 })
})

it('is weak without the name that is asked about', () => {
  const plain = judgeAnswer(evidence({ ...good, mentions: 0 }))
  const named = judgeAnswer(evidence({ ...good, mentions: 0 }, { names: ['openPort'] }))
  expect(named.score).toBeLessThan(plain.score)
  expect(named.label).toBe('weak matches')
  expect(named.why).toBe('no passage has the name “openPort”')
})

it('is weak at most where no document has a telling word of the question, and names the word', () => {
  const verdict = judgeAnswer(evidence(good, { missingWords: ['LDAP'] }))
  expect(verdict.label).toBe('weak matches')
  expect(describeConfidence(verdict)).toBe(
    'Weak matches: “LDAP” appears nowhere; the answer may not be here.',
  )
  expect(judgeAnswer(evidence(good, { missingPhrases: ['log in by LDAP'] }))).toMatchObject({
    label: 'weak matches',
    why: 'no passage has “log in by LDAP” as it is quoted',
  })
})

it('is not strong for a topic that is near while the first passage lacks the words', () => {
  const topic = { features: poor, vector: 0.75 }
  const later = { features: { ...poor, coverage: 0.7 }, vector: 0.4 }
  expect(judgeAnswer(evidence({}, { candidates: [topic, later] })).label).toBe('weak matches')
})

it('judges by words alone where there is no vector', () => {
  expect(judgeAnswer(evidence(good, { vector: null })).label).toBe('strong matches')
  expect(
    judgeAnswer(evidence({ ...poor, mentions: 0 }, { vector: null, known: 0.2, names: ['openPort'] })).label,
  ).toBe('no match')
})

it('looks at the first sections only', () => {
  const candidates = [...Array(5).fill({ features: poor, vector: 0.2 }), { features: good, vector: 0.9 }]
  expect(judgeAnswer(evidence({}, { known: 0.3, candidates })).label).toBe('no match')
})
