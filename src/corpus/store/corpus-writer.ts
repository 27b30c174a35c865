// How do documents get into the corpus file? Whole documents in transactions, so that no reader sees half of one.
// Long because every row of a document is written here, with its checksum.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Resolution } from '../../model/reference.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { isOfOneDocument } from './ownership/check-permission.ts'
import { countStatistics, type LexicalStatistics, readStatistics } from './postings/lexical-index.ts'
import { mergeSegments, SegmentBuilder } from './postings/segment-writer.ts'
import { ContentSums } from './rows/corpus-contents.ts'
import {
  artifactHash,
  type DocumentBatch,
  type StoredArtifact,
  type StoredDocument,
} from './rows/document-batch.ts'
import { type Leads, storeLeads } from './rows/document-edges.ts'
import { type Kept, KeptReferences, nothingKept, pending, type Standing } from './rows/kept-references.ts'
import { raiseGeneration, writeMeta } from './rows/meta.ts'
import { RelinkedDocuments, updateNames } from './rows/name-parts.ts'
import type { ReferenceReader, ReferenceRow } from './rows/reference-reader.ts'
import {
  artifactSum,
  damaged,
  defineRowSum,
  fileSum,
  fileSumInSql,
  fragmentSum,
  listSections,
  referenceSum,
  rowSum,
  textSum,
  wordsSum,
} from './rows/row-sum.ts'

interface Statements {
  readonly file: StatementSync
  readonly artifact: StatementSync
  readonly fragment: StatementSync
  readonly mention: StatementSync
  readonly leads: StatementSync
  readonly fileByPath: StatementSync
  readonly countOf: StatementSync
  readonly kill: StatementSync
  readonly killOne: StatementSync
  readonly removeFile: StatementSync
  readonly linksOf: StatementSync
}

interface StoredLink {
  readonly text: string
  readonly path: string
}

function prepareStatements(db: DatabaseSync): Statements {
  return {
    file: db.prepare(
      `INSERT INTO files (id, path, language, size, mtime, ctime, inode, content_hash, modified_at, title, status, date,
        frontmatter, line_count, tokens, inbound, rank, successor, outline, role, masks, places, sum,
        frontmatter_sum, details_sum, names_sum, sections_sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    artifact: db.prepare(
      'INSERT INTO artifacts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    fragment: db.prepare('INSERT INTO fragments VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    mention: db.prepare(
      `INSERT INTO mentions (artifact, form, text, target, line, outcome, path, section, anchor, confidence, method, candidates, sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    leads: db.prepare('INSERT OR REPLACE INTO leads VALUES (?, ?, ?)'),
    fileByPath: db.prepare('SELECT id FROM files WHERE path = ?'),
    countOf: db.prepare(
      `SELECT count(*) AS fragments, coalesce(sum(f.words), 0) AS words, coalesce(sum(f.id), 0) AS ids
        FROM artifacts a JOIN fragments f ON f.artifact = a.id WHERE a.file = ?`,
    ),
    kill: db.prepare(
      'INSERT OR IGNORE INTO dead_fragments SELECT f.id FROM fragments f JOIN artifacts a ON a.id = f.artifact WHERE a.file = ?',
    ),
    killOne: db.prepare('INSERT INTO dead_fragments VALUES (?)'),
    removeFile: db.prepare('DELETE FROM files WHERE id = ?'),
    linksOf: db.prepare(
      `SELECT m.text, m.path FROM artifacts a CROSS JOIN mentions m ON m.artifact = a.id
        WHERE a.file = ? AND m.form = 'link' AND m.outcome = 'resolved'`,
    ),
  }
}

function nextId(db: DatabaseSync, table: 'files' | 'artifacts'): number {
  return (db.prepare(`SELECT coalesce(max(id), 0) + 1 AS id FROM ${table}`).get() as { id: number }).id
}

/** The rows that a document gets. */
interface DocumentIds {
  readonly file: number
  readonly firstFragment: number
}

type MentionBefore = Pick<ReferenceRow, 'id' | 'form' | 'text' | 'path'>

function nextFragmentId(db: DatabaseSync): number {
  const row = db.prepare('SELECT coalesce(max(first_fragment + fragments), 0) AS id FROM segments').get()
  return (row as { id: number }).id
}

/** Writes documents; holds a transaction open from `begin` to `commit`. */
export class CorpusWriter {
  readonly #db: DatabaseSync
  readonly #do: Statements
  readonly #kept: KeptReferences
  readonly contents: ContentSums
  #segment: SegmentBuilder | null = null
  #statistics: Omit<LexicalStatistics, 'segments'> | null = null
  #isQuiet = true
  #keepsNames = true
  readonly #foundAlike = new Set<string>()
  #hasOtherNames = false
  readonly #relinked = new RelinkedDocuments()
  #resolve: StatementSync | null = null
  #standing: StatementSync | null = null
  #nextFile = 0
  #nextArtifact = 0

  constructor(db: DatabaseSync) {
    this.#db = db
    defineRowSum(db)
    this.#do = prepareStatements(db)
    this.#kept = new KeptReferences(db)
    this.contents = new ContentSums(db)
  }

  begin(): void {
    this.#db.exec('BEGIN IMMEDIATE')
    this.#nextFile = nextId(this.#db, 'files')
    this.#nextArtifact = nextId(this.#db, 'artifacts')
    this.#segment = new SegmentBuilder(nextFragmentId(this.#db))
    this.#statistics = readStatistics(this.#db)
    this.contents.begin()
  }

  /**
   * Whether all that was written since this writer was made left the names of documents, what they refer to, and what is
   * referred to in them as they were: nothing has to be resolved again then.
   */
  get isQuiet(): boolean {
    return this.#isQuiet
  }

  /** Whether headings or anchors are others, though nothing has to be resolved again. */
  get hasOtherNames(): boolean {
    return this.#hasOtherNames
  }

  /** Packs for questions what documents are called: these, and those that are linked by other words; or all. */
  setNames(
    references: ReferenceReader,
    families: readonly IdFamily[],
    changed: readonly string[] | null,
  ): void {
    const relinked = this.#relinked.paths()
    const isKnown = changed !== null && relinked !== null
    updateNames(this.#db, references, { families, changed: isKnown ? [...changed, ...relinked] : null })
  }

  /** Whether the same documents are there with the names and, of code, the definitions that they had. */
  get keepsNames(): boolean {
    return this.#keepsNames
  }

  /** Whether this document was read again, and every reference to it leads where it led. */
  isFoundAlike(path: string): boolean {
    return this.#foundAlike.has(path)
  }

  /** Makes everything since `begin` visible to readers at once. */
  commit(): void {
    this.#segment?.write(this.#db)
    this.#segment = null
    mergeSegments(this.#db)
    this.setMeta('statistics', JSON.stringify(this.#finishStatistics()))
    this.contents.keep()
    raiseGeneration(this.#db)
    this.#db.exec('COMMIT')
  }

  rollback(): void {
    this.#segment = null
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  /** Kept up to date with each document: to count anew takes as long as the corpus is large. */
  #finishStatistics(): LexicalStatistics {
    if (this.#statistics === null) return countStatistics(this.#db)
    const { fragments, words, documents, dead, deadSum } = this.#statistics
    const row = this.#db.prepare('SELECT count(*) AS segments FROM segments').get()
    return { fragments, words, documents, segments: (row as { segments: number }).segments, dead, deadSum }
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

  /** Forgets a document with everything that belongs to it. */
  removeDocument(path: string): boolean {
    const row = this.#do.fileByPath.get(path) as { id: number } | undefined
    if (row === undefined) return false
    this.#remove(row.id)
    this.#isQuiet = false
    this.#keepsNames = false
    return true
  }

  #remove(file: number): void {
    const counted = this.#do.countOf.get(file) as unknown as { fragments: number; words: number; ids: number }
    this.contents.remove(file)
    for (const { text, path } of this.#do.linksOf.all(file) as unknown as StoredLink[])
      this.#relinked.count('link', text, path, -1)
    this.#do.kill.run(file)
    this.#do.removeFile.run(file)
    this.#count(-counted.fragments, -counted.words)
    this.#countDead(counted.fragments, counted.ids)
  }

  #countDead(fragments: number, ids: number): void {
    if (this.#statistics === null) return
    const { dead, deadSum } = this.#statistics
    this.#statistics = { ...this.#statistics, dead: dead + fragments, deadSum: deadSum + ids }
  }

  /** Puts a document in the place of the one with its path, which it may keep something of. */
  #replace(document: StoredDocument): Kept {
    const kept = this.#kept.of(document)
    const before = this.#do.fileByPath.get(document.path) as { id: number } | undefined
    if (before !== undefined) this.#remove(before.id)
    if (kept === null) this.#keepsNames = false
    if (kept?.isFoundAlike) this.#foundAlike.add(document.path)
    if (kept === null || kept.leads === null) this.#isQuiet = false
    else if (kept.hasOtherPlaces) this.#hasOtherNames = true
    return kept ?? nothingKept
  }

  /** Adds documents; one with the same path is replaced. Returns those that cannot be stored, of which nothing stays. */
  addBatch(batch: DocumentBatch): readonly SkippedFile[] {
    const segment = this.#segment as SegmentBuilder
    let fragment = segment.firstFragment + segment.fragments
    const files: number[] = []
    const skipped: SkippedFile[] = []
    for (const document of batch.documents) {
      const kept = this.#replace(document)
      const file = this.#nextFile++
      try {
        this.#addDocument(document, { file, firstFragment: fragment }, kept)
      } catch (cause) {
        if (!isOfOneDocument(cause)) throw cause
        this.#abandon(document, { file, firstFragment: fragment })
        const detail = `the index refused it: ${(cause as Error).message}`
        skipped.push({ path: document.path, reason: 'not-stored', detail })
      }
      for (const _ of document.fragments) files.push(file)
      fragment += document.fragments.length
    }
    segment.add(batch.terms, files)
    return skipped
  }

  /** Takes back what was written of a document. Its words are in the batch: their fragments are dead from the start. */
  #abandon({ path, fragments }: StoredDocument, { file, firstFragment }: DocumentIds): void {
    this.#do.removeFile.run(file)
    const ids = fragments.map((_, index) => firstFragment + index)
    for (const id of ids) this.#do.killOne.run(id)
    this.#countDead(
      ids.length,
      ids.reduce((sum, id) => sum + id, 0),
    )
    this.#foundAlike.delete(path)
    this.#isQuiet = false
    this.#keepsNames = false
  }

  #addDocument(document: StoredDocument, { file, firstFragment }: DocumentIds, kept: Kept): void {
    const { facts } = document
    const tokens = document.artifacts.reduce((sum, artifact) => sum + artifact.tokens, 0)
    const frontmatter = JSON.stringify(facts.frontmatter)
    const { path, language, size, mtime, contentHash, modifiedAt, role } = document
    const { title, status } = facts
    const row = { id: file, path, language, size, mtime, contentHash, modifiedAt, title, status, role }
    this.#do.file.run(
      file,
      document.path,
      document.language,
      document.size,
      document.mtime,
      document.ctime,
      document.inode,
      document.contentHash,
      document.modifiedAt,
      facts.title,
      facts.status,
      facts.date,
      frontmatter,
      document.lineCount,
      tokens,
      kept.standing.inbound,
      kept.standing.rank,
      kept.standing.successor,
      document.outline,
      document.role,
      document.masks,
      document.places,
      fileSum({ ...row, ...kept.standing }),
      rowSum(file, frontmatter, document.outline === null ? 0 : 1),
      rowSum(path, document.outline, document.masks, document.places),
      textSum(document.artifacts.map(({ name }) => name).join('\0')),
      textSum(listSections(document.artifacts)),
    )
    const firstArtifact = this.#nextArtifact
    this.#nextArtifact += document.artifacts.length
    for (const [index, artifact] of document.artifacts.entries())
      this.#addArtifact(artifact, { file, firstArtifact, index })
    for (const [index, { artifact, number, of, pieceStart, pieceEnd, words }] of document.fragments.entries())
      this.#do.fragment.run(
        firstFragment + index,
        firstArtifact + artifact,
        number,
        of,
        pieceStart,
        pieceEnd,
        words,
        fragmentSum([firstFragment + index, firstArtifact + artifact, pieceStart, pieceEnd]),
      )
    this.#addMentions(document, firstArtifact, kept.outcomes)
    if (kept.leads !== null) this.setLeads(file, kept.leads)
    this.contents.add({ path, language, size, contentHash, modifiedAt, tokens })
    this.#count(
      document.fragments.length,
      document.fragments.reduce((sum, { words }) => sum + words, 0),
    )
  }

  #addMentions({ mentions }: StoredDocument, firstArtifact: number, outcomes: Kept['outcomes']): void {
    for (const [index, { artifact: at, form, text, target, line }] of mentions.entries()) {
      const artifact = firstArtifact + at
      const known = outcomes[index] ?? pending
      const { outcome, path, section, anchor, confidence, method, candidates } = known
      const sum = referenceSum({
        artifact,
        form,
        text,
        target,
        line,
        outcome,
        path,
        section,
        anchor,
        confidence,
        method,
        candidates,
      })
      const values = [outcome, path, section, anchor, confidence, method, candidates] as const
      this.#do.mention.run(artifact, form, text, target, line, ...values, sum)
      this.#relinked.count(form, text, path, 1)
    }
  }

  #addArtifact(artifact: StoredArtifact, at: { file: number; firstArtifact: number; index: number }): void {
    const { lines, ownLines } = artifact
    const id = at.firstArtifact + at.index
    const parent = artifact.parent < 0 ? null : at.firstArtifact + artifact.parent
    const headings = JSON.stringify(artifact.headings)
    const { kind, name, anchor, level, tokens } = artifact
    const row = {
      rowId: id,
      file: at.file,
      id: artifact.id,
      kind,
      name,
      anchor,
      level,
      headings,
      parent,
      tokens,
    }
    const [own_start, own_end] = [ownLines?.start ?? null, ownLines?.end ?? null]
    this.#do.artifact.run(
      id,
      at.file,
      artifact.id,
      artifact.kind,
      artifact.name,
      artifact.anchor,
      artifact.level,
      headings,
      parent,
      lines.start,
      lines.end,
      own_start,
      own_end,
      artifact.tokens,
      artifactSum({ ...row, line_start: lines.start, line_end: lines.end, own_start, own_end }),
      wordsSum(id, artifact.words),
      artifact.words,
      artifact.metadata,
      artifactHash(artifact, artifact.text, artifact.pieces),
      artifact.pieces,
      artifact.text,
    )
  }

  /** The file's stamp changed but its content did not. */
  touchFile({ path, size, mtime, ctime, inode }: FileStamp): void {
    const sum = fileSumInSql({ size: '?1', mtime: '?2' })
    const row = this.#do.fileByPath.get(path) as { id: number } | undefined
    if (row === undefined) return
    this.contents.change(row.id, () =>
      this.#db
        .prepare(`UPDATE files SET size = ?1, mtime = ?2, ctime = ?3, inode = ?4, sum = ${sum} WHERE id = ?5`)
        .run(size, mtime, ctime, inode, row.id),
    )
  }

  setModifiedAt(path: string, modifiedAt: number): void {
    const sum = fileSumInSql({ modified_at: '?1' })
    const row = this.#db.prepare('SELECT id, modified_at AS at FROM files WHERE path = ?').get(path)
    if (row === undefined || row['at'] === modifiedAt) return
    this.contents.change(row['id'] as number, () =>
      this.#db
        .prepare(`UPDATE files SET modified_at = ?1, sum = ${sum} WHERE id = ?2`)
        .run(modifiedAt, row['id'] as number),
    )
  }

  /** What a mention turned out to mean. */
  resolveMention({ id, form, text, path: before }: MentionBefore, resolution: Resolution): void {
    const statement = `UPDATE mentions SET outcome = ?1, path = ?2, section = ?3, anchor = ?4, confidence = ?5, method = ?6,
      candidates = ?7, sum = row_sum(artifact, form, text, target, line, ?1, ?2, ?3, ?4, ?5, ?6, ?7) WHERE id = ?8`
    this.#resolve ??= this.#db.prepare(statement)
    this.#isQuiet = false
    this.#relinked.count(form, text, before, -1)
    if (resolution.outcome === 'resolved') {
      const { outcome, path, section, anchor, confidence, method } = resolution
      this.#relinked.count(form, text, path, 1)
      this.#resolve.run(outcome, path, section, anchor, confidence, method, null, id)
    } else {
      const candidates = resolution.candidates.length > 0 ? JSON.stringify(resolution.candidates) : null
      this.#resolve.run(resolution.outcome, null, null, null, null, null, candidates, id)
    }
  }

  /** What a document refers to, once its references are resolved. */
  setLeads(file: number, leads: Leads): void {
    const { targets, sum } = storeLeads(file, leads)
    this.#do.leads.run(file, targets, sum)
  }

  setStanding(file: number, standing: Standing): void {
    this.#isQuiet = false
    const sum = fileSumInSql({ inbound: '?1', rank: '?2', successor: '?3' })
    // A new sum must not make a wrong row right.
    this.#standing ??= this.#db.prepare(
      `UPDATE files SET inbound = ?1, rank = ?2, successor = ?3, sum = ${sum} WHERE id = ?4 AND sum = ${fileSumInSql({})}`,
    )
    const { changes } = this.#standing.run(standing.inbound, standing.rank, standing.successor, file)
    if (changes === 0) throw damaged('what is known of a document')
  }

  replaceSkipped(skipped: readonly SkippedFile[]): void {
    this.#db.exec('DELETE FROM skipped')
    const insert = this.#db.prepare('INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    for (const { path, reason, detail, seen } of skipped) {
      const { size = null, mtime = null, ctime = null, inode = null } = seen ?? {}
      const values = [path, reason, detail, size, mtime, ctime, inode] as const
      insert.run(...values, rowSum(...values))
    }
  }

  replaceDirectories(directories: readonly { path: string; mtime: number }[]): void {
    this.#db.exec('DELETE FROM directories')
    const insert = this.#db.prepare('INSERT OR REPLACE INTO directories VALUES (?, ?, ?)')
    for (const { path, mtime } of directories) insert.run(path, mtime, rowSum(path, mtime))
  }

  setMeta(key: string, value: string): void {
    writeMeta(this.#db, key, value)
  }
}
