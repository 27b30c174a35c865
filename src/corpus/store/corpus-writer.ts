// How do documents get into the corpus file? Whole documents in transactions, so that no reader sees half of one.
import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Resolution } from '../../model/reference.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import { extractedFormatOf, pageFormatOf } from '../../read/source/extracted-formats.ts'
import { type DocumentIds, DocumentInserter, packResolution } from './insert-document.ts'
import { isOfOneDocument } from './ownership/check-permission.ts'
import { countStatistics } from './postings/lexical-index.ts'
import { mergeSegments, SegmentBuilder } from './postings/segment-writer.ts'
import { damaged, defineRowSum } from './rows/checksum.ts'
import type { DocumentBatch, StoredDocument } from './rows/document-batch.ts'
import { clearMeta, type MetaKey, type MetaValue, raiseGeneration, writeMeta } from './rows/meta.ts'
import type { ReferenceRow } from './rows/reference-reader.ts'
import {
  type Authority,
  nothingReused,
  openReused,
  type Reused,
  unresolved,
} from './rows/reused-references.ts'
import { cacheStatements, computed, type Prepare, type Selected, select } from './rows/table.ts'
import { directories, directorySum, fileSum, files, mentionSum, skippedFiles, skippedSum } from './schema.ts'

const counted = files.pick(['path', 'language', 'contentHash', 'modifiedAt'])

/** Extracted text also depends on the version of the extractor. */
function hashOf({ path, language, contentHash, modifiedAt }: Selected<typeof counted>): bigint {
  const format = language === 'markdown' ? (extractedFormatOf(path) ?? pageFormatOf(path)) : null
  const reader = format === null ? '' : `\0${format.name} ${format.version}`
  return BigInt(`0x${hash('sha256', `${path}\0${contentHash}\0${modifiedAt}${reader}\n`)}`)
}

const listed = (candidates: readonly string[]): string | null =>
  candidates.length > 0 ? JSON.stringify(candidates) : null

/**
 * Nothing; headings, anchors or mentions of documents, on which their own references and those to them depend; or names of
 * documents and definitions, on which any reference may depend.
 */
type ReferenceChanges = 'nothing' | 'documents' | 'names'

/** Writes documents; holds a transaction open from `begin` to `commit`. */
export class CorpusWriter {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  readonly #inserter: DocumentInserter
  readonly #reused: ReturnType<typeof openReused>
  #segment: SegmentBuilder | null = null
  #changes: ReferenceChanges = 'nothing'
  #resolve: StatementSync | null = null
  #rank: StatementSync | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
    defineRowSum(db)
    this.#prepare = cacheStatements(db)
    this.#inserter = new DocumentInserter(db)
    this.#reused = openReused(db)
  }

  begin(): void {
    this.#db.exec('BEGIN IMMEDIATE')
    this.#inserter.begin()
    const next = computed<{ id: number }>({ id: 'coalesce(max(first_fragment + fragments), 0)' })
    this.#segment = new SegmentBuilder(select(this.#prepare, next, 'FROM segments').get()?.id ?? 0)
  }

  /** What has this writer written that references depend on? */
  get changes(): ReferenceChanges {
    return this.#changes
  }

  /** Makes everything since `begin` visible to readers. */
  commit(): void {
    this.#segment?.write(this.#db)
    this.#inserter.end()
    this.#segment = null
    mergeSegments(this.#db)
    this.setMeta('statistics', countStatistics(this.#db))
    raiseGeneration(this.#db)
    this.#db.exec('COMMIT')
  }

  rollback(): void {
    this.#segment = null
    this.#inserter.forget()
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  #idOf(path: string): number | null {
    return select(this.#prepare, files.pick(['id']), 'FROM files WHERE path = ?').get(path)?.id ?? null
  }

  /** Removes a document with all its rows; false if there is none. */
  removeDocument(path: string): boolean {
    const id = this.#idOf(path)
    if (id === null) return false
    this.#remove(id)
    this.#changes = 'names'
    return true
  }

  #remove(file: number): void {
    this.#prepare(
      'INSERT OR IGNORE INTO dead_fragments SELECT f.id FROM fragments f JOIN artifacts a ON a.id = f.artifact WHERE a.file = ?',
    ).run(file)
    this.#prepare('DELETE FROM files WHERE id = ?').run(file)
  }

  /** Removes the document with the same path, and returns what the new one may reuse of it. */
  #replace(document: StoredDocument): Reused {
    const reused = this.#reused(document)
    const before = this.#idOf(document.path)
    if (before !== null) this.#remove(before)
    if (reused === null) this.#changes = 'names'
    else if (!reused.isWhole && this.#changes === 'nothing') this.#changes = 'documents'
    return reused ?? nothingReused
  }

  /** Adds documents; one with the same path is replaced. Returns those that cannot be stored, of which nothing stays. */
  addBatch(batch: DocumentBatch): readonly SkippedFile[] {
    const segment = this.#segment as SegmentBuilder
    let firstFragment = segment.firstFragment + segment.fragments
    const owners: number[] = []
    const skipped: SkippedFile[] = []
    for (const document of batch.documents) {
      const reused = this.#replace(document)
      const ids = { file: this.#inserter.nextFile(), firstFragment }
      try {
        this.#inserter.insert(document, ids, reused)
      } catch (cause) {
        if (!isOfOneDocument(cause)) throw cause
        this.#abandon(document, ids)
        const detail = `the index refused it: ${(cause as Error).message}`
        skipped.push({ path: document.path, reason: 'not-stored', detail })
      }
      for (const _ of document.fragments) owners.push(ids.file)
      firstFragment += document.fragments.length
    }
    segment.add(batch.terms, owners)
    return skipped
  }

  /** Takes back what was written of a document. Its words are in the batch, so that its fragments are dead. */
  #abandon({ fragments }: StoredDocument, { file, firstFragment }: DocumentIds): void {
    this.#prepare('DELETE FROM files WHERE id = ?').run(file)
    const kill = this.#prepare('INSERT INTO dead_fragments VALUES (?)')
    for (const index of fragments.keys()) kill.run(firstFragment + index)
    this.#changes = 'names'
  }

  /** Updates the stamp of a file whose content is the same. */
  touchFile({ path, size, mtime, ctime, inode }: FileStamp): void {
    const id = this.#idOf(path)
    if (id === null) return
    const sum = fileSum.inSql({ size: '?1', mtime: '?2' })
    const sql = `UPDATE files SET size = ?1, mtime = ?2, ctime = ?3, inode = ?4, sum = ${sum} WHERE id = ?5`
    this.#prepare(sql).run(size, mtime, ctime, inode, id)
  }

  setModifiedAt(path: string, modifiedAt: number): void {
    const row = select(this.#prepare, files.pick(['id', 'modifiedAt']), 'FROM files WHERE path = ?').get(path)
    if (row === undefined || row.modifiedAt === modifiedAt) return
    const sum = fileSum.inSql({ modifiedAt: '?1' })
    this.#prepare(`UPDATE files SET modified_at = ?1, sum = ${sum} WHERE id = ?2`).run(modifiedAt, row.id)
  }

  resolveMention(row: ReferenceRow, resolution: Resolution): void {
    const found =
      resolution.outcome === 'resolved'
        ? { ...resolution, candidates: null }
        : { ...unresolved, outcome: resolution.outcome, candidates: listed(resolution.candidates) }
    const { path, confidence, method, candidates } = found
    const { otherOutcome, place, otherAnchor } = packResolution(found)
    this.#resolve ??= this.#db.prepare(
      `UPDATE mentions SET path_id = ?, confidence = ?, method = ?, candidates = ?, other_outcome = ?, place = ?,
        other_anchor = ?, sum = ? WHERE id = ?`,
    )
    const target = this.#inserter.pathId(path)
    const values = [target, confidence, method, candidates, otherOutcome, place, otherAnchor]
    this.#resolve.run(...values, mentionSum.of({ ...row, ...found }), row.id)
  }

  setAuthority(file: number, { inbound, rank, successor }: Authority): void {
    const sum = fileSum.inSql({ inbound: '?1', rank: '?2', successor: '?3' })
    // The old checksum is compared, so that a damaged row does not get a right one.
    this.#rank ??= this.#db.prepare(
      `UPDATE files SET inbound = ?1, rank = ?2, successor = ?3, sum = ${sum} WHERE id = ?4 AND sum = ${fileSum.inSql({})}`,
    )
    if (this.#rank.run(inbound, rank, successor, file).changes === 0) throw damaged('the row of a document')
  }

  replaceSkipped(skipped: readonly SkippedFile[]): void {
    this.#db.exec('DELETE FROM skipped')
    const insert = skippedFiles.inserter(this.#db, skippedFiles.properties, 'INSERT OR REPLACE')
    const unseen = { size: null, mtime: null, ctime: null, inode: null }
    for (const { path, reason, detail, seen } of skipped)
      insert(skippedSum.seal({ ...(seen ?? unseen), path, reason, detail }))
  }

  replaceDirectories(found: readonly { path: string; mtime: number }[]): void {
    this.#db.exec('DELETE FROM directories')
    const insert = directories.inserter(this.#db, directories.properties, 'INSERT OR REPLACE')
    for (const { path, mtime } of found) insert(directorySum.seal({ path, mtime }))
  }

  /** Identifies all documents that are stored now, in any order: the sum of their hashes, in hexadecimal. */
  sumContents(): string {
    let sum = 0n
    for (const row of select(this.#db, counted, 'FROM files').iterate()) sum += hashOf(row)
    return BigInt.asUintN(256, sum).toString(16)
  }

  setMeta<K extends MetaKey>(key: K, value: MetaValue<K>): void {
    writeMeta(this.#db, key, value)
  }

  clearMeta(...keys: readonly MetaKey[]): void {
    clearMeta(this.#db, ...keys)
  }
}
