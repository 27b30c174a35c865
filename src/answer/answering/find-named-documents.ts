// Does the question name a document? The names of the corpus, read when a question looks as if it might.

import type { IdFamily } from '../../corpus/resolve/decision-ids.ts'
import type { DocumentNames } from '../../corpus/resolve/document-names.ts'
import type { CitedDocument } from '../../corpus/resolve/question/point-back.ts'
import { resolveQuestion } from '../../corpus/resolve/question/resolve-question.ts'
import { likely } from '../../corpus/resolve/question/tuning.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { NamedInQuestion } from '../retrieve/run-cascade.ts'

/** Up to this many words a question may be nothing but a document's name. */
const FEW_WORDS = 3

/** Cheap pre-check: a longer question without any of these (cue words, ids, paths, file names) names no document. */
const referring =
  /\b(?:page|doc|docs|document|guide|paper|article|section|chapter|tutorial|file|readme|runbook|spec|specification|proposal|record|report|note|notes)\b|\b[A-Za-z]{2,8}[-_ ]?\d{1,5}\b|\b\d{4}\b|[\w-]\.[a-z]{2,5}\b|\w\/\w|et al\b/i

/** With more words than these in addition to the name, the question is not confined to the named document. */
const OTHER_WORDS = 4

function countOthers(words: ReadonlySet<string>, mention: string): number {
  const named = mention.toLowerCase()
  return [...words].filter((word) => !word.includes(' ') && !named.includes(word.toLowerCase())).length
}

/** Names of the documents of one index, read again when they changed. */
export class NamedDocuments {
  #kept: { readonly reader: CorpusReader; readonly version: string; readonly names: DocumentNames } | null =
    null

  /** The documents that the question names, with how sure that is. */
  find(
    reader: CorpusReader,
    question: {
      text: string
      analysis: QueryAnalysis
      cited?: readonly CitedDocument[]
      filterFrom?: number
    },
    families: readonly IdFamily[],
  ): NamedInQuestion[] {
    const words = new Set(question.analysis.terms.map(({ word }) => word))
    const { text, cited = [], filterFrom } = question
    // In a conversation, "it" and "the second one" refer to documents, too.
    if (cited.length === 0 && words.size > FEW_WORDS && !referring.test(text)) return []
    const found: NamedInQuestion[] = []
    for (const reference of resolveQuestion(text, this.#names(reader, families), { cited, filterFrom })) {
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

  /** Kept for as long as documents are called as they were: text alone may change, as it mostly does. */
  #names(reader: CorpusReader, families: readonly IdFamily[]): DocumentNames {
    const version = reader.namesVersion()
    if (this.#kept?.reader !== reader || this.#kept.version !== version)
      this.#kept = { reader, version, names: reader.documentNames(families) }
    return this.#kept.names
  }
}
