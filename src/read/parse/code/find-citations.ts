// Which documents do comments and docstrings name? Decision ids, and paths of documents.

import { extractedExtensions } from '../../../model/file-extensions.ts'
import { lastSegment } from '../../../model/paths.ts'
import { findIds, type IdSearch } from '../find-ids.ts'
import { markupExtensions } from '../text/text-formats.ts'
import type { CodeSpan } from './code-scan.ts'

export interface CommentCitation {
  readonly form: 'id' | 'link'
  readonly target: string
  readonly at: number
}

/** Extensions of documents; in a comment, web pages and `.doc` are mostly something else. */
const extensions = [...markupExtensions, ...Object.values(extractedExtensions).flat()].map((one) => `.${one}`)
const maxPathChars = 200
/** The line of a comment that begins or ends an example. */
const fence = /^[ \t/*!#;-]{0,40}```/gm

/** Finds them in the given parts of a file, in order. */
export function findCitations(text: string, parts: readonly CodeSpan[], search: IdSearch): CommentCitation[] {
  const endings = extensions.filter((extension) => text.includes(extension))
  if (search === null && endings.length === 0) return []
  const found: CommentCitation[] = []
  const fences: number[] = []
  for (const { start, end } of parts) {
    const part = text.slice(start, end)
    for (const id of findIds(part, search)) found.push({ form: 'id', target: id.text, at: start + id.at })
    for (const ending of endings) collectPaths(part, { start, ending }, found)
    for (const { index } of part.matchAll(fence)) fences.push(start + index)
  }
  let passed = 0
  return found
    .sort((a, b) => a.at - b.at)
    .filter(({ form, at }) => {
      while ((fences[passed] ?? at) < at) passed++
      // A fence that nothing closes opens no example.
      return form === 'id' || passed % 2 === 0 || passed === fences.length
    })
}

function collectPaths(
  part: string,
  { start, ending }: { readonly start: number; readonly ending: string },
  found: CommentCitation[],
): void {
  for (let at = part.indexOf(ending); at !== -1; at = part.indexOf(ending, at + 1)) {
    const end = at + ending.length
    if (isPathCode(part.charCodeAt(end)) && part[end] !== '.') continue
    let from = at
    while (from > 0 && at - from < maxPathChars && isPathCode(part.charCodeAt(from - 1))) from--
    const path = part.slice(from, end)
    // A URL is not a path, and a bare name may be any file.
    if (from === at || part.startsWith('//', from) || part[from - 1] === ':') continue
    if (isLegal(path)) continue
    if (path.includes('/') || /^[A-Z]{4,}/.test(path))
      found.push({ form: 'link', target: path, at: start + from })
  }
}

/** The header of a file names the licence, which says nothing about the file's purpose. */
const isLegal = (path: string): boolean =>
  /^(?:licen[cs]e|copying|copyright|notice|authors|contributors|patents)\b/i.test(lastSegment(path))

function isPathCode(code: number): boolean {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)) return true
  return code === 45 || code === 46 || code === 47 || code === 95
}
