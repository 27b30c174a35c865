// Which references does the corpus hold, and where do they lead? Mentions with what became of them, read both ways.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Mention, MentionForm } from '../model/reference.ts'

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

/** What the resolver has to know of a document. */
export interface CatalogueRow {
  readonly file: number
  readonly path: string
  readonly title: string
  readonly status: string | null
  readonly frontmatter: Readonly<Record<string, unknown>>
  readonly sections: readonly { readonly id: string; readonly name: string; readonly anchor: string | null }[]
}

const columns = `m.id, m.artifact, a.canonical_id AS origin, f.path AS originPath, m.form, m.text, m.target, m.line,
  m.outcome, m.path, m.section, m.anchor, m.confidence, m.method, m.candidates`
const from = 'mentions m JOIN artifacts a ON a.id = m.artifact JOIN files f ON f.id = a.file'

type RawReference = Omit<ReferenceRow, 'candidates'> & { readonly candidates: string | null }

function toReference(raw: RawReference): ReferenceRow {
  return { ...raw, candidates: raw.candidates === null ? [] : (JSON.parse(raw.candidates) as string[]) }
}

/** Reads the references of a corpus. */
export class ReferenceReader {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  #all(where: string, ...values: (string | number)[]): ReferenceRow[] {
    const sql = `SELECT ${columns} FROM ${from} WHERE ${where}`
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return (statement.all(...values) as unknown as RawReference[]).map(toReference)
  }

  /** References in an artifact's own text, in the order of the text. */
  of(artifact: number): ReferenceRow[] {
    return this.#all('m.artifact = ? ORDER BY m.line, m.id', artifact)
  }

  /** References from other documents to this one, by place. */
  to(path: string): ReferenceRow[] {
    return this.#all(
      "m.path = ? AND m.outcome = 'resolved' AND f.path <> m.path ORDER BY f.path, m.line, m.id",
      path,
    )
  }

  /** Links and ids that lead nowhere or to several places. */
  broken(): ReferenceRow[] {
    return this.#all(
      "m.outcome IN ('missing', 'ambiguous') AND m.form <> 'image' ORDER BY f.path, m.line, m.id",
    )
  }

  /** Every mention, for resolving all. */
  everything(): ReferenceRow[] {
    return this.#all('TRUE ORDER BY m.id')
  }

  /** Mentions whose meaning may have changed: new ones, those that led to changed documents, and the doubtful. */
  inDoubt(changedPaths: readonly string[]): ReferenceRow[] {
    const doubtful = this.#all(
      "m.outcome IN ('pending', 'missing', 'ambiguous') OR m.confidence < 1 ORDER BY m.id",
    )
    const known = new Set(doubtful.map(({ id }) => id))
    const led = changedPaths.flatMap((path) => this.#all('m.path = ? ORDER BY m.id', path))
    return [...doubtful, ...led.filter(({ id }) => !known.has(id))]
  }

  /** Documents and their sections, as the resolver wants them. */
  catalogue(): CatalogueRow[] {
    const sections = new Map<number, { id: string; name: string; anchor: string | null }[]>()
    const rows = this.#db
      .prepare('SELECT file, canonical_id AS id, name, anchor FROM artifacts WHERE level > 0 ORDER BY id')
      .all()
    for (const { file, id, name, anchor } of rows as unknown as {
      file: number
      id: string
      name: string
      anchor: string | null
    }[]) {
      const known = sections.get(file)
      if (known === undefined) sections.set(file, [{ id, name, anchor }])
      else known.push({ id, name, anchor })
    }
    const files = this.#db
      .prepare('SELECT id, path, title, status, frontmatter FROM files ORDER BY path')
      .all()
    return (
      files as unknown as {
        id: number
        path: string
        title: string
        status: string | null
        frontmatter: string
      }[]
    ).map((file) => ({
      file: file.id,
      path: file.path,
      title: file.title,
      status: file.status,
      frontmatter: JSON.parse(file.frontmatter) as Record<string, unknown>,
      sections: sections.get(file.id) ?? [],
    }))
  }

  /** Edges between documents, each pair once with the number of references. */
  documentEdges(): { from: number; to: number; count: number }[] {
    const sql = `SELECT a.file AS "from", t.id AS "to", count(*) AS count FROM mentions m JOIN artifacts a ON a.id = m.artifact
      JOIN files t ON t.path = m.path WHERE m.outcome = 'resolved' AND m.form <> 'image' AND t.id <> a.file GROUP BY 1, 2 ORDER BY 1, 2`
    return this.#db.prepare(sql).all() as unknown as { from: number; to: number; count: number }[]
  }
}

/** The mention inside a reference row. */
export function mentionOf(row: ReferenceRow): Mention {
  return { origin: row.origin, form: row.form, text: row.text, target: row.target, line: row.line }
}
