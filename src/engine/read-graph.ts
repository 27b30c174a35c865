// What stands around an artifact? Its neighbours along DEFINES, LINKS and CITES, each with the line that says so.
import { nearestName } from '../config/nearest-name.ts'
import { YoreError } from '../errors.ts'
import type { ArtifactKind, Lines } from '../model/artifact.ts'
import type { Freshness } from '../model/report.ts'
import { addIds, findDecision, makeDecisionIds } from '../resolve/decision-ids.ts'
import type { ArtifactRow, CorpusReader, FileRow } from '../store/corpus-reader.ts'
import type { ReferenceRow } from '../store/reference-reader.ts'

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

/** An edge of the subject. The evidence of DEFINES is the line of the child's heading. */
export interface GraphEdge {
  readonly kind: 'DEFINES' | 'LINKS' | 'CITES'
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

interface Found {
  readonly row: ArtifactRow
  readonly file: FileRow
}

function toNode({ row, file }: Found): GraphNode {
  const { id, kind, name, lines } = row
  return { id, kind, path: file.path, name: row.level === 0 ? file.title : name, lines }
}

/** Reads one neighbourhood from one state of the index. A document stands for all its sections. */
export function readGraph(reader: CorpusReader, named: string, direction: GraphDirection): GraphReport {
  return reader.snapshot(() => new GraphReading(reader).around(named, direction))
}

class GraphReading {
  readonly #reader: CorpusReader
  readonly #files = new Map<string, { file: FileRow; rows: readonly ArtifactRow[] } | null>()

  constructor(reader: CorpusReader) {
    this.#reader = reader
  }

  around(named: string, direction: GraphDirection): GraphReport {
    const subject = this.#find(named)
    const edges = [
      ...(direction === 'in' ? [] : this.#outgoing(subject)),
      ...(direction === 'out' ? [] : this.#incoming(subject)),
    ].sort(compareEdges)
    const ids = new Set(edges.map((edge) => (edge.direction === 'out' ? edge.to : edge.from)))
    const neighbours = [...ids].sort().flatMap((id) => {
      const found = this.#byId(id)
      return found === null ? [] : [toNode(found)]
    })
    return { subject: toNode(subject), neighbours, edges }
  }

  #document(path: string): { file: FileRow; rows: readonly ArtifactRow[] } | null {
    let known = this.#files.get(path)
    if (known === undefined) {
      const file = this.#reader.fileByPath(path)
      known = file === null ? null : { file, rows: this.#reader.artifactsOf(file.id) }
      this.#files.set(path, known)
    }
    return known
  }

  #byId(id: string): Found | null {
    for (let at = id.length; at > 0; at = id.lastIndexOf('#', at - 1)) {
      const document = this.#document(id.slice(0, at))
      const row = document?.rows.find((one) => one.id === id)
      if (row !== undefined && document !== null) return { row, file: document.file }
    }
    return null
  }

  /** By canonical id or path, by path and anchor, then by decision id. */
  #find(named: string): Found {
    const wanted = named.trim().replace(/^(?:\.\/)+/, '')
    const found = this.#byId(wanted) ?? this.#byAnchor(wanted) ?? this.#byDecision(wanted)
    if (found !== null) return found
    const paths = this.#reader.files().map(({ path }) => path)
    const near = nearestName(wanted, paths) ?? paths.find((path) => path.endsWith(`/${wanted}`))
    const hint =
      near === undefined || near === null
        ? 'name a path, a section as path#anchor, or a decision id such as ADR-013'
        : `did you mean ${near}?`
    throw new YoreError('BAD_INPUT', `nothing in the index is called ${JSON.stringify(wanted)}`, { hint })
  }

  #byAnchor(wanted: string): Found | null {
    const hash = wanted.lastIndexOf('#')
    const document = hash === -1 ? null : this.#document(wanted.slice(0, hash))
    const row = document?.rows.find(({ anchor }) => anchor === wanted.slice(hash + 1))
    return row === undefined || document === null || document === undefined
      ? null
      : { row, file: document.file }
  }

  #byDecision(wanted: string): Found | null {
    const ids = makeDecisionIds()
    for (const { path, title, frontmatter } of this.#reader.references().catalogue())
      addIds(ids, { path, title, frontmatter: JSON.parse(frontmatter) as Record<string, unknown> })
    const lookup = findDecision(ids, wanted)
    if (lookup.kind === 'ambiguous')
      throw new YoreError('BAD_INPUT', `${JSON.stringify(wanted)} is carried by several documents`, {
        hint: `name one of ${lookup.paths.join(', ')}`,
      })
    return lookup.kind === 'found' ? this.#byId(lookup.path) : null
  }

  #outgoing({ row, file }: Found): GraphEdge[] {
    const rows = this.#document(file.path)?.rows ?? []
    const holders = row.level === 0 ? rows : [row]
    const children = rows.filter(({ parent }) => parent === row.rowId)
    return [
      ...children.map((child) => definesEdge(row, child, file, 'out')),
      ...holders
        .flatMap(({ rowId }) => this.#reader.references().of(rowId))
        .flatMap((reference) => referenceEdge(reference, 'out')),
    ]
  }

  #incoming({ row, file }: Found): GraphEdge[] {
    const parent = this.#document(file.path)?.rows.find(({ rowId }) => rowId === row.parent)
    const references = this.#reader
      .references()
      .to(file.path)
      .filter(({ section }) => row.level === 0 || section === row.id)
    return [
      ...(parent === undefined ? [] : [definesEdge(parent, row, file, 'in')]),
      ...references.flatMap((reference) => referenceEdge(reference, 'in')),
    ]
  }
}

function definesEdge(
  parent: ArtifactRow,
  child: ArtifactRow,
  file: FileRow,
  direction: 'in' | 'out',
): GraphEdge {
  const evidence = { path: file.path, line: child.lines.start }
  return { kind: 'DEFINES', direction, from: parent.id, to: child.id, evidence, text: null }
}

function referenceEdge(reference: ReferenceRow, direction: 'in' | 'out'): GraphEdge[] {
  const { form, outcome, origin, originPath, line, path, section, target } = reference
  const to = section ?? path
  if (outcome !== 'resolved' || form === 'image' || to === null) return []
  const kind = form === 'id' ? 'CITES' : 'LINKS'
  return [{ kind, direction, from: origin, to, evidence: { path: originPath, line }, text: target }]
}

function compareEdges(a: GraphEdge, b: GraphEdge): number {
  const keys = (edge: GraphEdge): string[] => [
    edge.direction === 'out' ? '0' : '1',
    String(['DEFINES', 'LINKS', 'CITES'].indexOf(edge.kind)),
    edge.evidence.path,
  ]
  const [left, right] = [keys(a), keys(b)]
  for (const [index, key] of left.entries())
    if (key !== right[index]) return key < (right[index] as string) ? -1 : 1
  return a.evidence.line - b.evidence.line || (a.to < b.to ? -1 : a.to > b.to ? 1 : 0)
}
