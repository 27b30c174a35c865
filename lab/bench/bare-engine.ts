// What does the honest floor cost? The same files, markdown-it, the same sections, one FTS5 table, one thread, nothing else.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import MarkdownIt from 'markdown-it'
import { stopWords } from '../../src/answer/retrieve/stop-words.ts'

export interface BareSection {
  readonly path: string
  /** 1-based, both included. */
  readonly start: number
  readonly end: number
  readonly title: string
  /** Heading path, joined by line ends. */
  readonly headings: string
  readonly body: string
}

export interface BareHit extends BareSection {
  readonly score: number
}

const md: InstanceType<typeof MarkdownIt> = new MarkdownIt({ html: true })

/** Line of the first text after YAML frontmatter, and the title that the frontmatter gives. */
function readFrontmatter(lines: readonly string[]): { end: number; title: string } {
  if (lines[0] !== '---') return { end: 0, title: '' }
  const close = lines.indexOf('---', 1)
  if (close < 0) return { end: 0, title: '' }
  const line = lines.slice(1, close).find((one) => one.startsWith('title:')) ?? ''
  return {
    end: close + 1,
    title: line
      .slice('title:'.length)
      .trim()
      .replace(/^["']|["']$/g, ''),
  }
}

interface Heading {
  readonly line: number
  readonly level: number
  readonly name: string
}

function findHeadings(text: string): Heading[] {
  const tokens = md.parse(text, {})
  const headings: Heading[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || token.level !== 0 || token.map === null) continue
    const name = tokens[index + 1]?.content ?? ''
    headings.push({ line: token.map[0], level: Number(token.tag.slice(1)), name })
  }
  return headings
}

/** One section per heading, and the text before the first; frontmatter belongs to the first section. */
export function splitSections(path: string, text: string): BareSection[] {
  const lines = text.split('\n')
  const front = readFrontmatter(lines)
  const body = front.end === 0 ? text : '\n'.repeat(front.end) + lines.slice(front.end).join('\n')
  const headings = findHeadings(body)
  const title = front.title || headings[0]?.name || path
  const sections: BareSection[] = []
  const open: Heading[] = []
  const add = (start: number, end: number): void => {
    const part = lines.slice(start, end).join('\n')
    if (part.trim() === '') return
    const names = open.map((heading) => heading.name).join('\n')
    sections.push({ path, start: start + 1, end, title, headings: names, body: part })
  }
  add(0, headings[0]?.line ?? lines.length)
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
    open.push(heading)
    add(heading.line, headings[index + 1]?.line ?? lines.length)
  }
  return sections
}

/** Every Markdown file below the folder, in a fixed order. */
export function listFiles(root: string): string[] {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('/.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

export interface BareReport {
  readonly files: number
  readonly sections: number
  readonly bytes: number
  readonly indexBytes: number
  readonly milliseconds: number
}

/** Builds the table from the files below `root`. */
export function indexBare(root: string, dbPath: string): BareReport {
  const started = performance.now()
  for (const suffix of ['', '-wal', '-shm']) rmSync(dbPath + suffix, { force: true })
  const db = new DatabaseSync(dbPath)
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec(
    `CREATE VIRTUAL TABLE sections USING fts5(
      path UNINDEXED, line_start UNINDEXED, line_end UNINDEXED, title, headings, body, tokenize = 'porter unicode61')`,
  )
  const insert = db.prepare('INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?)')
  const paths = listFiles(root)
  let sections = 0
  let bytes = 0
  db.exec('BEGIN')
  for (const path of paths) {
    const buffer = readFileSync(join(root, path))
    bytes += buffer.length
    for (const one of splitSections(path, buffer.toString('utf8'))) {
      insert.run(one.path, one.start, one.end, one.title, one.headings, one.body)
      sections++
    }
  }
  db.exec('COMMIT')
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const milliseconds = performance.now() - started
  return { files: paths.length, sections, bytes, indexBytes: statSync(dbPath).size, milliseconds }
}

/** The words of a question as an FTS5 query: any of them, without the words that questions are made of. */
export function matchExpression(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const kept = words.filter((word) => !stopWords.has(word))
  return [...new Set(kept.length > 0 ? kept : words)].map((word) => `"${word}"`).join(' OR ')
}

/** The table, opened for questions. */
export class BareIndex {
  readonly #db: DatabaseSync
  readonly #select: StatementSync

  constructor(dbPath: string) {
    this.#db = new DatabaseSync(dbPath, { readOnly: true })
    this.#db.exec('PRAGMA mmap_size = 1073741824')
    this.#select = this.#db.prepare(
      `SELECT path, line_start AS start, line_end AS end, title, headings, body,
        -bm25(sections, 0, 0, 0, 2, 2, 1) AS score
      FROM sections WHERE sections MATCH ? ORDER BY bm25(sections, 0, 0, 0, 2, 2, 1), rowid LIMIT ?`,
    )
  }

  query(question: string, limit: number): BareHit[] {
    const match = matchExpression(question)
    return match === '' ? [] : (this.#select.all(match, limit) as unknown as BareHit[])
  }

  close(): void {
    this.#db.close()
  }
}

if (import.meta.main) {
  const [verb, place = '', rest = ''] = process.argv.slice(2)
  if (verb === 'index') console.log(JSON.stringify(indexBare(place, rest)))
  else if (verb === 'query') console.log(JSON.stringify(new BareIndex(place).query(rest, 10)))
  else throw new Error('usage: bare-engine.ts index FOLDER DATABASE | query DATABASE QUESTION')
}
