// Which references does the corpus hold, and where do they lead? Mentions with their resolution, read in both directions.

import type { DatabaseSync } from 'node:sqlite'
import type { CodeOutline } from '../../../model/code.ts'
import { formsWhere, type Mention } from '../../../model/reference.ts'
import { getOrAdd } from '../../../model/remember.ts'
import type { ArtifactRow, FileRow } from '../../../model/section.ts'
import { confident } from '../../graph/neighbours.ts'
import type { DocumentEdge } from '../../graph/rank-documents.ts'
import type { NamedDefinition } from '../../resolve/code/code-catalogue.ts'
import { detailsSum, fileSum, files, mentionSum, references, referencesSql } from '../schema.ts'
import { damaged, rowSum } from './checksum.ts'
import type { SectionRows } from './section-rows.ts'
import {
  cacheStatements,
  combine,
  computed,
  listInSql,
  type Prepare,
  type RowQuery,
  type Selected,
  select,
  selectArrays,
} from './table.ts'
import { unpackText } from './text-blocks.ts'

/** A document as the resolver needs it; its sections are read on demand. */
export interface CatalogueRow extends Pick<FileRow, 'path' | 'title' | 'inbound' | 'rank' | 'successor'> {
  readonly file: number
  /** JSON. */
  readonly frontmatter: string
  /** Code is found by its path and by the names in it, never by a title. */
  readonly isCode: 0 | 1
}

const columns = combine(
  combine(references.pick(['id'], 'm'), mentionSum.columns('m')),
  computed<{ origin: string; originPath: string }>({ origin: 'f.path || a.place', originPath: 'f.path' }),
)
type StoredReference = Selected<typeof columns>

/** A mention with its resolution: `origin` is the canonical id of the artifact that contains it. */
export interface ReferenceRow extends Omit<StoredReference, 'sum' | 'candidates'> {
  readonly candidates: readonly string[]
}

const holders = 'JOIN artifacts a ON a.id = m.artifact JOIN files f ON f.id = a.file'
/** Rows per read, so that memory never holds the references of a whole corpus. */
const BATCH = 4096

/** Names in code, which are looked up in another catalogue than the references of documents. */
const codeForms = listInSql(formsWhere(({ resolvedIn }) => resolvedIn === 'code'))

const none: readonly string[] = []

/** Verified, and written out, because a spread of a database row is slow. */
function toReference(row: StoredReference): ReferenceRow {
  mentionSum.verified(row, `a reference in ${row.origin}`)
  return {
    id: row.id,
    artifact: row.artifact,
    origin: row.origin,
    originPath: row.originPath,
    form: row.form,
    text: row.text,
    target: row.target,
    line: row.line,
    outcome: row.outcome,
    path: row.path,
    section: row.section,
    anchor: row.anchor,
    confidence: row.confidence,
    method: row.method,
    candidates: row.candidates === null ? none : (JSON.parse(row.candidates) as string[]),
  }
}

/** The id of a reference, the row of its document, and the values of `mentionSum.columns`. */
type ResolvedRow = readonly [
  ...[id: number, file: number, artifact: number, form: string, text: string, target: string, line: number],
  ...[outcome: string, anchor: string | null, confidence: number | null, method: string | null],
  ...[candidates: string | null, path: string, section: string | null, sum: number],
]

function selectResolved(db: DatabaseSync, where: string): RowQuery<ResolvedRow> {
  const from = `${referencesSql} m CROSS JOIN artifacts a ON a.id = m.artifact`
  return selectArrays(db, `SELECT m.id, a.file, ${mentionSum.columns('m').sql} FROM ${from} WHERE ${where}`)
}

function checkRow(row: ResolvedRow): void {
  if (!mentionSum.isRightRow(row.slice(2))) throw damaged(`a reference to ${row[12]}`)
}

const citing = formsWhere(({ givesAuthority }) => givesAuthority)

type ReadRows = (artifact: number) => readonly ReferenceRow[]

export class ReferenceReader {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  readonly #sections: SectionRows
  /** References in an artifact's own text, in the order of the text. */
  readonly of: ReadRows

  /** `cached` keeps the references of a section while the index stays as it is. */
  constructor(db: DatabaseSync, sections: SectionRows, cached: (read: ReadRows) => ReadRows) {
    this.#db = db
    this.of = cached((id) => this.#all('m.artifact = ? ORDER BY m.line, m.id', id))
    this.#prepare = cacheStatements(db)
    this.#sections = sections
  }

  #all(where: string, ...values: (string | number)[]): ReferenceRow[] {
    const query = select(this.#prepare, columns, `FROM ${referencesSql} m ${holders} WHERE ${where}`)
    return query.all(...values).map(toReference)
  }

  /** By the path and line of the reference. */
  #inOrder(where: string, ...values: string[]): ReferenceRow[] {
    return this.#all(`${where} ORDER BY f.path, m.line, m.id`, ...values)
  }

  /** By id, a batch at a time: memory never holds a whole corpus, and the caller may update each row. */
  *#each(where: string, ...values: string[]): Generator<ReferenceRow> {
    const from = `${referencesSql} m ${holders.replaceAll('JOIN', 'CROSS JOIN')}`
    const rest = `FROM ${from} WHERE m.id > ? AND (${where}) ORDER BY m.id LIMIT ${BATCH}`
    const query = select(this.#prepare, columns, rest)
    for (let last: number | undefined = 0; last !== undefined; ) {
      const rows: StoredReference[] = query.all(last, ...values)
      for (const row of rows) yield toReference(row)
      last = rows.length < BATCH ? undefined : rows.at(-1)?.id
    }
  }

  /** The modules that a file of code imports, with what came of each. */
  imports(path: string): ReadonlyMap<string, ReferenceRow['outcome']> {
    const found = this.#all("f.path = ? AND m.form = 'import' ORDER BY m.id", path)
    return new Map(found.map(({ target, outcome }) => [target, outcome]))
  }

  /** References from other files to this one, by path and line; only from documents or only from code if asked. */
  to(path: string, from: 'text' | 'code' | 'all' = 'all'): ReferenceRow[] {
    if (from === 'code' && !this.#hasCode()) return []
    const side = { text: ' AND f.outline IS NULL', code: ' AND f.outline IS NOT NULL', all: '' }[from]
    return this.#inOrder(`m.path = ? AND m.outcome = 'resolved' AND f.path <> m.path${side}`, path)
  }

  /** References to this section, including those of its own document, by path and line. */
  toSection(path: string, section: string): ReferenceRow[] {
    return this.#inOrder("m.path = ? AND m.section = ? AND m.outcome = 'resolved'", path, section)
  }

  /** Uses of a name that a file defines, including its own, by path and line. */
  toSymbol(path: string, name: string): ReferenceRow[] {
    const isUse = "m.form = 'uses' AND m.outcome = 'resolved'"
    return this.#inOrder(`m.path = ? AND m.anchor = ? AND ${isUse}`, path, name)
  }

  /** Links and ids without a target, or with several. */
  broken(): ReferenceRow[] {
    const isOpen = "m.outcome IN ('missing', 'ambiguous') AND m.form <> 'image'"
    return this.#inOrder(`${isOpen} AND m.form NOT IN ${codeForms}`)
  }

  /** `:ref:` with a label that no document defines, without those that name another project. */
  unknownLabels(): ReferenceRow[] {
    const isLabel = "m.target LIKE 'role:%' AND m.target NOT LIKE 'role:%:%'"
    return this.#inOrder(`m.form = 'link' AND m.outcome = 'external' AND ${isLabel}`)
  }

  /** Patterns that name every file they match: in a toctree, or with an attribute in an include. */
  patterns(): ReferenceRow[] {
    return this.#inOrder("m.form = 'link' AND m.target LIKE 'glob:%'")
  }

  /** Links to a missing file that resolve to the only other file of the same name. */
  followedByName(): ReferenceRow[] {
    return this.#inOrder("m.outcome = 'resolved' AND m.method = 'file-name' AND m.form = 'link'")
  }

  /** References to a document by an anchor that it does not have. */
  lostAnchors(): ReferenceRow[] {
    const isLost = "m.outcome = 'resolved' AND m.anchor IS NOT NULL AND m.section IS NULL"
    return this.#inOrder(`${isLost} AND m.form NOT IN ${codeForms}`)
  }

  /** The number of references that should have a target in the corpus. */
  countInside(): number {
    const rest = `FROM mentions WHERE form <> 'image' AND form NOT IN ${codeForms} AND outcome <> 'external'`
    return select(this.#prepare, computed<{ n: number }>({ n: 'count(*)' }), rest).get()?.n ?? 0
  }

  /** Every mention of documents. */
  everything(): Generator<ReferenceRow> {
    return this.#each(`m.form NOT IN ${codeForms}`)
  }

  /**
   * Unresolved mentions, and those that led to one of these documents. If names have changed, also every mention whose
   * target these may change: a certain reference only changes with its own target.
   */
  stale(changedPaths: readonly string[], renamed: boolean): Generator<ReferenceRow> {
    const isDoubtful =
      "m.form <> 'image' AND (m.confidence IS NULL OR m.confidence < 1) AND (m.outcome <> 'self' OR m.target NOT LIKE '#%')"
    const isStale = `m.outcome = 'pending' OR m.path IN (SELECT value FROM json_each(?))${renamed ? ` OR (${isDoubtful})` : ''}`
    return this.#each(`m.form NOT IN ${codeForms} AND (${isStale})`, JSON.stringify(changedPaths))
  }

  /** Names in code: all, the unresolved ones, or these and the roles of documents (`:class:Name`). */
  inCode(which: 'all' | 'pending' | 'pending or by role'): Generator<ReferenceRow> {
    const chosen = {
      all: '',
      pending: " AND m.outcome = 'pending'",
      'pending or by role': " AND (m.outcome = 'pending' OR (m.form = 'code' AND m.target LIKE ':%'))",
    }[which]
    return this.#each(`m.form IN ${codeForms}${chosen}`)
  }

  /** Inline code of documents that names this definition, by path and line. */
  naming(path: string, id: string): ReferenceRow[] {
    const isMark = "m.form = 'code' AND m.outcome = 'resolved'"
    return this.#inOrder(`m.path = ? AND m.section = ? AND ${isMark}`, path, id)
  }

  /** One index lookup: most corpora of documents have no code, and thousands of references. */
  #hasCode(): boolean {
    const sql = "SELECT 1 FROM files WHERE outline IS NOT NULL AND language <> 'generic' LIMIT 1"
    return this.#prepare(sql).get() !== undefined
  }

  /** Files of code, or the one at this path, with their outlines; one row at a time. */
  *outlines(path?: string): Generator<{ path: string; language: string; outline: string }> {
    const which = path === undefined ? '' : ' AND path = ?'
    const rest = `FROM files WHERE outline IS NOT NULL AND language <> 'generic'${which} ORDER BY path`
    const rows = select(this.#db, combine(detailsSum.columns(), files.pick(['language'])), rest)
    for (const row of rows.iterate(...(path === undefined ? [] : [path]))) {
      detailsSum.verified(row, row.path)
      yield { path: row.path, language: row.language, outline: unpackText(row.outline as Uint8Array) }
    }
  }

  /** Of the file of code at this path. */
  outline(path: string): CodeOutline | null {
    const [stored] = this.outlines(path)
    return stored === undefined ? null : (JSON.parse(stored.outline) as CodeOutline)
  }

  codePaths(): string[] {
    const rows = select(this.#prepare, files.pick(['path']), 'FROM files WHERE outline IS NOT NULL').all()
    return rows.map(({ path }) => path)
  }

  /** Definitions in code of exactly this name. */
  definitionsNamed(name: string): NamedDefinition[] {
    return this.#sections.definitions(name)
  }

  /** Rows of code whose name starts with this text, by name; at most `limit`. */
  codeRows(start: string, limit: number): ArtifactRow[] {
    return this.#sections.codeRows(start, limit)
  }

  /** Documents as the resolver needs them, by path: all, or one. */
  catalogue(file?: number): CatalogueRow[] {
    const selection = combine(
      combine(fileSum.columns(), files.pick(['frontmatter', 'frontmatterSum'])),
      computed<{ isCode: 0 | 1 }>({ isCode: 'outline IS NOT NULL' }),
    )
    const rest = `FROM files${file === undefined ? '' : ' WHERE id = ?'} ORDER BY path`
    const rows = select(this.#prepare, selection, rest).all(...(file === undefined ? [] : [file]))
    return rows.map((row): CatalogueRow => {
      const { id, path, title, frontmatter, inbound, rank, successor, isCode } = row
      if (!fileSum.isRight(row) || rowSum(id, frontmatter, isCode) !== row.frontmatterSum) throw damaged(path)
      return { file: id, path, title, frontmatter, inbound, rank, successor, isCode }
    })
  }

  /** Edges between files, including code, each pair once with the number of references. */
  documentEdges(): DocumentEdge[] {
    const ids = new Map(
      selectArrays<[string, number]>(this.#db, 'SELECT path, id FROM files ORDER BY path').all(),
    )
    const order = new Map([...ids.values()].map((id, at) => [id, at]))
    const compare = (a: number, b: number): number => (order.get(a) as number) - (order.get(b) as number)
    const edges = new Map<number, Map<number, number>>()
    const where = `m.id > ? AND m.outcome = 'resolved' AND m.form <> 'image' ORDER BY m.id LIMIT ${BATCH}`
    const query = selectResolved(this.#db, where)
    for (let last: number | undefined = 0; last !== undefined; ) {
      const rows: ResolvedRow[] = query.all(last)
      for (const row of rows) {
        checkRow(row)
        const from = row[1]
        const to = ids.get(row[12])
        if (to === undefined || from === to) continue
        const targets = getOrAdd(edges, from, () => new Map())
        targets.set(to, (targets.get(to) ?? 0) + 1)
      }
      last = rows.length < BATCH ? undefined : rows.at(-1)?.[0]
    }
    return [...edges]
      .flatMap(([from, targets]) => [...targets].map(([to, count]) => ({ from, to, count })))
      .sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
  }

  /** The documents that each document refers to with confidence, by its row. */
  cited(): Map<number, Set<string>> {
    const where = `m.other_form IN ${listInSql(citing)} AND m.outcome = 'resolved' AND m.confidence >= ${confident}`
    const cited = new Map<number, Set<string>>()
    for (const row of selectResolved(this.#db, where).iterate()) {
      checkRow(row)
      getOrAdd(cited, row[1], () => new Set()).add(row[12])
    }
    return cited
  }

  /** The authority of every document, by path; not verified. */
  authorities() {
    const columns = files.pick(['id', 'path', 'inbound', 'rank', 'successor'])
    return select(this.#db, columns, 'FROM files ORDER BY path').all()
  }
}

export function mentionOf(row: ReferenceRow): Mention {
  return { origin: row.origin, form: row.form, text: row.text, target: row.target, line: row.line }
}
