// Who uses this, and what does it use? References in both directions with their lines, to the requested depth, nearest first.

import { formatPlace } from '../answer/assemble/escape-inline.ts'
import { namesIt } from '../answer/assemble/find-signature.ts'
import { isUnnamed, namePassage } from '../answer/assemble/name-passage.ts'
import { type Neighbour, neighbours, relations } from '../corpus/graph/neighbours.ts'
import { ArtifactFinder, type FoundArtifact } from '../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import { clip } from '../model/mark-invisible.ts'
import { byPath } from '../model/paths.ts'
import { findPossibleUses, isMember } from './find-possible-uses.ts'
import { type GraphEdgeKind, type GraphNode, kindOfNode } from './read-graph.ts'

/** One step: something that uses the previous one, or is used by it. */
export interface Use {
  readonly node: GraphNode
  /** The place of the reference, with all its lines. */
  readonly path: string
  readonly lines: readonly number[]
  /** As `yore graph` names them. */
  readonly relations: readonly GraphEdgeKind[]
  readonly depth: number
  /** Id of the previous step, nearer to the subject. */
  readonly by: string
}

/** Calls of the same name on a receiver whose type is unknown. */
export type PossibleUse = Pick<Use, 'node' | 'path' | 'lines'>

export interface Uses {
  readonly subject: GraphNode
  readonly usedBy: readonly Use[]
  /** By path and line; never among `usedBy`. */
  readonly possibleUses: readonly PossibleUse[]
  /** The number of all, including those beyond the list. */
  readonly possibleTotal: number
  readonly uses: readonly Use[]
  /** True if the graph continues beyond the followed places. */
  readonly cut: boolean
  /** Of the same name in other repositories of a workspace. */
  readonly others?: readonly Uses[]
}

export interface UsesOptions {
  readonly direction: 'callers' | 'callees' | 'both'
  readonly depth: number
}

type Way = 'callers' | 'callees'
type Edge = Neighbour<FoundArtifact, ReferenceRow>

/** Maximum places to follow in each direction. */
const MOST_NODES = 300

const MOST_POSSIBLE = 50

/** Reads from one state of the index. A document or class includes everything in it. Throws BAD_INPUT. */
export function findUses(reader: CorpusReader, named: string, options: UsesOptions): Uses {
  return reader.snapshot(() => new UseReading(reader).of(named, options))
}

class UseReading {
  readonly #reader: CorpusReader
  readonly #finder: ArtifactFinder
  #cut = false

  constructor(reader: CorpusReader) {
    this.#reader = reader
    this.#finder = new ArtifactFinder(reader)
  }

  of(named: string, { direction, depth }: UsesOptions): Uses {
    const subject = this.#finder.around(this.#finder.find(named))
    const follow = (way: Way): Use[] =>
      direction === 'both' || direction === way ? this.#follow(subject, way, depth) : []
    const [usedBy, uses] = [follow('callers'), follow('callees')]
    const possible = direction === 'callees' ? [] : this.#possible(subject, usedBy)
    return {
      subject: this.#toNode(subject),
      usedBy,
      possibleUses: possible.slice(0, MOST_POSSIBLE),
      possibleTotal: possible.length,
      uses,
      cut: this.#cut,
    }
  }

  /** For a class, the calls of its methods. */
  #possible(subject: FoundArtifact, usedBy: readonly Use[]): PossibleUse[] {
    const certain = new Set(usedBy.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`)))
    const found = new Map<string, { readonly at: FoundArtifact; readonly lines: Set<number> }>()
    for (const { row } of this.#family(subject).filter((one) => isMember(one.row))) {
      const { calls, cut } = findPossibleUses(this.#reader, row)
      this.#cut ||= cut
      for (const { row: caller, lines } of calls) {
        const at = this.#finder.byId(caller.id)
        if (at === null || this.#isInside(at, subject)) continue
        const known = found.get(caller.id) ?? { at, lines: new Set() }
        for (const line of lines) if (!certain.has(`${at.file.path}:${line}`)) known.lines.add(line)
        if (known.lines.size > 0) found.set(caller.id, known)
      }
    }
    const first = ({ lines }: PossibleUse): number => lines[0] ?? 0
    return [...found.values()]
      .map(({ at, lines }) => ({
        node: this.#toNode(at),
        path: at.file.path,
        lines: [...lines].sort((a, b) => a - b),
      }))
      .sort((a, b) => byPath(a, b) || first(a) - first(b))
  }

  #isInside({ row, file }: FoundArtifact, of: FoundArtifact): boolean {
    if (of.row.level === 0) return file.path === of.file.path
    return row.id === of.row.id || row.id.startsWith(`${of.row.id}.`)
  }

  #toNode(found: FoundArtifact): GraphNode {
    const { row, file } = found
    const { id, rowId, lines } = row
    const name = isUnnamed(row) ? namePassage(row, file, () => this.#reader.text(rowId).text) : row.name
    return { id, kind: kindOfNode(found), path: file.path, name: row.level === 0 ? file.path : name, lines }
  }

  #follow(subject: FoundArtifact, way: Way, most: number): Use[] {
    const seen = new Set([subject.row.id])
    const found: Use[] = []
    let front: readonly FoundArtifact[] = [subject]
    for (let depth = 1; depth <= most && front.length > 0; depth++) {
      const next: FoundArtifact[] = []
      for (const from of front) {
        for (const use of this.#step(from, way, depth)) {
          if (seen.has(use.node.id)) continue
          if (found.length === MOST_NODES) {
            this.#cut = true
            return found
          }
          seen.add(use.node.id)
          found.push(use)
          const further = this.#finder.byId(use.node.id)
          if (further !== null) next.push(further)
        }
      }
      front = next
    }
    return found
  }

  /** The artifact with everything below it; a document includes its sections by itself. */
  #family(from: FoundArtifact): readonly FoundArtifact[] {
    if (from.row.level === 0) return [from]
    const inside = `${from.row.id}.`
    return this.#finder.partsOf(from).filter(({ row }) => row.id === from.row.id || row.id.startsWith(inside))
  }

  /** The index has the first line on which an artifact uses a name; the others are in its text. */
  #linesOf({ form, line, target, origin, artifact }: ReferenceRow): number[] {
    const name = target.split(/[^\p{L}\p{N}_$]+/u).findLast((part) => part !== '')
    const held = this.#finder.byId(origin)?.row
    if (form !== 'uses' || name === undefined || held === undefined) return [line]
    const first = (held.ownLines ?? held.lines).start
    const written = this.#reader.text(artifact).text.split('\n')
    return [
      line,
      ...written.flatMap((text, at) => (first + at > line && namesIt(text, name) ? [first + at] : [])),
    ]
  }

  #step(from: FoundArtifact, way: Way, depth: number): Use[] {
    const edges = this.#family(from).flatMap((one) =>
      neighbours(one, this.#finder, {
        purpose: 'show',
        outgoing: way === 'callees',
        incoming: way === 'callers' ? 'all' : 'none',
        structure: false,
      }),
    )
    const outside = edges.filter(({ at }) => !this.#isInside(at, from))
    return [...Map.groupBy(outside, ({ at }) => at.row.id).values()].flatMap((held) =>
      this.#use(held, depth, from.row.id),
    )
  }

  #use(held: readonly Edge[], depth: number, by: string): Use[] {
    const [first] = held
    if (first === undefined) return []
    const mentions = held.flatMap(({ mention }) => mention ?? [])
    const lines = [...new Set(mentions.flatMap((mention) => this.#linesOf(mention)))].sort((a, b) => a - b)
    const labels = [...new Set(held.map(({ via }) => relations[via].label))].sort()
    const path = mentions[0]?.originPath ?? first.at.file.path
    return [{ node: this.#toNode(first.at), path, lines, relations: labels, depth, by }]
  }
}

/** The words for a reference that is more than a use, where its relation's name does not do. */
const verbs: Readonly<Partial<Record<GraphEdgeKind, string>>> = {
  USES: '',
  CLASS_NAME: 'its class',
  EXTERNAL_SCRIPTS: 'loads',
  DOCUMENTS: 'names it',
}

/** Lines of text: each step below the previous one. */
export function listUses(facts: Uses, { direction }: UsesOptions): string[] {
  const { subject, usedBy, uses, cut, possibleUses, possibleTotal } = facts
  const lines = [`${clip(subject.name)}, ${formatPlace(subject.path, [subject.lines])}`]
  const parts = [
    ['callers', 'Used by', usedBy],
    ['callees', 'Uses', uses],
  ] as const
  for (const [way, title, found] of parts) {
    if (direction !== 'both' && direction !== way) continue
    const possible = way === 'callers' ? possibleTotal : 0
    const none = possible > 0 ? 'nothing for certain' : 'nothing that is indexed'
    const also = possible > 0 ? `, and ${possible} possible` : ''
    lines.push('', `${title}: ${found.length === 0 ? none : found.length}${also}`)
    lines.push(...listBelow(found, subject.id, way))
    if (possible === 0) continue
    lines.push('', `Possible uses (same name, unresolved receiver): ${possible}`)
    lines.push(...possibleUses.map((use) => `- ${placeOf(use)} ${clip(use.node.name)}`))
    if (possible > possibleUses.length) lines.push(`- … and ${possible - possibleUses.length} more`)
  }
  return cut ? [...lines, '', 'Not everything was read: there is more than is listed.'] : lines
}

const placeOf = ({ path, lines }: Pick<Use, 'path' | 'lines'>): string =>
  `${clip(path, 240)}:${lines.join(',')}`

function listBelow(found: readonly Use[], by: string, way: Way): string[] {
  return found
    .filter((use) => use.by === by)
    .flatMap((use) => [
      `${'  '.repeat(use.depth - 1)}- ${describeUse(use, way)}`,
      ...listBelow(found, use.node.id, way),
    ])
}

function describeUse({ node, path, lines, relations }: Use, way: Way): string {
  const at = placeOf({ path, lines })
  const words = relations.map((relation) => verbs[relation] ?? relation.toLowerCase())
  const how = words.filter((word) => word !== '').join(', ')
  const name = `${clip(node.name)}${how === '' ? '' : ` (${how})`}`
  return way === 'callers' ? `${at} ${name}` : `${formatPlace(node.path, [node.lines])} ${name}, at ${at}`
}
