// Which fragments hold a term? The full-text index of a corpus file, as the scorer reads it.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { readMeta } from '../rows/meta.ts'
import { damaged, segmentSum } from '../rows/row-sum.ts'
import { DecodedPostings, headBytes, openHead, openList } from './postings.ts'

/** What holds of the whole index; written with every commit, so that opening it counts nothing. */
export interface LexicalStatistics {
  readonly fragments: number
  readonly documents: number
  /** Body words of all living fragments. */
  readonly words: number
  /** Rows of the segments. */
  readonly segments: number
  /** How many fragments are dead, and the sum of their ids. */
  readonly dead: number
  readonly deadSum: number
}

interface SegmentRow {
  readonly id: number
  readonly first_fragment: number
  readonly fragments: number
  readonly lengths: Uint8Array
  readonly files: Uint8Array
  readonly sum: number
}

const noStatistics: LexicalStatistics = {
  fragments: 0,
  documents: 0,
  words: 0,
  segments: 0,
  dead: 0,
  deadSum: 0,
}

interface HeadRow {
  readonly term: string
  readonly segment: number
  readonly head: Uint8Array
}

/** What the last commit wrote; null before the first. */
export function readStatistics(db: DatabaseSync): LexicalStatistics | null {
  const stored = readMeta(db, 'statistics')
  return stored === null ? null : (JSON.parse(stored) as LexicalStatistics)
}

/** Counts what a reader would otherwise have to count each time. Runs inside the writer's transaction. */
export function countStatistics(db: DatabaseSync): LexicalStatistics {
  // Looking into each file for one fragment is quicker than the file of each fragment.
  const sql = `SELECT count(*) AS fragments, coalesce(sum(words), 0) AS words,
    (SELECT count(*) FROM files WHERE EXISTS
      (SELECT 1 FROM artifacts a JOIN fragments f ON f.artifact = a.id WHERE a.file = files.id)) AS documents,
    (SELECT count(*) FROM segments) AS segments, (SELECT count(*) FROM dead_fragments) AS dead,
    (SELECT coalesce(sum(id), 0) FROM dead_fragments) AS deadSum
    FROM fragments`
  return db.prepare(sql).get() as unknown as LexicalStatistics
}

/** The state of the index at one moment: lengths and owners of every fragment, and the lists of any term. */
export class LexicalIndex {
  /** One more than the largest fragment id. */
  readonly size: number
  /** Body words of each fragment. */
  readonly body: Uint16Array
  /** File id of each fragment. */
  readonly file: Uint32Array
  /** One more than the largest file id. */
  readonly fileLimit: number
  readonly livingFragments: number
  readonly livingDocuments: number
  readonly meanBody: number
  readonly meanDocument: number
  readonly #db: DatabaseSync
  readonly #documentLengths: Uint32Array
  readonly #dead: Uint8Array | null
  readonly #firstFragment: Map<number, number> = new Map()
  readonly #paths = new Map<number, string>()
  readonly #lists: StatementSync
  readonly #heads: StatementSync
  readonly #path: StatementSync
  readonly #neighbours: readonly [StatementSync, StatementSync]
  /** Where fragments are dead a list says by itself alone how many of its own live: counted once for each term. */
  readonly #livingCounts = new Map<string, number>()
  readonly #counted = new DecodedPostings()
  /** Terms beside which every row is as it was written. */
  readonly #checked = new Set<string>()

  constructor(db: DatabaseSync) {
    this.#db = db
    const rows = db.prepare('SELECT * FROM segments ORDER BY first_fragment').all() as unknown as SegmentRow[]
    const last = rows.at(-1)
    this.size = last === undefined ? 0 : last.first_fragment + last.fragments
    this.body = new Uint16Array(this.size)
    this.file = new Uint32Array(this.size)
    const counts = readStatistics(db) ?? noStatistics
    if (rows.length !== counts.segments) throw damaged('the list of segments')
    for (const row of rows) {
      if (segmentSum(row.first_fragment, row.fragments, row.lengths, row.files) !== row.sum)
        throw damaged('a segment of the full-text index')
      this.#firstFragment.set(row.id, row.first_fragment)
      new Uint8Array(this.body.buffer).set(row.lengths, row.first_fragment * 2)
      new Uint8Array(this.file.buffer).set(row.files, row.first_fragment * 4)
    }
    this.#dead = this.#readDead(db, counts)
    this.fileLimit = (db.prepare('SELECT coalesce(max(id), 0) + 1 AS n FROM files').get() as { n: number }).n
    this.#documentLengths = new Uint32Array(this.fileLimit)
    this.livingFragments = counts.fragments
    this.livingDocuments = counts.documents
    this.meanBody = Math.max(1, counts.words / Math.max(counts.fragments, 1))
    this.meanDocument = Math.max(1, counts.words / Math.max(counts.documents, 1))
    this.#path = db.prepare('SELECT path FROM files WHERE id = ?')
    this.#lists = db.prepare('SELECT segment, data FROM postings WHERE term = ?')
    const head = `substr(data, 1, ${headBytes}) AS head`
    this.#heads = db.prepare(`SELECT segment, ${head} FROM postings WHERE term = ?`)
    const beside = `SELECT term, segment, ${head} FROM postings WHERE term`
    this.#neighbours = [
      db.prepare(`${beside} > ? ORDER BY term, segment LIMIT 1`),
      db.prepare(`${beside} < ? ORDER BY term DESC, segment DESC LIMIT 1`),
    ]
  }

  #readDead(db: DatabaseSync, { dead, deadSum }: LexicalStatistics): Uint8Array | null {
    const rows = db.prepare('SELECT id FROM dead_fragments').all() as unknown as { id: number }[]
    if (rows.length !== dead || rows.reduce((sum, { id }) => sum + id, 0) !== deadSum)
      throw damaged('the list of dead fragments')
    if (rows.length === 0) return null
    const bits = new Uint8Array((this.size >>> 3) + 1)
    for (const { id } of rows) bits[id >>> 3] = (bits[id >>> 3] as number) | (1 << (id & 7))
    return bits
  }

  isDead(fragment: number): boolean {
    return this.#dead !== null && ((this.#dead[fragment >>> 3] as number) & (1 << (fragment & 7))) !== 0
  }

  /** Is there such a fragment, and is it not dead? */
  isLiving(fragment: number): boolean {
    return fragment < this.size && !this.isDead(fragment)
  }

  /** The order of two fragments by path and place: the same whatever the history of the index. */
  readonly compare = (a: number, b: number): number => {
    const [one, other] = [this.#pathOf(this.file[a] as number), this.#pathOf(this.file[b] as number)]
    return one === other ? a - b : one < other ? -1 : 1
  }

  #pathOf(file: number): string {
    let path = this.#paths.get(file)
    if (path === undefined) {
      path = (this.#path.get(file) as { path: string } | undefined)?.path ?? ''
      this.#paths.set(file, path)
    }
    return path
  }

  /**
   * Body words of the document that holds a fragment. A document's fragments have neighbouring ids; those of a document
   * that is gone may lie beside them with the same file id, and are dead.
   */
  documentLength(fragment: number): number {
    const file = this.file[fragment] as number
    const known = this.#documentLengths[file] as number
    if (known > 0) return known
    let length = this.body[fragment] as number
    const isBeside = (id: number): boolean => this.file[id] === file && !this.isDead(id)
    for (let id = fragment - 1; id >= 0 && isBeside(id); id--) length += this.body[id] as number
    for (let id = fragment + 1; id < this.size && isBeside(id); id++) length += this.body[id] as number
    this.#documentLengths[file] = Math.max(1, length)
    return this.#documentLengths[file] as number
  }

  /** In how many living fragments a term occurs. */
  count(term: string): number {
    if (this.#dead === null) {
      let count = 0
      for (const { segment, head } of this.#heads.all(term) as unknown as HeadRow[])
        count += openHead(head, term, segment)
      this.#checkBeside(term)
      return count
    }
    let living = this.#livingCounts.get(term)
    if (living === undefined) {
      this.read(term, this.#counted)
      living = this.#counted.length
      this.#livingCounts.set(term, living)
    }
    return living
  }

  /** Fills `into` with the living fragments that hold the term, in the order of their ids. */
  read(term: string, into: DecodedPostings): void {
    into.length = 0
    const rows = this.#lists.all(term) as unknown as { segment: number; data: Uint8Array }[]
    const first = (segment: number): number => this.#firstFragment.get(segment) ?? 0
    if (rows.length > 1) rows.sort((a, b) => first(a.segment) - first(b.segment))
    for (const { data, segment } of rows) into.read(openList(data, term, segment), first(segment), this.#dead)
    this.#checkBeside(term)
  }

  /** Terms that begin with a letter and have at most so many, in their order. */
  termsLike(letter: string, longest: number): string[] {
    const sql = 'SELECT DISTINCT term FROM postings WHERE term >= ? AND term < ? AND length(term) <= ?'
    const rows = this.#db.prepare(sql).all(letter, String.fromCharCode(letter.charCodeAt(0) + 1), longest)
    return (rows as unknown as { term: string }[]).map(({ term }) => term)
  }

  /** Reads every list; throws INDEX_DAMAGED at the first that is not as it was written. Gives their number. */
  checkAll(db: DatabaseSync): number {
    if (!isDeepStrictEqual({ ...countStatistics(db) }, { ...(readStatistics(db) ?? noStatistics) }))
      throw damaged('what is counted of the full-text index')
    let count = 0
    for (const row of db.prepare('SELECT term, segment, data FROM postings').iterate()) {
      const { term, segment, data } = row as unknown as { term: string; segment: number; data: Uint8Array }
      openList(data, term, segment)
      count++
    }
    return count
  }

  /**
   * A row whose term was damaged is not found under the right one, but it still lies where that one belongs: the rows
   * before and after are looked at, too.
   */
  #checkBeside(term: string): void {
    if (this.#checked.has(term)) return
    for (const neighbour of this.#neighbours) {
      const row = neighbour.get(term) as unknown as HeadRow | undefined
      if (row !== undefined) openHead(row.head, row.term, row.segment)
    }
    this.#checked.add(term)
  }
}
