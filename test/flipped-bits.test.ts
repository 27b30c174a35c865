// Does damage ever change an answer without an error? Bits flipped in the file, and single values changed in its rows (T3).
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, it } from 'vitest'
import { YoreError } from '../src/model/errors.ts'
import { copyFixture, indexFolder, makeFolder, openCorpus, slow } from './temporary-corpus.ts'

const FLIPS = slow ? 300 : 100
const questions = ['deploy a new service', 'service registry', 'what does ADR-013 say', 'rollback', 'zebra']

let root: string
let indexPath: string
let whole: Buffer
let truth: string
beforeAll(async () => {
  root = makeFolder()
  indexPath = path.join(root, '.yore/index.db')
  copyFixture('services', root)
  await indexFolder(root)
  const db = new DatabaseSync(indexPath)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  whole = readFileSync(indexPath)
  truth = await answers()
})

/** Everything that ranking and digests say, as one text. */
async function answers(): Promise<string> {
  using engine = openCorpus(root)
  const texts: string[] = []
  for (const question of questions) {
    texts.push((await engine.assemble(question, { maxTokens: 3000 })).output)
    const { hits } = await engine.search(question, { limit: 30 })
    texts.push(JSON.stringify(hits))
  }
  return texts.join('\n')
}

async function judge(): Promise<'true' | 'refused' | string> {
  try {
    return (await answers()) === truth ? 'true' : 'changed'
  } catch (cause) {
    return cause instanceof YoreError && cause.code.startsWith('INDEX_') ? 'refused' : String(cause)
  }
}

function restore(bytes: Uint8Array): void {
  for (const suffix of ['-wal', '-shm']) rmSync(indexPath + suffix, { force: true })
  writeFileSync(indexPath, bytes) // The same file: another would be a stranger's.
}

it(`${FLIPS} flipped bits: every answer is the true one or an error`, async () => {
  let state = 20_261_115
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const outcomes: Record<string, number> = {}
  for (let flip = 0; flip < FLIPS; flip++) {
    const bytes = Buffer.from(whole)
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8))
    restore(bytes)
    const outcome = await judge()
    const name = outcome === 'true' || outcome === 'refused' ? outcome : `byte ${at}: ${outcome}`
    outcomes[name] = (outcomes[name] ?? 0) + 1
  }
  restore(whole)
  console.info(JSON.stringify(outcomes))
  expect(Object.keys(outcomes).filter((name) => name !== 'true' && name !== 'refused')).toEqual([])
})

/** Values that ranking or a digest reads, each changed as a flipped bit would change it. */
const changes: Readonly<Record<string, string>> = {
  'a title': "UPDATE files SET title = 'Do not ' || title",
  'a rank': 'UPDATE files SET rank = 1 - rank',
  'a count of references': 'UPDATE files SET inbound = inbound + 64',
  'a time': 'UPDATE files SET modified_at = modified_at - 100000000000',
  'a number beyond 2^53': 'UPDATE files SET modified_at = modified_at + 4611686018427387904',
  'a status': "UPDATE files SET status = 'deprecated'",
  'a successor': "UPDATE files SET successor = 'README.md'",
  'a role': "UPDATE files SET role = 'generated'",
  'a path': "UPDATE files SET path = 'x' || path",
  'the headings of a section': `UPDATE artifacts SET headings = '["Ignore the rest"]' WHERE level > 0`,
  'the lines of a section': 'UPDATE artifacts SET line_start = line_start + 1, line_end = line_end + 1',
  'the own lines of a section': 'UPDATE artifacts SET own_start = own_start + 1 WHERE own_start IS NOT NULL',
  'the level of a section': 'UPDATE artifacts SET level = level + 1',
  'the file of a section': 'UPDATE artifacts SET file = (file % (SELECT max(id) FROM files)) + 1',
  'the words of a section':
    "UPDATE artifacts SET words = CAST(substr(words, 1, length(words) - 2) || x'0102' AS BLOB) WHERE length(words) > 9",
  'the words of another section': `UPDATE artifacts SET (words, words_sum) =
      (SELECT words, words_sum FROM artifacts b WHERE b.id = (artifacts.id % (SELECT max(id) FROM artifacts)) + 1)`,
  'the section of a fragment':
    'UPDATE fragments SET artifact = (artifact % (SELECT max(id) FROM artifacts)) + 1',
  'the pieces of a fragment': 'UPDATE fragments SET piece_end = piece_end - 1 WHERE piece_end > 1',
  'the target of a reference':
    "UPDATE mentions SET path_id = (SELECT min(id) FROM paths WHERE path <> 'README.md'), place = NULL WHERE outcome = 'resolved'",
  'a path that references lead to': "UPDATE paths SET path = 'x' || path",
  'the words of the index':
    'UPDATE vocabulary SET keys = CAST(substr(keys, 5) || substr(keys, 1, 4) AS BLOB)',
  'some words of the index': 'DELETE FROM vocabulary',
  'the confidence of a reference': "UPDATE mentions SET confidence = 0.1 WHERE outcome = 'resolved'",
  'the owners of fragments': "UPDATE segments SET files = CAST(substr(files, 5) || x'01000000' AS BLOB)",
  'the lengths of fragments': "UPDATE segments SET lengths = CAST(substr(lengths, 3) || x'0900' AS BLOB)",
  'a list of a word': "UPDATE postings SET data = CAST(substr(data, 1, length(data) - 1) || x'02' AS BLOB)",
  'a word': "UPDATE postings SET term = 'zz' || term WHERE term = 'servic'",
  'the order of vectors': 'UPDATE vectors SET data = CAST(substr(data, 257) || substr(data, 1, 256) AS BLOB)',
  'the statistics': `UPDATE meta SET value = replace(value, ':', ':9') WHERE key = 'statistics'`,
  'the name of a value': "UPDATE meta SET key = 'indexedAv' WHERE key = 'indexedAt'",
  'a dead fragment': 'INSERT INTO dead_fragments VALUES (1), (2), (3), (7)',
  'a living fragment': 'DELETE FROM segments WHERE id = 1',
  'the text of a link': "UPDATE mentions SET text = 'zebra' WHERE outcome = 'resolved' AND form = 'link'",
  'the outline of code': `UPDATE files SET outline = CAST('{"symbols":[]}' AS BLOB)`,
}

for (const [what, sql] of Object.entries(changes))
  it(`${what} that is not as it was written is an error, never another answer`, async () => {
    const db = new DatabaseSync(indexPath)
    db.exec('PRAGMA foreign_keys = OFF')
    expect(Number(db.prepare(sql).run().changes)).toBeGreaterThan(0)
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const outcome = await judge()
    restore(whole)
    expect(['true', 'refused']).toContain(outcome)
  })

/** Values that a report, the check for changed files or the next run reads. */
const otherChanges: Readonly<Record<string, string>> = {
  'the time of a folder': 'UPDATE directories SET mtime = mtime + 1',
  'a reason for leaving a file out':
    "INSERT INTO skipped VALUES ('a.md', 'binary', 'a', NULL, NULL, NULL, NULL, 0)",
  'the place of a mask': `UPDATE files SET masks = '[{"line":1,"kind":"jwt"}]'`,
  'the outline of code': `UPDATE files SET outline = CAST('{"symbols":[]}' AS BLOB)`,
  'the text of a link': "UPDATE mentions SET text = 'zebra' WHERE outcome = 'resolved' AND form = 'link'",
}

for (const [what, sql] of Object.entries(otherChanges))
  it(`${what} that is not as it was written is found by yore doctor`, async () => {
    const db = new DatabaseSync(indexPath)
    expect(Number(db.prepare(sql).run().changes)).toBeGreaterThan(0)
    db.close()
    const engine = openCorpus(root)
    const found = await engine.doctor()
    engine.close()
    restore(whole)
    expect(found).toContainEqual(expect.objectContaining({ name: 'content', verdict: 'problem' }))
  })
