// What do an artifact's relations lead to? References both ways and the structure of its file, as the judge wants them.
import type { ReachableArtifact, Rulebook } from '../model/expansion.ts'
import { shapeOfKind } from '../parse/artifact-kinds.ts'
import type { ArtifactRow, CorpusReader } from '../store/corpus-reader.ts'
import { isCertain, type ReferenceRow } from '../store/reference-reader.ts'
import type { ArtifactFinder, FoundArtifact } from './find-artifact.ts'

/** An artifact at the other end, with every name a request may use for it. */
interface Reachable extends ReachableArtifact {
  readonly via: string
  readonly names: readonly string[]
}

/** The relation that a mention is an edge of, by its form. */
const relations: Readonly<Record<string, string>> = {
  id: 'cites',
  link: 'links',
  wiki: 'links',
  uses: 'uses',
  code: 'documents',
  class: 'class_name',
  script: 'external_scripts',
}

/** What refers to a much cited artifact is looked at up to here. */
const mostIncoming = 50

/** Everything one hop away, each once per relation and direction, in the order of the text. */
export function listReachable(
  reader: CorpusReader,
  finder: ArtifactFinder,
  from: FoundArtifact,
  rulebook: Rulebook,
): readonly ReachableArtifact[] {
  const found = new Map<string, Reachable>()
  const all = [
    ...listOutgoing(reader, finder, from),
    ...listIncoming(reader, finder, from, rulebook),
    ...listStructure(finder, from),
  ]
  for (const artifact of all) {
    if (artifact.id === from.row.id) continue
    const key = JSON.stringify([artifact.id, artifact.via, artifact.direction])
    const names = [...new Set([...(found.get(key)?.names ?? []), ...artifact.names])]
    found.set(key, { ...artifact, names: names.filter((name) => name !== '') })
  }
  return [...found.values()]
}

function listOutgoing(reader: CorpusReader, finder: ArtifactFinder, { row }: FoundArtifact): Reachable[] {
  return reader
    .references()
    .of(row.rowId)
    .flatMap((reference): Reachable[] => {
      const via = relations[reference.form]
      if (via === undefined || !isCertain(reference) || reference.path === null) return []
      const target = finder.byId(reference.section ?? reference.path)
      if (target === null) return []
      const { id, kind } = target.row
      const names = [reference.text, ...spellings(reference), ...namesOf(target)]
      return [{ id, kind, via, direction: 'out', names }]
    })
}

/** Only what a rule allows is looked for: a document may be cited by thousands. */
function listIncoming(
  reader: CorpusReader,
  finder: ArtifactFinder,
  { row, file }: FoundArtifact,
  { chunk_rules }: Rulebook,
): Reachable[] {
  const rules = (Object.hasOwn(chunk_rules, row.kind) ? chunk_rules[row.kind]!.expansions : []).filter(
    ({ direction }) => direction === 'in',
  )
  const vias = new Set(rules.map(({ via }) => via))
  vias.delete('defines')
  if (vias.size === 0) return []
  const means = ({ section }: ReferenceRow): boolean =>
    section === row.id || (section === null && row.level === 0)
  return reader
    .references()
    .to(file.path)
    .filter(
      (reference) => vias.has(relations[reference.form] ?? '') && isCertain(reference) && means(reference),
    )
    .slice(0, mostIncoming)
    .flatMap((reference): Reachable[] => {
      const origin = finder.byId(reference.origin)
      const via = relations[reference.form] as string
      if (origin === null) return []
      const { kind } = origin.row
      if (!rules.some((rule) => rule.via === via && rule.allowed_target_types.includes(kind))) return []
      return [{ id: origin.row.id, kind: origin.row.kind, via, direction: 'in', names: namesOf(origin) }]
    })
}

/** As written; and an id as it is mostly written, with its number in two to four digits. */
function spellings({ form, target }: ReferenceRow): string[] {
  const [, prefix, digits] = (form === 'id' && /^([A-Za-z]+)[-_ ]?(\d{1,9})$/.exec(target)) || []
  if (prefix === undefined || digits === undefined) return [target]
  const number = String(Number(digits))
  return [target, ...[1, 2, 3, 4].map((width) => `${prefix.toUpperCase()}-${number.padStart(width, '0')}`)]
}

/** Children, the parent with its other children, and what the file of a piece of code says around it. */
function listStructure(finder: ArtifactFinder, { row, file }: FoundArtifact): Reachable[] {
  const rows = finder.document(file.path)?.rows ?? []
  return rows.flatMap((other): Reachable[] => {
    const { id, kind } = other
    const names = namesOf({ row: other, file })
    return edgesTo(row, other).map(([via, direction]) => ({ id, kind, via, direction, names }))
  })
}

type Edge = readonly [via: string, direction: Reachable['direction']]

function edgesTo(row: ArtifactRow, other: ArtifactRow): Edge[] {
  const shape = shapeOfKind(other.kind)
  const edges: Edge[] = []
  if (shape === 'import') edges.push(['imports', 'out'])
  if (shape === 'docstring') edges.push(['docstring', 'out'])
  if (other.parent === row.rowId) {
    edges.push(['defines', 'out'])
    if (shape === 'class_function') edges.push(['member_functions', 'out'])
  }
  if (row.parent === null) return edges
  // A document that starts with its first heading says nothing of its own.
  if (other.rowId === row.parent && other.ownLines !== null) {
    edges.push(['defines', 'family'], ['defines', 'in'])
    if (shape === 'class') edges.push(['class_name', 'out'], ['class_header', 'out'])
  }
  if (other.parent === row.parent && other.rowId !== row.rowId) edges.push(['defines', 'family'])
  return edges
}

function namesOf({ row, file }: FoundArtifact): string[] {
  return row.level === 0 ? [file.title] : [row.name, ...(row.anchor === null ? [] : [row.anchor])]
}
