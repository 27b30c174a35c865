// Does a search that stays open find what one that opens now finds, whatever was written and removed between?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openStore, write } from '../../../test/support/documents.ts'
import { vectorBytes } from '../../corpus/embed/vector-numbers.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { raiseGeneration } from '../../corpus/store/rows/meta.ts'
import { VectorStore } from '../../corpus/store/vectors/vector-store.ts'
import { VectorSearch } from './vector-search.ts'

const dimensions = 5
const query = { model: 'm', vector: Float32Array.of(0.2, -0.4, 0.6, 0.1, 0.65) }

/** A document with so many sections, or a sweep, and how many of the fragments without a vector get one. */
const step = fc.record({
  path: fc.constantFrom('a.md', 'b.md', 'c.md', null),
  sections: fc.integer({ min: 1, max: 6 }),
  embedded: fc.nat(8),
})

it('reads only what has come, and forgets what has gone', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
      (steps, numbers) => {
        const opened = openStore()
        const store = new VectorStore(opened.db)
        const reader = new CorpusReader(opened.db)
        const kept = new VectorSearch()
        for (const { path, sections, embedded } of steps) {
          if (path === null) store.sweep('m', (write) => write())
          else write(opened, [{ path, sections: Array.from({ length: sections }, (_, at) => `text ${at}`) }])
          const fragments = Uint32Array.from(store.pending('m').ids.slice(0, embedded))
          const data = Uint8Array.from(
            { length: fragments.length * vectorBytes(dimensions) },
            () => numbers.next().value as number,
          )
          if (fragments.length > 0) store.add('m', { dimensions, fragments, data })
          raiseGeneration(opened.db)
          const find = (search: VectorSearch, limit = 4) =>
            search
              .find(reader, query, { limit })
              .sort((a, b) => b.similarity - a.similarity || a.fragment - b.fragment)
          expect(find(kept)).toEqual(find(new VectorSearch()))
          expect(find(kept, 1000)).toEqual(find(new VectorSearch(), 1000))
        }
        opened.db.close()
      },
    ),
    { numRuns: 50 },
  )
})
