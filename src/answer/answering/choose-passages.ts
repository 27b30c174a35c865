// What goes into a digest of a given size? Sections first, then what they refer to, then what surrounds them.

import { scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import type {
  Canonicality,
  DigestDocument,
  DropReason,
  ExpandedDocument,
  JudgeDecision,
  LinePlace,
  Unresolved,
} from '../../model/digest.ts'
import type { Rulebook } from '../../model/expansion.ts'
import type { Freshness, QueryAnalysis } from '../../model/report.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'
import type { DigestCosts } from '../assemble/digest-costs.ts'
import { namesIt } from '../assemble/find-signature.ts'
import { type HeaderOf, listDocument } from '../assemble/make-passages.ts'
import { endsInside } from '../assemble/section-runs.ts'
import {
  type ExpansionSource,
  type ExpansionTokens,
  expansionBudget,
  type SelectedExpansions,
  selectExpansions,
} from '../assemble/select-expansions.ts'
import { SectionSelector, type Selection } from '../assemble/select-sections.ts'
import {
  CODE_SHARE,
  ENDING,
  FAMILY_RESERVE_TOKENS,
  FAMILY_SECTION_TOKENS,
  FAMILY_SHARE,
  REFERENCES_YIELD_CHARS,
  REPORT_SECTION_TOKENS,
  SECTION_TOKENS,
  SMALLEST_PART,
  WHOLE_DEFINITION_TOKENS,
} from '../assemble/tuning.ts'
import type { Plan, PlannedDocument, PlannedSection } from '../expand/plan.ts'
import type { CascadeResult } from '../retrieve/run-cascade.ts'
import { RELEVANCE_WEIGHT } from '../retrieve/tuning.ts'
import type { IsCited } from './citations.ts'
import { ReferenceFollower } from './follow-references.ts'
import type { AssembleOptions } from './question-options.ts'
import type { CascadeContext, RememberedSearch } from './search-by-cascade.ts'

/** How far references are followed, and what they may take. */
interface ExpansionSettings {
  readonly 'references.budget': number
  readonly 'references.share': number
  readonly 'references.maxTokens': number
  readonly 'references.documentTokens': number
  readonly 'references.family': 'off' | 'on'
}

export interface AssembleContext extends CascadeContext {
  readonly expansion: ExpansionSettings
  readonly rulebookFor: (kind: string) => Rulebook
  readonly freshness: Freshness
  readonly notices: readonly string[]
  readonly search: RememberedSearch
}
export interface DigestOptions extends AssembleOptions {
  readonly layout: 'full' | 'brief'
  /** The budget that the digest names. */
  readonly statedTokens: number
}

export interface DigestParts {
  readonly question: string
  readonly options: DigestOptions
  readonly context: AssembleContext
  readonly analysis: QueryAnalysis
  readonly ranking: CascadeResult
  readonly remarks: readonly string[]
  /** Document frequency: in how many fragments a term occurs. */
  readonly frequency: (term: string) => number
  /** Sections below this score are dropped. */
  readonly leastScore: number
  /** Whether to follow references of the leading document outside of its quoted sections. */
  readonly wholeLead: boolean
}
/** The selected sections, and the expansions that follow their references. */
export interface Choice {
  readonly selection: Selection
  readonly expansions: SelectedExpansions
  readonly unresolved: readonly Unresolved[]
  /** Lines of selected sections that refer to other selected ones, by artifact. */
  readonly references: ReadonlyMap<string, readonly LinePlace[]>
  readonly decisions: readonly JudgeDecision[]
}
interface Followed {
  readonly plan: Plan
  readonly expansions: SelectedExpansions
}

const nothingExpanded: SelectedExpansions = { documents: [], used: 0, dropped: [] }
/** Selects within a number of tokens: sections first, then expansions, then further sections with the tokens left over. */
export class Chooser {
  readonly #parts: DigestParts
  readonly #costs: DigestCosts
  readonly #texts = new Map<number, ArtifactText>()
  readonly #follower: ReferenceFollower
  readonly #relevance: (text: string) => number
  /** By what was chosen: rounds of fitting often choose the same. */
  readonly #plans = new Map<string, Plan>()

  constructor(parts: DigestParts, costs: DigestCosts) {
    this.#parts = parts
    this.#costs = costs
    const { reader, now, expansion, rulebookFor, authority } = parts.context
    this.#relevance = remember(makeRelevance(parts))
    this.#follower = new ReferenceFollower({
      reader,
      textOf: this.#textOf,
      maxDepth: parts.options.depth,
      budget: expansion['references.budget'],
      rulebookFor,
      canonicality: (file) => scoreCanonicality(file, { now, weights: authority }),
      relevance: this.#relevance,
      documentScore: this.#documentScore,
      isOtherEdition: parts.ranking.isOtherEdition,
    })
  }

  /** Cached for one question: the same sections are selected in every round of fitting. */
  #textOf = (section: number): ArtifactText => {
    let text = this.#texts.get(section)
    if (text === undefined) {
      text = this.#parts.context.reader.text(section)
      this.#texts.set(section, text)
    }
    return text
  }

  #selector(given: {
    budget: number
    shareOf: number
    cutPieces: boolean
    isReferenced: (section: RankedSection) => boolean
  }): SectionSelector {
    const { relevanceThreshold } = this.#parts.ranking
    const limits = {
      ...given,
      maxSections: this.#parts.options.sections,
      relevanceThreshold,
      fill: this.#parts.options.fill,
      leastScore: this.#parts.leastScore,
      sectionTokens: this.#parts.analysis.intents.includes('report') ? REPORT_SECTION_TOKENS : SECTION_TOKENS,
    }
    return new SectionSelector(
      {
        costs: { ...this.#costs.primary, relevance: this.#relevance },
        textOf: ({ artifact }) => this.#textOf(artifact.rowId),
      },
      limits,
    )
  }

  /** The brief layout omits the class header: the passage's name has the class already. */
  headerOf: HeaderOf = (section) => this.#follower.headerOf(section, this.#parts.options.layout)

  /** The documents of a digest: those of what search found, then those that only expansions quote. */
  listExpanded = (
    found: readonly DigestDocument[],
    expanded: readonly ExpandedDocument[],
  ): DigestDocument[] => {
    const listed = new Map(found.map((document) => [document.path, document]))
    for (const { path, canonicality, passages } of expanded) {
      const { sections, ...known } = listed.get(path) ?? this.#listOne(path, canonicality)
      listed.set(path, { ...known, sections: sections + passages.length })
    }
    return [...listed.values()]
  }

  /** Scored as its best candidate is; a document without one, by the words of the whole document. */
  #listOne(path: string, canonicality: Canonicality): DigestDocument {
    const file = this.#follower.fileOf(path)
    const best = this.#parts.ranking.sections.find((section) => section.file.id === file.id)
    const words = RELEVANCE_WEIGHT * this.#documentScore(file.id)
    const score = best?.score ?? words + (1 - RELEVANCE_WEIGHT) * canonicality.score
    return listDocument(file, canonicality, { score, sections: 0 })
  }

  #documentScore = (file: number): number => {
    const fragment = this.#parts.context.reader.anyFragmentOf(file)
    return fragment === null ? 0 : this.#parts.ranking.documentScore(fragment)
  }

  #plan(
    chosen: Selection['chosen'],
    options: { readonly everyLink: boolean; readonly wholeLead: boolean },
  ): Plan {
    const key = JSON.stringify([options, chosen.map(({ section, runs }) => [section.artifact.rowId, runs])])
    const plan = this.#plans.get(key) ?? this.#follower.plan(chosen, options)
    this.#plans.set(key, plan)
    return plan
  }

  choose(budget: number, cutPieces: boolean): Choice {
    const { options, context, ranking } = this.#parts
    const { expansion } = context
    const isOpen = options.depth > 0
    let isCited: IsCited | null = null
    let shown: ReadonlySet<string> | null = null
    const select = (tokens: number): { selector: SectionSelector; selection: Selection } => {
      const isReferenced = (section: RankedSection): boolean => isCited?.(section, shown) ?? false
      const selector = this.#selector({ budget: tokens, shareOf: budget, cutPieces, isReferenced })
      return { selector, selection: selector.run(ranking.sections) }
    }
    // What search found earns the tokens of what it refers to.
    const found = options.fill || !isOpen ? budget : budget - select(budget).selector.left
    const followed = Math.max(ENDING.followedTokens, ENDING.followed * found)
    const earned = options.fill ? budget : Math.min(budget, followed)
    const most =
      isOpen && expansion['references.family'] === 'on'
        ? Math.min(earned, Math.floor(options.maxTokens * FAMILY_SHARE))
        : 0
    const forFamily = options.maxTokens < FAMILY_RESERVE_TOKENS ? 0 : most
    const share = isOpen
      ? expansionBudget(options.maxTokens, budget - forFamily, {
          share: expansion['references.share'],
          most: expansion['references.maxTokens'],
        })
      : 0
    let { selector, selection } = select(budget - share - forFamily)
    // Expansions must not take the room of the section that refers to them.
    const isHeld = lacksBest(selection, ranking.sections)
    isCited = isHeld || share === 0 ? null : this.#follower.citations.findCitedOnly(selection.chosen)
    if (isCited !== null) ({ selector, selection } = select(budget - share - forFamily))
    const { plan, expansions } = isHeld ? nothingFollowed(context) : this.#follow(selection, share)
    const present = new Set(artifactsOf(expansions))
    shown = new Set(expansions.documents.map(({ path }) => path))
    if (expansions.documents.length > 0) selection = selector.grant(share - expansions.used, present)
    else if (share > 0) ({ selector, selection } = select(budget - forFamily))
    const tokens = isHeld ? 0 : Math.min(most, forFamily + selector.left, earned - expansions.used)
    const { plan: around, expansions: family } = this.#surround(selection, { present, plan, tokens })
    const denied = [...plan.denied, ...around.denied]
    if (forFamily > 0 && (family.documents.length > 0 || expansions.documents.length > 0))
      selection = selector.grant(forFamily - family.used, new Set([...present, ...artifactsOf(family)]))
    else if (forFamily > 0) ({ selection } = select(budget))
    return {
      selection,
      expansions: {
        documents: [...expansions.documents, ...family.documents],
        used: expansions.used + family.used,
        dropped: [...expansions.dropped, ...family.dropped, ...this.#follower.listUnaffordable(denied)],
      },
      unresolved: this.#follower.citations.unresolved(selection.chosen),
      references: this.#follower.citations.among(selection.chosen),
      decisions: [
        ...listApproved([...plan.documents, ...around.documents]),
        ...denied.map((one) => ({ ...one, cost: null })),
      ],
    }
  }

  /** What the selected sections refer to, within the tokens for references. */
  #follow(first: Selection, tokens: number): Followed {
    const { context, question, wholeLead } = this.#parts
    if (tokens <= 0) return nothingFollowed(context)
    // Where all candidates fit the budget, no section loses its place to the target of a link: every link may be followed.
    const everyLink = first.isComplete && first.dropped.every(({ reason }) => reason !== 'adds little')
    const plan = this.#plan(first.chosen, { everyLink, wholeLead })
    const expansions = this.#expand(plan, {
      budget: tokens,
      perDocument: context.expansion['references.documentTokens'],
      smallestPart: SMALLEST_PART,
      code: codeLimits(tokens, { everyLink, isNamed: namesLead(question, first) }),
    })
    return { plan, expansions }
  }

  /** Parents and siblings of the selected sections, within their own tokens. */
  #surround(
    { chosen, dropped }: Selection,
    { present, plan, tokens }: { present: ReadonlySet<string>; plan: Plan; tokens: number },
  ): Followed {
    if (tokens < SMALLEST_PART) return nothingFollowed(this.#parts.context)
    const isLeft = (reason: DropReason): boolean => reason === 'by reference' || reason === 'adds little'
    const left = dropped.filter(({ reason }) => isLeft(reason)).map(({ artifact }) => artifact)
    const excluded = new Set([...present, ...chosen.map(({ section }) => section.artifact.id), ...left])
    const families = this.#follower.planFamilies(chosen, excluded, plan.budgetLeft)
    const expansions = this.#expand(families, {
      budget: tokens,
      perDocument: tokens,
      perSection: FAMILY_SECTION_TOKENS,
      smallestPart: SMALLEST_PART,
      code: { budget: 0, definition: 0 },
    })
    return { plan: families, expansions }
  }

  #expand({ documents }: Plan, limits: ExpansionTokens): SelectedExpansions {
    const sourceOf = (planned: PlannedSection): ExpansionSource => this.#follower.sourceOf(planned)
    return selectExpansions(documents, { costs: this.#costs.expanded, sourceOf }, limits)
  }
}

function nothingFollowed({ expansion }: AssembleContext): Followed {
  const plan = { documents: [], denied: [], budgetLeft: expansion['references.budget'] }
  return { plan, expansions: nothingExpanded }
}

export function artifactsOf({ documents }: SelectedExpansions): readonly string[] {
  return documents.flatMap(({ passages }) => passages.flatMap(({ artifacts }) => artifacts))
}

function listApproved(plan: readonly PlannedDocument[]): JudgeDecision[] {
  return plan.flatMap(({ sections }) =>
    sections.map(({ from, via, id, cost, because }) => ({ from, via, target: id, cost, reason: because })),
  )
}

/** A question that names the code it asks about may spend the whole expansion budget on what that code uses; others a share. */
function codeLimits(
  room: number,
  { everyLink, isNamed }: { readonly everyLink: boolean; readonly isNamed: boolean },
): ExpansionTokens['code'] {
  if (everyLink) return { budget: room, definition: room }
  return { budget: isNamed ? room : room * CODE_SHARE, definition: WHOLE_DEFINITION_TOKENS }
}

function namesLead(question: string, { chosen: [best] }: Selection): boolean {
  return best !== undefined && namesIt(question, best.section.artifact.name)
}

/** Is the best section dropped, or truncated to a few lines? */
function lacksBest({ chosen, dropped: [first] }: Selection, [best]: readonly RankedSection[]): boolean {
  if (first?.reason === 'no room' && first.artifact === best?.artifact.id) return true
  const shown = chosen.find(({ section }) => section === best)
  if (shown === undefined || !shown.runs.some((run) => endsInside(shown.text, run))) return false
  return shown.runs.reduce((sum, { from, to }) => sum + to - from, 0) < REFERENCES_YIELD_CHARS
}

/** Memoised by text: several stages ask for the same texts, in every round of fitting. */
export function remember<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const answer = known.get(text) ?? ask(text)
    known.set(text, answer)
    return answer
  }
}

/** How well a text fits the question: a sum over shared terms, weighted by inverse document frequency, with saturation. */
function makeRelevance({ context, analysis, ranking, frequency }: DigestParts): (text: string) => number {
  const { livingFragments } = context.reader.lexical()
  const guessed = ranking.strategy.callerWords?.used === true ? (analysis.callerTerms ?? []) : []
  const weights = new Map(
    [...guessed, ...analysis.terms].map(({ term, weight }) => [
      term,
      weight * Math.log(1 + livingFragments / (frequency(term) + 0.5)),
    ]),
  )
  // Most texts share lines: windows of one section overlap.
  const termsIn = remember((line) => {
    const terms: string[] = []
    analyzeWords(line, (term) => {
      if (weights.has(term)) terms.push(term)
    })
    return terms
  })
  return (text) => {
    const counts = new Map<string, number>()
    for (const line of text.split('\n'))
      for (const term of termsIn(line)) counts.set(term, (counts.get(term) ?? 0) + 1)
    let score = 0
    for (const [term, count] of counts) score += ((weights.get(term) as number) * count) / (count + 1.5)
    return score
  }
}
