// Do a corpus file and its shards always belong together, whatever is read, swept or left between their commits?
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { CorpusReader } from './corpus-reader.ts'
import { type CorpusDatabase, shardOfPath, shardsOf } from './corpus-shards.ts'
import { type OpenStore, openStore, write } from './documents.fixture.ts'
import { openForReading } from './open-database.ts'
import { DecodedPostings } from './postings.ts'

/** The documents that hold a term. */
function holding(reader: CorpusReader, term: string): string[] {
  const list = new DecodedPostings()
  reader.lexical().read(term, list)
  const found = Array.from(list.fragments.subarray(0, list.length), (id) => reader.match(id).artifact.id)
  return found.sort()
}

/** Seven commits, so that the next one of a shard is merged with them. */
function fill(store: OpenStore): void {
  for (let number = 0; number < 7; number++)
    write(
      store,
      ['a', 'b', 'c', 'd'].map((name) => ({ path: `${name}${number}.md`, sections: ['word other'] })),
    )
}

const segmentsIn = (shard: DatabaseSync): number[] =>
  shard
    .prepare('SELECT DISTINCT segment FROM postings ORDER BY segment')
    .all()
    .map(({ segment }) => segment as number)

it('puts each document into one shard, and keeps its own file free of postings', () => {
  const store = openStore(3)
  fill(store)
  const folder = path.dirname(store.indexPath)
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toHaveLength(4)
  expect(store.db.prepare('SELECT count(*) AS n FROM postings').get()).toEqual({ n: 0 })
  const parts = new Set(Array.from({ length: 28 }, (_, at) => shardOfPath(`${at}.md`, 3)))
  expect([...parts].sort()).toEqual([0, 1, 2])
  expect(holding(store.reader, 'word')).toHaveLength(28)
  expect(store.reader.lexical().count('word')).toBe(28)
})

it('reads a whole newer state when shards are swept between the beginnings of its two transactions', () => {
  const store = openStore(2)
  fill(store)
  const db = openForReading(store.indexPath)
  const reader = new CorpusReader(db)
  const [shard] = shardsOf(db) as [DatabaseSync]
  const exec = shard.exec.bind(shard)
  let merged = 0
  Object.defineProperty(shard, 'exec', {
    value: (sql: string) => {
      // The reader has its state of the corpus file by now. Each shard gets its eighth segment.
      if (sql === 'BEGIN' && merged++ === 0)
        write(
          store,
          ['a', 'b', 'c', 'd'].map((name) => ({ path: `${name}7.md`, sections: ['word new'] })),
        )
      exec(sql)
    },
  })
  expect(reader.snapshot(() => [holding(reader, 'word').length, holding(reader, 'new').length])).toEqual([
    32, 4,
  ])
  expect(merged).toBeGreaterThan(1)
  reader.close()
})

it('does not read what a process left that was killed between a shard and the corpus file, and sweeps it', () => {
  const store = openStore(2)
  write(store, [{ path: 'a.md', sections: ['word'] }])
  const main = store.db as CorpusDatabase
  const exec = main.exec.bind(main)
  Object.defineProperty(main, 'exec', {
    configurable: true,
    value: (sql: string) => {
      if (sql === 'COMMIT') throw new Error('killed')
      exec(sql)
    },
  })
  expect(() => write(store, [{ path: 'a.md', sections: ['word ahead'] }])).toThrow('killed')
  Reflect.deleteProperty(main, 'exec')
  store.writer.rollback()
  expect(main.shards.flatMap(segmentsIn)).toHaveLength(2)
  expect([holding(store.reader, 'word'), holding(store.reader, 'ahead')]).toEqual([['a.md'], []])
  expect([store.reader.lexical().count('ahead'), store.reader.lexical().count('word')]).toEqual([0, 1])
  write(store, [{ path: 'b.md', sections: ['later'] }])
  expect([holding(store.reader, 'ahead'), holding(store.reader, 'later')]).toEqual([[], ['b.md']])
  expect(main.shards.flatMap(segmentsIn)).toHaveLength(2)
})

it('is damaged when a shard is an older copy than the corpus file', () => {
  const store = openStore(2)
  write(store, [{ path: 'a.md', sections: ['word'] }])
  const shard = shardsOf(store.db)[shardOfPath('a.md', 2)] as DatabaseSync
  const before = shard.prepare('SELECT * FROM meta').all() as unknown as {
    key: string
    value: string
    sum: number
  }[]
  write(store, [{ path: 'a.md', sections: ['word new'] }])
  for (const { key, value, sum } of before)
    shard.prepare('UPDATE meta SET value = ?, sum = ? WHERE key = ?').run(value, sum, key)
  expect(() => store.reader.lexical()).toThrow('not as it was written')
})
