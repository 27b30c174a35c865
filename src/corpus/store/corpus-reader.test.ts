// Is what is read what was written, and is every value that was changed since noticed before anybody uses it?
import { describe, expect, it } from 'vitest'
import { makeBatch, type OpenStore, openStore, write } from '../../../test/support/documents.ts'
import { YoreError } from '../../model/errors.ts'
import { CorpusReader } from './corpus-reader.ts'
import { openForReading } from './open-database.ts'
import { packTexts } from './rows/text-blocks.ts'
import { detailsSum } from './schema.ts'

const guide = { path: 'docs/guide.md', title: 'Guide', sections: ['one two', 'three', 'four five six'] }
const notes = { path: 'notes.md', sections: ['seven'] }

/** Two documents in one batch; the second's rows are counted on from the first's. */
function openWritten(): OpenStore {
  const store = openStore()
  write(store, [notes, guide])
  return store
}

const fileOf = ({ reader }: OpenStore, path = guide.path): number => reader.fileByPath(path)?.id as number

/** The code of the error that a read by a new reader ends with; null when it gives something. */
function codeOf({ db }: OpenStore, read: (reader: CorpusReader) => unknown): string | null {
  try {
    read(new CorpusReader(db))
    return null
  } catch (cause) {
    if (cause instanceof YoreError) return cause.code
    throw cause
  }
}

describe('what was written', () => {
  it('is read back: files by id, by path and in the order of paths', () => {
    const { reader, ...store } = openWritten()
    expect(reader.files()).toMatchObject([
      { path: 'docs/guide.md', title: 'Guide', size: 27, contentHash: 'one two|three|four five six' },
      { path: 'notes.md', title: 'notes.md', language: 'markdown', status: null, role: null, inbound: 0 },
    ])
    const id = fileOf({ reader, ...store })
    expect(reader.file(id)).toEqual(reader.fileByPath('docs/guide.md'))
    expect([reader.hasFile('notes.md'), reader.hasFile('gone.md')]).toEqual([true, false])
    expect(reader.fileByPath('gone.md')).toBe(null)
    expect(reader.stamps()).toContainEqual({ path: 'notes.md', size: 5, mtime: 1, ctime: 1, inode: 1 })
  })

  it('is read back: sections with their place, their headings and their parent', () => {
    const store = openWritten()
    const [own, first, second] = store.reader.artifactsOf(fileOf(store))
    expect(own).toMatchObject({
      id: 'docs/guide.md',
      kind: 'markdown_module',
      name: 'Guide',
      anchor: null,
      level: 0,
      parent: null,
      tokens: 2,
    })
    expect(first).toMatchObject({ id: 'docs/guide.md#s1', anchor: 's1', level: 1, parent: own?.rowId })
    expect(second).toMatchObject({ lines: { start: 3, end: 3 }, ownLines: { start: 3, end: 3 }, tokens: 3 })
    expect([own?.headings, second?.headings]).toEqual([[], ['s2']])
    expect(store.reader.artifactById('docs/guide.md#s2')).toEqual(second)
    expect(store.reader.artifact(second?.rowId as number)).toEqual(second)
    expect(store.reader.artifactById('docs/guide.md#s9')).toBe(null)
    expect([first?.anchor, second?.anchor]).toEqual(['s1', 's2'])
  })

  it('is read back: a section that is only a heading has no lines of its own', () => {
    const store = openStore()
    const { documents, terms } = makeBatch([guide])
    const artifacts = documents[0]!.artifacts.map((one, at) => (at === 1 ? { ...one, ownLines: null } : one))
    store.writer.begin()
    store.writer.addBatch({ documents: [{ ...documents[0]!, artifacts }], terms })
    store.writer.commit()
    const lines = store.reader.artifactsOf(fileOf(store)).map(({ ownLines }) => ownLines?.start ?? null)
    expect(lines).toEqual([1, null, 3])
  })

  it('is read back: texts with their pieces, and fragments with the section that holds them', () => {
    const store = openWritten()
    const section = store.reader.artifactById('docs/guide.md#s2')
    expect(store.reader.text(section?.rowId as number)).toEqual({
      text: 'four five six',
      pieces: [{ start: 0, end: 13, lines: { start: 3, end: 3 }, tokens: 3 }],
    })
    const fragment = { artifact: section?.rowId, pieceStart: 0, pieceEnd: 1 }
    expect(store.reader.fragment(3)).toEqual({ id: 3, ...fragment })
    expect(store.reader.match(3)).toEqual({ artifact: section, pieceStart: 0, pieceEnd: 1 })
  })

  it('is counted', () => {
    const { reader } = openWritten()
    expect(reader.totals()).toEqual({ tokens: 7, bytes: 32 })
    expect((['files', 'artifacts', 'fragments'] as const).map((table) => reader.count(table))).toEqual([
      2, 4, 4,
    ])
    expect(openStore().reader.totals()).toEqual({ tokens: 0, bytes: 0 })
  })

  it('is found by a part of a heading', () => {
    const store = openWritten()
    expect(store.reader.namesLike(fileOf(store), 's')).toEqual(['s1', 's2'])
    expect(store.reader.namesLike(fileOf(store), 'x')).toEqual([])
    expect(store.reader.names(2)).toHaveLength(2)
    expect(store.reader.names(99).sort()).toEqual(['Guide', 'notes.md', 's1', 's2'])
  })

  it('is found under another name that leads to it, and a name that leads to itself ends', () => {
    const { reader, writer } = openWritten()
    expect(reader.otherNames()).toEqual(new Map())
    writer.setMeta('otherNames', { 'link.md': 'notes.md', 'self.md': 'self.md' })
    expect(reader.fileByPath('link.md')?.path).toBe('notes.md')
    expect(reader.fileByPath('self.md')).toBe(null)
  })

  it('is what was left out too, and where secrets were hidden', () => {
    const { reader, writer, db } = openWritten()
    const seen = { size: 3, mtime: 4, ctime: 5, inode: 6 }
    writer.replaceSkipped([
      { path: 'z.bin', reason: 'binary', detail: 'not text', seen },
      { path: 'a.md', reason: 'too-large', detail: '3 MB' },
    ])
    expect(reader.skipped()).toEqual([
      { path: 'a.md', reason: 'too-large', detail: '3 MB' },
      { path: 'z.bin', reason: 'binary', detail: 'not text' },
    ])
    expect(reader.refused()).toEqual([{ path: 'z.bin', reason: 'binary', detail: 'not text', seen }])
    writer.replaceDirectories([{ path: 'docs', mtime: 7 }])
    expect(reader.directories()).toEqual([{ path: 'docs', mtime: 7 }])
    const masks = '[{"line":2,"kind":"jwt"}]'
    const { detailsSum: sum } = detailsSum.seal({ path: 'notes.md', outline: null, masks, places: null })
    db.prepare("UPDATE files SET masks = ?, details_sum = ? WHERE path = 'notes.md'").run(masks, sum)
    expect(reader.masks()).toEqual([{ path: 'notes.md', line: 2, kind: 'jwt' }])
  })
})

describe('what changed by our own hand', () => {
  it('is seen by the next snapshot, whoever wrote it', () => {
    const store = openWritten()
    const id = fileOf(store)
    const other = new CorpusReader(openForReading(store.db.location() as string))
    const readers = [store.reader, other]
    const inboundOf = (reader: CorpusReader): number => reader.snapshot(() => reader.file(id)).inbound
    expect(readers.map(inboundOf)).toEqual([0, 0])
    const [one] = readers.map((reader) =>
      reader.snapshot(() => reader.text(reader.artifactsOf(id)[0]!.rowId)),
    )
    expect(store.reader.snapshot(() => store.reader.text(store.reader.artifactsOf(id)[0]!.rowId))).toBe(one)
    for (const inbound of [1, 2]) {
      store.writer.setAuthority(id, { inbound, rank: 0.5, successor: null })
      expect(readers.map(inboundOf)).toEqual([inbound, inbound])
    }
    other.close()
  })

  it('is no damage', () => {
    const store = openWritten()
    const id = fileOf(store)
    store.writer.touchFile({ path: guide.path, size: 8, mtime: 9, ctime: 10, inode: 11 })
    store.writer.setModifiedAt(guide.path, 12)
    store.writer.setAuthority(id, { inbound: 13, rank: 0.5, successor: 'notes.md' })
    const changed = { size: 8, mtime: 9, modifiedAt: 12, inbound: 13, rank: 0.5, successor: 'notes.md' }
    expect(new CorpusReader(store.db).file(id)).toMatchObject(changed)
    expect(store.reader.file(id)).toMatchObject(changed)
    const stamp = { path: guide.path, size: 8, mtime: 9, ctime: 10, inode: 11 }
    expect(store.reader.stamps()).toContainEqual(stamp)
    expect(store.reader.fileByPath('notes.md')).toMatchObject({ size: 5, inbound: 0, successor: null })
  })
})

describe('what changed by any other hand', () => {
  const shift = (column: string): string =>
    `CASE typeof(${column}) WHEN 'text' THEN ${column} || 'x' WHEN 'null' THEN 1 WHEN 'blob' THEN x'00' ELSE ${column} + 1 END`

  it.each([
    ...['language', 'size', 'mtime', 'content_hash', 'modified_at', 'title'],
    ...['status', 'inbound', 'rank', 'successor', 'role', 'path', 'sum'],
  ])('is noticed in %s of a file', (column) => {
    const store = openWritten()
    const id = fileOf(store)
    store.db.exec(`UPDATE files SET ${column} = ${shift(column)}`)
    expect(codeOf(store, (reader) => reader.file(id))).toBe('INDEX_DAMAGED')
    expect(codeOf(store, (reader) => reader.files())).toBe('INDEX_DAMAGED')
    expect(codeOf(store, (reader) => reader.fileByPath(reader.stamps()[0]!.path))).toBe('INDEX_DAMAGED')
  })

  it.each([
    ...['place', 'kind', 'name', 'anchor', 'level', 'headings', 'parent'],
    ...['line_start', 'line_end', 'own_start', 'own_end', 'tokens', 'sum'],
  ])('is noticed in %s of a section', (column) => {
    const store = openWritten()
    const { rowId } = store.reader.artifactById('docs/guide.md#s2')!
    store.db.exec(`UPDATE artifacts SET ${column} = ${shift(column)}`)
    expect(codeOf(store, (reader) => reader.artifact(rowId))).toBe('INDEX_DAMAGED')
    expect(codeOf(store, (reader) => reader.artifactsOf(fileOf(store)))).toBe('INDEX_DAMAGED')
    expect(codeOf(store, (reader) => reader.match(3))).toBe('INDEX_DAMAGED')
  })

  it.each(['pieces', 'hash', 'name', 'place'])('is noticed in %s of a text', (column) => {
    const store = openWritten()
    const { rowId } = store.reader.artifactById('docs/guide.md#s2')!
    store.db.exec(`UPDATE artifacts SET ${column} = ${shift(column)}`)
    expect(codeOf(store, (reader) => reader.text(rowId))).toBe('INDEX_DAMAGED')
  })

  it.each([
    ['another text', () => packTexts(['words', 'of', 'another', 'text'])[0]!.data],
    ['fewer texts', () => packTexts(['words'])[0]!.data],
    ['bytes that are no block', () => Buffer.from('words')],
    ['no block', null],
  ])('is noticed in a block with %s', (_, makeData) => {
    const store = openWritten()
    const { rowId } = store.reader.artifactById('docs/guide.md#s2')!
    if (makeData === null) store.db.exec('DELETE FROM texts')
    else store.db.prepare('UPDATE texts SET data = ?').run(makeData())
    expect(codeOf(store, (reader) => reader.text(rowId))).toBe('INDEX_DAMAGED')
  })

  it('is noticed where a text stands under another file', () => {
    const store = openWritten()
    const { rowId } = store.reader.artifactById('docs/guide.md#s2')!
    store.db.exec(`UPDATE artifacts SET file = ${fileOf(store, 'notes.md')}`)
    expect(codeOf(store, (reader) => reader.text(rowId))).toBe('INDEX_DAMAGED')
  })

  it.each(['artifact', 'piece_start', 'piece_end', 'sum'])('is noticed in %s of a fragment', (column) => {
    const store = openWritten()
    const change = column === 'artifact' ? 'artifact = 1' : `${column} = ${column} + 1`
    store.db.exec(`UPDATE fragments SET ${change} WHERE id = 3`)
    expect(codeOf(store, (reader) => reader.fragment(3))).toBe('INDEX_DAMAGED')
    expect(codeOf(store, (reader) => reader.match(3))).toBe('INDEX_DAMAGED')
  })

  it('is noticed in a row that was right when it was first read', () => {
    const store = openWritten()
    const id = fileOf(store)
    store.reader.file(id)
    store.db.exec('UPDATE files SET title = title || 1, sum = sum + 1')
    expect(() => store.reader.file(id)).toThrow('checksum mismatch')
  })

  it('is noticed where a row is missing', () => {
    const store = openWritten()
    for (const read of ['file', 'artifact', 'text', 'fragment', 'match'] as const)
      expect(codeOf(store, (reader) => reader[read](99))).toBe('INDEX_DAMAGED')
  })
})

describe('a snapshot', () => {
  it('sees one state, also where another begins inside it', () => {
    const { reader, db } = openWritten()
    const seen = reader.snapshot(() => [db.isTransaction, reader.snapshot(() => reader.count('files'))])
    expect(seen).toEqual([true, 2])
    expect(db.isTransaction).toBe(false)
  })

  it('ends where a read fails, and passes on what is no damage', () => {
    const { reader, db } = openWritten()
    const fail = (cause: unknown) => () => {
      throw cause
    }
    const own = new TypeError('ours')
    expect(() => reader.snapshot(fail(own))).toThrow(own)
    expect(db.isTransaction).toBe(false)
    const busy = Object.assign(new Error('database is locked'), { errcode: 5 })
    expect(() => reader.snapshot(fail(busy))).toThrow(busy)
  })

  it.each([
    ['a page that SQLite finds malformed', Object.assign(new Error('malformed'), { errcode: 11 })],
    ['an extended code of that', Object.assign(new Error('malformed'), { errcode: 11 + 256 })],
    ['a file that is no database', Object.assign(new Error('no database'), { errcode: 26 })],
    ['stored JSON that is none', new SyntaxError('Unexpected token')],
  ])('tells %s as a damaged index', (_, cause) => {
    const { reader } = openWritten()
    const read = (): never => {
      throw cause
    }
    expect(() => reader.snapshot(read)).toThrow(`cannot read the index: ${cause.message}`)
    expect(codeOf(openWritten(), (one) => one.snapshot(read))).toBe('INDEX_DAMAGED')
  })
})
