// How do batches of words become segments of the index, and small segments large ones?

import type { DatabaseSync } from 'node:sqlite'
import { getOrAdd } from '../../../model/remember.ts'
import { present } from '../rows/checksum.ts'
import { select } from '../rows/table.ts'
import { postings, segmentSum, segments } from '../schema.ts'
import { markDead } from './lexical-index.ts'
import { DecodedPostings, openList, PostingList, sealList } from './postings.ts'
import { lengthBytes, type TermBatch } from './term-batch.ts'

/** Segments of one size class that are merged into one of the next. */
const MERGE_FACTOR = 8
/** Segments up to this many fragments are of the smallest class. */
const SMALLEST_CLASS = 4096

interface SegmentRow {
  readonly id: number
  readonly firstFragment: number
  readonly fragments: number
}

function sizeClass(fragments: number): number {
  let size = 0
  for (let limit = SMALLEST_CLASS; fragments > limit; limit *= MERGE_FACTOR) size++
  return size
}

/** The words of one transaction: batches are joined in memory and written as one segment. */
export class SegmentBuilder {
  readonly firstFragment: number
  fragments = 0
  readonly #lists = new Map<string, PostingList>()
  readonly #lengths: Uint8Array[] = []
  readonly #files: number[] = []

  constructor(firstFragment: number) {
    this.firstFragment = firstFragment
  }

  /** `files` gives the file id of each fragment of the batch. */
  add(batch: TermBatch, files: readonly number[]): void {
    if (batch.fragmentCount === 0) return
    let start = 0
    const terms = batch.terms.split('\n')
    // `terms` has one empty part when there are no terms.
    for (const [index, end] of batch.ends.entries()) {
      const list = getOrAdd(this.#lists, terms[index] as string, () => new PostingList())
      list.join(batch.lists.subarray(start, end), this.fragments)
      start = end
    }
    this.#lengths.push(batch.lengths)
    for (const file of files) this.#files.push(file)
    this.fragments += batch.fragmentCount
  }

  write(db: DatabaseSync): void {
    if (this.fragments === 0) return
    const { firstFragment, fragments } = this
    const columns = { lengths: Buffer.concat(this.#lengths), files: Uint32Array.from(this.#files) }
    const id = insertSegment(db, { firstFragment, fragments, ...columns })
    const insert = postings.inserter(db)
    for (const term of [...this.#lists.keys()].sort())
      insert({ term, segment: id, data: sealList((this.#lists.get(term) as PostingList).finish(), term, id) })
  }
}

interface NewSegment {
  readonly firstFragment: number
  readonly fragments: number
  readonly lengths: Uint8Array
  readonly files: Uint32Array
}

function insertSegment(db: DatabaseSync, segment: NewSegment): number {
  const files = new Uint8Array(segment.files.buffer, segment.files.byteOffset, segment.files.byteLength)
  const insert = segments.inserter(db, ['firstFragment', 'fragments', 'lengths', 'files', 'sum'])
  return insert(segmentSum.seal({ ...segment, files }))
}

/** Segments to merge: the newest run with eight of one class and no larger one. */
function chooseMerge(segments: readonly SegmentRow[]): readonly SegmentRow[] {
  const largest = Math.max(0, ...segments.map((segment) => sizeClass(segment.fragments)))
  for (let size = 0; size <= largest; size++) {
    const larger = segments.findLastIndex((segment) => sizeClass(segment.fragments) > size)
    const stretch = segments.slice(larger + 1)
    const same = stretch.filter((segment) => sizeClass(segment.fragments) === size)
    if (same.length >= MERGE_FACTOR) return stretch
  }
  return []
}

/** Merges segments. Runs inside the caller's transaction. */
export function mergeSegments(db: DatabaseSync): void {
  for (;;) {
    const columns = segments.pick(['id', 'firstFragment', 'fragments'])
    const due = chooseMerge(select(db, columns, 'FROM segments ORDER BY first_fragment').all())
    if (due.length === 0) return
    mergeRun(db, due)
  }
}

function mergeRun(db: DatabaseSync, run: readonly SegmentRow[]): void {
  const first = (run[0] as SegmentRow).firstFragment
  const last = run.at(-1) as SegmentRow
  const total = last.firstFragment + last.fragments - first
  const lengths = new Uint8Array(total * lengthBytes)
  const files = new Uint32Array(total)
  const read = select(db, segments.pick(['lengths', 'files']), 'FROM segments WHERE id = ?')
  for (const segment of run) {
    const row = present(read.get(segment.id), 'a segment')
    const at = segment.firstFragment - first
    lengths.set(row.lengths, at * lengthBytes)
    files.set(new Uint32Array(row.files.slice().buffer), at)
  }
  const target = insertSegment(db, { firstFragment: first, fragments: total, lengths, files })
  mergePostings(db, run, { target, first, dead: markDead(db, first, first + total) })
  const marks = run.map(() => '?').join(',')
  const ids = run.map((segment) => segment.id)
  db.prepare(`DELETE FROM postings WHERE segment IN (${marks})`).run(...ids)
  db.prepare(`DELETE FROM segments WHERE id IN (${marks})`).run(...ids)
}

interface MergeTarget {
  readonly target: number
  readonly first: number
  readonly dead: Uint8Array
}

function mergePostings(db: DatabaseSync, run: readonly SegmentRow[], merge: MergeTarget): void {
  const firstOf = new Map(run.map((segment) => [segment.id, segment.firstFragment]))
  // SQLite merges the parts of a compound SELECT, each of which is in the order of the key, without sorting the lists.
  const columns = postings.pick(['term', 'segment', 'data'])
  const parts = run.map(() => 'FROM postings WHERE segment = ?').join(` UNION ALL SELECT ${columns.sql} `)
  const rows = select(db, columns, `${parts} ORDER BY term`).iterate(...firstOf.keys())
  const insert = postings.inserter(db)
  let term: string | null = null
  let lists: { first: number; data: Uint8Array }[] = []
  const finishTerm = (): void => {
    if (term === null) return
    const decoded = new DecodedPostings()
    // An earlier merge may have given older fragments a newer segment id.
    for (const list of lists.sort((a, b) => a.first - b.first))
      decoded.read(list.data, list.first, merge.dead)
    if (decoded.length === 0) return
    const merged = new PostingList()
    for (let at = 0; at < decoded.length; at++)
      merged.add((decoded.fragments[at] as number) - merge.first, decoded.packed[at] as number)
    insert({ term, segment: merge.target, data: sealList(merged.finish(), term, merge.target) })
  }
  for (const row of rows) {
    if (row.term !== term) {
      finishTerm()
      term = row.term
      lists = []
    }
    lists.push({ first: firstOf.get(row.segment) as number, data: openList(row.data, row.term, row.segment) })
  }
  finishTerm()
}
