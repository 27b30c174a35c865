// How are sources of several corpora distinguished? The name of the corpus is a prefix of paths and ids.

/** Names of corpora have no slash. Parts of one corpus have no name. */
export const prefixOf = (corpus: string): string => (corpus === '' ? '' : `${corpus}/`)

/** Fields with a path or an id, or with several. */
const placeFields: ReadonlySet<string> = new Set(
  'path id artifact artifacts from target candidates'.split(' '),
)

/** Facts of one corpus, with its prefix before each path and id. */
export function placeIn<Facts>(prefix: string, facts: Facts, isPlace = false): Facts {
  if (typeof facts === 'string') return (isPlace ? prefix + facts : facts) as Facts
  if (Array.isArray(facts)) return facts.map((one) => placeIn(prefix, one, isPlace)) as Facts
  if (typeof facts !== 'object' || facts === null) return facts
  const placed = Object.entries(facts).map(([field, value]) => [
    field,
    placeIn(prefix, value, placeFields.has(field)),
  ])
  return Object.fromEntries(placed) as Facts
}
