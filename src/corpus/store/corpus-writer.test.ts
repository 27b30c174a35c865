// Do documents get in whole, out whole, and not at all when a transaction is given up?
import { describe, expect, it } from 'vitest'
import {
  createStore,
  damageTexts,
  makeBatch,
  type OpenStore,
  openStore,
  write,
} from '../../../test/support/documents.ts'
import { YoreError } from '../../model/errors.ts'
import { openForReading } from './open-database.ts'
import { isOfOneDocument } from './ownership/check-permission.ts'
import { DecodedPostings } from './postings/postings.ts'
import type { DocumentBatch } from './rows/document-batch.ts'
import type { ReferenceRow } from './rows/reference-reader.ts'

const alpha = { path: 'a.md', sections: ['alpha beta', 'gamma'] }
const beta = { path: 'b.md', sections: ['beta'] }

it('shows a document to other readers only after the commit', () => {
  const store = openStore()
  const other = openForReading(store.indexPath)
  const count = (): number => (other.prepare('SELECT count(*) AS n FROM files').get() as { n: number }).n
  store.writer.begin()
  store.writer.addBatch(makeBatch([alpha]))
  expect(count()).toBe(0)
  store.writer.commit()
  expect(count()).toBe(1)
  other.close()
})

it('leaves nothing of a transaction that is rolled back', () => {
  const store = openStore()
  write(store, [alpha])
  store.writer.begin()
  store.writer.removeDocument('a.md')
  store.writer.addBatch(makeBatch([beta]))
  store.writer.rollback()
  expect(store.reader.files().map(({ path }) => path)).toEqual(['a.md'])
  write(store, [beta])
  expect(store.reader.files().map(({ path }) => path)).toEqual(['a.md', 'b.md'])
})

it('replaces a document of the same path, with everything that belonged to it', () => {
  const store = openStore()
  const mentions = [{ artifact: 1, form: 'link', text: 'b', target: 'b.md', line: 2 } as const]
  write(store, [{ ...alpha, mentions }])
  write(store, [{ path: 'a.md', sections: ['delta'] }])
  for (const [table, rows] of [
    ['files', 1],
    ['artifacts', 1],
    ['fragments', 1],
    ['mentions', 0],
  ] as const)
    expect([
      table,
      (store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n,
    ]).toEqual([table, rows])
})

it('keeps the last of two documents of one path in one batch', () => {
  const store = openStore()
  write(store, [alpha, { path: 'a.md', sections: ['omega'] }])
  expect(store.reader.count('artifacts')).toBe(1)
  const [file] = store.reader.files()
  expect(store.reader.artifactsOf(file?.id ?? 0)).toMatchObject([{ id: 'a.md' }])
})

describe('a document that the index refuses', () => {
  /** Two of its sections have the same id. */
  const refusing = (documents: Parameters<typeof makeBatch>[0], path: string): DocumentBatch => {
    const { documents: made, terms } = makeBatch(documents)
    const twice = made.map((one) =>
      one.path === path
        ? { ...one, artifacts: one.artifacts.map((artifact) => ({ ...artifact, id: path })) }
        : one,
    )
    return { documents: twice, terms }
  }
  const fragmentsOf = (store: OpenStore, term: string): number[] => {
    const list = new DecodedPostings()
    store.reader.lexical().read(term, list)
    return Array.from(list.fragments.subarray(0, list.length))
  }

  it('is skipped with its path and reason, and the rest of its batch is stored', () => {
    const store = openStore()
    const batch = refusing([beta, alpha, { path: 'c.md', sections: ['beta', 'alpha'] }], 'a.md')
    store.writer.begin()
    expect(store.writer.addBatch(batch)).toEqual([
      {
        path: 'a.md',
        reason: 'not-stored',
        detail: 'the index refused it: UNIQUE constraint failed: artifacts.key',
      },
    ])
    store.writer.commit()
    expect(store.reader.files().map(({ path }) => path)).toEqual(['b.md', 'c.md'])
    expect([fragmentsOf(store, 'beta'), fragmentsOf(store, 'alpha')]).toEqual([[0, 3], [4]])
    const { livingFragments, livingDocuments } = store.reader.lexical()
    expect([livingFragments, livingDocuments]).toEqual([3, 2])
    for (const table of ['artifacts', 'fragments'] as const)
      expect(store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 3 })
  })

  it('takes the place of nothing: what was stored of it before is gone', () => {
    const store = openStore()
    write(store, [alpha, beta])
    store.writer.begin()
    expect(store.writer.addBatch(refusing([alpha], 'a.md'))).toHaveLength(1)
    store.writer.commit()
    expect(store.reader.files().map(({ path }) => path)).toEqual(['b.md'])
    write(store, [alpha])
    expect(fragmentsOf(store, 'gamma')).toHaveLength(1)
  })

  it('is told from a disk, a lock or an index that fails', () => {
    const of = (errcode: number): boolean => isOfOneDocument(Object.assign(new Error('x'), { errcode }))
    expect([19, 2067, 18, 20].map(of)).toEqual([true, true, true, true])
    expect([5, 6, 7, 8, 10, 11, 13, 14, 26, 778].map(of)).not.toContain(true)
    expect(isOfOneDocument(new YoreError('INDEX_DAMAGED', 'x'))).toBe(false)
    expect(isOfOneDocument(new RangeError('Invalid string length'))).toBe(true)
  })
})

it('says whether there was something to remove', () => {
  const store = openStore()
  write(store, [alpha])
  store.writer.begin()
  expect([store.writer.removeDocument('a.md'), store.writer.removeDocument('a.md')]).toEqual([true, false])
  store.writer.commit()
  expect(store.reader.count('files')).toBe(0)
})

it('counts generations, one for each commit', () => {
  const store = openStore()
  write(store, [alpha])
  const before = Number(store.reader.meta('generation'))
  write(store, [beta])
  expect(Number(store.reader.meta('generation'))).toBe(before + 1)
})

it('writes a resolution with its reasons, and takes it back', () => {
  const store = openStore()
  const mentions = [{ artifact: 0, form: 'link', text: 'b', target: 'b.md#s', line: 1 } as const]
  write(store, [{ ...alpha, mentions }, beta])
  const [pending] = store.reader.references().everything()
  expect(pending?.outcome).toBe('pending')
  const resolved = {
    outcome: 'resolved',
    path: 'b.md',
    section: null,
    anchor: 's',
    confidence: 1,
    method: 'path',
  } as const
  store.writer.resolveMention(pending as ReferenceRow, resolved)
  expect([...store.reader.references().everything()][0]).toMatchObject(resolved)
  store.writer.resolveMention(pending as ReferenceRow, { outcome: 'ambiguous', candidates: ['b.md', 'c.md'] })
  expect([...store.reader.references().everything()][0]).toMatchObject({
    outcome: 'ambiguous',
    path: null,
    confidence: null,
    candidates: ['b.md', 'c.md'],
  })
})

it('gives back the very text that was written, and refuses one that was tampered with', () => {
  const store = createStore()
  try {
    write(store, [alpha])
    const [file] = store.reader.files()
    const [row] = store.reader.artifactsOf(file?.id ?? 0)
    expect(store.reader.text(row?.rowId ?? 0).text).toBe('alpha beta')
    damageTexts(store.db, 'beta', 'bet4')
    expect(() => store.reader.text(row?.rowId ?? 0)).toThrow('does not match its hash')
  } finally {
    store.close()
  }
})
