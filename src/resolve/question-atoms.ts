// In which ways can the words of a question be written? As they are, joined (`replica set`), or split (`persistentvolumes`).
import { termOf } from '../parse/analyze-words.ts'
import type { DocumentNames } from './document-names.ts'
import { isFunctionTerm, wordsOf } from './question-terms.ts'

/** A term to look for, and the atoms of the mention that it accounts for, as bits. */
interface WantedTerm {
  /** Its number in the vocabulary. */
  readonly term: number
  readonly atoms: number
}

export interface Wanted {
  readonly terms: readonly WantedTerm[]
  /** How much each atom tells. */
  readonly weights: readonly number[]
  /** Sum of the weights. */
  readonly total: number
  /** The share of the weight that lies in words which some document is known by. */
  readonly known: number
}

/** Bits of a number; more words than this are no name. */
const maxAtoms = 24
const maxParts = 3
const minPart = 2
const maxWord = 48

/** Prepares a mention for the look-up. */
export function wantTerms(mention: string, names: DocumentNames): Wanted {
  const pieces = piecesOf(mention, names)
  const atoms = pieces.flatMap(({ parts }) => parts)
  const terms = new Map<number, number>()
  const add = (text: string, bits: number): void => {
    const term = names.vocabulary.get(text)
    if (term !== undefined) terms.set(term, (terms.get(term) ?? 0) | bits)
  }
  for (const [index, atom] of atoms.entries()) add(termOf(atom), 1 << index)
  addWholes(pieces, add)
  addJoined(atoms, add)
  const weights = atoms.map((atom) => rarityOf(names, termOf(atom)))
  let reached = 0
  for (const bits of terms.values()) reached |= bits
  const total = sum(weights)
  const known = total === 0 ? 0 : sum(weights.filter((_, index) => (reached & (1 << index)) !== 0)) / total
  return { terms: Array.from(terms, ([term, bits]) => ({ term, atoms: bits })), weights, total, known }
}

/** A word of the mention and what it is made of: itself, or several words of the vocabulary. */
interface Pieces {
  readonly whole: string
  readonly parts: readonly string[]
}

/** Words stay as they are written, because only a whole word can be split. */
function piecesOf(mention: string, names: DocumentNames): Pieces[] {
  const words = wordsOf(mention)
  const telling = words.filter((word) => !isFunctionTerm(termOf(word)))
  const pieces: Pieces[] = []
  let count = 0
  for (const whole of new Set(telling.length === 0 ? words : telling)) {
    const parts = splitCompound(whole, names)
    count += parts.length
    if (count > maxAtoms) break
    pieces.push({ whole, parts })
  }
  return pieces
}

/** A word that stands for several is taken apart, where names hold all of its parts. */
function splitCompound(word: string, names: DocumentNames): readonly string[] {
  const term = termOf(word)
  const splittable = names.compounds.has(term) || !names.vocabulary.has(term)
  return (splittable ? splitWord(word, names, maxParts) : null) ?? [word]
}

/** The fewest words of the vocabulary that make up this one; null when there are none. */
function splitWord(word: string, names: DocumentNames, most: number): readonly string[] | null {
  if (word.length > maxWord) return null
  let best: readonly string[] | null = null
  for (let at = word.length - minPart; at >= minPart; at--) {
    const head = word.slice(0, at)
    if (!names.vocabulary.has(termOf(head))) continue
    const tail = word.slice(at)
    const isKnown = names.vocabulary.has(termOf(tail))
    const rest = isKnown ? [tail] : most > 2 ? splitWord(tail, names, most - 1) : null
    if (rest === null) continue
    const parts = [head, ...rest]
    if (best === null || isBetterSplit(parts, best)) best = parts
  }
  return best
}

/** Fewer parts, then no short ones: `storage` `classes` rather than `storageclass` `es`. */
function isBetterSplit(parts: readonly string[], best: readonly string[]): boolean {
  if (parts.length !== best.length) return parts.length < best.length
  return shortest(parts) > shortest(best)
}

function shortest(parts: readonly string[]): number {
  return Math.min(...parts.map(({ length }) => length))
}

function addWholes(pieces: readonly Pieces[], add: (text: string, bits: number) => void): void {
  let at = 0
  for (const { whole, parts } of pieces) {
    const bits = ((1 << parts.length) - 1) << at
    at += parts.length
    if (at > maxAtoms) return
    if (parts.length > 1) add(termOf(whole), bits)
  }
}

/** Two and three neighbouring words written as one. */
function addJoined(atoms: readonly string[], add: (text: string, bits: number) => void): void {
  for (let at = 0; at + 1 < atoms.length; at++) {
    const pair = atoms[at]! + atoms[at + 1]!
    add(termOf(pair), 3 << at)
    if (at + 2 < atoms.length) add(termOf(pair + atoms[at + 2]!), 7 << at)
  }
}

function rarityOf(names: DocumentNames, term: string): number {
  const number = names.vocabulary.get(term)
  return number === undefined ? names.unknownRarity : names.rarities[number]!
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
