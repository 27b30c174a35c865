// In which ways can the words of a question be written? As they are, joined (`replica set`), or split (`persistentvolumes`).
import { termOf } from '../parse/analyze-words.ts'
import type { DocumentNames } from './document-names.ts'
import { termsOf } from './question-terms.ts'

/** A term to look for, and the atoms of the mention that it accounts for, as bits. */
export interface WantedTerm {
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

/** Prepares a mention for the look-up. */
export function wantTerms(mention: string, names: DocumentNames): Wanted {
  const { parts, wholes } = termsOf(mention)
  const pieces = parts.slice(0, maxAtoms).flatMap((part) => atomsOf(part, names))
  const atoms = pieces.flatMap(({ parts: own }) => own).slice(0, maxAtoms)
  const terms = new Map<number, number>()
  const add = (text: string, bits: number): void => {
    const term = names.vocabulary.get(text)
    if (term !== undefined) terms.set(term, (terms.get(term) ?? 0) | bits)
  }
  for (const [index, atom] of atoms.entries()) add(atom, 1 << index)
  addWholes(pieces, add)
  addJoined(atoms, add)
  const weights = atoms.map((atom) => rarityOf(names, atom))
  const total = sum(weights)
  let reached = 0
  for (const bits of terms.values()) reached |= bits
  for (const whole of wholes) if (names.vocabulary.has(whole)) reached |= 0
  const known = total === 0 ? 0 : sum(weights.filter((_, index) => (reached & (1 << index)) !== 0)) / total
  return { terms: Array.from(terms, ([term, bits]) => ({ term, atoms: bits })), weights, total, known }
}

interface Pieces {
  readonly whole: string
  readonly parts: readonly string[]
}

/** A word that stands for several is taken apart, where names hold all of its parts. */
function atomsOf(part: string, names: DocumentNames): Pieces[] {
  const splittable = names.compounds.has(part) || !names.vocabulary.has(part)
  const parts = splittable ? splitWord(part, names, maxParts) : null
  return [{ whole: part, parts: parts ?? [part] }]
}

/** The fewest words of the vocabulary that make up this one; null when there are none. */
function splitWord(word: string, names: DocumentNames, most: number): readonly string[] | null {
  if (word.length > 48) return null
  let best: readonly string[] | null = null
  for (let at = word.length - minPart; at >= minPart; at--) {
    const head = termOf(word.slice(0, at))
    if (!names.vocabulary.has(head)) continue
    const tail = termOf(word.slice(at))
    const rest = names.vocabulary.has(tail)
      ? [tail]
      : most > 2
        ? splitWord(word.slice(at), names, most - 1)
        : null
    if (rest !== null && (best === null || rest.length + 1 < best.length)) best = [head, ...rest]
  }
  return best
}

function addWholes(pieces: readonly Pieces[], add: (text: string, bits: number) => void): void {
  let at = 0
  for (const { whole, parts } of pieces) {
    const bits = ((1 << parts.length) - 1) << at
    at += parts.length
    if (at > maxAtoms) return
    if (parts.length > 1) add(whole, bits)
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
