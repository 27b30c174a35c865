// What did this reference probably mean? A file of the same name elsewhere, a similar name, a similar heading.

import { isIndexPage, placeOf } from '../../corpus/resolve/page-keys.ts'
import { readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { countEdits, nearestName } from '../../model/config/nearest-name.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import type { FaultyLink } from './check-links.ts'

/** Maximum suggestions. */
const MOST_NAMED = 3

function nameIn(target: string): string {
  const written = readTarget(target).path
  return written.endsWith('/') ? written.slice(0, -1) : written
}

/** Files elsewhere with the name of a missing target, with or without its extension. */
export function findSameName({ path, target }: FaultyLink, paths: readonly string[]): string[] {
  const named = nameIn(target)
  const name = lastSegment(named).toLowerCase()
  const isNamed = (other: string): boolean => {
    const last = lastSegment(other).toLowerCase()
    return last === name || last.replace(/\.\w+$/, '') === name
  }
  // Every folder may have a README.
  return name === '' || isIndexPage(named) ? [] : paths.filter((other) => isNamed(other) && other !== path)
}

/** A sentence how to fix a reference without a target. */
export function fixLink(link: FaultyLink, paths: readonly string[]): string {
  const { path, target, form } = link
  if (form === 'id') return `Add the document ${target}, or correct the number`
  const named = nameIn(target)
  const name = lastSegment(named).toLowerCase()
  const same = findSameName(link, paths)
  if (same.length > 0 && same.length <= MOST_NAMED)
    return `Link to ${same.map((other) => relativeTo(path, other)).join(' or ')}`
  const place = placeOf(named, path)
  const folder = place === null ? null : folderOf(place)
  const most = Math.min(3, Math.floor(name.length / 8))
  const isMisspelt = (other: string): boolean =>
    folderOf(other) === folder && countEdits(lastSegment(other).toLowerCase(), name, most + 1) <= most
  const meant = paths.find(isMisspelt)
  return meant === undefined
    ? 'Remove the link, or add the file that it names'
    : `Link to ${relativeTo(path, meant)}`
}

/** A sentence which heading was probably meant. */
export function fixAnchor(reader: CorpusReader, { target, candidates }: FaultyLink): string {
  const file = candidates[0] === undefined ? null : reader.fileByPath(candidates[0])
  const anchors = file === null ? [] : [...reader.anchorsOf(file.id).keys()]
  const wanted = target.slice(target.indexOf('#') + 1).toLowerCase()
  const [longer] = anchors
    .filter((one) => isLonger(one, wanted))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const near = longer ?? nearestName(wanted, anchors) ?? undefined
  return near === undefined ? 'Link to a heading that is there, or to the document alone' : `Link to #${near}`
}

/** Is one a prefix of the other and most of it, as a lengthened or shortened heading? */
function isLonger(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return shorter.length >= 6 && longer.startsWith(`${shorter}-`)
}

/** A path as written in a link of another document. */
export function relativeTo(from: string, to: string): string {
  const [here, there] = [folderOf(from).split('/').filter(Boolean), to.split('/')]
  let common = 0
  while (common < here.length && here[common] === there[common]) common++
  return [...here.slice(common).map(() => '..'), ...there.slice(common)].join('/')
}
