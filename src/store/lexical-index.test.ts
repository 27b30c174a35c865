// Does the index that the scorer reads know which fragments live, how long they are, and whose they are?
import { expect, it } from 'vitest'
import { openStore, write } from './documents.fixture.ts'
import { DecodedPostings } from './postings.ts'

const read = (store: ReturnType<typeof openStore>, term: string): number[] => {
  const list = new DecodedPostings()
  store.reader.lexical().read(term, list)
  return Array.from(list.fragments.subarray(0, list.length))
}

it('is empty for an empty corpus', () => {
  const store = openStore()
  expect(store.reader.lexical()).toMatchObject({ size: 0, livingFragments: 0, livingDocuments: 0 })
  expect(read(store, 'alpha')).toEqual([])
})

it('gives the fragments of a term in the order of their ids, over several segments', () => {
  const store = openStore()
  write(store, [{ path: 'a.md', sections: ['alpha', 'beta alpha'] }])
  write(store, [{ path: 'b.md', sections: ['alpha alpha'] }])
  expect(read(store, 'alpha')).toEqual([0, 1, 2])
  expect(read(store, 'beta')).toEqual([1])
})

it('forgets the fragments of removed documents at once', () => {
  const store = openStore()
  write(store, [
    { path: 'a.md', sections: ['alpha'] },
    { path: 'b.md', sections: ['alpha beta'] },
  ])
  write(store, [], ['a.md'])
  const lexical = store.reader.lexical()
  expect(read(store, 'alpha')).toEqual([1])
  expect([lexical.isLiving(0), lexical.isLiving(1), lexical.isLiving(99)]).toEqual([false, true, false])
  expect([lexical.livingFragments, lexical.livingDocuments]).toEqual([1, 1])
})

it('knows the length and the document of each fragment', () => {
  const store = openStore()
  write(store, [{ path: 'a.md', sections: ['one two three', 'one'] }])
  write(store, [{ path: 'b.md', sections: ['one two'] }])
  const lexical = store.reader.lexical()
  const [a, b] = store.reader.files().map(({ id }) => id)
  expect(Array.from(lexical.body)).toEqual([3, 1, 2])
  expect(Array.from(lexical.file)).toEqual([a, a, b])
  expect(lexical.meanBody).toBe(2)
  expect(lexical.meanDocument).toBe(3)
})

it('does not count a document that is gone to one that has its file id now', () => {
  const store = openStore()
  write(store, [{ path: 'a.md', sections: ['one two three four'] }])
  write(store, [], ['a.md'])
  write(store, [{ path: 'b.md', sections: ['one'] }])
  const lexical = store.reader.lexical()
  expect(lexical.file[0]).toBe(lexical.file[1])
  expect(lexical.documentLength(1)).toBe(1)
})

it('orders fragments by path, whatever came first', () => {
  const store = openStore()
  write(store, [{ path: 'b.md', sections: ['one', 'two'] }])
  write(store, [{ path: 'a.md', sections: ['one'] }])
  expect([0, 1, 2].sort(store.reader.lexical().compare)).toEqual([2, 0, 1])
})

it('is kept while nothing changes, and read anew after a commit', () => {
  const store = openStore()
  write(store, [{ path: 'a.md', sections: ['alpha'] }])
  const first = store.reader.lexical()
  expect(store.reader.lexical()).toBe(first)
  write(store, [{ path: 'b.md', sections: ['alpha'] }])
  expect(store.reader.lexical()).not.toBe(first)
})
