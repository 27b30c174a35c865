// What does the simplest search bring? Bare FTS5 over overlapping windows of lines of every text file, packed to the budget.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadTokenizer } from '../src/engine/load-tokenizer.ts'
import type { Place } from './real-set.ts'

const LINES = 40
const STEP = 20
/** Windows of the best rank that are tried; 8,000 tokens hold about twenty. */
const TRIED = 200

/** Every file without a zero byte, in a fixed order. */
export function listTextFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.complete')
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !readFileSync(join(root, path)).includes(0))
    .sort()
}

/** Counts as the last line only when it holds something. */
export function readLines(root: string, path: string): string[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function build(root: string, database: string): void {
  rmSync(database, { force: true })
  mkdirSync(dirname(database), { recursive: true })
  const db = new DatabaseSync(database)
  db.exec(`PRAGMA synchronous = off; CREATE TABLE places (id INTEGER PRIMARY KEY, path, start, end);
    CREATE VIRTUAL TABLE windows USING fts5(body, content = '', tokenize = 'porter unicode61'); BEGIN`)
  const addPlace = db.prepare('INSERT INTO places VALUES (?, ?, ?, ?)')
  const addText = db.prepare('INSERT INTO windows (rowid, body) VALUES (?, ?)')
  let id = 0
  for (const path of listTextFiles(root)) {
    const lines = readLines(root, path)
    for (let from = 0; from === 0 || from + STEP < lines.length; from += STEP) {
      const until = Math.min(from + LINES, lines.length)
      addPlace.run(++id, path, from + 1, until)
      addText.run(id, lines.slice(from, until).join('\n'))
    }
  }
  db.exec('COMMIT; CREATE TABLE complete (yes)')
  db.close()
}

function isComplete(database: string): boolean {
  if (!existsSync(database)) return false
  const db = new DatabaseSync(database, { readOnly: true })
  const found = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'complete'").get()
  db.close()
  return found !== undefined
}

/** Takes places in order while they fit and skips those that do not; without any frame. */
export function packLines(
  root: string,
  places: readonly Place[],
  budget: number,
): { places: Place[]; tokens: number } {
  const countTokens = loadTokenizer('o200k')
  const packed: Place[] = []
  let tokens = 0
  for (const place of places) {
    const text = `${readLines(root, place.path)
      .slice(place.start - 1, place.end)
      .join('\n')}\n`
    const cost = countTokens(text)
    if (tokens + cost > budget) continue
    packed.push(place)
    tokens += cost
  }
  return { places: packed, tokens }
}

export class WindowFloor {
  readonly #root: string
  readonly #db: DatabaseSync

  /** Built once for a package; `database` is named by its content. */
  constructor(root: string, database: string) {
    if (!isComplete(database)) build(root, database)
    this.#root = root
    this.#db = new DatabaseSync(database, { readOnly: true })
  }

  /** Windows with any word of the question, best first. */
  search(question: string): Place[] {
    const words = new Set(question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
    if (words.size === 0) return []
    const query = [...words].map((word) => `"${word}"`).join(' OR ')
    const select = this.#db.prepare(
      'SELECT path, start, end FROM windows JOIN places ON id = windows.rowid WHERE windows MATCH ? ORDER BY rank, id LIMIT ?',
    )
    return select.all(query, TRIED) as unknown as Place[]
  }

  answer(question: string, budget: number): { places: Place[]; tokens: number } {
    return packLines(this.#root, this.search(question), budget)
  }

  close(): void {
    this.#db.close()
  }
}
