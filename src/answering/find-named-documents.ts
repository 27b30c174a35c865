// Does the question name a document? The names of the corpus, built when a question looks as if it might, kept while the index stays.

import type { QueryAnalysis } from '../model/report.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { type DocumentNames, makeDocumentNames, type NamedDocument } from '../resolve/document-names.ts'
import type { CitedDocument } from '../resolve/question/point-back.ts'
import {
  isPlainQuestion,
  type QuestionReference,
  resolvePlainQuestion,
  resolveQuestion,
} from '../resolve/question/resolve-question.ts'
import { likely } from '../resolve/question/tuning.ts'
import type { NamedInQuestion } from '../retrieve/run-cascade.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { CatalogueRow } from '../store/reference-reader.ts'

/** Up to this many words a question may be nothing but a document's name. */
const FEW_WORDS = 3

/** Cheap pre-check: a longer question without any of these (cue words, ids, paths, file names) names no document. */
const referring =
  /\b(?:page|doc|docs|document|guide|paper|article|section|chapter|tutorial|file|readme|runbook|spec|specification|proposal|record|report|note|notes)\b|\b[A-Za-z]{2,8}[-_ ]?\d{1,5}\b|\b\d{4}\b|[\w-]\.[a-z]{2,5}\b|\w\/\w|et al\b/i

/** With more words beside the name, the question is not confined to the named document. */
const OTHER_WORDS = 4

function countOthers(words: ReadonlySet<string>, mention: string): number {
  const named = mention.toLowerCase()
  return [...words].filter((word) => !word.includes(' ') && !named.includes(word.toLowerCase())).length
}

/** Names of the documents of one index, built again when they changed. */
export class NamedDocuments {
  readonly #few = perGeneration<DocumentNames>()
  readonly #all = perGeneration<DocumentNames>()
  /** Documents with their headings as they were read last, by file: mostly few have changed since. */
  #known: KnownDocuments = new Map()

  /** The documents that the question names, with how sure that is. */
  find(
    reader: CorpusReader,
    question: { text: string; analysis: QueryAnalysis; cited?: readonly CitedDocument[] },
    families: readonly IdFamily[],
  ): NamedInQuestion[] {
    const words = new Set(question.analysis.terms.map(({ word }) => word))
    const { text, cited = [] } = question
    // In a conversation, "it" and "the second one" refer to documents, too.
    if (cited.length === 0 && words.size > FEW_WORDS && !referring.test(text)) return []
    const found: NamedInQuestion[] = []
    for (const reference of this.#resolve(reader, text, { families, cited })) {
      if (reference.outcome === 'ambiguous' && cited.length > 0) {
        const { mention, candidates } = reference
        for (const path of candidates) found.push({ path, mention, confidence: likely, exclusive: false })
      }
      if (reference.outcome !== 'resolved') continue
      const { path, mention, confidence } = reference
      const exclusive = reference.exclusive && countOthers(words, mention) <= OTHER_WORDS
      found.push({ path, mention, confidence, exclusive })
    }
    return found
  }

  #resolve(reader: CorpusReader, text: string, asked: Asked): QuestionReference[] {
    const all = (): DocumentNames =>
      this.#all(reader, () => {
        const { names, known } = readNames(reader, asked.families, this.#known)
        this.#known = known
        return names
      })
    if (asked.cited.length > 0 || !isPlainQuestion(text)) return resolveQuestion(text, all(), asked)
    const few = this.#few(reader, () => readNames(reader, asked.families, null).names)
    return resolvePlainQuestion(text, few, all)
  }
}

interface Asked {
  readonly families: readonly IdFamily[]
  readonly cited: readonly CitedDocument[]
}

/** A document as names are made of it, with the row that it was read from. */
interface KnownDocument {
  readonly row: CatalogueRow
  readonly document: NamedDocument
}

type KnownDocuments = ReadonlyMap<number, KnownDocument>

function isSame(one: CatalogueRow, other: CatalogueRow): boolean {
  return (
    one.path === other.path &&
    one.title === other.title &&
    one.frontmatter === other.frontmatter &&
    one.sectionsSum === other.sectionsSum
  )
}

/** With the headings of all documents and what others call them; without, where nothing is `known`. */
function readNames(
  reader: CorpusReader,
  families: readonly IdFamily[],
  known: KnownDocuments | null,
): { readonly names: DocumentNames; readonly known: KnownDocuments } {
  const references = reader.references()
  const catalogue = references.catalogue()
  const codePaths = catalogue.filter(({ isCode }) => isCode !== 0).map(({ path }) => path)
  const read = (row: CatalogueRow): NamedDocument => ({
    path: row.path,
    title: row.title,
    frontmatter: JSON.parse(row.frontmatter) as Record<string, unknown>,
    sections: known === null ? [] : references.sectionsOf(row.file),
  })
  const documents = catalogue
    .filter(({ isCode }) => isCode === 0)
    .map((row): KnownDocument => {
      const before = known?.get(row.file)
      return before !== undefined && isSame(before.row, row) ? before : { row, document: read(row) }
    })
  const names = makeDocumentNames(
    documents.map(({ document }) => document),
    { links: known === null ? [] : references.linkTexts(), families, codePaths },
  )
  return { names, known: new Map(documents.map((one) => [one.row.file, one])) }
}

/** Made once for as long as names and references stay as they are: text alone may change, as it mostly does. */
function perGeneration<T>(): (reader: CorpusReader, make: () => T) => T {
  let kept: { reader: CorpusReader; generation: string; made: T } | null = null
  return (reader, make) => {
    const generation = reader.meta('namesGeneration') ?? reader.meta('generation') ?? ''
    if (kept?.reader !== reader || kept.generation !== generation) kept = { reader, generation, made: make() }
    return kept.made
  }
}
