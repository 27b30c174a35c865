// Which broken Markdown links can be rewritten for certain, and how? Those whose file moved and whose name is unique.
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { lastSegment } from '../../model/paths.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import type { FaultyLink, LinkReport } from './check-links.ts'
import { findSameName, relativeTo } from './suggest-fix.ts'

/** A line before and after, without its end. */
export interface LineChange {
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
/** `[name]: target` may be anywhere in a document. */
const definition = /^ {0,3}\[[^\]]{1,200}\]:/
const closing = /^[)>"'\s]|^$/

/** The documents to write, by path. */
export function planLinkFixes(
  reader: CorpusReader,
  root: string,
  { broken, moved }: Pick<LinkReport, 'broken' | 'moved'>,
): FixedDocument[] {
  const files = reader.files()
  const paths = files.map(({ path }) => path)
  const documents = new Set(files.filter(({ language }) => language === 'markdown').map(({ path }) => path))
  const named = broken.flatMap((link) =>
    link.form === 'link' ? [{ ...link, candidates: findSameName(link, paths) }] : [],
  )
  const fixable = [...named, ...moved].flatMap((link) => {
    const replacement = documents.has(link.path) ? replacementOf(link) : null
    return replacement === null ? [] : [{ ...link, replacement }]
  })
  return [...Map.groupBy(fixable, ({ path }) => path)].flatMap(([path, links]) => {
    const text = readText(root, path)
    if (text === null) return []
    const lines = text.split('\n')
    const before = [...lines]
    for (const { line, target, replacement } of links) {
      const isNear = (at: number): boolean => at >= line - 1 && at <= line - 1 + LINES_BELOW
      const change = (text: string, isHere: boolean): string =>
        isHere ? replaceTarget(text, target, replacement) : text
      const near = lines.findIndex((text, at) => change(text, isNear(at)) !== text)
      const at = near === -1 ? lines.findIndex((text) => change(text, definition.test(text)) !== text) : near
      if (at !== -1) lines[at] = replaceTarget(lines[at] as string, target, replacement)
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

/** Null without a certain target: no file of the name, or several, or an address of a site. */
function replacementOf({ path, target, candidates }: FaultyLink): string | null {
  const [found, ...others] = candidates
  if (found === undefined || others.length > 0) return null
  const cut = target.search(/[?#]/)
  const [base, rest] = cut === -1 ? [target, ''] : [target.slice(0, cut), target.slice(cut)]
  const hasExtension = /\.\w+$/.test(lastSegment(base))
  // The root of a site is unknown: only a path with an extension is a path of the repository.
  if (base === '' || base.endsWith('/') || (base.startsWith('/') && !hasExtension)) return null
  const place = base.startsWith('/') ? `/${found}` : relativeTo(path, found)
  const prefix = base.startsWith('./') && !place.startsWith('../') ? './' : ''
  const named = hasExtension ? place : place.replace(/\.\w+$/, '')
  return prefix + encodePath(named) + rest
}

/** Escaped for a link: blanks and brackets would end it. */
function encodePath(path: string): string {
  return path.replaceAll(/[\s()<>"'%#?\\]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
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
