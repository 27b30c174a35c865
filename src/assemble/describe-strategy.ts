// What must a reader know about the way the sections were found? One plain sentence, or nothing.
import type { Strategy, StrategyName } from '../model/digest.ts'

/** What the step that answered means for the reader; it goes on from the reason. */
const consequences: Readonly<Record<StrategyName, string>> = {
  reference_filter: '; nothing else was searched',
  rewritten_boosted: '',
  reference_boost: '; it counted for more',
  original: '',
  lowered_threshold: ': what was found may be beside the question',
}

/** Null for the usual way. */
export function describeStrategy({ name, why }: Strategy): string | null {
  if (name === 'original') return null
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}${consequences[name]}.`
}
