// Do words and meaning together find what either knows?
import { expect, it } from 'vitest'
import { openStore, write } from '../../../test/support/documents.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { analyzeQuery } from './analyze-query.ts'
import { type FusedFragment, type MatchOptions, matchFragments } from './match-fragments.ts'

const usual: MatchOptions = {
  fragments: 300,
  similar: null,
  vectorWeight: 0.3,
  onlyFiles: null,
  boosts: new Map(),
}

function match(question: string, options: Partial<MatchOptions>): readonly FusedFragment[] {
  const opened = openStore()
  const sections = ['pod pod pod node', 'pod node sometimes', 'node of visitors', 'other words']
  write(opened, [{ path: 'a.md', sections }])
  const index = new CorpusReader(opened.db).lexical()
  return matchFragments(index, analyzeQuery(question), { ...usual, ...options }).fragments
}

it('finds by words alone', () => {
  expect(match('pod node', {}).map(({ fragment }) => fragment)).toEqual([0, 1, 2])
})

it('keeps what only meaning found', () => {
  const found = match('pod node', { similar: [{ fragment: 3, similarity: 0.9 }] })
  expect(found.find(({ fragment }) => fragment === 3)).toMatchObject({ lexical: 0, vector: 0.9 })
})

it('finds nothing where no word matches and every similarity is chance', () => {
  const similar = [
    { fragment: 3, similarity: 0.09 },
    { fragment: 0, similarity: -0.02 },
  ]
  expect(match('zyzzyva', { similar })).toEqual([])
  expect(match('zyzzyva', { similar, vectorWeight: 1 })).toHaveLength(2)
  const near = [{ fragment: 2, similarity: 0.4 }, ...similar]
  expect(match('zyzzyva', { similar: near }).map(({ fragment }) => fragment)).toEqual([2])
  expect(match('pod', { similar }).map(({ fragment }) => fragment)).toContain(3)
})

it('counts the words of what meaning found, also past the end of the list of words', () => {
  const similar = [
    { fragment: 1, similarity: 0.9 },
    { fragment: 3, similarity: 0.8 },
  ]
  const [inside, past] = [300, 1].map((fragments) => match('pod node', { similar, fragments }))
  const relevance = (list: readonly FusedFragment[] | undefined): number | undefined =>
    list?.find(({ fragment }) => fragment === 1)?.relevance
  expect(relevance(past)).toBe(relevance(inside))
  expect(relevance(past)).toBeGreaterThan(0.3)
})

it('stays inside the documents that it is confined to', () => {
  expect(match('pod node', { onlyFiles: new Set(), similar: [{ fragment: 3, similarity: 0.9 }] })).toEqual([])
})
