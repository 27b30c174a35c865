// Is it said which words of a question no document has, and only when that says something?
import { describe, expect, it } from 'vitest'
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'
import { analyzeQuery } from './analyze-query.ts'
import { findMissingWords } from './missing-words.ts'

const indexed = new Map<string, number>()
analyzeWords(
  'How a Deployment is rolled back: kubectl rollout undo, maxSurge, KEP 4317, max_tokens.',
  (term) => indexed.set(term, 1),
)
const missing = (question: string): readonly string[] =>
  findMissingWords(analyzeQuery(question), (term) => indexed.get(term) ?? 0)

describe('words that no document has', () => {
  it('are named when they are all of the question', () => {
    expect(missing('How do I bake sourdough bread?')).toEqual(['bake', 'sourdough', 'bread'])
  })

  it('are named when they are half of it', () => {
    expect(missing('rollout of sourdough')).toEqual(['sourdough'])
  })

  it('are passed over when they are few', () => {
    expect(missing('how is a deployment rolled back quickly')).toEqual([])
  })

  it('are none of a pasted error, which has names of its own', () => {
    expect(missing('Error: rollout undo failed at Object.zorp (/srv/app/quux.js:12)')).toEqual([])
  })

  it('are not the values of a message that a section repeats', () => {
    const inMessage = (message: string, words: number): readonly string[] => {
      const place = { weight: 9, words, first: 1, last: 9, line: 0, endLine: 0 }
      const count = (term: string): number => indexed.get(term) ?? 0
      return findMissingWords(analyzeQuery(message), count, [[{ isQuoted: false, place }]])
    }
    expect(inMessage("'+12zz' is rolled back: kubectl rollout undo", 5)).toEqual([])
    expect(inMessage("'+12zz' is rolled back: kubectl rollout undo", 2)).toEqual(["'+12zz"])
    expect(inMessage('a Deployment is rolled back on Lustre', 3)).toEqual(['Lustre'])
  })

  it('are read without the end of a sentence', () => {
    expect(missing('how is a deployment rolled back today.')).toEqual([])
  })

  it('are those of which a part is missing', () => {
    expect(missing('how is a deployment rolled back by kubectl.zorp')).toEqual(['kubectl.zorp'])
    expect(missing('rollout.undo')).toEqual([])
  })

  it('are no run of characters without spaces of which a part is there', () => {
    analyzeWords('监听响应式数据', (term) => indexed.set(term, 1))
    expect(missing('怎样监听响应式数据的变化')).toEqual([])
    expect(missing('面包怎么做')).toEqual(['面包'])
  })

  it('are no small numbers', () => {
    expect(missing('rollout on line 198')).not.toContain('198')
  })

  it('are named always when they are names or numbers', () => {
    expect(missing('how is a deployment rolled back with minSurge')).toEqual(['minSurge'])
    expect(missing('how is a deployment rolled back with KEP-9999')).toEqual(['KEP-9999'])
    expect(missing('how is a deployment of Redis rolled back with kubectl')).toEqual(['Redis'])
    expect(missing('how is a deployment rolled back with argocd')).toEqual(['argocd'])
    expect(missing('Quickly, how is a deployment rolled back?')).toEqual([])
    expect(missing('what do maxSurge, max_tokens and KEP-4317 have to do with kubectl rollout')).toEqual([])
  })
})
