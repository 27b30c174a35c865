// What is in a corpus file? Its tables, each declared once, with the checksums of its rows.
import type { DatabaseSync } from 'node:sqlite'
import type { ArtifactKind } from '../../model/artifact.ts'
import type { MentionForm } from '../../model/reference.ts'
import type { SkippedFile } from '../../model/source-file.ts'
import { sumColumn, sumExcept } from './rows/checksum.ts'
import { type Columns, defineTable, select } from './rows/table.ts'

/** Raise it with every change of the tables or of what they mean: older files are rebuilt, newer ones refused. */
export const schemaVersion = 31

/** Marks the file as yore's in SQLite's header: "yore". */
export const applicationId = 0x796f7265

/** Named values of the whole index. */
export const metaTable = defineTable(
  'meta',
  { key: 'TEXT PRIMARY KEY', value: 'TEXT NOT NULL', sum: 'INTEGER NOT NULL' },
  'WITHOUT ROWID, STRICT',
)
export const metaSum = sumExcept(metaTable, 'sum', [])

/**
 * `inode` is REAL because some file systems use numbers that JavaScript only holds rounded. `outline` is compressed
 * JSON for code, and null for documents. `role` is `generated` for a file that declares it. `masks` is JSON of the lines with masked
 * secrets. `places` is JSON of the original places of extracted lines. `names_sum` and `sections_sum` cover all
 * sections of a file, so that a missing one is detected.
 */
export const files = defineTable('files', {
  id: 'INTEGER PRIMARY KEY',
  path: 'TEXT NOT NULL UNIQUE',
  language: 'TEXT NOT NULL',
  size: 'INTEGER NOT NULL',
  mtime: 'REAL NOT NULL',
  ctime: 'REAL NOT NULL',
  inode: 'REAL NOT NULL',
  content_hash: 'TEXT NOT NULL',
  modified_at: 'INTEGER NOT NULL',
  title: 'TEXT NOT NULL',
  status: 'TEXT',
  frontmatter: 'TEXT NOT NULL',
  tokens: 'INTEGER NOT NULL',
  inbound: 'INTEGER NOT NULL DEFAULT 0',
  rank: 'REAL NOT NULL DEFAULT 0',
  successor: 'TEXT',
  outline: 'BLOB',
  role: 'TEXT',
  masks: 'TEXT',
  places: 'TEXT',
  sum: 'INTEGER NOT NULL',
  frontmatter_sum: 'INTEGER NOT NULL',
  details_sum: 'INTEGER NOT NULL',
  names_sum: 'INTEGER NOT NULL',
  sections_sum: 'INTEGER NOT NULL',
}).narrow<{ role: 'generated' | null }>()
export const fileSum = sumColumn(files, 'sum', [
  'id',
  'path',
  'language',
  'size',
  'mtime',
  'contentHash',
  'modifiedAt',
  'title',
  'status',
  'inbound',
  'rank',
  'successor',
  'role',
])
export const detailsSum = sumColumn(files, 'detailsSum', ['path', 'outline', 'masks', 'places'])

/**
 * `words` holds the words of its own text in order (section-words.ts); the text itself is in `texts`, and pieces and
 * fragments are offsets into it. `parent` is the artifact that defines this one. `place` is the canonical id without the
 * path; `key` is a hash of all of it, which is looked up by it. `code` is 1 for code, 0 for documents.
 */
const artifactColumns = {
  id: 'INTEGER PRIMARY KEY',
  file: 'INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE',
  key: 'INTEGER NOT NULL',
  place: 'TEXT NOT NULL',
  kind: 'TEXT NOT NULL',
  name: 'TEXT NOT NULL',
  anchor: 'TEXT',
  level: 'INTEGER NOT NULL',
  headings: 'TEXT NOT NULL',
  parent: 'INTEGER',
  line_start: 'INTEGER NOT NULL',
  line_end: 'INTEGER NOT NULL',
  own_start: 'INTEGER',
  own_end: 'INTEGER',
  tokens: 'INTEGER NOT NULL',
  sum: 'INTEGER NOT NULL',
  words_sum: 'INTEGER NOT NULL',
  words: 'BLOB NOT NULL',
  code: 'INTEGER NOT NULL',
  hash: 'BLOB NOT NULL',
  pieces: 'BLOB NOT NULL',
} as const
export const artifacts = defineTable('artifacts', artifactColumns).narrow<{ kind: ArtifactKind }>()

/** Artifacts with their whole ids, for a FROM clause. */
export const sectionsSql =
  '(SELECT a.*, f.path || a.place AS canonical_id FROM artifacts a LEFT JOIN files f ON f.id = a.file)'
export const sections = defineTable(sectionsSql, {
  ...artifactColumns,
  canonical_id: 'TEXT NOT NULL',
}).narrow<{ kind: ArtifactKind }>()
const unsummed = ['key', 'place', 'wordsSum', 'words', 'hash', 'pieces'] as const
export const artifactSum = sumExcept(sections, 'sum', unsummed, 'null')

/** The texts of consecutive artifacts of a file, compressed (text-blocks.ts); `artifact` is the first of them. */
export const texts = defineTable('texts', {
  artifact: 'INTEGER PRIMARY KEY REFERENCES artifacts(id) ON DELETE CASCADE',
  data: 'BLOB NOT NULL',
})

/** The keys of all words of sections, by their numbers (pack-words.ts). */
export const vocabulary = defineTable('vocabulary', {
  id: 'INTEGER PRIMARY KEY',
  sum: 'INTEGER NOT NULL',
  keys: 'BLOB NOT NULL',
})
export const vocabularySum = sumColumn(vocabulary, 'sum', ['id', 'keys'])

/** Fragment ids only grow; a segment covers one run of them. */
export const fragments = defineTable('fragments', {
  id: 'INTEGER PRIMARY KEY',
  artifact: 'INTEGER NOT NULL REFERENCES artifacts(id) ON DELETE CASCADE',
  piece_start: 'INTEGER NOT NULL',
  piece_end: 'INTEGER NOT NULL',
  words: 'INTEGER NOT NULL',
  sum: 'INTEGER NOT NULL',
})

/** What became of a mention. */
type StoredOutcome = 'pending' | 'resolved' | 'external' | 'missing' | 'ambiguous' | 'self'

/**
 * References with their resolution; src/corpus/graph/neighbours.ts makes relations of them and of `artifacts.parent`.
 * A target is stored by path and canonical id, not by row, so that it survives the target's re-indexing. Values that
 * most rows share or repeat are not stored but generated (`packMention`): `place` is the section without its path,
 * after `=` if the anchor is the same text, after `#` if it is another; or the whole section, after `/`.
 */
const mentionColumns = {
  id: 'INTEGER PRIMARY KEY',
  artifact: 'INTEGER NOT NULL REFERENCES artifacts(id) ON DELETE CASCADE',
  other_form: 'TEXT',
  form: "TEXT NOT NULL AS (ifnull(other_form, 'uses'))",
  text: 'TEXT NOT NULL',
  other_target: 'TEXT',
  target: 'TEXT NOT NULL AS (ifnull(other_target, text))',
  line: 'INTEGER NOT NULL',
  other_outcome: 'TEXT',
  outcome: "TEXT NOT NULL AS (ifnull(other_outcome, iif(path_id IS NULL, 'external', 'resolved')))",
  path_id: 'INTEGER',
  place: 'TEXT',
  other_anchor: 'TEXT',
  anchor: "TEXT AS (iif(substr(place, 1, 1) = '=', substr(place, 2), other_anchor))",
  confidence: 'REAL',
  method: 'TEXT',
  candidates: 'TEXT',
  sum: 'INTEGER NOT NULL',
} as const
export const mentions = defineTable('mentions', mentionColumns)

/** Paths that mentions lead to; one that no mention leads to any more stays. */
export const paths = defineTable('paths', { id: 'INTEGER PRIMARY KEY', path: 'TEXT NOT NULL UNIQUE' })

/** Mentions with the paths and sections that they lead to, for a FROM clause. */
export const referencesSql = `(SELECT m.*, p.path,
  iif(substr(m.place, 1, 1) = '/', '', p.path || '#') || substr(m.place, 2) AS section
  FROM mentions m LEFT JOIN paths p ON p.id = m.path_id)`
export const references = defineTable(referencesSql, {
  ...mentionColumns,
  path: 'TEXT',
  section: 'TEXT',
}).narrow<{ form: MentionForm; outcome: StoredOutcome }>()
const repeated = ['id', 'otherForm', 'otherTarget', 'otherOutcome', 'pathId', 'place', 'otherAnchor'] as const
export const mentionSum = sumExcept(references, 'sum', repeated)

export const segments = defineTable('segments', {
  id: 'INTEGER PRIMARY KEY',
  first_fragment: 'INTEGER NOT NULL',
  fragments: 'INTEGER NOT NULL',
  lengths: 'BLOB NOT NULL',
  files: 'BLOB NOT NULL',
  sum: 'INTEGER NOT NULL',
})
export const segmentSum = sumColumn(segments, 'sum', ['firstFragment', 'fragments', 'lengths', 'files'])

/**
 * The full-text index: one row per term and segment, with its checksum inside (postings.ts). The segment comes first, so
 * that a commit writes its terms to neighbouring pages: a published delta holds every changed page.
 */
export const postings = defineTable(
  'postings',
  { segment: 'INTEGER NOT NULL', term: 'TEXT NOT NULL', data: 'BLOB NOT NULL' },
  'PRIMARY KEY (segment, term) WITHOUT ROWID, STRICT',
)

/** The large values come last: a statement that reads others need not pass over their pages. */
export const vectors = defineTable('vectors', {
  id: 'INTEGER PRIMARY KEY',
  model: 'TEXT NOT NULL',
  dimensions: 'INTEGER NOT NULL',
  sum: 'INTEGER NOT NULL',
  fragments: 'BLOB NOT NULL',
  data: 'BLOB NOT NULL',
})
export const vectorSum = sumColumn(vectors, 'sum', ['model', 'dimensions', 'fragments', 'data'])

export const deadFragments = defineTable('dead_fragments', { id: 'INTEGER PRIMARY KEY' })

export const directories = defineTable(
  'directories',
  { path: 'TEXT PRIMARY KEY', mtime: 'REAL NOT NULL', sum: 'INTEGER NOT NULL' },
  'WITHOUT ROWID, STRICT',
)
export const directorySum = sumExcept(directories, 'sum', [])

export const skippedFiles = defineTable(
  'skipped',
  {
    path: 'TEXT PRIMARY KEY',
    reason: 'TEXT NOT NULL',
    detail: 'TEXT NOT NULL',
    size: 'INTEGER',
    mtime: 'REAL',
    ctime: 'REAL',
    inode: 'REAL',
    sum: 'INTEGER NOT NULL',
  },
  'WITHOUT ROWID, STRICT',
).narrow<{ reason: SkippedFile['reason'] }>()
export const skippedSum = sumExcept(skippedFiles, 'sum', [])

/** In the order in which a new file gets them. */
const statements: readonly string[] = [
  metaTable.create,
  files.create,
  'CREATE INDEX files_of_code ON files(path) WHERE outline IS NOT NULL',
  artifacts.create,
  'CREATE INDEX artifacts_by_file ON artifacts(file)',
  'CREATE UNIQUE INDEX artifacts_by_key ON artifacts(key)',
  'CREATE INDEX artifacts_of_code ON artifacts(name) WHERE code = 1',
  texts.create,
  vocabulary.create,
  fragments.create,
  'CREATE INDEX fragments_by_artifact ON fragments(artifact)',
  paths.create,
  mentions.create,
  'CREATE INDEX mentions_by_artifact ON mentions(artifact)',
  'CREATE INDEX mentions_by_path ON mentions(path_id) WHERE path_id IS NOT NULL',
  segments.create,
  postings.create,
  vectors.create,
  'CREATE INDEX vectors_by_model ON vectors(model)',
  deadFragments.create,
  directories.create,
  skippedFiles.create,
]

/** Creates all tables and indexes. */
export const tables: string = `${statements.join(';\n')};`

/** Indexes that SQLite makes for UNIQUE columns. */
const uniqueIndex = /^sqlite_autoindex_(files|paths)_1$/

/** Has the file exactly these tables and indexes: no view, no trigger, nothing else? Reads no table. */
export function hasOurSchema(db: DatabaseSync): boolean {
  const columns: Columns<{ type: string; name: string; sql: string | null }> = { sql: 'type, name, sql' }
  const rows = select(db, columns, 'FROM sqlite_schema LIMIT ?').all(statements.length + 10)
  const declared = rows.flatMap(({ sql }) => sql ?? [])
  const isExpected = ({ type, name, sql }: (typeof rows)[number]): boolean =>
    sql !== null || (type === 'index' && uniqueIndex.test(name))
  return (
    rows.every(isExpected) &&
    declared.length === statements.length &&
    statements.every((statement) => declared.includes(statement))
  )
}
