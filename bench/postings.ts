// Are our own postings faster than FTS5? Candidate scoring alone: the same terms, fragments, fields and questions, the 300 best.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { defaultSettings } from '../src/config/settings.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { analyzeQuery } from '../src/retrieve/analyze-query.ts'
import { scoreLexical } from '../src/retrieve/score-lexical.ts'
import { LexicalIndex } from '../src/store/lexical-index.ts'
import { DecodedPostings } from '../src/store/postings.ts'
import { benchFolder, prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, type Latency, latency } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const LIMIT = 300
const ROUNDS = 3

/** Where the counts of a field start in a packed entry, and how many bits they have (src/store/postings.ts). */
const fields = { body: [0, 0xffff], heading: [16, 3], title: [18, 3], path: [20, 3] } as const

/**
 * One row per fragment, its columns the very terms of our postings as often as they occur there. A term is written as
 * the letter x and its number, so that the tokenizer of FTS5 cannot read it otherwise.
 */
function makeTable(
  db: DatabaseSync,
  index: LexicalIndex,
  file: string,
): { db: DatabaseSync; numbers: Map<string, number> } {
  const rows = Array.from({ length: index.size }, () => [[], [], [], []] as string[][])
  const numbers = new Map<string, number>()
  const list = new DecodedPostings()
  for (const { term } of db.prepare('SELECT DISTINCT term FROM postings ORDER BY term').all() as {
    term: string
  }[]) {
    const number = numbers.size
    numbers.set(term, number)
    index.read(term, list)
    for (let at = 0; at < list.length; at++)
      for (const [column, [shift, mask]] of Object.values(fields).entries())
        for (let left = ((list.packed[at] as number) >>> shift) & mask; left > 0; left--)
          rows[list.fragments[at] as number]?.[column]?.push(`x${number}`)
  }
  rmSync(file, { force: true })
  const table = new DatabaseSync(file)
  table.exec(`PRAGMA mmap_size = 1073741824;
    CREATE VIRTUAL TABLE words USING fts5(body, heading, title, path, content='', columnsize=1, detail=full);
    INSERT INTO words(words, rank) VALUES ('rank', 'bm25(1, 2, 2, 1)'); BEGIN`)
  const insert = table.prepare('INSERT INTO words(rowid, body, heading, title, path) VALUES (?, ?, ?, ?, ?)')
  for (const [fragment, columns] of rows.entries())
    insert.run(fragment, ...(columns.map((words) => words.join(' ')) as [string, string, string, string]))
  table.exec("COMMIT; INSERT INTO words(words) VALUES ('optimize')")
  return { db: table, numbers }
}

/** Milliseconds of processor time: others may be at work on the machine. */
function spent(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const root = prepareCorpus('k8sdocs')
if (root === null) throw new Error('no shared sets: YORE_EVAL_DIR names their folder')
const indexDir = join(benchFolder(), 'postings')
rmSync(indexDir, { recursive: true, force: true })
const engine = openEngine({
  root,
  indexDir,
  settings: { ...defaultSettings, 'embedding.provider': 'none' },
  now: 0,
})
await engine.index()
engine.close()
const db = new DatabaseSync(join(indexDir, 'index.db'), { readOnly: true })
db.exec('PRAGMA mmap_size = 1073741824')
const index = new LexicalIndex(db)
const { db: table, numbers } = makeTable(db, index, join(indexDir, 'fts5.db'))
const search = table.prepare(`SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ${LIMIT}`)
const questions = readQuestions('k8sdocs').map(({ text }) => analyzeQuery(text))
const matches = questions.map(({ terms }) =>
  terms.flatMap(({ term }) => (numbers.has(term) ? [`x${numbers.get(term)}`] : [])).join(' OR '),
)

const times: Record<'yore' | 'fts5', number[]> = { yore: [], fts5: [] }
for (let round = 0; round <= ROUNDS; round++)
  for (const [at, analysis] of questions.entries()) {
    const match = matches[at] as string
    if (match === '') continue
    const yore = spent(() => scoreLexical(index, analysis, { limit: LIMIT }))
    const fts5 = spent(() => search.all(match))
    // The first round warms both up.
    if (round === 0) continue
    times.yore.push(yore)
    times.fts5.push(fts5)
  }
const figures: Record<string, Latency> = { yore: latency(times.yore), fts5: latency(times.fts5) }
printTable(
  `candidate scoring on ${index.livingFragments} fragments of k8sdocs, ${questions.length} questions, ms of processor time`,
  ['way', 'p50', 'p95'],
  Object.entries(figures).map(([way, { p50, p95 }]) => [way, p50, p95]),
)
writeRun('postings', {
  machine: describeMachine(),
  fragments: index.livingFragments,
  questions: questions.length,
  figures,
})
