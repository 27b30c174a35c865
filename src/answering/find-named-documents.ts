// Does the question name a document? The names of the corpus, built when a question looks as if it might, kept while the index stays.

import type { QueryAnalysis } from '../model/report.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { type DocumentNames, makeDocumentNames } from '../resolve/document-names.ts'
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

/** Names of the documents of one index, built once per generation. */
export class NamedDocuments {
  readonly #few = perGeneration<DocumentNames>()
  readonly #all = perGeneration<DocumentNames>()

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
    const all = (): DocumentNames => this.#all(reader, () => readNames(reader, asked.families, true))
    if (asked.cited.length > 0 || !isPlainQuestion(text)) return resolveQuestion(text, all(), asked)
    const few = this.#few(reader, () => readNames(reader, asked.families, false))
    return resolvePlainQuestion(text, few, all)
  }
}

interface Asked {
  readonly families: readonly IdFamily[]
  readonly cited: readonly CitedDocument[]
}

/** With the headings of all documents and what others call them, or without. */
function readNames(reader: CorpusReader, families: readonly IdFamily[], whole: boolean): DocumentNames {
  const references = reader.references()
  const catalogue = references.catalogue()
  const rows = catalogue.filter(({ isCode }) => isCode === 0)
  const codePaths = catalogue.filter(({ isCode }) => isCode !== 0).map(({ path }) => path)
  const documents = rows.map(({ file, path, title, frontmatter }) => ({
    path,
    title,
    frontmatter: JSON.parse(frontmatter) as Record<string, unknown>,
    sections: whole ? references.sectionsOf(file) : [],
  }))
  return makeDocumentNames(documents, { links: whole ? references.linkTexts() : [], families, codePaths })
}

/** Made once for as long as the index stays as it is. */
function perGeneration<T>(): (reader: CorpusReader, make: () => T) => T {
  let kept: { reader: CorpusReader; generation: string; made: T } | null = null
  return (reader, make) => {
    const generation = reader.meta('generation') ?? ''
    if (kept?.reader !== reader || kept.generation !== generation) kept = { reader, generation, made: make() }
    return kept.made
  }
}
