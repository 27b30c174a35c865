// Which fragments contain a term? The full-text index of a corpus file, as the scorer reads it.

import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { remember } from '../../../model/remember.ts'
import { damaged } from '../rows/checksum.ts'
import { type LexicalStatistics, readMeta } from '../rows/meta.ts'
import { RowCache } from '../rows/row-cache.ts'
import { computed, type RowQuery, select, selectArrays } from '../rows/table.ts'
import { deadFragments, files, postings, segmentSum, segments } from '../schema.ts'
import { DecodedPostings, openList } from './postings.ts'

const noStatistics: LexicalStatistics = {
  fragments: 0,
  documents: 0,
  words: 0,
  segments: 0,
  dead: 0,
  deadSum: 0,
}

/** Maximum number of terms whose counts are kept. */
const MOST_COUNTS = 50_000

/** Bytes of cached lists, and of a term on top of its lists. */
const CACHED_BYTES = 4_000_000
const TERM_BYTES = 200

/** A verified list, and the fragment that its numbers count from. */
type CachedList = readonly [list: Uint8Array, first: number]

/** Counts what every commit stores. Runs inside the writer's transaction. */
export function countStatistics(db: DatabaseSync): LexicalStatistics {
  const counts = computed<LexicalStatistics>({
    fragments: 'count(*)',
    words: 'coalesce(sum(words), 0)',
    // Finding one fragment of each file is faster than finding the file of each fragment.
    documents: `(SELECT count(*) FROM files WHERE EXISTS
      (SELECT 1 FROM artifacts a JOIN fragments f ON f.artifact = a.id WHERE a.file = files.id))`,
    segments: '(SELECT count(*) FROM segments)',
    dead: '(SELECT count(*) FROM dead_fragments)',
    deadSum: '(SELECT coalesce(sum(id), 0) FROM dead_fragments)',
  })
  return select(db, counts, 'FROM fragments').get() ?? noStatistics
}

/** A bit for each dead fragment from `first` to before `end`, at its id. */
export function markDead(db: DatabaseSync, first: number, end: number): Uint8Array {
  const bits = new Uint8Array((end >>> 3) + 1)
  const range = select(db, deadFragments.pick(['id']), 'FROM dead_fragments WHERE id >= ? AND id < ?')
  for (const { id } of range.iterate(first, end))
    bits[id >>> 3] = (bits[id >>> 3] as number) | (1 << (id & 7))
  return bits
}

/** A snapshot of the full-text index: lengths and files of every fragment, and the posting lists of any term. */
export class LexicalIndex {
  /** One more than the largest fragment id. */
  readonly size: number
  /** Body words of each fragment. */
  readonly body: Uint16Array
  /** File id of each fragment. */
  readonly file: Uint32Array
  /** One more than the largest file id. */
  readonly fileLimit: number = 1
  readonly livingFragments: number
  readonly livingDocuments: number
  readonly meanBody: number
  readonly meanDocument: number
  readonly #documentLengths: Uint32Array
  readonly #dead: Uint8Array | null
  /** First fragments by segment, in their order. */
  readonly #segments: ReadonlyMap<number, number>
  readonly #lists: RowQuery<{ segment: number; data: Uint8Array }>
  readonly #path: RowQuery<{ path: string }>
  readonly #neighbours: RowQuery<readonly [term: string, segment: number, data: Uint8Array]>
  /** Living fragments by term. */
  readonly #counts = new Map<string, number>()
  readonly #counted = new DecodedPostings()
  /** The lists of terms that were read lately, by segments in their order. */
  readonly #cached = new RowCache<readonly CachedList[], string>(CACHED_BYTES, (lists) =>
    lists.reduce((sum, [list]) => sum + list.length, TERM_BYTES),
  )
  /** Terms whose neighbouring rows are verified. */
  readonly #checked = new Set<string>()

  constructor(db: DatabaseSync) {
    const rows = select(db, segments.pick(segments.properties), 'FROM segments ORDER BY first_fragment').all()
    const last = rows.at(-1)
    this.size = last === undefined ? 0 : last.firstFragment + last.fragments
    this.body = new Uint16Array(this.size)
    this.file = new Uint32Array(this.size)
    const counts = readMeta(db, 'statistics') ?? noStatistics
    if (rows.length !== counts.segments) throw damaged('the list of segments')
    this.#segments = new Map(rows.map(({ id, firstFragment }) => [id, firstFragment]))
    for (const row of rows) {
      segmentSum.verified(row, 'a segment of the full-text index')
      new Uint8Array(this.body.buffer).set(row.lengths, row.firstFragment * 2)
      new Uint8Array(this.file.buffer).set(row.files, row.firstFragment * 4)
    }
    this.#dead = this.#readDead(db, counts)
    for (const id of this.file) if (id >= this.fileLimit) this.fileLimit = id + 1
    this.#documentLengths = new Uint32Array(this.fileLimit)
    this.livingFragments = counts.fragments
    this.livingDocuments = counts.documents
    this.meanBody = Math.max(1, counts.words / Math.max(counts.fragments, 1))
    this.meanDocument = Math.max(1, counts.words / Math.max(counts.documents, 1))
    this.#path = select(db, files.pick(['path']), 'FROM files WHERE id = ?')
    const ids = [...this.#segments.keys()]
    const ofTerm = `FROM postings WHERE segment IN (${ids.join(', ')}) AND term = ?1`
    this.#lists = select(db, postings.pick(['segment', 'data']), ofTerm)
    const rowsSql = 'SELECT term, segment, data FROM postings'
    const nextTo = (id: number, sign: '>' | '<', order: 'ASC' | 'DESC'): string =>
      `SELECT * FROM (${rowsSql} WHERE (segment, term) ${sign} (${id}, ?1)
        ORDER BY segment ${order}, term ${order} LIMIT 1)`
    // One statement for all segments: most of the time of a seek is the call.
    const neighbours = ids.flatMap((id) => [nextTo(id, '>', 'ASC'), nextTo(id, '<', 'DESC')])
    const none = `${rowsSql} WHERE segment = 0 AND term = ?1`
    this.#neighbours = selectArrays(db, neighbours.join(' UNION ALL ') || none)
  }

  #readDead(db: DatabaseSync, { dead, deadSum }: LexicalStatistics): Uint8Array | null {
    const rows = select(db, deadFragments.pick(['id']), 'FROM dead_fragments').all()
    if (rows.length !== dead || rows.reduce((sum, { id }) => sum + id, 0) !== deadSum)
      throw damaged('the list of dead fragments')
    return rows.length === 0 ? null : markDead(db, 0, this.size)
  }

  isDead(fragment: number): boolean {
    return this.#dead !== null && ((this.#dead[fragment >>> 3] as number) & (1 << (fragment & 7))) !== 0
  }

  isLiving(fragment: number): boolean {
    return fragment < this.size && !this.isDead(fragment)
  }

  /** Orders fragments by path and position, independent of the history of the index. */
  readonly compare = (a: number, b: number): number => {
    const [one, other] = [this.#pathOf(this.file[a] as number), this.#pathOf(this.file[b] as number)]
    return one === other ? a - b : one < other ? -1 : 1
  }

  readonly #pathOf = remember((file: number) => this.#path.get(file)?.path ?? '')

  /**
   * Body words of the document of a fragment. The fragments of a document have consecutive ids; next to them may be dead
   * fragments of a removed document with the same file id.
   */
  documentLength(fragment: number): number {
    const file = this.file[fragment] as number
    const known = this.#documentLengths[file] as number
    if (known > 0) return known
    let length = this.body[fragment] as number
    const isSameDocument = (id: number): boolean => this.file[id] === file && !this.isDead(id)
    for (let id = fragment - 1; id >= 0 && isSameDocument(id); id--) length += this.body[id] as number
    for (let id = fragment + 1; id < this.size && isSameDocument(id); id++) length += this.body[id] as number
    this.#documentLengths[file] = Math.max(1, length)
    return this.#documentLengths[file] as number
  }

  /** The number of living fragments that contain a term. */
  count(term: string): number {
    const known = this.#counts.get(term)
    if (known !== undefined) return known
    this.read(term, this.#counted)
    const count = this.#counted.length
    if (this.#counts.size >= MOST_COUNTS) this.#counts.clear()
    this.#counts.set(term, count)
    return count
  }

  /** Fills `into` with the living fragments that contain the term, by id. */
  read(term: string, into: DecodedPostings): void {
    into.length = 0
    for (const [list, first] of this.#cached.get(term, this.#readLists)) into.read(list, first, this.#dead)
  }

  readonly #readLists = (term: string): readonly CachedList[] => {
    const lists = this.#lists.all(term).map(({ data, segment }): CachedList => {
      return [openList(data, term, segment), this.#segments.get(segment) ?? 0]
    })
    this.#checkNeighbours(term)
    return lists.sort(([, a], [, b]) => a - b)
  }

  /** Verifies every posting list and returns their number; throws INDEX_DAMAGED at the first that is damaged. */
  checkAll(db: DatabaseSync): number {
    const stored = readMeta(db, 'statistics') ?? noStatistics
    if (!isDeepStrictEqual({ ...countStatistics(db) }, { ...stored }))
      throw damaged('the statistics of the full-text index')
    let count = 0
    const rows = select(db, postings.pick(['term', 'segment', 'data']), 'FROM postings')
    for (const { term, segment, data } of rows.iterate()) {
      openList(data, term, segment)
      count++
    }
    return count
  }

  /** A row whose key was damaged is not found by it, but is still stored at its position: the rows before and after are verified, too. */
  #checkNeighbours(term: string): void {
    if (this.#checked.has(term)) return
    for (const [found, segment, data] of this.#neighbours.all(term)) openList(data, found, segment)
    this.#checked.add(term)
  }
}
