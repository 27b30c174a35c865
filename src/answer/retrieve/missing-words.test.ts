// Is it said which words of a question no document has, and only when that says something?
import { describe, expect, it } from 'vitest'
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'
import { analyzeQuery } from './analyze-query.ts'
import { describeMissing, findMissingWords } from './missing-words.ts'

const indexed = new Map<string, number>()
analyzeWords(
  'How a Deployment is rolled back: kubectl rollout undo, maxSurge, KEP 4317, max_tokens.',
  (term) => indexed.set(term, 1),
)
const missing = (question: string, fragments = 100) =>
  findMissingWords(analyzeQuery(question), { count: (term) => indexed.get(term) ?? 0, fragments })

describe('words that no document has', () => {
  it('are named when they are all of the question', () => {
    expect(missing('How do I bake sourdough bread?')).toEqual({
      words: ['bake', 'sourdough', 'bread'],
      all: true,
    })
  })

  it('are named when they are half of it', () => {
    expect(missing('rollout of sourdough')).toEqual({ words: ['sourdough'], all: false })
  })

  it('are passed over when they are few', () => {
    expect(missing('how is a deployment rolled back quickly')).toEqual({ words: [], all: false })
  })

  it('are named in a large corpus, which has all common words', () => {
    expect(missing('how is a deployment rolled back with argocd', 5000).words).toEqual(['argocd'])
  })

  it('are those of which a part is missing', () => {
    expect(missing('how is a deployment rolled back by kubectl.zorp').words).toEqual(['kubectl.zorp'])
    expect(missing('rollout.undo').words).toEqual([])
  })

  it('are no run of characters without spaces of which a part is there', () => {
    analyzeWords('监听响应式数据', (term) => indexed.set(term, 1))
    expect(missing('怎样监听响应式数据的变化').words).toEqual([])
    expect(missing('面包怎么做').words).toEqual(['面包'])
  })

  it('are no small numbers', () => {
    expect(missing('rollout on line 198').words).not.toContain('198')
  })

  it('are named always when they are names or numbers', () => {
    expect(missing('how is a deployment rolled back with minSurge').words).toEqual(['minSurge'])
    expect(missing('how is a deployment rolled back with KEP-9999').words).toEqual(['KEP-9999'])
    expect(missing('how is a deployment of Redis rolled back with kubectl').words).toEqual(['Redis'])
    expect(missing('how is a deployment rolled back with argocd').words).toEqual(['argocd'])
    expect(missing('Quickly, how is a deployment rolled back?').words).toEqual([])
    expect(
      missing('what do maxSurge, max_tokens and KEP-4317 have to do with kubectl rollout').words,
    ).toEqual([])
  })
})

it('is said in one sentence, with near terms', () => {
  expect(describeMissing({ words: [], all: false }, [])).toBeNull()
  expect(describeMissing({ words: ['rolout'], all: false }, ['rollout'])).toBe(
    'No document has rolout. Near terms: “rollout”.',
  )
  expect(describeMissing({ words: ['bread'], all: true }, [])).toBe(
    'No document has bread: what follows is only near in meaning, and may not answer the question.',
  )
})
