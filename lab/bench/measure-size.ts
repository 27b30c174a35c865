// What takes the room in an index? `measure-size.ts <index.db>...`: bytes of every table, index and column, in parts of the text.
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { printTable } from './write-run.ts'

interface Sizes {
  readonly name: string
  readonly bytes: number
  readonly rows: number
}

function readTree(db: DatabaseSync): Sizes[] {
  const sql =
    "SELECT name, sum(pgsize) AS bytes, sum(CASE pagetype WHEN 'leaf' THEN ncell ELSE 0 END) AS rows FROM dbstat GROUP BY name ORDER BY 2 DESC"
  return db.prepare(sql).all() as unknown as Sizes[]
}

/** Bytes of the values of each column; integers take what SQLite's record format takes. */
function readColumns(db: DatabaseSync, table: string): Sizes[] {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]
  return columns.map(({ name }) => {
    const value = `"${name}"`
    const integer = `CASE WHEN ${value} IN (0, 1) THEN 0 WHEN abs(${value}) < 128 THEN 1 WHEN abs(${value}) < 32768 THEN 2 WHEN abs(${value}) < 8388608 THEN 3 WHEN abs(${value}) < 2147483648 THEN 4 WHEN abs(${value}) < 140737488355328 THEN 6 ELSE 8 END`
    const size = `CASE typeof(${value}) WHEN 'null' THEN 0 WHEN 'integer' THEN ${integer} WHEN 'real' THEN 8 ELSE length(CAST(${value} AS BLOB)) END`
    const found = db
      .prepare(`SELECT coalesce(sum(${size}), 0) AS bytes, count(${value}) AS rows FROM ${table}`)
      .get() as unknown as Sizes
    return { ...found, name: `  ${table}.${name}` }
  })
}

for (const file of process.argv.slice(2)) {
  const db = new DatabaseSync(file, { readOnly: true })
  const text = (db.prepare('SELECT sum(size) AS bytes FROM files').get() as { bytes: number }).bytes
  const trees = readTree(db)
  const isTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const free = (db.prepare('PRAGMA freelist_count').get() as { freelist_count: number }).freelist_count
  const lines = trees.flatMap((tree) => [
    tree,
    ...(isTable.get(tree.name) === undefined ? [] : readColumns(db, tree.name)),
  ])
  const { size } = statSync(file)
  printTable(
    `${basename(dirname(file))}: ${size} bytes for ${text} of text, ${(size / text).toFixed(2)} times; ${free} free pages`,
    ['', 'bytes', 'of the text', 'rows'],
    lines
      .filter(({ bytes }) => bytes >= text / 200)
      .map(({ name, bytes, rows }) => [name, bytes, (bytes / text).toFixed(3), rows]),
  )
  db.close()
}
