// Who uses this, and what does it use? References both ways with their lines, as many steps as asked for, nearest first.
import { formatPlace } from '../assemble/escape-inline.ts'
import { namesIt } from '../assemble/find-signature.ts'
import type { MentionForm } from '../model/reference.ts'
import type { ArtifactRow } from '../model/section.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { ReferenceRow } from '../store/reference-reader.ts'
import { ArtifactFinder, type FoundArtifact } from './find-artifact.ts'
import type { GraphNode } from './read-graph.ts'
import { clip } from './render-results.ts'

/** One step: something that uses what stands before it, or is used by it. */
export interface Use {
  readonly node: GraphNode
  /** Where the reference stands, with all its lines. */
  readonly path: string
  readonly lines: readonly number[]
  readonly forms: readonly MentionForm[]
  readonly depth: number
  /** What is nearer to the subject; its id. */
  readonly by: string
}

export interface Uses {
  readonly subject: GraphNode
  readonly usedBy: readonly Use[]
  readonly uses: readonly Use[]
  /** The graph goes on beyond what was followed. */
  readonly cut: boolean
}

export interface UsesOptions {
  readonly direction: 'callers' | 'callees' | 'both'
  readonly depth: number
}

type Way = 'callers' | 'callees'

/** As many places are followed in each direction, however deep. */
const MOST_NODES = 300

function toNode({ row, file }: FoundArtifact): GraphNode {
  const { id, kind, name, lines } = row
  return { id, kind, path: file.path, name: row.level === 0 ? file.path : name, lines }
}

/** Reads from one state of the index. A document or class stands for all that is in it. Throws BAD_INPUT. */
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
    return { subject: toNode(subject), usedBy, uses, cut: this.#cut }
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

  /** The artifact with all below it. */
  #family({ row, file }: FoundArtifact): readonly ArtifactRow[] {
    const rows = this.#finder.document(file.path)?.rows ?? [row]
    return row.level === 0 ? rows : rows.filter(({ id }) => id === row.id || id.startsWith(`${row.id}.`))
  }

  /** The index keeps the first line on which a piece of code uses a name; the others are in its text. */
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
    const family = this.#family(from)
    const own = new Set(family.map(({ id }) => id))
    const references = this.#reader.references()
    const rows = family.flatMap(({ rowId, id }) =>
      way === 'callees' ? references.of(rowId) : references.toSection(from.file.path, id),
    )
    const all = way === 'callers' && from.row.level === 0 ? [...rows, ...references.to(from.file.path)] : rows
    const byOther = new Map<string, ReferenceRow[]>()
    for (const row of all) {
      const other = way === 'callers' ? row.origin : (row.section ?? row.path)
      if (row.outcome !== 'resolved' || row.form === 'image' || other === null || own.has(other)) continue
      const known = byOther.get(other)
      if (known === undefined) byOther.set(other, [row])
      else if (!known.some(({ id }) => id === row.id)) known.push(row)
    }
    return [...byOther].flatMap(([id, held]): Use[] => {
      const found = this.#finder.byId(id)
      const [first] = held
      if (found === null || first === undefined) return []
      const lines = [...new Set(held.flatMap((row) => this.#linesOf(row)))].sort((a, b) => a - b)
      const forms = [...new Set(held.map(({ form }) => form))].sort()
      return [{ node: toNode(found), path: first.originPath, lines, forms, depth, by: from.row.id }]
    })
  }
}

/** What a reference does, where it is more than using a name. */
const verbs: Readonly<Partial<Record<MentionForm, string>>> = {
  import: 'imports',
  class: 'its class',
  script: 'loads',
  code: 'names it',
  link: 'links',
  wiki: 'links',
  id: 'cites',
}

/** Lines of text: each step below the one that it belongs to. */
export function listUses({ subject, usedBy, uses, cut }: Uses, { direction }: UsesOptions): string[] {
  const lines = [`${clip(subject.name)}, ${formatPlace(subject.path, [subject.lines])}`]
  const parts = [
    ['callers', 'Used by', usedBy],
    ['callees', 'Uses', uses],
  ] as const
  for (const [way, title, found] of parts) {
    if (direction !== 'both' && direction !== way) continue
    lines.push('', `${title}: ${found.length === 0 ? 'nothing that is indexed' : found.length}`)
    lines.push(...listBelow(found, subject.id, way))
  }
  return cut ? [...lines, '', `Only the nearest ${MOST_NODES} were followed.`] : lines
}

function listBelow(found: readonly Use[], by: string, way: Way): string[] {
  return found
    .filter((use) => use.by === by)
    .flatMap((use) => [
      `${'  '.repeat(use.depth - 1)}- ${describeUse(use, way)}`,
      ...listBelow(found, use.node.id, way),
    ])
}

function describeUse({ node, path, lines, forms }: Use, way: Way): string {
  const at = `${clip(path, 240)}:${lines.join(',')}`
  const how = [...new Set(forms.flatMap((form) => verbs[form] ?? []))].join(', ')
  const name = `${clip(node.name)}${how === '' ? '' : ` (${how})`}`
  return way === 'callers' ? `${at} ${name}` : `${formatPlace(node.path, [node.lines])} ${name}, at ${at}`
}
