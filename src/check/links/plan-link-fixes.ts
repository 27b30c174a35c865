// Which broken Markdown links can be rewritten for certain, and how? Those whose file moved and whose name is unique.
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import type { LinkReport } from './check-links.ts'
import { findLinkLine, findMovedTarget, listTargets, replaceTarget } from './suggest-fix.ts'

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

/** The documents to write, by path. */
export function planLinkFixes(
  reader: CorpusReader,
  root: string,
  { broken, moved }: Pick<LinkReport, 'broken' | 'moved'>,
): FixedDocument[] {
  const files = reader.files()
  const paths = listTargets(reader)
  const documents = new Set(files.filter(({ language }) => language === 'markdown').map(({ path }) => path))
  const fixable = [...broken, ...moved].flatMap((link) => {
    const replacement = documents.has(link.path) ? findMovedTarget(reader, link, paths) : null
    return replacement === null ? [] : [{ link, replacement }]
  })
  return [...Map.groupBy(fixable, ({ link }) => link.path)].flatMap(([path, links]) => {
    const text = readText(root, path)
    if (text === null) return []
    const lines = text.split('\n')
    const before = [...lines]
    for (const { link, replacement } of links) {
      const at = findLinkLine(lines, link)
      if (at !== null) lines[at] = replaceTarget(lines[at] as string, link.target, replacement)
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
