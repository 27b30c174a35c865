// What are the features of a candidate in the second stage? Term proximity, names, its place in the repository, and how it fits the question's intent.

import type { WordWindow } from '../../corpus/store/rows/section-words.ts'
import type { Lines } from '../../model/artifact.ts'
import type { Intent, QueryAnalysis } from '../../model/report.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'
import { findNewestVersions, findPageEvidence, findTestEvidence } from './find-evidence.ts'
import {
  declares,
  endsAlike,
  findPlaces,
  findScope,
  findWord,
  isCalled,
  isInScope,
  isNamed,
  lastName,
  type NamedPlace,
  nameParts,
} from './match-names.ts'
import { knownRolesOf } from './section-roles.ts'
import { KeyNumbers, openWordNumbers, type WordNumbers } from './text-words.ts'
import { LARGE_CORPUS, LONG_QUOTE_WORDS, QUOTED_WORDS, WINDOW_LINES } from './tuning.ts'

/** A candidate as the second stage sees it. */
export interface FeatureInput {
  readonly kind: string
  readonly name: string
  readonly headings: readonly string[]
  readonly level: number
  readonly path: string
  readonly lines: Lines
  readonly title: string
  /** The words of the text that matched best, a fragment and a little more. */
  readonly words: WordWindow
  /** That text; read when a feature asks for it, which few do. */
  readonly text: string
  /** Of the whole section. */
  readonly tokens: number
  /** Release notes of a pre-release whose final release is among the candidates, too. */
  readonly isSuperseded: boolean
  /** Lexical score and vector similarity of the best fragment in the first stage, 0 to 1. */
  readonly relevance: number
  readonly document: number
  readonly vector: number | null
}

/** Statistics of the corpus. */
interface CorpusFacts {
  /** Document frequency: in how many fragments a term occurs. */
  readonly frequency: (term: string) => number
  readonly fragments: number
  readonly has: (path: string) => boolean
}

export type Features = Readonly<Record<string, number>>

interface AskedTerm {
  readonly index: number
  readonly weight: number
}

/** An occurrence of a query term in a text. */
interface Hit extends AskedTerm {
  readonly line: number
}

/** A question, prepared once for all its candidates. */
export class QuestionView {
  readonly intent: ReadonlySet<Intent>
  /** Share of the question's terms, weighted by IDF, that occur in the corpus; a small corpus is not held to it. */
  readonly known: number
  readonly #identifiers: readonly string[]
  readonly #places: readonly NamedPlace[]
  readonly #scope: string | null
  readonly #terms = new Map<string, AskedTerm>()
  /** Numbers of the question's words, from 1 on, so that n-grams are compared as integers. */
  readonly #numbers = new Map<string, number>()
  /** By number. */
  readonly #asked: (AskedTerm | undefined)[] = []
  /** By the number in the vocabulary; numbers beyond its end are no query terms. */
  readonly #numberOf: Int32Array
  readonly #vocabulary: WordNumbers = openWordNumbers()
  readonly #keys = new KeyNumbers()
  readonly #pairs = new Map<number, number>()
  readonly #quotes = new Set<number>()
  #total = 0
  #pairTotal = 0

  constructor(analysis: QueryAnalysis, corpus: CorpusFacts) {
    this.intent = new Set(analysis.intents)
    // `a.` and `#` have no last name.
    this.#identifiers = [...analysis.identifiers, ...analysis.names].filter((name) => lastName(name) !== '')
    this.#places = findPlaces(analysis.text)
    this.#scope = findScope(analysis.text)
    const missing = this.#weighTerms(analysis, corpus)
    const share = this.#total > 0 ? this.#total / (this.#total + missing) : 0
    this.known = 1 - (1 - share) * Math.min(1, corpus.fragments / LARGE_CORPUS)
    const order: string[] = []
    analyzeWords(analysis.text, (term, whole) => {
      if (!whole) order.push(term)
    })
    for (const term of [...this.#terms.keys(), ...order])
      if (!this.#numbers.has(term)) this.#numbers.set(term, this.#numbers.size + 1)
    const places = [...this.#numbers.keys()].map((term) => this.#vocabulary.numberOf(term))
    this.#numberOf = new Int32Array(places.reduce((most, place) => Math.max(most, place), 0) + 1)
    for (const [at, [term, number]] of [...this.#numbers].entries()) {
      this.#asked[number] = this.#terms.get(term)
      this.#numberOf[places[at] as number] = number
      this.#keys.add(term, number, this.#terms.has(term))
    }
    this.#gatherPairs(order.filter((term) => this.#terms.has(term)))
    for (let at = 0; at + QUOTED_WORDS <= order.length; at++) {
      const run = order.slice(at, at + QUOTED_WORDS)
      if (run.some((term) => this.#terms.has(term)))
        this.#quotes.add(this.#keyOf(...run.map((term) => this.#numbers.get(term) as number)))
    }
  }

  /** The key of an n-gram. */
  #keyOf(...numbers: readonly number[]): number {
    return numbers.reduce((key, number) => key * (this.#numbers.size + 1) + number, 0)
  }

  /**
   * Sets the weights of the terms by IDF, and gives the total weight of the terms that the corpus lacks; a compound name
   * does not count as missing when its parts occur.
   */
  #weighTerms({ terms }: QueryAnalysis, corpus: CorpusFacts): number {
    const unknown = new Map<string, number>()
    const known = new Set<string>()
    for (const { term, word } of terms) {
      if (word.includes(' ') || this.#terms.has(term)) continue
      const holding = corpus.frequency(term)
      const weight = Math.log(1 + (corpus.fragments - holding + 0.5) / (holding + 0.5))
      if (holding === 0) unknown.set(word, Math.max(unknown.get(word) ?? 0, weight))
      else {
        known.add(word)
        this.#terms.set(term, { index: this.#terms.size, weight })
        this.#total += weight
      }
    }
    return [...unknown].reduce((sum, [word, weight]) => (known.has(word) ? sum : sum + weight), 0)
  }

  /** Bigrams of the question; stop words between two words are skipped. */
  #gatherPairs(order: readonly string[]): void {
    for (let at = 1; at < order.length; at++) {
      const [before, here] = [order[at - 1] as string, order[at] as string]
      const key = this.#keyOf(this.#numbers.get(before) as number, this.#numbers.get(here) as number)
      if (before === here || this.#pairs.has(key)) continue
      const weight = (this.#terms.get(before)?.weight ?? 0) + (this.#terms.get(here)?.weight ?? 0)
      this.#pairs.set(key, weight)
      this.#pairTotal += weight
    }
  }

  /** Query terms in a name: their share of the question, weighted by IDF, and of the name. */
  nameMatch(name: string): { recall: number; precision: number } {
    const words = this.#vocabulary.readName(name)
    let [held, sum] = [0, 0]
    for (const word of words) {
      const asked = this.#asked[this.#numberOf[word] ?? 0]
      if (asked === undefined) continue
      held++
      sum += asked.weight
    }
    return {
      recall: this.#total > 0 ? sum / this.#total : 0,
      precision: words.length > 0 ? held / words.length : 0,
    }
  }

  /** Coverage of the question by a text: anywhere, within a window of lines, as bigrams, and as longer n-grams. */
  textMatch(words: WordWindow): { coverage: number; together: number; pairs: number; quoted: number } {
    const numbers = this.#keys.read(words.keys)
    if (numbers === null) return { coverage: 0, together: 0, pairs: 0, quoted: 0 }
    const bytes = words.numbers
    const most = this.#numbers.size + 1
    const hits: Hit[] = []
    const seen = new Set<number>()
    const seenPairs = new Set<number>()
    let [covered, pairs, run, longest] = [0, 0, 0, 0]
    // The two words before, as numbers; 0 for one that is not in the question.
    let [last, beforeLast] = [0, 0]
    let line = 0
    const pair = (before: number, here: number): void => {
      const weight = this.#pairs.get(before * most + here)
      if (weight === undefined || seenPairs.has(before * most + here)) return
      seenPairs.add(before * most + here)
      pairs += weight
    }
    for (let at = 0; at < bytes.length; ) {
      let byte = bytes[at++] as number
      if (byte === 0) {
        line++
        continue
      }
      let word = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] as number
        word |= (byte & 127) << shift
      }
      const number = numbers[word] as number
      if (number < 0) continue
      if (number === 0) {
        run = 0
        beforeLast = last
        last = 0
        continue
      }
      const asked = this.#asked[number]
      if (asked !== undefined) {
        hits.push({ line, index: asked.index, weight: asked.weight })
        if (!seen.has(asked.index)) {
          seen.add(asked.index)
          covered += asked.weight
        }
        if (last > 0) pair(last, number)
        if (beforeLast > 0) pair(beforeLast, number)
      }
      const isQuoted =
        last > 0 && beforeLast > 0 && this.#quotes.has((beforeLast * most + last) * most + number)
      run = isQuoted ? run + 1 : 0
      if (isQuoted) longest = Math.max(longest, run + QUOTED_WORDS - 1)
      beforeLast = last
      last = number
    }
    return {
      coverage: this.#total > 0 ? covered / this.#total : 0,
      together: this.#within(hits),
      pairs: this.#pairTotal > 0 ? pairs / this.#pairTotal : 0,
      quoted: Math.min(1, Math.max(0, longest - QUOTED_WORDS) / (LONG_QUOTE_WORDS - QUOTED_WORDS)),
    }
  }

  /** The best coverage within a window of lines. */
  #within(hits: readonly Hit[]): number {
    const counts = new Map<number, number>()
    let sum = 0
    let best = 0
    let from = 0
    for (const hit of hits) {
      const count = counts.get(hit.index) ?? 0
      if (count === 0) sum += hit.weight
      counts.set(hit.index, count + 1)
      while (hit.line - (hits[from] as { line: number }).line >= WINDOW_LINES) {
        const out = hits[from++] as { index: number; weight: number }
        const left = (counts.get(out.index) as number) - 1
        counts.set(out.index, left)
        if (left === 0) sum -= out.weight
      }
      best = Math.max(best, sum)
    }
    return this.#total > 0 ? best / this.#total : 0
  }

  /** Does the question name its file, as a stack trace does, and a line of it? */
  placeMatch({ path, lines }: FeatureInput): { file: number; line: number; scoped: number } {
    const named = this.#places.filter((place) => place.path === path || endsAlike(place.path, path))
    const inside = ({ line }: NamedPlace): boolean =>
      line !== null && lines.start <= line && line <= lines.end
    const scoped = this.#scope === null ? 0 : isInScope(this.#scope, path)
    return { file: named.length > 0 ? 1 : 0, line: named.some(inside) ? 1 : 0, scoped }
  }

  /** Does the candidate define, call or mention an identifier of the question? */
  names(input: FeatureInput): { defines: number; calls: number; mentions: number } {
    let [defines, calls, mentions] = [0, 0, 0]
    for (const identifier of this.#identifiers) {
      const parts = nameParts(identifier)
      const last = parts.at(-1) as string
      if (isNamed(input, parts)) defines = 1
      const at = findWord(input.text, last)
      // A name that occurs only inside a longer identifier counts half.
      if (at < 0) mentions = Math.max(mentions, input.text.includes(last) ? 0.5 : 0)
      else {
        mentions = 1
        if (!defines && !declares.test(input.path) && isCalled(input.text, last)) calls = 1
      }
    }
    return { defines, calls: defines ? 0 : calls, mentions }
  }
}

/** Words of code that raises errors: an error is explained where it is raised. */
const refusal = /\b(?:throw|raise|panic|fatal|die|Errorf?|error|err|reject|abort|warn(?:ing)?|bail|anyhow)\b/

/** Compiled from `src/`: `v4/util.js` where there is `src/v4/util.ts`. */
function isBuilt(path: string, has: (path: string) => boolean): boolean {
  const stem = /^(?!src\/)(.*)\.(?:[cm]?js|d\.[cm]?ts)$/.exec(path)?.[1]
  return stem !== undefined && has(`src/${stem}.ts`)
}

/** The features of each candidate of a question. */
export function weighCandidates(
  view: QuestionView,
  inputs: readonly FeatureInput[],
  corpus: CorpusFacts,
): Features[] {
  const pages = findPageEvidence(inputs)
  // Candidates that the vector search did not return are no more similar than its last result, which is the zero of the scale.
  const nearest = inputs.flatMap(({ vector }) => vector ?? [])
  const floor = nearest.length > 0 ? Math.min(...nearest) : 0
  const newest = findNewestVersions(inputs)
  // An overview stands in documents, whose subject no test names.
  const testedBy = view.intent.has('overview') ? () => 0 : findTestEvidence(inputs)
  return inputs.map((input) => ({
    ...featuresOf(view, input, corpus),
    vector: (input.vector ?? floor) - floor,
    page: pages.get(input.path) ?? 0,
    tested: testedBy(input),
    ...(newest.has(input) ? { 'newest version': 1 } : {}),
  }))
}

/** The features of one candidate, by name; absent ones are 0. */
function featuresOf(view: QuestionView, input: FeatureInput, { has }: CorpusFacts): Features {
  const isCode = isCodeKind(input.kind)
  const shape = shapeOfKind(input.kind)
  const { coverage, together, pairs, quoted } = view.textMatch(input.words)
  const heading = view.nameMatch(input.headings.at(-1) ?? input.title)
  const outer = view.nameMatch(input.headings.slice(0, -1).join(' ') || input.title)
  const path = view.nameMatch(input.path)
  const { defines, calls, mentions } = view.names(input)
  const place = view.placeMatch(input)
  const roles = [...knownRolesOf(input, isCode)]
  if (isBuilt(input.path, has)) roles.push('generated')
  const features: Record<string, number> = {
    relevance: input.relevance,
    document: input.document,
    coverage,
    together,
    pairs,
    quoted,
    heading: heading.recall,
    headingPrecision: heading.precision,
    outer: outer.recall,
    path: path.recall,
    'names file': place.file,
    'names line': place.line,
    'names scope': place.scoped,
    defines,
    mentions,
    code: isCode ? 1 : 0,
    imports: shape === 'import' ? 1 : 0,
    block: isCode && shape === 'block' ? 1 : 0,
    type: shape === 'type' || shape === 'class' ? 1 : 0,
    blind: input.kind === 'blind' ? 1 : 0,
    short: input.tokens < 40 ? 1 - input.tokens / 40 : 0,
    long: Math.min(1, Math.log2(1 + input.tokens / 400) / 4),
  }
  for (const role of roles) features[role] = 1
  if (input.isSuperseded) features['superseded'] = 1
  // HTML pages and generic text have kinds of code, but do not answer "where in the code".
  const isProgram = isCode && input.kind !== 'blind' && !input.kind.startsWith('html_')
  const isSource = isProgram && !roles.some((role) => role === 'test' || role === 'example')
  for (const intent of view.intent) features[`${intent}: code`] = isSource ? 1 : 0
  const add = (intent: Intent, name: string, value: number): void => {
    if (view.intent.has(intent) && value > 0) features[`${intent}: ${name}`] = value
  }
  add('name', 'defines', defines)
  // Prose shows how a name is called, and an interface how it may be: neither is a caller.
  add('callers', 'calls', isProgram && shape !== 'type' ? calls : 0)
  add('callers', 'defines', defines)
  add('error', 'quoted', quoted)
  if (view.intent.has('error') && isSource && quoted > 0)
    add('error', 'refuses', refusal.test(input.text) ? 1 : 0)
  add('versions', 'release notes', features['release notes'] ?? 0)
  add('versions', 'upgrade guide', features['upgrade guide'] ?? 0)
  return features
}
