// Do two sections have the same text? Compared by folded words.

import { getOrAdd } from '../../model/remember.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { hasContent } from './empty-text.ts'
import { bodyOf } from './source-text.ts'

/** Characters of a folded text that serve as its hash. */
const BEGINNING = 40

/** Folded so that the same words in two places compare equal. */
const foldText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const folds = new WeakMap<ArtifactText, string>()

/** Memoised: the same texts are compared in every round of fitting. */
export const foldOf = (section: RankedSection, text: ArtifactText): string =>
  getOrAdd(folds, text, () => foldText(bodyOf(section.artifact, text)))

/** The beginning of the folded text: few texts share it, so few have to be folded whole. */
function beginningOf(body: string): string {
  const beginning = foldText(body.slice(0, BEGINNING * 8))
  // The cut may fall inside a surrogate pair, which folds differently.
  return beginning.length > BEGINNING + 1 ? beginning.slice(0, BEGINNING) : foldText(body).slice(0, BEGINNING)
}

/** The folded beginning of each text; '' for one without content of its own. */
const beginnings = new WeakMap<ArtifactText, string>()

export const contentBeginning = ({ artifact }: RankedSection, text: ArtifactText): string =>
  getOrAdd(beginnings, text, () => (hasContent(artifact, text) ? beginningOf(bodyOf(artifact, text)) : ''))
