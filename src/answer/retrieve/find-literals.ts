// Which sections say exactly what the question quotes? A message whose values the code leaves open, a heading, a quoted string, an error code.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { SectionWords } from '../../corpus/store/rows/section-words.ts'
import type { RankedSection } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { analyzeWords, termsIn } from '../../read/parse/words/analyze-words.ts'
import { type Alignment, alignLiteral, type LiteralAligner } from './align-literal.ts'
import { withoutLogFrame } from './read-report.ts'
import { inverseFrequency } from './score-lexical.ts'
import { stopWords } from './stop-words.ts'
import { KeyNumbers } from './text-words.ts'
import { LEAD, LITERAL } from './tuning.ts'

/** A section that may hold a literal of the question. */
interface Searched {
  readonly artifact: { readonly rowId: number; readonly kind: string }
}

interface SectionReader {
  words(rowId: number): Pick<SectionWords, 'all'>
  text(rowId: number): { readonly text: string }
}

/** Quoted strings of several words, and codes such as E1234, ERR_FOO_BAR and ORA-00001. */
const quoted =
  /(["“”`][^"“”`\s]{1,80}[ \t][^"“”`\n]{1,400}["“”`]|(?<![\w-])(?:[A-Z][A-Z0-9]{1,40}(?:[_-][A-Z0-9]{1,40}){1,12}|[A-Z]{1,5}\d{3,6})(?![\w-]))/
/** Strings of a line of code, of a shell script or of Tcl. */
const strings = /"(?:[^"\\]|\\.)*"|`[^`]*`|(?<!\w)'(?:[^'\\]|\\.)*'|\{[^{}]*\}/g
const heading = /^#{1,6} /
/** Where a message has a value. */
const holes = /%[-+ #0]*\d*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t|L)?[a-zA-Z]|\$\{[^}]*\}|\{[^{}]*\}|\$\w+|\\[nrt]/g

/** A section, and which part of it the question repeats. */
export interface Literal<T extends Searched> {
  readonly section: T
  readonly place: Alignment
  /** Does the question quote it? */
  readonly isQuoted: boolean
  /** Does the question have all of its string or line, or is all of the question in it? */
  readonly isVerbatim: boolean
}

type Found<T extends Searched> = Omit<Literal<T>, 'isVerbatim'>

/** A quoted string or a code of the question. */
interface Quote {
  /** Position of its first word. */
  readonly start: number
  readonly weight: number
  readonly aligner: LiteralAligner
}

/** Finds the literals of one question in its candidates. */
export function literalFinder(
  question: string,
  corpus: { frequency: (term: string) => number; fragments: number },
  reader: SectionReader,
) {
  const numberOf = new Map<string, number>()
  const askedKeys = new KeyNumbers()
  const quotes: Quote[] = []
  /** By position: which word of the question, as blanks divide it. */
  const wordOf: number[] = []
  /** By word number: how often the question has the word, and the weight of these positions together. */
  const timesOf: number[] = []
  const weightOf: number[] = []
  const order: number[] = []
  const weights: number[] = []
  const known: number[] = []
  let count = 0
  for (const [at, part] of withoutLogFrame(question).split(quoted).entries()) {
    const start = order.length
    for (const word of part.split(/\s+/)) {
      count++
      analyzeWords(word, (term, isWhole) => {
        if (isWhole || order.length >= LITERAL.questionWords) return
        let number = numberOf.get(term)
        if (number === undefined) {
          number = numberOf.size + 1
          numberOf.set(term, number)
          askedKeys.add(term, number, false)
          const holding = corpus.frequency(term)
          known[number] = holding === 0 ? 0 : inverseFrequency(corpus.fragments, holding)
        }
        timesOf[number] = 1 + (timesOf[number] ?? 0)
        weightOf[number] = (known[number] as number) + (weightOf[number] ?? 0)
        order.push(number)
        weights.push(known[number] as number)
        wordOf.push(count)
      })
    }
    const own = weights.slice(start)
    if (at % 2 === 0 || own.length === 0 || quotes.length >= LITERAL.quotes) continue
    const weight = own.reduce((sum, one) => sum + one, 0)
    quotes.push({ start, weight, aligner: alignLiteral(order.slice(start), own) })
  }
  const whole = alignLiteral(order, weights)
  // A question of fewer words may be a heading.
  const leastWords = Math.max(2, Math.min(LITERAL.words, new Set(wordOf).size))
  const leastWeight = Math.min(LITERAL.weight, LITERAL.rarity * Math.log(1 + corpus.fragments))

  /** Groups of sections that lead, best first: those with the heaviest literal, then with one of another part of the question. */
  function find<T extends Searched>(sections: readonly T[]): Literal<T>[][] {
    const literals = sections.flatMap((section) => alignTo(section))
    literals.sort((a, b) => b.place.weight - a.place.weight)
    const groups: Literal<T>[][] = []
    let checked = 0
    for (const one of literals) {
      const group = groups.find(([best]) => best !== undefined && overlap(best.place, one.place))
      const most = group?.[0]?.place.weight ?? 0
      if (one.place.weight < LITERAL.alike * most) continue
      const likeness = one.isQuoted ? 'same' : checked++ < LITERAL.checked ? compareTo(one) : null
      if (likeness === null) continue
      const literal = { ...one, isVerbatim: likeness === 'same' }
      if (group === undefined) groups.push([literal])
      else group.push(literal)
    }
    return groups.filter(({ length }) => length <= LITERAL.places)
  }

  /** What a section may hold of the question: a sentence, and each quote without a hole. */
  function alignTo<T extends Searched>(section: T): Found<T>[] {
    const { keys, numbers } = reader.words(section.artifact.rowId).all()
    const asked = askedKeys.read(keys)
    if (asked === null || !mayHold(askedKeys.found)) return []
    const place = whole(numbers, asked)
    const found: Found<T>[] = place !== null && isSentence(place) ? [{ section, place, isQuoted: false }] : []
    for (const { start, weight, aligner } of quotes) {
      const part = aligner(numbers, asked)
      if (part === null || part.weight < weight) continue
      const at = { ...part, first: start + part.first, last: start + part.last }
      found.push({ section, place: at, isQuoted: true })
    }
    return found
  }

  /** Could these words of the question be a sentence or a quote? No alignment has more words or weight than they together. */
  function mayHold(found: readonly number[]): boolean {
    if (quotes.length > 0) return true
    let [words, weight] = [0, 0]
    for (const number of found) {
      words += timesOf[number] as number
      weight += weightOf[number] as number
    }
    // Sums in another order are off by less than this.
    return words >= leastWords && weight * (1 + 1e-9) >= leastWeight / 2
  }

  /** Enough rare words, fewer where they are half of the question; an identifier counts as one. */
  function isSentence({ weight, words, first, last }: Alignment): boolean {
    const span = 1 + (wordOf[last] as number) - (wordOf[first] as number)
    const least = words >= wordOf.length / 2 ? leastWeight / 2 : leastWeight
    return weight >= least && Math.min(words, span) >= leastWords
  }

  /** Is it all of a string or line of the text, or too long for chance? Null if neither. */
  function compareTo({ section, place }: Found<Searched>): 'same' | 'alike' | null {
    const { rowId, kind } = section.artifact
    const lines = reader
      .text(rowId)
      .text.split('\n')
      .slice(place.line, place.endLine + 1)
      .map((line) => line.slice(0, LITERAL.lineChars))
    // A line with a link describes what it leads to, as an index does, and a heading what is below it.
    if (!isCodeKind(kind) && lines.some((line) => line.includes('](') || heading.test(line))) return null
    const isUnbroken = place.words > place.last - place.first
    if (place.words >= LITERAL.longWords && (isUnbroken || place.weight >= LITERAL.longWeight)) return 'same'
    const own = [...lines.join('\n').matchAll(strings)].map(([string]) => countWords(string.slice(1, -1)))
    const joined = { words: 0, all: 0, terms: 0 }
    for (const { words, all, terms } of own) {
      if (words < all / 2) continue
      joined.words += words
      joined.all += all
      joined.terms += terms
    }
    // A line of prose has no holes; “the start and end” is in many of them by chance.
    const counts = isUnbroken ? lines.map((line) => countWords(line)) : []
    const prose = counts.filter(({ content }) => content >= LITERAL.content)
    const alike = [joined, ...own, ...prose].filter(
      ({ words, all, terms }) =>
        words >= Math.max(leastWords, LITERAL.share * all) && place.words >= LITERAL.share * terms,
    )
    const isAsked = isUnbroken && place.words === wordOf.length
    if (alike.length === 0) return null
    return isAsked || alike.some(({ words, all }) => words === all) ? 'same' : 'alike'
  }

  /** Counts, outside of holes: the words whose terms are all in the question, all words, and all terms. */
  function countWords(text: string) {
    const counts = { words: 0, content: 0, all: 0, terms: 0 }
    for (const word of text.replace(holes, ' ').split(/\s+/)) {
      const terms = termsIn(word, { whole: false })
      if (terms.length === 0) continue
      counts.terms += terms.length
      counts.all++
      if (!terms.every((term) => numberOf.has(term))) continue
      counts.words++
      if (!stopWords.has(word.toLowerCase())) counts.content++
    }
    return counts
  }

  return find
}

const overlap = (a: Alignment, b: Alignment): boolean => a.first <= b.last && b.first <= a.last

/** The part of a score that puts a section before all others. */
export const EXACT_WORDS = 'exact words'

/** Puts sections that say exactly what the question quotes before all others, and what they say before their other matches. */
export function leadWithLiterals(
  reader: CorpusReader,
  sections: readonly RankedSection[],
  literals: readonly (readonly Literal<Pick<RankedSection, 'artifact'>>[])[],
): RankedSection[] {
  if (literals.length === 0) return [...sections]
  const scoreOf = new Map(sections.map(({ artifact, score }) => [artifact, score]))
  const own = ({ section }: Literal<Pick<RankedSection, 'artifact'>>): number =>
    scoreOf.get(section.artifact) as number
  const leading = literals.flatMap((alike) => alike.toSorted((a, b) => own(b) - own(a)))
  // A section with several literals takes the place of the best.
  const rankOf = new Map(leading.map(({ section }, at) => [section.artifact, at] as const).reverse())
  const top = Math.max(...sections.map(({ score }) => score))
  const relevance = Math.max(...sections.map(({ signals }) => signals.relevance))
  return sections.map((section) => {
    const rank = rankOf.get(section.artifact)
    if (rank === undefined) return section
    const { text, pieces } = reader.text(section.artifact.rowId)
    const pieceAt = (line: number): number => {
      let offset = 0
      for (let lines = 0; lines < line; lines++) offset = text.indexOf('\n', offset) + 1
      return pieces.findIndex(({ end }) => end > offset)
    }
    const { line, endLine } = (leading[rank] as Literal<Pick<RankedSection, 'artifact'>>).place
    const score = top + LEAD * (leading.length - rank)
    const match = { pieceStart: pieceAt(line), pieceEnd: pieceAt(endLine) + 1, relevance, score }
    const lead = section.score < top ? [{ name: EXACT_WORDS, effect: score - section.score }] : []
    return {
      ...section,
      score,
      signals: { ...section.signals, relevance, parts: [...lead, ...section.signals.parts] },
      matches: [match, ...section.matches],
    }
  })
}
