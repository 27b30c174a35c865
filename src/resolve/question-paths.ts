// Which files does a question name outright? Paths, file names, their stems, wiki links and anchors.
import type { DocumentNames } from './document-names.ts'
import { findSection } from './find-section.ts'
import { lastSegment, normalizeSegments } from './page-keys.ts'
import { decodePercent, readPlace } from './read-target.ts'

export interface NamedFile {
  readonly start: number
  readonly end: number
  /** Documents that it may be; empty when there is no such file. */
  readonly documents: readonly number[]
  readonly section: string | null
  readonly confidence: number
  readonly method: string
}

const fileExtension = /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|html?|pdf|docx?|odt|tex|ipynb)$/i
const wiki = /\[\[([^[\]|\n]{1,200})(?:\|[^[\]\n]{0,200})?\]\]/g
const token = /[^\s"'`“”‘’<>()[\]{},;|*]{2,400}/g
const trailing = /[.:!?]{1,8}$/
/** A stem of so many parts is nothing that one writes by chance. */
const minStemParts = 4

/** Finds file names and paths, in the order of the text. Paths in spaces need quotes, or are titles. */
export function findFiles(question: string, names: DocumentNames): NamedFile[] {
  const found: NamedFile[] = []
  for (const match of question.matchAll(wiki))
    found.push({
      ...lookUp(match[1]!.trim(), names, true),
      start: match.index,
      end: match.index + match[0].length,
    })
  for (const match of question.matchAll(token)) {
    const written = match[0].replace(trailing, '')
    const text = readPlace(written)?.path ?? written
    const start = match.index
    if (found.some((file) => start < file.end && start + written.length > file.start)) continue
    const file = lookUp(text, names, false)
    if (file.documents.length > 0 || fileExtension.test(withoutAnchor(text).path))
      found.push({ ...file, start, end: start + written.length })
  }
  found.push(...findReadme(question, names))
  return found.sort((a, b) => a.start - b.start)
}

const readme = /(?:^|(?:^|\s)(?:the|our|your)\s)(readme)(?![\w.-])/gi

/** "The README" is the one at the root, or the only one. */
function findReadme(question: string, names: DocumentNames): NamedFile[] {
  const known = names.keys.get('readme.md') ?? []
  const root = known.filter((document) => !names.documents[document]!.path.includes('/'))
  const documents = root.length > 0 ? root : known
  if (documents.length === 0) return []
  return Array.from(question.matchAll(readme), (match) => {
    const end = match.index + match[0].length
    return { documents, section: null, confidence: 0.95, method: 'path', start: end - match[1]!.length, end }
  })
}

type FoundFile = Omit<NamedFile, 'start' | 'end'>
const nowhere: FoundFile = { documents: [], section: null, confidence: 1, method: 'path' }

function lookUp(written: string, names: DocumentNames, isWiki: boolean): FoundFile {
  const { path, anchor } = withoutAnchor(written)
  const normal = normalizeSegments(decodePercent(path))?.toLowerCase() ?? ''
  if (normal === '' || written.includes('://')) return nowhere
  const isFile = fileExtension.test(normal) || normal.includes('/') || names.codeFiles.has(normal)
  const isStem = !isFile && normal.split(/[-_]/).length >= minStemParts
  if (!isFile && !isStem && !isWiki) return nowhere
  const documents = documentsAt(
    isWiki ? [normal, normal.replaceAll(' ', '-'), normal.replaceAll(' ', '_')] : [normal],
    names,
  )
  const section = documents.length === 1 && anchor !== '' ? sectionOf(names, documents[0]!, anchor) : null
  return {
    documents,
    section,
    confidence: isFile ? 1 : 0.95,
    method: isWiki ? 'wiki' : isFile ? 'path' : 'stem',
  }
}

function withoutAnchor(written: string): { readonly path: string; readonly anchor: string } {
  const hash = written.indexOf('#')
  return hash === -1
    ? { path: written, anchor: '' }
    : { path: written.slice(0, hash), anchor: written.slice(hash + 1) }
}

/** The very path first, then whatever ends with it. */
function documentsAt(keys: readonly string[], names: DocumentNames): readonly number[] {
  for (const key of keys) {
    const known = names.keys.get(key)
    if (known === undefined) continue
    const whole = known.filter((document) => names.documents[document]!.path.toLowerCase() === key)
    return whole.length > 0 ? whole : known
  }
  const [key] = keys
  if (key === undefined || !key.includes('/')) return []
  return (names.keys.get(lastSegment(key)) ?? []).filter((document) => {
    const path = names.documents[document]!.path.toLowerCase()
    return path.endsWith(`/${key}`) || path.replace(/\.[a-z]{1,8}$/, '').endsWith(`/${key}`)
  })
}

function sectionOf(names: DocumentNames, document: number, anchor: string): string | null {
  const { path, title, frontmatter, sections } = names.documents[document]!
  const anchored = sections.map((section) => ({ ...section, anchor: section.anchor ?? '' }))
  return findSection({ path, title, frontmatter, sections: anchored }, anchor)
}
