// How do batches of words become segments of the index, and small segments large ones?
import type { DatabaseSync } from 'node:sqlite'
import { CandidateSource } from './candidate-source.ts'
import { holdSegment, shardsOf } from './corpus-shards.ts'
import { DecodedPostings, openList, PostingList, sealList } from './postings.ts'
import { segmentSum } from './row-sum.ts'
import { lengthBytes, type TermBatch } from './term-batch.ts'

/** So many segments of one size class are merged into one of the next. */
const MERGE_FACTOR = 8
/** Segments up to this many fragments are of the smallest class. */
const SMALLEST_CLASS = 4096

interface SegmentRow {
  readonly id: number
  readonly first_fragment: number
  readonly fragments: number
}

function sizeClass(fragments: number): number {
  let size = 0
  for (let limit = SMALLEST_CLASS; fragments > limit; limit *= MERGE_FACTOR) size++
  return size
}

/** A new segment for each shard of a corpus. */
export function beginSegments(db: DatabaseSync): SegmentBuilder[] {
  const sql = 'SELECT coalesce(max(first_fragment + fragments), 0) AS first FROM segments WHERE id % ? = ?'
  return shardsOf(db).map((_, shard, { length }) => {
    const { first } = db.prepare(sql).get(length, shard) as { first: number }
    return new SegmentBuilder(first, shard)
  })
}

/** The words of one transaction: batches are joined in memory and written as one segment. */
class SegmentBuilder {
  /** The first of its fragments, as its shard numbers them. */
  readonly firstFragment: number
  readonly #shard: number
  fragments = 0
  readonly #lists = new Map<string, PostingList>()
  readonly #lengths: Uint8Array[] = []
  readonly #files: number[] = []

  constructor(firstFragment: number, shard: number) {
    this.firstFragment = firstFragment
    this.#shard = shard
  }

  /** `files` gives the file id of each fragment of the batch. */
  add(batch: TermBatch, files: readonly number[]): void {
    if (batch.fragmentCount === 0) return
    let start = 0
    const terms = batch.terms.split('\n')
    // Not each of `terms`: of no terms at all, as of files without a word, there is still one part.
    for (const [index, end] of batch.ends.entries()) {
      const term = terms[index] as string
      let list = this.#lists.get(term)
      if (list === undefined) {
        list = new PostingList()
        this.#lists.set(term, list)
      }
      list.join(batch.lists.subarray(start, end), this.fragments)
      start = end
    }
    this.#lengths.push(batch.lengths)
    for (const file of files) this.#files.push(file)
    this.fragments += batch.fragmentCount
  }

  write(db: DatabaseSync): void {
    if (this.fragments === 0) return
    const id = insertSegment(db, this.#shard, {
      firstFragment: this.firstFragment,
      fragments: this.fragments,
      lengths: Buffer.concat(this.#lengths),
      files: Uint32Array.from(this.#files),
    })
    const source = new CandidateSource(shardsOf(db)[this.#shard] as DatabaseSync)
    for (const term of [...this.#lists.keys()].sort()) {
      const data = sealList((this.#lists.get(term) as PostingList).finish(), term, id)
      source.addList({ term, segment: id, data })
    }
  }
}

interface NewSegment {
  readonly firstFragment: number
  readonly fragments: number
  readonly lengths: Uint8Array
  readonly files: Uint32Array
}

/** Gives its id: the next one that says its shard. */
function insertSegment(db: DatabaseSync, shard: number, segment: NewSegment): number {
  const files = new Uint8Array(segment.files.buffer, segment.files.byteOffset, segment.files.byteLength)
  const sum = segmentSum(segment.firstFragment, segment.fragments, segment.lengths, files)
  let { id } = db.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM segments').get() as { id: number }
  while (id % shardsOf(db).length !== shard) id++
  db.prepare('INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)').run(
    id,
    segment.firstFragment,
    segment.fragments,
    segment.lengths,
    files,
    sum,
  )
  holdSegment(db, shard, id)
  return id
}

/** Which segments are due for merging: the newest stretch that holds eight of one class and nothing larger. */
function chooseMerge(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  const largest = Math.max(0, ...segments.map((segment) => sizeClass(segment.fragments)))
  for (let size = 0; size <= largest; size++) {
    const stretch = segments.slice(
      segments.findLastIndex((segment) => sizeClass(segment.fragments) > size) + 1,
    )
    const same = stretch.filter((segment) => sizeClass(segment.fragments) === size)
    if (same.length >= MERGE_FACTOR) return stretch
  }
  return []
}

/** Merges what is due; `onMerge` is called before each merge. Runs inside the caller's transaction. */
export function mergeSegments(db: DatabaseSync, onMerge: () => void = () => {}): void {
  const sql = 'SELECT id, first_fragment, fragments FROM segments WHERE id % ? = ? ORDER BY first_fragment'
  const listed = db.prepare(sql)
  for (const [shard, file] of shardsOf(db).entries())
    for (;;) {
      const due = chooseMerge(listed.all(shardsOf(db).length, shard) as unknown as SegmentRow[])
      if (due.length === 0) break
      onMerge()
      mergeRun(db, due, shard)
      // A shard keeps them until the corpus file no longer names them.
      if (file === db) new CandidateSource(file).removeLists(due.map(({ id }) => id))
    }
}

function mergeRun(db: DatabaseSync, run: readonly SegmentRow[], shard: number): void {
  const first = (run[0] as SegmentRow).first_fragment
  const last = run.at(-1) as SegmentRow
  const total = last.first_fragment + last.fragments - first
  const lengths = new Uint8Array(total * lengthBytes)
  const files = new Uint32Array(total)
  const read = db.prepare('SELECT lengths, files FROM segments WHERE id = ?')
  for (const segment of run) {
    const row = read.get(segment.id) as { lengths: Uint8Array; files: Uint8Array }
    const at = segment.first_fragment - first
    lengths.set(row.lengths, at * lengthBytes)
    files.set(new Uint32Array(row.files.slice().buffer), at)
  }
  const target = insertSegment(db, shard, { firstFragment: first, fragments: total, lengths, files })
  const source = new CandidateSource(shardsOf(db)[shard] as DatabaseSync)
  mergePostings(source, run, { target, first, dead: deadBitmap(db, { first, total, shard }) })
  const marks = run.map(() => '?').join(',')
  db.prepare(`DELETE FROM segments WHERE id IN (${marks})`).run(...run.map(({ id }) => id))
}

interface Stretch {
  readonly first: number
  readonly total: number
  readonly shard: number
}

/** By the numbers that a shard gives to fragments. */
function deadBitmap(db: DatabaseSync, { first, total, shard }: Stretch): Uint8Array {
  const shards = shardsOf(db).length
  const bits = new Uint8Array(((first + total) >>> 3) + 1)
  const rows = db
    .prepare('SELECT id / ?1 AS id FROM dead_fragments WHERE id >= ?2 AND id < ?3 AND id % ?1 = ?4')
    .all(shards, first * shards, (first + total) * shards, shard)
  for (const { id } of rows as unknown as { id: number }[])
    bits[id >>> 3] = (bits[id >>> 3] as number) | (1 << (id & 7))
  return bits
}

interface MergeTarget {
  readonly target: number
  readonly first: number
  readonly dead: Uint8Array
}

function mergePostings(source: CandidateSource, run: readonly SegmentRow[], merge: MergeTarget): void {
  const firstOf = new Map(run.map((segment) => [segment.id, segment.first_fragment]))
  let term: string | null = null
  let lists: { first: number; data: Uint8Array }[] = []
  const finishTerm = (): void => {
    if (term === null) return
    const decoded = new DecodedPostings()
    for (const list of lists.sort((a, b) => a.first - b.first))
      decoded.read(list.data, list.first, merge.dead)
    if (decoded.length === 0) return
    const merged = new PostingList()
    for (let at = 0; at < decoded.length; at++)
      merged.add((decoded.fragments[at] as number) - merge.first, decoded.packed[at] as number)
    const data = sealList(merged.finish(), term, merge.target)
    source.addList({ term, segment: merge.target, data })
  }
  // Lists of one term arrive by segment id; segments of one run grow with their ids unless an earlier merge gave an older
  // stretch a newer id, so they are put in the order of their fragments here.
  for (const row of source.allLists(run.map(({ id }) => id))) {
    if (row.term !== term) {
      finishTerm()
      term = row.term
      lists = []
    }
    lists.push({ first: firstOf.get(row.segment) as number, data: openList(row.data, row.term, row.segment) })
  }
  finishTerm()
}
