// What does the caller expect the answer to say? Words and names given with the question: they order its results, and never decide whether anything answers it.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { CallerWordsUse } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { RankedSection } from '../../model/section.ts'
import { analyzeQuery } from './analyze-query.ts'
import type { Features } from './feature-table.ts'
import { EXACT_WORDS } from './find-literals.ts'
import { holdsPhrases, type Ranking } from './rank-sections.ts'
import {
  CALLER_AGREEMENT,
  CALLER_WEIGHT,
  LITERAL_RANKS,
  MOST_CALLER_WORDS,
  OWN_SECTIONS,
  WORD_SECTIONS,
} from './tuning.ts'

/** A caller's guess at what the text or code of the answer says; a text lists them with commas. */
export interface CallerWords {
  /** General vocabulary: `backoff`, `exponential`. */
  readonly words?: readonly string[] | string | undefined
  /** Identifiers: `retryDelay`, `--max-time`. */
  readonly names?: readonly string[] | string | undefined
}

/** Characters of one entry: a longer one is a text, not a word. */
const LONGEST_WORD = 80

/** The entries of a list, each once, in order; further ones than the limit are ignored. */
function listWords(given: CallerWords['words']): string[] {
  const entries = (typeof given === 'string' ? [given] : (given ?? []))
    .flatMap((entry) => entry.split(','))
    .map((entry) => entry.trim().slice(0, LONGEST_WORD))
    .filter((entry) => entry !== '')
  return [...new Set(entries)].slice(0, MOST_CALLER_WORDS)
}

export function listCallerWords({ words, names }: CallerWords): string[] {
  return [...new Set([...listWords(words), ...listWords(names)])]
}

/** The analysis with the caller's terms that the question does not have itself. */
export function addCallerWords(analysis: QueryAnalysis, given: readonly string[]): QueryAnalysis {
  if (given.length === 0) return analysis
  const asked = new Set(analysis.terms.map(({ term }) => term))
  const callerTerms = analyzeQuery(given.join(' '))
    .terms.filter(({ term }) => !asked.has(term))
    .map((one) => ({ ...one, weight: CALLER_WEIGHT * one.weight }))
  return { ...analysis, callerWords: given, callerTerms }
}

/** Why the words cannot help this question; null where they may. */
function refuseWords({ intents, callerTerms = [] }: QueryAnalysis, { sections }: Ranking): string | null {
  if (intents.includes('callers')) return 'the question asks for callers'
  if (intents.includes('name')) return 'the question asks for one name'
  if (callerTerms.length === 0) return 'the question has all of them'
  return sections.length === 0 ? 'nothing matches the question' : null
}

/**
 * The order by question and words, where the words agree with the corpus and with the question: the sections that they
 * put first hold many of them, and so does one of the sections that the question finds alone. Everything else, such as
 * the confidence, stays that of the question alone.
 */
export function rankByCallerWords(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  alone: Ranking,
  rank: (analysis: QueryAnalysis) => Ranking,
): { readonly ranking: Ranking; readonly use: CallerWordsUse } {
  const { callerWords: given = [], phrases } = analysis
  const ignored = (why: string): ReturnType<typeof rankByCallerWords> => ({
    ranking: alone,
    use: { given, used: false, why },
  })
  const refused = refuseWords(analysis, alone)
  if (refused !== null) return ignored(refused)
  const guided = rank(analysis)
  const { least, whereConfident, confidentFrom } = CALLER_AGREEMENT
  const needed = alone.confidence.score < confidentFrom ? least : whereConfident
  if (findAgreement(alone, guided) < needed)
    return ignored('no section that fits the question holds enough of them')
  const isLiteral = (section: RankedSection, features: Partial<Features>): boolean =>
    isQuoted(features) || (phrases.length > 0 && holdsPhrases(reader, section, phrases))
  const { matchedFragments, documentScore } = guided
  return {
    ranking: { ...alone, matchedFragments, documentScore, sections: keepLiteral(alone, guided, isLiteral) },
    use: { given, used: true, why: 'sections that fit the question hold them' },
  }
}

/** Mean of two shares of the words, weighted by IDF: in the sections that they put first, and in the best of the question's own. */
function findAgreement(alone: Ranking, { sections, evidence }: Ranking): number {
  const shares = new Map(
    sections.map(({ artifact }, at) => [artifact.id, evidence.candidates[at]?.features.callerCoverage ?? 0]),
  )
  const shareOf = ({ artifact }: RankedSection): number => shares.get(artifact.id) ?? 0
  const first = sections.slice(0, WORD_SECTIONS).map(shareOf)
  const own = alone.sections.slice(0, OWN_SECTIONS).map(shareOf)
  return (first.reduce((sum, one) => sum + one, 0) / first.length + Math.max(...own)) / 2
}

/** Holds the question's own text: a run of its words, the name or the line that it asks for. */
function isQuoted(features: Partial<Features>): boolean {
  const { quoted = 0, defines, namesLine } = features
  return quoted >= 0.5 || defines === 1 || namesLine === 1
}

/** A literal match of the question keeps at least the rank that it has without the words; one that leads by its exact words alone, the second. */
function keepLiteral(
  { sections: own, evidence }: Ranking,
  guided: Ranking,
  isLiteral: (section: RankedSection, features: Partial<Features>) => boolean,
): RankedSection[] {
  const order = [...guided.sections]
  for (const [rank, section] of own.slice(0, LITERAL_RANKS).entries()) {
    if (!isLiteral(section, evidence.candidates[rank]?.features ?? {})) continue
    const leads = section.signals.parts.some(({ name }) => name === EXACT_WORDS)
    const kept = leads ? Math.max(1, rank) : rank
    const at = order.findIndex(({ artifact }) => artifact.id === section.artifact.id)
    if (at >= 0 && at <= kept) continue
    const [moved = section] = at < 0 ? [] : order.splice(at, 1)
    order.splice(kept, 0, { ...moved, score: Math.max(moved.score, order[kept]?.score ?? 0) })
  }
  return order
}
