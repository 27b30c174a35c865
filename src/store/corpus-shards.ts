// Over which files is a corpus divided? Its own file alone, or shards beside it, each with the postings and vectors of some
// of the documents (record 0048 in docs/decisions).
//
// Files of a write-ahead log cannot be committed together, so the corpus file alone says what holds: which segments there
// are, and which fragments live. A shard is written before it and swept after it: it may hold more than is named, never
// less, and what a killed process left there is not read.
import { DatabaseSync } from 'node:sqlite'
import { CandidateSource } from './candidate-source.ts'
import { readMeta, writeMeta } from './meta.ts'
import { damaged, textSum } from './row-sum.ts'

/** A corpus file with its shards. */
export class CorpusDatabase extends DatabaseSync {
  /** What holds postings and vectors: this file itself where the corpus is not divided. */
  shards: readonly DatabaseSync[] = [this]
  /** Where the shards are; none where the corpus is not divided. */
  shardFiles: readonly string[] = []

  override close(): void {
    for (const shard of this.shards) if (shard !== this && shard.isOpen) shard.close()
    super.close()
  }

  override [Symbol.dispose](): void {
    if (this.isOpen) this.close()
  }
}

/** The files that hold the postings and vectors of a corpus. */
export function shardsOf(db: DatabaseSync): readonly DatabaseSync[] {
  return db instanceof CorpusDatabase ? db.shards : [db]
}

/** The shards beside a corpus file; none where it holds everything itself. */
function besides(db: DatabaseSync): readonly DatabaseSync[] {
  const shards = shardsOf(db)
  return shards[0] === db ? [] : shards
}

/**
 * Which shard a document belongs to. Its fragments are numbered in the shard; a fragment's id is that number times the
 * number of shards, plus the shard. Segments, too, have ids that say their shard.
 */
export function shardOfPath(path: string, shards: number): number {
  return shards === 1 ? 0 : textSum(path) % shards
}

/** Ids of the segments that the corpus file names of a shard. */
function namedSegments(db: DatabaseSync, shard: number): number[] {
  const rows = db.prepare('SELECT id FROM segments WHERE id % ? = ?').all(shardsOf(db).length, shard)
  return rows.map(({ id }) => id as number)
}

function heldSegments(shard: DatabaseSync): number[] {
  return JSON.parse(readMeta(shard, 'segments') ?? '[]') as number[]
}

/** Notes that lists of a segment are about to be written: a shard cannot tell without reading all of them. */
export function holdSegment(db: DatabaseSync, number: number, id: number): void {
  const shard = besides(db)[number]
  if (shard !== undefined) writeMeta(shard, 'segments', JSON.stringify([...heldSegments(shard), id]))
}

/** Throws INDEX_DAMAGED when a shard lacks a segment that the corpus file names: it is an older copy. */
export function requireSegments(db: DatabaseSync): void {
  for (const [number, shard] of besides(db).entries()) {
    const held = new Set(heldSegments(shard))
    if (namedSegments(db, number).some((id) => !held.has(id))) throw damaged(`shard ${number} of the index`)
  }
}

/** The state of the corpus that needs nothing any more of what is taken away from a shard now. */
export function markSwept(db: DatabaseSync, shard: DatabaseSync): void {
  if (shard !== db) writeMeta(shard, 'swept', readMeta(db, 'generation') ?? '0')
}

/** Takes away what the corpus file does not name: segments that were merged, or that a killed process left. */
function sweepShards(db: DatabaseSync): void {
  for (const [number, shard] of besides(db).entries()) {
    const named = namedSegments(db, number)
    const gone = heldSegments(shard).filter((id) => !named.includes(id))
    if (gone.length === 0) continue
    shard.exec('BEGIN IMMEDIATE')
    new CandidateSource(shard).removeLists(gone)
    writeMeta(shard, 'segments', JSON.stringify(named))
    markSwept(db, shard)
    shard.exec('COMMIT')
  }
}

/** Begins to write to the corpus file and its shards. */
export function beginWriting(db: DatabaseSync): void {
  sweepShards(db)
  db.exec('BEGIN IMMEDIATE')
  for (const shard of besides(db)) shard.exec('BEGIN IMMEDIATE')
}

/** Makes everything since `beginWriting` visible to readers at once: with the commit of the corpus file. */
export function commitWriting(db: DatabaseSync): void {
  for (const shard of besides(db)) shard.exec('COMMIT')
  db.exec('COMMIT')
  sweepShards(db)
}

/** Ends a transaction without its changes, also one that failed. */
export function rollBack(db: DatabaseSync): void {
  for (const one of new Set([db, ...shardsOf(db)])) if (one.isTransaction) one.exec('ROLLBACK')
}

/** So often a reader looks for shards and a corpus file of one state. */
const ATTEMPTS = 100

/**
 * Begins to read one state of the corpus file and of what its shards hold for it. A shard may be swept between the two:
 * then there is a newer state of the corpus file already.
 */
export function beginReading(db: DatabaseSync): void {
  const shards = besides(db)
  for (let attempt = 1; ; attempt++) {
    db.exec('BEGIN')
    if (shards.length === 0) return
    const generation = Number(readMeta(db, 'generation') ?? 0)
    for (const shard of shards) shard.exec('BEGIN')
    if (shards.every((shard) => Number(readMeta(shard, 'swept') ?? 0) <= generation)) return
    rollBack(db)
    if (attempt === ATTEMPTS) throw damaged('a shard of the index')
  }
}

export function endReading(db: DatabaseSync): void {
  for (const one of new Set([db, ...shardsOf(db)])) one.exec('COMMIT')
}
