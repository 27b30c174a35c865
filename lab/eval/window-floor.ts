// What does the simplest search bring? Bare FTS5 over overlapping windows of lines of every text file, packed to the budget.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
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

/** Runs of the lines of a place that are not shown yet. */
function freshRuns({ path, start, end }: Place, shown: ReadonlySet<number>): Place[] {
  const runs: Place[] = []
  for (let line = start; line <= end; line++) {
    if (shown.has(line)) continue
    const last = runs.at(-1)
    if (last?.end === line - 1) runs[runs.length - 1] = { ...last, end: line }
    else runs.push({ path, start: line, end: line })
  }
  return runs
}

/** Packs places into a token budget; the files of a package are read once. */
export class Packer {
  readonly #root: string
  readonly #lines = new Map<string, string[]>()
  readonly #countTokens = loadTokenizer()

  constructor(root: string) {
    this.#root = root
  }

  #costOf({ path, start, end }: Place): number {
    const lines = this.#lines.get(path) ?? readLines(this.#root, path)
    this.#lines.set(path, lines)
    return this.#countTokens(`${lines.slice(start - 1, end).join('\n')}\n`)
  }

  /** In order while they fit; what does not fit is left out whole. No line is paid for twice, and no frame at all. */
  pack(places: readonly Place[], budget: number): { readonly places: Place[]; readonly tokens: number } {
    const shown = new Map<string, Set<number>>()
    const packed: Place[] = []
    let tokens = 0
    for (const place of places) {
      if (tokens === budget) break
      const known = shown.get(place.path) ?? new Set()
      const runs = freshRuns(place, known)
      const cost = runs.reduce((sum, run) => sum + this.#costOf(run), 0)
      if (runs.length === 0 || tokens + cost > budget) continue
      for (const { start, end } of runs) for (let line = start; line <= end; line++) known.add(line)
      shown.set(place.path, known)
      packed.push(...runs)
      tokens += cost
    }
    return { places: packed, tokens }
  }
}

export class WindowFloor {
  readonly #packer: Packer
  readonly #db: DatabaseSync
  /** The last question is asked again at the next budget. */
  #last: { readonly question: string; readonly found: readonly Place[] } = { question: '', found: [] }

  /** Built once for a package; `database` is named by its content. */
  constructor(root: string, database: string) {
    if (!isComplete(database)) build(root, database)
    this.#packer = new Packer(root)
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

  answer(question: string, budget: number): ReturnType<Packer['pack']> {
    if (this.#last.question !== question) this.#last = { question, found: this.search(question) }
    return this.#packer.pack(this.#last.found, budget)
  }

  close(): void {
    this.#db.close()
  }
}
