// Are the names of documents in the parts that edits leave those of the documents?
import { expect, it } from 'vitest'
import { openStore, type PlainDocument, write } from '../../../../test/support/documents.ts'
import { resolveQuestion } from '../../resolve/question/resolve-question.ts'
import { CorpusReader } from '../corpus-reader.ts'

const pathOf = (number: number): string => `docs/${String(number).padStart(3, '0')}-page.md`
const page = (number: number, title: string): PlainDocument => ({
  path: pathOf(number),
  title,
  sections: ['words', 'more words'],
})

it('packs an edited part alone, and answers as if all were packed anew', () => {
  const store = openStore()
  const references = store.reader.references()
  const change = (documents: readonly PlainDocument[], removed: readonly string[] = []): number => {
    const idsBefore = ids()
    write(store, documents, removed)
    store.writer.begin()
    store.writer.setNames(references, [], [...documents.map(({ path }) => path), ...removed])
    store.writer.commit()
    return [...ids()].filter((id) => !idsBefore.has(id)).length
  }
  const ids = (): Set<unknown> =>
    new Set(
      store.db
        .prepare('SELECT first, sum FROM names')
        .all()
        .map(({ first, sum }) => `${first} ${sum}`),
    )
  const ask = (): unknown => {
    const questions = ['the zebra page', 'what does the walrus handbook page say', pathOf(7), 'zebra', 'page']
    const answer = (reader: CorpusReader): unknown =>
      questions.map((text) => resolveQuestion(text, reader.documentNames([])))
    const found = answer(store.reader)
    const sum = store.reader.meta('namesSum')
    store.writer.setMeta('namesSum', '')
    expect(found).toEqual(answer(new CorpusReader(store.db)))
    store.writer.setMeta('namesSum', String(sum))
    return found
  }
  expect(change(Array.from({ length: 300 }, (_, number) => page(number, `Title ${number}`)))).toBe(3)
  ask()
  expect(change([page(140, 'Zebra')])).toBe(1)
  expect(JSON.stringify(ask())).toContain(pathOf(140))
  expect(change([page(7, 'Walrus handbook'), page(299, 'Zebra')])).toBe(2)
  ask()
  // Before the first part, behind the last one, and more than one part holds.
  expect(change([{ ...page(0, 'Walrus'), path: 'a.md' }, page(999, 'Last')])).toBe(3)
  ask()
  const all = Array.from({ length: 300 }, (_, number) => pathOf(number))
  expect(change([], all.slice(0, 299))).toBe(2)
  ask()
  expect(change([], [...all, 'a.md', pathOf(999)])).toBe(0)
  ask()
  expect(change([page(1, 'Zebra')])).toBe(1)
  ask()
})

it('knows a part that is not as it was written, and one that is missing', () => {
  for (const damage of ['UPDATE names SET data = zeroblob(200)', 'DELETE FROM names WHERE id = 1']) {
    const store = openStore()
    write(store, [page(1, 'Zebra')])
    store.writer.begin()
    store.writer.setNames(store.reader.references(), [], null)
    store.writer.commit()
    expect(store.reader.checkRows()).toBeGreaterThan(0)
    store.db.exec(damage)
    expect(() => store.reader.documentNames([])).toThrow('checksum mismatch')
    expect(() => store.reader.checkRows()).toThrow('checksum mismatch')
  }
})
