// What do "the second one", "that page" and "it" mean? Documents that earlier answers of the conversation cited.
import type { DocumentNames } from '../document-names.ts'
import { rankNames } from './rank-names.ts'
import { confidences } from './tuning.ts'
import { isForm, isPluralForm, isSaying, isSourceNoun, type Word } from './words.ts'

/** Words that refer back, and their documents; several `paths` are meant together, `candidates` are a tie. */
interface Anaphor {
  readonly from: number
  readonly to: number
  readonly paths: readonly string[]
  readonly candidates: readonly string[]
  readonly confidence: number
  readonly method: 'ordinal' | 'demonstrative' | 'pronoun'
}

type Pointing = Omit<Anaphor, 'from' | 'to'> & { readonly length: number }

const ordinals: ReadonlyMap<string, number> = new Map([
  ...'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, at) => [word, at] as const),
  ...'1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th'.split(' ').map((word, at) => [word, at] as const),
  ['last', -1],
  ['final', -1],
  ['penultimate', -2],
])
const counts: ReadonlyMap<string, number> = new Map([
  ['two', 2],
  ['2', 2],
  ['three', 3],
  ['3', 3],
  ['four', 4],
  ['4', 4],
])
const articles = new Set(['the', 'that', 'this', 'your'])
const demonstratives = new Set(['that', 'this'])
const plural = new Set(['these', 'those'])
const earlier = new Set(['previous', 'earlier', 'prior', 'preceding'])
/** After "is it" and "it is", these words refer to nothing. */
const expletives = new Set(
  'possible true necessary ok okay safe better best worth important required enough likely common good bad hard easy takes matter raining'.split(
    ' ',
  ),
)

/** Finds references to earlier answers, left to right. */
export function findAnaphors(
  words: readonly Word[],
  taken: readonly boolean[],
  cited: readonly CitedDocument[],
  names: DocumentNames,
): Anaphor[] {
  const reader = new AnaphorReader(words, new History(cited), names)
  const found: Anaphor[] = []
  for (let at = 0; at < words.length; at++) {
    if (taken[at]) continue
    const pointing = reader.read(at)
    if (pointing === null || taken.slice(at, at + pointing.length).includes(true)) continue
    const { length, ...rest } = pointing
    found.push({ ...rest, from: at, to: at + length })
    at += length - 1
  }
  return found
}

class AnaphorReader {
  readonly #words: readonly Word[]
  readonly #history: History
  readonly #names: DocumentNames

  constructor(words: readonly Word[], history: History, names: DocumentNames) {
    this.#words = words
    this.#history = history
    this.#names = names
  }

  read(at: number): Pointing | null {
    const word = this.#at(at)
    if (articles.has(word)) return this.#afterArticle(at)
    if (word === 'both' || word === 'all') return this.#together(at)
    if (plural.has(word)) return this.#plural(at)
    if (word === 'number' || isSourceNoun(word)) return this.#numbered(at)
    if (word === 'it' || word === 'its') return this.#it(at)
    if (word === 'they' || word === 'them' || word === 'their') return this.#they(at)
    return null
  }

  #at(index: number): string {
    return this.#words[index]?.lower ?? ''
  }

  /** Does the phrase end after the word before `index`? */
  #ends(index: number): boolean {
    return index >= this.#words.length || this.#words[index - 1]!.stop || isSaying(this.#at(index))
  }

  #noun(index: number): boolean {
    const word = this.#at(index)
    return !this.#words[index - 1]?.stop && isSourceNoun(word)
  }

  #afterArticle(at: number): Pointing | null {
    const next = this.#at(at + 1)
    if (this.#words[at]!.stop) return null
    if (next === 'former' || next === 'latter') return this.#formerOrLatter(at)
    if (next === 'other' || next === 'others') return this.#other(at)
    if (ordinals.has(next)) return this.#ordinal(at)
    if (earlier.has(next) && this.#noun(at + 2)) return this.#previous(at)
    if (next === 'same' && this.#noun(at + 2)) return this.#single(3, 'demonstrative')
    if (next === 'one') return this.#theOne(at)
    const isPointing = demonstratives.has(this.#at(at))
    if (isForm(next) || (isPointing && this.#noun(at + 1)))
      return isPointing || this.#history.last.length > 0 ? this.#single(2, 'demonstrative') : null
    return null
  }

  #text(from: number, to: number): string {
    return this.#words
      .slice(from, to)
      .map(({ lower }) => lower)
      .join(' ')
  }

  #found(paths: readonly string[], length: number, confidence: number, method: Anaphor['method']): Pointing {
    const known = paths.filter((path) => this.#names.numberOf(path) !== -1)
    return { paths: known.length === paths.length ? known : [], candidates: [], confidence, method, length }
  }

  #tie(candidates: readonly string[], length: number, method: Anaphor['method']): Pointing {
    return { paths: [], candidates, confidence: 0, method, length }
  }

  /** One document of the last answer; several are a tie. */
  #single(length: number, method: Anaphor['method'], confidence: number = confidences.pointedAt): Pointing {
    const { last } = this.#history
    return last.length > 1 ? this.#tie(last, length, method) : this.#found(last, length, confidence, method)
  }

  #all(
    length: number,
    method: Anaphor['method'],
    confidence: number = confidences.pointedAtSeveral,
  ): Pointing {
    return this.#found(this.#history.last, length, confidence, method)
  }

  #formerOrLatter(at: number): Pointing {
    const { pair, last } = this.#history
    const length = this.#noun(at + 2) ? 3 : 2
    if (pair.length < 2) return this.#tie(last.length > 1 ? last : [], length, 'ordinal')
    return this.#found(
      [pair[this.#at(at + 1) === 'former' ? 0 : 1]!],
      length,
      confidences.pointedAt,
      'ordinal',
    )
  }

  /** Needs a document that was just mentioned: by the last answer, or by the question. */
  #other(at: number): Pointing | null {
    const hasNoun = this.#noun(at + 2)
    if (!hasNoun && !this.#ends(at + 2)) return null
    const length = hasNoun ? 3 : 2
    const { last, others } = this.#history
    if (last.length > 1) return this.#tie(last, length, 'ordinal')
    if (this.#at(at + 1) === 'others' || isPluralForm(this.#at(at + 2)))
      return this.#found(others, length, confidences.pointedAtSeveral, 'ordinal')
    return others.length > 1
      ? this.#tie(others, length, 'ordinal')
      : this.#found(others, length, confidences.pointedAtSeveral, 'ordinal')
  }

  #ordinal(at: number): Pointing | null {
    const index = ordinals.get(this.#at(at + 1))!
    const count = counts.get(this.#at(at + 2))
    if (count !== undefined && (index === 0 || index === -1)) {
      const { last } = this.#history
      if (last.length < count) return null
      return this.#found(
        index === 0 ? last.slice(0, count) : last.slice(-count),
        this.#noun(at + 3) ? 4 : 3,
        confidences.pointedAtSeveral,
        'ordinal',
      )
    }
    const hasNoun = this.#noun(at + 2)
    const isOf = this.#at(at + 2) === 'of' && /^(?:them|these|those)$/.test(this.#at(at + 3))
    if (!hasNoun && !isOf && !this.#ends(at + 2)) return null
    const length = hasNoun ? 3 : isOf ? 4 : 2
    const nth = this.#history.nth(index)
    return this.#found(
      nth === null ? [] : [nth.path],
      length,
      nth?.latest === false ? confidences.pointedAtEarlier : confidences.pointedAt,
      'ordinal',
    )
  }

  /** "Document 2", "source #3", "number two". */
  #numbered(at: number): Pointing | null {
    const next = this.#at(at + 1)
    const number =
      counts.get(next) ??
      (next === 'one' && this.#at(at) === 'number' ? 1 : /^[1-9]$/.test(next) ? Number(next) : null)
    if (number === null || this.#words[at]!.stop || this.#history.last.length === 0) return null
    const nth = this.#history.nth(number - 1)
    return this.#found(
      nth === null ? [] : [nth.path],
      2,
      nth?.latest === false ? confidences.pointedAtEarlier : confidences.pointedAt,
      'ordinal',
    )
  }

  #previous(at: number): Pointing {
    const { turns, last } = this.#history
    const before = turns.at(-2) ?? (last.length === 1 ? last : [])
    if (isPluralForm(this.#at(at + 2))) return this.#found(before, 3, confidences.pointedAtSeveral, 'ordinal')
    return before.length > 1
      ? this.#tie(before, 3, 'ordinal')
      : this.#found(before, 3, confidences.pointedAtSeveral, 'ordinal')
  }

  /** "That one", "the one about X". */
  #theOne(at: number): Pointing | null {
    if (!/^(?:about|on|for|regarding|by|from|called|with)$/.test(this.#at(at + 2)))
      return demonstratives.has(this.#at(at)) ? this.#single(2, 'demonstrative') : null
    let to = at + 3
    while (to < this.#words.length && to < at + 9 && !this.#words[to - 1]!.stop && !isSaying(this.#at(to)))
      to++
    return this.#chosen(this.#text(at + 3, to), to - at)
  }

  /** The cited document that matches the words best. */
  #chosen(text: string, length: number): Pointing | null {
    const { last, recent } = this.#history
    if (recent.length === 0 || text === '') return null
    const { ranked } = rankNames(text, this.#names)
    for (const among of [last, recent]) {
      const first = ranked.find(({ path }) => among.includes(path))
      if (first !== undefined)
        return this.#found([first.path], length, confidences.pointedAtSeveral, 'ordinal')
    }
    return this.#found([], length, confidences.pointedAtSeveral, 'ordinal')
  }

  #together(at: number): Pointing | null {
    const next = this.#at(at + 1)
    const ofThem = next === 'of' && /^(?:them|these|those)$/.test(this.#at(at + 2))
    const extra = next === 'the' || plural.has(next) ? 1 : 0
    const counted = counts.has(this.#at(at + 1)) ? 1 : 0
    const noun = at + 1 + extra + counted
    const hasNoun = isPluralForm(this.#at(noun)) && !this.#words[at]!.stop
    const length = ofThem ? 3 : hasNoun ? noun - at + 1 : 1 + counted
    if (!ofThem && !hasNoun && !this.#ends(at + length)) return null
    if (this.#at(at) === 'all') return counted === 0 && length === 1 ? null : this.#all(length, 'pronoun')
    const { pair, last, lastTwo } = this.#history
    if (last.length === 0) return null
    if (pair.length === 2) return this.#found(pair, length, confidences.pointedAt, 'pronoun')
    return last.length > 2
      ? this.#tie(last, length, 'pronoun')
      : this.#found(lastTwo, length, confidences.pointedAtEarlier, 'pronoun')
  }

  #plural(at: number): Pointing | null {
    if (this.#history.last.length === 0) return null
    const counted = counts.has(this.#at(at + 1)) ? 1 : 0
    const hasNoun = isPluralForm(this.#at(at + 1 + counted)) && !this.#words[at]!.stop
    if (!hasNoun && !this.#ends(at + 1 + counted)) return null
    return this.#all(1 + counted + (hasNoun ? 1 : 0), 'demonstrative')
  }

  /** "It" may be the topic as well as the document: only a verb of documents makes it certain. */
  #it(at: number): Pointing | null {
    const { last } = this.#history
    const next = this.#at(at + 1)
    const isExpletive =
      expletives.has(next) || (/^(?:is|was|takes)$/.test(next) && expletives.has(this.#at(at + 2)))
    if (last.length === 0 || isExpletive) return null
    return this.#single(1, 'pronoun', isSaying(next) ? confidences.saidByIt : confidences.it)
  }

  #they(at: number): Pointing | null {
    if (this.#history.last.length === 0) return null
    return this.#all(
      1,
      'pronoun',
      isSaying(this.#at(at + 1)) && this.#history.last.length > 1 ? confidences.saidByIt : confidences.it,
    )
  }
}

/** A document that an earlier answer cited. */
export interface CitedDocument {
  readonly path: string
  readonly title: string
  /** Number of the answer; later answers have larger ones. */
  readonly turn: number
}

/** The citations by answer, each document once, in order. */
export class History {
  readonly turns: readonly (readonly string[])[]

  constructor(cited: readonly CitedDocument[]) {
    const byTurn = Map.groupBy(cited, ({ turn }) => turn)
    this.turns = [...byTurn]
      .sort(([a], [b]) => a - b)
      .map(([, group]) => [...new Set(group.map(({ path }) => path))])
  }

  get last(): readonly string[] {
    return this.turns.at(-1) ?? []
  }

  /** Every document, the most recently cited first. */
  get recent(): readonly string[] {
    return [...new Set(this.turns.toReversed().flat())]
  }

  /** The last two mentioned documents: of the last answer, or the last of each of the last two answers. */
  get pair(): readonly string[] {
    if (this.last.length === 2) return this.last
    const [before] = (this.turns.at(-2) ?? []).filter((path) => !this.last.includes(path))
    return this.last.length === 1 && before !== undefined && this.turns.at(-2)?.length === 1
      ? [before, ...this.last]
      : []
  }

  /** The two documents cited last, the later one last; empty without two. */
  get lastTwo(): readonly string[] {
    const two = [...new Set(this.turns.flat().toReversed())].slice(0, 2).toReversed()
    return two.length === 2 ? two : []
  }

  /** Documents of the answer before that the last answer did not cite. */
  get others(): readonly string[] {
    for (const turn of this.turns.toReversed().slice(1)) {
      const rest = turn.filter((path) => !this.last.includes(path))
      if (rest.length > 0) return rest
    }
    return []
  }

  /** The nth document of the latest answer that cited as many. */
  nth(index: number): { readonly path: string; readonly latest: boolean } | null {
    for (const turn of this.turns.toReversed()) {
      const path = turn.at(index)
      if (path !== undefined) return { path, latest: turn === this.last }
    }
    return null
  }
}
