// How do runs of a section's text grow? From a match on, piece by piece, as far as the tokens go.
import type { Lines } from '../../model/artifact.ts'
import type { ArtifactText, CountedPiece, MatchedFragment, RankedSection } from '../../model/section.ts'
import { hasHeading, isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { cutPiece, startInside } from './cut-piece.ts'
import { isContents } from './empty-text.ts'
import { firstPiece } from './source-text.ts'

/** A part of a section's text: offsets, the end excluded. */
export interface Run {
  readonly from: number
  readonly to: number
  /** Runs grow in this order: the one around the best match first. */
  readonly rank: number
}

export interface Chosen {
  readonly section: RankedSection
  readonly text: ArtifactText
  /** In the order of the text, with a gap between any two. */
  readonly runs: readonly Run[]
  readonly alsoAt: readonly { readonly path: string; readonly lines: Lines }[]
}

export interface TextCosts {
  piece(section: RankedSection, text: ArtifactText, piece: number): number
  /** Any part of a section's text. */
  text(text: string): number
  /** The mark of omitted lines between two runs, and the second run's lines in the source. */
  readonly gap: number
  relevance(text: string): number
}

/** Runs after a step of growth, and what it cost; less than nothing where it gave room back. */
export interface Growth {
  readonly runs: readonly Run[]
  readonly cost: number
}

/** Consecutive pieces, the end excluded. */
interface PieceRange {
  readonly start: number
  readonly end: number
}

/** Where a section's own text begins: after frontmatter. */
export const firstOf = ({ section, text }: Pick<Chosen, 'section' | 'text'>): number =>
  firstPiece(section.artifact, text)

/** The piece that holds the character at an offset; at the end of the text, the number of pieces. */
export function pieceAt({ pieces }: ArtifactText, offset: number): number {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pieces[middle] as CountedPiece).end <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Does the text go on in the same piece before this offset? */
const isInside = (text: ArtifactText, offset: number): boolean =>
  (text.pieces[pieceAt(text, offset)]?.start ?? offset) < offset

/** The pieces that a run shows whole, the end excluded; of a run inside one piece none, at that piece. */
export function wholePieces(text: ArtifactText, { from, to }: Run): PieceRange {
  const end = pieceAt(text, to)
  return { start: Math.min(pieceAt(text, from) + (isInside(text, from) ? 1 : 0), end), end }
}

/** Does a run end before its last piece does? */
export const endsInside = (text: ArtifactText, { to }: Run): boolean => isInside(text, to)

/** The lines of the pieces that a run shows, whole or in part. */
export const linesOf = ({ text }: Pick<Chosen, 'text'>, { from, to }: Run): Lines => ({
  start: text.pieces[pieceAt(text, from)]?.lines.start ?? 0,
  end: text.pieces[pieceAt(text, to - 1)]?.lines.end ?? 0,
})

/** Joins adjacent runs; a joined run has the better rank. */
export function joinTouching(runs: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const { from, to, rank } = joined.at(-1) ?? { from: -1, to: -1, rank: 0 }
    if (to === run.from) joined[joined.length - 1] = { from, to: run.to, rank: Math.min(rank, run.rank) }
    else joined.push(run)
  }
  return joined
}

/** A run over whole pieces, the end excluded. */
export function runOf({ pieces }: ArtifactText, start: number, end: number, rank = 0): Run {
  return { from: pieces[start]?.start ?? 0, to: pieces[end - 1]?.end ?? 0, rank }
}

/** Is a part of the section not shown? */
export function isCut(chosen: Chosen): boolean {
  const { runs, text } = chosen
  const all = runOf(text, firstOf(chosen), text.pieces.length)
  return runs.length !== 1 || runs.some(({ from, to }) => from > all.from || to < all.to)
}

/** A run while it grows: every step takes one and gives another, with less room. */
interface Growing extends Run {
  readonly room: number
  /** The pieces that it may grow to, the end excluded: a neighbour keeps what it shows in part, too. */
  readonly free: PieceRange
}

/** Takes and grows runs of one section: runs in, other runs and their cost out. */
export function growRuns({ section, text }: Pick<Chosen, 'section' | 'text'>, costs: TextCosts) {
  /** The first piece that may be shown, and the first that may be shown in part: no part of a heading. */
  const first = firstOf({ section, text })
  const firstCut = Math.max(first, hasHeading(section.artifact.kind) ? 1 : 0)

  function costAt(piece: number): number {
    return costs.piece(section, text, piece)
  }

  function costOf({ start, end }: PieceRange): number {
    let cost = 0
    for (let piece = start; piece < end; piece++) cost += costAt(piece)
    return cost
  }

  function pieceText(piece: number): string {
    const { start, end } = text.pieces[piece] ?? {}
    return text.text.slice(start, end)
  }

  function relevanceOf({ start, end }: PieceRange): number {
    const { from, to } = runOf(text, start, end)
    const part = text.text.slice(from, to)
    return isContents(part, text, section.artifact.kind) ? 0 : costs.relevance(part)
  }

  /** One of the runs, with room to grow and what its neighbours leave it. */
  function growing(runs: readonly Run[], at: number, room: number): Growing {
    const [before, after] = [runs[at - 1], runs[at + 1]]
    const start = before === undefined ? first : pieceAt(text, before.to - 1) + 1
    const end = after === undefined ? text.pieces.length : pieceAt(text, after.from)
    return { ...(runs[at] ?? { from: 0, to: 0, rank: 0 }), room, free: { start, end } }
  }

  function growOne(
    runs: readonly Run[],
    rank: number,
    room: number,
    grow: (run: Growing) => Growing,
  ): Growth {
    const at = runs.findIndex((run) => run.rank === rank)
    const { from, to, room: left } = grow(growing(runs, at, room))
    return { runs: runs.with(at, { from, to, rank }), cost: room - left }
  }

  /** The match, or the most relevant part of it that fits, grown within its share; no runs if nothing fits. */
  function takeAround(match: MatchedFragment, { room, share }: { room: number; share: number }): Growth {
    const window = bestWindow(match, room)
    if (window === null) return { runs: [], cost: 0 }
    const own = costOf(window)
    const taken = [runOf(text, window.start, window.end)]
    const grow = (run: Growing): Growing => growBefore(growAfter(run))
    const grown = growOne(taken, 0, Math.min(room, share) - own, grow)
    return { runs: grown.runs, cost: own + grown.cost }
  }

  /** All pieces of a match if they fit, else the most relevant consecutive ones; null where a piece that does not fit is more relevant. */
  function bestWindow({ pieceStart, pieceEnd }: MatchedFragment, room: number): PieceRange | null {
    const from = Math.max(pieceStart, first)
    let best: PieceRange | null = null
    let [most, wanted] = [0, 0]
    for (let start = from; start < pieceEnd; start++) {
      let [end, cost] = [start, 0]
      while (end < pieceEnd && cost + costAt(end) <= room) cost += costAt(end++)
      if (start === from && end === pieceEnd) return { start, end }
      if (end === start) wanted = Math.max(wanted, relevanceOf({ start, end: start + 1 }))
      else {
        const fits = relevanceOf({ start, end })
        if (best === null || fits > most) [best, most] = [{ start, end }, fits]
      }
    }
    return wanted > most ? null : best
  }

  /** Starts at the most relevant piece of the match: what fits of it, and of what follows. */
  function takeCut(match: MatchedFragment | null, room: number): Growth {
    let [start, most] = [Math.max(match?.pieceStart ?? 0, firstCut), -1]
    for (let piece = start; piece < (match?.pieceEnd ?? 0); piece++) {
      const fits = relevanceOf({ start: piece, end: piece + 1 })
      if (fits > most) [start, most] = [piece, fits]
    }
    const from = text.pieces[start]?.start
    if (from === undefined) return { runs: [], cost: 0 }
    return growOne([{ from, to: from, rank: 0 }], 0, room, (run) => fill(run))
  }

  /** Fills an empty run from its piece on; of a piece that does not fit, the most relevant part. */
  function fill(run: Growing): Growing {
    const whole = pieceText(pieceAt(text, run.from))
    const limit = { room: run.room, cost: costs.text, relevance: costs.relevance }
    const inside =
      costs.text(whole) <= run.room ? 0 : startInside(whole, limit, !isCodeKind(section.artifact.kind))
    if (inside === 0) return fillAfter(run)
    const rest = whole.slice(inside)
    const taken = rest.slice(0, cutPiece(rest, 'start', limit))
    if (taken.trim() === '') return run
    const from = run.from + inside
    const room = run.room - costs.text(taken)
    return fillAfter({ ...run, from, to: from + taken.length, room })
  }

  /** Adds a further match as a run, or to a run that it touches; the same runs when it does not fit. */
  function takeMore(runs: readonly Run[], match: MatchedFragment, room: number): Growth {
    const shown = runs.map((run) => ({
      whole: wholePieces(text, run),
      first: pieceAt(text, run.from),
      last: pieceAt(text, run.to - 1),
    }))
    let [start, end] = [Math.max(match.pieceStart, first), match.pieceEnd]
    while (start < end && shown.some(({ whole, last }) => whole.start <= start && start <= last)) start++
    for (const { whole, first } of shown) if (whole.start > start) end = Math.min(end, first)
    if (start >= end) return { runs, cost: 0 }
    // A gap that costs no more than the mark of omitted lines is shown.
    const isSmall = (gap: PieceRange): boolean => gap.end - gap.start <= 3 && costOf(gap) <= costs.gap
    const before = shown.findLast(({ last }) => last < start)
    const after = shown.find(({ first }) => first >= end)
    const shownTo = before?.whole.end ?? 0
    if (before !== undefined && before.last < shownTo && isSmall({ start: shownTo, end: start }))
      start = shownTo
    if (after !== undefined && after.first === after.whole.start && isSmall({ start: end, end: after.first }))
      end = after.first
    const cost = costOf({ start, end })
    if (cost + costs.gap > room) return { runs, cost: 0 }
    const taken = runOf(text, start, end, 1 + Math.max(...runs.map(({ rank }) => rank)))
    const joined = joinTouching([...runs, taken].sort((a, b) => a.from - b.from))
    return { runs: joined, cost: joined.length > runs.length ? cost + costs.gap : cost }
  }

  /** Spends room on every run, the best first: whole pieces onwards, then backwards, then parts of pieces. */
  function extend(runs: readonly Run[], room: number, mayCut: boolean): Growth {
    let grown: Growth = { runs, cost: 0 }
    for (const { rank } of runs.toSorted((a, b) => a.rank - b.rank)) {
      const more = growOne(grown.runs, rank, room - grown.cost, (run) => {
        const both = regrowBefore(growAfter(run), mayCut)
        return mayCut ? cutAfter(both) : both
      })
      grown = { runs: more.runs, cost: grown.cost + more.cost }
    }
    return { ...grown, runs: joinTouching(grown.runs) }
  }

  /** Whole pieces onwards. */
  function growAfter(run: Growing): Growing {
    if (endsInside(text, run)) return run
    let [end, { room }] = [pieceAt(text, run.to), run]
    while (end < run.free.end && costAt(end) <= room) room -= costAt(end++)
    return { ...run, to: text.pieces[end - 1]?.end ?? run.to, room }
  }

  /** Whole pieces backwards. */
  function growBefore(run: Growing): Growing {
    if (isInside(text, run.from)) return run
    let [start, { room }] = [pieceAt(text, run.from), run]
    while (start > run.free.start && costAt(start - 1) <= room) room -= costAt(--start)
    return { ...run, from: text.pieces[start]?.start ?? run.from, room }
  }

  /** What follows as far as there is room, whole pieces and a part of the next. */
  function fillAfter(run: Growing): Growing {
    let grown = run
    for (let more = cutAfter(run); more !== grown; more = cutAfter(grown)) grown = more
    return grown
  }

  /** The start of the next piece, or all of it. */
  function cutAfter(run: Growing): Growing {
    const { end } = wholePieces(text, run)
    if (end >= run.free.end || endsInside(text, run)) return run
    const next = pieceText(end)
    const limit = { room: run.room, cost: costs.text, keepLines: run.to > run.from }
    const taken = next.slice(0, cutPiece(next, 'start', limit))
    return taken.trim() === ''
      ? run
      : { ...run, to: run.to + taken.length, room: run.room - costs.text(taken) }
  }

  /** The end of the piece before, or all of it, but never a part of a heading. */
  function cutBefore(run: Growing): Growing {
    const before = pieceAt(text, run.from) - 1
    if (before < Math.max(run.free.start, firstCut) || isInside(text, run.from)) return run
    const whole = pieceText(before)
    const limit = { room: run.room, cost: costs.text, keepLines: true }
    const taken = whole.slice(cutPiece(whole, 'end', limit))
    return taken.trim() === ''
      ? run
      : { ...run, from: run.from - taken.length, room: run.room - costs.text(taken) }
  }

  /** Whole pieces backwards, and a part of the one before them; never less than there is. */
  function regrowBefore(run: Growing, mayCut: boolean): Growing {
    if (!isInside(text, run.from)) {
      const grown = growBefore(run)
      return mayCut ? cutBefore(grown) : grown
    }
    const from = text.pieces[wholePieces(text, run).start]?.start ?? run.to
    // Inside one piece: to grow backwards would show the piece's beginning, too.
    if (from < run.from) return run
    const freed = costs.text(text.text.slice(run.from, from))
    const grown = cutBefore(growBefore({ ...run, from, room: run.room + freed }))
    return grown.from <= run.from ? grown : run
  }

  return { takeAround, takeCut, takeMore, extend }
}
