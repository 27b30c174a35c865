// What do "the second one", "that page" and "it" mean? Documents that the last answer of the conversation cited.
import type { DocumentNames } from '../document-names.ts'
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

/** A document that an earlier answer cited. */
export interface CitedDocument {
  readonly path: string
  readonly title: string
  /** Number of the answer; later answers have larger ones. */
  readonly turn: number
}

const ordinals: ReadonlyMap<string, number> = new Map([
  ...'first second third fourth fifth'.split(' ').map((word, at) => [word, at] as const),
  ...'1st 2nd 3rd 4th 5th'.split(' ').map((word, at) => [word, at] as const),
  ['last', -1],
  ['final', -1],
])
const plural = /^(?:these|those|they|them|their|both)$/
/** After "is it" and "it is", these words refer to nothing. */
const expletive = /^(?:possible|true|necessary|ok|okay|safe|better|worth|required|common|good|bad|hard|easy)$/

/** Finds references to the last answer, left to right. */
export function findAnaphors(
  words: readonly Word[],
  taken: readonly boolean[],
  cited: readonly CitedDocument[],
  names: DocumentNames,
): Anaphor[] {
  const turn = cited.at(-1)?.turn
  const last = [...new Set(cited.filter((one) => one.turn === turn).map(({ path }) => path))]
  const found: Anaphor[] = []
  for (let at = 0; at < words.length; at++) {
    const pointing = taken[at] ? null : readAnaphor(words, at, last)
    if (pointing === null || taken.slice(at, at + pointing.length).includes(true)) continue
    const { length, paths, confidence, method, isOne } = pointing
    const isTie = isOne && paths.length > 1
    const isKnown = paths.every((path) => names.numberOf(path) !== -1)
    found.push({
      from: at,
      to: at + length,
      paths: isTie || !isKnown ? [] : paths,
      candidates: isTie ? paths : [],
      confidence: isTie ? 0 : confidence,
      method,
    })
    at += length - 1
  }
  return found
}

interface Pointing extends Pick<Anaphor, 'paths' | 'confidence' | 'method'> {
  readonly length: number
  /** One document is meant, so that several are a tie. */
  readonly isOne: boolean
}

function readAnaphor(words: readonly Word[], at: number, last: readonly string[]): Pointing | null {
  const lower = (index: number): string => words[index]?.lower ?? ''
  const isEnd = (index: number): boolean =>
    index >= words.length || words[index - 1]!.stop || isSaying(lower(index))
  const isNoun = (index: number): boolean => !words[index - 1]?.stop && isSourceNoun(lower(index))
  const word = lower(at)
  const next = words[at]!.stop ? '' : lower(at + 1)
  const ordinal = ordinals.get(next)
  if (word === 'the' && ordinal !== undefined && (isNoun(at + 2) || isEnd(at + 2))) {
    const path = last.at(ordinal)
    const paths = path === undefined ? [] : [path]
    const length = isNoun(at + 2) ? 3 : 2
    return { length, paths, confidence: confidences.pointedAt, method: 'ordinal', isOne: true }
  }
  const isDemonstrative =
    ((word === 'that' || word === 'this') && isNoun(at + 1)) ||
    (word === 'the' && isForm(next) && last.length > 0)
  if (isDemonstrative)
    return {
      length: 2,
      paths: last,
      confidence: confidences.pointedAt,
      method: 'demonstrative',
      isOne: true,
    }
  if (last.length === 0) return null
  if (word === 'it' || word === 'its') {
    if (expletive.test(next) || expletive.test(lower(at + 2))) return null
    const confidence = isSaying(next) ? confidences.saidByIt : confidences.it
    return { length: 1, paths: last, confidence, method: 'pronoun', isOne: true }
  }
  const hasNoun = plural.test(word) && isPluralForm(next)
  if (!plural.test(word) || !(hasNoun || word.startsWith('the') || isEnd(at + 1))) return null
  const confidence = hasNoun || isEnd(at + 1) ? confidences.pointedAtSeveral : confidences.it
  return { length: hasNoun ? 2 : 1, paths: last, confidence, method: 'pronoun', isOne: false }
}
