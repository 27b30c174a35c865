// What is around an artifact? Its neighbours along every relation, each with the line of evidence.
import { type FindPlace, makeFindPlace } from '../answer/assemble/find-place.ts'
import { type Neighbour, neighbours, relations } from '../corpus/graph/neighbours.ts'
import { ArtifactFinder, type FoundArtifact } from '../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import type { ArtifactKind } from '../model/artifact.ts'
import type { PlacedText } from '../model/expansion.ts'
import { byPath, compareText } from '../model/paths.ts'
import type { Freshness } from '../model/report.ts'

export type GraphDirection = 'in' | 'out' | 'both'

export interface GraphOptions {
  readonly direction: GraphDirection
  readonly refresh: 'auto' | 'never'
}

export interface GraphNode extends Pick<PlacedText, 'id' | 'path' | 'name' | 'lines' | 'place'> {
  readonly kind: ArtifactKind | 'pdf_document' | 'pdf_section'
}

export type GraphEdgeKind = (typeof relations)[keyof typeof relations]['label']

/** An edge of the subject. For the structure of a file, the evidence is the line of the child. */
export interface GraphEdge {
  readonly kind: GraphEdgeKind
  /** From the subject, or to it. */
  readonly direction: 'out' | 'in'
  readonly from: string
  readonly to: string
  readonly evidence: { readonly path: string; readonly line: number }
  /** As written; null for the structure of a file. */
  readonly text: string | null
}

export interface GraphReport {
  readonly subject: GraphNode
  /** The other ends of the edges, by id. */
  readonly neighbours: readonly GraphNode[]
  /** By direction, kind, path and line. */
  readonly edges: readonly GraphEdge[]
}

export interface GraphResult {
  readonly graph: GraphReport
  readonly freshness: Freshness
}

/** A PDF is parsed and ruled as Markdown, but shown as a PDF. */
export function kindOfNode({ row, file }: FoundArtifact): GraphNode['kind'] {
  if (!/\.pdf$/i.test(file.path)) return row.kind
  return row.level === 0 ? 'pdf_document' : 'pdf_section'
}

function toNode(found: FoundArtifact, findPlace: FindPlace): GraphNode {
  const { row, file } = found
  const { id, lines } = row
  const name = row.level === 0 ? file.title : row.name
  return { id, kind: kindOfNode(found), path: file.path, name, lines, ...findPlace(file.path, [lines]) }
}

/** Reads one neighbourhood from one state of the index. A document includes all its sections. */
export function readGraph(reader: CorpusReader, named: string, direction: GraphDirection): GraphReport {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const findPlace = makeFindPlace((path) => reader.placesIn(path))
    const subject = finder.around(finder.find(named))
    const edges = neighbours(subject, finder, {
      purpose: 'show',
      outgoing: direction !== 'in',
      incoming: direction === 'out' ? 'none' : 'all',
      structure: true,
    })
      .flatMap((neighbour) => toEdge(subject, neighbour))
      .filter((edge) => direction === 'both' || edge.direction === direction)
      .sort(compareEdges)
    const ids = new Set(edges.map((edge) => (edge.direction === 'out' ? edge.to : edge.from)))
    const around = [...ids].sort().flatMap((id) => {
      const found = finder.byId(id)
      return found === null ? [] : [toNode(found, findPlace)]
    })
    return { subject: toNode(subject, findPlace), neighbours: around, edges }
  })
}

/** Siblings are two edges away, and the header of a class is the edge of its name. */
function toEdge(
  subject: FoundArtifact,
  { via, direction, at, mention, line }: Neighbour<FoundArtifact, ReferenceRow>,
): GraphEdge[] {
  if (direction === 'family' || via === 'class_header') return []
  const here = direction === 'out' ? mention?.origin : (mention?.section ?? mention?.path)
  const [own, other] = [here ?? subject.row.id, at.row.id]
  const [from, to] = direction === 'out' ? [own, other] : [other, own]
  const evidence = { path: mention?.originPath ?? subject.file.path, line }
  return [{ kind: relations[via].label, direction, from, to, evidence, text: mention?.target ?? null }]
}

const kindOrder: readonly string[] = Object.values(relations).map(({ label }) => label)

const compareEdges = (a: GraphEdge, b: GraphEdge): number =>
  compareText(b.direction, a.direction) ||
  kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) ||
  byPath(a.evidence, b.evidence) ||
  a.evidence.line - b.evidence.line ||
  compareText(a.to, b.to)
