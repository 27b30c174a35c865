// What is in a corpus file? The tables, and how an older file becomes one of today's.
import type { DatabaseSync } from 'node:sqlite'

/** Raised with every change of the tables or of what they mean; older files are rebuilt, newer ones refused. */
export const schemaVersion = 20

/** Marks the file as ours in SQLite's header: "yore". */
export const applicationId = 0x796f7265

/**
 * `artifacts.text` is an artifact's own text, stored once; pieces and fragments are offsets into it.
 * `artifacts.words` is the words of that text in their order (see section-words.ts). What ranking reads of a section comes
 * before its text: what lies behind a long text is on other pages.
 * The graph is stored once: `artifacts.parent` says what defines what, and `mentions` holds every reference with what
 * became of it; src/corpus/graph/neighbours.ts makes relations of both. A target is kept by path and canonical id, not by row, so
 * that it survives the target's re-indexing.
 * `files.outline` and `artifacts.metadata` hold JSON for code, and are null for documents.
 * `files.role` is `generated` for a file that says so itself; paths say the rest.
 * `files.masks` is JSON of the lines in which secrets were hidden; the secrets themselves are nowhere in the file.
 * `files.places` is JSON of where the lines of an extracted text stand in the file; null where the text is the file.
 * `postings` is the full-text index: one row per term and segment (see postings.ts).
 * `files.inode` is REAL because some file systems give numbers that JavaScript holds only rounded.
 * Fragment ids only grow; a segment covers one run of them.
 * `leads` says for each document which others it surely refers to: standing is counted from these rows, without reading
 * every reference (document-edges.ts).
 * `names` is what questions may call documents, in parts of neighbouring paths (see name-parts.ts).
 * `sum` is a checksum over the values that are read together (see row-sum.ts); `files.names_sum` and `sections_sum` are
 * over all sections of a file, so that none can be missing.
 */
export const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  inode REAL NOT NULL,
  content_hash TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  title TEXT NOT NULL,
  status TEXT,
  date TEXT,
  frontmatter TEXT NOT NULL,
  line_count INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  inbound INTEGER NOT NULL DEFAULT 0,
  rank REAL NOT NULL DEFAULT 0,
  successor TEXT,
  outline TEXT,
  role TEXT,
  masks TEXT,
  places TEXT,
  sum INTEGER NOT NULL,
  frontmatter_sum INTEGER NOT NULL,
  details_sum INTEGER NOT NULL,
  names_sum INTEGER NOT NULL,
  sections_sum INTEGER NOT NULL
) STRICT;
CREATE INDEX files_of_code ON files(path) WHERE outline IS NOT NULL;

CREATE TABLE artifacts (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
  canonical_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  anchor TEXT,
  level INTEGER NOT NULL,
  headings TEXT NOT NULL,
  parent INTEGER,
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  own_start INTEGER,
  own_end INTEGER,
  tokens INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  words_sum INTEGER NOT NULL,
  words BLOB NOT NULL,
  metadata TEXT,
  hash BLOB NOT NULL,
  pieces BLOB NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX artifacts_by_file ON artifacts(file);
CREATE INDEX artifacts_of_code ON artifacts(name) WHERE metadata IS NOT NULL;

CREATE TABLE fragments (
  id INTEGER PRIMARY KEY,
  artifact INTEGER NOT NULL REFERENCES artifacts(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  of INTEGER NOT NULL,
  piece_start INTEGER NOT NULL,
  piece_end INTEGER NOT NULL,
  words INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX fragments_by_artifact ON fragments(artifact);

CREATE TABLE mentions (
  id INTEGER PRIMARY KEY,
  artifact INTEGER NOT NULL REFERENCES artifacts(id) ON DELETE CASCADE,
  form TEXT NOT NULL,
  text TEXT NOT NULL,
  target TEXT NOT NULL,
  line INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  path TEXT,
  section TEXT,
  anchor TEXT,
  confidence REAL,
  method TEXT,
  candidates TEXT,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX mentions_by_artifact ON mentions(artifact);
CREATE INDEX mentions_by_path ON mentions(path);
CREATE INDEX mentions_in_code_marks ON mentions(section) WHERE form = 'code';

CREATE TABLE leads (
  file INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  targets TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  first TEXT NOT NULL UNIQUE,
  sum INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  first_fragment INTEGER NOT NULL,
  fragments INTEGER NOT NULL,
  lengths BLOB NOT NULL,
  files BLOB NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

CREATE TABLE postings (
  term TEXT NOT NULL,
  segment INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (term, segment)
) WITHOUT ROWID, STRICT;

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  fragments BLOB NOT NULL,
  hashes BLOB NOT NULL,
  data BLOB NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX vectors_by_model ON vectors(model);

CREATE TABLE dead_fragments (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE directories (path TEXT PRIMARY KEY, mtime REAL NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE skipped (
  path TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  size INTEGER,
  mtime REAL,
  ctime REAL,
  inode REAL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
`

/** SQLite keeps each statement as it was written, without what stands around it. */
const statements: readonly string[] = tables
  .split(';')
  .map((statement) => statement.trim())
  .filter((statement) => statement !== '')

/** Names that SQLite gives by itself to what UNIQUE needs. */
const ownIndex = /^sqlite_autoindex_(files|artifacts|names)_1$/

/** Has the file exactly our tables and indexes: no view, no trigger, nothing beside them? Reads no table of it. */
export function isOurSchema(db: DatabaseSync): boolean {
  const rows = db
    .prepare('SELECT type, name, sql FROM sqlite_schema LIMIT ?')
    .all(statements.length + 10) as unknown as { type: string; name: string; sql: string | null }[]
  const written = rows.flatMap(({ sql }) => sql ?? [])
  const others = rows.filter(
    ({ type, name, sql }) => sql === null && !(type === 'index' && ownIndex.test(name)),
  )
  return (
    others.length === 0 &&
    written.length === statements.length &&
    new Set(written).size === statements.length &&
    statements.every((statement) => written.includes(statement))
  )
}
