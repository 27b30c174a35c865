// Which documents does a question name? Every mention with its document, confidence and method. Passes run from the
// most to the least certain, and a word belongs to the first that takes it: files, ids, citations, quoted titles, "the
// X page", references to earlier answers, bare names. `tuning.ts` has the confidence of each. A tie is `ambiguous` and
// never certain; an unknown name is `unknown`.
import { findIds } from '../../../read/parse/find-ids.ts'
import { findDecision } from '../decision-ids.ts'
import type { DocumentNames } from '../document-names.ts'
import { type AskedWords, findBareNames, findFiles, findPhrases, findQuoted } from './find-names.ts'
import { type CitedDocument, findAnaphors } from './point-back.ts'
import { meaningOf, type NameMeaning, readName } from './rank-names.ts'
import { ceilings, certain, confidences } from './tuning.ts'
import { isContent, isSaying, readWords, type Word } from './words.ts'

interface Place {
  /** The words of the question. */
  readonly mention: string
  /** Start, and end (exclusive). */
  readonly span: readonly [number, number]
}

export interface ResolvedReference extends Place {
  readonly outcome: 'resolved'
  readonly path: string
  readonly confidence: number
  readonly method: string
  /** True if the question asks only about the documents it names: see `isExclusive`. */
  readonly exclusive: boolean
}

interface AmbiguousReference extends Place {
  readonly outcome: 'ambiguous'
  /** Paths, the most likely first. */
  readonly candidates: readonly string[]
}

interface UnknownReference extends Place {
  readonly outcome: 'unknown'
}

export type QuestionReference = ResolvedReference | AmbiguousReference | UnknownReference

interface QuestionContext {
  /** Citations of earlier answers, in order. */
  readonly cited: readonly CitedDocument[]
  /** Minimum confidence at which a search may be limited to a document. */
  readonly filterFrom?: number | undefined
}

interface Found {
  readonly from: number
  readonly to: number
  readonly meaning: NameMeaning
  readonly mention: string
}

/** Resolves the references of a question, in the order of the text. Never throws, and only returns known paths. */
export function resolveQuestion(
  question: string,
  names: DocumentNames,
  context: QuestionContext = { cited: [] },
): QuestionReference[] {
  const reading = new Reading(question, names, context)
  reading.readFiles()
  reading.readIds()
  reading.readQuoted()
  reading.readPhrases()
  reading.readAnaphors()
  reading.readBareNames()
  return reading.finish()
}

/** Reads a question in passes, the most certain first; a word belongs to the first pass that takes it. */
class Reading {
  readonly #question: string
  readonly #names: DocumentNames
  readonly #context: QuestionContext
  readonly #words: readonly Word[]
  readonly #taken: boolean[]
  readonly #asked: AskedWords
  readonly #found: Found[] = []

  constructor(question: string, names: DocumentNames, context: QuestionContext) {
    this.#question = question
    this.#names = names
    this.#context = context
    this.#words = readWords(question)
    this.#taken = this.#words.map(() => false)
    this.#asked = { question, words: this.#words, taken: this.#taken, names }
  }

  #take(from: number, to: number, meaning: NameMeaning, mention = this.#text(from, to)): void {
    if (from >= to || this.#taken.slice(from, to).includes(true)) return
    this.#taken.fill(true, from, to)
    this.#found.push({ from, to, meaning, mention })
  }

  #text(from: number, to: number): string {
    return from >= to ? '' : this.#question.slice(...this.#spanOf(from, to))
  }

  /** Includes a closing bracket: `Hummel (2021)`. */
  #spanOf(from: number, to: number): readonly [number, number] {
    const { start } = this.#words[from]!
    const { end } = this.#words[to - 1]!
    const isOpen =
      this.#question.lastIndexOf('(', end) > Math.max(start, this.#question.lastIndexOf(')', end - 1))
    return [start, isOpen && this.#question[end] === ')' ? end + 1 : end]
  }

  /** The words that overlap a span of the text. */
  #wordsAt(start: number, end: number): readonly [number, number] {
    const from = this.#words.findIndex((word) => word.end > start)
    const after = this.#words.findIndex((word) => word.start >= end)
    return [from === -1 ? this.#words.length : from, after === -1 ? this.#words.length : after]
  }

  readFiles(): void {
    for (const { start, end, documents } of findFiles(this.#question, this.#names)) {
      const meaning = meaningOf(documents, confidences.path, 'path')
      this.#take(...this.#wordsAt(start, end), meaning, this.#question.slice(start, end))
    }
  }

  readIds(): void {
    for (const { text, at } of findIds(this.#question, this.#names.idSearch)) {
      const meaning = this.#meaningOfId(text)
      if (meaning !== null) this.#take(...this.#wordsAt(at, at + text.length), meaning, text)
    }
  }

  #meaningOfId(text: string): NameMeaning | null {
    const lookup = findDecision(this.#names.decisions, text)
    const numberOf = (path: string): number => this.#names.numberOf(path)
    switch (lookup.kind) {
      case 'foreign':
        return null
      case 'missing':
        return { outcome: 'unknown' }
      case 'ambiguous':
        return { outcome: 'ambiguous', documents: lookup.paths.map(numberOf) }
      case 'found': {
        const confidence = confidences.id[lookup.evidence]
        const method = lookup.evidence === 'name' ? 'id' : `id-${lookup.evidence}`
        return { outcome: 'resolved', document: numberOf(lookup.path), confidence, method }
      }
    }
  }

  readQuoted(): void {
    for (const { start, end, meaning } of findQuoted(this.#question, this.#names))
      this.#take(...this.#wordsAt(start, end), meaning)
  }

  readPhrases(): void {
    for (const { from, to, name, indefinite } of findPhrases(this.#asked)) {
      const meaning = readName(name, this.#names)
      const isCapped = indefinite && meaning.outcome === 'resolved'
      const confidence = isCapped ? Math.min(ceilings.indefinite, meaning.confidence) : 0
      this.#take(from, to, isCapped ? { ...meaning, confidence } : meaning, name)
    }
  }

  readAnaphors(): void {
    const numberOf = (path: string): number => this.#names.numberOf(path)
    for (const anaphor of findAnaphors(this.#words, this.#taken, this.#context.cited, this.#names)) {
      const { from, to, paths, candidates, confidence, method } = anaphor
      const known = candidates.map(numberOf).filter((document) => document !== -1)
      if (paths.length === 0) {
        this.#take(
          from,
          to,
          known.length > 0 ? { outcome: 'ambiguous', documents: known } : { outcome: 'unknown' },
        )
        continue
      }
      const mention = this.#text(from, to)
      this.#taken.fill(true, from, to)
      for (const path of paths)
        this.#found.push({
          from,
          to,
          mention,
          meaning: { outcome: 'resolved', document: numberOf(path), confidence, method },
        })
    }
  }

  readBareNames(): void {
    for (const { from, to, meaning } of findBareNames(this.#asked)) this.#take(from, to, meaning)
  }

  finish(): QuestionReference[] {
    const found = this.#withoutRepeats()
    const exclusive = this.#isExclusive(found)
    return found.map((one) => this.#referenceOf(one, exclusive))
  }

  /**
   * Words of an uncertain mention count as outside of the certain ones, because a filter would exclude their document.
   */
  #isExclusive(found: readonly Found[]): boolean {
    const sure = found.filter(
      ({ meaning }) =>
        meaning.outcome === 'resolved' && meaning.confidence >= (this.#context.filterFrom ?? certain),
    )
    const whole = found.every(({ meaning }) => meaning.outcome === 'resolved')
    const counted = sure.length > 0 ? sure : found
    const ownerOf = (at: number): number => counted.findIndex(({ from, to }) => at >= from && at < to)
    const owners = this.#words.map((_, at) => ownerOf(at))
    return isExclusive(this.#words, owners, whole)
  }

  /** Each document once, by its most certain mention, in the order of the text. */
  #withoutRepeats(): Found[] {
    const best = new Map<number, Found>()
    const rest: Found[] = []
    for (const one of this.#found) {
      const { meaning } = one
      if (meaning.outcome !== 'resolved') rest.push(one)
      else {
        const known = best.get(meaning.document)?.meaning
        if (known?.outcome !== 'resolved' || known.confidence < meaning.confidence)
          best.set(meaning.document, one)
      }
    }
    return [...best.values(), ...rest].sort((a, b) => a.from - b.from || a.to - b.to)
  }

  #referenceOf({ from, to, mention, meaning }: Found, exclusive: boolean): QuestionReference {
    const place: Place = { mention, span: this.#spanOf(from, to) }
    const pathOf = (document: number): string => this.#names.pathOf(document)
    switch (meaning.outcome) {
      case 'unknown':
        return { outcome: 'unknown', ...place }
      case 'ambiguous':
        return { outcome: 'ambiguous', ...place, candidates: meaning.documents.map(pathOf) }
      case 'resolved': {
        const { document, confidence, method } = meaning
        return { outcome: 'resolved', ...place, path: pathOf(document), confidence, method, exclusive }
      }
    }
  }
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Words that introduce a topic outside of the document, which a filter would exclude. */
const beyond = setOf(
  'compare compared compares comparing comparison contrast versus vs differ differs difference differences relate relates ' +
    'related conflict conflicts contradict contradicts consistent match matches similar unlike than against besides except ' +
    'beyond outside apart excluding without despite other our my and or plus but',
)
const containing = setOf('in within inside per from')

/** The number of the mention that each word belongs to, or -1. */
type Owners = readonly number[]

/**
 * Does the question ask only about the documents it names? Only then may a search be limited to them. True if nothing
 * else introduces a topic ("tell me more about D"), or if a mention is in a frame that keeps the topic inside: "what
 * does D say about retries", "which limits are in D", "D's conclusion". False if the question compares the document,
 * excludes it, joins it with something else, or has a second sentence. In doubt false, because a boost loses nothing.
 * `whole` is false when a mention is ambiguous or unknown.
 */
function isExclusive(words: readonly Word[], owners: Owners, whole: boolean): boolean {
  if (!whole || !owners.some((owner) => owner !== -1)) return false
  const free = words.filter((_, at) => owners[at] === -1).map(({ lower }) => lower)
  if (!free.some((word) => isContent(word) && !isSaying(word))) return true
  if (free.some((word) => beyond.has(word)) || words.some(({ last }, at) => last && at + 1 < words.length))
    return false
  return words.some((_, at) => owners[at] !== -1 && isFramed(words, owners, at))
}

function isFramed(words: readonly Word[], owners: Owners, at: number): boolean {
  const lower = (index: number): string => words[index]?.lower ?? ''
  if (
    owners[at + 1] !== owners[at] &&
    (words[at]!.possessive || (!words[at]!.last && isSaying(lower(at + 1))))
  )
    return true
  if (owners[at - 1] === owners[at]) return false
  const before = /^(?:the|this|that|our|a|an)$/.test(lower(at - 1)) ? at - 2 : at - 1
  return containing.has(lower(before)) || (lower(before) === 'by' && isSaying(lower(before - 1)))
}
