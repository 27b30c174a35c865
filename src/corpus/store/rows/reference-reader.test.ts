// Are references found from both ends, and the doubtful ones when names change?
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createStore, type OpenStore, write } from '../../../../test/support/documents.ts'
import type { Resolution } from '../../../model/reference.ts'
import { CorpusReader } from '../corpus-reader.ts'
import { mentionOf } from './reference-reader.ts'

const link = (artifact: number, target: string, line: number, form: 'link' | 'id' | 'image' = 'link') =>
  ({ artifact, form, text: target, target, line }) as const
const resolved = (
  path: string,
  change: Partial<Extract<Resolution, { outcome: 'resolved' }>> = {},
): Resolution => ({
  outcome: 'resolved',
  path,
  section: null,
  anchor: null,
  confidence: 1,
  method: 'path',
  ...change,
})

let store: OpenStore
beforeEach(() => {
  const opened = createStore()
  onTestFinished(() => opened.close())
  store = opened
  const mentions = [
    link(0, 'b.md', 1),
    link(1, 'b.md#s1', 2),
    link(1, 'ADR-7', 2, 'id'),
    link(1, 'gone.md', 2),
    link(1, '#here', 2),
    link(0, 'x.png', 1, 'image'),
    link(0, 'https://example.com', 1),
  ]
  write(store, [
    { path: 'a.md', sections: ['one', 'two'], mentions },
    { path: 'b.md', sections: ['one', 'two'], mentions: [link(0, 'a.md', 1)] },
  ])
  const outcomes: Resolution[] = [
    resolved('b.md'),
    resolved('b.md', { section: 'b.md#s1', anchor: 's1', confidence: 0.9, method: 'site' }),
    { outcome: 'ambiguous', candidates: ['b.md', 'c.md'] },
    { outcome: 'missing', candidates: [] },
    { outcome: 'self', candidates: [] },
    { outcome: 'external', candidates: [] },
    { outcome: 'external', candidates: [] },
    resolved('a.md', { anchor: 'lost' }),
  ]
  for (const [index, row] of [...store.reader.references().everything()].entries())
    store.writer.resolveMention(row, outcomes[index] as Resolution)
})

const targets = (rows: readonly { target: string }[]): string[] => rows.map(({ target }) => target)

it('gives the references of a section, and those to a document from others', () => {
  const references = store.reader.references()
  const [file] = store.reader.files()
  const [module] = store.reader.artifactsOf(file?.id ?? 0)
  expect(targets(references.of(module?.rowId ?? 0))).toEqual(['b.md', 'x.png', 'https://example.com'])
  expect(references.to('b.md').map(({ origin, line }) => `${origin}:${line}`)).toEqual([
    'a.md:1',
    'a.md#s1:2',
  ])
})

it('gives what is wrong: broken and ambiguous ones, and lost anchors', () => {
  const references = store.reader.references()
  expect(targets(references.broken())).toEqual(['ADR-7', 'gone.md'])
  expect(targets(references.lostAnchors())).toEqual(['a.md'])
  expect(references.countInside()).toBe(6)
})

it('gives as stale what led to a changed document, and what is not resolved', () => {
  write(store, [{ path: 'c.md', sections: ['x'], mentions: [link(0, 'a.md', 1)] }])
  const rows = [...store.reader.references().stale(['b.md'], false)]
  expect(rows.map(({ originPath, target }) => `${originPath} ${target}`)).toEqual([
    'a.md b.md',
    'a.md b.md#s1',
    'c.md a.md',
  ])
})

it('gives as stale, when names have changed, all but certain paths, images and places in the same document', () => {
  const rows = [...store.reader.references().stale([], true)]
  expect(targets(rows)).toEqual(['b.md#s1', 'ADR-7', 'gone.md', 'https://example.com'])
  expect(
    targets([...store.reader.references().stale(['b.md'], true)]).filter((target) =>
      target.startsWith('b.md'),
    ),
  ).toEqual(['b.md', 'b.md#s1'])
})

it('counts edges between documents once for each pair, with the number of references', () => {
  const [a, b] = store.reader.files().map(({ id }) => id)
  expect(store.reader.references().documentEdges()).toEqual([
    { from: a, to: b, count: 2 },
    { from: b, to: a, count: 1 },
  ])
})

it('lists documents for the resolver', () => {
  const references = store.reader.references()
  const rows = references.catalogue()
  expect(rows.map(({ path, title, frontmatter }) => [path, title, frontmatter])).toEqual([
    ['a.md', 'a.md', '{}'],
    ['b.md', 'b.md', '{}'],
  ])
})

it('gives back the mention inside a row', () => {
  const [row] = store.reader.references().everything()
  expect(row === undefined ? null : mentionOf(row)).toEqual({
    origin: 'a.md',
    form: 'link',
    text: 'b.md',
    target: 'b.md',
    line: 1,
  })
})

it('gives the references to one section alone', () => {
  expect(targets(store.reader.references().toSection('b.md', 'b.md#s1'))).toEqual(['b.md#s1'])
  expect(store.reader.references().toSection('b.md', 'b.md#s2')).toEqual([])
})

it.each([
  ...['artifact', 'other_form', 'text', 'other_target', 'line', 'other_outcome', 'path_id'],
  ...['place', 'confidence', 'method', 'candidates', 'sum'],
])('notices that %s of a reference is not as it was written', (column) => {
  const changed = `CASE typeof(${column}) WHEN 'null' THEN 1 WHEN 'text' THEN ${column} || 'x' ELSE ${column} + 1 END`
  store.db.exec(`UPDATE mentions SET ${column} = ${changed} WHERE target = 'b.md#s1'`)
  expect(() => [...new CorpusReader(store.db).references().everything()]).toThrow('checksum mismatch')
})

it.each(['title', 'rank', 'successor', 'frontmatter', 'frontmatter_sum'])(
  'notices that %s of a document is not as it was written, before it resolves anything by it',
  (column) => {
    expect(new CorpusReader(store.db).references().catalogue()).toHaveLength(2)
    store.db.exec(`UPDATE files SET ${column} = coalesce(${column}, '') || 1`)
    expect(() => new CorpusReader(store.db).references().catalogue()).toThrow('checksum mismatch')
  },
)
