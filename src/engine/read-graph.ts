// What stands around an artifact? Its neighbours along every relation, each with the line that says so.
import type { ArtifactKind, Lines } from '../model/artifact.ts'
import type { Freshness } from '../model/report.ts'
import { isCodeKind, shapeOfKind } from '../parse/artifact-kinds.ts'
import type { ArtifactRow, CorpusReader, FileRow } from '../store/corpus-reader.ts'
import type { ReferenceRow } from '../store/reference-reader.ts'
import { ArtifactFinder, type FoundArtifact } from './find-artifact.ts'

export type GraphDirection = 'in' | 'out' | 'both'

export interface GraphOptions {
  readonly direction: GraphDirection
  readonly refresh: 'auto' | 'never'
}

export interface GraphNode {
  /** Canonical id. */
  readonly id: string
  readonly kind: ArtifactKind
  readonly path: string
  readonly name: string
  readonly lines: Lines
}

/** In the order in which they are listed. */
const edgeKinds = [
  'DEFINES',
  'MEMBER_FUNCTIONS',
  'CLASS_NAME',
  'DOCSTRING',
  'LINKS',
  'CITES',
  'DOCUMENTS',
  'USES',
  'IMPORTS',
  'EXTERNAL_SCRIPTS',
] as const
export type GraphEdgeKind = (typeof edgeKinds)[number]

/** An edge of the subject. The evidence of DEFINES is the line of the child's heading. */
export interface GraphEdge {
  readonly kind: GraphEdgeKind
  /** From the subject, or to it. */
  readonly direction: 'out' | 'in'
  readonly from: string
  readonly to: string
  readonly evidence: { readonly path: string; readonly line: number }
  /** As written; null for DEFINES. */
  readonly text: string | null
}

export interface GraphReport {
  readonly subject: GraphNode
  /** The other ends of the edges, by id. */
  readonly neighbours: readonly GraphNode[]
  /** By direction, kind and place. */
  readonly edges: readonly GraphEdge[]
}

export interface GraphResult {
  readonly graph: GraphReport
  readonly freshness: Freshness
}

function toNode({ row, file }: FoundArtifact): GraphNode {
  const { id, kind, name, lines } = row
  return { id, kind, path: file.path, name: row.level === 0 ? file.title : name, lines }
}

/** Reads one neighbourhood from one state of the index. A document stands for all its sections. */
export function readGraph(reader: CorpusReader, named: string, direction: GraphDirection): GraphReport {
  return reader.snapshot(() => new GraphReading(reader).around(named, direction))
}

class GraphReading {
  readonly #reader: CorpusReader
  readonly #finder: ArtifactFinder

  constructor(reader: CorpusReader) {
    this.#reader = reader
    this.#finder = new ArtifactFinder(reader)
  }

  around(named: string, direction: GraphDirection): GraphReport {
    const subject = this.#finder.around(this.#finder.find(named))
    const edges = [
      ...(direction === 'in' ? [] : this.#outgoing(subject)),
      ...(direction === 'out' ? [] : this.#incoming(subject)),
    ].sort(compareEdges)
    const ids = new Set(edges.map((edge) => (edge.direction === 'out' ? edge.to : edge.from)))
    const neighbours = [...ids].sort().flatMap((id) => {
      const found = this.#finder.byId(id)
      return found === null ? [] : [toNode(found)]
    })
    return { subject: toNode(subject), neighbours, edges }
  }

  #outgoing({ row, file }: FoundArtifact): GraphEdge[] {
    const rows = this.#finder.document(file.path)?.rows ?? []
    const holders = row.level === 0 ? rows : [row]
    const children = rows.filter(({ parent }) => parent === row.rowId)
    return [
      ...children.map((child) => definesEdge(row, child, file, 'out')),
      ...holders
        .flatMap(({ rowId }) => this.#reader.references().of(rowId))
        .flatMap((reference) => referenceEdge(reference, 'out')),
    ]
  }

  #incoming({ row, file }: FoundArtifact): GraphEdge[] {
    const parent = this.#finder.document(file.path)?.rows.find(({ rowId }) => rowId === row.parent)
    const all = this.#reader.references()
    const references = row.level === 0 ? all.to(file.path) : all.toSection(file.path, row.id)
    return [
      ...(parent === undefined ? [] : [definesEdge(parent, row, file, 'in')]),
      ...references.flatMap((reference) => referenceEdge(reference, 'in')),
    ]
  }
}

/** What a parent has in a child: a class its functions, a file its docstring. */
function structureKind({ kind }: ArtifactRow): GraphEdgeKind {
  if (isCodeKind(kind) && shapeOfKind(kind) === 'class_function') return 'MEMBER_FUNCTIONS'
  return isCodeKind(kind) && shapeOfKind(kind) === 'docstring' ? 'DOCSTRING' : 'DEFINES'
}

const kindOfForm: Readonly<Record<string, GraphEdgeKind>> = {
  link: 'LINKS',
  wiki: 'LINKS',
  id: 'CITES',
  code: 'DOCUMENTS',
  uses: 'USES',
  import: 'IMPORTS',
  class: 'CLASS_NAME',
  script: 'EXTERNAL_SCRIPTS',
}

function definesEdge(
  parent: ArtifactRow,
  child: ArtifactRow,
  file: FileRow,
  direction: 'in' | 'out',
): GraphEdge {
  const evidence = { path: file.path, line: child.lines.start }
  return { kind: structureKind(child), direction, from: parent.id, to: child.id, evidence, text: null }
}

function referenceEdge(reference: ReferenceRow, direction: 'in' | 'out'): GraphEdge[] {
  const { form, outcome, origin, originPath, line, path, section, target } = reference
  const to = section ?? path
  if (outcome !== 'resolved' || form === 'image' || to === null) return []
  const kind = kindOfForm[form] ?? 'LINKS'
  return [{ kind, direction, from: origin, to, evidence: { path: originPath, line }, text: target }]
}

function compareEdges(a: GraphEdge, b: GraphEdge): number {
  const keys = (edge: GraphEdge): string[] => [
    edge.direction === 'out' ? '0' : '1',
    String(edgeKinds.indexOf(edge.kind)),
    edge.evidence.path,
  ]
  const [left, right] = [keys(a), keys(b)]
  for (const [index, key] of left.entries())
    if (key !== right[index]) return key < (right[index] as string) ? -1 : 1
  return a.evidence.line - b.evidence.line || (a.to < b.to ? -1 : a.to > b.to ? 1 : 0)
}
