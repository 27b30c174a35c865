// What holds of the whole index? Named values, each with a checksum.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { damaged, rowSum } from './row-sum.ts'

/** A named value; null when there is none. `prepare` may keep the statement. */
export function readMeta(
  db: DatabaseSync,
  key: string,
  prepare: (sql: string) => StatementSync = (sql) => db.prepare(sql),
): string | null {
  const row = prepare('SELECT value, sum FROM meta WHERE key = ?').get(key) as
    | { value: string; sum: number }
    | undefined
  if (row === undefined) return null
  if (rowSum(key, row.value) !== row.sum) throw damaged(`the value ${key}`)
  return row.value
}

export function writeMeta(db: DatabaseSync, key: string, value: string): void {
  db.prepare(
    'INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum',
  ).run(key, value, rowSum(key, value))
}

/** Lets readers see that something changed. */
export function raiseGeneration(db: DatabaseSync): void {
  writeMeta(db, 'generation', `${Number(readMeta(db, 'generation') ?? 0) + 1}`)
}
