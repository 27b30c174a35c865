// Do documents get in whole, out whole, and not at all when a transaction is given up?
import { expect, it } from 'vitest'
import { createStore, makeBatch, openStore, write } from './documents.fixture.ts'
import { openForReading } from './open-database.ts'
import type { ReferenceRow } from './reference-reader.ts'

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
    store.db.exec("UPDATE artifacts SET text = 'alpha bet4' WHERE text = 'alpha beta'")
    expect(() => store.reader.text(row?.rowId ?? 0)).toThrow('does not match its hash')
  } finally {
    store.close()
  }
})
