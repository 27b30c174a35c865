// Which artifact does this name mean? Canonical ids, paths, path#anchor, path:lines and decision ids, from the index alone.
import { nearestName } from '../config/nearest-name.ts'
import { YoreError } from '../errors.ts'
import type { Lines } from '../model/artifact.ts'
import { addIds, findDecision, makeDecisionIds } from '../resolve/decision-ids.ts'
import type { ArtifactRow, CorpusReader, FileRow } from '../store/corpus-reader.ts'

export interface FoundDocument {
  readonly file: FileRow
  /** In the order of the text. */
  readonly rows: readonly ArtifactRow[]
}

export interface FoundArtifact {
  readonly row: ArtifactRow
  readonly file: FileRow
}

/** An artifact, and the lines of it that were asked for when the name had some. */
export interface FoundPlace extends FoundArtifact {
  readonly lines: Lines | null
}

/** `docs/guide.md:12-40` or `docs/guide.md:12`; null when the name is no such place. */
export function readPlace(named: string): { readonly path: string; readonly lines: Lines } | null {
  const [, path, first, last] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(named) ?? []
  if (path === undefined || first === undefined) return null
  const start = Math.max(1, Number(first))
  return { path, lines: { start, end: Math.max(start, Number(last ?? first)) } }
}

/** Finds artifacts in one state of the index; what it reads is kept. */
export class ArtifactFinder {
  readonly #reader: CorpusReader
  readonly #documents = new Map<string, FoundDocument | null>()
  readonly #artifacts = new Map<string, FoundArtifact | null>()
  readonly #files = new Map<number, FileRow>()

  constructor(reader: CorpusReader) {
    this.#reader = reader
  }

  document(path: string): FoundDocument | null {
    let known = this.#documents.get(path)
    if (known === undefined) {
      const file = this.#reader.fileByPath(path)
      known = file === null ? null : { file, rows: this.#reader.artifactsOf(file.id) }
      this.#documents.set(path, known)
    }
    return known
  }

  byId(id: string): FoundArtifact | null {
    let known = this.#artifacts.get(id)
    if (known === undefined) {
      const row = this.#reader.artifactById(id)
      known = row === null ? null : { row, file: this.#file(row.file) }
      this.#artifacts.set(id, known)
    }
    return known
  }

  #file(id: number): FileRow {
    let known = this.#files.get(id)
    if (known === undefined) {
      known = this.#reader.file(id)
      this.#files.set(id, known)
    }
    return known
  }

  byAnchor(named: string): FoundArtifact | null {
    const hash = named.lastIndexOf('#')
    const document = hash === -1 ? null : this.document(named.slice(0, hash))
    const row = document?.rows.find(({ anchor }) => anchor === named.slice(hash + 1))
    return row === undefined || document === null ? null : { row, file: document.file }
  }

  /** The document with its lines. */
  byPlace(named: string): FoundPlace | null {
    const place = readPlace(named)
    const document = place === null ? null : this.document(place.path)
    const row = document?.rows[0]
    if (place === null || document === null || row === undefined) return null
    return { row, file: document.file, lines: place.lines }
  }

  #byDecision(named: string): FoundArtifact | null {
    const ids = makeDecisionIds()
    for (const { path, title, frontmatter } of this.#reader.references().catalogue())
      addIds(ids, { path, title, frontmatter: JSON.parse(frontmatter) as Record<string, unknown> })
    const lookup = findDecision(ids, named)
    if (lookup.kind === 'ambiguous')
      throw new YoreError('BAD_INPUT', `${JSON.stringify(named)} is carried by several documents`, {
        hint: `name one of ${lookup.paths.join(', ')}`,
      })
    return lookup.kind === 'found' ? this.byId(lookup.path) : null
  }

  /** By canonical id or path, by path and anchor, by path and lines, then by decision id. Throws BAD_INPUT. */
  find(named: string): FoundPlace {
    const wanted = named.trim().replace(/^(?:\.\/)+/, '')
    const whole = this.byId(wanted) ?? this.byAnchor(wanted)
    if (whole !== null) return { ...whole, lines: null }
    const place = this.byPlace(wanted)
    if (place !== null) return place
    const decided = this.#byDecision(wanted)
    if (decided !== null) return { ...decided, lines: null }
    const paths = this.#reader.files().map(({ path }) => path)
    const near = nearestName(wanted, paths) ?? paths.find((path) => path.endsWith(`/${wanted}`))
    const hint =
      near === undefined || near === null
        ? 'name a path, a section as path#anchor, or a decision id such as ADR-013'
        : `did you mean ${near}?`
    throw new YoreError('BAD_INPUT', `nothing in the index is called ${JSON.stringify(wanted)}`, { hint })
  }
}
