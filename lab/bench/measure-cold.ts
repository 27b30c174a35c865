// How long does a person wait at a prompt? Whole processes against `node -e 0`, in turns; medians and their ratios.
import { join } from 'node:path'
import { packageFolder } from './corpora.ts'
import { median, runNode } from './measure.ts'
import type { Places } from './measure-index.ts'

export interface ColdFigures {
  readonly runs: number
  readonly nodeMs: number
  readonly assembleMs: number
  readonly searchMs: number
  /** Opening the FTS5 table and one query, in plain JavaScript. */
  readonly bareMs: number
  readonly assembleRatio: number
  readonly searchRatio: number
  readonly bareRatio: number
}

const bareQuery = `
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(process.argv[1], { readOnly: true })
const words = process.argv[2].toLowerCase().match(/[a-z0-9_]+/g).map((word) => '"' + word + '"')
const sql = 'SELECT path, body FROM sections WHERE sections MATCH ? ORDER BY bm25(sections, 0, 0, 0, 2, 2, 1) LIMIT 10'
console.log(JSON.stringify(db.prepare(sql).all(words.join(' OR '))))`

/** Each of the four kinds of process `runs` times, one after the other. */
export function measureCold(places: Places, questions: readonly string[], runs = 20): ColdFigures {
  const cli = join(packageFolder(), 'bin/yore.js')
  const where = ['--root', places.root, '--index', places.indexDir]
  const commands = {
    node: () => ['-e', '0'],
    assemble: (question: string) => [cli, 'assemble', question, ...where],
    search: (question: string) => [cli, 'search', question, ...where],
    bare: (question: string) => ['--no-warnings', '-e', bareQuery, places.bareDb, question],
  }
  const names = Object.keys(commands) as (keyof typeof commands)[]
  const times = { node: [], assemble: [], search: [], bare: [] } as Record<keyof typeof commands, number[]>
  const time = (name: keyof typeof commands, question: string): number =>
    runNode(commands[name](question)).milliseconds
  for (const name of names) time(name, questions[0] as string)
  for (let run = 0; run < runs; run++) {
    const question = questions[run % questions.length] as string
    for (const name of names) times[name].push(time(name, question))
  }
  const nodeMs = median(times.node)
  return {
    runs,
    nodeMs,
    assembleMs: median(times.assemble),
    searchMs: median(times.search),
    bareMs: median(times.bare),
    assembleRatio: median(times.assemble) / nodeMs,
    searchRatio: median(times.search) / nodeMs,
    bareRatio: median(times.bare) / nodeMs,
  }
}
