// Which artifact does this name mean? Ids, paths, path#anchor, path:lines, decision ids and names of code, from the index.

import type { Lines } from '../../model/artifact.ts'
import { YoreError } from '../../model/errors.ts'
import type { PresentArtifact } from '../../model/expansion.ts'
import { unmarkInvisible } from '../../model/mark-invisible.ts'
import { remember } from '../../model/remember.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import type { EdgeSide, GraphSource } from '../graph/neighbours.ts'
import { addIds, findDecision, makeDecisionIds } from '../resolve/decision-ids.ts'
import { readPlace } from '../resolve/read-target.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { ReferenceRow } from '../store/rows/reference-reader.ts'
import { definitionsMeant, listSome } from './find-definition.ts'
import { suggestArtifact, suggestSection } from './suggest-artifact.ts'

export interface FoundDocument {
  readonly file: FileRow
  /** In the order of the text. */
  readonly rows: readonly ArtifactRow[]
}

export interface FoundArtifact {
  readonly row: ArtifactRow
  readonly file: FileRow
}

/** An artifact, and the requested lines of it if the name has some. */
export interface FoundPlace extends FoundArtifact {
  readonly lines: Lines | null
}

/** Finds artifacts in one state of the index, and caches what it reads. */
export class ArtifactFinder implements GraphSource<FoundArtifact, ReferenceRow> {
  readonly #reader: CorpusReader

  constructor(reader: CorpusReader) {
    this.#reader = reader
  }

  readonly document = remember((path: string): FoundDocument | null => {
    const file = this.#reader.fileByPath(path)
    if (file === null) return null
    const rowsOf = this.#rowsOf
    return {
      file,
      get rows(): readonly ArtifactRow[] {
        return rowsOf(file.id)
      },
    }
  })

  /** Read on demand, because most documents are only looked up. */
  readonly #rowsOf = remember((file: number) => this.#reader.artifactsOf(file))

  readonly byId = remember((id: string): FoundArtifact | null => {
    const row = this.#reader.artifactById(id)
    return row === null ? null : { row, file: this.#file(row.file) }
  })

  readonly #file = remember((id: number) => this.#reader.file(id))

  partsOf({ file }: FoundArtifact): readonly FoundArtifact[] {
    return (this.document(file.path)?.rows ?? []).map((row) => ({ row, file }))
  }

  readonly #mentionsOf = remember((rowId: number) => this.#reader.references().of(rowId))

  mentionsIn({ row }: FoundArtifact): readonly ReferenceRow[] {
    return this.#mentionsOf(row.rowId)
  }

  mentionsTo({ row, file }: FoundArtifact, from: Exclude<EdgeSide, 'none'>): readonly ReferenceRow[] {
    const references = this.#reader.references()
    if (row.level === 0) return references.to(file.path, from)
    if (isCodeKind(row.kind))
      return from === 'text' ? references.naming(file.path, row.id) : references.toSection(file.path, row.id)
    if (from !== 'all') return references.to(file.path, from)
    const whole = references.to(file.path, from).filter(({ section }) => section === null)
    return [...references.toSection(file.path, row.id), ...whole]
  }

  byAnchor(named: string): FoundArtifact | null {
    const hash = named.lastIndexOf('#')
    const document = hash === -1 ? null : this.document(named.slice(0, hash))
    const row = document?.rows.find(({ anchor }) => anchor === named.slice(hash + 1))
    return row === undefined || document === null ? null : { row, file: document.file }
  }

  /** The document of this path, or that a link of this name leads to. */
  #whole(named: string): FoundArtifact | null {
    const document = this.document(named)
    const row = document?.rows[0]
    return document === null || row === undefined ? null : { row, file: document.file }
  }

  /** The document with its lines. Throws BAD_INPUT for an invalid range. */
  byPlace(named: string): FoundPlace | null {
    const place = readPlace(named)
    const whole = place === null ? null : this.#whole(place.path)
    if (place === null || whole === null) return null
    const { start, end } = place.lines
    if (end < start)
      throw new YoreError('BAD_INPUT', `the lines ${start}-${end} end before they start`, {
        hint: `write ${place.path}:${end}-${start}`,
      })
    return { ...whole, lines: place.lines }
  }

  /** The smallest section that contains all the lines; a place without lines is unchanged. */
  around({ row, file, lines }: FoundPlace): FoundArtifact {
    if (lines === null) return { row, file }
    const last = row.lines.end
    if (lines.start > last)
      throw new YoreError('BAD_INPUT', `${file.path} has no line ${lines.start}`, {
        hint: `its last line is ${last}`,
      })
    const end = Math.min(lines.end, last)
    const length = (one: ArtifactRow): number => one.lines.end - one.lines.start
    const holding = (this.document(file.path)?.rows ?? [])
      .filter((one) => one.lines.start <= lines.start && one.lines.end >= end)
      .sort((a, b) => length(a) - length(b) || b.level - a.level || a.rowId - b.rowId)
    return { row: holding[0] ?? row, file }
  }

  #byDecision(named: string): FoundArtifact | null {
    const ids = makeDecisionIds()
    for (const { path, title, frontmatter } of this.#reader.references().catalogue())
      addIds(ids, { path, title, frontmatter: JSON.parse(frontmatter) as Record<string, unknown> })
    const lookup = findDecision(ids, named)
    if (lookup.kind === 'ambiguous')
      throw new YoreError('BAD_INPUT', `${JSON.stringify(named)} names several documents`, {
        hint: `name one of ${lookup.paths.join(', ')}`,
      })
    return lookup.kind === 'found' ? this.byId(lookup.path) : null
  }

  /** The only place of this name. Throws BAD_INPUT. */
  find(named: string): FoundPlace {
    const [first, ...others] = this.findAll(named)
    if (others.length === 0) return first
    const ids = [first, ...others].map(({ row }) => row.id)
    throw new YoreError(
      'BAD_INPUT',
      `${JSON.stringify(unmarkInvisible(named.trim()))} is the name of ${ids.length} pieces of code`,
      { hint: `name one of ${listSome(ids)}` },
    )
  }

  /**
   * By canonical id or path, by path and anchor, by path and lines, by decision id, then by name, which several may have.
   * Throws BAD_INPUT.
   */
  findAll(named: string): readonly [FoundPlace, ...FoundPlace[]] {
    // As it is, or copied from a digest.
    const wanted = unmarkInvisible(named.trim()).replace(/^(?:\.\/)+/, '')
    const whole = this.byId(wanted) ?? this.byAnchor(wanted) ?? this.#whole(wanted)
    if (whole !== null) return [{ ...whole, lines: null }]
    const place = this.byPlace(wanted)
    if (place !== null) return [place]
    // A decision id has a number; looking for one reads all documents.
    const decision = /\d/.test(wanted) ? this.#byDecision(wanted) : null
    const ids = decision === null ? definitionsMeant(this.#reader, wanted) : [decision.row.id]
    const [first, ...others] = ids
      .flatMap((id) => this.byId(id) ?? [])
      .map((one) => ({ ...one, lines: null }))
    if (first !== undefined) return [first, ...others]
    if (this.#reader.meta('indexedAt') === null)
      throw new YoreError(
        'NO_INDEX',
        `the index is not complete, and has nothing named ${JSON.stringify(wanted)} yet`,
      )
    throw new YoreError('BAD_INPUT', `the index contains nothing named ${JSON.stringify(wanted)}`, {
      hint: this.#hintFor(wanted),
    })
  }

  #hintFor(wanted: string): string {
    const hash = wanted.lastIndexOf('#')
    const document = hash === -1 ? null : this.document(wanted.slice(0, hash))
    if (document !== null) return suggestSection(document.rows, wanted.slice(hash + 1))
    const path = hash === -1 ? (readPlace(wanted)?.path ?? wanted) : wanted.slice(0, hash)
    return suggestArtifact(this.#reader, path)
  }
}

interface NamedOrigin {
  /** The name that a session uses: a canonical id, or path:lines. */
  readonly from: string
  readonly present: readonly PresentArtifact[]
}

/** A section or document with everything below it, by any of its names. Throws BAD_INPUT. */
export function findOrigin(reader: CorpusReader, named: string): NamedOrigin {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const { row, file, lines } = finder.find(named)
    const { start, end } = lines ?? row.lines
    const rows = finder.document(file.path)?.rows ?? []
    const within = rows.filter(
      ({ ownLines }) => ownLines !== null && ownLines.start <= end && ownLines.end >= start,
    )
    const below = lines === null ? withoutMembers(within, rows) : within
    const ids = new Set([...(lines === null ? [row.id] : []), ...below.map(({ id }) => id)])
    const from = lines === null ? row.id : `${file.path}:${start}-${end}`
    return { from, present: [...ids].map((id) => ({ id, depth: 0 })) }
  })
}

/** A class is represented by its header; its functions can be followed from there. */
function withoutMembers(within: readonly ArtifactRow[], rows: readonly ArtifactRow[]): ArtifactRow[] {
  const classes = new Set(rows.filter(({ kind }) => shapeOfKind(kind) === 'class').map(({ rowId }) => rowId))
  return within.filter(
    ({ kind, parent }) => shapeOfKind(kind) !== 'class_function' || parent === null || !classes.has(parent),
  )
}
