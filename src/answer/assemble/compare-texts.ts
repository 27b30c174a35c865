// Do two sections have the same text, or nearly? Compared by folded words.

import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { hasContent } from './empty-text.ts'
import type { Chosen } from './section-runs.ts'
import { bodyOf } from './source-text.ts'
import { ALIKE } from './tuning.ts'

/** Characters of a folded text that serve as its hash. */
const BEGINNING = 40

/** Folded so that the same words in two places compare equal. */
function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const folds = new WeakMap<ArtifactText, string>()

/** Memoised: the same texts are compared in every round of fitting. */
export function foldOf(section: RankedSection, text: ArtifactText): string {
  let folded = folds.get(text)
  if (folded === undefined) {
    folded = foldText(bodyOf(section.artifact, text))
    folds.set(text, folded)
  }
  return folded
}

/** Words of a text with their number, memoised. */
const counted = new WeakMap<ArtifactText, ReadonlyMap<string, number>>()

function countWords(section: RankedSection, text: ArtifactText): ReadonlyMap<string, number> {
  let counts = counted.get(text)
  if (counts === undefined) {
    const words = foldOf(section, text).split(' ')
    counts = new Map([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]))
    counted.set(text, counts)
  }
  return counts
}

/** Do two sections of the same name have nearly the same words? */
export function isNearlyAlike(
  one: Pick<Chosen, 'section' | 'text'>,
  other: Pick<Chosen, 'section' | 'text'>,
): boolean {
  if (one.section.artifact.name !== other.section.artifact.name) return false
  const [a, b] = [countWords(one.section, one.text), countWords(other.section, other.text)]
  let [shared, total] = [0, 0]
  for (const [word, count] of a) {
    shared += 2 * Math.min(count, b.get(word) ?? 0)
    total += count
  }
  for (const count of b.values()) total += count
  return total >= 2 * ALIKE.words && shared >= ALIKE.share * total
}

/** The beginning of the folded text: few texts share it, so few have to be folded whole. */
function beginningOf(body: string): string {
  const beginning = foldText(body.slice(0, BEGINNING * 8))
  // The cut may fall inside a surrogate pair, which folds differently.
  return beginning.length > BEGINNING + 1 ? beginning.slice(0, BEGINNING) : foldText(body).slice(0, BEGINNING)
}

/** The folded beginning of each text; '' for one without content of its own. */
const beginnings = new WeakMap<ArtifactText, string>()

export function contentBeginning({ artifact }: RankedSection, text: ArtifactText): string {
  let known = beginnings.get(text)
  if (known === undefined) {
    known = hasContent(artifact, text) ? beginningOf(bodyOf(artifact, text)) : ''
    beginnings.set(text, known)
  }
  return known
}
