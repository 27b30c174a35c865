// What holds of the whole index? Named values, each with a checksum.
import type { DatabaseSync } from 'node:sqlite'
import type { Prepare } from './keep-statements.ts'
import { damaged, rowSum } from './row-sum.ts'

/** A named value; null when there is none. `prepare` may keep the statement. */
export function readMeta(
  db: DatabaseSync,
  key: string,
  prepare: Prepare = (sql) => db.prepare(sql),
): string | null {
  const row = prepare('SELECT value, sum FROM meta WHERE key = ?').get(key) as
    | { value: string; sum: number }
    | undefined
  if (row === undefined) {
    // A name that was damaged is not found: all of them are listed.
    if (key !== listKey && listedKeys(db, prepare).includes(key)) throw damaged(`the value ${key}`)
    return null
  }
  if (rowSum(key, row.value) !== row.sum) throw damaged(`the value ${key}`)
  return row.value
}

/** Holds the names of all values, in JSON. */
const listKey = 'keys'

function listedKeys(db: DatabaseSync, prepare?: Prepare): string[] {
  return JSON.parse(readMeta(db, listKey, prepare) ?? '[]') as string[]
}

export function writeMeta(db: DatabaseSync, key: string, value: string): void {
  if (key !== listKey) {
    const keys = listedKeys(db)
    if (!keys.includes(key)) writeMeta(db, listKey, JSON.stringify([...keys, key].sort()))
  }
  db.prepare(
    'INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum',
  ).run(key, value, rowSum(key, value))
}

/** Lets readers see that something changed. */
export function raiseGeneration(db: DatabaseSync): void {
  writeMeta(db, 'generation', `${Number(readMeta(db, 'generation') ?? 0) + 1}`)
}
