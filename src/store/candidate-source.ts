// Where do the candidates of a question come from? One file's lists of terms and rows of vectors: the corpus file, or a
// shard of it. Whatever answers these calls could stand in its place, on another machine too (record 0048).
import type { DatabaseSync } from 'node:sqlite'
import { keepStatements, type Prepare } from './keep-statements.ts'
import { headBytes } from './postings.ts'

/** A term's list in one segment, as it is stored. */
interface StoredList {
  readonly term: string
  readonly segment: number
  readonly data: Uint8Array
}

/** The same, of which only the head was read. */
export interface StoredHead {
  readonly term: string
  readonly segment: number
  readonly head: Uint8Array
}

/** Vectors of many fragments, as they are stored; ids of fragments are those of the corpus. */
export interface StoredVectors {
  readonly id: number
  readonly sum: number
  readonly dimensions: number
  readonly fragments: Uint8Array
  readonly hashes: Uint8Array
  readonly data: Uint8Array
}

const head = `substr(data, 1, ${headBytes}) AS head`
const beside = `SELECT term, segment, ${head} FROM postings WHERE term`

/** The only reader and writer of `postings` and `vectors`. Checksums are compared by those who ask. */
export class CandidateSource {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#prepare = keepStatements(db)
  }

  lists(term: string): StoredList[] {
    const sql = 'SELECT term, segment, data FROM postings WHERE term = ?'
    return this.#prepare(sql).all(term) as unknown as StoredList[]
  }

  heads(term: string): StoredHead[] {
    const sql = `SELECT term, segment, ${head} FROM postings WHERE term = ?`
    return this.#prepare(sql).all(term) as unknown as StoredHead[]
  }

  /** The rows before and after those of a term. */
  beside(term: string): StoredHead[] {
    const after = this.#prepare(`${beside} > ? ORDER BY term, segment LIMIT 1`).all(term)
    const before = this.#prepare(`${beside} < ? ORDER BY term DESC, segment DESC LIMIT 1`).all(term)
    return [...after, ...before] as unknown as StoredHead[]
  }

  /** Terms that begin with a letter and have at most so many. */
  termsLike(letter: string, longest: number): string[] {
    const sql = 'SELECT DISTINCT term FROM postings WHERE term >= ? AND term < ? AND length(term) <= ?'
    const rows = this.#prepare(sql).all(letter, String.fromCharCode(letter.charCodeAt(0) + 1), longest)
    return rows.map(({ term }) => term as string)
  }

  /** All lists, or those of some segments, in the order of their terms. */
  allLists(segments?: readonly number[]): Iterable<StoredList> {
    const some = segments === undefined ? '' : ` WHERE segment IN (${segments.map(() => '?').join(',')})`
    const sql = `SELECT term, segment, data FROM postings${some} ORDER BY term`
    return this.#db.prepare(sql).iterate(...(segments ?? [])) as unknown as Iterable<StoredList>
  }

  addList({ term, segment, data }: StoredList): void {
    this.#prepare('INSERT INTO postings (term, segment, data) VALUES (?, ?, ?)').run(term, segment, data)
  }

  removeLists(segments: readonly number[]): void {
    this.#db
      .prepare(`DELETE FROM postings WHERE segment IN (${segments.map(() => '?').join(',')})`)
      .run(...segments)
  }

  models(): string[] {
    return this.#prepare('SELECT DISTINCT model FROM vectors')
      .all()
      .map(({ model }) => model as string)
  }

  /** Which rows of vectors there are, in the order in which they were written. */
  listVectors(model: string): { readonly id: number; readonly sum: number }[] {
    const sql = 'SELECT id, sum FROM vectors WHERE model = ? ORDER BY id'
    return this.#prepare(sql).all(model) as unknown as { id: number; sum: number }[]
  }

  vectors(id: number): StoredVectors {
    const sql = 'SELECT id, dimensions, fragments, hashes, data, sum FROM vectors WHERE id = ?'
    return this.#prepare(sql).get(id) as unknown as StoredVectors
  }

  /** What each row is for, without its numbers, which are a hundred times as large. */
  vectorHeads(model: string): Iterable<Pick<StoredVectors, 'id' | 'fragments' | 'hashes'>> {
    const sql = 'SELECT id, fragments, hashes FROM vectors WHERE model = ? ORDER BY id'
    return this.#db.prepare(sql).iterate(model) as unknown as Iterable<StoredVectors>
  }

  addVectors(model: string, row: Omit<StoredVectors, 'id'>): void {
    const { dimensions, fragments, hashes, data, sum } = row
    const sql =
      'INSERT INTO vectors (model, dimensions, fragments, hashes, data, sum) VALUES (?, ?, ?, ?, ?, ?)'
    this.#prepare(sql).run(model, dimensions, fragments, hashes, data, sum)
  }

  removeVectors(id: number): void {
    this.#prepare('DELETE FROM vectors WHERE id = ?').run(id)
  }
}
