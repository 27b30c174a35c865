// How do uses read as text? Callers and callees with their lines, each step below the previous one.
import { formatPlace } from '../answer/assemble/escape-inline.ts'
import { listSome } from '../corpus/lookup/find-definition.ts'
import { clip } from '../model/mark-invisible.ts'
import { type NamedAt, rankOf, type Use, type Uses, type UsesOptions, type Way } from './find-uses.ts'
import type { GraphEdgeKind } from './read-graph.ts'

/** Maximum lines of a list in the text, and of any list if several definitions have the name; a program gets all. */
const [MOST_POSSIBLE, MOST_OF_SEVERAL] = [20, 8]

/** What the index does not see. */
export const blindSpots = 'Not visible: calls by a computed name, by a framework, or from elsewhere.'

const titles = { import: 'Imported', 're-export': 'Re-exported', string: 'In strings' } as const

/** The words for a reference that is more than a use, where its relation's name does not do. */
const verbs: Readonly<Partial<Record<GraphEdgeKind, string>>> = {
  USES: '',
  CLASS_NAME: 'its class',
  EXTERNAL_SCRIPTS: 'loads',
  DOCUMENTS: 'names it',
}

/** Lines of text: each step below the previous one. Of several definitions each has its own, with fewer lines. */
export function listUses(facts: Uses, { direction }: UsesOptions): string[] {
  const all = [facts, ...facts.others]
  if (all.length === 1) return listOne(facts, direction, Number.POSITIVE_INFINITY)
  const count = all.length + facts.alsoDefined.length
  const listed = count > all.length ? `, ${all.length} of them listed` : ''
  const head = `${clip(facts.subject.name)}: ${count} definitions${listed}; name one by its path:line for all its uses.`
  return [head, ...all.flatMap((one) => ['', ...listOne(one, direction, MOST_OF_SEVERAL)])]
}

function listOne(facts: Uses, direction: UsesOptions['direction'], most: number): string[] {
  const { subject, usedBy, uses, cut, possibleUses, possibleTotal } = facts
  // Of several the class tells them apart.
  const name = most === MOST_OF_SEVERAL ? subject.id.slice(subject.path.length + 1) : subject.name
  const lines = [`${clip(name)}, ${formatPlace(subject.path, [subject.lines])}`]
  if (facts.alsoDefined.length > 0)
    lines.push(`Also defined: ${listSome(facts.alsoDefined.map((id) => clip(id, 240)))}`)
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
    const below = listBelow(found, subject.id, way)
    const certain = firstOf(below, most, below.length)
    if (way === 'callers' && found.length === 0 && subject.kind.endsWith('function')) certain.push(blindSpots)
    const listed = possibleUses.map((use) => `- ${placeOf(use)} ${clip(use.node.name)}`)
    const unresolved = [
      `Possible uses (same name, unresolved): ${possible}`,
      ...firstOf(listed, Math.min(most, MOST_POSSIBLE), possible),
    ]
    const [[first], [maybe]] = [found, possibleUses]
    if (possible === 0) lines.push(...certain)
    else if (first !== undefined && maybe !== undefined && rankOf(maybe) < rankOf(first))
      lines.push('', ...unresolved, '', `Certain uses, in tests and documents: ${found.length}`, ...certain)
    else lines.push(...certain, '', ...unresolved)
    const named = way === 'callers' ? Map.groupBy(facts.named, ({ as }) => as) : new Map<never, never>()
    if (named.size > 0) lines.push('')
    for (const [as, title] of Object.entries(titles))
      if (named.has(as as NamedAt['as']))
        lines.push(`${title}: ${listPlaces(named.get(as as NamedAt['as']) ?? [])}`)
  }
  return cut ? [...lines, '', 'Not everything was read: there is more than is listed.'] : lines
}

const firstOf = (lines: readonly string[], most: number, total: number): string[] =>
  total > most ? [...lines.slice(0, most), `- … and ${total - most} more`] : [...lines]

function listPlaces(named: readonly NamedAt[]): string {
  const shown = named.slice(0, MOST_POSSIBLE).map(({ path, line }) => `${clip(path, 240)}:${line}`)
  return [...shown, ...(named.length > shown.length ? [`and ${named.length - shown.length} more`] : [])].join(
    ', ',
  )
}

const placeOf = ({ path, lines }: Pick<Use, 'path' | 'lines'>): string =>
  `${clip(path, 240)}:${lines.join(',')}`

const listBelow = (found: readonly Use[], by: string, way: Way): string[] =>
  found
    .filter((use) => use.by === by)
    .flatMap((use) => [
      `${'  '.repeat(use.depth - 1)}- ${describeUse(use, way)}`,
      ...listBelow(found, use.node.id, way),
    ])

function describeUse({ node, path, lines, relations }: Use, way: Way): string {
  const at = placeOf({ path, lines })
  const words = relations.map((relation) => verbs[relation] ?? relation.toLowerCase())
  const how = words.filter((word) => word !== '').join(', ')
  const name = `${clip(node.name)}${how === '' || how === node.name ? '' : ` (${how})`}`
  return way === 'callers' ? `${at} ${name}` : `${formatPlace(node.path, [node.lines])} ${name}, at ${at}`
}
