// How is a statement compiled once? It is kept by its text, for as long as who asks for it.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export type Prepare = (sql: string) => StatementSync

/** Prepares statements of a database, each text once. */
export function keepStatements(db: DatabaseSync): Prepare {
  const known = new Map<string, StatementSync>()
  return (sql) => {
    let statement = known.get(sql)
    if (statement === undefined) {
      statement = db.prepare(sql)
      known.set(sql, statement)
    }
    return statement
  }
}
