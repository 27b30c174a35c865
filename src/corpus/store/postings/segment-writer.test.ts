// Are the postings of a corpus the same after any history of commits and merges?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createStore, type OpenStore, type PlainDocument, write } from '../../../../test/support/documents.ts'
import { DecodedPostings } from './postings.ts'

const words = ['alpha', 'beta', 'gamma', 'delta', 'omega']

/** Which sections hold each term, with its counts: by name, because ids tell of history. */
function postingsOf({ db, reader }: OpenStore): Record<string, string[]> {
  const lexical = reader.lexical()
  const list = new DecodedPostings()
  const name = db.prepare(
    'SELECT a.canonical_id AS id FROM fragments f JOIN artifacts a ON a.id = f.artifact WHERE f.id = ?',
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
  expect(merges).toBeGreaterThan(5)
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
