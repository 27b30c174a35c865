// Which sections fit the budget? By score, short ones whole, others truncated to the parts that matched, duplicates once.

import type { Lines } from '../../model/artifact.ts'
import type { Dropped, DropReason } from '../../model/digest.ts'
import type { ArtifactText, MatchedFragment, RankedSection } from '../../model/section.ts'
import { contentBeginning, foldOf } from './compare-texts.ts'
import { isContents } from './empty-text.ts'
import {
  type Chosen,
  endsInside,
  firstOf,
  type Growth,
  isCut,
  type Run,
  RunGrower,
  runOf,
  type TextCosts,
} from './section-runs.ts'
import {
  ENDING,
  LEAST_SECTIONS,
  NEARLY_AS_GOOD,
  SECTION_SHARE,
  SECTION_TOKENS,
  SMALLEST_CUT,
  SMALLEST_PART,
  TOKENS_PER_SECTION,
} from './tuning.ts'

export interface SelectOptions {
  /** Tokens for passages and for the list of documents. */
  readonly budget: number
  readonly maxSections: number
  readonly relevanceThreshold: number
  /** The base of `sectionShare`; the budget by default. */
  readonly shareOf?: number
  /** Share of the budget that one section may take in the first pass; truncated ones get what is left at the end. */
  readonly sectionShare: number
  /** Maximum tokens of a section's text, at least this share of the budget, and of the best section's. */
  readonly sectionTokens: { readonly most: number; readonly share: number; readonly best: number }
  /** Whether tokens left at the end go to truncated sections beyond these limits. */
  readonly fill: boolean
  /** Minimum tokens of a truncated section. */
  readonly smallestPart: number
  /** Minimum score once much is shown. */
  readonly leastScore: number
  /** Whether pieces may be truncated: only where whole pieces leave much of the budget unused. */
  readonly cutPieces: boolean
  /** Sections that a reference is to show, if it does. */
  readonly isReferenced: (section: RankedSection) => boolean
}

const selectDefaults: Omit<SelectOptions, 'budget'> = {
  maxSections: LEAST_SECTIONS,
  relevanceThreshold: 0.15,
  sectionShare: SECTION_SHARE,
  sectionTokens: SECTION_TOKENS,
  fill: false,
  smallestPart: SMALLEST_PART,
  leastScore: 0,
  cutPieces: false,
  isReferenced: () => false,
}

/** The default limit of sections for a budget. */
export function chooseSections(maxTokens: number): number {
  return Math.max(LEAST_SECTIONS, Math.ceil(maxTokens / TOKENS_PER_SECTION))
}

/** Tokens of the parts of a digest, in the format that is asked for. */
export interface Costs extends TextCosts {
  /** A document's entry in the list. */
  document(section: RankedSection): number
  /** A passage's frame. */
  passage(section: RankedSection): number
}

export interface Selection {
  readonly chosen: readonly Chosen[]
  readonly dropped: readonly Dropped[]
  /** True when a larger budget would show nothing more. */
  readonly isComplete: boolean
  /** Sections that score less add little. */
  readonly leastScore: number
}

interface SelectFrom {
  readonly costs: Costs
  readonly textOf: (section: RankedSection) => ArtifactText
}

/** Selects in rounds: a first pass over the ranking, then again whenever more room is granted. */
export class SectionSelector {
  readonly #options: SelectOptions
  readonly #costs: Costs
  readonly #textOf: (section: RankedSection) => ArtifactText
  readonly #chosen: Chosen[] = []
  /** Why each of the others is not chosen, in the order of the ranking. */
  readonly #reasons = new Map<RankedSection, DropReason>()
  /** Chosen sections by how their texts begin. */
  readonly #byBeginning = new Map<string, Chosen[]>()
  readonly #files = new Set<number>()
  /** Tokens of the text that each chosen section shows. */
  readonly #shown = new Map<Chosen, number>()
  /** Further matches in sections that are shown in part, best first. */
  #more: FurtherMatch[] = []
  #left: number
  /** Tokens of the sections that match enough, each up to its limit. What fits does not count, so that digests of all budgets end at the same section. */
  #matched = 0

  constructor(from: SelectFrom, options: Partial<SelectOptions> & { readonly budget: number }) {
    this.#options = { ...selectDefaults, ...options }
    this.#costs = from.costs
    this.#textOf = from.textOf
    this.#left = options.budget
  }

  /** Takes what fits, best first; then what is left over goes to the sections that were cut. */
  run(ranking: readonly RankedSection[]): Selection {
    for (const section of ranking) {
      this.#takeMore(section.score)
      const reason = this.#refuse(section) ?? this.#consider(section)
      if (reason === null || reason === 'no room')
        this.#matched +=
          this.#costs.passage(section) + Math.min(section.artifact.tokens, this.#options.sectionTokens.most)
      if (reason !== null) this.#reasons.set(section, reason)
    }
    return this.#finish()
  }

  /** Adds tokens to the budget and reconsiders what had no room or was left to a reference, except what is an expansion by now. */
  grant(tokens: number, present: ReadonlySet<string>): Selection {
    this.#left += tokens
    this.#recut()
    this.#more = this.#chosen.flatMap(moreOf).sort(compareMatches)
    for (const [section, reason] of this.#reasons) {
      if (reason !== 'no room' && reason !== 'by reference') continue
      this.#takeMore(section.score)
      const again = present.has(section.artifact.id) ? 'duplicate' : this.#consider(section)
      if (again === null) this.#reasons.delete(section)
      else this.#reasons.set(section, again)
    }
    return this.#finish()
  }

  /** Tokens that are not used yet. */
  get left(): number {
    return this.#left
  }

  #finish(): Selection {
    this.#takeMore(Number.NEGATIVE_INFINITY)
    this.#extend()
    return this.selection()
  }

  selection(): Selection {
    const dropped: Dropped[] = []
    let isComplete = true
    for (const [{ artifact, file, score }, reason] of this.#reasons) {
      const lines = artifact.ownLines ?? artifact.lines
      dropped.push({ artifact: artifact.id, path: file.path, lines, score, reason })
      if (reason === 'no room') isComplete = false
    }
    isComplete &&= this.#chosen.every((chosen) => !isCut(chosen) || this.#allowed(chosen) <= this.#left)
    return { chosen: this.#chosen, dropped, isComplete, leastScore: this.#leastScore() }
  }

  /** Tokens that a section's text may still take; with `fill`, any number at the end. */
  #allowed(chosen: Chosen, isEnd = true): number {
    if (this.#options.fill && isEnd) return Number.POSITIVE_INFINITY
    return Math.max(0, this.#limitOf(chosen === this.#chosen[0]) - (this.#shown.get(chosen) ?? 0))
  }

  /** Maximum tokens of a section's text. */
  #limitOf(isBest: boolean): number {
    const { sectionTokens, shareOf = this.#options.budget } = this.#options
    return isBest ? sectionTokens.best : Math.max(sectionTokens.most, sectionTokens.share * shareOf)
  }

  /** The minimum score rises with what matched before. */
  #leastScore(): number {
    const share = Math.min(1, this.#matched / ENDING.tokens)
    return this.#options.leastScore * (ENDING.first + (1 - ENDING.first) * share)
  }

  /** Why a section is not worth any tokens. */
  #refuse({ signals, score }: RankedSection): DropReason | null {
    if (signals.relevance < this.#options.relevanceThreshold) return 'below threshold'
    return score < this.#leastScore() ? 'adds little' : null
  }

  /** Takes the section, or says why not. */
  #consider(section: RankedSection): DropReason | null {
    if (this.#chosen.length >= this.#options.maxSections) return 'section limit'
    // Early exit before the text is read: nothing of useful size fits any more.
    if (this.#left < this.#options.smallestPart) return 'no room'
    if (this.#files.has(section.yieldsTo ?? -1)) return 'other edition'
    if (this.#options.isReferenced(section)) return 'by reference'
    const text = this.#textOf(section)
    const beginning = contentBeginning(section, text)
    if (beginning === '') return 'no text of its own'
    const alike = this.#byBeginning.get(beginning) ?? []
    const twin = alike.find((one) => foldOf(one.section, one.text) === foldOf(section, text))
    if (twin !== undefined) {
      twin.alsoAt.push({ path: section.file.path, lines: section.artifact.ownLines as Lines })
      return 'duplicate'
    }
    const taken = this.#take(section, text)
    if (taken === null) return 'no room'
    this.#byBeginning.set(beginning, [...alike, taken])
    return null
  }

  #frameCost(section: RankedSection): number {
    const listed = this.#files.has(section.artifact.file) ? 0 : this.#costs.document(section)
    return listed + this.#costs.passage(section)
  }

  #take(section: RankedSection, text: ArtifactText): Chosen | null {
    const chosen: Chosen = { section, text, runs: [], alsoAt: [] }
    const grower = new RunGrower(chosen, this.#costs)
    const first = firstOf(chosen)
    const frame = this.#frameCost(section)
    const room = this.#left - frame
    const least = this.#options.smallestPart
    const isBest = this.#chosen.length === 0
    const { shareOf = this.#options.budget, sectionShare } = this.#options
    const limit = this.#limitOf(isBest)
    const share = Math.max(Math.min(shareOf * sectionShare, limit), least)
    // Counting stops once the text is known to be too long.
    let whole = 0
    for (let piece = first; piece < text.pieces.length && whole <= share; piece++)
      whole += this.#costs.piece(section, text, piece)
    if (whole <= Math.min(room, share)) {
      const runs = [runOf(text, first, text.pieces.length)]
      return this.#add({ ...chosen, runs }, whole, frame)
    }
    // The best section may exceed its share, or be truncated inside a piece, before lesser ones are considered.
    const most = Math.min(room, isBest ? limit : share)
    const mayCut = this.#options.cutPieces || isBest
    for (const match of most < Math.min(whole, least) ? [] : matchesOf(chosen, first)) {
      const { runs, cost } = grower.takeAround(match, { room: most, share })
      if (cost >= Math.min(whole, least)) return this.#add({ ...chosen, runs }, cost, frame)
      // A truncated best match is preferred to a lesser match.
      if (cost > 0 || mayCut) break
    }
    if (!mayCut) return null
    const { runs, cost } = grower.takeCut(contentMatches(chosen)[0] ?? null, Math.min(room, limit))
    return cost < SMALLEST_CUT ? null : this.#add({ ...chosen, runs }, cost, frame)
  }

  /** Further matches in truncated sections, as long as they score higher than the next section. */
  #takeMore(nextScore: number): void {
    while (this.#more.length > 0 && (this.#more[0] as FurtherMatch).match.score > nextScore) {
      const { chosen, match } = this.#more.shift() as FurtherMatch
      if (this.#left < this.#options.smallestPart || match.relevance < this.#options.relevanceThreshold)
        continue
      this.#grow(chosen, false, (grower, room) => grower.takeMore(chosen.runs, match, room))
    }
  }

  #grow(chosen: Chosen, isEnd: boolean, grow: (grower: RunGrower, room: number) => Growth): void {
    const room = Math.min(this.#left, this.#allowed(chosen, isEnd))
    const { runs, cost } = grow(new RunGrower(chosen, this.#costs), room)
    chosen.runs = runs
    this.#left -= cost
    this.#shown.set(chosen, (this.#shown.get(chosen) ?? 0) + cost)
  }

  #add(chosen: Chosen, cost: number, frame: number): Chosen {
    this.#chosen.push(chosen)
    this.#left -= cost + frame
    this.#shown.set(chosen, cost)
    this.#files.add(chosen.section.artifact.file)
    const more = moreOf(chosen)
    if (more.length > 0) this.#more = [...this.#more, ...more].sort(compareMatches)
    return chosen
  }

  /** With more room truncated pieces are released, and the best section is filled again before others take the room. */
  #recut(): void {
    const [best] = this.#chosen
    const cut = best?.runs
      .filter((run) => endsInside(best.text, run))
      .reduce<Run | null>((top, run) => (top === null || run.rank < top.rank ? run : top), null)
    for (const chosen of this.#chosen) this.#grow(chosen, false, (grower) => grower.uncut(chosen.runs))
    if (best === undefined || !cut) return
    this.#grow(best, false, (grower, room) => grower.refill(best.runs, cut.rank, room))
  }

  /** Remaining tokens go to truncated sections, best first; with `fill`, also into pieces that the limit truncated. */
  #extend(): void {
    const { cutPieces, fill } = this.#options
    for (const chosen of this.#chosen) {
      if (fill) this.#grow(chosen, true, (grower) => grower.uncut(chosen.runs))
      this.#grow(chosen, true, (grower, room) => grower.extend(chosen.runs, room, cutPieces))
    }
  }
}

interface FurtherMatch {
  readonly chosen: Chosen
  readonly match: MatchedFragment
}

/** Memoised for the rounds of fitting. */
const contentMatchesOf = new WeakMap<RankedSection, readonly MatchedFragment[]>()

/** The matches outside of tables of contents. */
function contentMatches({ section, text }: Chosen): readonly MatchedFragment[] {
  const known = contentMatchesOf.get(section)
  if (known !== undefined) return known
  const found = section.matches.filter(
    ({ pieceStart, pieceEnd }) =>
      !isContents(
        text.text.slice(text.pieces[pieceStart]?.start, text.pieces[pieceEnd - 1]?.end),
        text,
        section.artifact.kind,
      ),
  )
  contentMatchesOf.set(section, found)
  return found
}

/** The matches nearly as relevant as the best; of a section without any, its beginning. */
function matchesOf(chosen: Chosen, first: number): readonly MatchedFragment[] {
  const matches = contentMatches(chosen)
  const { score, signals } = chosen.section
  const [best] = matches
  if (best !== undefined)
    return matches.filter(({ relevance }) => relevance >= NEARLY_AS_GOOD * best.relevance)
  return [{ pieceStart: first, pieceEnd: first + 1, relevance: signals.relevance, score }]
}

/** The matches of a truncated section that are not shown yet. */
function moreOf(chosen: Chosen): FurtherMatch[] {
  if (!isCut(chosen)) return []
  const isShown = ({ pieceStart, pieceEnd }: MatchedFragment): boolean => {
    const match = runOf(chosen.text, pieceStart, pieceEnd)
    return chosen.runs.some(({ from, to }) => from <= match.from && match.to <= to)
  }
  return contentMatches(chosen)
    .filter((match) => !isShown(match))
    .map((match) => ({ chosen, match }))
}

/** Best first; the sort is stable, so equals stay in the order of the ranking. */
function compareMatches(a: FurtherMatch, b: FurtherMatch): number {
  return b.match.score - a.match.score
}
