// What of a section is shown? All of it, or the runs of its text that matched, grown as far as its tokens go.

import type { MatchedFragment } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { isContents } from './empty-text.ts'
import {
  type Chosen,
  firstOf,
  type Growth,
  growRuns,
  type Run,
  runOf,
  type TextCosts,
} from './section-runs.ts'
import { LEAD_WINDOW, NEARLY_AS_GOOD, SMALLEST_PART } from './tuning.ts'

/** The matches outside of tables of contents. */
function contentMatches({ section, text }: Pick<Chosen, 'section' | 'text'>): readonly MatchedFragment[] {
  return section.matches.filter(({ pieceStart, pieceEnd }) => {
    const part = text.text.slice(text.pieces[pieceStart]?.start, text.pieces[pieceEnd - 1]?.end)
    return !isContents(part, text, section.artifact.kind)
  })
}

/** Tokens of a section's text. Counting stops above the limit. */
export function countSection(
  chosen: Pick<Chosen, 'section' | 'text'>,
  costs: TextCosts,
  limit = Number.POSITIVE_INFINITY,
): number {
  const { section, text } = chosen
  let whole = 0
  for (let piece = firstOf(chosen); piece < text.pieces.length && whole <= limit; piece++)
    whole += costs.piece(section, text, piece)
  return whole
}

/**
 * The runs that a section shows within a number of tokens: its whole text, or else its best matches and what surrounds
 * them. A section that leads keeps its end, too; it may be cut inside a piece, as any may that fills the budget. No runs
 * where nothing of use fits.
 */
export function showSection(
  of: Pick<Chosen, 'section' | 'text'>,
  given: { readonly room: number; readonly leads: boolean; readonly fills?: boolean },
  costs: TextCosts,
): readonly Run[] {
  const { room, leads, fills = false } = given
  const { text, section } = of
  const [first, end] = [firstOf(of), text.pieces.length]
  const whole = countSection(of, costs, room)
  if (whole <= room) return [runOf(text, first, end)]
  const grower = growRuns(of, costs)
  const matches = contentMatches(of)
  const [best] = matches
  const { score, signals } = section
  const beginning = { pieceStart: first, pieceEnd: first + 1, relevance: signals.relevance, score }
  const near =
    best === undefined
      ? [beginning]
      : matches.filter(({ relevance }) => relevance >= NEARLY_AS_GOOD * best.relevance)
  const share = leads ? room * LEAD_WINDOW : room
  let shown: Growth = { runs: [], cost: 0 }
  for (const match of near) {
    shown = grower.takeAround(match, { room, share })
    // A truncated best match is preferred to a lesser match.
    if (shown.cost > 0 || leads) break
  }
  if (shown.cost < Math.min(SMALLEST_PART, share)) shown = grower.takeCut(best ?? null, room)
  if (shown.runs.length === 0) return []
  const more = (match: MatchedFragment): void => {
    const { runs, cost } = grower.takeMore(shown.runs, match, room - shown.cost)
    shown = { runs, cost: shown.cost + cost }
  }
  // How a function ends is part of what it does.
  if (leads && isCodeKind(section.artifact.kind))
    more({ pieceStart: end - 1, pieceEnd: end, relevance: 0, score: 0 })
  for (const match of matches) more(match)
  return grower.extend(shown.runs, room - shown.cost, leads || fills).runs
}
