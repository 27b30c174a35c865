// What does a change affect, what does it depend on, and what does it make stale? Sections that differ from a commit, with their references.

import { formatPlace } from '../answer/assemble/escape-inline.ts'
import { type Neighbour, neighbours, relations } from '../corpus/graph/neighbours.ts'
import { ArtifactFinder, type FoundArtifact } from '../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import { formatQuantity } from '../model/format-numbers.ts'
import { clip } from '../model/mark-invisible.ts'
import { compareText, lastSegment } from '../model/paths.ts'
import type { ArtifactRow } from '../model/section.ts'
import { isCodeKind } from '../read/parse/artifact-kinds.ts'
import { findCommit, readChanges, readOldText } from '../read/source/git/read-changes.ts'
import { asRoot, isOfFirstRoot } from '../read/source/walk/corpus-roots.ts'
import { type GraphNode, kindOfNode } from './read-graph.ts'

/** A place outside the change, and the line that connects them. */
export interface Tied {
  readonly node: GraphNode
  /** The line of the reference: in the change for a dependency, otherwise in the node. */
  readonly path: string
  readonly line: number
  /** The other end: a changed section, or a removed path. */
  readonly to: string
}

export interface ChangeReport {
  readonly ref: string
  readonly touched: readonly GraphNode[]
  readonly removed: readonly string[]
  /** Unchanged targets of references in changed text. */
  readonly reliesOn: readonly Tied[]
  /** Code that uses changed code. */
  readonly usedBy: readonly Tied[]
  /** Unchanged documents that name something changed or removed. */
  readonly stale: readonly Tied[]
}

/** Maximum changed files to compare section by section; of others every section counts as changed. */
const COMPARED_FILES = 300

type Edge = Neighbour<FoundArtifact, ReferenceRow>

/** A reference between the change and a place outside. */
interface Tie {
  readonly other: string
  readonly mention: ReferenceRow
}

/** Compares the index with a commit. Throws BAD_INPUT for an unknown commit. */
export const describeChanges = (reader: CorpusReader, root: string, ref: string): ChangeReport =>
  reader.snapshot(() => compareWith(ref, reader, root))

function compareWith(ref: string, reader: CorpusReader, root: string): ChangeReport {
  const finder = new ArtifactFinder(reader)
  const files = reader.files()
  const roots = asRoot(root, reader.meta('roots'))
  const paths = files.map(({ path }) => path).filter((path) => isOfFirstRoot(roots, path))
  const { changed, removed } = readChanges(root, ref, paths)
  const commit = findCommit(root, ref)
  const rows = changed.flatMap((path, at) => touchedIn(path, at < COMPARED_FILES ? commit : null))
  const touched = new Map(rows.map((row) => [row.id, row]))
  const { outgoing, incoming } = edgesOf(rows)
  const lost = lostIn(removed).map((mention) => ({ other: mention.origin, mention }))
  const apart = (ties: readonly Tie[]): Tied[] => tied(ties.filter(({ other }) => !touched.has(other)))
  const tieOf = ({ at, mention }: Edge): Tie[] => (mention === null ? [] : [{ other: at.row.id, mention }])
  const isDependency = ({ via }: Edge): boolean => relations[via].isDependency
  return {
    ref,
    touched: rows.flatMap((row) => nodesOf(row.id)),
    removed,
    reliesOn: apart(outgoing.flatMap(tieOf)),
    usedBy: apart(incoming.filter(isDependency).flatMap(tieOf)),
    stale: apart([...incoming.filter((edge) => !isDependency(edge)).flatMap(tieOf), ...lost]),
  }

  /** Certain references of and to the changed sections; a reference to a whole document leads to its opening. */
  function edgesOf(rows: readonly ArtifactRow[]): { outgoing: Edge[]; incoming: Edge[] } {
    const edges = rows.flatMap((row) => {
      const place = { row, file: reader.file(row.file) }
      const options = { purpose: 'follow', outgoing: true, incoming: 'all', structure: false } as const
      return neighbours(place, finder, options).filter(
        ({ direction, mention }) => direction === 'out' || mention?.section !== null || row.level === 0,
      )
    })
    const towards = (wanted: Edge['direction']): Edge[] =>
      edges.filter(({ direction }) => direction === wanted)
    return { outgoing: towards('out'), incoming: towards('in') }
  }

  /** Sections whose own text is not in the old file. */
  function touchedIn(path: string, commit: string | null): ArtifactRow[] {
    const document = finder.document(path)
    if (document === null) return []
    const before = commit === null ? null : readOldText(root, commit, path)
    const old = before?.replaceAll('\r\n', '\n')
    const isNew = (row: ArtifactRow): boolean => {
      const text = reader.text(row.rowId).text.replaceAll('\r\n', '\n').trim()
      return text !== '' && !(old?.includes(text) ?? false)
    }
    return document.rows.filter(isNew)
  }

  function lostIn(removed: readonly string[]): ReferenceRow[] {
    if (removed.length === 0) return []
    const names = new Set(removed.map((path) => lastSegment(path)))
    return reader
      .references()
      .broken()
      .filter(({ outcome }) => outcome === 'missing')
      .filter(({ target }) => names.has(lastSegment(target.split('#', 1)[0] as string)))
  }

  function nodesOf(id: string): GraphNode[] {
    const found = finder.byId(id)
    if (found === null) return []
    const { row, file } = found
    const name = row.level === 0 && !isCodeKind(row.kind) ? file.title : row.name
    return [{ id, kind: kindOfNode(found), path: file.path, name, lines: row.lines }]
  }

  /** Each place once, with the first line that connects it. */
  function tied(found: readonly Tie[]): Tied[] {
    const ties = new Map<string, Tied>()
    for (const { other, mention } of found) {
      const [node] = ties.has(other) ? [] : nodesOf(other)
      const { originPath: path, line, section, path: target } = mention
      if (node !== undefined) ties.set(other, { node, path, line, to: section ?? target ?? mention.target })
    }
    return [...ties.values()].sort((a, b) => compareText(a.node.id, b.node.id))
  }
}

/** Lines of text; what is most easily forgotten comes first. */
export function listChanges(report: ChangeReport): string[] {
  const place = ({ path, lines, name }: GraphNode): string => `- ${formatPlace(path, [lines])} ${clip(name)}`
  const gone = (path: string): string => `- ${clip(path)}`
  const tied = ({ node, path, line, to }: Tied): string =>
    `${place(node)}, ${clip(path)}:${line} → ${clip(to)}`
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `${title}: ${lines.length}`, ...lines]
  const { touched, removed, stale, usedBy, reliesOn } = report
  if (touched.length === 0 && removed.length === 0) return [`Nothing differs from ${clip(report.ref)}.`]
  return [
    `Since ${clip(report.ref)}: ${formatQuantity(touched.length, 'section')} touched, ${formatQuantity(removed.length, 'file')} removed.`,
    ...part('Touched', touched.map(place)),
    ...part('Removed', removed.map(gone)),
    ...part('May be stale, for it names what changed', stale.map(tied)),
    ...part('Uses what changed', usedBy.map(tied)),
    ...part('Relied on by the change', reliesOn.map(tied)),
  ]
}
