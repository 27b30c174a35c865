// Which of the corpus's own words might the caller try next? Headings, symbols and options of the sections nearest to a doubtful question.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Passage } from '../../model/digest.ts'
import { markOneLine } from '../../model/mark-invisible.ts'
import type { AssembleResult, QueryAnalysis } from '../../model/report.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'
import type { CascadeResult } from '../retrieve/run-cascade.ts'

/** Minimum budget of a digest that asks for words; a smaller one holds passages alone. */
export const ASKING_TOKENS = 1_000
const MOST_TERMS = 5
/** Sections that are not shown whose names are offered, and those whose text is read for options. */
const NAMED_SECTIONS = 20
const READ_SECTIONS = 5
const READ_CHARS = 4_000
const LONGEST_TERM = 40

/** `--max-time`, or a name in code marks. */
const options = /(?<![\w-])--[a-z][a-z0-9-]{2,38}|(?<=`)[A-Za-z_][\w.-]{2,38}(?=`)/g

/** Sections that the caller sees. */
type Shown = readonly Pick<Passage, 'artifacts' | 'name'>[]

/** Names in the order of the ranking that say something the question and the shown passages do not. */
function listTerms({ context: { reader }, analysis, ranking }: AskedRanking, passages: Shown): string[] {
  const shown = new Set(passages.flatMap(({ artifacts }) => artifacts))
  const asked = [...analysis.terms, ...(analysis.callerTerms ?? [])].map(({ term }) => term)
  const said = new Set([...asked, ...passages.flatMap(({ name }) => termsIn(name))])
  const others = ranking.sections.filter(({ artifact }) => !shown.has(artifact.id)).slice(0, NAMED_SECTIONS)
  const names = others.map(({ artifact }) => artifact.headings.at(-1) ?? artifact.name)
  const written = others
    .slice(0, READ_SECTIONS)
    .flatMap(({ artifact }) => reader.text(artifact.rowId).text.slice(0, READ_CHARS).match(options) ?? [])
  const isNew = (name: string): boolean => termsIn(name).some((term) => !said.has(term))
  const kept = [...names.slice(0, MOST_TERMS - 1), ...written, ...names]
    .map((name) => markOneLine(name).trim())
    .filter((name) => name.length > 2 && name.length <= LONGEST_TERM && isNew(name))
  return [...new Map(kept.map((name) => [name.toLowerCase(), name])).values()].slice(0, MOST_TERMS)
}

interface AskedRanking {
  readonly context: { readonly reader: CorpusReader }
  readonly analysis: QueryAnalysis
  readonly ranking: CascadeResult
}

/** The index terms of a question and its caller's words, and words of the corpus that the caller may add. */
export function listVocabulary(asked: AskedRanking, shown: Shown): NonNullable<AssembleResult['vocabulary']> {
  const { terms, callerTerms = [] } = asked.analysis
  return { asked: [...terms, ...callerTerms].map(({ term }) => term), near: listTerms(asked, shown) }
}

/** False with a high confidence, as words bring no more there (half A of the real questions), or where words were given. */
export function mayWordsHelp(
  { intents }: Pick<QueryAnalysis, 'intents'>,
  { confidence, strategy }: Pick<CascadeResult, 'confidence' | 'strategy'>,
): boolean {
  const isExact = intents.includes('callers') || intents.includes('name')
  return !isExact && confidence.label !== 'high' && strategy.callerWords === undefined
}

/** How the line of terms begins. */
export const NEAR_THE_QUESTION = 'Terms of this repository near the question'

/** Terms of the corpus for a caller whose words may help. */
export function askForWords(asked: AskedRanking, shown: Shown): string[] {
  if (!mayWordsHelp(asked.analysis, asked.ranking)) return []
  const terms = listTerms(asked, shown)
  return terms.length === 0 ? [] : [`${NEAR_THE_QUESTION}: ${terms.join(', ')}.`]
}
