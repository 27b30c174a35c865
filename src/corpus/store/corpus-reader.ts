// What does the corpus file hold? Reads in snapshots; every artifact that is served is checked against its hash.
import type { DatabaseSync } from 'node:sqlite'
import { YoreError } from '../../model/errors.ts'
import type { MaskedPlace } from '../../model/report.ts'
import type { FileRow } from '../../model/section.ts'
import type { FileStamp, Mask, SkippedFile, SkipReason, TextPlace } from '../../model/source-file.ts'
import type { DirectoryStamp } from '../../read/source/walk/check-freshness.ts'
import { LexicalIndex } from './postings/lexical-index.ts'
import { blobSum, damaged, idKey, present } from './rows/checksum.ts'
import { artifactHash, unpackPieces } from './rows/document-batch.ts'
import { hasMeta, type MetaKey, type MetaValue, readMeta } from './rows/meta.ts'
import { ReferenceReader } from './rows/reference-reader.ts'
import { CorpusCache, type RowCache } from './rows/row-cache.ts'
import { SectionRows } from './rows/section-rows.ts'
import { readVocabulary, SectionWords } from './rows/section-words.ts'
import { cacheStatements, computed, listInSql, type Prepare, type Selected, select } from './rows/table.ts'
import { findBlock, openBlock } from './rows/text-blocks.ts'
import {
  artifacts,
  detailsSum,
  directories,
  directorySum,
  fileSum,
  files,
  sections,
  sectionsSql,
  skippedFiles,
  skippedSum,
} from './schema.ts'
import { VectorStore } from './vectors/vector-store.ts'

const fileColumns = fileSum.columns()
const stampColumns = files.pick(['path', 'size', 'mtime', 'ctime', 'inode'])
const wordColumns = artifacts.pick(['words', 'wordsSum'])
const wordSql = `SELECT ${wordColumns.sql} FROM artifacts WHERE id = ?`
const textColumns = sections.pick(['canonicalId', 'name', 'pieces', 'hash'])
const textSql = `SELECT ${textColumns.sql} FROM ${sectionsSql} WHERE id = ?`

/** Throws INDEX_DAMAGED. */
const checkedFile = (row: Selected<typeof fileColumns>): FileRow => fileSum.verified(row, row.path)

function checkedText({ canonicalId: id, name, pieces, hash }: Selected<typeof textColumns>, text: string) {
  if (Buffer.compare(artifactHash({ id, name }, text, pieces), hash) !== 0)
    throw new YoreError('INDEX_DAMAGED', `the stored text of ${id} does not match its hash`)
  return { text, pieces: unpackPieces(pieces) }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const corruptCodes: ReadonlySet<number> = new Set([11, 26])

/** Reading a damaged file fails in SQLite, at a number beyond 2^53, or in JSON.parse. */
function asDamage(cause: unknown): unknown {
  const { errcode, code, message } = cause as { errcode?: number; code?: string; message?: string }
  const isUnread = corruptCodes.has((errcode ?? 0) & 0xff) || code === 'ERR_OUT_OF_RANGE'
  if (!isUnread && !(cause instanceof SyntaxError)) return cause
  return new YoreError('INDEX_DAMAGED', `cannot read the index: ${message}`, { cause })
}

/** Many readers may work while one writer writes. Reads inside one `snapshot` see one state. */
export class CorpusReader {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  readonly #sections = new SectionRows((sql) => this.#prepare(sql))
  readonly #cache = new CorpusCache()
  /** The state of the file that the cache is from. */
  #version = ''
  #isSnapshot = false
  #references: ReferenceReader | null = null
  #lexical: { generation: number | null; index: LexicalIndex } | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#prepare = cacheStatements(db)
  }

  close(): void {
    this.#cache.close()
    this.#db.close()
  }

  snapshot<T>(read: () => T): T {
    if (this.#db.isTransaction) return read()
    this.#db.exec('BEGIN')
    try {
      this.#clearOutdated()
      this.#isSnapshot = true
      const result = read()
      this.#db.exec('COMMIT')
      return result
    } catch (cause) {
      this.#rollback()
      throw asDamage(cause)
    } finally {
      this.#isSnapshot = false
      this.#cache.used()
    }
  }

  /** Cached rows are valid until this connection or another writes. */
  #clearOutdated(): void {
    const state = computed<{ version: string }>({ version: "data_version || ' ' || total_changes()" })
    const version = select(this.#prepare, state, 'FROM pragma_data_version').get()?.version ?? ''
    if (version !== this.#version) this.#cache.clear()
    this.#version = version
  }

  /** Reads rows that are cached inside of a snapshot only: outside, their state is not known. */
  #cached<T, Id>(rows: RowCache<T, Id>, read: (id: Id) => T): (id: Id) => T {
    return (id) => (this.#isSnapshot ? rows.get(id, read) : read(id))
  }

  /** Ends a snapshot whose reads failed; on a damaged file that may fail too. */
  #rollback(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    } catch {}
  }

  readonly #meta = this.#cached(this.#cache.metas, (key) => readMeta(this.#prepare, key as MetaKey))

  meta<K extends MetaKey>(key: K): MetaValue<K> | null {
    return this.#meta(key) as MetaValue<K> | null
  }

  /** Is every one of these values stored as given? */
  hasMeta(values: { readonly [K in MetaKey]?: MetaValue<K> }): boolean {
    return hasMeta(this.#prepare, values)
  }

  /** The full-text index, cached until a commit changes it. */
  lexical(): LexicalIndex {
    const generation = this.meta('generation')
    if (this.#lexical === null || this.#lexical.generation !== generation)
      this.#lexical = { generation, index: new LexicalIndex(this.#db) }
    return this.#lexical.index
  }

  /**
   * Verifies everything that ranking reads except the texts, and lets SQLite compare its indexes with their tables, to
   * find rows that an index has lost. Throws INDEX_DAMAGED. Returns the number of verified rows.
   */
  checkRows(): number {
    const [found] = this.#prepare('PRAGMA integrity_check(1)').all()
    if (found?.['integrity_check'] !== 'ok') throw damaged('an index of a table')
    let rows = this.lexical().checkAll(this.#db)
    const models = computed<{ model: string }>({ model: 'DISTINCT model' })
    for (const { model } of select(this.#prepare, models, 'FROM vectors').all())
      for (const _ of this.vectors().rows(model)) rows++
    rows += this.directories().length + this.skipped().length + this.masks().length
    const references = this.references()
    for (const list of [references.outlines(), references.everything(), references.inCode('all')])
      for (const _ of list) rows++
    return rows
  }

  /** All documents, or those among these paths. */
  files(among?: readonly string[]): FileRow[] {
    const one = select(this.#prepare, fileColumns, 'FROM files WHERE path = ?')
    const rows =
      among?.flatMap((path) => one.all(path)) ??
      select(this.#prepare, fileColumns, 'FROM files ORDER BY path').all()
    return rows.map(checkedFile)
  }

  /** Ids and tokens of all documents, or of those among these paths. */
  fileIds(among?: Iterable<string>): { id: number; path: string; tokens: number }[] {
    const columns = files.pick(['id', 'path', 'tokens'])
    if (among === undefined) return select(this.#prepare, columns, 'FROM files').all()
    const one = select(this.#prepare, columns, 'FROM files WHERE path = ?')
    return [...among].flatMap((path) => one.get(path) ?? [])
  }

  /** Of all documents, in order. */
  paths(): string[] {
    const rows = select(this.#prepare, files.pick(['path']), 'FROM files ORDER BY path').all()
    return rows.map(({ path }) => path)
  }

  /** Of all documents, or of the `most` that were indexed last. */
  stamps(most?: number): FileStamp[] {
    if (most === undefined) return select(this.#prepare, stampColumns, 'FROM files').all()
    return select(this.#prepare, stampColumns, 'FROM files ORDER BY id DESC LIMIT ?').all(most)
  }

  /** Of the documents among these paths. */
  stampsOf(paths: readonly string[]): FileStamp[] {
    const one = select(this.#prepare, stampColumns, 'FROM files WHERE path = ?')
    return paths.flatMap((path) => one.get(path) ?? [])
  }

  /** What the last walk found: all documents with their stamps, or the `most` that were indexed last. */
  readonly lastWalk = this.#cached(this.#cache.walks, (most: number | undefined) => ({
    files: this.stamps(most),
    directories: this.directories(),
    ignoreFiles: this.meta('ignoreFiles') ?? [],
    indexedAt: this.meta('indexedAt') ?? 0,
    count: this.count('files'),
  }))

  /** All folders that were walked. */
  directories(): DirectoryStamp[] {
    const rows = select(this.#prepare, directories.pick(['path', 'mtime', 'sum']), 'FROM directories').all()
    return rows.map((row) => {
      const { path, mtime } = directorySum.verified(row, `folder ${row.path}`)
      return { path, mtime }
    })
  }

  /** Files that were skipped because of their content, with their stamps. */
  refused(): SkippedFile[] {
    return this.skips().filter(({ seen }) => seen !== undefined)
  }

  /** Skipped files, of all reasons or of these, with the stamps of those that were opened. */
  skips(reasons?: readonly SkipReason[]): SkippedFile[] {
    const which = reasons === undefined ? '' : `WHERE reason IN ${listInSql(reasons)}`
    const columns = skippedFiles.pick(skippedFiles.properties)
    const rows = select(this.#prepare, columns, `FROM skipped ${which} ORDER BY path`).all()
    return rows.map((row) => {
      const { path, reason, detail, size, mtime, ctime, inode } = row
      skippedSum.verified(row, `skipped file ${path}`)
      if (size === null || mtime === null || ctime === null || inode === null) return { path, reason, detail }
      return { path, reason, detail, seen: { size, mtime, ctime, inode } }
    })
  }

  skipped(): SkippedFile[] {
    return this.skips().map(({ path, reason, detail }) => ({ path, reason, detail }))
  }

  /** Masked secrets, by path and line. */
  masks(): MaskedPlace[] {
    const rest = 'FROM files WHERE masks IS NOT NULL ORDER BY path'
    const rows = select(this.#prepare, detailsSum.columns(), rest).all()
    return rows.flatMap((row) => {
      const { path, masks } = detailsSum.verified(row, row.path)
      return (JSON.parse(masks ?? '[]') as Mask[]).map((mask) => ({ path, ...mask }))
    })
  }

  /** The original places of extracted lines; null for a text that is the file itself. */
  placesIn(path: string): readonly TextPlace[] | null {
    const rest = 'FROM files WHERE path = ? AND places IS NOT NULL'
    const row = select(this.#prepare, detailsSum.columns(), rest).get(path)
    if (row === undefined) return null
    const pairs = JSON.parse(detailsSum.verified(row, path).places ?? '[]') as [number, string][]
    return pairs.map(([line, place]) => ({ line, place }))
  }

  readonly file = this.#cached(this.#cache.files, (id) => {
    const row = select(this.#prepare, fileColumns, 'FROM files WHERE id = ?').get(id)
    return checkedFile(present(row, `file ${id}`))
  })

  hasFile(path: string): boolean {
    return this.#prepare('SELECT 1 FROM files WHERE path = ?').get(path) !== undefined
  }

  fileByPath(path: string): FileRow | null {
    const row = select(this.#prepare, fileColumns, 'FROM files WHERE path = ?').get(path)
    if (row !== undefined) return checkedFile(row)
    const other = this.otherNames().get(path)
    return other === undefined || other === path ? null : this.fileByPath(other)
  }

  /** Links to files that are indexed under another name, with that name. */
  otherNames(): ReadonlyMap<string, string> {
    return new Map(Object.entries(this.meta('otherNames') ?? {}))
  }

  references(): ReferenceReader {
    this.#references ??= new ReferenceReader(this.#db, this.#sections, (read) =>
      this.#cached(this.#cache.mentions, read),
    )
    return this.#references
  }

  vectors(): VectorStore {
    return new VectorStore(this.#db)
  }

  readonly fragment = this.#cached(this.#cache.fragments, (id) =>
    present(this.#sections.fragment(id), `fragment ${id}`),
  )

  match(fragment: number) {
    const { artifact, pieceStart, pieceEnd } = this.fragment(fragment)
    return { artifact: this.artifact(artifact), pieceStart, pieceEnd }
  }

  readonly artifact = this.#cached(this.#cache.artifacts, (rowId) =>
    present(this.#sections.get('WHERE id = ?', rowId), `section ${rowId}`),
  )

  /** By canonical id; null when there is none. */
  readonly artifactById = this.#cached(this.#cache.byId, (id) =>
    this.#sections.get('WHERE key = ? AND canonical_id = ?', idKey(id), id),
  )

  artifactIds(): string[] {
    const rows = select(this.#prepare, sections.pick(['canonicalId']), `FROM ${sectionsSql}`).all()
    return rows.map(({ canonicalId }) => canonicalId).sort()
  }

  /** All artifacts of a file, in the order of the text. */
  readonly artifactsOf = this.#cached(this.#cache.parts, (file) => this.#sections.of(file))

  /** An artifact's own text. Throws INDEX_DAMAGED. */
  readonly text = this.#cached(this.#cache.texts, (rowId) => {
    const row = this.#prepare(textSql).get(rowId) as Selected<typeof textColumns> | undefined
    const found = present(row, `the text or the file of section ${rowId}`)
    return checkedText(found, this.#block(findBlock(this.#prepare, rowId)).text(rowId))
  })

  readonly #block = this.#cached(this.#cache.blocks, (first) => openBlock(this.#prepare, first))

  /** The words of an artifact's own text. Throws INDEX_DAMAGED. */
  readonly words = this.#cached(this.#cache.words, (rowId) => {
    const row = this.#prepare(wordSql).get(rowId) as Selected<typeof wordColumns> | undefined
    const { words, wordsSum } = present(row, `section ${rowId}`)
    if (blobSum(rowId, words) !== wordsSum) throw damaged(`the words of section ${rowId}`)
    return new SectionWords(words, this.#vocabulary(0))
  })

  readonly #vocabulary = this.#cached(this.#cache.vocabularies, () => readVocabulary(this.#prepare))

  /** Headings of a file that contain a text. */
  namesLike(file: number, text: string): string[] {
    const names = this.artifactsOf(file).map(({ name }) => name)
    return names.filter((name) => name.includes(text)).sort()
  }

  /** Heading and title words, for suggestions; at most `limit` rows. */
  names(limit: number): string[] {
    return this.#sections.names(limit)
  }

  count(table: 'files' | 'artifacts' | 'fragments' | 'segments'): number {
    return select(this.#prepare, computed<{ n: number }>({ n: 'count(*)' }), `FROM ${table}`).get()?.n ?? 0
  }

  totals(): { tokens: number; bytes: number } {
    const sums = computed<{ tokens: number; bytes: number }>({
      tokens: 'coalesce(sum(tokens), 0)',
      bytes: 'coalesce(sum(size), 0)',
    })
    return select(this.#prepare, sums, 'FROM files').get() ?? { tokens: 0, bytes: 0 }
  }
}
