// What do an artifact's relations lead to? References and the family of sections, as the judge wants to know them.
import type { ReachableArtifact } from '../model/expansion.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { ReferenceRow } from '../store/reference-reader.ts'
import type { ArtifactFinder, FoundArtifact } from './find-artifact.ts'
import { CONFIDENT } from './follow-references.ts'

/** An artifact at the other end, with every name a request may use for it. */
interface Reachable extends ReachableArtifact {
  readonly via: string
  readonly names: readonly string[]
}

/** Everything one hop away, each once per relation and direction, in the order of the text. */
export function listReachable(
  reader: CorpusReader,
  finder: ArtifactFinder,
  from: FoundArtifact,
): readonly ReachableArtifact[] {
  const found = new Map<string, Reachable>()
  const add = (artifact: Reachable): void => {
    const key = JSON.stringify([artifact.id, artifact.via, artifact.direction])
    const known = found.get(key)
    const names = [...new Set([...(known?.names ?? []), ...artifact.names])]
    found.set(key, { ...artifact, names })
  }
  for (const reference of reader.references().of(from.row.rowId)) {
    const target = targetOf(finder, reference)
    if (target === null || target.row.id === from.row.id) continue
    const { id, kind } = target.row
    const names = [reference.text, ...spellings(reference), ...namesOf(target)].filter((name) => name !== '')
    add({ id, kind, via: relationOf(reference), direction: 'out', names })
  }
  for (const artifact of listFamily(finder, from)) add(artifact)
  return [...found.values()]
}

/** As written; and an id as it is mostly written, with its number in two to four digits. */
function spellings({ form, target }: ReferenceRow): string[] {
  const [, prefix, digits] = (form === 'id' && /^([A-Za-z]+)[-_ ]?(\d{1,9})$/.exec(target)) || []
  if (prefix === undefined || digits === undefined) return [target]
  const number = String(Number(digits))
  return [target, ...[1, 2, 3, 4].map((width) => `${prefix.toUpperCase()}-${number.padStart(width, '0')}`)]
}

/** The relation that a reference is an edge of, as rulebooks call it. */
function relationOf({ form }: ReferenceRow): string {
  if (form === 'id') return 'cites'
  return form === 'link' || form === 'wiki' ? 'links' : form
}

function targetOf(finder: ArtifactFinder, reference: ReferenceRow): FoundArtifact | null {
  const { outcome, form, path, section, confidence } = reference
  if (outcome !== 'resolved' || form === 'image' || path === null) return null
  return (confidence ?? 0) < CONFIDENT ? null : finder.byId(section ?? path)
}

/** Children, and the parent with its other children. */
function listFamily(finder: ArtifactFinder, { row, file }: FoundArtifact): Reachable[] {
  const rows = finder.document(file.path)?.rows ?? []
  return rows.flatMap((other): Reachable[] => {
    const isParent = other.rowId === row.parent
    const isSibling = row.parent !== null && other.parent === row.parent && other.rowId !== row.rowId
    const { id, kind } = other
    const artifact = { id, kind, via: 'defines', names: namesOf({ row: other, file }) }
    if (isParent) {
      // A document that starts with its first heading says nothing of its own.
      if (other.ownLines === null) return []
      return [
        { ...artifact, direction: 'family' },
        { ...artifact, direction: 'in' },
      ]
    }
    if (isSibling) return [{ ...artifact, direction: 'family' }]
    return other.parent === row.rowId ? [{ ...artifact, direction: 'out' }] : []
  })
}

function namesOf({ row, file }: FoundArtifact): string[] {
  return row.level === 0 ? [file.title] : [row.name, ...(row.anchor === null ? [] : [row.anchor])]
}
