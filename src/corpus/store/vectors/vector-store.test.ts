// Do vectors come back as they were written, and is it known which fragments have none?
import { expect, it } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { openStore, write } from '../../../../test/support/documents.ts'
import { VectorStore } from './vector-store.ts'

const row = (fragments: readonly number[]) => ({
  dimensions: 32,
  fragments: Uint32Array.from(fragments),
  data: Uint8Array.from({ length: fragments.length * 16 }, (_, at) => at),
})

it('gives back rows of one model in the order in which they were written', () => {
  const store = new VectorStore(openStore().db)
  store.add('m', row([3, 4]))
  store.add('other', row([3]))
  store.add('m', row([1]))
  const rows = [...store.rows('m')]
  expect(rows.map(({ fragments }) => [...fragments])).toEqual([[3, 4], [1]])
  expect(rows[0]).toMatchObject(row([3, 4]))
})

it('knows which living fragments have no vector of a model', () => {
  const opened = openStore()
  write(opened, [{ path: 'a.md', sections: ['one', 'two', 'three'] }])
  const store = new VectorStore(opened.db)
  expect(store.pending('m')).toEqual({ total: 3, ids: [0, 1, 2] })
  store.add('m', row([0, 2]))
  expect(store.pending('m')).toEqual({ total: 3, ids: [1] })
  expect(store.pending('other').ids).toEqual([0, 1, 2])
  write(opened, [{ path: 'a.md', sections: ['one'] }])
  expect(store.pending('m')).toEqual({ total: 1, ids: [3] })
})

it('gives the text of a fragment with its title and headings', () => {
  const opened = openStore()
  write(opened, [{ path: 'a.md', title: 'Guide', sections: ['one', 'two three'] }])
  const [second, first] = [...new VectorStore(opened.db).fragments([1, 0])]
  expect(second).toEqual({ id: 1, title: 'Guide', headings: ['s1'], text: 'two three' })
  expect(first).toEqual({ id: 0, title: 'Guide', headings: [], text: 'one' })
})

it('reads a long text once for all its fragments', () => {
  const opened = openStore()
  const text = 'A line of a long log. '.repeat(30_000)
  write(opened, [{ path: 'a.md', sections: [text] }])
  const add = opened.db.prepare('INSERT INTO fragments VALUES (?, 1, 0, 1, 0, 0)')
  const ids = Array.from({ length: 1000 }, (_, at) => at + 1)
  for (const id of ids) add.run(id)
  const store = new VectorStore(opened.db)
  const timeOf = (wanted: readonly number[]): number => {
    const started = processorTime()
    for (const fragment of store.fragments(wanted)) expect(fragment.text).toHaveLength(text.length)
    return processorTime() - started
  }
  const once = Math.max(1, ...[1, 2, 3].map((id) => timeOf([id])))
  expect(timeOf(ids)).toBeLessThan(100 * once)
})

it('forgets the vectors of fragments that are gone, once they are half of a row', () => {
  const opened = openStore()
  write(opened, [{ path: 'a.md', sections: ['one', 'two', 'three'] }])
  const store = new VectorStore(opened.db)
  store.add('m', row([0, 1, 900]))
  store.add('m', row([2, 901, 902]))
  store.add('m', row([903]))
  store.add('other', row([904]))
  store.sweep('m', (write) => write())
  const kept = (model: string): number[][] => [...store.rows(model)].map(({ fragments }) => [...fragments])
  expect(kept('m')).toEqual([[0, 1, 900], [2]])
  expect(kept('other')).toEqual([[904]])
})
