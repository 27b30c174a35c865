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
export class RunGrower {
  readonly #section: RankedSection
  readonly #text: ArtifactText
  readonly #costs: TextCosts
  /** The first piece that may be shown, and the first that may be shown in part: no part of a heading. */
  readonly #first: number
  readonly #firstCut: number

  constructor(chosen: Pick<Chosen, 'section' | 'text'>, costs: TextCosts) {
    this.#section = chosen.section
    this.#text = chosen.text
    this.#costs = costs
    this.#first = firstOf(chosen)
    this.#firstCut = Math.max(this.#first, hasHeading(chosen.section.artifact.kind) ? 1 : 0)
  }

  #cost(piece: number): number {
    return this.#costs.piece(this.#section, this.#text, piece)
  }

  #costOf({ start, end }: PieceRange): number {
    let cost = 0
    for (let piece = start; piece < end; piece++) cost += this.#cost(piece)
    return cost
  }

  #pieceText(piece: number): string {
    const { text, pieces } = this.#text
    return text.slice(pieces[piece]?.start, pieces[piece]?.end)
  }

  #relevanceOf({ start, end }: PieceRange): number {
    const { from, to } = runOf(this.#text, start, end)
    const part = this.#text.text.slice(from, to)
    return isContents(part, this.#text, this.#section.artifact.kind) ? 0 : this.#costs.relevance(part)
  }

  /** One of the runs, with room to grow and what its neighbours leave it. */
  #growing(runs: readonly Run[], at: number, room: number): Growing {
    const [before, after] = [runs[at - 1], runs[at + 1]]
    const start = before === undefined ? this.#first : pieceAt(this.#text, before.to - 1) + 1
    const end = after === undefined ? this.#text.pieces.length : pieceAt(this.#text, after.from)
    return { ...(runs[at] ?? { from: 0, to: 0, rank: 0 }), room, free: { start, end } }
  }

  #growOne(runs: readonly Run[], rank: number, room: number, grow: (run: Growing) => Growing): Growth {
    const at = runs.findIndex((run) => run.rank === rank)
    const { from, to, room: left } = grow(this.#growing(runs, at, room))
    return { runs: runs.with(at, { from, to, rank }), cost: room - left }
  }

  /** The match, or the most relevant part of it that fits, grown within its share; no runs if nothing fits. */
  takeAround(match: MatchedFragment, { room, share }: { room: number; share: number }): Growth {
    const window = this.#bestWindow(match, room)
    if (window === null) return { runs: [], cost: 0 }
    const own = this.#costOf(window)
    const taken = [runOf(this.#text, window.start, window.end)]
    const grow = (run: Growing): Growing => this.#growBefore(this.#growAfter(run))
    const grown = this.#growOne(taken, 0, Math.min(room, share) - own, grow)
    return { runs: grown.runs, cost: own + grown.cost }
  }

  /** All pieces of a match if they fit, else the most relevant consecutive ones; null where a piece that does not fit is more relevant. */
  #bestWindow({ pieceStart, pieceEnd }: MatchedFragment, room: number): PieceRange | null {
    const from = Math.max(pieceStart, this.#first)
    let best: PieceRange | null = null
    let [most, wanted] = [0, 0]
    for (let start = from; start < pieceEnd; start++) {
      let [end, cost] = [start, 0]
      while (end < pieceEnd && cost + this.#cost(end) <= room) cost += this.#cost(end++)
      if (start === from && end === pieceEnd) return { start, end }
      if (end === start) wanted = Math.max(wanted, this.#relevanceOf({ start, end: start + 1 }))
      else {
        const fits = this.#relevanceOf({ start, end })
        if (best === null || fits > most) [best, most] = [{ start, end }, fits]
      }
    }
    return wanted > most ? null : best
  }

  /** Starts at the most relevant piece of the match: what fits of it, and of what follows. */
  takeCut(match: MatchedFragment | null, room: number): Growth {
    let [start, most] = [Math.max(match?.pieceStart ?? 0, this.#firstCut), -1]
    for (let piece = start; piece < (match?.pieceEnd ?? 0); piece++) {
      const fits = this.#relevanceOf({ start: piece, end: piece + 1 })
      if (fits > most) [start, most] = [piece, fits]
    }
    const from = this.#text.pieces[start]?.start
    if (from === undefined) return { runs: [], cost: 0 }
    return this.#growOne([{ from, to: from, rank: 0 }], 0, room, (run) => this.#fill(run))
  }

  /** Fills an empty run from its piece on; of a piece that does not fit, the most relevant part. */
  #fill(run: Growing): Growing {
    const whole = this.#pieceText(pieceAt(this.#text, run.from))
    const limit = { room: run.room, cost: this.#costs.text, relevance: this.#costs.relevance }
    const inside =
      this.#costs.text(whole) <= run.room
        ? 0
        : startInside(whole, limit, !isCodeKind(this.#section.artifact.kind))
    if (inside === 0) return this.#fillAfter(run)
    const rest = whole.slice(inside)
    const taken = rest.slice(0, cutPiece(rest, 'start', limit))
    if (taken.trim() === '') return run
    const from = run.from + inside
    const room = run.room - this.#costs.text(taken)
    return this.#fillAfter({ ...run, from, to: from + taken.length, room })
  }

  /** Adds a further match as a run, or to a run that it touches; the same runs when it does not fit. */
  takeMore(runs: readonly Run[], match: MatchedFragment, room: number): Growth {
    const text = this.#text
    const shown = runs.map((run) => ({
      whole: wholePieces(text, run),
      first: pieceAt(text, run.from),
      last: pieceAt(text, run.to - 1),
    }))
    let [start, end] = [Math.max(match.pieceStart, this.#first), match.pieceEnd]
    while (start < end && shown.some(({ whole, last }) => whole.start <= start && start <= last)) start++
    for (const { whole, first } of shown) if (whole.start > start) end = Math.min(end, first)
    if (start >= end) return { runs, cost: 0 }
    // A gap that costs no more than the mark of omitted lines is shown.
    const isSmall = (gap: PieceRange): boolean =>
      gap.end - gap.start <= 3 && this.#costOf(gap) <= this.#costs.gap
    const before = shown.findLast(({ last }) => last < start)
    const after = shown.find(({ first }) => first >= end)
    const shownTo = before?.whole.end ?? 0
    if (before !== undefined && before.last < shownTo && isSmall({ start: shownTo, end: start }))
      start = shownTo
    if (after !== undefined && after.first === after.whole.start && isSmall({ start: end, end: after.first }))
      end = after.first
    const cost = this.#costOf({ start, end })
    if (cost + this.#costs.gap > room) return { runs, cost: 0 }
    const taken = runOf(text, start, end, 1 + Math.max(...runs.map(({ rank }) => rank)))
    const joined = joinTouching([...runs, taken].sort((a, b) => a.from - b.from))
    return { runs: joined, cost: joined.length > runs.length ? cost + this.#costs.gap : cost }
  }

  /** Spends room on every run, the best first: whole pieces onwards, then backwards, then parts of pieces. */
  extend(runs: readonly Run[], room: number, mayCut: boolean): Growth {
    let grown: Growth = { runs, cost: 0 }
    for (const { rank } of runs.toSorted((a, b) => a.rank - b.rank)) {
      const more = this.#growOne(grown.runs, rank, room - grown.cost, (run) => {
        const both = this.#regrowBefore(this.#growAfter(run), mayCut)
        return mayCut ? this.#cutAfter(both) : both
      })
      grown = { runs: more.runs, cost: grown.cost + more.cost }
    }
    return { ...grown, runs: joinTouching(grown.runs) }
  }

  /** Whole pieces onwards. */
  #growAfter(run: Growing): Growing {
    if (endsInside(this.#text, run)) return run
    let [end, { room }] = [pieceAt(this.#text, run.to), run]
    while (end < run.free.end && this.#cost(end) <= room) room -= this.#cost(end++)
    return { ...run, to: this.#text.pieces[end - 1]?.end ?? run.to, room }
  }

  /** Whole pieces backwards. */
  #growBefore(run: Growing): Growing {
    if (isInside(this.#text, run.from)) return run
    let [start, { room }] = [pieceAt(this.#text, run.from), run]
    while (start > run.free.start && this.#cost(start - 1) <= room) room -= this.#cost(--start)
    return { ...run, from: this.#text.pieces[start]?.start ?? run.from, room }
  }

  /** What follows as far as there is room, whole pieces and a part of the next. */
  #fillAfter(run: Growing): Growing {
    let grown = run
    for (let more = this.#cutAfter(run); more !== grown; more = this.#cutAfter(grown)) grown = more
    return grown
  }

  /** The start of the next piece, or all of it. */
  #cutAfter(run: Growing): Growing {
    const { end } = wholePieces(this.#text, run)
    if (end >= run.free.end || endsInside(this.#text, run)) return run
    const next = this.#pieceText(end)
    const limit = { room: run.room, cost: this.#costs.text, keepLines: run.to > run.from }
    const taken = next.slice(0, cutPiece(next, 'start', limit))
    return taken.trim() === ''
      ? run
      : { ...run, to: run.to + taken.length, room: run.room - this.#costs.text(taken) }
  }

  /** The end of the piece before, or all of it, but never a part of a heading. */
  #cutBefore(run: Growing): Growing {
    const before = pieceAt(this.#text, run.from) - 1
    if (before < Math.max(run.free.start, this.#firstCut) || isInside(this.#text, run.from)) return run
    const whole = this.#pieceText(before)
    const limit = { room: run.room, cost: this.#costs.text, keepLines: true }
    const taken = whole.slice(cutPiece(whole, 'end', limit))
    return taken.trim() === ''
      ? run
      : { ...run, from: run.from - taken.length, room: run.room - this.#costs.text(taken) }
  }

  /** Whole pieces backwards, and a part of the one before them; never less than there is. */
  #regrowBefore(run: Growing, mayCut: boolean): Growing {
    if (!isInside(this.#text, run.from)) {
      const grown = this.#growBefore(run)
      return mayCut ? this.#cutBefore(grown) : grown
    }
    const from = this.#text.pieces[wholePieces(this.#text, run).start]?.start ?? run.to
    // Inside one piece: to grow backwards would show the piece's beginning, too.
    if (from < run.from) return run
    const freed = this.#costs.text(this.#text.text.slice(run.from, from))
    const grown = this.#cutBefore(this.#growBefore({ ...run, from, room: run.room + freed }))
    return grown.from <= run.from ? grown : run
  }
}
