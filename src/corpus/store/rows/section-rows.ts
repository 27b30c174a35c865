// Which sections does the index hold? Rows of artifacts by file and by name, each verified and none missing.
import { remember } from '../../../model/remember.ts'
import type { ArtifactRow } from '../../../model/section.ts'
import type { NamedDefinition } from '../../resolve/code/code-catalogue.ts'
import { artifactSum, files, sectionsSql } from '../schema.ts'
import { damaged, numberSum, present, textSum } from './checksum.ts'
import { computed, type Prepare, type RowQuery, select, selectArrays } from './table.ts'

export interface FragmentRow {
  readonly id: number
  readonly artifact: number
  readonly pieceStart: number
  readonly pieceEnd: number
}

const columns = artifactSum.columns()
/** The values of `columns` in their order, which a question reads by the hundred. */
type StoredRow = readonly [
  ...[id: number, file: number, kind: ArtifactRow['kind'], name: string],
  ...[anchor: string | null, level: number, headings: string, parent: number | null],
  ...[lineStart: number, lineEnd: number, ownStart: number | null, ownEnd: number | null],
  ...[tokens: number, code: number, canonicalId: string, sum: number],
]

function toArtifact(row: StoredRow): ArtifactRow {
  const [rowId, file, kind, name, anchor, level, headings, parent, start, end, ownStart, ownEnd] = row
  return {
    rowId,
    file,
    id: row[14],
    kind,
    name,
    anchor,
    level,
    headings: JSON.parse(headings) as string[],
    parent,
    lines: { start, end },
    ownLines: ownStart === null ? null : { start: ownStart, end: ownEnd as number },
    tokens: row[12],
  }
}

const fragmentSql = 'SELECT artifact, piece_start, piece_end, sum FROM fragments WHERE id = ?'

function checked(row: StoredRow): ArtifactRow {
  if (!artifactSum.isRightRow(row)) throw damaged(`section ${row[14]}`)
  return toArtifact(row)
}

/** The sections of a file as one text, which `sections_sum` covers. */
export function listSections(sections: readonly Pick<ArtifactRow, 'level' | 'id' | 'name' | 'anchor'>[]) {
  return sections
    .map(({ level, id, name, anchor }) => `${level}\0${id}\0${name}\0${anchor ?? '\x01'}`)
    .join('\0')
}

/** Detects a damaged row, and one that its index does not find. */
function checkList(file: number, list: string, sum: unknown): void {
  if (textSum(list) !== sum) throw damaged(`the list of sections of file ${file}`)
}

/** Reads rows of artifacts; throws INDEX_DAMAGED when one is damaged or missing. */
export class SectionRows {
  readonly #prepare: Prepare
  #fragments: RowQuery<readonly [number, number, number, number]> | null = null

  constructor(prepare: Prepare) {
    this.#prepare = prepare
  }

  /** Rows of artifacts, by the rest of the statement. */
  readonly #select = remember((rest: string) =>
    selectArrays<StoredRow>(this.#prepare, `SELECT ${columns.sql} FROM ${sectionsSql} ${rest}`),
  )

  /** The first row, by the rest of the statement. */
  get(rest: string, ...values: readonly (string | number)[]): ArtifactRow | null {
    const row = this.#select(rest).get(...values)
    return row === undefined ? null : checked(row)
  }

  fragment(id: number): FragmentRow | null {
    this.#fragments ??= selectArrays(this.#prepare, fragmentSql)
    const row = this.#fragments.get(id)
    if (row === undefined) return null
    const [artifact, pieceStart, pieceEnd, sum] = row
    if (numberSum(id, artifact, pieceStart, pieceEnd) !== sum) throw damaged(`fragment ${id}`)
    return { id, artifact, pieceStart, pieceEnd }
  }

  /** All of a file, in the order of the text. */
  of(file: number): ArtifactRow[] {
    const rows = this.#select('WHERE file = ? ORDER BY id').all(file).map(checked)
    const listed = select(this.#prepare, files.pick(['sectionsSum']), 'FROM files WHERE id = ?').get(file)
    if (rows.length > 0 || listed !== undefined) checkList(file, listSections(rows), listed?.sectionsSum)
    return rows
  }

  /** Different names of everything, by file; at most `limit`. */
  names(limit: number): string[] {
    const names = new Set<string>()
    const lists = select(
      this.#prepare,
      computed<{ file: number; list: string }>({ file: 'file', list: 'group_concat(name, char(0))' }),
      'FROM artifacts INDEXED BY artifacts_by_file GROUP BY file',
    )
    const known = select(this.#prepare, files.pick(['id', 'namesSum']), 'FROM files').all()
    const sums = new Map(known.map(({ id, namesSum }) => [id, namesSum]))
    for (const { file, list } of lists.iterate()) {
      checkList(file, list, sums.get(file))
      sums.delete(file)
      for (const name of list.split('\0')) names.add(name)
      if (names.size >= limit) return [...names].slice(0, limit)
    }
    if (sums.size > 0) throw damaged('the list of names')
    return [...names]
  }

  /** Definitions in code of exactly this name, by id. */
  definitions(name: string): NamedDefinition[] {
    const path = select(this.#prepare, files.pick(['path']), 'FROM files WHERE id = ?')
    return this.#inCode(name, Number.POSITIVE_INFINITY, (other) => other === name)
      .filter(({ level }) => level > 0)
      .map(({ id, file, kind, headings }) => {
        return { id, path: present(path.get(file), `the file of ${id}`).path, kind, headings }
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Rows of code whose name starts with this text, by name. */
  codeRows(start: string, limit: number): ArtifactRow[] {
    return this.#inCode(start, limit, (name) => name.startsWith(start))
  }

  /**
   * Rows of code by name, from this name on while `isWanted`. A row whose name was damaged is not found by its name, but
   * still is where that belongs: the rows before and after are verified, too.
   */
  #inCode(from: string, limit: number, isWanted: (name: string) => boolean): ArtifactRow[] {
    const rest = 'WHERE code = 1 AND name'
    const before = this.#select(`${rest} < ? ORDER BY name DESC LIMIT 1`).get(from)
    if (before !== undefined) checked(before)
    const found: ArtifactRow[] = []
    for (const stored of this.#select(`${rest} >= ? ORDER BY name`).iterate(from)) {
      const row = checked(stored)
      if (found.length >= limit || !isWanted(row.name)) break
      found.push(row)
    }
    return found
  }
}
