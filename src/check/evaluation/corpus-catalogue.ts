// Where in the index is what a question expects? Documents by path, sections by anchor, id or lines, phrases anywhere.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Lines } from '../../model/artifact.ts'
import type { ArtifactRow, ArtifactText, FileRow } from '../../model/section.ts'
import { findLines, lineAt } from '../../read/parse/find-lines.ts'
import { foldText, namesDocument } from './match-expectations.ts'

/** The lines of an expected section that are not blank, and the sections that contain them. */
export interface ExpectedPlace {
  readonly path: string
  readonly lines: Lines
  /** Lines that are not blank. */
  readonly numbers: readonly number[]
  readonly sections: readonly ArtifactRow[]
}

const lineSuffix = /^(.*):(\d{1,9})(?:-(\d{1,9}))?$/s

/** Look-ups over one state of an index. */
export class CorpusCatalogue {
  readonly #reader: CorpusReader
  readonly #files: ReadonlyMap<string, FileRow>
  /** The sections of the last file, which is mostly the next one, too. */
  #sections: { file: number; rows: readonly ArtifactRow[] } = { file: -1, rows: [] }

  constructor(reader: CorpusReader) {
    this.#reader = reader
    this.#files = new Map(reader.files().map((file) => [file.path, file]))
  }

  sectionsOf(file: FileRow): readonly ArtifactRow[] {
    if (this.#sections.file !== file.id)
      this.#sections = { file: file.id, rows: this.#reader.artifactsOf(file.id) }
    return this.#sections.rows
  }

  /** Sections of the documents that an entry of `expected_docs` names. */
  sectionsNamed(expected: string): readonly ArtifactRow[] {
    const named = [...this.#files.values()].filter((file) => namesDocument(expected, file.path))
    return named.flatMap((file) => this.sectionsOf(file))
  }

  /** Why the walk skipped a document; null if it did not find it. */
  skipped(path: string): string | null {
    const found = this.#reader.skipped().find((file) => file.path === path)
    return found === undefined ? null : `${found.reason}: ${found.detail}`
  }

  /** A section's own text, and the start of its prose: frontmatter is never quoted. */
  body(section: ArtifactRow): { readonly text: ArtifactText; readonly from: number } {
    const text = this.#reader.text(section.rowId)
    const frontmatter = section.level === 0 && /^(?:---|\+\+\+)/.test(text.text)
    return { text, from: frontmatter ? (text.pieces[0]?.end ?? 0) : 0 }
  }

  prose(section: ArtifactRow): string {
    const { text, from } = this.body(section)
    return text.text.slice(from)
  }

  /** A section's heading as in the digest and as in the document. */
  heading(id: string): string {
    const section = this.sectionById(id)
    if (section === null) return ''
    const { text } = this.body(section)
    const first = text.pieces[0]
    return first === undefined || section.level === 0
      ? section.name
      : `${section.name}\n${text.text.slice(first.start, first.end)}`
  }

  sectionById(id: string): ArtifactRow | null {
    for (const { file } of this.#splits(id)) {
      const found = this.sectionsOf(file).find((section) => section.id === id)
      if (found !== undefined) return found
    }
    return null
  }

  /** A path may contain `#`, so that each position is tried: the document and what follows. */
  *#splits(reference: string): Generator<{ file: FileRow; after: string }> {
    const whole = this.#files.get(reference)
    if (whole !== undefined) yield { file: whole, after: '' }
    for (let at = reference.indexOf('#'); at !== -1; at = reference.indexOf('#', at + 1)) {
      const file = this.#files.get(reference.slice(0, at))
      if (file !== undefined) yield { file, after: reference.slice(at + 1) }
    }
  }

  /** The sections of an entry of `expected_sections`, or a sentence why there are none. */
  place(expected: string): ExpectedPlace | string {
    const reference = expected.startsWith('./') ? expected.slice(2) : expected
    const named = this.sectionById(reference) ?? this.#sectionByAnchor(reference)
    if (named !== null) return this.#placeOf(named)
    const [, path = '', first = '', last = first] = lineSuffix.exec(reference) ?? []
    const file = this.#files.get(path)
    if (file !== undefined) return this.#placeOfLines(file, { start: Number(first), end: Number(last) })
    return this.#whyNowhere(reference)
  }

  #sectionByAnchor(reference: string): ArtifactRow | null {
    for (const { file, after } of this.#splits(reference)) {
      const rowId = this.#reader.anchorsOf(file.id).get(after)
      const found = this.sectionsOf(file).find((section) => section.rowId === rowId)
      if (found !== undefined) return found
    }
    return null
  }

  /** A section's own lines; with the sections below it if it has only a heading. */
  #placeOf(section: ArtifactRow): ExpectedPlace {
    const file = this.#reader.file(section.file)
    const own = section.ownLines === null ? null : this.#placeOfLines(file, section.ownLines)
    const headed = section.level > 0 ? 1 : 0
    return typeof own === 'object' && own !== null && own.numbers.length > headed
      ? own
      : (this.#placeOfLines(file, section.lines) as ExpectedPlace)
  }

  #placeOfLines(file: FileRow, lines: Lines): ExpectedPlace | string {
    const sections = this.sectionsOf(file).filter(
      ({ ownLines }) => ownLines !== null && ownLines.start <= lines.end && ownLines.end >= lines.start,
    )
    const numbers = sections.flatMap((section) =>
      this.#proseLines(section).filter((line) => lines.start <= line && line <= lines.end),
    )
    if (numbers.length === 0 && lines.start > (this.sectionsOf(file)[0]?.lines.end ?? 0))
      return `${file.path} has only ${this.sectionsOf(file)[0]?.lines.end ?? 0} lines`
    return { path: file.path, lines, numbers, sections }
  }

  /** Numbers of a section's lines that are neither blank nor frontmatter. */
  #proseLines(section: ArtifactRow): number[] {
    const { text, from } = this.body(section)
    const found = findLines(text.text)
    const first = section.ownLines?.start ?? section.lines.start
    return found.starts.flatMap((start, line) =>
      start >= from && lineAt(found, line).trim() !== '' ? [first + line] : [],
    )
  }

  #whyNowhere(reference: string): string {
    const split = [...this.#splits(reference)][0]
    if (split !== undefined) return `${split.file.path} has no section ${split.after}`
    const path = (lineSuffix.exec(reference)?.[1] ?? reference).split('#', 1)[0] as string
    const skipped = this.skipped(path)
    return skipped === null ? `no document ${path} in the index` : `${path} was skipped (${skipped})`
  }

  /** For each phrase the first section whose prose contains it; a phrase across headings counts for its first section. */
  findPhrases(phrases: Iterable<string>): ReadonlyMap<string, ArtifactRow> {
    const found = new Map<string, ArtifactRow>()
    const open = new Map([...phrases].map((phrase) => [phrase, foldText(phrase)]))
    for (const file of this.#files.values()) {
      if (open.size === 0) break
      const sections = this.sectionsOf(file)
      const texts = sections.map((section) => foldText(this.prose(section)))
      const whole = texts.filter((text) => text !== '').join(' ')
      for (const [phrase, folded] of open) {
        if (!whole.includes(folded)) continue
        const at = texts.findIndex((text) => text.includes(folded))
        const section = sections[at === -1 ? ownerOf(texts, whole.indexOf(folded)) : at]
        if (section !== undefined) found.set(phrase, section)
        open.delete(phrase)
      }
    }
    return found
  }
}

/** Which of the texts, joined by blanks, contains this offset? */
function ownerOf(texts: readonly string[], offset: number): number {
  let end = 0
  for (const [index, text] of texts.entries()) {
    if (text === '') continue
    end += text.length + 1
    if (offset < end) return index
  }
  return texts.length - 1
}
