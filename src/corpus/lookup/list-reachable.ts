// What may a request of an LLM or an agent name? The neighbours of an artifact, each with all its names.

import type { ReachableArtifact, Rulebook } from '../../model/expansion.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { type EdgeSide, type Neighbour, neighbours } from '../graph/neighbours.ts'
import type { ReferenceRow } from '../store/rows/reference-reader.ts'
import type { ArtifactFinder, FoundArtifact } from './find-artifact.ts'

/** Everything one hop away, each once per relation and direction, in the order of the text. */
export function listReachable(
  finder: ArtifactFinder,
  from: FoundArtifact,
  rulebook: Rulebook,
): readonly ReachableArtifact[] {
  const found = new Map<string, ReachableArtifact>()
  const incoming = incomingSide(rulebook, from.row.kind)
  const all = neighbours(from, finder, { purpose: 'follow', outgoing: true, incoming, structure: true })
  for (const neighbour of all) {
    const { via, direction, at } = neighbour
    const { id, kind } = at.row
    if (id === from.row.id) continue
    const key = JSON.stringify([id, via, direction])
    const names = new Set([...(found.get(key)?.names ?? []), ...namesFor(neighbour)])
    names.delete('')
    found.set(key, { id, kind, via, direction, names: [...names] })
  }
  return [...found.values()]
}

/** Reads only relations that a rule allows: a document may have thousands of references to it. */
export function incomingSide({ chunk_rules }: Rulebook, kind: string): EdgeSide {
  const { expansions } = (Object.hasOwn(chunk_rules, kind) ? chunk_rules[kind] : null) ?? { expansions: [] }
  const rules = expansions.filter(({ via, direction }) => direction === 'in' && via !== 'defines')
  const kinds = rules.flatMap((rule) => rule.allowed_target_types)
  if (kinds.length === 0) return 'none'
  return kinds.every(isCodeKind) ? 'code' : kinds.some(isCodeKind) ? 'all' : 'text'
}

/** A section of a referenced document may be requested by its own id or anchor. */
export function partsNamed(
  finder: ArtifactFinder,
  reachable: readonly ReachableArtifact[],
  target: string,
): readonly ReachableArtifact[] {
  const part = target.includes('#') ? (finder.byId(target) ?? finder.byAnchor(target)) : null
  if (part === null || part.row.level === 0) return []
  return reachable
    .filter(({ id, via, direction }) => id === part.file.path && direction === 'out' && via !== 'defines')
    .map((whole) => ({ ...whole, id: part.row.id, kind: part.row.kind, names: [target] }))
}

function namesFor({ direction, at, mention }: Neighbour<FoundArtifact, ReferenceRow>): string[] {
  const { row, file } = at
  const own = row.level === 0 ? [file.title] : [row.name, ...(row.anchor === null ? [] : [row.anchor])]
  return mention === null || direction === 'in' ? own : [mention.text, ...spellings(mention), ...own]
}

/** As written, and with its number in two to four digits. */
function spellings({ form, target }: ReferenceRow): string[] {
  const [, prefix, digits] = (form === 'id' && /^([A-Za-z]+)[-_ ]?(\d{1,9})$/.exec(target)) || []
  if (prefix === undefined || digits === undefined) return [target]
  const number = String(Number(digits))
  return [target, ...[1, 2, 3, 4].map((width) => `${prefix.toUpperCase()}-${number.padStart(width, '0')}`)]
}
