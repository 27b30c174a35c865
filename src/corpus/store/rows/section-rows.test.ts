// Is every list of sections and names whole and true, or refused? A bit flipped in each byte that holds one.
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createStore, makeBatch, type OpenStore } from '../../../../test/support/documents.ts'
import { atScale } from '../../../../test/support/scaled-runs.ts'
import type { MentionForm, Resolution } from '../../../model/reference.ts'
import { CorpusReader } from '../corpus-reader.ts'
import type { StoredMention } from './document-batch.ts'

const mention = (artifact: number, form: MentionForm, target: string): StoredMention => ({
  ...{ artifact, form, target },
  ...{ text: 'queue', line: artifact },
})
const missing: Resolution = { outcome: 'missing', candidates: [] }
const found = (section: string | null): Resolution => ({
  ...{ outcome: 'resolved', path: 'src/queue.py', anchor: null, confidence: 1, method: 'path' },
  section: section === null ? null : `src/queue.py#${section}`,
})

let store: OpenStore
let file: number
beforeEach(() => {
  const opened = createStore()
  onTestFinished(() => opened.close())
  store = opened
  const { documents, terms } = makeBatch([
    {
      path: 'docs/guide.md',
      sections: ['words', 'of', 'the', 'guide'],
      mentions: [1, 2, 3].map((artifact) => mention(artifact, 'link', '../src/queue.py')),
    },
    {
      path: 'src/queue.py',
      sections: ['a', 'b', 'c', 'd', 'e', 'f'],
      mentions: [1, 1, 2].map((artifact) => mention(artifact, 'link', '../nothing.md')),
    },
    {
      path: 'src/worker.py',
      sections: ['a', 'b', 'c'],
      mentions: [mention(1, 'code', 's2'), mention(2, 'link', 'queue.py')],
    },
    { path: 'notes.md', sections: ['last', 'words'], title: 'Notes of 2.0.0' },
  ])
  const inCode = documents.map((document) =>
    document.path.endsWith('.py')
      ? { ...document, artifacts: document.artifacts.map((artifact) => ({ ...artifact, code: 1 as const })) }
      : document,
  )
  store.writer.begin()
  store.writer.addBatch({ documents: inCode, terms })
  const { reader, writer } = store
  for (const row of [...reader.references().everything(), ...reader.references().inCode('all')]) {
    const { target } = row
    writer.resolveMention(row, target.endsWith('nothing.md') ? missing : found(target === 's2' ? 's2' : null))
  }
  store.writer.commit()
  file = store.reader.fileByPath('src/queue.py')?.id ?? 0
})

/** What each of these reads, by its name. */
const readings: Readings = {
  artifactsOf: (reader) => reader.artifactsOf(file).map((row) => ({ ...row, headings: row.headings })),
  namesLike: (reader) => reader.namesLike(file, 's'),
  names: (reader) => reader.names(99),
  definitionsNamed: (reader) => reader.references().definitionsNamed('s2'),
  'definitionsNamed of none': (reader) => reader.references().definitionsNamed('s25'),
  codeRows: (reader) =>
    reader
      .references()
      .codeRows('s', 99)
      .map(({ name }) => name),
}

it('reads what was written', () => {
  const { references, names, namesLike } = {
    references: store.reader.references(),
    names: store.reader.names(99),
    namesLike: store.reader.namesLike(file, 's'),
  }
  const five = ['s1', 's2', 's3', 's4', 's5']
  expect(names).toEqual([
    'docs/guide.md',
    's1',
    's2',
    's3',
    'src/queue.py',
    's4',
    's5',
    'src/worker.py',
    'Notes of 2.0.0',
  ])
  expect(store.reader.names(3)).toEqual(['docs/guide.md', 's1', 's2'])
  expect(namesLike).toEqual([...five, 'src/queue.py'])
  expect(references.definitionsNamed('s2').map(({ id }) => id)).toEqual([
    'src/queue.py#s2',
    'src/worker.py#s2',
  ])
  const named = (start: string, limit: number) => references.codeRows(start, limit).map(({ name }) => name)
  expect([...new Set(named('s', 99))]).toEqual([...five, 'src/queue.py', 'src/worker.py'])
  expect(named('s', 2)).toEqual(['s1', 's1'])
  expect(named('t', 9)).toEqual([])
})

it('has no sections of a file that is not there', () => {
  expect(store.reader.artifactsOf(99)).toEqual([])
})

it('finds that every row of a file is missing', () => {
  store.db.exec(`PRAGMA foreign_keys = OFF; DELETE FROM artifacts WHERE file = ${file}`)
  expect(() => store.reader.artifactsOf(file)).toThrow('checksum mismatch')
  expect(() => store.reader.names(99)).toThrow('checksum mismatch')
})

/** The bytes of these tables and indexes that hold something, as they lie in the file. */
function usedBytes(names: readonly string[]): number[] {
  const sql = `SELECT pageno, pgsize FROM dbstat WHERE name IN (${names.map(() => '?').join()})`
  const pages = store.db.prepare(sql).all(...names) as unknown as { pageno: number; pgsize: number }[]
  const bytes = readFileSync(store.indexPath)
  return pages.flatMap(({ pageno, pgsize }) => {
    const start = (pageno - 1) * pgsize
    // Without the number of entries of a page: a shorter page is found by `yore doctor` alone.
    const counted = [start + 3, start + 4]
    const used = Array.from({ length: pgsize }, (_, at) => start + at).filter((at) => bytes[at] !== 0)
    return used.filter((at) => !counted.includes(at))
  })
}

const slow = process.env['YORE_SLOW'] === '1'
const flippingMs = slow ? 1_200_000 : 120_000

type Readings = Readonly<Record<string, (reader: CorpusReader) => unknown>>

/** What is read of the file after each flip; `refused` for an error. */
function* readFlipped(
  tables: readonly string[],
  from: Readings,
): Generator<{ at: string; found: readonly string[] }> {
  store.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  // One byte of seven where tests are to be quick.
  const places = usedBytes(tables).filter((_, at) => atScale(1) === 1 || at % 7 === 0)
  store.db.close()
  const whole = readFileSync(store.indexPath)
  const read = (): string[] => {
    const db = new DatabaseSync(store.indexPath, { readOnly: true })
    const found = Object.values(from).map((reading) => {
      try {
        return JSON.stringify(reading(new CorpusReader(db)))
      } catch {
        return 'refused'
      }
    })
    db.close()
    return found
  }
  yield { at: 'nowhere', found: read() }
  const bits = slow ? [0, 1, 2, 3, 4, 5, 6, 7] : null
  for (const place of places)
    for (const bit of bits ?? [place % 8]) {
      const bytes = Buffer.from(whole)
      bytes[place] = (whole[place] as number) ^ (1 << bit)
      writeFileSync(store.indexPath, bytes)
      yield { at: `bit ${bit} of byte ${place}`, found: read() }
    }
}

it(
  'gives the truth or an error, whichever bit is flipped',
  () => {
    const tables = ['files', 'artifacts', 'artifacts_by_file', 'artifacts_of_code', 'artifacts_by_key']
    let truth: readonly string[] = []
    const wrong: string[] = []
    let refused = 0
    for (const { at, found } of readFlipped(tables, readings)) {
      if (at === 'nowhere') truth = found
      for (const [index, one] of found.entries())
        if (one === 'refused') refused++
        else if (one !== truth[index]) wrong.push(`${Object.keys(readings)[index]}, ${at}: ${one}`)
    }
    expect(wrong).toEqual([])
    expect(refused).toBeGreaterThan(0)
  },
  flippingMs,
)

/** Rows that are found through an index of SQLite's, which may lose one. */
const lookedUp: Readings = {
  to: (reader) => reader.references().to('src/queue.py'),
  of: (reader) => reader.references().of(reader.artifactsOf(file)[1]?.rowId ?? 0),
  naming: (reader) => reader.references().naming('src/queue.py', 'src/queue.py#s2'),
  broken: (reader) => reader.references().broken(),
  byPath: (reader) => reader.fileByPath('src/queue.py'),
  byId: (reader) => reader.artifactById('src/queue.py#s2'),
}

it(
  'finds in a check of everything what a look-up may miss',
  () => {
    const tables = ['files', 'sqlite_autoindex_files_1', 'artifacts', 'artifacts_by_key', 'mentions']
    const indexes = [
      'mentions_by_artifact',
      'mentions_by_path',
      'mentions_in_code_marks',
      'fragments_by_artifact',
    ]
    const all: Readings = { ...lookedUp, everything: (reader) => checkEverything(reader) }
    let truth: readonly string[] = []
    const unseen: string[] = []
    let missed = 0
    for (const { at, found } of readFlipped([...tables, ...indexes], all)) {
      if (at === 'nowhere') truth = found
      const wrong = found
        .slice(0, -1)
        .flatMap((one, index) => (one !== 'refused' && one !== truth[index] ? [index] : []))
      if (wrong.length > 0) missed++
      if (wrong.length > 0 && found.at(-1) !== 'refused')
        unseen.push(`${wrong.map((index) => Object.keys(all)[index])}, ${at}`)
    }
    expect(unseen).toEqual([])
    console.info(`${missed} flips that only a check of everything finds`)
  },
  flippingMs,
)

function checkEverything(reader: CorpusReader): number {
  for (const one of reader.files()) for (const { rowId } of reader.artifactsOf(one.id)) reader.text(rowId)
  return reader.checkRows()
}
