// Is each fault found, and is the command that fixes it named?
import { cpSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { ownProcess, TestCorpus } from '../../../test/support/corpus.ts'
import { damageTexts } from '../../../test/support/documents.ts'
import { takeWriterLock } from '../../corpus/store/ownership/writer-lock.ts'
import { rowSum } from '../../corpus/store/rows/checksum.ts'
import type { DoctorCheck } from '../../model/report.ts'
import { checkNode, runDoctor } from './run-doctor.ts'

const examine = ({ root, indexDir, settings }: TestCorpus): Promise<readonly DoctorCheck[]> =>
  runDoctor({ ...ownProcess, root, indexDir, settings, now: 0 })
const named = (checks: readonly DoctorCheck[], name: string): DoctorCheck | undefined =>
  checks.find((check) => check.name === name)

async function indexed(): Promise<TestCorpus> {
  const corpus = new TestCorpus({ 'a.md': '# A\n\nalpha\n', 'b.md': '# B\n\nbeta\n' })
  await corpus.index()
  return corpus
}

it('finds nothing wrong with a sound index', async () => {
  const checks = await examine(await indexed())
  expect(checks.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    'node ok',
    'lock ok',
    'index ok',
    'content ok',
    'files ok',
    'freshness ok',
  ])
  expect(checks.every(({ fix }) => fix === null)).toBe(true)
})

it('says that there is no index yet', async () => {
  expect(named(await examine(new TestCorpus({ 'a.md': '# A\n' })), 'index')).toMatchObject({
    verdict: 'problem',
    fix: 'yore index',
  })
})

it('finds text that no longer has its hash', async () => {
  const corpus = await indexed()
  const db = new DatabaseSync(path.join(corpus.indexDir, 'index.db'))
  damageTexts(db, 'beta', 'bet4')
  db.close()
  expect(named(await examine(corpus), 'content')).toMatchObject({
    verdict: 'problem',
    fix: 'yore index --rebuild',
  })
})

it('finds a row that no longer has its checksum', async () => {
  for (const sql of [
    "UPDATE files SET title = 'other'",
    'UPDATE artifacts SET line_end = line_end + 1',
    "UPDATE postings SET term = 'other' WHERE term = 'alpha'",
    'UPDATE mentions SET line = line + 1',
  ]) {
    const corpus = new TestCorpus({ 'a.md': '# A\n\nalpha [b](b.md)\n', 'b.md': '# B\n\nbeta\n' })
    await corpus.index()
    const db = new DatabaseSync(path.join(corpus.indexDir, 'index.db'))
    db.exec(sql)
    db.close()
    const fix = 'yore index --rebuild'
    expect([sql, named(await examine(corpus), 'content')]).toMatchObject([sql, { verdict: 'problem', fix }])
  }
})

it('finds a lock that is none, and one that was left', async () => {
  const corpus = await indexed()
  const place = path.join(corpus.indexDir, 'writer.lock')
  for (const text of ['garbage', '', '{"pid":4194305,"host":"here","started":"1","id":"1"}']) {
    writeFileSync(place, text)
    utimesSync(place, 1, 1)
    expect(named(await examine(corpus), 'lock')).toMatchObject({ verdict: 'warning', fix: 'yore index' })
    await corpus.index()
    expect(named(await examine(corpus), 'lock')).toMatchObject({ verdict: 'ok', found: 'free' })
  }
})

it('says who writes', async () => {
  const corpus = await indexed()
  const lock = takeWriterLock(corpus.indexDir)
  const found = expect.stringContaining(`process ${process.pid}`)
  expect(named(await examine(corpus), 'lock')).toMatchObject({ verdict: 'ok', found })
  await expect(corpus.index()).rejects.toMatchObject({ code: 'INDEX_LOCKED', message: found })
  lock.release()
})

it('finds a Node whose SQLite is too old', () => {
  expect(checkNode({ node: '24.18.1', sqlite: '3.53.1' })).toMatchObject({
    verdict: 'problem',
    fix: expect.stringContaining('24.19'),
  })
})

it('finds a file that is no index, and one of another folder', async () => {
  const corpus = await indexed()
  const copy = new TestCorpus({ 'a.md': '# A\n' })
  cpSync(corpus.indexDir, copy.indexDir, { recursive: true })
  expect(named(await examine(copy), 'index')).toMatchObject({
    verdict: 'problem',
    fix: expect.stringContaining(`--root ${corpus.root}`),
  })
  for (const suffix of ['-wal', '-shm'])
    rmSync(path.join(copy.indexDir, `index.db${suffix}`), { force: true })
  writeFileSync(
    path.join(copy.indexDir, 'index.db'),
    'no database at all, but long enough to look like one'.repeat(50),
  )
  expect(named(await examine(copy), 'index')).toMatchObject({
    verdict: 'problem',
    fix: 'yore index --rebuild',
  })
})

it('says that files changed since', async () => {
  const corpus = await indexed()
  corpus.write({ 'a.md': '# A\n\nchanged\n' })
  expect(named(await examine(corpus), 'freshness')).toMatchObject({
    verdict: 'warning',
    found: '1 changed since indexing',
    fix: 'yore index',
  })
})

it('names a file that could not be read, with the reason', async () => {
  const corpus = await indexed()
  const db = new DatabaseSync(path.join(corpus.indexDir, 'index.db'))
  const skipped = ['closed', 'unreadable', 'no permission to read it'] as const
  db.prepare('INSERT INTO skipped VALUES (?, ?, ?, NULL, NULL, NULL, NULL, ?)').run(
    ...skipped,
    rowSum(...skipped, null, null, null, null),
  )
  db.close()
  expect(named(await examine(corpus), 'files')).toMatchObject({
    verdict: 'warning',
    found: '1 cannot be read, for example closed: no permission to read it',
    fix: 'yore status --skipped',
  })
})

it('tells an index that was never completed from one that holds nothing', async () => {
  const corpus = new TestCorpus({ 'a.md': '# A\n\nalpha\n', 'b.md': '# B\n\nbeta\n' })
  corpus.begin()
  expect(named(await examine(corpus), 'freshness')).toMatchObject({
    verdict: 'problem',
    found: expect.stringContaining('not complete, 2 files are missing'),
    fix: 'yore index',
  })
})
