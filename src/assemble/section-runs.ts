// What of a section is shown? All of it, or the runs of its text that matched, each grown as far as there is room.
import type { Lines } from '../model/artifact.ts'
import type { ArtifactText, MatchedFragment, RankedSection } from '../model/section.ts'
import { hasHeading, isCodeKind } from '../parse/artifact-kinds.ts'
import { cutPiece, segmentStarts } from './cut-piece.ts'
import { firstPiece } from './source-text.ts'
import { isContents } from './telling-text.ts'

/** Consecutive pieces of a section's text. */
export interface Run {
  /** Indexes into the pieces; `end` is excluded. */
  start: number
  end: number
  /**
   * Where the text starts inside the piece before, and ends inside the piece after: offsets; null at whole pieces. Of a
   * single piece that is cut at both ends, `start` and `end` are its own index.
   */
  cutStart: number | null
  cutEnd: number | null
}

/** A chosen section. */
export interface Chosen {
  readonly section: RankedSection
  readonly text: ArtifactText
  /** The best first; no two touch. */
  readonly runs: Run[]
  readonly alsoAt: { path: string; lines: Lines }[]
}

/** What the parts of a section's text cost. */
export interface TextCosts {
  piece(section: RankedSection, text: ArtifactText, piece: number): number
  /** Any part of a section's text. */
  text(text: string): number
  /** The mark of what is left out between two runs, and the second run's lines in the source. */
  readonly gap: number
  /** How well a text fits the question. */
  relevance(text: string): number
}

/** Where a section's own text begins: after frontmatter. */
export function firstOf({ section, text }: Pick<Chosen, 'section' | 'text'>): number {
  return firstPiece(section.artifact, text)
}

/** In the order of the text. */
export function runsInOrder({ runs }: Pick<Chosen, 'runs'>): Run[] {
  return runs.length > 1 ? runs.toSorted((a, b) => a.start - b.start) : runs
}

/** The first piece that a run shows, whole or in part. */
export function firstTaken({ text: { pieces } }: Pick<Chosen, 'text'>, { start, cutStart }: Run): number {
  const own = pieces[start]
  return cutStart !== null && (own === undefined || cutStart < own.start) ? start - 1 : start
}

/** The last piece that a run shows, whole or in part. */
function lastTaken({ end, cutEnd }: Run): number {
  return cutEnd === null ? end - 1 : end
}

/** The lines of the pieces that a run shows, whole or in part. */
export function linesOf(chosen: Pick<Chosen, 'text'>, run: Run): Lines {
  const { pieces } = chosen.text
  return {
    start: pieces[firstTaken(chosen, run)]?.lines.start ?? 0,
    end: pieces[lastTaken(run)]?.lines.end ?? 0,
  }
}

/** Runs with nothing left out between them become one, in the place of the better one. */
export function joinTouching({ runs }: Pick<Chosen, 'runs'>): void {
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as Run
    const touches = ({ start, end, cutStart, cutEnd }: Run): boolean =>
      (start === run.end && cutStart === null && run.cutEnd === null) ||
      (end === run.start && cutEnd === null && run.cutStart === null)
    const other = runs.findIndex((one, index) => index > at && touches(one))
    if (other === -1) continue
    const [taken] = runs.splice(other, 1) as [Run]
    if (taken.start === run.end) [run.end, run.cutEnd] = [taken.end, taken.cutEnd]
    else [run.start, run.cutStart] = [taken.start, taken.cutStart]
    at--
  }
}

/** Is anything of the section left out? */
export function isCut(chosen: Chosen): boolean {
  const { runs, text } = chosen
  const [run] = runs
  return (
    runs.length !== 1 ||
    run === undefined ||
    run.start > firstOf(chosen) ||
    run.end < text.pieces.length ||
    run.cutEnd !== null
  )
}

/** The first line of an entry: a bullet, a number, an option or a term with its definition. */
const firstLineOfEntry = /^\s*(?:[-*+•] |\d{1,9}[.)] |--?\w|\S.{0,120}::\s*$)/

/** Where the entry of a list starts that a line belongs to; null when it is in none. */
function startOfEntry(text: string, starts: readonly number[], at: number): number | null {
  for (let line = at; line >= 0; line--) {
    const shown = text.slice(starts[line], starts[line + 1])
    if (shown.trim() === '') return null
    if (firstLineOfEntry.test(shown)) return starts[line] as number
  }
  return null
}

/** Takes and grows runs of one section; every method returns what it cost. */
export class RunGrower {
  readonly #chosen: Chosen
  readonly #costs: TextCosts

  constructor(chosen: Chosen, costs: TextCosts) {
    this.#chosen = chosen
    this.#costs = costs
  }

  #cost(piece: number): number {
    const { section, text } = this.#chosen
    return this.#costs.piece(section, text, piece)
  }

  #costOf({ start, end }: Pick<Run, 'start' | 'end'>): number {
    let cost = 0
    for (let piece = start; piece < end; piece++) cost += this.#cost(piece)
    return cost
  }

  /** The run that comes next in the text, if any. */
  #after(run: Run): Run | null {
    let next: Run | null = null
    for (const one of this.#chosen.runs)
      if (one !== run && one.start >= run.end && (next === null || one.start < next.start)) next = one
    return next
  }

  #before(run: Run): Run | null {
    let last: Run | null = null
    for (const one of this.#chosen.runs)
      if (one !== run && one.end <= run.start && (last === null || one.end > last.end)) last = one
    return last
  }

  /** May a run take this piece with the run after it in view? A piece that is shown in part is taken. */
  #isFreeAfter(piece: number, after: Run | null): boolean {
    return piece < (after === null ? this.#chosen.text.pieces.length : firstTaken(this.#chosen, after))
  }

  #isFreeBefore(piece: number, before: Run | null): boolean {
    return before === null ? piece >= firstOf(this.#chosen) : piece > lastTaken(before)
  }

  /** The match, or the best of it that fits, with what surrounds it as far as its share reaches; 0 if nothing fits. */
  takeAround(match: MatchedFragment, limits: { readonly room: number; readonly share: number }): number {
    const run = this.#bestWindow(match, limits.room)
    if (run === null) return 0
    this.#chosen.runs.push(run)
    const most = Math.min(limits.room, limits.share)
    let cost = this.#costOf(run)
    cost += this.growAfter(run, most - cost)
    return cost + this.growBefore(run, most - cost)
  }

  /** From the piece of the match that fits the question best: what fits of it, and of what follows. */
  takeCut(match: MatchedFragment | null, room: number): number {
    const heading = hasHeading(this.#chosen.section.artifact.kind) ? 1 : 0
    const first = Math.max(firstOf(this.#chosen), heading)
    const start = match === null ? first : this.#bestPiece(match, first)
    const run: Run = { start, end: start, cutStart: null, cutEnd: null }
    this.#chosen.runs.push(run)
    return this.#fillFrom(run, room)
  }

  /** All that fits from a piece on; of a piece that does not fit, the part that fits the question best. */
  #fillFrom(run: Run, room: number): number {
    const { text, pieces } = this.#chosen.text
    const piece = pieces[run.start]
    if (piece === undefined) return 0
    const whole = text.slice(piece.start, piece.end)
    const from = this.#costs.text(whole) <= room ? 0 : this.#startInside(whole, room)
    if (from === 0) return this.fillAfter(run, room)
    const rest = whole.slice(from)
    const taken = rest.slice(0, cutPiece(rest, 'start', { room, cost: this.#costs.text }))
    if (taken.trim() === '') return 0
    run.cutStart = piece.start + from
    const cost = this.#costs.text(taken)
    if (taken.length < rest.length) {
      run.cutEnd = run.cutStart + taken.length
      return cost
    }
    run.start++
    run.end++
    return cost + this.fillAfter(run, room - cost)
  }

  /** Where to begin in a piece: some way before the part that fits the question best, so that the room is used. */
  #startInside(whole: string, room: number): number {
    const starts = segmentStarts(whole)
    let [best, most] = [0, 0]
    starts.forEach((start, at) => {
      const fits = this.#costs.relevance(whole.slice(start, starts[at + 1]))
      if (fits > most) [best, most] = [at, fits]
    })
    const entry = isCodeKind(this.#chosen.section.artifact.kind) ? null : startOfEntry(whole, starts, best)
    if (entry !== null) return entry
    const at = starts[best] ?? 0
    let from = best
    const leads = (start: number): boolean => this.#costs.text(whole.slice(start, at)) <= room / 4
    const ends = (start: number): boolean => this.#costs.text(whole.slice(start)) <= room
    while (from > 0 && (leads(starts[from - 1] as number) || ends(starts[from - 1] as number))) from--
    return starts[from] ?? 0
  }

  #bestPiece({ pieceStart, pieceEnd }: MatchedFragment, first: number): number {
    let [best, most] = [Math.max(pieceStart, first), -1]
    for (let piece = best; piece < pieceEnd; piece++) {
      const fits = this.#relevanceOf(piece, piece + 1)
      if (fits > most) [best, most] = [piece, fits]
    }
    return best
  }

  #relevanceOf(start: number, end: number): number {
    const { text, pieces } = this.#chosen.text
    const part = text.slice(pieces[start]?.start, pieces[end - 1]?.end)
    return isContents(part, this.#chosen.text, this.#chosen.section.artifact.kind)
      ? 0
      : this.#costs.relevance(part)
  }

  /** All of a match where that fits, else those of its consecutive pieces that fit the question best; none may be better. */
  #bestWindow({ pieceStart, pieceEnd }: MatchedFragment, room: number): Run | null {
    const from = Math.max(pieceStart, firstOf(this.#chosen))
    let best: Run | null = null
    let [most, wanted] = [0, 0]
    for (let start = from; start < pieceEnd; start++) {
      let [end, cost] = [start, 0]
      while (end < pieceEnd && cost + this.#cost(end) <= room) cost += this.#cost(end++)
      const run = { start, end, cutStart: null, cutEnd: null }
      if (start === from && end === pieceEnd) return run
      if (end === start) wanted = Math.max(wanted, this.#relevanceOf(start, start + 1))
      else {
        const fits = this.#relevanceOf(start, end)
        if (best === null || fits > most) [best, most] = [run, fits]
      }
    }
    return wanted > most ? null : best
  }

  /** A further match as a run of its own, or as a part of one that it touches; 0 when it does not fit. */
  takeMore(match: MatchedFragment, room: number): number {
    const { runs } = this.#chosen
    let [start, end] = [Math.max(match.pieceStart, firstOf(this.#chosen)), match.pieceEnd]
    const isTaken = (run: Run): boolean => run.start <= start && start <= lastTaken(run)
    while (start < end && runs.some(isTaken)) start++
    for (const run of runs) if (run.start > start) end = Math.min(end, firstTaken(this.#chosen, run))
    if (start >= end) return 0
    const run: Run = { start, end, cutStart: null, cutEnd: null }
    this.#closeGaps(run)
    const cost = this.#costOf(run)
    if (cost + this.#costs.gap > room) return 0
    const apart = runs.length
    runs.push(run)
    joinTouching(this.#chosen)
    return runs.length > apart ? cost + this.#costs.gap : cost
  }

  /** What costs no more than the mark that it is left out is not left out. */
  #closeGaps(run: Run): void {
    const [before, after] = [this.#before(run), this.#after(run)]
    const isSmall = (start: number, end: number): boolean =>
      end - start <= 3 && this.#costOf({ start, end }) <= this.#costs.gap
    if (before !== null && before.cutEnd === null && isSmall(before.end, run.start)) run.start = before.end
    if (after !== null && after.cutStart === null && isSmall(run.end, after.start)) run.end = after.start
  }

  /** Whole pieces onwards. */
  growAfter(run: Run, room: number): number {
    const after = this.#after(run)
    let cost = 0
    while (run.cutEnd === null && this.#isFreeAfter(run.end, after)) {
      const next = this.#cost(run.end)
      if (cost + next > room) break
      cost += next
      run.end++
    }
    return cost
  }

  /** Whole pieces backwards. */
  growBefore(run: Run, room: number): number {
    const before = this.#before(run)
    let cost = 0
    while (run.cutStart === null && this.#isFreeBefore(run.start - 1, before)) {
      const next = this.#cost(run.start - 1)
      if (cost + next > room) break
      cost += next
      run.start--
    }
    return cost
  }

  /** Gives back what was taken of the pieces after runs in part, unless it is all of a run; what that had cost. */
  uncut(): number {
    const { text, pieces } = this.#chosen.text
    let freed = 0
    for (const run of this.#chosen.runs) {
      if (run.cutEnd === null || run.start === run.end) continue
      freed += this.#costs.text(text.slice(pieces[run.end]?.start, run.cutEnd))
      run.cutEnd = null
    }
    return freed
  }

  /** Cuts a run without a whole piece anew, from the piece that it starts in; what that costs beyond what it had cost. */
  recut(run: Run, room: number): number {
    const { text, pieces } = this.#chosen.text
    const { cutStart, cutEnd } = run
    const own = pieces[run.start]?.start ?? text.length
    const count = (start: number, end: number): number =>
      start < end ? this.#costs.text(text.slice(start, end)) : 0
    const freed =
      count(cutStart ?? own, own) + (cutEnd === null ? 0 : count(Math.max(own, cutStart ?? 0), cutEnd))
    run.start = firstTaken(this.#chosen, run)
    run.end = run.start
    run.cutStart = null
    run.cutEnd = null
    return this.#fillFrom(run, room + freed) - freed
  }

  /** Takes what follows as far as there is room, whole pieces and a part of the next. */
  fillAfter(run: Run, room: number): number {
    let cost = 0
    let more = 0
    do {
      more = this.cutAfter(run, room - cost)
      cost += more
    } while (more > 0)
    return cost
  }

  /** Takes the start of the next piece. */
  cutAfter(run: Run, room: number): number {
    const { text } = this.#chosen
    const next = text.pieces[run.end]
    if (next === undefined || run.cutEnd !== null) return 0
    if (!this.#isFreeAfter(run.end, this.#after(run))) return 0
    const whole = text.text.slice(next.start, next.end)
    const taken = whole.slice(
      0,
      cutPiece(whole, 'start', { room, cost: this.#costs.text, keepLines: run.end > run.start }),
    )
    if (taken.trim() === '') return 0
    // A piece that fits whole is no cut: more may follow it.
    if (taken.length === whole.length) run.end++
    else run.cutEnd = next.start + taken.length
    return this.#costs.text(taken)
  }

  /** Whole pieces backwards, and a part of the one before them; never less than there is. */
  regrowBefore(run: Run, room: number, mayCut: boolean): number {
    const { text, pieces } = this.#chosen.text
    const { start, cutStart } = run
    if (cutStart === null) {
      const cost = this.growBefore(run, room)
      return mayCut ? cost + this.cutBefore(run, room - cost) : cost
    }
    const freed = this.#costs.text(text.slice(cutStart, pieces[start]?.start))
    run.cutStart = null
    const cost = this.growBefore(run, room + freed)
    const all = cost + this.cutBefore(run, room + freed - cost)
    if (run.start < start || (run.cutStart ?? Number.POSITIVE_INFINITY) <= cutStart) return all - freed
    run.cutStart = cutStart
    return 0
  }

  /** Takes the end of the piece before, but never of a heading. */
  cutBefore(run: Run, room: number): number {
    const { text, section } = this.#chosen
    const heading = hasHeading(section.artifact.kind) ? 1 : 0
    const previous = text.pieces[run.start - 1]
    if (previous === undefined || run.start - 1 < heading || run.cutStart !== null) return 0
    if (!this.#isFreeBefore(run.start - 1, this.#before(run))) return 0
    const whole = text.text.slice(previous.start, previous.end)
    const taken = whole.slice(cutPiece(whole, 'end', { room, cost: this.#costs.text, keepLines: true }))
    if (taken.trim() === '') return 0
    if (taken.length === whole.length) run.start--
    else run.cutStart = previous.end - taken.length
    return this.#costs.text(taken)
  }
}
