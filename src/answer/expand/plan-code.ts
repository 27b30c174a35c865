// Which related code, and which documents about code, are added to a digest? Proposals in order, each checked by the judge.
import type { Via } from '../../model/config/rulebook-names.ts'
import type { ExpansionDirection } from '../../model/expansion.ts'
import type { TargetSection } from './choose-sections.ts'
import { classifyDocument, type DocumentType } from './classify-document.ts'
import {
  groupByDocument,
  type Plan,
  PlanBudget,
  type PlanInput,
  type PlannedSection,
  type PlanOptions,
} from './plan.ts'

/** Something that a relation of code leads to. */
export interface FoundCode {
  /** Canonical id and kind of what it starts from. */
  readonly from: string
  readonly fromKind: string
  readonly fromPath: string
  /** Line of the origin that shows the relation; against its direction, the line that the origin starts at. */
  readonly line: number
  /** Relevance of the origin as a share of the best, 0 to 1. */
  readonly fromRelevance: number
  readonly via: string
  readonly direction: ExpansionDirection
  readonly path: string
  readonly isCode: boolean
  readonly target: TargetSection
}

/** Minimum relevance of a proposal by relation, as a share of the best section's. */
const worth: Readonly<Record<Via, number>> = {
  links: 0,
  defines: 0,
  class_header: 0,
  uses: 0,
  external_scripts: 0,
  documents: 0.15,
  cites: 0.2,
  member_functions: 0.25,
  class_name: 0.5,
  imports: 0.1,
  docstring: 0.1,
}
/** Imports and docstrings come last: their cost in the rulebook is low, but they take many tokens. */
const structural: ReadonlySet<string> = new Set(['imports', 'docstring'])
/** Weight of the origin's relevance in a proposal's score, in addition to the target's own. */
const nearShare = 0.5
/** Maximum number of expansions in one plan: a list of every callee does not help. */
const mostPieces = 24

interface Weighed {
  readonly found: FoundCode
  readonly relevance: number
  readonly score: number
  /** Each with the direction that it is reached in. */
  readonly places: FoundCode[]
}

/** Plans expansions by relations of code, best first, within the budget that references left. */
export function planCode(
  input: Pick<PlanInput, 'rulebookFor' | 'depthOfFrom' | 'canonicality' | 'relevance' | 'bestRelevance'>,
  found: readonly FoundCode[],
  given: {
    readonly visited: ReadonlySet<string>
    readonly budgetLeft: number
    readonly options: PlanOptions
  },
): Plan {
  const planned: PlannedSection[] = []
  const { visited, budgetLeft, options } = given
  const budget = new PlanBudget(input, { visited, budgetLeft, maxDepth: options.maxDepth })
  const best = found.length === 0 ? 0 : input.bestRelevance()
  for (const { found: one, relevance, places } of weigh(input, found, best)) {
    if (planned.length >= mostPieces) break
    const { from, fromKind, via, direction } = one
    const { id, kind } = one.target
    if (relevance < (worth[via as Via] ?? 0) * best) {
      budget.deny({ from, via, target: id }, 'not relevant to the question')
      continue
    }
    const approval = budget.propose({ from, fromKind, via, target: id, reachable: [{ id, kind, direction }] })
    if (approval === null) continue
    planned.push({
      path: one.path,
      id,
      because: via.replaceAll('_', ' '),
      paragraphs: null,
      from,
      via,
      depth: approval.depth,
      cost: approval.cost,
      ...relationPlaces(places),
    })
  }
  const code = new Set(found.filter(({ isCode }) => isCode).map(({ path }) => path))
  const typeOf = (path: string): DocumentType => (code.has(path) ? 'code' : classifyDocument(path))
  const documents = groupByDocument(planned, input.canonicality, typeOf)
  return { documents, denied: budget.denied, budgetLeft: budget.left }
}

/** Each place once; what is reached against the direction of its relation refers to the origin, not the origin to it. */
function relationPlaces(places: readonly FoundCode[]): Pick<PlannedSection, 'referencedBy' | 'refersTo'> {
  const listed = (isInward: boolean): { path: string; line: number }[] => {
    const wanted = places.filter(({ direction }) => (direction === 'in') === isInward)
    const byPlace = new Map(
      wanted.map(({ fromPath, line }) => [`${line} ${fromPath}`, { path: fromPath, line }]),
    )
    return [...byPlace.values()]
  }
  const refersTo = listed(true)
  return { referencedBy: listed(false), ...(refersTo.length > 0 ? { refersTo } : {}) }
}

/** Each target once, with every place that leads to it; references before structure, then by score. */
function weigh(input: Pick<PlanInput, 'relevance'>, found: readonly FoundCode[], best: number): Weighed[] {
  const byTarget = new Map<string, Weighed>()
  for (const one of found) {
    const known = byTarget.get(one.target.id)
    if (known !== undefined) {
      known.places.push(one)
      continue
    }
    const relevance = input.relevance(`${one.target.name}\n${one.target.body}`)
    const score = (best > 0 ? relevance / best : 0) + nearShare * one.fromRelevance
    byTarget.set(one.target.id, { found: one, relevance, score, places: [one] })
  }
  const last = ({ found: one }: Weighed): number => (structural.has(one.via) ? 1 : 0)
  return [...byTarget.values()].sort(
    (a, b) => last(a) - last(b) || b.score - a.score || (a.found.target.id < b.found.target.id ? -1 : 1),
  )
}
