// What are the features of a candidate in the second stage? Term proximity, names, its place in the repository, and how it fits the question's intent.

import type { WordWindow } from '../../corpus/store/rows/section-words.ts'
import type { Intent, QueryAnalysis } from '../../model/report.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { findWord } from '../../read/parse/code/code-names.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'
import type { CandidateFacts, FeatureInput, MatchedTerms } from './feature-table.ts'
import { type FileEvidence, findFileEvidence, findNewestVersions, findTestEvidence } from './find-evidence.ts'
import { type AskedWord, matchFileNames } from './match-file-name.ts'
import {
  endsAlike,
  findPlaces,
  findScope,
  isInScope,
  isNamed,
  lastName,
  type NamedPlace,
  nameParts,
} from './match-names.ts'
import { inverseFrequency } from './score-lexical.ts'
import { asksForOld, isDeprecated, knownRolesOf, type SectionRole } from './section-roles.ts'
import { KeyNumbers, openWordNumbers } from './text-words.ts'
import { LONG_QUOTE_WORDS, QUOTED_WORDS, REPORT, UNKNOWN_WORD, WINDOW_LINES } from './tuning.ts'

/** Statistics of the corpus. */
interface CorpusFacts {
  /** Document frequency: in how many fragments a term occurs. */
  readonly frequency: (term: string) => number
  readonly fragments: number
  readonly has: (path: string) => boolean
}

interface AskedTerm {
  readonly index: number
  readonly weight: number
}

/** An occurrence of a query term in a text. */
interface Hit extends AskedTerm {
  readonly line: number
}

const noText: CandidateFacts['text'] = { coverage: 0, together: 0, quoted: 0 }
const noName: CandidateFacts['names'] = { defines: 0, mentions: 0 }
const noPlace: CandidateFacts['place'] = { file: 0, line: 0, scope: 0 }
const noFile: CandidateFacts['file'] = { name: 0, folder: 0, namesake: 0 }

type QuestionView = ReturnType<typeof viewQuestion>

/** A question, prepared once for all its candidates. */
export function viewQuestion(analysis: QueryAnalysis, corpus: CorpusFacts) {
  const intent: ReadonlySet<Intent> = new Set(analysis.intents)
  // `a.` and `#` have no last name.
  const identifiers = [...analysis.identifiers, ...analysis.names].filter((name) => lastName(name) !== '')
  /** Without any, no feature reads the text of a candidate. */
  const hasIdentifiers = identifiers.length > 0
  const namedPlaces = findPlaces(analysis.text)
  const scope = findScope(analysis.text)
  const termOf = new Map<string, AskedTerm>()
  const total = weighTerms()
  const fileNames = matchFileNames(weighWords(analysis, corpus), identifiers)
  const order = termsIn(analysis.text, { whole: false })
  /** Numbers of the question's words, from 1 on, so that n-grams are compared as integers. */
  const termNumbers = new Map<string, number>()
  for (const term of [...termOf.keys(), ...order])
    if (!termNumbers.has(term)) termNumbers.set(term, termNumbers.size + 1)
  const vocabulary = openWordNumbers()
  const places = [...termNumbers.keys()].map((term) => vocabulary.numberOf(term))
  /** By number. */
  const askedAt: (AskedTerm | undefined)[] = []
  /** By the number in the vocabulary; numbers beyond its end are no query terms. */
  const numberAt = new Int32Array(places.reduce((most, place) => Math.max(most, place), 0) + 1)
  const askedKeys = new KeyNumbers()
  const quotedRuns = new Set<number>()
  for (const [at, [term, number]] of [...termNumbers].entries()) {
    askedAt[number] = termOf.get(term)
    numberAt[places[at] as number] = number
    askedKeys.add(term, number, termOf.has(term))
  }
  for (let at = 0; at + QUOTED_WORDS <= order.length; at++) {
    const run = order.slice(at, at + QUOTED_WORDS)
    if (run.some((term) => termOf.has(term)))
      quotedRuns.add(keyOf(...run.map((term) => termNumbers.get(term) as number)))
  }

  /** The key of an n-gram. */
  function keyOf(...numbers: readonly number[]): number {
    return numbers.reduce((key, number) => key * (termNumbers.size + 1) + number, 0)
  }

  /** Sets the weights of the terms by IDF. */
  function weighTerms(): number {
    const { terms, callerTerms = [] } = analysis
    for (const { term, word, weight: share } of [...terms, ...callerTerms]) {
      if (word.includes(' ') || termOf.has(term)) continue
      const holding = corpus.frequency(term)
      if (holding === 0) continue
      const weight = share * inverseFrequency(corpus.fragments, holding)
      termOf.set(term, { index: termOf.size, weight })
    }
    // A report has more words than any section: its heaviest ones are what a section may cover.
    const weights = [...termOf.values()].map(({ weight }) => weight)
    const counted = intent.has('report') ? weights.sort((a, b) => b - a).slice(0, REPORT.covered) : weights
    return counted.reduce((sum, weight) => sum + weight, 0)
  }

  function nameMatch(name: string): MatchedTerms {
    const words = vocabulary.readName(name)
    let [held, sum] = [0, 0]
    for (const word of words) {
      const asked = askedAt[numberAt[word] ?? 0]
      if (asked === undefined) continue
      held++
      sum += asked.weight
    }
    return {
      recall: total > 0 ? sum / total : 0,
      precision: words.length > 0 ? held / words.length : 0,
    }
  }

  function textMatch(words: WordWindow): CandidateFacts['text'] {
    const numbers = askedKeys.read(words.keys)
    if (numbers === null) return noText
    const bytes = words.numbers
    const most = termNumbers.size + 1
    const hits: Hit[] = []
    const seen = new Set<number>()
    let [covered, run, longest] = [0, 0, 0]
    // The two words before, as numbers; 0 for one that is not in the question.
    let [last, beforeLast] = [0, 0]
    let line = 0
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
      const asked = askedAt[number]
      if (asked !== undefined) {
        hits.push({ line, index: asked.index, weight: asked.weight })
        if (!seen.has(asked.index)) {
          seen.add(asked.index)
          covered += asked.weight
        }
      }
      const isQuoted =
        last > 0 && beforeLast > 0 && quotedRuns.has((beforeLast * most + last) * most + number)
      run = isQuoted ? run + 1 : 0
      if (isQuoted) longest = Math.max(longest, run + QUOTED_WORDS - 1)
      beforeLast = last
      last = number
    }
    return {
      coverage: total > 0 ? Math.min(1, covered / total) : 0,
      together: within(hits),
      quoted: Math.min(1, Math.max(0, longest - QUOTED_WORDS) / (LONG_QUOTE_WORDS - QUOTED_WORDS)),
    }
  }

  /** The best coverage within a window of lines. */
  function within(hits: readonly Hit[]): number {
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
    return total > 0 ? Math.min(1, best / total) : 0
  }

  /** Is its file, or the folder of that, called what the question is about? Asked for topics and for titles of reports. */
  function fileMatch(path: string): CandidateFacts['file'] {
    if (!intent.has('topic') && !intent.has('report')) return noFile
    const names = fileNames
    return { name: names.file(path), folder: names.folder(path), namesake: Number(names.isNamesake(path)) }
  }

  function placeMatch({ path, lines }: FeatureInput): CandidateFacts['place'] {
    if (namedPlaces.length === 0 && scope === null) return noPlace
    const named = namedPlaces.filter((place) => place.path === path || endsAlike(place.path, path))
    const inside = ({ line }: NamedPlace): boolean =>
      line !== null && lines.start <= line && line <= lines.end
    return {
      file: Number(named.length > 0),
      line: Number(named.some(inside)),
      scope: scope === null ? 0 : isInScope(scope, path),
    }
  }

  function names(input: FeatureInput): CandidateFacts['names'] {
    if (!hasIdentifiers) return noName
    let [defines, mentions] = [0, 0]
    for (const identifier of identifiers) {
      const parts = nameParts(identifier)
      const last = parts.at(-1) as string
      if (isNamed(input, parts)) defines = 1
      const at = findWord(input.text, last)
      // A name that occurs only inside a longer identifier counts half.
      if (at < 0) mentions = Math.max(mentions, input.text.includes(last) ? 0.5 : 0)
      else mentions = 1
    }
    return { defines, mentions }
  }

  return {
    ...{ intent, asksForOld: asksForOld.test(analysis.text), hasIdentifiers },
    ...{ nameMatch, textMatch, fileMatch, placeMatch, names },
  }
}

/** The words of a question, or of a report's title, with their weights; those that the corpus lacks count as well. */
function weighWords({ terms, intents }: QueryAnalysis, corpus: CorpusFacts): AskedWord[] {
  const least = intents.includes('report') ? REPORT.title : 0
  const words = terms
    .filter(({ word, weight }) => weight >= least && !word.includes(' '))
    .map(({ term, word }) => {
      const holding = corpus.frequency(term)
      const weight = holding === 0 ? 0 : inverseFrequency(corpus.fragments, holding)
      return { term, word: word.toLowerCase(), weight }
    })
  const most = words.reduce((top, { weight }) => Math.max(top, weight), 0)
  return words.map((one) => ({ ...one, weight: one.weight || UNKNOWN_WORD * most }))
}

/** Compiled from `src/`: `v4/util.js` where there is `src/v4/util.ts`. */
function isBuilt(path: string, has: (path: string) => boolean): boolean {
  if (!path.endsWith('js') && !path.endsWith('ts')) return false
  const stem = /^(?!src\/)(.*)\.(?:[cm]?js|d\.[cm]?ts)$/.exec(path)?.[1]
  return stem !== undefined && has(`src/${stem}.ts`)
}

/** What is known of each candidate of a question, by itself and compared with the others. */
export function weighCandidates(
  view: QuestionView,
  inputs: readonly FeatureInput[],
  { has }: CorpusFacts,
): CandidateFacts[] {
  const files = findFileEvidence(inputs)
  // Candidates that the vector search did not return are no more similar than its last result, which is the zero of the scale.
  const nearest = inputs.flatMap(({ vector }) => vector ?? [])
  const floor = nearest.length > 0 ? Math.min(...nearest) : 0
  const newest = findNewestVersions(inputs)
  // Documents give an overview, and no test names their subject.
  const testedBy = view.intent.has('overview') ? () => 0 : findTestEvidence(inputs)
  return inputs.map((input) => {
    const { kind, path, words, headings, title } = input
    const isCode = isCodeKind(kind)
    const roles: SectionRole[] = [...knownRolesOf(input, isCode)]
    if (isBuilt(path, has)) roles.push('generated')
    if (!view.asksForOld && isDeprecated(path, has)) roles.push('deprecated')
    const isProgram = isCode && kind !== 'blind' && !kind.startsWith('html_')
    return {
      input,
      intent: view.intent,
      isCode,
      isSource: isProgram && !roles.includes('test') && !roles.includes('example'),
      shape: shapeOfKind(kind),
      roles,
      text: view.textMatch(words),
      heading: view.nameMatch(headings.at(-1) ?? title),
      outer: view.nameMatch(headings.length > 1 ? headings.slice(0, -1).join(' ') || title : title),
      pathMatch: view.nameMatch(path),
      names: view.names(input),
      place: view.placeMatch(input),
      file: isCode ? view.fileMatch(path) : noFile,
      similarity: (input.vector ?? floor) - floor,
      evidence: files.get(path) as FileEvidence,
      tested: testedBy(input),
      isNewest: newest.has(input),
    }
  })
}
