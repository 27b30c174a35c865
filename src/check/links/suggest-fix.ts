// What did this reference probably mean, and does the corrected line lead there? Every fix is applied to a copy first.
import { isFixturePath } from '../../corpus/resolve/code/code-roles.ts'
import { isIndexPage, placeOf } from '../../corpus/resolve/page-keys.ts'
import { readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { countEdits } from '../../model/config/nearest-name.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import type { FaultyLink } from './check-links.ts'
import { ServedSite } from './served-site.ts'

/** Words of a page's name from which its place may change: `guide` and `user-guide` may be anything. */
const TELLING_WORDS = 3
/** A target may be on a later line than the start of its link. */
const LINES_BELOW = 2
/** Before a target: `](`, `](<`, `[name]: `, `href="`. */
const opening = /(?:\]\(\s?|\]:\s{0,4})<?$|\b(?:href|src)=["']?$/i
const closing = /^[)>"'\s]|^$/
/** `[name]: target` may be anywhere in a document. */
const definition = /^ {0,3}\[[^\]]{1,200}\]:/

function nameIn(target: string): string {
  const written = readTarget(target).path
  return written.endsWith('/') ? written.slice(0, -1) : written
}

/** Paths that a fix may name: no test data, and no translation. */
export function listTargets(reader: CorpusReader, site: ServedSite = new ServedSite(reader)): string[] {
  return reader.paths().filter((path) => !isFixturePath(path) && !site.isTranslation(path))
}

/** Files elsewhere with the name of a missing target, with or without its extension. */
function findSameName({ path, target }: FaultyLink, paths: readonly string[]): string[] {
  const named = nameIn(target)
  const name = lastSegment(named).toLowerCase()
  const isNamed = (other: string): boolean => {
    const last = lastSegment(other).toLowerCase()
    return last === name || last.replace(/\.\w+$/, '') === name
  }
  // Every folder may have a README.
  return name === '' || isIndexPage(named) ? [] : paths.filter((other) => isNamed(other) && other !== path)
}

/** Files of the wanted folder whose names differ by a letter in eight. */
function findMisspelt({ path, target }: FaultyLink, paths: readonly string[]): string[] {
  const named = nameIn(target)
  const name = lastSegment(named).toLowerCase()
  const place = placeOf(named, path)
  const most = Math.min(3, Math.floor(name.length / 8))
  if (place === null || most === 0) return []
  const isNear = (other: string): boolean =>
    folderOf(other) === folderOf(place) &&
    countEdits(lastSegment(other).toLowerCase(), name, most + 1) <= most
  return paths.filter(isNear)
}

/** The only document that a broken link can mean, and the target to write; null if there is none or a choice. */
export function findMovedTarget(
  reader: CorpusReader,
  link: FaultyLink,
  paths: readonly string[],
): string | null {
  const same = link.candidates.length > 0 ? link.candidates : findSameName(link, paths)
  const [found, ...others] = same.length > 0 ? same : findMisspelt(link, paths)
  if (found === undefined || others.length > 0 || link.form !== 'link') return null
  const { target, path } = link
  const cut = target.search(/[?#]/)
  const [base, rest] = cut === -1 ? [target, ''] : [target.slice(0, cut), target.slice(cut)]
  const { anchor } = readTarget(target)
  const file = reader.fileByPath(found)
  if (base === '' || file === null || (anchor !== null && !isAnchor(reader, file.id, anchor))) return null
  const hasExtension = /\.\w+$/.test(lastSegment(base))
  // The root of a site is unknown: others must already reach the page by the address.
  if (base.endsWith('/') || (base.startsWith('/') && !hasExtension)) {
    if (lastSegment(nameIn(target)).split(/[-_]/).length < TELLING_WORDS) return null
    const address = addressOf(reader, found, base.endsWith('/'))
    return address === null || !base.startsWith('/') ? null : address + rest
  }
  const place = base.startsWith('/') ? `/${found}` : relativeTo(path, found)
  const prefix = base.startsWith('./') && !place.startsWith('../') ? './' : ''
  const isPage = !hasExtension && found.endsWith('.md')
  const written = prefix + encodePath(isPage ? place.slice(0, -'.md'.length) : place)
  const reached = placeOf(readTarget(written).path, path)
  return reached === found || `${reached}.md` === found ? written + rest : null
}

const isAnchor = (reader: CorpusReader, file: number, anchor: string): boolean =>
  reader.anchorsOf(file).has(anchor) || /^L\d/.test(anchor)

/** The address by which the other documents reach a page. */
function addressOf(reader: CorpusReader, path: string, slash: boolean): string | null {
  const addresses = reader
    .references()
    .to(path, 'text')
    .map(({ target }) => target.split(/[?#]/, 1)[0] as string)
    .filter((address) => address.startsWith('/') && address.endsWith('/') === slash)
  return addresses.sort()[0] ?? null
}

/** The target with the heading that was meant: one that is longer, shorter or misspelt, with the same numbers. */
export function findMeantAnchor(reader: CorpusReader, { target, candidates }: FaultyLink): string | null {
  const file = candidates[0] === undefined ? null : reader.fileByPath(candidates[0])
  const anchors = file === null ? [] : [...reader.anchorsOf(file.id).keys()]
  const hash = target.indexOf('#')
  const wanted = target.slice(hash + 1).toLowerCase()
  const numbers = (text: string): string => text.replaceAll(/\D+/g, ' ').trim()
  const most = Math.max(1, Math.floor(wanted.length / 8))
  const near = anchors.filter(
    (one) =>
      numbers(one) === numbers(wanted) &&
      (isLonger(one, wanted) || countEdits(one, wanted, most + 1) <= most),
  )
  return near.length === 1 ? `${target.slice(0, hash)}#${near[0]}` : null
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

/** Escaped for a link: blanks and brackets would end it. */
function encodePath(path: string): string {
  return path.replaceAll(/[\s()<>"'%#?\\]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The line that holds the link, from 0; null if its target is not written there. */
export function findLinkLine(lines: readonly string[], { line, target }: FaultyLink): number | null {
  const isLink = (text: string): boolean => replaceTarget(text, target, '') !== text
  for (let at = line - 1; at <= line - 1 + LINES_BELOW; at++) if (isLink(lines[at] ?? '')) return at
  const at = lines.findIndex((text) => definition.test(text) && isLink(text))
  return at === -1 ? null : at
}

/** The line with every link to the target changed; the same words elsewhere are unchanged. */
export function replaceTarget(line: string, target: string, replacement: string): string {
  let written = ''
  let from = 0
  for (let at = line.indexOf(target); at !== -1; at = line.indexOf(target, from)) {
    const end = at + target.length
    const isLink =
      opening.test(line.slice(Math.max(0, at - 20), at)) && closing.test(line.slice(end, end + 1))
    written += line.slice(from, at) + (isLink ? replacement : target)
    from = end
  }
  return written + line.slice(from)
}
