// How is a digest composed? Ranked sections become offers, and so does what they lead to; offers are taken once, by gain.
// Long because each of its steps is here, in order.

import { scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import {
  type Canonicality,
  type Digest,
  type DigestDocument,
  type Dropped,
  type DropReason,
  type ExpandedDocument,
  type JudgeDecision,
  type LinePlace,
  type Passage,
  type Pointer,
  RELEVANCE_WEIGHT,
} from '../../model/digest.ts'
import { remember } from '../../model/remember.ts'
import type { RankedSection } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import type { DigestCosts } from '../assemble/digest-costs.ts'
import { offerExpansions, type ShownExpansions, showExpansions } from '../assemble/expansion-offers.ts'
import { type HeaderOf, listDocument } from '../assemble/make-passages.ts'
import { makePointer, pointerTokens } from '../assemble/make-pointer.ts'
import { type Chosen, isCut, linesOf, runOf, type TextCosts } from '../assemble/section-runs.ts'
import { countSection, showSection } from '../assemble/show-section.ts'
import { type Offer, type Taken, takeOffers } from '../assemble/take-offers.ts'
import * as tuning from '../assemble/tuning.ts'
import type { Plan, PlannedDocument } from '../expand/plan.ts'
import type { DigestParts } from './digest-parts.ts'
import { followReferences } from './follow-references.ts'
import { chanceOf, type Listed, listWanted, orderSections, type WantedSection } from './list-wanted.ts'
import { makeRelevance } from './text-relevance.ts'

/** What a digest holds, and what it does not. */
export interface Composition extends Pick<Digest, 'leastScore' | 'isComplete' | 'unresolved'> {
  readonly dropped: () => Dropped[]
  readonly chosen: readonly Chosen[]
  readonly expansions: ShownExpansions
  /** Sections of the ranking that are not quoted, best first: what a reader may read next. */
  readonly behind: readonly RankedSection[]
  /** Lines of quoted sections that refer to other quoted ones, by artifact. */
  readonly references: ReadonlyMap<string, readonly LinePlace[]>
  readonly decisions: readonly JudgeDecision[]
}

export type Composer = ReturnType<typeof makeComposer>

/** Composes the digests of one question, of any size, from one ranking. */
export function makeComposer(parts: DigestParts, costs: DigestCosts) {
  const { context, ranking, options, analysis, leastScore, wholeLead } = parts
  const { reader, now, expansion, rulebookFor } = context
  const relevance = remember(makeRelevance(parts))
  const textCosts: TextCosts = { ...costs.primary, relevance }
  const textOf = remember((section: number) => reader.text(section))
  const pointerTo = remember((section: RankedSection) =>
    makePointer(section, textOf(section.artifact.rowId), relevance),
  )
  const ordered = orderSections(parts, textOf)
  const follower = followReferences({
    reader,
    textOf,
    maxDepth: options.depth,
    budget: expansion['references.budget'],
    rulebookFor,
    canonicality: remember((file) => scoreCanonicality(file, { now })),
    relevance,
    documentScore: ranking.documentScore,
    isOtherEdition: ranking.isOtherEdition,
  })
  const shownRuns = new Map<string, Chosen['runs']>()
  /** For a model that can read more, a sure answer shows little else. */
  const isSure = options.layout === 'numbered' && ranking.confidence.label === 'high'

  /** The brief layout omits the class header: the passage's name has the class already. */
  const headerOf: HeaderOf = (section) => follower.headerOf(section, options.layout)

  /** One line each for the best of what is not quoted, within the tokens of pointers. */
  const pointTo = (behind: readonly RankedSection[]): Pointer[] => {
    const pointers: Pointer[] = []
    let left = pointerTokens(options.maxTokens)
    const worthwhile = behind.filter(({ score }) => !isSure || score >= leastScore)
    for (const section of left === 0 ? [] : worthwhile.slice(0, tuning.POINTERS.most)) {
      const pointer = pointerTo(section)
      const isFurther = pointers.some(({ path }) => path === pointer.path)
      left -= costs.pointer(pointer, isFurther)
      if (left < 0) break
      pointers.push(pointer)
    }
    return pointers
  }

  /** The story in order: what is worth quoting, what it leads to, what of all that is taken, and what it then shows. */
  function compose(room: number): Composition {
    const hasMore = !options.fill && ranking.sections.some(({ score }) => score < leastScore)
    const tokens = Math.max(0, room - (hasMore ? pointerTokens(options.maxTokens) : 0))
    const limits = { sections: ordered, tokens, perSection: limitOf(tokens), textOf }
    const listed = leaveToReferences(listWanted(parts, limits))
    const { wanted } = listed
    const frames = framesOf(wanted)
    const sections = offerSections(wanted, { tokens, frames })
    const found = takeFrom(sections, tokens)
    // Where all candidates are quoted, or little is, no section loses its place to the target of a link.
    const isShort = listed.leastScore < leastScore
    const everyLink =
      found.refused.length === 0 && (isShort || ranking.sections.every(({ score }) => score >= leastScore))
    const { plan, expansions } = followUp(showIn(wanted, found, frames), everyLink)
    const offers = [...sections, ...expansions.flatMap(({ offers }) => offers)]
    const taken = expansions.length === 0 ? found : takeFrom(offers, tokens)
    const chosen = showIn(wanted, taken, frames)
    const shown = showExpansions(expansions, taken, {
      costs: costs.expanded,
      isReferred: (passage, all) => isReferred(passage, chosen, all),
    })
    return accountFor({ ...listed, taken, chosen, shown, plan })
  }

  /** What a better section cites, and matches little by itself, is for the reference to show. */
  function leaveToReferences(listed: Listed): Listed {
    const { wanted, dropped } = listed
    const strong = Math.max(leastScore, tuning.ENDING.cited * (ordered[0]?.score ?? 0))
    const isStrong = ({ section }: WantedSection): boolean => section.score >= strong
    if (options.depth === 0 || options.fill || wanted.every(isStrong)) return listed
    const whole = wanted
      .filter(isStrong)
      .map((one) => ({ ...one, runs: [runOf(one.text, 0, one.text.pieces.length)] }))
    const cited = follower.citations.citedBy(whole)
    const isLeft = (one: WantedSection): boolean => !isStrong(one) && cited.has(one.section.file.path)
    return {
      ...listed,
      wanted: wanted.filter((one) => !isLeft(one)),
      dropped: new Map([
        ...dropped,
        ...wanted.filter(isLeft).map(({ section }): [RankedSection, DropReason] => [section, 'adds little']),
      ]),
    }
  }

  /** Tokens of a section's head, other than the first one's. */
  function limitOf(tokens: number): number {
    const { most, share } = analysis.intents.includes('report')
      ? tuning.REPORT_SECTION_TOKENS
      : tuning.SECTION_TOKENS
    return Math.max(most, share * tokens)
  }

  /** Tokens of each section without its text; the first of a document also pays for its place in the list of documents. */
  function framesOf(wanted: readonly WantedSection[]): readonly number[] {
    const listed = new Set<number>()
    return wanted.map(({ section }) => {
      const { file } = section.artifact
      const listing = listed.has(file) ? 0 : costs.primary.document(section)
      listed.add(file)
      return listing + costs.primary.passage(section)
    })
  }

  /** The head of each section, and its rest: up to the whole where it is short enough to be read whole. */
  function offerSections(
    wanted: readonly WantedSection[],
    { tokens, frames }: { tokens: number; frames: readonly number[] },
  ): Offer[] {
    const { fill } = options
    const lookedUp = wanted.filter(({ section }) => section.lookedUp !== undefined).length
    return wanted.flatMap(({ section, text, chance }, at): Offer[] => {
      const { id } = section.artifact
      const frame = frames[at] as number
      const { lead, code, whole: longest } = tuning.SECTION_TOKENS
      const readable = Math.min(longest, (isCodeKind(section.artifact.kind) ? code : lead) * tokens)
      const ordinary = at === 0 ? Math.max(limitOf(tokens), lead * tokens) : limitOf(tokens)
      const isBrief = lookedUp > 1 && section.lookedUp !== undefined
      const limit = isBrief ? Math.max(tuning.SMALLEST_PART, tuning.LOOKED_UP_TOKENS / lookedUp) : ordinary
      const whole = countSection({ section, text }, textCosts)
      const shared = { id, kind: 'section', requires: [] } as const
      // A model reads what a line points to, and has no use for a part that misses the lines that answer.
      if (options.layout === 'numbered' && at > 0 && !isBrief) {
        const tokens = frame + whole
        const isLikely = !isSure || chance >= LEADING_CHANCE
        return whole > readable || !isLikely
          ? []
          : [{ ...shared, part: 'head', tokens, least: tokens, gain: chance }]
      }
      const head = Math.min(whole, limit)
      const least = frame + Math.min(tuning.SMALLEST_PART, whole)
      const offers: Offer[] = [{ ...shared, part: 'head', tokens: frame + head, least, gain: chance }]
      const offerRest = (tokens: number, least: number, gain: number): unknown =>
        offers.push({ ...shared, part: 'rest', tokens, least, gain })
      const rest = whole - head
      if (rest > 0 && whole <= readable)
        offerRest(rest, fill ? Math.min(tuning.SMALLEST_PART, rest) : rest, chance * chance)
      else if (rest > 0) {
        // Of a longer one more of what matches; all of it only where nothing else wants the tokens.
        const most = isBrief ? Math.min(whole, ordinary) : at === 0 ? Math.min(readable, whole) : 0
        const more = Math.max(0, most - head)
        if (more > 0) offerRest(more, tuning.SMALLEST_PART, chance * chance)
        const left = rest - more
        if (at === 0 || fill) offerRest(left, fill ? tuning.SMALLEST_PART : left, 0)
      }
      return offers
    })
  }

  function takeFrom(offers: readonly Offer[], tokens: number): Taken {
    const total = options.maxTokens
    const share = Math.floor(total * expansion['references.share'])
    const references = Math.min(share, expansion['references.maxTokens'])
    const shares = {
      reference: { tokens: references, perDocument: expansion['references.documentTokens'] },
      family: { tokens: total * tuning.FAMILY_SHARE, perDocument: total },
    }
    return takeOffers(offers, { tokens, sections: options.sections, shares })
  }

  /** The runs that each section shows within its tokens. */
  function showIn(
    wanted: readonly WantedSection[],
    { rooms, kinds }: Taken,
    frames: readonly number[],
  ): Chosen[] {
    return wanted.flatMap(({ section, text, alsoAt }, at): Chosen[] => {
      const given = rooms.get(section.artifact.id)
      if (given === undefined || kinds.get(section.artifact.id) !== 'section') return []
      const room = given - (frames[at] as number)
      const runs = runsOf({ section, text }, { room, leads: at === 0 })
      return runs.length === 0 ? [] : [{ section, text, runs, alsoAt }]
    })
  }

  function runsOf(
    of: Pick<Chosen, 'section' | 'text'>,
    given: { room: number; leads: boolean },
  ): Chosen['runs'] {
    const key = `${of.section.artifact.rowId} ${given.room} ${given.leads}`
    const runs = shownRuns.get(key) ?? showSection(of, { ...given, fills: options.fill ?? false }, textCosts)
    shownRuns.set(key, runs)
    return runs
  }

  /** What the quoted sections lead to: references, as the judge allows them, then parents and siblings. */
  function followUp(chosen: readonly Chosen[], everyLink: boolean) {
    const nothing: Plan = { documents: [], denied: [], budgetLeft: context.expansion['references.budget'] }
    if (options.depth === 0 || chosen.length === 0) return { plan: nothing, expansions: [] }
    const plan = follower.plan(chosen, { everyLink, wholeLead })
    const best = chosen[0] as Chosen
    const chances = new Map(
      chosen.map(({ section }) => [section.artifact.id, chanceOf(section, best.section)]),
    )
    const leading = new Set(
      chosen.flatMap(({ section: { artifact } }) =>
        (chances.get(artifact.id) as number) >= LEADING_CHANCE ? [artifact.file] : [],
      ),
    )
    const inLeading = chosen.filter(({ section }) => leading.has(section.artifact.file))
    const reached = plan.documents.flatMap(({ sections }) => sections.map(({ id }) => id))
    const present = new Set([...chances.keys(), ...reached])
    const families =
      context.expansion['references.family'] === 'off' || options.layout === 'numbered'
        ? nothing
        : follower.planFamilies(inLeading, present, plan.budgetLeft)
    const expansions = offerExpansions([...plan.documents, ...families.documents], {
      costs: costs.expanded,
      sourceOf: (planned) => follower.sourceOf(planned),
      gainOf: (artifact) => chances.get(artifact) ?? UNQUOTED_CHANCE,
      perDocument: context.expansion['references.documentTokens'],
    })
    return {
      plan: {
        documents: [...plan.documents, ...families.documents],
        denied: [...plan.denied, ...families.denied],
        budgetLeft: families.budgetLeft,
      },
      expansions,
    }
  }

  /** What is shown, and why the rest is not. */
  function accountFor(
    composed: Listed & { taken: Taken; chosen: readonly Chosen[]; shown: ShownExpansions; plan: Plan },
  ): Composition {
    const { wanted, dropped, leastScore, taken, chosen, shown, plan } = composed
    const quoted = new Set(chosen.map(({ section }) => section))
    const expanded = new Set(artifactsOf(shown))
    const behind: RankedSection[] = []
    const left: [RankedSection, DropReason][] = []
    let hasRoom = true
    const leave = (section: RankedSection, reason: DropReason): void => {
      hasRoom &&= reason !== 'no room'
      if (expanded.has(section.artifact.id)) return
      if (isWorthALook.has(reason)) behind.push(section)
      left.push([section, reason])
    }
    for (const { section } of wanted) if (!quoted.has(section)) leave(section, 'no room')
    for (const [section, reason] of dropped) leave(section, reason)
    const { citations } = follower
    return {
      chosen,
      expansions: shown,
      behind,
      // The first sections may score less than the others: there is more than one cut-off.
      leastScore: Math.min(leastScore, ...chosen.map(({ section }) => section.score)),
      dropped: () => [
        ...left.map(([{ artifact, file, score }, reason]): Dropped => {
          const lines = artifact.ownLines ?? artifact.lines
          return { artifact: artifact.id, path: file.path, lines, score, reason }
        }),
        ...shown.dropped,
        ...follower.listUnaffordable(plan.denied),
      ],
      isComplete: taken.refused.length === 0 && hasRoom && !chosen.some(isCut),
      unresolved: citations.unresolved(chosen),
      references: citations.among(chosen),
      decisions: [...listApproved(plan.documents), ...plan.denied.map((one) => ({ ...one, cost: null }))],
    }
  }

  /** The documents of a digest: those of what search found, then those that only expansions quote. */
  const listExpanded = (found: readonly DigestDocument[], expanded: readonly ExpandedDocument[]) => {
    const listed = new Map(found.map((document) => [document.path, document]))
    for (const { path, canonicality, passages } of expanded) {
      const { sections, ...known } = listed.get(path) ?? listOne(path, canonicality)
      listed.set(path, { ...known, sections: sections + passages.length })
    }
    return [...listed.values()]
  }

  /** Scored as its best candidate is; a document without one, by the words of the whole document. */
  function listOne(path: string, canonicality: Canonicality): DigestDocument {
    const file = follower.fileOf(path)
    const best = ranking.sections.find((section) => section.file.id === file.id)
    const words = RELEVANCE_WEIGHT * ranking.documentScore(file.id)
    const score = best?.score ?? words + (1 - RELEVANCE_WEIGHT) * canonicality.score
    return listDocument(file, canonicality, { score, sections: 0 })
  }

  return { headerOf, pointTo, compose, listExpanded }
}

/** Sections that match and are not quoted; the others repeat, translate or say nothing. */
const isWorthALook: ReadonlySet<DropReason> = new Set(['adds little', 'no room', 'section limit'])

/** Chance of a section of the leading document that is not quoted. */
const UNQUOTED_CHANCE = 0.2

/**
 * Minimum chance of a section that leads: its document is shown with parents and siblings of its quoted sections, and
 * a model that can read more gets only such sections behind a sure first one.
 */
const LEADING_CHANCE = 0.5

/** Is the line that refers to it shown? */
function isReferred(passage: Passage, chosen: readonly Chosen[], expanded: readonly Passage[]): boolean {
  const { origin, referencedBy } = passage
  if (origin.kind !== 'expansion' || referencedBy.length === 0) return true
  const from = chosen.find(({ section }) => section.artifact.id === origin.from)
  // Found in a part of the leading document that is not quoted.
  if (from === undefined && origin.depth <= 1) return true
  const lines =
    from?.runs.map((run) => linesOf(from, run)) ??
    expanded
      .find(({ artifacts }) => artifacts.includes(origin.from))
      ?.excerpts.map((excerpt) => excerpt.lines) ??
    []
  return referencedBy.some(({ line }) => lines.some(({ start, end }) => start <= line && line <= end))
}

export const artifactsOf = ({ documents }: Pick<ShownExpansions, 'documents'>): readonly string[] =>
  documents.flatMap(({ passages }) => passages.flatMap(({ artifacts }) => artifacts))

const listApproved = (plan: readonly PlannedDocument[]): JudgeDecision[] =>
  plan.flatMap(({ sections }) =>
    sections.map(({ from, via, id, cost, because }) => ({ from, via, target: id, cost, reason: because })),
  )
