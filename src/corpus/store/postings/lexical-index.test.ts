// Does the index that the scorer reads know which fragments live, how long they are, and whose they are?
import { describe, expect, it } from 'vitest'
import { openStore, write } from '../../../../test/support/documents.ts'
import { LexicalIndex } from './lexical-index.ts'
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

it('counts a term in living fragments, before and after some die', () => {
  const store = openStore()
  write(store, [{ path: 'a.md', sections: ['alpha', 'beta alpha'] }])
  write(store, [{ path: 'b.md', sections: ['alpha alpha', 'beta'] }])
  const counts = (): number[] => ['alpha', 'beta', 'gamma'].map((term) => store.reader.lexical().count(term))
  expect(counts()).toEqual([3, 2, 0])
  write(store, [], ['a.md'])
  expect(counts()).toEqual([1, 1, 0])
})

it('knows the length of a document from any of its fragments, and of no other beside it', () => {
  const store = openStore()
  write(store, [
    { path: 'a.md', sections: ['one'] },
    { path: 'b.md', sections: ['one two', 'one two three', 'one two three four'] },
    { path: 'c.md', sections: ['one', 'two'] },
  ])
  for (const [fragment, length] of [1, 9, 9, 9, 2, 2].entries()) {
    // A new index each time: what was asked once is remembered.
    expect(new LexicalIndex(store.db).documentLength(fragment)).toBe(length)
  }
  const remembering = new LexicalIndex(store.db)
  expect([2, 1, 3].map((fragment) => remembering.documentLength(fragment))).toEqual([9, 9, 9])
})

it('holds documents without a word, alone in their batch, with a length of one', () => {
  const store = openStore()
  write(store, [{ path: '_.md', sections: [''] }])
  write(store, [{ path: 'a.md', sections: ['alpha'] }])
  expect(store.reader.lexical().documentLength(0)).toBe(1)
  expect(read(store, 'alpha')).toEqual([1])
  expect(read(store, '')).toEqual([])
})

it('says of the fragment after the last that it does not live', () => {
  const store = openStore()
  write(store, [{ path: 'a.md', sections: ['one', 'two'] }])
  const lexical = store.reader.lexical()
  expect([lexical.isLiving(1), lexical.isLiving(lexical.size)]).toEqual([true, false])
})

describe('what was damaged', () => {
  /** Damages the file of three documents in three segments, one of them gone. */
  const damage = (sql: string): ReturnType<typeof openStore> => {
    const store = openStore()
    write(store, [{ path: 'a.md', sections: ['alpha'] }])
    write(store, [{ path: 'b.md', sections: ['beta alpha'] }])
    write(store, [{ path: 'c.md', sections: ['gamma'] }])
    write(store, [], ['c.md'])
    store.db.exec(sql)
    return store
  }

  it.each([
    ['a segment that is gone', 'DELETE FROM segments WHERE id = (SELECT max(id) FROM segments)'],
    ['the lengths of a segment', 'UPDATE segments SET lengths = zeroblob(length(lengths))'],
    ['the files of a segment', 'UPDATE segments SET files = zeroblob(length(files))'],
    ['the sum of a segment', 'UPDATE segments SET sum = sum + 1'],
    ['a dead fragment that lives again', 'DELETE FROM dead_fragments'],
    ['another dead fragment', 'UPDATE dead_fragments SET id = 0'],
    ['one more dead fragment', 'INSERT INTO dead_fragments VALUES (0)'],
    ['the statistics', "UPDATE meta SET value = value || ' ' WHERE key = 'statistics'"],
  ])('is noticed when the index is opened: %s', (_, sql) => {
    const { db } = damage(sql)
    expect(() => new LexicalIndex(db)).toThrow('checksum mismatch')
  })

  it.each([
    ['a list', "UPDATE postings SET data = CAST(data || x'00' AS BLOB) WHERE term = 'alpha'"],
    ['the term of a list', "UPDATE postings SET term = 'alphb' WHERE term = 'alpha'"],
    ['the term of the list before', "UPDATE postings SET term = 'alp' WHERE term = 'alpha'"],
  ])('is noticed when a term is read, and when all are: %s', (_, sql) => {
    const { db } = damage(sql)
    const readOf = (term: string) => () => new LexicalIndex(db).read(term, new DecodedPostings())
    expect(readOf('alpha')).toThrow('checksum mismatch')
    expect(() => new LexicalIndex(db).checkAll(db)).toThrow('checksum mismatch')
  })

  it('is noticed in a list beside, whichever side it lies on, also where only heads are read', () => {
    const store = openStore()
    write(store, [{ path: 'a.md', sections: ['alpha beta gamma'] }])
    store.db.exec("UPDATE postings SET term = 'bet' WHERE term = 'beta'")
    for (const term of ['alpha', 'beta', 'gamma'])
      expect(() => new LexicalIndex(store.db).count(term)).toThrow('checksum mismatch')
  })

  it('is noticed when all are read: a list that moved to another segment', () => {
    const { db } = damage("UPDATE postings SET segment = segment + 100 WHERE term = 'alpha'")
    expect(() => new LexicalIndex(db).checkAll(db)).toThrow('checksum mismatch')
  })

  it('is nothing in a sound file: every list is read', () => {
    const { db } = damage('SELECT 1')
    expect(new LexicalIndex(db).checkAll(db)).toBe(
      (db.prepare('SELECT count(*) AS n FROM postings').get() as { n: number }).n,
    )
  })
})
