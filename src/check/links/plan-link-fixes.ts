// Which links to moved files can be rewritten, and how? Markdown links whose file name is unique; nothing else of a document changes.
import { isFixturePath } from '../../corpus/resolve/code/code-roles.ts'
import { isIndexPage, placeOf } from '../../corpus/resolve/page-keys.ts'
import { readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import type { FaultyLink, LinkReport } from './link-report.ts'

/** A line before and after, without its end. */
interface LineChange {
  readonly line: number
  readonly before: string
  readonly after: string
}

/** A document with its links rewritten, and otherwise unchanged. */
export interface FixedDocument {
  readonly path: string
  readonly changes: readonly LineChange[]
  readonly text: string
}

const MAX_BYTES = 64 * 1024 * 1024
/** A target may be on a later line than the start of its link. */
const LINES_BELOW = 2
/** Before a target: `](`, `](<`, `[name]: `, `href="`. */
const opening = /(?:\]\(\s?|\]:\s{0,4})<?$|\b(?:href|src)=["']?$/i
const closing = /^[)>"'\s]|^$/
/** `[name]: target` may be anywhere in a document. */
const definition = /^ {0,3}\[[^\]]{1,200}\]:/

/** The documents to write, by path. */
export function planLinkFixes(
  reader: CorpusReader,
  root: string,
  { broken, moved }: Pick<LinkReport, 'broken' | 'moved'>,
): FixedDocument[] {
  const byName = Map.groupBy(
    reader.paths().filter((path) => !isFixturePath(path)),
    (path) => lastSegment(path).toLowerCase(),
  )
  const namesakesOf = ({ path, target }: FaultyLink): string[] => {
    const name = lastSegment(readTarget(target).path).toLowerCase()
    // Every folder may have a README.
    return isIndexPage(name) ? [] : (byName.get(name) ?? []).filter((other) => other !== path)
  }
  const named = broken.map((link) => ({ ...link, candidates: namesakesOf(link) }))
  const fixable = [...moved, ...named].filter(
    ({ form, candidates }) => form === 'link' && candidates.length === 1,
  )
  return [...Map.groupBy(fixable, ({ path }) => path)].flatMap(([path, links]) => {
    const text = reader.fileByPath(path)?.language === 'markdown' ? readText(root, path) : null
    if (text === null) return []
    const lines = text.split('\n')
    const before = [...lines]
    for (const link of links) {
      const replacement = findTarget(link)
      const at = findLinkLine(lines, link)
      if (at !== null && replacement !== null)
        lines[at] = replaceTarget(lines[at] as string, link.target, replacement)
    }
    const changes = lines.flatMap((line, at) =>
      line === before[at] ? [] : [{ line: at + 1, before: strip(before[at] as string), after: strip(line) }],
    )
    return changes.length === 0 ? [] : [{ path, changes, text: lines.join('\n') }]
  })
}

const strip = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** The file on disk, byte for byte; null if it is not UTF-8 or missing. */
function readText(root: string, path: string): string | null {
  const read = readBytesInside(root, path, MAX_BYTES)
  if (!('bytes' in read)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)
  } catch {
    return null
  }
}

/** The target to write, in the form of the old one; null if it would lead elsewhere. */
function findTarget({ path, target, candidates: [found = ''] }: FaultyLink): string | null {
  const base = target.replace(/[?#].*$/s, '')
  const place = base.startsWith('/') ? `/${found}` : relativeTo(path, found)
  const prefix = base.startsWith('./') && !place.startsWith('../') ? './' : ''
  const written = prefix + encodePath(place)
  return placeOf(readTarget(written).path, path) === found ? written + target.slice(base.length) : null
}

/** A path as written in a link of another document. */
function relativeTo(from: string, to: string): string {
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
function findLinkLine(lines: readonly string[], { line, target }: FaultyLink): number | null {
  const isLink = (text: string): boolean => replaceTarget(text, target, '') !== text
  for (let at = line - 1; at <= line - 1 + LINES_BELOW; at++) if (isLink(lines[at] ?? '')) return at
  const at = lines.findIndex((text) => definition.test(text) && isLink(text))
  return at === -1 ? null : at
}

/** The line with every link to the target changed; the same words elsewhere are unchanged. */
function replaceTarget(line: string, target: string, replacement: string): string {
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
