// Which text has no content of its own? Markup and brackets alone, and tables of contents.

import { getOrAdd } from '../../model/remember.ts'
import type { ArtifactRow, ArtifactText } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { bodyOf } from './source-text.ts'
import { CONTENTS_ENTRIES, CONTENTS_SHARE } from './tuning.ts'

/** Tags, and the targets of MyST, Sphinx, reStructuredText, kramdown and MDX: names for what follows. */
const markup =
  /<[^<>]*>|^[ \t]{0,20}\([\w.:-]{1,200}\)=|^[ \t]{0,20}\.\. _[^:\n]{1,200}:|\{#[\w.:-]{1,200}\}|\{\/\*[^*\n]{0,200}\*\/\}/gm
/** A line of code that only closes a block, or re-exports. */
const trivialCode =
  /^(?:[\s\])};,]*|(?:export default|export|module\.exports|exports\.[\w$]{1,80})\s{0,8}=?\s{0,8}[\w$.]{0,80};?)$/

/** Is there nothing to quote in a section's body? */
export function saysNothing(body: string, isCode: boolean): boolean {
  if (isCode) return body.split('\n').every((line) => trivialCode.test(line.trim()))
  // Nearly every text has a letter before any character that starts markup.
  return !/^[^<({.]*[a-z\d]/i.test(body) && !/[\p{L}\p{N}]/u.test(body.replace(markup, ''))
}

/** By text: does it have content of its own? */
const contents = new WeakMap<ArtifactText, boolean>()

/** Does a section say anything by itself, other than a table of contents? */
export const hasContent = (artifact: Pick<ArtifactRow, 'kind' | 'level'>, text: ArtifactText): boolean =>
  getOrAdd(contents, text, () => {
    const [body, { kind }] = [bodyOf(artifact, text), artifact]
    return !saysNothing(body, isCodeKind(kind)) && !isContents(body, text, kind)
  })

const linkToSection = /^[ \t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,8})?\[[^\]]*\]\(#/

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1)
  return counts
}

/** How often each line occurs in a text, ignoring indentation. */
const lineCounts = new WeakMap<ArtifactText, Map<string, number>>()

/** Is a part of a document's text a table of contents: links to the same document, or lines that come again elsewhere? */
export function isContents(part: string, text: ArtifactText, kind: string): boolean {
  if (isCodeKind(kind)) return false
  const all = part.split('\n')
  if (all.length < CONTENTS_ENTRIES) return false
  const lines = all.filter((line) => /\p{L}/u.test(line))
  if (lines.length < CONTENTS_ENTRIES) return false
  if (lines.filter((line) => linkToSection.test(line)).length >= CONTENTS_SHARE * lines.length) return true
  const counts = getOrAdd(lineCounts, text, () => countLines(text.text.split('\n')))
  const here = countLines(lines)
  const again = lines.filter((line) => (counts.get(line.trim()) ?? 0) > (here.get(line.trim()) ?? 0)).length
  return again >= CONTENTS_SHARE * lines.length
}
