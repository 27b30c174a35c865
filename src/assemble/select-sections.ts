// What fits? Sections by score, whole where they fit, cut around their best match where they do not, each text once.
import type { Lines } from '../model/artifact.ts'
import type { Dropped, DropReason } from '../model/digest.ts'
import { hasHeading } from '../parse/artifact-kinds.ts'
import type { RankedSection } from '../retrieve/rank-sections.ts'
import type { ArtifactText } from '../store/corpus-reader.ts'
import { cutPiece } from './cut-piece.ts'
import { bodyOf, firstPiece } from './source-text.ts'

export interface SelectOptions {
  /** Tokens for passages and for the list of documents. */
  readonly budget: number
  readonly maxSections: number
  readonly relevanceThreshold: number
  /** What a section's share is a share of; the budget, when it is left out. */
  readonly shareOf?: number
  /** A section may take this share at first; what is left over at the end goes to the cut ones. */
  readonly sectionShare: number
  /** A part smaller than this says too little to be worth its frame. */
  readonly smallestPart: number
  /** Whether a piece may be cut too: only where whole pieces leave much of the budget unused. */
  readonly cutPieces: boolean
}

export const selectDefaults: Omit<SelectOptions, 'budget'> = {
  maxSections: 20,
  relevanceThreshold: 0.15,
  sectionShare: 0.35,
  smallestPart: 60,
  cutPieces: false,
}

/** Characters of a folded text that tell most texts apart. */
const BEGINNING = 40
/** With pieces cut, the least part: about a sentence. */
const SMALLEST_CUT = 20

/** What things cost in the rendering that is asked for. */
export interface Costs {
  /** A document's entry in the list. */
  document(section: RankedSection): number
  /** A passage's frame. */
  passage(section: RankedSection): number
  piece(section: RankedSection, text: ArtifactText, piece: number): number
  /** Any part of a section's text. */
  text(text: string): number
}

/** A chosen section: a run of its pieces. */
export interface Chosen {
  readonly section: RankedSection
  readonly text: ArtifactText
  /** Indexes into the pieces; `end` is excluded. */
  start: number
  end: number
  /** Where the text starts inside the piece before, and ends inside the piece after: offsets; null at whole pieces. */
  cutStart: number | null
  cutEnd: number | null
  readonly alsoAt: { path: string; lines: Lines }[]
}

export interface Selection {
  readonly chosen: readonly Chosen[]
  readonly dropped: readonly Dropped[]
}

/** Folded so that the same words in two places compare equal. */
function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const folds = new WeakMap<ArtifactText, string>()

/** The folded body, folded once: the same texts are compared in every round of fitting. */
function foldOf(section: RankedSection, text: ArtifactText): string {
  let folded = folds.get(text)
  if (folded === undefined) {
    folded = foldText(bodyOf(section.artifact, text))
    folds.set(text, folded)
  }
  return folded
}

/** How the folded text begins: few texts share that, so few are ever folded whole. */
function beginningOf(body: string): string {
  const beginning = foldText(body.slice(0, BEGINNING * 8))
  // The last character may be half of something.
  return beginning.length > BEGINNING + 1 ? beginning.slice(0, BEGINNING) : foldText(body).slice(0, BEGINNING)
}

function wholePieces(
  section: RankedSection,
  text: ArtifactText,
  run: { start: number; end: number },
): Chosen {
  return { section, text, start: run.start, end: run.end, cutStart: null, cutEnd: null, alsoAt: [] }
}

export interface SelectFrom {
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
  /** Own lines of chosen sections that are complete, by file: a neighbour joins their passage without a new frame. */
  readonly #edges = new Set<string>()
  #left: number

  constructor(from: SelectFrom, options: Partial<SelectOptions> & { readonly budget: number }) {
    this.#options = { ...selectDefaults, ...options }
    this.#costs = from.costs
    this.#textOf = from.textOf
    this.#left = options.budget
  }

  /** Takes what fits, best first; then what is left over goes to the sections that were cut. */
  run(ranking: readonly RankedSection[]): Selection {
    for (const section of ranking) {
      const reason = this.#consider(section)
      if (reason !== null) this.#reasons.set(section, reason)
    }
    this.#extend()
    return this.selection()
  }

  /** More room: what found none is considered again, save what has come along meanwhile. */
  grant(tokens: number, present: ReadonlySet<string>): Selection {
    this.#left += tokens
    this.#recut()
    for (const [section, reason] of this.#reasons) {
      if (reason !== 'no room') continue
      const again = present.has(section.artifact.id) ? 'duplicate' : this.#consider(section)
      if (again === null) this.#reasons.delete(section)
      else this.#reasons.set(section, again)
    }
    this.#extend()
    return this.selection()
  }

  selection(): Selection {
    const dropped = [...this.#reasons].map(([section, reason]): Dropped => {
      const lines = section.artifact.ownLines ?? section.artifact.lines
      return { artifact: section.artifact.id, path: section.file.path, lines, score: section.score, reason }
    })
    return { chosen: this.#chosen, dropped }
  }

  /** Takes the section, or says why not. */
  #consider(section: RankedSection): DropReason | null {
    if (section.signals.relevance < this.#options.relevanceThreshold) return 'below threshold'
    if (this.#chosen.length >= this.#options.maxSections) return 'section limit'
    // Nothing that is worth a frame fits any more: spare the rest a reading.
    if (this.#left < this.#options.smallestPart) return 'no room'
    const text = this.#textOf(section)
    const body = bodyOf(section.artifact, text)
    const beginning = beginningOf(body)
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
    const own = section.artifact.ownLines as Lines
    const { file } = section.artifact
    const joins = this.#edges.has(`${file}:${own.start - 1}`) || this.#edges.has(`${file}:${own.end + 1}`)
    return (
      (this.#files.has(file) ? 0 : this.#costs.document(section)) + (joins ? 0 : this.#costs.passage(section))
    )
  }

  #take(section: RankedSection, text: ArtifactText): Chosen | null {
    const first = firstPiece(section.artifact, text)
    const frame = this.#frameCost(section)
    const room = this.#left - frame
    const costs = text.pieces.map((_, piece) => (piece < first ? 0 : this.#costs.piece(section, text, piece)))
    const whole = costs.reduce((sum, cost) => sum + cost, 0)
    const share = Math.max(
      (this.#options.shareOf ?? this.#options.budget) * this.#options.sectionShare,
      this.#options.smallestPart,
    )
    if (whole <= Math.min(room, share)) {
      const end = text.pieces.length
      return this.#add(wholePieces(section, text, { start: first, end }), whole + frame)
    }
    // The best answer is shown before lesser ones: above its share, or cut, when nothing else will do.
    const isBest = this.#chosen.length === 0
    for (const limit of isBest ? [Math.min(room, share), room] : [Math.min(room, share)]) {
      const part = growPart(section, { costs, first, room: limit })
      if (part !== null && part.cost >= Math.min(whole, this.#options.smallestPart))
        return this.#add(wholePieces(section, text, part), part.cost + frame)
    }
    return this.#options.cutPieces || isBest ? this.#takeCut(section, text, frame) : null
  }

  /** From the best match on: whole pieces as far as they fit, and the beginning of the next one. */
  #takeCut(section: RankedSection, text: ArtifactText, frame: number): Chosen | null {
    const heading = hasHeading(section.artifact.kind) ? 1 : 0
    const start = Math.max(section.matches[0]?.pieceStart ?? 0, firstPiece(section.artifact, text), heading)
    const chosen = wholePieces(section, text, { start, end: start })
    const cost = this.#fillAfter(chosen, this.#left - frame)
    return cost < SMALLEST_CUT ? null : this.#add(chosen, cost + frame)
  }

  /** Takes what follows as far as there is room, whole pieces and a part of the next; returns what it costs. */
  #fillAfter(chosen: Chosen, room: number): number {
    let cost = 0
    let more = 0
    do {
      more = this.#cutAfter(chosen, room - cost)
      cost += more
    } while (more > 0)
    return cost
  }

  /** Takes the start of the next piece, as far as there is room; returns what it costs. */
  #cutAfter(chosen: Chosen, room: number): number {
    const next = chosen.text.pieces[chosen.end]
    if (next === undefined || chosen.cutEnd !== null) return 0
    const text = chosen.text.text.slice(next.start, next.end)
    const taken = text.slice(0, cutPiece(text, 'start', { room, cost: this.#costs.text }))
    if (taken.trim() === '') return 0
    // A piece that fits whole is no cut: more may follow it.
    if (taken.length === text.length) chosen.end++
    else chosen.cutEnd = next.start + taken.length
    return this.#costs.text(taken)
  }

  /** Takes the end of the piece before, but never of a heading. */
  #cutBefore(chosen: Chosen, room: number): number {
    const heading = hasHeading(chosen.section.artifact.kind) ? 1 : 0
    const before = chosen.text.pieces[chosen.start - 1]
    const first = Math.max(firstPiece(chosen.section.artifact, chosen.text), heading)
    if (before === undefined || chosen.start - 1 < first || chosen.cutStart !== null) return 0
    const text = chosen.text.text.slice(before.start, before.end)
    const taken = text.slice(cutPiece(text, 'end', { room, cost: this.#costs.text }))
    if (taken.trim() === '') return 0
    if (taken.length === text.length) chosen.start--
    else chosen.cutStart = before.end - taken.length
    return this.#costs.text(taken)
  }

  #add(chosen: Chosen, cost: number): Chosen {
    const { file, ownLines } = chosen.section.artifact
    this.#chosen.push(chosen)
    this.#left -= cost
    this.#files.add(file)
    const own = ownLines as Lines
    if (chosen.start <= firstPiece(chosen.section.artifact, chosen.text))
      this.#edges.add(`${file}:${own.start}`)
    if (chosen.end === chosen.text.pieces.length) this.#edges.add(`${file}:${own.end}`)
    return chosen
  }

  /** With more room the best section is cut later, or not at all, before others take it. */
  #recut(): void {
    const [best] = this.#chosen
    if (best === undefined || best.cutEnd === null) return
    const from = best.text.pieces[best.end]?.start ?? best.cutEnd
    this.#left += this.#costs.text(best.text.text.slice(from, best.cutEnd))
    best.cutEnd = null
    this.#left -= this.#fillAfter(best, this.#left)
  }

  /** What is left over goes to the sections that were cut, best first. */
  #extend(): void {
    for (const chosen of this.#chosen) {
      const { section, text } = chosen
      const first = firstPiece(section.artifact, text)
      const cost = (piece: number): number => this.#costs.piece(section, text, piece)
      while (chosen.cutEnd === null && chosen.end < text.pieces.length && cost(chosen.end) <= this.#left)
        this.#left -= cost(chosen.end++)
      while (chosen.start > first && cost(chosen.start - 1) <= this.#left) this.#left -= cost(--chosen.start)
      if (!this.#options.cutPieces) continue
      this.#left -= this.#cutAfter(chosen, this.#left)
      this.#left -= this.#cutBefore(chosen, this.#left)
    }
  }
}

interface Part {
  readonly start: number
  readonly end: number
  readonly cost: number
}

/** The best match with what surrounds it, as far as there is room: onwards first, then backwards. */
function growPart(
  section: RankedSection,
  o: { costs: readonly number[]; first: number; room: number },
): Part | null {
  for (const match of section.matches) {
    let start = Math.max(match.pieceStart, o.first)
    let end = start
    let cost = 0
    while (end < o.costs.length && cost + (o.costs[end] as number) <= o.room) cost += o.costs[end++] as number
    if (end === start) continue
    while (start > o.first && cost + (o.costs[start - 1] as number) <= o.room)
      cost += o.costs[--start] as number
    return { start, end, cost }
  }
  return null
}
