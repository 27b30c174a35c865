// Which references of the chosen sections are followed? References become proposals, the judge decides, documents get an order.
import {
  type ChooseOptions,
  type ChosenSection,
  chooseByAnchor,
  chooseByType,
  compareWords,
  type TargetSection,
} from './choose-sections.ts'
import { classifyDocument, isDecision, typePriority } from './classify-document.ts'
import {
  type FoundReference,
  openBudget,
  type Plan,
  type PlanInput,
  type PlannedDocument,
  type PlannedSection,
  type PlanOptions,
} from './plan.ts'

interface Target extends Omit<PlannedDocument, 'sections'> {
  readonly references: readonly FoundReference[]
}

/** A reference counts less the later its section is in the digest. */
const discount = (rank: number): number => 1 / Math.log2(2 + rank)

/** Targets in the order in which they are expanded: type, then authority and the references to them, then path. */
function orderTargets(input: PlanInput): Target[] {
  const byPath = Map.groupBy(input.references, ({ path }) => path)
  const origins = new Set(input.references.map(({ from }) => from))
  const ranks = new Map([...origins].map((from, rank) => [from, rank]))
  const targets = [...byPath].map(([path, references]): Target => {
    const places = new Map(references.map(({ from, anchor }) => [`${from}\0${anchor ?? ''}`, from]))
    const referred = [...places.values()].reduce((sum, from) => sum + discount(ranks.get(from) ?? 0), 0)
    const score = 0.5 * input.canonicality(path) + 0.5 * Math.log(1 + referred)
    return { path, type: classifyDocument(path), score, references }
  })
  return targets.sort(
    (a, b) => typePriority[a.type] - typePriority[b.type] || b.score - a.score || (a.path < b.path ? -1 : 1),
  )
}

interface Wish extends ChosenSection {
  readonly reference: FoundReference
}

/** Which sections of the target are asked for, and by which reference each. */
function wishesFor(
  target: Target,
  sections: readonly TargetSection[],
  relevance: ChooseOptions['relevance'],
): Wish[] {
  const wishes: Wish[] = []
  let needsDefault: FoundReference | null = null
  for (const reference of target.references) {
    const named = sections.find(({ id }) => id === reference.section)
    const anchored =
      named !== undefined
        ? { section: named, because: `anchor #${reference.anchor ?? ''}`, paragraphs: null }
        : reference.anchor === null
          ? null
          : chooseByAnchor(sections, reference.anchor)
    if (anchored === null) needsDefault ??= reference
    else if (!wishes.some((wish) => wish.section.id === anchored.section.id))
      wishes.push({ ...anchored, reference })
  }
  // Of a decision, context and decision are shown whatever another reference names.
  if (needsDefault !== null && (wishes.length === 0 || target.type === 'adr')) {
    const nearness = compareWords(needsDefault.fromText ?? '')
    const reference = needsDefault
    const usual = chooseByType(sections, target.type, { relevance, nearness }).filter(
      ({ section }) => !wishes.some((wish) => wish.section.id === section.id),
    )
    wishes.unshift(...usual.map((chosen) => ({ ...chosen, reference })))
  }
  return wishes
}

/** Every place that refers to this target; those that name the very section first. */
function referringPlaces(target: Target, wish: Wish): { path: string; line: number }[] {
  const own = target.references.filter(
    (reference) => reference === wish.reference || reference.section === wish.section.id,
  )
  const rest = target.references.filter(({ section, anchor }) => section === null && anchor === null)
  const seen = new Set<string>()
  const places: { path: string; line: number }[] = []
  for (const { fromPath, line } of [...own, ...rest]) {
    if (seen.has(`${fromPath}:${line}`)) continue
    seen.add(`${fromPath}:${line}`)
    places.push({ path: fromPath, line })
  }
  return places
}

/**
 * Decisions, designs and runbooks are expanded whenever a section refers to them. A plain link may lead anywhere: its
 * target must also be relevant to the question.
 */
function isWorthwhile(target: Target, wish: Wish, input: PlanInput, linkRelevance: number): boolean {
  if (linkRelevance === 0) return true
  if (target.type !== 'other' || wish.reference.via === 'cites' || isDecision(target.path)) return true
  if (!input.speaksOfIt(target.path)) return false
  const relevance = input.relevance(`${wish.section.name}\n${wish.section.body}`)
  return relevance >= linkRelevance * input.bestRelevance()
}

/** Plans within the rulebook's cost and depth; `takeOffers` applies the token budget. */
export function planExpansions(input: PlanInput, options: PlanOptions): Plan {
  const documents: PlannedDocument[] = []
  const budget = openBudget(input, options)
  for (const target of orderTargets(input)) {
    const { path, type, score } = target
    const sections = input.sectionsOf(path)
    const reachable = sections.map(({ id, kind }) => ({ id, kind, direction: 'out' as const }))
    const planned: PlannedSection[] = []
    for (const wish of wishesFor(target, sections, input.relevance)) {
      const { reference, section, because, paragraphs } = wish
      const { from, fromKind, via } = reference
      if (!isWorthwhile(target, wish, input, options.linkRelevance)) {
        budget.deny({ from, via, target: section.id }, 'not relevant to the question')
        continue
      }
      const approval = budget.propose({ from, fromKind, via, target: section.id, reachable })
      if (approval === null) continue
      const { depth, cost } = approval
      const referencedBy = referringPlaces(target, wish)
      planned.push({ path, id: section.id, because, paragraphs, from, via, depth, cost, referencedBy })
    }
    if (planned.length > 0) documents.push({ path, type, score, sections: planned })
  }
  return { documents, ...budget.settle() }
}
