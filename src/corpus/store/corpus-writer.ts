// How do documents get into the corpus file? Whole documents in transactions, so that no reader sees half of one.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Resolution } from '../../model/reference.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { countTokens, type DocumentIds, DocumentInserter, packResolution } from './insert-document.ts'
import { isOfOneDocument } from './ownership/check-permission.ts'
import { countStatistics } from './postings/lexical-index.ts'
import { mergeSegments, SegmentBuilder } from './postings/segment-writer.ts'
import { damaged, defineRowSum } from './rows/checksum.ts'
import { ContentSums } from './rows/corpus-contents.ts'
import type { DocumentBatch, StoredDocument } from './rows/document-batch.ts'
import {
  clearMeta,
  type LexicalStatistics,
  type MetaKey,
  type MetaValue,
  raiseGeneration,
  readMeta,
  writeMeta,
} from './rows/meta.ts'
import { RelinkedDocuments, updateNames } from './rows/name-parts.ts'
import { type OutgoingLinks, storeOutgoing } from './rows/outgoing-links.ts'
import type { ReferenceReader, ReferenceRow } from './rows/reference-reader.ts'
import {
  type Authority,
  nothingReused,
  type Reused,
  ReusedReferences,
  unresolved,
} from './rows/reused-references.ts'
import { cacheStatements, computed, type Prepare, select } from './rows/table.ts'
import {
  directories,
  directorySum,
  fileSum,
  files,
  mentionSum,
  mentions,
  outgoingLinks,
  skippedFiles,
  skippedSum,
} from './schema.ts'

const fragmentCounts = computed<{ fragments: number; words: number; ids: number }>({
  fragments: 'count(*)',
  words: 'coalesce(sum(f.words), 0)',
  ids: 'coalesce(sum(f.id), 0)',
})

function listed(candidates: readonly string[]): string | null {
  return candidates.length > 0 ? JSON.stringify(candidates) : null
}

/** Writes documents; holds a transaction open from `begin` to `commit`. */
export class CorpusWriter {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  readonly #inserter: DocumentInserter
  readonly #insertOutgoing
  readonly #reused: ReusedReferences
  readonly contents: ContentSums
  #segment: SegmentBuilder | null = null
  #statistics: Omit<LexicalStatistics, 'segments'> | null = null
  #keepsReferences = true
  #keepsNames = true
  #changesPlaces = false
  readonly #keepsTargetsOf = new Set<string>()
  readonly #relinked = new RelinkedDocuments()
  #resolve: StatementSync | null = null
  #rank: StatementSync | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
    defineRowSum(db)
    this.#prepare = cacheStatements(db)
    this.#inserter = new DocumentInserter(db)
    this.#insertOutgoing = outgoingLinks.inserter(db, outgoingLinks.properties, 'INSERT OR REPLACE')
    this.#reused = new ReusedReferences(db)
    this.contents = new ContentSums(db)
  }

  begin(): void {
    this.#db.exec('BEGIN IMMEDIATE')
    this.#inserter.begin()
    const next = computed<{ id: number }>({ id: 'coalesce(max(first_fragment + fragments), 0)' })
    this.#segment = new SegmentBuilder(select(this.#prepare, next, 'FROM segments').get()?.id ?? 0)
    this.#statistics = readMeta(this.#db, 'statistics')
    this.contents.begin()
  }

  /** True if no reference needs to be resolved again after what this writer has written. */
  get keepsReferences(): boolean {
    return this.#keepsReferences
  }

  /** True if headings or anchors changed but references need no re-resolution. */
  get changesPlaces(): boolean {
    return this.#changesPlaces
  }

  /** True if the same documents exist with the same names and, in code, the same definitions. */
  get keepsNames(): boolean {
    return this.#keepsNames
  }

  /** True if this document was read again and every reference to it still has the same target. */
  keepsTargetsOf(path: string): boolean {
    return this.#keepsTargetsOf.has(path)
  }

  /** Packs the names of the changed documents and of those whose link texts changed; of all if `changed` is null. */
  setNames(
    references: ReferenceReader,
    families: readonly IdFamily[],
    changed: readonly string[] | null,
  ): void {
    const relinked = this.#relinked.paths()
    const isKnown = changed !== null && relinked !== null
    updateNames(this.#db, references, { families, changed: isKnown ? [...changed, ...relinked] : null })
  }

  /** Makes everything since `begin` visible to readers. */
  commit(): void {
    this.#segment?.write(this.#db)
    this.#segment = null
    mergeSegments(this.#db)
    this.setMeta('statistics', this.#finishStatistics())
    this.contents.save()
    raiseGeneration(this.#db)
    this.#db.exec('COMMIT')
  }

  rollback(): void {
    this.#segment = null
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  /** Updated with each document, because counting takes time in proportion to the corpus. */
  #finishStatistics(): LexicalStatistics {
    if (this.#statistics === null) return countStatistics(this.#db)
    const { fragments, words, documents, dead, deadSum } = this.#statistics
    const count = computed<{ segments: number }>({ segments: 'count(*)' })
    const { segments = 0 } = select(this.#prepare, count, 'FROM segments').get() ?? {}
    return { fragments, words, documents, segments, dead, deadSum }
  }

  #count(fragments: number, words: number): void {
    const before = this.#statistics
    if (before === null || fragments === 0) return
    this.#statistics = {
      ...before,
      fragments: before.fragments + fragments,
      words: before.words + words,
      documents: before.documents + Math.sign(fragments),
    }
  }

  #countDead(fragments: number, ids: number): void {
    if (this.#statistics === null) return
    const { dead, deadSum } = this.#statistics
    this.#statistics = { ...this.#statistics, dead: dead + fragments, deadSum: deadSum + ids }
  }

  #idOf(path: string): number | null {
    return select(this.#prepare, files.pick(['id']), 'FROM files WHERE path = ?').get(path)?.id ?? null
  }

  /** Removes a document with all its rows; false if there is none. */
  removeDocument(path: string): boolean {
    const id = this.#idOf(path)
    if (id === null) return false
    this.#remove(id)
    this.#keepsReferences = false
    this.#keepsNames = false
    return true
  }

  #remove(file: number): void {
    const rest = 'FROM artifacts a JOIN fragments f ON f.artifact = a.id WHERE a.file = ?'
    const { fragments = 0, words = 0, ids = 0 } = select(this.#prepare, fragmentCounts, rest).get(file) ?? {}
    this.contents.remove(file)
    const links = select(
      this.#prepare,
      mentions.pick(['text', 'path'], 'm'),
      `FROM artifacts a CROSS JOIN mentions m ON m.artifact = a.id
        WHERE a.file = ? AND m.form = 'link' AND m.outcome = 'resolved'`,
    )
    for (const { text, path } of links.all(file)) this.#relinked.count('link', text, path, -1)
    this.#prepare(
      'INSERT OR IGNORE INTO dead_fragments SELECT f.id FROM fragments f JOIN artifacts a ON a.id = f.artifact WHERE a.file = ?',
    ).run(file)
    this.#prepare('DELETE FROM files WHERE id = ?').run(file)
    this.#count(-fragments, -words)
    this.#countDead(fragments, ids)
  }

  /** Removes the document with the same path, and returns what the new one may reuse of it. */
  #replace(document: StoredDocument): Reused {
    const reused = this.#reused.of(document)
    const before = this.#idOf(document.path)
    if (before !== null) this.#remove(before)
    if (reused === null) this.#keepsNames = false
    if (reused?.keepsTargets) this.#keepsTargetsOf.add(document.path)
    if (reused === null || reused.outgoing === null) this.#keepsReferences = false
    else if (reused.changesPlaces) this.#changesPlaces = true
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
        this.#addDocument(document, ids, reused)
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

  #addDocument(document: StoredDocument, ids: DocumentIds, reused: Reused): void {
    this.#inserter.insert(document, ids, reused)
    for (const [index, { form, text }] of document.mentions.entries())
      this.#relinked.count(form, text, reused.resolutions[index]?.path ?? null, 1)
    if (reused.outgoing !== null) this.setOutgoing(ids.file, reused.outgoing)
    this.contents.add({ ...document, tokens: countTokens(document) })
    const words = document.fragments.reduce((sum, fragment) => sum + fragment.words, 0)
    this.#count(document.fragments.length, words)
  }

  /** Takes back what was written of a document. Its words are in the batch, so that its fragments are dead. */
  #abandon({ path, fragments }: StoredDocument, { file, firstFragment }: DocumentIds): void {
    this.#prepare('DELETE FROM files WHERE id = ?').run(file)
    const kill = this.#prepare('INSERT INTO dead_fragments VALUES (?)')
    for (const index of fragments.keys()) {
      kill.run(firstFragment + index)
      this.#countDead(1, firstFragment + index)
    }
    this.#keepsTargetsOf.delete(path)
    this.#keepsReferences = false
    this.#keepsNames = false
  }

  /** Updates the stamp of a file whose content is the same. */
  touchFile({ path, size, mtime, ctime, inode }: FileStamp): void {
    const id = this.#idOf(path)
    if (id === null) return
    const sum = fileSum.inSql({ size: '?1', mtime: '?2' })
    const sql = `UPDATE files SET size = ?1, mtime = ?2, ctime = ?3, inode = ?4, sum = ${sum} WHERE id = ?5`
    this.contents.change(id, () => this.#prepare(sql).run(size, mtime, ctime, inode, id))
  }

  setModifiedAt(path: string, modifiedAt: number): void {
    const row = select(this.#prepare, files.pick(['id', 'modifiedAt']), 'FROM files WHERE path = ?').get(path)
    if (row === undefined || row.modifiedAt === modifiedAt) return
    const sum = fileSum.inSql({ modifiedAt: '?1' })
    const sql = `UPDATE files SET modified_at = ?1, sum = ${sum} WHERE id = ?2`
    this.contents.change(row.id, () => this.#prepare(sql).run(modifiedAt, row.id))
  }

  resolveMention(row: ReferenceRow, resolution: Resolution): void {
    const { id, form, text } = row
    const found =
      resolution.outcome === 'resolved'
        ? { ...resolution, candidates: null }
        : { ...unresolved, outcome: resolution.outcome, candidates: listed(resolution.candidates) }
    this.#keepsReferences = false
    this.#relinked.count(form, text, row.path, -1)
    if (resolution.outcome === 'resolved') this.#relinked.count(form, text, resolution.path, 1)
    const { path, confidence, method, candidates } = found
    const { otherOutcome, place, otherAnchor } = packResolution(found)
    this.#resolve ??= this.#db.prepare(
      `UPDATE mentions SET path = ?, confidence = ?, method = ?, candidates = ?, other_outcome = ?, place = ?,
        other_anchor = ?, sum = ? WHERE id = ?`,
    )
    const values = [path, confidence, method, candidates, otherOutcome, place, otherAnchor]
    this.#resolve.run(...values, mentionSum.of({ ...row, ...found }), id)
  }

  setOutgoing(file: number, links: OutgoingLinks): void {
    this.#insertOutgoing(storeOutgoing(file, links))
  }

  setAuthority(file: number, { inbound, rank, successor }: Authority): void {
    this.#keepsReferences = false
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

  setMeta<K extends MetaKey>(key: K, value: MetaValue<K>): void {
    writeMeta(this.#db, key, value)
  }

  clearMeta(...keys: readonly MetaKey[]): void {
    clearMeta(this.#db, ...keys)
  }
}
