// Which documents does a question speak of? Every mention with the document it means, how sure that is, and why.
//
// | method        | confidence | how                                                                                  |
// |---------------|------------|--------------------------------------------------------------------------------------|
// | path          | 1.0        | a path or a file's name with its extension, that one document has                    |
// | id            | 1.0        | a decision id that one file name or frontmatter carries                              |
// | id-title      | 0.95       | … that one title carries                                                             |
// | id-main       | 0.9        | … that several carry, and the name of one starts all the others                      |
// | stem, wiki    | 0.95       | a file's name without extension, of four parts or more; `[[Page]]`                   |
// | author        | 0.95       | "the X paper" where X is authors or a year, or both, of one document                 |
// | citation      | 0.95, 0.9  | "Hummel et al. 2021"; without the year                                               |
// | only          | 0.93       | "the X page": one document has all of X in title or file name, no other even half    |
// | title, quoted | 0.92       | … X is the title or file name of one document, and no other is called so in any way  |
// | names         | 0 to 1     | … everything else: the fitted chance that the first of the ranking is the right one  |
// | ordinal       | 0.95, 0.9  | "the second one", "the former", "the other document"; 0.75 from an older answer      |
// | demonstrative | 0.95, 0.9  | "that page"; "those documents"                                                       |
// | pronoun       | 0.95 – 0.7 | "both", "what does it say"; "it" with any other verb 0.7                             |
// | called        | 0.85 – 0.5 | a title or a file name without any such form; alone 0.8, a common word 0.5           |
// | author        | 0.8 – 0.65 | an author's name without any such form                                               |
//
// By names: words that fewer than five links use are at most 0.89, words that also link elsewhere 0.85, and so is one word
// that is neither title nor file name.
// From 0.9 a caller may filter, from 0.6 boost. What is called without a form never reaches 0.9, nor does "a X guide".
// A tie is `ambiguous` and never certain; what no document answers to is `unknown`. Both are data.
import { findIds } from '../parse/find-ids.ts'
import { findDecision } from './decision-ids.ts'
import type { DocumentNames } from './document-names.ts'
import { findBareNames } from './question-bare.ts'
import { findAnaphors } from './question-context.ts'
import { isExclusive } from './question-exclusive.ts'
import { gatherEvidence } from './question-features.ts'
import type { CitedDocument } from './question-history.ts'
import { type NameMeaning, readName } from './question-names.ts'
import { findFiles } from './question-paths.ts'
import { findCitations, findPhrases, findQuoted, type Phrase } from './question-phrases.ts'
import { readWords, type Word } from './question-words.ts'

interface Place {
  /** The words of the question. */
  readonly mention: string
  /** Where they are: start, and end excluded. */
  readonly span: readonly [number, number]
}

export interface ResolvedReference extends Place {
  readonly outcome: 'resolved'
  readonly path: string
  /** Canonical id of a section, when the words name one. */
  readonly section: string | null
  readonly confidence: number
  readonly method: string
  /** Everything that the question asks is inside the documents it names: see question-exclusive.ts. */
  readonly exclusive: boolean
}

interface AmbiguousReference extends Place {
  readonly outcome: 'ambiguous'
  /** Paths, the likeliest first. */
  readonly candidates: readonly string[]
}

interface UnknownReference extends Place {
  readonly outcome: 'unknown'
}

export type QuestionReference = ResolvedReference | AmbiguousReference | UnknownReference

interface QuestionContext {
  /** What earlier answers cited, in order. */
  readonly cited: readonly CitedDocument[]
}

/** Without an article before them, words before a form are less than certain. */
const maxIndefinite = 0.8
/** A tie of which one was cited before is decided, but not certain. */
const citedTie = 0.85

/** From here on a caller may filter. */
const certain = 0.9

interface Found {
  readonly from: number
  readonly to: number
  readonly meaning: NameMeaning
  readonly mention: string
}

/** Resolves the references of a question, in the order of the text. It never throws, and never names a path it does not know. */
export function resolveQuestion(
  question: string,
  names: DocumentNames,
  context: QuestionContext = { cited: [] },
): QuestionReference[] {
  const reading = new Reading(question, names, context)
  reading.readFiles()
  reading.readIds()
  reading.readCitations()
  reading.readQuoted()
  reading.readPhrases()
  reading.readAnaphors()
  reading.readBareNames()
  return reading.finish()
}

/** Reads a question in passes, the surest first; a word belongs to the first pass that takes it. */
class Reading {
  readonly #question: string
  readonly #names: DocumentNames
  readonly #context: QuestionContext
  readonly #words: readonly Word[]
  readonly #taken: boolean[]
  readonly #found: Found[] = []
  readonly #parts: { phrase: Phrase; mention: string }[] = []

  constructor(question: string, names: DocumentNames, context: QuestionContext) {
    this.#question = question
    this.#names = names
    this.#context = context
    this.#words = readWords(question)
    this.#taken = this.#words.map(() => false)
  }

  #take(from: number, to: number, meaning: NameMeaning, mention = this.#text(from, to)): void {
    if (from >= to || this.#taken.slice(from, to).includes(true)) return
    this.#taken.fill(true, from, to)
    this.#found.push({ from, to, meaning, mention })
  }

  #text(from: number, to: number): string {
    return from >= to ? '' : this.#question.slice(...this.#spanOf(from, to))
  }

  /** With the bracket that closes one of them: `Hummel (2021)`. */
  #spanOf(from: number, to: number): readonly [number, number] {
    const { start } = this.#words[from]!
    const { end } = this.#words[to - 1]!
    const isOpen =
      this.#question.lastIndexOf('(', end) > Math.max(start, this.#question.lastIndexOf(')', end - 1))
    return [start, isOpen && this.#question[end] === ')' ? end + 1 : end]
  }

  /** The words that a span of the text touches. */
  #wordsAt(start: number, end: number): readonly [number, number] {
    const from = this.#words.findIndex((word) => word.end > start)
    const after = this.#words.findIndex((word) => word.start >= end)
    return [from === -1 ? this.#words.length : from, after === -1 ? this.#words.length : after]
  }

  readFiles(): void {
    for (const { start, end, documents, section, confidence, method } of findFiles(
      this.#question,
      this.#names,
    )) {
      const [document] = documents
      const meaning: NameMeaning =
        document === undefined
          ? { outcome: 'unknown' }
          : documents.length > 1
            ? { outcome: 'ambiguous', documents }
            : { outcome: 'resolved', document, section, confidence, method }
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
    const numberOf = (path: string): number => this.#names.numbers.get(path)!
    switch (lookup.kind) {
      case 'foreign':
        return null
      case 'missing':
        return { outcome: 'unknown' }
      case 'ambiguous':
        return { outcome: 'ambiguous', documents: lookup.paths.map(numberOf) }
      case 'found': {
        const confidence = { name: 1, title: 0.95, main: 0.9 }[lookup.evidence]
        const method = lookup.evidence === 'name' ? 'id' : `id-${lookup.evidence}`
        return { outcome: 'resolved', document: numberOf(lookup.path), section: null, confidence, method }
      }
    }
  }

  readCitations(): void {
    for (const { from, to, meaning } of findCitations(this.#words, this.#taken, this.#names))
      this.#take(from, to, meaning)
  }

  readQuoted(): void {
    for (const { start, end, meaning } of findQuoted(this.#question, this.#names))
      this.#take(...this.#wordsAt(start, end), meaning)
  }

  readPhrases(): void {
    for (const phrase of findPhrases(this.#question, this.#words, this.#taken, this.#names)) {
      if (phrase.part) {
        this.#parts.push({ phrase, mention: phrase.name })
        this.#taken.fill(true, phrase.from, phrase.to)
        continue
      }
      this.#take(phrase.from, phrase.to, this.#withoutSection(this.#meaningOf(phrase)), phrase.name)
    }
  }

  #meaningOf({ name, indefinite }: Phrase): NameMeaning {
    const meaning = this.#decideTie(readName(name, this.#names))
    if (!indefinite || meaning.outcome !== 'resolved') return meaning
    return { ...meaning, confidence: Math.min(maxIndefinite, meaning.confidence) }
  }

  /** Of several, the only one that was cited before. */
  #decideTie(meaning: NameMeaning): NameMeaning {
    if (meaning.outcome !== 'ambiguous') return meaning
    const cited = new Set(this.#context.cited.map(({ path }) => this.#names.numbers.get(path)))
    const [document, ...more] = meaning.documents.filter((one) => cited.has(one))
    if (document === undefined || more.length > 0) return meaning
    return { outcome: 'resolved', document, section: null, confidence: citedTie, method: 'names' }
  }

  #withoutSection(meaning: NameMeaning): NameMeaning {
    return meaning.outcome === 'resolved' ? { ...meaning, section: null } : meaning
  }

  readAnaphors(): void {
    const numberOf = (path: string): number => this.#names.numbers.get(path) ?? -1
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
          meaning: { outcome: 'resolved', document: numberOf(path), section: null, confidence, method },
        })
    }
  }

  readBareNames(): void {
    for (const { from, to, meaning } of findBareNames(this.#question, this.#words, this.#taken, this.#names))
      this.#take(from, to, meaning)
  }

  /** "The retries section" is one of the document that the question names; else any document's. */
  #settleParts(): void {
    for (const { phrase, mention } of this.#parts) {
      const at = this.#found.findIndex(({ meaning }) => meaning.outcome === 'resolved')
      const host = this.#found[at]?.meaning
      const section = host?.outcome === 'resolved' ? this.#sectionOf(host.document, mention) : null
      if (host?.outcome === 'resolved' && section !== null)
        this.#found[at] = { ...this.#found[at]!, meaning: { ...host, section } }
      else this.#found.push({ from: phrase.from, to: phrase.to, mention, meaning: this.#meaningOf(phrase) })
    }
  }

  #sectionOf(document: number, mention: string): string | null {
    const found = gatherEvidence(mention, this.#names).found.find(
      (evidence) => evidence.document === document,
    )
    return found === undefined || found.section === -1
      ? null
      : this.#names.documents[document]!.sections[found.section]!.id
  }

  finish(): QuestionReference[] {
    this.#settleParts()
    const found = this.#withoutRepeats()
    const exclusive = this.#isExclusive(found)
    return found.map((one) => this.#referenceOf(one, exclusive))
  }

  /** Beside a certain mention, one that is less than certain is a subject of its own: a filter would lose it. */
  #isExclusive(found: readonly Found[]): boolean {
    const sure = found.filter(
      ({ meaning }) => meaning.outcome === 'resolved' && meaning.confidence >= certain,
    )
    const whole = found.every(({ meaning }) => meaning.outcome === 'resolved')
    const counted = sure.length > 0 ? sure : found
    const ownerOf = (at: number): number => counted.findIndex(({ from, to }) => at >= from && at < to)
    const isPart = (at: number): boolean =>
      this.#parts.some(({ phrase: { from, to } }) => at >= from && at < to)
    const owners = this.#words.map((_, at) => (isPart(at) ? counted.length : ownerOf(at)))
    return isExclusive(this.#words, owners, whole)
  }

  /** Each document once, by its surest mention; in the order of the text. */
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
    const pathOf = (document: number): string => this.#names.documents[document]!.path
    switch (meaning.outcome) {
      case 'unknown':
        return { outcome: 'unknown', ...place }
      case 'ambiguous':
        return { outcome: 'ambiguous', ...place, candidates: meaning.documents.map(pathOf) }
      case 'resolved': {
        const { document, section, confidence, method } = meaning
        return {
          outcome: 'resolved',
          ...place,
          path: pathOf(document),
          section,
          confidence,
          method,
          exclusive,
        }
      }
    }
  }
}
