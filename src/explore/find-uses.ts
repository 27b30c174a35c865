// Who uses this, and what does it use? References in both directions with their lines, to the requested depth, nearest first.

import { findSignature } from '../answer/assemble/find-signature.ts'
import { isUnnamed, namePassage } from '../answer/assemble/name-passage.ts'
import { type Neighbour, neighbours, relations } from '../corpus/graph/neighbours.ts'
import { ArtifactFinder, type FoundArtifact, type FoundPlace } from '../corpus/lookup/find-artifact.ts'
import { bindsVariable, definitionsCalled, platformsOf } from '../corpus/lookup/find-definition.ts'
import { isOwnCode, ownOf } from '../corpus/resolve/code/resolve-code-name.ts'
import { sharedFolders } from '../corpus/resolve/find-page.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import { byPath } from '../model/paths.ts'
import { getOrAdd } from '../model/remember.ts'
import type { ArtifactRow } from '../model/section.ts'
import { isCodeKind, languageOfKind, shapeOfKind } from '../read/parse/artifact-kinds.ts'
import { findWrittenNames, linesWriting, type WrittenAs } from './find-possible-uses.ts'
import { type GraphEdgeKind, type GraphNode, kindOfNode } from './read-graph.ts'

/** One step: something that uses the previous one, or is used by it. */
export interface Use {
  readonly node: GraphNode
  /** The place of the reference, with all its lines. */
  readonly path: string
  readonly lines: readonly number[]
  /** As `Engine.graph` names them. */
  readonly relations: readonly GraphEdgeKind[]
  readonly depth: number
  /** Id of the previous step, nearer to the subject. */
  readonly by: string
}

/** A use of the same name that is unresolved: its receiver has no known type, or several definitions fit. */
export type PossibleUse = Pick<Use, 'node' | 'path' | 'lines'>

/** A line that names it without using it. */
export interface NamedAt {
  readonly as: Exclude<WrittenAs, 'use'>
  readonly path: string
  readonly line: number
}

export interface Uses {
  readonly subject: GraphNode
  readonly usedBy: readonly Use[]
  /** Own source first, then near ones, then by path and line; never among `usedBy`. */
  readonly possibleUses: readonly PossibleUse[]
  /** The number of all, including those beyond the list. */
  readonly possibleTotal: number
  /** Imports, re-exports and strings, by path and line. */
  readonly named: readonly NamedAt[]
  /** Ids of definitions of the same name whose uses are not listed: in tests or vendored code, or too many. */
  readonly alsoDefined: readonly string[]
  readonly uses: readonly Use[]
  /** Of other definitions with the name, if nothing tells which one is meant. */
  readonly others: readonly Uses[]
  /** True if the graph continues beyond the followed places. */
  readonly cut: boolean
}

export interface UsesOptions {
  readonly direction: 'callers' | 'callees' | 'both'
  readonly depth: number
}

export type Way = 'callers' | 'callees'
type Edge = Neighbour<FoundArtifact, ReferenceRow>

/** Maximum places to follow in each direction. */
const MOST_NODES = 300

/** Definitions of one name whose uses are listed. */
const MOST_SUBJECTS = 5

/** 0 in own source, 1 in tests and vendored code, 2 in documents: the order of uses. */
export const rankOf = ({ node: { kind, path } }: Pick<Use, 'node'>): number =>
  isCodeKind(kind) ? Number(!isOwnCode({ path })) : 2

/** Constructors that do not have the name of their class. */
const constructorNames: ReadonlySet<string> = new Set(['constructor', '__init__', '__construct'])

/**
 * Reads from one state of the index. A document or class includes everything in it. Of several definitions of a name, each
 * is listed, own code before tests. Throws BAD_INPUT.
 */
export function findUses(reader: CorpusReader, named: string, options: UsesOptions): Uses {
  return reader.snapshot(() => {
    const all = new ArtifactFinder(reader).findAll(named)
    const [first = all[0], ...more] = ownOf(all, ({ file }) => file)
    const of = (place: FoundPlace): Uses => usesOf(named, place, reader, options)
    const found = of(first)
    const others = more.splice(0, MOST_SUBJECTS - 1).map((place) => ({ ...of(place), alsoDefined: [] }))
    return { ...found, others, alsoDefined: [...more.map(({ row }) => row.id), ...found.alsoDefined] }
  })
}

function usesOf(
  named: string,
  place: FoundPlace,
  reader: CorpusReader,
  { direction, depth: most }: UsesOptions,
): Uses {
  const finder = new ArtifactFinder(reader)
  let isCut = false
  const subject = finder.around(place)
  const name = /[^#.:/()]+(?=(?:\(\))?$)/.exec(named.trim())?.[0] ?? ''
  /** The variable, if the subject is one of a block of statements. */
  const variable = place.lines === null && bindsVariable(reader, subject, name) ? name : null
  const follow = (way: Way): Use[] => (direction === 'both' || direction === way ? followFrom(way) : [])
  const own = variable === null ? toNode(subject) : variablesNode(subject, [variable])
  const [usedBy, uses] = [follow('callers'), follow('callees')]
  const { possible, written } = direction === 'callees' ? { possible: [], written: [] } : findWritten(usedBy)
  const near = ({ path }: PossibleUse): number => sharedFolders(path, subject.file.path)
  const others = definitionsCalled(reader, named).filter((one) => !isOwnCode(one))
  return {
    subject: own,
    usedBy,
    possibleUses: possible
      .toSorted((a, b) => rankOf(a) - rankOf(b) || near(b) - near(a))
      .slice(0, MOST_NODES),
    possibleTotal: possible.length,
    named: written,
    alsoDefined: others.map(({ id }) => id).filter((id) => id !== subject.row.id),
    uses,
    others: [],
    cut: isCut,
  }

  /** Variables of a block of statements; the whole block where it writes none of these names. */
  function variablesNode(block: FoundArtifact, names: readonly string[]): GraphNode {
    const node = toNode(block)
    const { text } = reader.text(block.row.rowId)
    const { start } = block.row.ownLines ?? node.lines
    const found = names.flatMap((name) => {
      const at = findSignature(text, name, start)?.lines.start
      return at === undefined ? [] : [{ name, at }]
    })
    if (found.length === 0) return node
    const lines = found.map(({ at }) => at)
    const name = found.map((one) => one.name).join(', ')
    return { ...node, name, lines: { start: Math.min(...lines), end: Math.max(...lines) } }
  }

  /** What code writes of the same name besides certain uses; for a class, of its members too. */
  function findWritten(usedBy: readonly Use[]) {
    const certain = new Set(usedBy.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`)))
    const calls = new Map<string, { readonly at: FoundArtifact; readonly lines: Set<number> }>()
    const written = new Map<string, NamedAt>()
    for (const { row } of familyOf(subject)) {
      const isSubject = row.id === subject.row.id
      const isFunction = shapeOfKind(row.kind).endsWith('function')
      if ((isSubject && row.level === 0 && variable === null) || (!isSubject && !isFunction)) continue
      const name = isSubject ? (variable ?? row.name) : row.name
      const wanted = { row, name: name.slice(name.lastIndexOf('.') + 1), isValue: !isFunction }
      const { found, cut } = findWrittenNames(reader, wanted)
      isCut ||= cut
      for (const { row: caller, line, as } of found) {
        const at = finder.byId(caller.id)
        if (at === null) continue
        const { path } = at.file
        const place = `${path}:${line}`
        const isOwn = path === own.path && own.lines.start <= line && line <= own.lines.end
        if (isOwn || certain.has(place)) continue
        if (as === 'use') getOrAdd(calls, caller.id, () => ({ at, lines: new Set() })).lines.add(line)
        else if (isSubject) written.set(`${place}:${as}`, { as, path, line })
      }
    }
    const first = ({ lines }: PossibleUse): number => lines[0] ?? 0
    const possible = [...calls.values()]
      .map(({ at, lines }) => {
        return { node: toNode(at), path: at.file.path, lines: [...lines].sort((a, b) => a - b) }
      })
      .sort((a, b) => byPath(a, b) || first(a) - first(b))
    return { possible, written: [...written.values()].sort((a, b) => byPath(a, b) || a.line - b.line) }
  }

  function isInside({ row, file }: FoundArtifact, of: FoundArtifact): boolean {
    if (variable !== null) return false
    if (of.row.level === 0) return file.path === of.file.path
    return row.id === of.row.id || row.id.startsWith(`${of.row.id}.`)
  }

  function toNode(found: FoundArtifact): GraphNode {
    const { row, file } = found
    const { id, rowId, lines } = row
    const name = isUnnamed(row) ? namePassage(row, file, () => reader.text(rowId).text) : row.name
    return { id, kind: kindOfNode(found), path: file.path, name: row.level === 0 ? file.path : name, lines }
  }

  function followFrom(way: Way): Use[] {
    const seen = new Set([subject.row.id])
    const found: Use[] = []
    let front: readonly FoundArtifact[] = [subject]
    for (let depth = 1; depth <= most && front.length > 0; depth++) {
      const next: FoundArtifact[] = []
      for (const from of front) {
        for (const use of step(from, way, depth)) {
          if (seen.has(use.node.id)) continue
          if (found.length === MOST_NODES) {
            isCut = true
            return found
          }
          seen.add(use.node.id)
          found.push(use)
          const further = finder.byId(use.node.id)
          if (further !== null) next.push(further)
        }
      }
      front = next
    }
    return found
  }

  /** The artifact with everything below it, its overloads, and its definitions for other platforms; a document includes its sections by itself. */
  function familyOf(from: FoundArtifact): readonly FoundArtifact[] {
    if (from.row.level === 0) return [from]
    const inside = `${from.row.id}.`
    const named = ({ kind, headings }: ArtifactRow): string => JSON.stringify([kind, headings])
    const isOverload = (row: ArtifactRow): boolean =>
      row.kind.endsWith('function') && named(row) === named(from.row)
    const below = finder
      .partsOf(from)
      .filter(({ row }) => row.id === from.row.id || row.id.startsWith(inside) || isOverload(row))
    return [...below, ...platformsOf(reader, from.row).flatMap((id) => finder.byId(id) ?? [])]
  }

  /** The function that a block of statements is a part of; anything else is itself. */
  function wholeOf(part: FoundArtifact): FoundArtifact {
    const { kind, parent, headings } = part.row
    if (shapeOfKind(kind) !== 'block' || parent === null) return part
    const row = reader.artifact(parent)
    return row.level > 0 && row.headings.join('.') === headings.join('.') ? { ...part, row } : part
  }

  /** The class that a constructor builds; null for anything else. */
  function builtBy({ row }: FoundArtifact): FoundArtifact | null {
    const owner = row.id.slice(0, row.id.lastIndexOf('.'))
    const isNamedSo = owner.endsWith(`#${row.name}`) || owner.endsWith(`.${row.name}`)
    return isNamedSo || constructorNames.has(row.name) ? finder.byId(owner) : null
  }

  /** The index has the first line on which an artifact uses a name; the others are in its text. */
  function linesOf({ form, line, text, origin, artifact }: ReferenceRow, built: FoundArtifact | null = null) {
    const held = finder.byId(origin)?.row
    if (form !== 'uses' || held === undefined) return [line]
    const first = (held.ownLines ?? held.lines).start
    const code = reader.text(artifact).text
    const language = languageOfKind(held.kind)
    const written = linesWriting(code, { name: text, language, isCall: built !== null })
    const further = written.map((at) => first + at).filter((at) => at > line)
    return built !== null && !written.includes(line - first) ? further : [line, ...further]
  }

  /** Where the index knows a variable or a constructor to be used. */
  function edgesByName(from: FoundArtifact): Edge[] {
    const { path } = from.file
    const built = builtBy(from)
    const mentions =
      variable !== null
        ? reader.references().toSymbol(path, variable)
        : built === null
          ? []
          : reader.references().toSection(path, built.row.id)
    return mentions.flatMap((mention): Edge[] => {
      const at = finder.byId(mention.origin)
      const isUse = at !== null && (built === null || linesOf(mention, built).length > 0)
      return isUse ? [{ via: 'uses', direction: 'in', at, mention, line: mention.line }] : []
    })
  }

  function step(from: FoundArtifact, way: Way, depth: number): Use[] {
    const isVariable = variable !== null && depth === 1
    const ways = { outgoing: way === 'callees', incoming: way === 'callers' ? 'all' : 'none' } as const
    const options = { purpose: 'show', structure: false, ...ways } as const
    const family = isVariable && way === 'callers' ? [] : familyOf(from)
    const edges = family.flatMap((one) => neighbours(one, finder, options))
    if (way === 'callers' && (isVariable || variable === null)) edges.push(...edgesByName(from))
    const outside = edges.flatMap((edge) =>
      isInside(edge.at, from) ? [] : [{ ...edge, at: wholeOf(edge.at) }],
    )
    const uses = [...Map.groupBy(outside, ({ at }) => at.row.id).values()].flatMap((held) =>
      useOf(held, { way, depth, by: from.row.id, built: builtBy(from) }),
    )
    return uses.sort((a, b) => rankOf(a) - rankOf(b))
  }

  function useOf(
    held: readonly Edge[],
    { way, depth, by, built }: Pick<Use, 'depth' | 'by'> & { way: Way; built: FoundArtifact | null },
  ): Use[] {
    const [first] = held
    if (first === undefined) return []
    const mentions = held.flatMap(({ mention }) => mention ?? [])
    const lines = new Set(mentions.flatMap((mention) => linesOf(mention, built)))
    const labels = [...new Set(held.map(({ via }) => relations[via].label))].sort()
    const path = mentions[0]?.originPath ?? first.at.file.path
    const names = new Set(mentions.map(({ target }) => target.slice(target.lastIndexOf('.') + 1)))
    const isBlock = shapeOfKind(first.at.row.kind) === 'block'
    const isBound = (name: string): boolean => isBlock || bindsVariable(reader, first.at, name)
    const used = way === 'callees' ? [...names].filter(isBound) : []
    const node = used.length > 0 ? variablesNode(first.at, used) : toNode(first.at)
    return [{ node, path, lines: [...lines].sort((a, b) => a - b), relations: labels, depth, by }]
  }
}
