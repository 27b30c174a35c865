// Where does evaluation data come from? The shared sets, read as they are and written out as folders, as a user has them.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface CorpusRow {
  readonly _id: string
  readonly title: string
  readonly text: string
  readonly text_linked?: string
}

export interface GoldSection {
  readonly path: string
  readonly heading: string
  readonly line_start: number
  readonly line_end: number
  readonly own_end: number
}

export interface QueryRow {
  readonly _id: string
  readonly text: string
  readonly gold?: GoldSection
  readonly corpus?: string
  readonly gold_spans?: readonly { readonly start: number; readonly end: number; readonly text: string }[]
}

/** A reference of a document, and where it is known to lead. */
export interface TrueReference {
  readonly source: string
  readonly line: number
  readonly kind: 'link' | 'id' | 'glossary'
  readonly mention: string
  readonly target: string
  readonly anchor: string | null
  readonly mention_is_title?: boolean
}

/** The folder of the shared sets; null, with a message, when it is absent. */
export function evalFolder(): string | null {
  const folder = resolve(process.env['YORE_EVAL_DIR'] ?? join(import.meta.dirname, '../../../shared/eval'))
  if (existsSync(folder)) return folder
  console.error(`skipped: no evaluation data at ${folder} (set YORE_EVAL_DIR)`)
  return null
}

export function readRows<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/** Half A is for tuning, half B for reporting: lowest bit of the first byte of sha1(id). */
export function halfOf(id: string): 'A' | 'B' {
  return ((createHash('sha1').update(id).digest()[0] as number) & 1) === 0 ? 'A' : 'B'
}

/** The path under which a corpus row is written. */
export function pathOf(id: string): string {
  return /\.[a-z]+$/i.test(id) ? id : `${id}.md`
}

/** Writes every row to its id as a path, once. A row whose text lacks its title gets it as a heading. */
export function writeCorpus(
  set: string,
  folder: string,
  options: { readonly linked?: boolean; readonly titled?: boolean } = {},
): string {
  const source = evalFolder()
  if (source === null) throw new Error('no evaluation data')
  if (existsSync(join(folder, '.written'))) return folder
  for (const row of readRows<CorpusRow>(join(source, set, 'corpus.jsonl'))) {
    const target = join(folder, pathOf(row._id))
    mkdirSync(dirname(target), { recursive: true })
    const text = options.linked ? (row.text_linked ?? row.text) : row.text
    writeFileSync(target, options.titled ? `# ${row.title}\n\n${text}\n` : text)
  }
  writeFileSync(join(folder, '.written'), '')
  return folder
}

/** query id → document path → grade. */
export function readQrels(file: string): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>()
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.split('\t')
    if (query === undefined || document === undefined || grade === undefined) continue
    const grades = judged.get(query) ?? new Map<string, number>()
    grades.set(pathOf(document), Number(grade))
    judged.set(query, grades)
  }
  return judged
}
