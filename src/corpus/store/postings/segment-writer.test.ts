// Are the postings of a corpus the same after any history of commits and merges?
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createStore, type OpenStore, type PlainDocument, write } from '../../../../test/support/documents.ts'
import { atScale } from '../../../../test/support/scaled-runs.ts'
import { sectionsSql } from '../schema.ts'
import { DecodedPostings } from './postings.ts'

const words = ['alpha', 'beta', 'gamma', 'delta', 'omega']

/** Which sections hold each term, with its counts: by name, because ids tell of history. */
function postingsOf({ db, reader }: OpenStore): Record<string, string[]> {
  const lexical = reader.lexical()
  const list = new DecodedPostings()
  const name = db.prepare(
    `SELECT a.canonical_id AS id FROM fragments f JOIN ${sectionsSql} a ON a.id = f.artifact WHERE f.id = ?`,
  )
  const terms = (
    db.prepare('SELECT DISTINCT term FROM postings ORDER BY term').all() as unknown as { term: string }[]
  ).map(({ term }) => term)
  const entries = terms.map((term) => {
    lexical.read(term, list)
    const found = Array.from({ length: list.length }, (_, at) => {
      const fragment = list.fragments[at] as number
      const { id } = name.get(fragment) as { id: string }
      return `${id} ${list.packed[at]} of ${lexical.body[fragment]}`
    })
    return [term, found.sort()] as const
  })
  // A term that only removed documents held may still be listed, with nothing under it.
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0))
}

const document: fc.Arbitrary<PlainDocument> = fc.record({
  path: fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md', 'e.md'),
  sections: fc.array(
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((list) => list.join(' ')),
    { minLength: 1, maxLength: 4 },
  ),
})
const step = fc.record({
  add: fc.uniqueArray(document, { maxLength: 3, selector: ({ path }) => path }),
  remove: fc.subarray(['a.md', 'b.md', 'c.md', 'd.md', 'e.md'], { maxLength: 2 }),
})

it('has the postings of an index that was written at once', () => {
  let merges = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 6, maxLength: 24 }), (steps) => {
      const grown = createStore()
      const fresh = createStore()
      try {
        const state = new Map<string, PlainDocument>()
        let commits = 0
        for (const { add, remove } of steps) {
          write(grown, add, remove)
          if (add.length > 0) commits++
          for (const path of remove) state.delete(path)
          for (const one of add) state.set(one.path, one)
        }
        write(fresh, [...state.values()])
        expect(postingsOf(grown)).toEqual(postingsOf(fresh))
        const [left, right] = [grown.reader.lexical(), fresh.reader.lexical()]
        expect([left.livingFragments, left.livingDocuments]).toEqual([
          right.livingFragments,
          right.livingDocuments,
        ])
        expect(left.meanBody).toBeCloseTo(right.meanBody, 12)
        if (grown.reader.count('segments') < commits) merges++
      } finally {
        grown.close()
        fresh.close()
      }
    }),
    { numRuns: 40 },
  )
  expect(merges).toBeGreaterThan(atScale(5))
}, 120_000)

it('merges eight small segments into one, and drops what is dead', () => {
  const store = createStore()
  try {
    for (let at = 0; at < 7; at++) write(store, [{ path: 'a.md', sections: [`alpha word${at}`] }])
    expect(store.reader.count('segments')).toBe(7)
    write(store, [{ path: 'a.md', sections: ['alpha last'] }])
    expect(store.reader.count('segments')).toBe(1)
    const terms = store.db.prepare('SELECT term FROM postings ORDER BY term').all() as unknown as {
      term: string
    }[]
    expect(terms.map(({ term }) => term)).toEqual(['alpha', 'last'])
  } finally {
    store.close()
  }
})

it('writes the terms of one more document to few pages, and merges terms of any script in order', () => {
  const store = createStore()
  try {
    const every = (step: number): string =>
      Array.from({ length: 30_000 / step }, (_, at) => `word${(at * step * 7919) % 30_011}`).join(' ')
    const pages = (): Buffer[] => {
      store.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      const bytes = readFileSync(store.indexPath)
      const size = bytes.readUInt16BE(16)
      return Array.from({ length: bytes.length / size }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
    }
    write(store, [{ path: 'a.md', sections: [every(1)] }])
    const before = pages()
    write(store, [{ path: 'b.md', sections: [every(100)] }])
    const changed = pages().filter((page, at) => before[at]?.equals(page) !== true)
    // With the term first in the key, 300 terms change most of the pages of the postings.
    expect(changed.length).toBeLessThan(20)
    const scripts = ['ａ', '\u{1f600}', 'ü', '漢', 'z']
    for (let at = 0; at < 7; at++) write(store, [{ path: `${at}.md`, sections: [scripts.join(' ')] }])
    expect(store.reader.count('segments')).toBe(2)
    for (const term of scripts) expect(store.reader.lexical().count(term)).toBe(7)
  } finally {
    store.close()
  }
})
