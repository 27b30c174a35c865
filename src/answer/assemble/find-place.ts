// Where in the file are these lines of an extracted text? One name for their pages, slides or cells.
import type { Lines } from '../../model/artifact.ts'
import type { TextPlace } from '../../model/source-file.ts'

/** What names places by lines, for one state of the index. */
export type FindPlace = (path: string, ranges: readonly Lines[]) => { readonly place?: string }

/** Asks for the places of a file once. */
export function makeFindPlace(placesIn: (path: string) => readonly TextPlace[] | null): FindPlace {
  const known = new Map<string, readonly TextPlace[] | null>()
  return (path, ranges) => {
    const found = known.get(path)
    const places = found === undefined ? placesIn(path) : found
    known.set(path, places)
    const place = places === null ? '' : namePlaces(places, ranges)
    return place === '' ? {} : { place }
  }
}

/** `p. 12`, `p. 12-14` for several, and `p. 12, p. 30` for ranges that lie apart. */
function namePlaces(places: readonly TextPlace[], ranges: readonly Lines[]): string {
  const names = ranges.map(({ start, end }) => joinNames(placeAt(places, start), placeAt(places, end)))
  return [...new Set(names.filter((name) => name !== ''))].join(', ')
}

/** The last place that begins at or before a line. */
function placeAt(places: readonly TextPlace[], line: number): string {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle] as TextPlace).line <= line) low = middle + 1
    else high = middle
  }
  return places[low - 1]?.place ?? ''
}

const numbered = /^(\D*)(\d+)$/

function joinNames(first: string, last: string): string {
  if (first === last || first === '' || last === '') return first || last
  const [, kind, from] = numbered.exec(first) ?? []
  const [, same, to] = numbered.exec(last) ?? []
  return kind !== undefined && kind === same ? `${kind}${from}-${to}` : `${first} to ${last}`
}
