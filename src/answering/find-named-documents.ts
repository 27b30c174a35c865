// Does the question name a document? The names of the corpus, built when a question looks as if it might, kept while the index stays.

import type { QueryAnalysis } from '../model/report.ts'
import type { IdFamily } from '../resolve/decision-ids.ts'
import { type DocumentNames, makeDocumentNames } from '../resolve/document-names.ts'
import type { CitedDocument } from '../resolve/question/point-back.ts'
import { resolveQuestion } from '../resolve/question/resolve-question.ts'
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
  #built: { reader: CorpusReader; generation: string; names: DocumentNames } | null = null

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
    for (const reference of resolveQuestion(text, this.#names(reader, families), { cited })) {
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

  #names(reader: CorpusReader, families: readonly IdFamily[]): DocumentNames {
    const generation = reader.meta('generation') ?? ''
    if (this.#built?.reader === reader && this.#built.generation === generation) return this.#built.names
    const references = reader.references()
    const catalogue = references.catalogue()
    const rows = catalogue.filter(({ isCode }) => isCode === 0)
    const codePaths = catalogue.filter(({ isCode }) => isCode !== 0).map(({ path }) => path)
    const documents = rows.map(({ file, path, title, frontmatter }) => ({
      path,
      title,
      frontmatter: JSON.parse(frontmatter) as Record<string, unknown>,
      sections: references.sectionsOf(file),
    }))
    const names = makeDocumentNames(documents, { links: references.linkTexts(), families, codePaths })
    this.#built = { reader, generation, names }
    return names
  }
}
