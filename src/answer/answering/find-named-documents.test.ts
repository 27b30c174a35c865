// Do names that are kept from one state of the index to the next stay those of the index?
import { expect, it } from 'vitest'
import { openStore, type PlainDocument, write } from '../../../test/support/documents.ts'
import { parseIdFamilies } from '../../corpus/resolve/decision-ids.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { NamedDocuments } from './find-named-documents.ts'

const guide: PlainDocument = {
  path: 'docs/guide.md',
  title: 'Guide',
  sections: ['own words', 'first', 'second'],
}
const states: readonly (readonly PlainDocument[])[] = [
  [guide, { path: 'docs/retry.md', title: 'Retry policy', sections: ['backoff'] }],
  [{ ...guide, title: 'Zebra handbook' }],
  [{ ...guide, title: 'Zebra handbook', sections: ['own words', 'first', 'second', 'third'] }],
  [{ path: 'docs/zebra.md', title: 'Zebra', sections: ['stripes', 'more'] }],
]
const questions = [
  'What does the zebra handbook page say about retries?',
  'the retry policy page',
  'What is in the s3 section of docs/guide.md?',
  'the zebra page 2.0',
]

it('finds after each change what is found by reading everything anew', () => {
  const store = openStore()
  const kept = new NamedDocuments()
  const found = states.map((documents) => {
    write(store, documents)
    return questions.map((text) => {
      const ask = (names: NamedDocuments) =>
        names.find(store.reader, { text, analysis: analyzeQuery(text) }, parseIdFamilies([]))
      expect(ask(kept)).toEqual(ask(new NamedDocuments()))
      return ask(kept).map(({ path }) => path)
    })
  })
  expect(found[0]?.[0]).not.toEqual(found[1]?.[0])
  expect(found.at(-1)?.flat()).toContain('docs/zebra.md')
})
