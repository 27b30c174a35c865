// How is a question searched? Names in it are resolved, its meaning is looked up, and the cascade decides which way answers.
import type { CanonicalityWeights } from '../../corpus/graph/score-canonicality.ts'
import type { IdFamily } from '../../corpus/resolve/decision-ids.ts'
import type { CitedDocument } from '../../corpus/resolve/question/point-back.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { addCallerWords, type CallerWords, listCallerWords } from '../retrieve/caller-words.ts'
import { type CorrectedWord, spellQuestion } from '../retrieve/correct-spelling.ts'
import { type CascadeResult, runCascade } from '../retrieve/run-cascade.ts'
import { type ChosenScope, wholeCorpus } from './choose-scope.ts'
import { findMeaning, type QuestionVector } from './find-meaning.ts'
import type { NamedDocuments } from './find-named-documents.ts'

/** Context of a question within a conversation. */
export interface ConversationContext {
  /** What earlier answers cited, in order. */
  readonly cited: readonly CitedDocument[]
  /** The question as rewritten by an LLM, when no name in it was resolved. */
  readonly rewritten: string | null
}

export interface CascadeContext {
  readonly reader: CorpusReader
  readonly now: number
  readonly authority: CanonicalityWeights
  readonly relevanceThreshold: number
  /** Minimum confidences of a named document: to search it alone, and to boost it. */
  readonly referenceFilterFrom: number
  readonly referenceBoostFrom: number
  readonly meaning: QuestionVector | null
  /** Words of the question that are searched by others. */
  readonly corrected: readonly CorrectedWord[]
  /** Words and names that the caller expects in the answer. */
  readonly callerWords?: CallerWords
  readonly naming: NamedDocuments
  readonly families: readonly IdFamily[]
  readonly conversation?: ConversationContext
  readonly scope?: ChosenScope
}

/** The question with its slips corrected, and how it was understood. */
export function readQuestion(
  question: string,
  { corrected, callerWords = {} }: Pick<CascadeContext, 'corrected' | 'callerWords'>,
): { readonly spelled: string; readonly analysis: QueryAnalysis } {
  const spelled = spellQuestion(question, corrected)
  return { spelled, analysis: addCallerWords(analyzeQuery(spelled), listCallerWords(callerWords)) }
}

/** Runs inside a snapshot of the index. */
export function searchByCascade(
  question: string,
  analysis: QueryAnalysis,
  context: CascadeContext,
): CascadeResult {
  const { reader, now, authority, relevanceThreshold, referenceFilterFrom: filterFrom } = context
  const { cited = [], rewritten = null } = context.conversation ?? {}
  const { only: onlyFiles, near } = context.scope ?? wholeCorpus
  const isInside = (path: string): boolean => onlyFiles?.has(reader.fileByPath(path)?.id ?? -1) ?? true
  const named = context.naming
    .find(reader, { text: question, analysis, cited, filterFrom }, context.families)
    .filter(({ path }) => isInside(path))
  const rank = { now, authority, onlyFiles, near, ...findMeaning(reader, context.meaning, onlyFiles) }
  return runCascade(reader, analysis, {
    rank,
    named,
    filterFrom,
    boostFrom: context.referenceBoostFrom,
    relevanceThreshold,
    rewritten: rewritten === null ? null : analyzeQuery(rewritten),
    overview: cited.length > 0,
  })
}

/** Caches the candidates of the last question while the index stays as it is: the same question at another budget is ranked once. */
export class RememberedSearch {
  #last: { readonly reader: CorpusReader; readonly key: string; readonly found: CascadeResult } | null = null

  find(question: string, analysis: QueryAnalysis, context: CascadeContext): CascadeResult {
    const { reader, meaning, conversation, relevanceThreshold, scope } = context
    const key = JSON.stringify([
      question,
      analysis.callerWords,
      reader.meta('generation'),
      meaning?.model,
      meaning?.weight,
      conversation,
      relevanceThreshold,
      scope?.near,
      scope?.only == null ? null : [...scope.only],
    ])
    if (this.#last?.key !== key || this.#last.reader !== reader)
      this.#last = { reader, key, found: searchByCascade(question, analysis, context) }
    return this.#last.found
  }
}
