import { describe, expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { termOf } from '../../read/parse/words/analyze-words.ts'
import { correctSpelling, describeCorrections, type IndexedWords, spellQuestion } from './correct-spelling.ts'

/** An index of these words, each in so many fragments. */
function indexOf(words: Readonly<Record<string, number>>): IndexedWords {
  const holding = (term: string): string[] => Object.keys(words).filter((word) => termOf(word) === term)
  return {
    count: (term) => holding(term).reduce((sum, word) => sum + (words[word] as number), 0),
    termsLike: (letter, longest) => [
      ...new Set(
        Object.keys(words)
          .map(termOf)
          .filter((term) => term.startsWith(letter) && term.length <= longest),
      ),
    ],
    wordsOf: holding,
  }
}

const index = indexOf({
  documentation: 9,
  kubelet: 4,
  deployments: 7,
  deployed: 3,
  minikube: 1,
  state: 8,
  static: 5,
  node: 20,
  nodes: 6,
  scheduler: 3,
  kubernetes: 30,
})
const corrected = (question: string): string => spellQuestion(question, correctSpelling(question, index))

describe('the word that a question means', () => {
  test.each([
    ['where is the documentaiton?', 'where is the documentation?'],
    ['Deplyoments of a kublet', 'deployments of a kubelet'],
    ['which ndoe', 'which node'],
    ['the schduler', 'the scheduler'],
    ['what is kubrentes', 'what is kubernetes'],
  ])('%s', (asked, searched) => {
    expect(corrected(asked)).toBe(searched)
  })

  test.each([
    ['an ordinary word that no document has', 'what about leases and piling'],
    ['a name in code', 'what does `kublet` do, or kublet_run, or kublet.yaml'],
    ['words in quotes', 'who says "documentaiton"'],
    ['a word in one fragment alone: it may be the same slip', 'start minikub'],
    ['another first letter', 'read the pocumentation'],
    ['other slips than a swap in a short word', 'which nodx'],
    ['two slips in a short word', 'the kulbt'],
  ])('is left as it is: %s', (_, asked) => {
    expect(corrected(asked)).toBe(asked)
  })

  test('is not looked for in a log', () => {
    const log = Array.from(
      { length: 70 },
      (_, at) => `word${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at)}`,
    )
    expect(corrected(`documentaiton ${log.join(' ')}`)).toContain('documentaiton')
  })

  test('is not looked for where there is no word', () => {
    const long = `documentaiton ${'kublet'.repeat(50_000)}`
    const started = processorTime()
    expect(corrected(long)).toBe(long.replace('aiton', 'ation'))
    expect(processorTime() - started).toBeLessThan(2_000)
  })

  test('is told', () => {
    expect(describeCorrections(correctSpelling('documentaiton', index))).toEqual([
      'Searched for “documentation” instead of “documentaiton”, which no document has.',
    ])
  })
})
