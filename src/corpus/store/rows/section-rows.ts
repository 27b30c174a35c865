// Which sections does the index hold? Rows of artifacts by file and by name, each as it was written and none missing.
import type { ArtifactKind } from '../../../model/artifact.ts'
import type { ArtifactRow } from '../../../model/section.ts'
import type { Prepare } from './keep-statements.ts'
import {
  type ArtifactValues,
  artifactSum,
  damaged,
  listInSql,
  listSections,
  RightRows,
  textSum,
} from './row-sum.ts'

/** What a link may name of a section. */
export interface HeadingRow {
  readonly id: string
  readonly name: string
  readonly anchor: string | null
}

/** A piece of code as a name finds it. */
export interface DefinitionRow {
  readonly id: string
  readonly path: string
  readonly kind: string
  readonly headings: readonly string[]
}

export interface RawArtifact extends ArtifactValues {
  readonly kind: ArtifactKind
  readonly sum: number
}

export const artifactColumns: string =
  'a.id AS rowId, a.file, a.canonical_id AS id, a.kind, a.name, a.anchor, a.level, a.headings, a.parent, a.line_start, a.line_end, a.own_start, a.own_end, a.tokens, a.sum'

function toArtifact(raw: RawArtifact): ArtifactRow {
  return {
    rowId: raw.rowId,
    file: raw.file,
    id: raw.id,
    kind: raw.kind,
    name: raw.name,
    anchor: raw.anchor,
    level: raw.level,
    headings: JSON.parse(raw.headings) as string[],
    parent: raw.parent,
    lines: { start: raw.line_start, end: raw.line_end },
    ownLines: raw.own_start === null ? null : { start: raw.own_start, end: raw.own_end as number },
    tokens: raw.tokens,
  }
}

/** Is it a name of something in the file of this path? */
export function belongsTo(path: string, id: string): boolean {
  return id === path || id.startsWith(`${path}#`)
}

interface NamedArtifact extends RawArtifact {
  readonly metadata: string | null
}

/** Checked anew each time: the name is that of the index of names, which may lead to another row that is right. */
function checkNamed(raw: NamedArtifact): ArtifactRow {
  if (raw.metadata === null || artifactSum(raw) !== raw.sum) throw damaged(`what is known of ${raw.id}`)
  return toArtifact(raw)
}

/** Values of each section in a list. */
const LISTED = 4

/** A row that is damaged, or that its index does not lead to, changes the list. */
function checkList(file: number, list: string, sum: unknown): void {
  if (textSum(list) !== sum) throw damaged(`the list of sections of file ${file}`)
}

/** Reads rows of artifacts; throws INDEX_DAMAGED when one is not what was written, or not there. */
export class SectionRows {
  readonly #prepare: Prepare
  readonly #right = new RightRows()

  constructor(prepare: Prepare) {
    this.#prepare = prepare
  }

  check(raw: RawArtifact): ArtifactRow {
    if (!this.#right.has(raw.rowId, raw.sum)) {
      if (artifactSum(raw) !== raw.sum) throw damaged(`what is known of section ${raw.id}`)
      this.#right.add(raw.rowId, raw.sum)
    }
    return toArtifact(raw)
  }

  all(where: string, ...values: readonly (string | number)[]): ArtifactRow[] {
    const rows = this.#prepare(`SELECT ${artifactColumns} FROM artifacts a WHERE ${where}`).all(...values)
    return (rows as unknown as RawArtifact[]).map((raw) => this.check(raw))
  }

  /** All of a file, in the order of the text. */
  of(file: number): ArtifactRow[] {
    const rows = this.all('a.file = ? ORDER BY a.id', file)
    const stored = this.#prepare('SELECT sections_sum AS sum FROM files WHERE id = ?').get(file)
    if (rows.length > 0 || stored !== undefined) checkList(file, listSections(rows), stored?.['sum'])
    return rows
  }

  /** Headings of a file, in the order of the text: as one text, which is twice as fast as the values one by one. */
  headings(file: number): HeadingRow[] {
    const sql = `SELECT ${listInSql} AS list, count(*) AS count, (SELECT sections_sum FROM files WHERE id = ?1) AS sum
      FROM artifacts INDEXED BY artifacts_by_file WHERE file = ?1`
    const found = this.#prepare(sql).get(file) as { list: string | null; count: number; sum: number | null }
    if (found.list === null && found.sum === null) return []
    checkList(file, found.list ?? '', found.sum)
    const values = (found.list ?? '').split('\0')
    if (values.length !== found.count * LISTED) return this.of(file).filter(({ level }) => level > 0) // A name holds what parts them.
    const rows: HeadingRow[] = []
    for (let at = 0; at < values.length; at += LISTED) {
      const [level, id, name, anchor] = values.slice(at, at + LISTED) as [string, string, string, string]
      if (level !== '0') rows.push({ id, name, anchor: anchor === '\x01' ? null : anchor })
    }
    return rows
  }

  /** Different names of everything, by file; at most `limit`. */
  names(limit: number): string[] {
    const names = new Set<string>()
    const lists = this.#prepare(
      'SELECT file, group_concat(name, char(0)) AS list FROM artifacts INDEXED BY artifacts_by_file GROUP BY file',
    )
    const files = this.#prepare('SELECT id, names_sum AS sum FROM files').all()
    const sums = new Map(files.map(({ id, sum }) => [id, sum]))
    for (const { file, list } of lists.iterate()) {
      checkList(file as number, list as string, sums.get(file as number))
      sums.delete(file as number)
      for (const name of (list as string).split('\0')) names.add(name)
      if (names.size >= limit) return [...names].slice(0, limit)
    }
    if (sums.size > 0) throw damaged('the list of names')
    return [...names]
  }

  /** Pieces of code of exactly this name, by id. */
  definitions(name: string): DefinitionRow[] {
    const path = this.#prepare('SELECT path FROM files WHERE id = ?')
    return this.#inCode(name, Number.POSITIVE_INFINITY, (other) => other === name)
      .filter(({ level }) => level > 0)
      .map(({ id, file, kind, headings }) => {
        const owner = path.get(file) as { path: string } | undefined
        if (owner === undefined || !belongsTo(owner.path, id)) throw damaged(`the file of ${id}`)
        return { id, path: owner.path, kind, headings }
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Names of code that start with this text, each once, among so many rows. */
  codeNames(start: string, limit: number): string[] {
    const rows = this.#inCode(start, limit, (name) => name.startsWith(start))
    return [...new Set(rows.map(({ name }) => name))]
  }

  /**
   * Rows of code in the order of their names, from this one on while they are meant. One whose name was damaged is not
   * found by it, but still lies where it belongs: the rows before and after are looked at, too.
   */
  #inCode(from: string, limit: number, isMeant: (name: string) => boolean): ArtifactRow[] {
    const named = `SELECT ${artifactColumns}, a.metadata FROM artifacts a WHERE a.metadata IS NOT NULL AND a.name`
    const before = this.#prepare(`${named} < ? ORDER BY a.name DESC LIMIT 1`).get(from)
    if (before !== undefined) checkNamed(before as unknown as NamedArtifact)
    const found: ArtifactRow[] = []
    for (const raw of this.#prepare(`${named} >= ? ORDER BY a.name`).iterate(from)) {
      const row = checkNamed(raw as unknown as NamedArtifact)
      if (found.length >= limit || !isMeant(row.name)) break
      found.push(row)
    }
    return found
  }
}
