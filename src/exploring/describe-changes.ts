// What does a change touch, what does that rely on, and what does it make stale? Sections that differ from a commit, with their references.
import { formatPlace } from '../assemble/escape-inline.ts'
import type { ArtifactRow, FileRow } from '../model/section.ts'
import { isCodeKind } from '../parse/artifact-kinds.ts'
import { findCommit, readChanges, readOldText } from '../source/read-changes.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { ReferenceRow } from '../store/reference-reader.ts'
import { ArtifactFinder } from './find-artifact.ts'
import type { GraphNode } from './read-graph.ts'
import { clip } from './render-results.ts'

/** A place beside the change, and the line that ties it to it. */
export interface Tied {
  readonly node: GraphNode
  /** Of the reference: in the change for what it relies on, else in the node. */
  readonly path: string
  readonly line: number
  /** The other end: what was touched, or the path that is gone. */
  readonly to: string
}

export interface ChangeReport {
  readonly ref: string
  readonly touched: readonly GraphNode[]
  readonly removed: readonly string[]
  /** What touched text refers to and was not touched itself. */
  readonly reliesOn: readonly Tied[]
  /** Code that uses what was touched. */
  readonly usedBy: readonly Tied[]
  /** Documents that name what was touched, or that name what is gone, and were not touched. */
  readonly stale: readonly Tied[]
}

/** So many changed files are compared section by section; of others each section counts. */
const COMPARED_FILES = 300

/** Guesses say nothing about what is stale; from here on a reference is followed in digests, too. */
const CERTAIN = 0.6

function isCertain({ outcome, confidence }: ReferenceRow): boolean {
  return outcome === 'resolved' && (confidence ?? 0) >= CERTAIN
}

/** Compares the index with a commit. Throws BAD_INPUT for one that git does not know. */
export function describeChanges(reader: CorpusReader, root: string, ref: string): ChangeReport {
  return reader.snapshot(() => new ChangeReading(reader, root).since(ref))
}

class ChangeReading {
  readonly #reader: CorpusReader
  readonly #root: string
  readonly #finder: ArtifactFinder

  constructor(reader: CorpusReader, root: string) {
    this.#reader = reader
    this.#root = root
    this.#finder = new ArtifactFinder(reader)
  }

  since(ref: string): ChangeReport {
    const files = this.#reader.files()
    const { changed, removed } = readChanges(
      this.#root,
      ref,
      files.map(({ path }) => path),
    )
    const commit = findCommit(this.#root, ref)
    const rows = changed.flatMap((path, at) => this.#touchedIn(path, at < COMPARED_FILES ? commit : null))
    const touched = new Map(rows.map((row) => [row.id, row]))
    const references = this.#reader.references()
    const outgoing = rows.flatMap(({ rowId }) => references.of(rowId)).filter(isCertain)
    const incoming = rows.flatMap((row) =>
      references.toSection(this.#reader.file(row.file).path, row.id).filter(isCertain),
    )
    const lost = this.#lost(removed)
    const isApart = (id: string | null): id is string => id !== null && !touched.has(id)
    const referring = [...incoming, ...lost].filter(({ origin }) => isApart(origin))
    return {
      ref,
      touched: rows.flatMap((row) => this.#node(row.id)),
      removed,
      reliesOn: this.#tie(
        outgoing.filter(({ section, path }) => isApart(section ?? path)),
        ({ section, path }) => section ?? path,
      ),
      usedBy: this.#tie(
        referring.filter(({ form }) => form !== 'code' && this.#isCode(form)),
        ({ origin }) => origin,
      ),
      stale: this.#tie(
        referring.filter(({ form }) => form === 'code' || !this.#isCode(form)),
        ({ origin }) => origin,
      ),
    }
  }

  #isCode(form: ReferenceRow['form']): boolean {
    return form === 'uses' || form === 'import' || form === 'class' || form === 'script'
  }

  /** Sections whose own text does not stand in the file as it was. */
  #touchedIn(path: string, commit: string | null): ArtifactRow[] {
    const document = this.#finder.document(path)
    if (document === null) return []
    const before = commit === null ? null : readOldText(this.#root, commit, path)
    const old = before?.replaceAll('\r\n', '\n')
    const isNew = (row: ArtifactRow): boolean => {
      const text = this.#reader.text(row.rowId).text.replaceAll('\r\n', '\n').trim()
      return text !== '' && !(old?.includes(text) ?? false)
    }
    return document.rows.filter(isNew)
  }

  /** References to files that are gone. */
  #lost(removed: readonly string[]): ReferenceRow[] {
    if (removed.length === 0) return []
    const names = new Set(removed.map((path) => path.slice(path.lastIndexOf('/') + 1)))
    return this.#reader
      .references()
      .broken()
      .filter(({ target, outcome }) => {
        const path = target.split('#', 1)[0] as string
        return outcome === 'missing' && names.has(path.slice(path.lastIndexOf('/') + 1))
      })
  }

  #node(id: string): GraphNode[] {
    const found = this.#finder.byId(id)
    if (found === null) return []
    const { row, file } = found
    return [{ id, kind: row.kind, path: file.path, name: nameOf(row, file), lines: row.lines }]
  }

  /** Each place once, with the first line that ties it. */
  #tie(rows: readonly ReferenceRow[], idOf: (row: ReferenceRow) => string | null): Tied[] {
    const ties = new Map<string, Tied>()
    for (const row of rows) {
      const id = idOf(row)
      if (id === null || ties.has(id)) continue
      const [node] = this.#node(id)
      if (node !== undefined)
        ties.set(id, {
          node,
          path: row.originPath,
          line: row.line,
          to: row.section ?? row.path ?? row.target,
        })
    }
    return [...ties.values()].sort((a, b) => (a.node.id < b.node.id ? -1 : a.node.id > b.node.id ? 1 : 0))
  }
}

function nameOf(row: ArtifactRow, file: FileRow): string {
  return row.level === 0 && !isCodeKind(row.kind) ? file.title : row.name
}

/** Lines of text; what is most likely to be forgotten comes first. */
export function listChanges(report: ChangeReport): string[] {
  const place = ({ path, lines, name }: GraphNode): string => `${formatPlace(path, [lines])} ${clip(name)}`
  const tied = ({ node, path, line, to }: Tied): string =>
    `- ${place(node)}, ${clip(path)}:${line} → ${clip(to)}`
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `${title}: ${lines.length}`, ...lines]
  const { touched, removed, stale, usedBy, reliesOn } = report
  if (touched.length === 0 && removed.length === 0) return [`Nothing differs from ${clip(report.ref)}.`]
  return [
    `Since ${clip(report.ref)}: ${touched.length} sections touched, ${removed.length} files removed.`,
    ...part(
      'Touched',
      touched.map((node) => `- ${place(node)}`),
    ),
    ...part(
      'Removed',
      removed.map((path) => `- ${clip(path)}`),
    ),
    ...part('May be stale, for it names what changed', stale.map(tied)),
    ...part('Uses what changed', usedBy.map(tied)),
    ...part('Relied on by the change', reliesOn.map(tied)),
  ]
}
