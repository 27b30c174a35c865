// What does the corpus file hold? Reads in snapshots; every artifact that is served is checked against its hash.
// Long because it is the one door to all rows of a corpus, each method a statement and its check.
import type { DatabaseSync } from 'node:sqlite'
import { YoreError } from '../../model/errors.ts'
import type { MaskedPlace } from '../../model/report.ts'
import type { ArtifactRow, ArtifactText, FileRow } from '../../model/section.ts'
import type { FileStamp, Mask, SkippedFile, TextPlace } from '../../model/source-file.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import type { DocumentNames } from '../resolve/document-names.ts'
import { LexicalIndex } from './postings/lexical-index.ts'
import { artifactHash, unpackPieces } from './rows/document-batch.ts'
import { keepStatements, type Prepare } from './rows/keep-statements.ts'
import { type FragmentRow, KeptCorpus, type KeptRows } from './rows/kept-rows.ts'
import { readMeta } from './rows/meta.ts'
import { openNames, readNameParts } from './rows/name-parts.ts'
import { ReferenceReader } from './rows/reference-reader.ts'
import {
  checkedDetails,
  damaged,
  fileColumns,
  fileSum,
  fragmentSum,
  RightRows,
  type StoredDetails,
  wordsSum,
} from './rows/row-sum.ts'
import { belongsTo, SectionRows } from './rows/section-rows.ts'
import { SectionWords } from './rows/section-words.ts'
import { readFolders, readSkips, type StoredFolder } from './rows/walk-reader.ts'
import { VectorStore } from './vectors/vector-store.ts'

interface SummedFile extends FileRow {
  readonly sum: number
}

interface StoredText {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly text: string
  readonly pieces: Uint8Array
  readonly hash: Uint8Array
  readonly metadata: string | null
}

function checkedText(row: StoredText): ArtifactText {
  if (!belongsTo(row.path, row.id) || Buffer.compare(artifactHash(row, row.text, row.pieces), row.hash) !== 0)
    throw new YoreError('INDEX_DAMAGED', `the stored text of ${row.id} does not match its hash`)
  return { text: row.text, pieces: unpackPieces(row.pieces) }
}

/** A row that another row names. */
function present<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw new YoreError('INDEX_DAMAGED', `${what} is missing from the index`)
  return row
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const corruptCodes: ReadonlySet<number> = new Set([11, 26])

/** What a damaged file makes of a read: an error of SQLite, or stored JSON that is none any more. */
function asDamage(cause: unknown): unknown {
  const { errcode, message } = cause as { errcode?: number; message?: string }
  if (!corruptCodes.has((errcode ?? 0) & 0xff) && !(cause instanceof SyntaxError)) return cause
  return new YoreError('INDEX_DAMAGED', `cannot read the index: ${message}`, { cause })
}

/** Many readers may work while one writer writes. Reads inside one `snapshot` see one state. */
export class CorpusReader {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  readonly #rightFiles = new RightRows()
  readonly #sections = new SectionRows((sql) => this.#prepare(sql))
  readonly #rows = new KeptCorpus()
  /** Of the state that the kept rows come from. */
  #version = ''
  #isSnapshot = false
  #references: ReferenceReader | null = null
  #lexical: { generation: string; index: LexicalIndex } | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#prepare = keepStatements(db)
  }

  /** Throws INDEX_DAMAGED when the row is not what was written. */
  readonly #checkedFile = (row: SummedFile): FileRow => {
    if (this.#rightFiles.has(row.id, row.sum)) return row
    if (fileSum(row) !== row.sum) throw damaged(`what is known of ${row.path}`)
    this.#rightFiles.add(row.id, row.sum)
    return row
  }

  close(): void {
    this.#rows.close()
    this.#db.close()
  }

  snapshot<T>(read: () => T): T {
    if (this.#db.isTransaction) return read()
    this.#db.exec('BEGIN')
    try {
      this.#dropOutdated()
      this.#isSnapshot = true
      const result = read()
      this.#db.exec('COMMIT')
      return result
    } catch (cause) {
      this.#giveUp()
      throw asDamage(cause)
    } finally {
      this.#isSnapshot = false
      this.#rows.used()
    }
  }

  /** Rows are kept from one snapshot to the next, until this connection or another has written. */
  #dropOutdated(): void {
    const sql = "SELECT data_version || ' ' || total_changes() AS version FROM pragma_data_version"
    const { version } = this.#prepare(sql).get() as { version: string }
    if (version !== this.#version) this.#rows.forget()
    this.#version = version
  }

  /** Outside of a snapshot nobody knows which state a kept row would be of. */
  #kept<T>(rows: KeptRows<T>, id: number, read: (id: number) => T): T {
    return this.#isSnapshot ? rows.get(id, read) : read(id)
  }

  /** Ends a snapshot whose reads failed; on a damaged file that may fail too. */
  #giveUp(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    } catch {}
  }

  meta(key: string): string | null {
    return readMeta(this.#db, key, (sql) => this.#prepare(sql))
  }

  /** The full-text index, kept until a writer changes it. */
  lexical(): LexicalIndex {
    const generation = this.meta('generation') ?? ''
    if (this.#lexical?.generation !== generation)
      this.#lexical = { generation, index: new LexicalIndex(this.#db) }
    return this.#lexical.index
  }

  /**
   * Reads all that ranking reads beside the texts, and lets SQLite compare its indexes with their tables: a row that an
   * index leads to no more is missed otherwise. Throws INDEX_DAMAGED. Gives how many lists, vectors and references.
   */
  checkRows(): number {
    const [found] = this.#prepare('PRAGMA integrity_check(1)').all()
    if (found?.['integrity_check'] !== 'ok') throw damaged('an index of a table')
    let rows = this.lexical().checkAll(this.#db)
    const models = this.#prepare('SELECT DISTINCT model FROM vectors').all() as unknown as { model: string }[]
    for (const { model } of models) for (const _ of this.vectors().rows(model)) rows++
    rows += this.directories().length + this.skipped().length + this.masks().length
    rows += this.references().outlines().length + (readNameParts(this.#db)?.length ?? 0)
    for (const _ of this.references().everything()) rows++
    for (const _ of this.references().inCode('all')) rows++
    for (const _ of this.references().leads()) rows++
    return rows
  }

  /** All documents, or those among these paths. */
  files(among?: readonly string[]): FileRow[] {
    const sql = `SELECT ${fileColumns} FROM files`
    const one = `${sql} WHERE path = ?`
    const rows = among?.flatMap((path) => this.#prepare(one).all(path))
    return ((rows ?? this.#prepare(`${sql} ORDER BY path`).all()) as unknown as SummedFile[]).map(
      this.#checkedFile,
    )
  }

  /** Rows of all documents, or of those among these paths. */
  fileIds(among?: Iterable<string>): { readonly id: number; readonly path: string }[] {
    const sql = 'SELECT id, path FROM files'
    if (among === undefined) return this.#prepare(sql).all() as unknown as { id: number; path: string }[]
    const one = this.#prepare(`${sql} WHERE path = ?`)
    return [...among].flatMap((path) => (one.get(path) ?? []) as { id: number; path: string })
  }

  /** Of all documents, in their order. */
  paths(): string[] {
    const rows = this.#prepare('SELECT path FROM files ORDER BY path').all() as unknown as { path: string }[]
    return rows.map(({ path }) => path)
  }

  /** Of all documents, or of so many that were indexed last: a changed one gets the next id. */
  stamps(most?: number): FileStamp[] {
    const sql = `SELECT path, size, mtime, ctime, inode FROM files${most === undefined ? '' : ' ORDER BY id DESC LIMIT ?'}`
    return this.#prepare(sql).all(...(most === undefined ? [] : [most])) as unknown as FileStamp[]
  }

  /** Of the documents among these paths. */
  stampsOf(paths: readonly string[]): FileStamp[] {
    const statement = this.#prepare('SELECT path, size, mtime, ctime, inode FROM files WHERE path = ?')
    return paths.flatMap((path) => (statement.get(path) as unknown as FileStamp | undefined) ?? [])
  }

  /** All folders that were walked, or those among these paths. */
  directories(among?: readonly string[]): StoredFolder[] {
    return readFolders((sql) => this.#prepare(sql), among)
  }

  /** What was left out for what it holds, with its stamp: not to be opened again while that stays the same. */
  refused(): SkippedFile[] {
    return this.skips().filter(({ seen }) => seen !== undefined)
  }

  /** All that was left out, with the stamps of what was opened. */
  skips(): SkippedFile[] {
    return readSkips((sql) => this.#prepare(sql))
  }

  skipped(): SkippedFile[] {
    const skips = this.skips()
    return skips.map(({ path, reason, detail }) => ({ path, reason, detail }))
  }

  /** Where secrets were hidden, by path and line. */
  masks(): MaskedPlace[] {
    const sql =
      'SELECT path, outline, masks, places, details_sum AS sum FROM files WHERE masks IS NOT NULL ORDER BY path'
    return (this.#prepare(sql).all() as unknown as StoredDetails[])
      .map(checkedDetails)
      .flatMap(({ path, masks }) => (JSON.parse(masks ?? '[]') as Mask[]).map((mask) => ({ path, ...mask })))
  }

  /** Where the lines of a file's text stand in it; null for a text that is the file. */
  placesIn(path: string): readonly TextPlace[] | null {
    const sql =
      'SELECT path, outline, masks, places, details_sum AS sum FROM files WHERE path = ? AND places IS NOT NULL'
    const row = this.#prepare(sql).get(path) as unknown as StoredDetails | undefined
    if (row === undefined) return null
    const pairs = JSON.parse(checkedDetails(row).places ?? '[]') as [number, string][]
    return pairs.map(([line, place]) => ({ line, place }))
  }

  file(id: number): FileRow {
    return this.#kept(this.#rows.files, id, this.#readFile)
  }

  #readFile = (id: number): FileRow => {
    const row = this.#prepare(`SELECT ${fileColumns} FROM files WHERE id = ?`).get(id)
    return this.#checkedFile(present(row as unknown as SummedFile | undefined, `file ${id}`))
  }

  hasFile(path: string): boolean {
    return this.#prepare('SELECT 1 FROM files WHERE path = ?').get(path) !== undefined
  }

  fileByPath(path: string): FileRow | null {
    const row = this.#prepare(`SELECT ${fileColumns} FROM files WHERE path = ?`).get(path)
    if (row !== undefined) return this.#checkedFile(row as unknown as SummedFile)
    const other = this.otherNames().get(path)
    return other === undefined || other === path ? null : this.fileByPath(other)
  }

  /** Links to files that are indexed under another name, with that name. */
  otherNames(): ReadonlyMap<string, string> {
    return new Map(Object.entries(JSON.parse(this.meta('otherNames') ?? '{}') as Record<string, string>))
  }

  /** The references of the corpus. */
  references(): ReferenceReader {
    this.#references ??= new ReferenceReader(this.#db, this.#sections)
    return this.#references
  }

  /** Another one as soon as documents may be called otherwise. */
  namesVersion(): string {
    return this.meta('namesSum') || `generation ${this.meta('generation')}`
  }

  /** What questions may call documents: as it is stored, or packed now where a run did not end. */
  documentNames(families: readonly IdFamily[]): DocumentNames {
    return openNames(this.#db, this.references(), families)
  }

  /** The vectors of the corpus. */
  vectors(): VectorStore {
    return new VectorStore(this.#db)
  }

  fragment(id: number): FragmentRow {
    return this.#kept(this.#rows.fragments, id, this.#readFragment)
  }

  #readFragment = (id: number): FragmentRow => {
    const sql =
      'SELECT id, artifact, piece_start AS pieceStart, piece_end AS pieceEnd, sum FROM fragments WHERE id = ?'
    const row = this.#prepare(sql).get(id) as unknown as (FragmentRow & { sum: number }) | undefined
    const { sum, ...found } = present(row, `fragment ${id}`)
    if (fragmentSum([id, found.artifact, found.pieceStart, found.pieceEnd]) !== sum)
      throw damaged(`fragment ${id}`)
    return found
  }

  /** One of a file's fragments; null when it has none. */
  anyFragmentOf(file: number): number | null {
    const sql = 'SELECT f.id FROM artifacts a JOIN fragments f ON f.artifact = a.id WHERE a.file = ? LIMIT 1'
    return (this.#prepare(sql).get(file) as { id: number } | undefined)?.id ?? null
  }

  /** A fragment with the artifact that holds it. */
  match(fragment: number): {
    readonly artifact: ArtifactRow
    readonly pieceStart: number
    readonly pieceEnd: number
  } {
    const { artifact, pieceStart, pieceEnd } = this.fragment(fragment)
    return { artifact: this.artifact(artifact), pieceStart, pieceEnd }
  }

  artifact(rowId: number): ArtifactRow {
    return this.#kept(this.#rows.artifacts, rowId, this.#readArtifact)
  }

  #readArtifact = (rowId: number): ArtifactRow =>
    present(this.#sections.all('a.id = ?', rowId)[0], `section ${rowId}`)

  /** By canonical id; null when there is none. */
  artifactById(id: string): ArtifactRow | null {
    return this.#sections.all('a.canonical_id = ?', id)[0] ?? null
  }

  artifactIds(): string[] {
    const rows = this.#prepare('SELECT canonical_id AS id FROM artifacts').all()
    return rows.map(({ id }) => id as string).sort()
  }

  /** All artifacts of a file, in the order of the text. */
  artifactsOf(file: number): readonly ArtifactRow[] {
    return this.#kept(this.#rows.parts, file, (id) => this.#sections.of(id))
  }

  /** Artifacts of a file by the anchor that links use; of equal ones the first. */
  anchorsOf(file: number): ReadonlyMap<string, number> {
    const rows = this.artifactsOf(file).toReversed()
    return new Map(rows.flatMap(({ anchor, rowId }) => (anchor === null ? [] : [[anchor, rowId]])))
  }

  /** An artifact's own text; throws INDEX_DAMAGED when the row is not what was written. */
  text(rowId: number): ArtifactText {
    return this.#kept(this.#rows.texts, rowId, this.#readText)
  }

  #readText = (rowId: number): ArtifactText => {
    const row = this.#prepare(
      'SELECT canonical_id AS id, name, path, text, pieces, hash, metadata FROM artifacts JOIN files ON files.id = file WHERE artifacts.id = ?',
    ).get(rowId) as unknown as StoredText | undefined
    return checkedText(present(row, `the text or the file of section ${rowId}`))
  }

  /** The words of an artifact's own text; throws INDEX_DAMAGED when they are not what was written. */
  words(rowId: number): SectionWords {
    return this.#kept(this.#rows.words, rowId, this.#readWords)
  }

  #readWords = (rowId: number): SectionWords => {
    const row = this.#prepare('SELECT words, words_sum AS sum FROM artifacts WHERE id = ?').get(rowId)
    const { words, sum } = present(row as { words: Uint8Array; sum: number } | undefined, `section ${rowId}`)
    if (wordsSum(rowId, words) !== sum) throw damaged(`the words of section ${rowId}`)
    return new SectionWords(words)
  }

  /** Headings of a file that hold a text. */
  namesLike(file: number, text: string): string[] {
    const names = this.#sections.of(file).map(({ name }) => name)
    return names.filter((name) => name.includes(text)).sort()
  }

  /** Heading and title words, for suggestions; at most `limit` rows. */
  names(limit: number): string[] {
    return this.#sections.names(limit)
  }

  count(table: 'files' | 'artifacts' | 'fragments' | 'segments'): number {
    return (this.#prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n
  }

  totals(): { tokens: number; bytes: number; languages: Record<string, number> } {
    const sums = this.#prepare(
      'SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(size), 0) AS bytes FROM files',
    ).get()
    const rows = this.#prepare(
      'SELECT language, count(*) AS n FROM files GROUP BY language ORDER BY language',
    ).all()
    const languages = Object.fromEntries(
      (rows as { language: string; n: number }[]).map((row) => [row.language, row.n]),
    )
    return { ...(sums as { tokens: number; bytes: number }), languages }
  }
}
