// Which features does a document have as the target of a mention? One number each; more is better. The words of the
// mention are matched as written, joined (`replica set`) and split (`persistentvolumes`).
import { termOf } from '../../../read/parse/words/analyze-words.ts'
import type { DocumentNames, NamesPart } from '../document-names.ts'
import { fieldCount, type NumberList, nameFields } from '../pack-names.ts'
import { isFunctionTerm, wordsOf } from './words.ts'

/** In the order of an evidence's features, which are described where they are computed. */
export const featureNames = [
  'title',
  'stem',
  'heading',
  'headingCover',
  'link',
  'linkCover',
  'folderCover',
  'cover',
  'headings',
  'inbound',
  'own',
  'phrase',
  'headingShare',
  'titleShare',
  'joint',
  'jointCover',
] as const

/** The features of one document. */
export interface Evidence {
  readonly document: number
  readonly features: Float64Array
  /** Similarity of its best single name, without folders: 1 for the same words. */
  readonly best: number
  /** Similarity of its title. */
  readonly title: number
  /** The share of the mention in all its names together, and in its title and file name. */
  readonly cover: number
  readonly own: number
  /** One bit per field in which a name has exactly the mention's words. */
  readonly exact: number
}

/** A name that shares a term with the mention. */
interface NameMatch {
  readonly part: NamesPart
  /** Its number in the part. */
  readonly name: number
  /** The words of the mention that it contains, as bits, and the sum of the IDF of its matched terms. */
  atoms: number
  weight: number
  /** The share of the name in the mention. */
  share: number
}

/** Computes the features of every document that shares a term with the mention. */
export function gatherEvidence(mention: string, names: DocumentNames): { wanted: Wanted; found: Evidence[] } {
  const wanted = wantTerms(mention, names)
  return { wanted, found: new Weighing(wanted, names).weigh(matchNames(wanted, names)) }
}

function matchNames({ terms }: Wanted, names: DocumentNames): readonly NameMatch[] {
  const matches = new Map<number, NameMatch>()
  for (const { term, atoms } of terms) {
    const rarity = names.rarity(term)
    for (const [part, holding] of names.namesWith(term))
      for (const name of holding) {
        const match = matches.get(part.firstName + name)
        if (match === undefined)
          matches.set(part.firstName + name, { part, name, atoms, weight: rarity, share: 0 })
        else {
          match.atoms |= atoms
          match.weight += rarity
        }
      }
  }
  return [...matches.values()]
}

/** Accumulator of one document. */
class Tally {
  /** By field: the best similarity of a name, and the best share of the mention in one name. */
  readonly best = new Float64Array(fieldCount)
  readonly cover = new Float64Array(fieldCount)
  readonly votes = new Float64Array(fieldCount)
  exact = 0
  atoms = 0
  ownAtoms = 0
  headings = 0
  phrase = 0
  joint = 0
  jointCover = 0
}

class Weighing {
  readonly #wanted: Wanted
  readonly #names: DocumentNames
  readonly #tallies = new Map<number, Tally>()
  readonly #votes = new Float64Array(fieldCount)
  readonly #covers = new Map<number, number>()
  /** Atoms by term, to compare the order of words. */
  readonly #atoms: ReadonlyMap<number, number>

  constructor(wanted: Wanted, names: DocumentNames) {
    this.#wanted = wanted
    this.#names = names
    this.#atoms = new Map(wanted.terms.map(({ term, atoms }) => [term, atoms]))
  }

  weigh(matches: readonly NameMatch[]): Evidence[] {
    for (const match of matches) this.#count(match)
    for (const match of matches) this.#countJoint(match)
    return Array.from(this.#tallies, ([document, tally]) => this.#evidenceOf(document, tally))
  }

  #count(match: NameMatch): void {
    const { part, name, atoms, weight } = match
    const document = part.firstDocument + part.documentOf(name)
    const field = part.fieldOf(name)
    const tally = this.#tallies.get(document) ?? new Tally()
    this.#tallies.set(document, tally)
    const cover = this.#cover(atoms)
    match.share = Math.min(1, weight / this.#names.weightOf(part, name))
    const similarity = cover * match.share
    tally.atoms |= atoms
    if (similarity > 0.999) tally.exact |= 1 << field
    if (cover > tally.cover[field]!) tally.cover[field] = cover
    if (similarity > tally.best[field]!) tally.best[field] = similarity
    if (field === nameFields.heading) tally.headings += similarity
    const isOwn = field === nameFields.title || field === nameFields.stem
    if (isOwn) tally.ownAtoms |= atoms
    const ballot = isOwn ? nameFields.title : field
    const vote = similarity ** 3 * part.countOf(name)
    tally.votes[ballot]! += vote
    this.#votes[ballot]! += vote
    if (similarity > 0.2 && field !== nameFields.folder)
      tally.phrase = Math.max(tally.phrase, this.#phrase(part, part.termsOf(name)))
  }

  /** A heading or a link text that completes the title: `update strategy` in the page on `StatefulSet`. */
  #countJoint({ part, name, atoms, share }: NameMatch): void {
    const field = part.fieldOf(name)
    if (field !== nameFields.heading && field !== nameFields.link) return
    const tally = this.#tallies.get(part.firstDocument + part.documentOf(name))!
    const cover = this.#cover(atoms | tally.ownAtoms)
    tally.joint = Math.max(tally.joint, cover * share)
    tally.jointCover = Math.max(tally.jointCover, cover)
  }

  /** The share of the mention's neighbouring words that are neighbours in the name too. */
  #phrase(part: NamesPart, terms: NumberList): number {
    const pairs = this.#wanted.weights.length - 1
    if (pairs < 1) return 0
    let found = 0
    let before = 0
    for (const term of terms) {
      const atoms = this.#atoms.get(part.numbers[term]!) ?? 0
      if (((before << 1) & atoms) !== 0) found++
      if ((atoms & (atoms >> 1)) !== 0) found++
      before = atoms
    }
    return Math.min(1, found / pairs)
  }

  /** The share of these atoms in the mention's weight. */
  #cover(atoms: number): number {
    const known = this.#covers.get(atoms)
    if (known !== undefined) return known
    const { weights, total } = this.#wanted
    let cover = 0
    for (let atom = 0; atom < weights.length; atom++) if ((atoms & (1 << atom)) !== 0) cover += weights[atom]!
    cover = total === 0 ? 0 : cover / total
    this.#covers.set(atoms, cover)
    return cover
  }

  #evidenceOf(document: number, tally: Tally): Evidence {
    const { title, stem, heading, link, folder } = nameFields
    const { best, cover } = tally
    const whole = this.#cover(tally.atoms)
    const own = this.#cover(tally.ownAtoms)
    const features = Float64Array.of(
      best[title]!,
      best[stem]!,
      best[heading]!,
      cover[heading]!,
      best[link]!,
      cover[link]!,
      cover[folder]!,
      whole,
      Math.log1p(tally.headings),
      Math.log1p(this.#names.inboundOf(document)),
      own,
      tally.phrase,
      shareOf(tally.votes[heading]!, this.#votes[heading]!),
      shareOf(tally.votes[title]!, this.#votes[title]!),
      tally.joint,
      tally.jointCover,
    )
    return {
      document,
      features,
      best: Math.max(best[title]!, best[stem]!, best[heading]!, best[link]!),
      title: best[title]!,
      cover: whole,
      own,
      exact: tally.exact,
    }
  }
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** A term to search for, and the atoms of the mention that it covers, as bits. */
interface WantedTerm {
  /** Its number in the vocabulary. */
  readonly term: number
  readonly atoms: number
}

interface Wanted {
  readonly terms: readonly WantedTerm[]
  /** Inverse document frequency of each atom. */
  readonly weights: readonly number[]
  /** Sum of the weights. */
  readonly total: number
  /** Share of the weight in words that occur in some document's names. */
  readonly known: number
}

/** Maximum words of a mention: one bit each. */
const maxAtoms = 24
const maxParts = 3
const minPart = 2
const maxWord = 48

function wantTerms(mention: string, names: DocumentNames): Wanted {
  const atoms = atomsOf(mention, names)
  const terms = new Map<number, number>()
  const add = (text: string, bits: number): void => {
    const term = names.term(text)
    if (term !== -1) terms.set(term, (terms.get(term) ?? 0) | bits)
  }
  for (const [index, atom] of atoms.entries()) add(termOf(atom), 1 << index)
  addJoined(atoms, add)
  const weights = atoms.map((atom) => rarityOf(names, termOf(atom)))
  let reached = 0
  for (const bits of terms.values()) reached |= bits
  const total = sum(weights)
  const known = total === 0 ? 0 : sum(weights.filter((_, index) => (reached & (1 << index)) !== 0)) / total
  return { terms: Array.from(terms, ([term, bits]) => ({ term, atoms: bits })), weights, total, known }
}

/** The words of the mention, with compounds split; words stay as written, because only a whole word can be split. */
function atomsOf(mention: string, names: DocumentNames): string[] {
  const words = wordsOf(mention)
  const content = words.filter((word) => !isFunctionTerm(termOf(word)))
  const atoms: string[] = []
  for (const word of new Set(content.length === 0 ? words : content)) {
    const parts = splitCompound(word, names)
    if (atoms.length + parts.length > maxAtoms) break
    atoms.push(...parts)
  }
  return atoms
}

/** Splits a word if names contain all of its parts. */
function splitCompound(word: string, names: DocumentNames): readonly string[] {
  const term = termOf(word)
  const splittable = names.isCompound(term) || names.term(term) === -1
  return (splittable ? splitWord(word, names, maxParts) : null) ?? [word]
}

/** The fewest words of the vocabulary that make up this one; null if there are none. */
function splitWord(word: string, names: DocumentNames, most: number): readonly string[] | null {
  if (word.length > maxWord) return null
  let best: readonly string[] | null = null
  for (let at = word.length - minPart; at >= minPart; at--) {
    const head = word.slice(0, at)
    if (names.term(termOf(head)) === -1) continue
    const tail = word.slice(at)
    const isKnown = names.term(termOf(tail)) !== -1
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

/** Two and three neighbouring words, joined. */
function addJoined(atoms: readonly string[], add: (text: string, bits: number) => void): void {
  for (let at = 0; at + 1 < atoms.length; at++) {
    const pair = atoms[at]! + atoms[at + 1]!
    add(termOf(pair), 3 << at)
    if (at + 2 < atoms.length) add(termOf(pair + atoms[at + 2]!), 7 << at)
  }
}

function rarityOf(names: DocumentNames, term: string): number {
  const number = names.term(term)
  return number === -1 ? names.unknownRarity : names.rarity(number)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
