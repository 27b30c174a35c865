// What do tests of versions work on? Folders that go away, real SQLite files, and random changes to them.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import { connectS3, type S3StoreOptions } from '../../src/versions/s3-store.ts'

/** Gone when the test has ended. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-versions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const hashFile = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')

export type Edit =
  | { readonly kind: 'insert'; readonly rows: number; readonly seed: number }
  | { readonly kind: 'update' | 'delete'; readonly every: number }
  | { readonly kind: 'vacuum' | 'nothing' }

export const editArbitrary: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      rows: fc.integer({ min: 1, max: 200 }),
      seed: fc.nat(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'delete' as const),
      every: fc.integer({ min: 2, max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('vacuum' as const, 'nothing' as const) }) },
)

/** As yore's own files are: write-ahead log, and closed. */
export function editDatabase(file: string, edits: readonly Edit[], pageSize = 1024): void {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF`)
  db.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)')
  const insert = db.prepare('INSERT INTO notes (text) VALUES (?)')
  for (const edit of edits) {
    if (edit.kind === 'insert') {
      db.exec('BEGIN')
      for (let row = 0; row < edit.rows; row++) insert.run(`note ${edit.seed} ${row} `.repeat(5))
      db.exec('COMMIT')
    } else if (edit.kind === 'update')
      db.prepare('UPDATE notes SET text = text || id WHERE id % ? = 0').run(edit.every)
    else if (edit.kind === 'delete') db.prepare('DELETE FROM notes WHERE id % ? = 0').run(edit.every)
    else if (edit.kind === 'vacuum') db.exec('VACUUM')
  }
  db.close()
}

/** Of the run's S3, as the environment of a node has them. */
export const keys = { AWS_ACCESS_KEY_ID: 'yorekey', AWS_SECRET_ACCESS_KEY: 'yoresecret' } as const
export const credentials = { accessKeyId: 'yorekey', secretAccessKey: 'yoresecret' } as const

/** Creates a bucket if it is missing. */
export async function createBucket({ endpoint, bucket }: S3StoreOptions): Promise<void> {
  const client = connectS3({ endpoint, bucket, sdk: { credentials } })
  await client.createBucket({ Bucket: bucket }).catch((cause) => {
    if (cause.$metadata?.httpStatusCode !== 409) throw cause
  })
}
