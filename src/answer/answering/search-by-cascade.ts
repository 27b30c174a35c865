// How is a question searched? Names in it are resolved, its meaning is looked up, and the cascade decides which way answers.
import type { IdFamily } from '../../corpus/resolve/decision-ids.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Confidence } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { NamedDocuments } from '../names/named-documents.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { type CallerWords, listCallerNames, listCallerWords } from '../retrieve/caller-words.ts'
import { labelOf } from '../retrieve/judge-answer.ts'
import { type CascadeResult, runCascade } from '../retrieve/run-cascade.ts'
import { VERDICT_FROM } from '../retrieve/tuning.ts'
import { type ChosenScope, wholeCorpus } from './choose-scope.ts'
import { findMeaning, guideByMeaning, type QuestionVector } from './find-meaning.ts'
import { leadWithLookedUp } from './look-up.ts'

export interface CascadeContext {
  readonly reader: CorpusReader
  readonly now: number
  readonly relevanceThreshold: number
  /** Minimum confidences of a named document: to search it alone, and to boost it. */
  readonly referenceFilterFrom: number
  readonly referenceBoostFrom: number
  readonly meaning: QuestionVector | null
  /** Words and names that the caller expects in the answer. */
  readonly callerWords?: CallerWords
  readonly naming: NamedDocuments
  readonly families: readonly IdFamily[]
  /** A question of a conversation as an LLM rewrote it, to be understood alone. */
  readonly rewritten?: string | null
  readonly scope?: ChosenScope
  readonly listsFiles?: boolean
  /** True if the index does not have all files yet. */
  readonly isPartial?: boolean
}

/** What is not in a part of the index may be in the rest. */
export function judgePart(
  confidence: Confidence,
  { isPartial }: Pick<CascadeContext, 'isPartial'>,
): Confidence {
  if (isPartial !== true || confidence.label !== 'none') return confidence
  return { ...confidence, label: 'low', why: 'nothing that is indexed so far fits' }
}

/** What the graph gave is certain; what is asked of a name that exists nowhere has no answer. */
function judgeLookedUp(
  confidence: Confidence,
  { sections, unknownName }: Pick<CascadeResult, 'sections' | 'unknownName'>,
): Confidence {
  const lookedUp = sections[0]?.lookedUp
  if (lookedUp !== undefined) return { label: 'high', score: 1, ...lookedUp }
  if (unknownName === undefined) return confidence
  const score = Math.min(confidence.score, VERDICT_FROM.medium - 0.01)
  return { label: labelOf(score), score, why: `nothing here is called “${unknownName}”` }
}

/** How the question and the caller's words are understood. */
export function analyzeAsked(question: string, { callerWords = {} }: Pick<CascadeContext, 'callerWords'>) {
  const given = listCallerWords(callerWords)
  const asked = analyzeQuery(question)
  return given.length === 0
    ? asked
    : { ...asked, callerWords: given, callerNames: listCallerNames(callerWords) }
}

/** Runs inside a snapshot of the index. */
export function searchByCascade(
  question: string,
  analysis: QueryAnalysis,
  context: CascadeContext,
): CascadeResult {
  const { reader, now, relevanceThreshold, referenceFilterFrom: filterFrom } = context
  const { rewritten = null } = context
  const { only: onlyFiles, near } = context.scope ?? wholeCorpus
  const isInside = (path: string): boolean => onlyFiles?.has(reader.fileByPath(path)?.id ?? -1) ?? true
  const named = context.naming
    .find(reader, { text: rewritten ?? question, analysis, filterFrom }, context.families)
    .filter(({ path }) => isInside(path))
  const { listsFiles = false } = context
  const rank = { now, onlyFiles, near, listsFiles, ...findMeaning(reader, context.meaning, onlyFiles) }
  const found = runCascade(reader, analysis, {
    rank,
    named,
    filterFrom,
    boostFrom: context.referenceBoostFrom,
    relevanceThreshold,
    rewritten: rewritten === null ? null : analyzeQuery(rewritten),
    guide: guideByMeaning(reader, context.meaning, onlyFiles),
  })
  const isIn = (file: number): boolean => onlyFiles?.has(file) ?? true
  const looked = leadWithLookedUp(found.sections, { question, analysis, ...context, isInside: isIn })
  return { ...found, ...looked, confidence: judgeLookedUp(judgePart(found.confidence, context), looked) }
}

/** Caches the candidates of the last question while the index stays as it is: the same question at another budget is ranked once. */
export class RememberedSearch {
  #last: { readonly reader: CorpusReader; readonly key: string; readonly found: CascadeResult } | null = null

  find(question: string, analysis: QueryAnalysis, context: CascadeContext): CascadeResult {
    const { reader, meaning, rewritten, relevanceThreshold, scope } = context
    const key = JSON.stringify([
      question,
      analysis.callerWords,
      analysis.callerNames,
      reader.meta('generation'),
      meaning?.model,
      meaning?.weight,
      rewritten,
      relevanceThreshold,
      scope?.near,
      scope?.only == null ? null : [...scope.only],
    ])
    if (this.#last?.key !== key || this.#last.reader !== reader)
      this.#last = { reader, key, found: searchByCascade(question, analysis, context) }
    return this.#last.found
  }
}
