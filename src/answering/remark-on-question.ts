// What must a reader of the answer know about the question? Words and quoted phrases that nothing in the corpus has.
import type { QueryAnalysis } from '../model/report.ts'
import { describeMissing, findMissingWords } from '../retrieve/missing-words.ts'
import type { Ranking } from '../retrieve/rank-sections.ts'
import { countNameWords, suggestTerms } from '../retrieve/suggest-terms.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'

/** Names looked through for suggestions. */
const NAMES_LIMIT = 200_000
const NEAR_TERMS = 3

const counted = new WeakMap<
  CorpusReader,
  { generation: string | null; counts: ReadonlyMap<string, number> }
>()

/** Counted once while the index stays as it is: reading all names costs more than the rest of a question. */
function nameWords(reader: CorpusReader): ReadonlyMap<string, number> {
  const generation = reader.meta('generation')
  let known = counted.get(reader)
  if (known?.generation !== generation || known === undefined) {
    known = { generation, counts: countNameWords(reader.names(NAMES_LIMIT)) }
    counted.set(reader, known)
  }
  return known.counts
}

/** Words of headings and titles that are near these words, nearest first. */
export function findNearTerms(reader: CorpusReader, words: readonly string[], limit?: number): string[] {
  return suggestTerms(words, nameWords(reader), limit)
}

/** Remarks on a question that something was found for. */
export function remarkOnQuestion(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  {
    sections,
    missingPhrases,
    count,
  }: Pick<Ranking, 'sections' | 'missingPhrases'> & { readonly count: (term: string) => number },
): string[] {
  if (sections.length === 0) return []
  const { livingFragments: fragments } = reader.lexical()
  const missing = findMissingWords(analysis, { count, fragments })
  const near = missing.words.length > 0 ? findNearTerms(reader, missing.words, NEAR_TERMS) : []
  const said = describeMissing(missing, near)
  const unquoted = missingPhrases.filter((phrase) => !missing.words.includes(phrase))
  return [
    ...(said === null ? [] : [said]),
    ...(missing.all
      ? []
      : unquoted.map((phrase) => `Nothing that was found has “${phrase}” as it is quoted.`)),
  ]
}
