// How does a document of another markup read as Markdown? Line by line, so that headings and lines stay where they are.

import type { Excerpt, Passage } from '../model/digest.ts'
import { textFence } from '../read/parse/text/text-formats.ts'
import type { DocumentDescription } from './describe-document.ts'
import { readAsciidoc } from './read-asciidoc.ts'
import { readMarkdown } from './read-markdown.ts'
import { type MarkedTitle, readRst, rule } from './read-rst.ts'
import { badges } from './show-passage.ts'

interface MarkedDocument extends Pick<DocumentDescription, 'path' | 'language' | 'text'> {
  readonly sections: readonly MarkedTitle[]
}

/** Null for a text without markup. */
export function readAsMarkdown({ path, language, text, sections }: MarkedDocument): string | null {
  const format = language === 'markdown' ? language : textFence(path)
  if (format === 'markdown') return readMarkdown(text, path.endsWith('.mdx'))
  const lines = text.split(/\r?\n/)
  if (format === 'asciidoc') return readAsciidoc(lines)
  return format === 'rst' ? readRst(lines, sections) : null
}

/** Titles with an underline, as in a text whose sections are not known. */
const titlesIn = (lines: readonly string[]): MarkedTitle[] =>
  lines.flatMap((line, at) => {
    const isBoxed = rule.test(lines[at - 1] ?? '') && lines[at - 1] === lines[at + 1]
    const isTitle = line.trim() !== '' && !rule.test(line) && (isBoxed || /^\S/.test(line))
    if (!isTitle || !rule.test(lines[at + 1] ?? '')) return []
    return [{ name: line.trim(), level: 2, lines: { start: isBoxed ? at : at + 1 } }]
  })

/** A part of a passage; its first title is the name of the passage, above it. Null for a text without markup. */
export function readExcerpt({ path, language, name }: Passage, { text, inFence }: Excerpt): string | null {
  const titles = titlesIn(text.split(/\r?\n/))
  const given = { path, language, text: inFence ? `\`\`\`\n${text}` : text, sections: titles }
  const read = readAsMarkdown(given)?.replaceAll(badges, '') ?? null
  if (language === 'markdown') return read
  const isName = (title: string): boolean => name.endsWith(title.replaceAll('\\', '').trim())
  return read?.replace(/^\s*#{1,6} +(.+)/, (all, title) => (isName(title) ? '' : all)) ?? null
}
