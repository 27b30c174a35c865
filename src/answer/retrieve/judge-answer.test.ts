import { expect, it } from 'vitest'
import { describeConfidence } from '../../model/describe-confidence.ts'
import { describeNextStep } from '../assemble/digest-frame.ts'
import { type AnswerEvidence, judgeAnswer } from './judge-answer.ts'

type Candidate = AnswerEvidence['candidates'][number]

function candidate(features: Candidate['features'], more: Partial<Candidate> = {}): Candidate {
  return { features, vector: 0.6, ...more }
}

const words = {
  has: ['lease', 'renewal', 'quorum'],
  literally: ['lease', 'renewal', 'quorum'],
  lacks: [],
  share: 1,
}
const none = { has: [], literally: [], lacks: ['lease', 'renewal', 'quorum'], share: 0 }

function evidence(first: Candidate, more: Partial<AnswerEvidence> = {}): AnswerEvidence {
  const candidates = [first]
  const nothing = {
    names: [],
    defined: null,
    missingWords: [],
    missingPhrases: [],
    caller: null,
    isExact: false,
    exactAt: null,
    isMessage: false,
    lacksMessage: false,
  }
  return { ...nothing, asked: words, candidates, ...more }
}

const good = candidate({ together: 1, mentions: 1 })
const poor = candidate({ together: 0.1 }, { vector: 0.2 })

it('is high where the words stand in one place and mean the same, and names them', () => {
  const verdict = judgeAnswer(evidence(good))
  expect(verdict.label).toBe('high')
  expect(verdict.why).toBe('the first passage has “lease”, “renewal”, “quorum”')
})

it('quotes no word that the first passage has in another form alone', () => {
  const why = (literally: readonly string[]): string =>
    judgeAnswer(evidence(good, { asked: { ...words, literally } })).why
  expect(why(['quorum'])).toBe('the first passage has “quorum” and other forms of “lease”, “renewal”')
  expect(why([])).toBe('the first passage has other forms of “lease”, “renewal”, “quorum”')
})

it('is none where the words are unknown and nothing is near', () => {
  const verdict = judgeAnswer(evidence(poor, { asked: none, missingWords: ['lease', 'quorum'] }))
  expect(describeConfidence(verdict)).toBe('Confidence none: no section has “lease”, “quorum”.')
})

it('is none where no section was found', () => {
  expect(judgeAnswer(evidence(poor, { candidates: [] }))).toMatchObject({ label: 'none', score: 0 })
})

it('names the place of a message and the name that is defined', () => {
  expect(judgeAnswer(evidence(poor, { isExact: true, exactAt: 'log.go:44', isMessage: true }))).toMatchObject(
    {
      label: 'high',
      why: 'the text is at log.go:44',
    },
  )
  const defining = candidate({ ...good.features, defines: 1 })
  const names = ['Backoff', 'retry_after']
  expect(judgeAnswer(evidence(defining, { names, defined: 'retry_after' }))).toMatchObject({
    label: 'high',
    why: 'the first passage defines “retry_after”',
  })
  expect(judgeAnswer(evidence(defining, { names })).why).not.toContain('defines')
})

it('falls with each telling word that no document has, and names it', () => {
  const missing = judgeAnswer(evidence(good, { missingWords: ['LDAP'] }))
  expect(missing.score).toBeLessThan(judgeAnswer(evidence(good)).score)
  expect(missing.why).toBe('no section has “LDAP”')
  expect(judgeAnswer(evidence(good, { missingPhrases: ['log in by LDAP'] })).why).toBe(
    'no section has “log in by LDAP” as it is quoted',
  )
})

it('is never high for a message that no section holds', () => {
  const found = judgeAnswer(evidence(good, { lacksMessage: true }))
  expect([found.label, found.why]).toEqual(['medium', 'no section has the text of this message'])
})

it('is never high for a single word that nothing defines', () => {
  const asked = { has: ['x'], literally: ['x'], lacks: [], share: 1 }
  expect(judgeAnswer(evidence(good, { asked })).label).not.toBe('high')
})

it('judges by words alone where there is no vector', () => {
  const lexical = candidate(good.features, { vector: null })
  expect(judgeAnswer(evidence(lexical)).label).toBe('high')
  expect(judgeAnswer(evidence(candidate(poor.features, { vector: null }), { asked: none })).label).toBe(
    'none',
  )
})

it('recommends nothing that the caller has just done', () => {
  for (const label of ['high', 'medium', 'low', 'none'] as const) {
    const say = (asked: 'plainly' | 'with words' | 'exactly', of: 'digest' | 'hits'): string =>
      describeNextStep({ label, score: 0.5, why: 'so' }, { of, asked })
    for (const of of ['digest', 'hits'] as const) {
      expect(say('with words', of)).not.toMatch(/words that the answer may use/)
      expect(say('exactly', of)).not.toMatch(/exact/)
    }
  }
})
