// Which references does the corpus hold, and where do they lead? Mentions with what became of them, read both ways.

import type { DatabaseSync } from 'node:sqlite'
import type { Mention, MentionForm } from '../../../model/reference.ts'
import type { DocumentEdge } from '../../graph/rank-documents.ts'
import type { LinkText } from '../../resolve/pack-names.ts'
import {
  everyPath,
  type Leads,
  openLeads,
  type PathRange,
  readEdges,
  readLeads,
  readLinks,
} from './document-edges.ts'
import { keepStatements, type Prepare } from './keep-statements.ts'
import type { Standing } from './kept-references.ts'
import {
  checkedDetails,
  damaged,
  type FileValues,
  fileColumns,
  fileSum,
  RightRows,
  referenceSum,
  rowSum,
  type StoredDetails,
} from './row-sum.ts'
import type { DefinitionRow, HeadingRow, SectionRows } from './section-rows.ts'

/** A mention as it is stored, with its resolution. */
export interface ReferenceRow {
  readonly id: number
  /** Row of the artifact that holds it, its canonical id, and its document. */
  readonly artifact: number
  readonly origin: string
  readonly originPath: string
  readonly form: MentionForm
  readonly text: string
  readonly target: string
  readonly line: number
  readonly outcome: 'pending' | 'resolved' | 'external' | 'missing' | 'ambiguous' | 'self'
  readonly path: string | null
  readonly section: string | null
  readonly anchor: string | null
  readonly confidence: number | null
  readonly method: string | null
  readonly candidates: readonly string[]
}

/** What the resolver has to know of a document; its sections are read when they are asked for. */
export interface CatalogueRow {
  readonly file: number
  readonly path: string
  readonly title: string
  /** As stored: JSON. */
  readonly frontmatter: string
  readonly inbound: number
  readonly rank: number
  readonly successor: string | null
  /** Code is found by its path and by the names in it, never by a title. */
  readonly isCode: 0 | 1
}

/** A document with its place in the graph, unchecked: what replaces it checks the rest of its row. */
export interface StandingRow extends Standing {
  readonly file: number
  readonly path: string
}

type RawCatalogueRow = FileValues &
  Omit<CatalogueRow, 'file'> & {
    readonly id: number
    readonly sum: number
    readonly frontmatter_sum: number
  }

const columns = `m.id, m.artifact, a.canonical_id AS origin, f.path AS originPath, m.form, m.text, m.target, m.line,
  m.outcome, m.path, m.section, m.anchor, m.confidence, m.method, m.candidates, m.sum`
const from = 'mentions m JOIN artifacts a ON a.id = m.artifact JOIN files f ON f.id = a.file'
/** Rows that are read at once where all of a corpus are gone through. */
const BATCH = 4096

/** Names in code, which are looked up in another catalogue than the references of documents. */
const codeForms = "('uses', 'import', 'class', 'script', 'code')"

type RawReference = Omit<ReferenceRow, 'candidates'> & {
  readonly candidates: string | null
  readonly sum: number
}

const none: readonly string[] = []

/** Written out: copying a row of the database property by property is what costs. */
function toReference(raw: RawReference): ReferenceRow {
  return {
    id: raw.id,
    artifact: raw.artifact,
    origin: raw.origin,
    originPath: raw.originPath,
    form: raw.form,
    text: raw.text,
    target: raw.target,
    line: raw.line,
    outcome: raw.outcome,
    path: raw.path,
    section: raw.section,
    anchor: raw.anchor,
    confidence: raw.confidence,
    method: raw.method,
    candidates: raw.candidates === null ? none : (JSON.parse(raw.candidates) as string[]),
  }
}

/** Reads the references of a corpus. */
export class ReferenceReader {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  readonly #right = new RightRows()
  readonly #sections: SectionRows

  constructor(db: DatabaseSync, sections: SectionRows) {
    this.#db = db
    this.#prepare = keepStatements(db)
    this.#sections = sections
  }

  #all(where: string, ...values: (string | number)[]): ReferenceRow[] {
    const statement = this.#prepare(`SELECT ${columns} FROM ${from} WHERE ${where}`)
    return (statement.all(...values) as unknown as RawReference[]).map((raw) => this.#checked(raw))
  }

  /** By id, a batch at a time: memory never holds those of a whole corpus, and each may be written once it was given. */
  *#each(where: string): Generator<ReferenceRow> {
    const statement = this.#prepare(
      `SELECT ${columns} FROM ${from.replaceAll('JOIN', 'CROSS JOIN')} WHERE m.id > ? AND (${where}) ORDER BY m.id LIMIT ${BATCH}`,
    )
    for (let last: number | undefined = 0; last !== undefined; ) {
      const rows = statement.all(last) as unknown as RawReference[]
      for (const raw of rows) yield this.#checked(raw)
      last = rows.length < BATCH ? undefined : rows.at(-1)?.id
    }
  }

  #checked(raw: RawReference): ReferenceRow {
    if (!this.#right.has(raw.id, raw.sum)) {
      if (referenceSum(raw) !== raw.sum) throw damaged(`a reference in ${raw.origin}`)
      this.#right.add(raw.id, raw.sum)
    }
    return toReference(raw)
  }

  /** References in an artifact's own text, in the order of the text. */
  of(artifact: number): ReferenceRow[] {
    return this.#all('m.artifact = ? ORDER BY m.line, m.id', artifact)
  }

  /** References from other files to this one, by place; from documents or from code alone when that is all that counts. */
  to(path: string, from: 'text' | 'code' | 'all' = 'all'): ReferenceRow[] {
    if (from === 'code' && !this.#hasCode()) return []
    const side = { text: ' AND f.outline IS NULL', code: ' AND f.outline IS NOT NULL', all: '' }[from]
    return this.#all(
      `m.path = ? AND m.outcome = 'resolved' AND f.path <> m.path${side} ORDER BY f.path, m.line, m.id`,
      path,
    )
  }

  /** References to this very section, from its own document too, by place. */
  toSection(path: string, section: string): ReferenceRow[] {
    return this.#all(
      "m.path = ? AND m.section = ? AND m.outcome = 'resolved' ORDER BY f.path, m.line, m.id",
      path,
      section,
    )
  }

  /** Links and ids that lead nowhere or to several places. */
  broken(): ReferenceRow[] {
    return this.#all(
      `m.outcome IN ('missing', 'ambiguous') AND m.form <> 'image' AND m.form NOT IN ${codeForms} ORDER BY f.path, m.line, m.id`,
    )
  }

  /** Links whose document is not where they say, and that lead to the only other one of its name. */
  followedByName(): ReferenceRow[] {
    return this.#all(
      `m.outcome = 'resolved' AND m.method = 'file-name' AND m.form = 'link' ORDER BY f.path, m.line, m.id`,
    )
  }

  /** References to a document that is there, by an anchor that none of its headings has. */
  lostAnchors(): ReferenceRow[] {
    return this.#all(
      `m.outcome = 'resolved' AND m.anchor IS NOT NULL AND m.section IS NULL AND m.form NOT IN ${codeForms} ORDER BY f.path, m.line, m.id`,
    )
  }

  /** How many references stay inside the corpus or should. */
  countInside(): number {
    const sql = `SELECT count(*) AS n FROM mentions WHERE form <> 'image' AND form NOT IN ${codeForms} AND outcome <> 'external'`
    return (this.#prepare(sql).get() as { n: number }).n
  }

  /** Every mention, for resolving all. */
  everything(): Generator<ReferenceRow> {
    return this.#each(`m.form NOT IN ${codeForms}`)
  }

  /** Mentions that no run has resolved yet, and those that led to one of these documents. */
  *concerning(changedPaths: readonly string[]): Generator<ReferenceRow> {
    yield* this.#each(`m.outcome = 'pending' AND m.form NOT IN ${codeForms}`)
    for (const path of changedPaths)
      yield* this.#all(`m.path = ? AND m.form NOT IN ${codeForms} ORDER BY m.id`, path)
  }

  /**
   * As `concerning`, with every mention that another name in the corpus may lead elsewhere. The very file is meant
   * whatever else there is, so that a certain reference changes with its own target alone.
   */
  *inDoubt(changedPaths: readonly string[]): Generator<ReferenceRow> {
    const isDoubtful =
      "m.form <> 'image' AND (m.confidence IS NULL OR m.confidence < 1) AND m.target NOT LIKE '#%'"
    yield* this.#each(`m.form NOT IN ${codeForms} AND ${isDoubtful}`)
    for (const row of this.concerning(changedPaths))
      if (row.form === 'image' || row.confidence === 1 || row.target.startsWith('#')) yield row
  }

  /** Names in code: all of them, those that no run has resolved yet, or with these what a role names (`:class:Name`). */
  inCode(which: 'all' | 'pending' | 'pending or by role'): Generator<ReferenceRow> {
    const chosen = {
      all: '',
      pending: " AND m.outcome = 'pending'",
      'pending or by role': " AND (m.outcome = 'pending' OR (m.form = 'code' AND m.target LIKE ':%'))",
    }[which]
    return this.#each(`m.form IN ${codeForms}${chosen}`)
  }

  /** Inline code of documents that names this piece of code, by place. */
  naming(id: string): ReferenceRow[] {
    return this.#all(
      "m.section = ? AND m.form = 'code' AND m.outcome = 'resolved' ORDER BY f.path, m.line, m.id",
      id,
    )
  }

  /** One look into an index: most corpora of documents have no code, and their pages are cited by thousands. */
  #hasCode(): boolean {
    const sql = "SELECT 1 FROM files WHERE outline IS NOT NULL AND language <> 'generic' LIMIT 1"
    return this.#prepare(sql).get() !== undefined
  }

  /** Files of code, or the one at this path, with what others may ask of them. */
  outlines(path?: string): { path: string; language: string; outline: string }[] {
    const which = path === undefined ? '' : ' AND path = ?'
    const sql = `SELECT path, language, outline, masks, places, details_sum AS sum FROM files WHERE outline IS NOT NULL AND language <> 'generic'${which} ORDER BY path`
    const rows = this.#prepare(sql).all(
      ...(path === undefined ? [] : [path]),
    ) as unknown as (StoredDetails & {
      language: string
      outline: string
    })[]
    return rows.map((row) => checkedDetails(row))
  }

  /** Files that documents refer to as code. */
  codePaths(): string[] {
    const sql = 'SELECT path FROM files WHERE outline IS NOT NULL'
    return (this.#prepare(sql).all() as unknown as { path: string }[]).map(({ path }) => path)
  }

  /** Pieces of code of exactly this name. */
  definitionsNamed(name: string): DefinitionRow[] {
    return this.#sections.definitions(name)
  }

  /** Names of code that start with this text, each once; at most `limit`. */
  codeNames(start: string, limit: number): string[] {
    return this.#sections.codeNames(start, limit)
  }

  /** Documents as the resolver wants them, in the order of their paths. */
  catalogue({ from: first, before }: PathRange = everyPath): CatalogueRow[] {
    const sql = `SELECT ${fileColumns}, frontmatter, frontmatter_sum, outline IS NOT NULL AS isCode
      FROM files WHERE path >= ?${before === null ? '' : ' AND path < ?'} ORDER BY path`
    const found = this.#db.prepare(sql).all(first, ...(before === null ? [] : [before]))
    const rows = found as unknown as RawCatalogueRow[]
    return rows.map((row): CatalogueRow => {
      if (fileSum(row) !== row.sum || rowSum(row.id, row.frontmatter, row.isCode) !== row.frontmatter_sum)
        throw damaged(`what is known of ${row.path}`)
      const { id, path, title, frontmatter, inbound, rank, successor, isCode } = row
      return { file: id, path, title, frontmatter, inbound, rank, successor, isCode }
    })
  }

  /** Headings of a document, in the order of the text. */
  sectionsOf(file: number): HeadingRow[] {
    return this.#sections.headings(file)
  }

  /** What documents are called by those that link to them, and how often, by path and text. */
  linkTexts(range: PathRange = everyPath): LinkText[] {
    return readLinks(this.#db, range)
  }

  /** Edges between files, those of code too, each pair once with the number of references. */
  documentEdges(): DocumentEdge[] {
    return readEdges(this.#db)
  }

  /** What single documents refer to, counted from their references. */
  openLeads(): (file: number, path: string) => Leads {
    return openLeads(this.#db)
  }

  /** What each document refers to, as it was counted last. */
  leads(): Generator<Leads & { readonly file: number }> {
    return readLeads(this.#db)
  }

  /** The standing of every document, by path. */
  standings(): StandingRow[] {
    const sql = 'SELECT id AS file, path, inbound, rank, successor FROM files ORDER BY path'
    return this.#db.prepare(sql).all() as unknown as StandingRow[]
  }
}

export function mentionOf(row: ReferenceRow): Mention {
  return { origin: row.origin, form: row.form, text: row.text, target: row.target, line: row.line }
}
