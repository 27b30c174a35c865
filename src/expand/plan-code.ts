// Which pieces of code come along, and which documents come along with code? Proposals in order, each through the judge.
import type { Allowance, ExpansionDirection } from '../model/expansion.ts'
import type { TargetSection } from './choose-sections.ts'
import { classifyDocument } from './classify-document.ts'
import { judgeExpansion } from './judge-expansion.ts'
import type {
  Denied,
  Plan,
  PlanInput,
  PlannedDocument,
  PlannedSection,
  PlanOptions,
} from './plan-expansions.ts'

/** Something that a relation of code leads to. */
export interface FoundCode {
  /** Canonical id and kind of what it starts from. */
  readonly from: string
  readonly fromKind: string
  readonly fromPath: string
  /** Line that shows the relation. */
  readonly line: number
  /** How well the origin answers the question, beside the best: 0 to 1. */
  readonly fromRelevance: number
  readonly via: string
  readonly direction: ExpansionDirection
  readonly path: string
  readonly isCode: boolean
  readonly target: TargetSection
}

/** What a proposal needs to be worth its tokens: of the best section's relevance, by relation. */
const worth: Readonly<Record<string, number>> = {
  uses: 0,
  external_scripts: 0,
  documents: 0.15,
  cites: 0.2,
  member_functions: 0.25,
  class_name: 0.5,
  imports: 0,
  docstring: 0,
}
/** Structure is cheap in cost, not in tokens: it comes last. */
const structural: ReadonlySet<string> = new Set(['imports', 'docstring'])
/** What is named right where the answer stands counts beside what it says. */
const nearShare = 0.5
/** A digest is read: a list of everything that is called is no context. */
const mostPieces = 24

interface Weighed {
  readonly found: FoundCode
  readonly relevance: number
  readonly score: number
  readonly places: { path: string; line: number }[]
}

/** Plans what comes along by relations of code, best first, after references have taken what they need. */
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
  const denied: Denied[] = []
  const visited = new Set(given.visited)
  let { budgetLeft } = given
  const best = found.length === 0 ? 0 : input.bestRelevance()
  for (const { found: one, relevance, places } of weigh(input, found, best)) {
    if (planned.length >= mostPieces) break
    if (relevance < (worth[one.via] ?? 0) * best) {
      denied.push({ from: one.from, target: one.target.id, reason: 'beside the question' })
      continue
    }
    const { maxDepth } = given.options
    const allowance: Allowance = { budgetLeft, maxDepth, depthOfFrom: input.depthOfFrom(one.from), visited }
    const reachable = [{ id: one.target.id, kind: one.target.kind, direction: one.direction }]
    const situation = {
      rulebook: input.rulebookFor(one.fromKind),
      fromKind: one.fromKind,
      reachable,
      allowance,
    }
    const verdict = judgeExpansion({ from: one.from, via: one.via, target: one.target.id }, situation)
    if (!verdict.allowed) {
      denied.push({ from: one.from, target: one.target.id, reason: verdict.reason })
      continue
    }
    budgetLeft -= verdict.cost
    visited.add(one.target.id)
    planned.push({
      path: one.path,
      id: one.target.id,
      because: one.via.replaceAll('_', ' '),
      paragraphs: null,
      from: one.from,
      via: one.via,
      depth: verdict.depth,
      cost: verdict.cost,
      referencedBy: places,
    })
  }
  const isCode = new Map(found.map(({ path, isCode: code }) => [path, code]))
  return { documents: byDocument(planned, isCode, input.canonicality), denied, budgetLeft }
}

/** The line that shows the relation: against its direction it stands in the target. */
function placeOf({ direction, path, fromPath, line }: FoundCode): { path: string; line: number } {
  return { path: direction === 'in' ? path : fromPath, line }
}

/** Each target once, with every place that leads to it; meaning before structure, then by score. */
function weigh(input: Pick<PlanInput, 'relevance'>, found: readonly FoundCode[], best: number): Weighed[] {
  const byTarget = new Map<string, Weighed>()
  for (const one of found) {
    const known = byTarget.get(one.target.id)
    if (known !== undefined) {
      known.places.push(placeOf(one))
      continue
    }
    const relevance = input.relevance(`${one.target.name}\n${one.target.body}`)
    const score = (best > 0 ? relevance / best : 0) + nearShare * one.fromRelevance
    byTarget.set(one.target.id, {
      found: one,
      relevance,
      score,
      places: [placeOf(one)],
    })
  }
  const last = ({ found: one }: Weighed): number => (structural.has(one.via) ? 1 : 0)
  return [...byTarget.values()].sort(
    (a, b) => last(a) - last(b) || b.score - a.score || (a.found.target.id < b.found.target.id ? -1 : 1),
  )
}

/** In the order of each document's first piece. */
function byDocument(
  planned: readonly PlannedSection[],
  isCode: ReadonlyMap<string, boolean>,
  canonicality: (path: string) => number,
): PlannedDocument[] {
  const paths = [...new Set(planned.map(({ path }) => path))]
  return paths.map((path) => ({
    path,
    type: isCode.get(path) === true ? 'code' : classifyDocument(path),
    score: 0.5 * canonicality(path),
    sections: planned.filter((section) => section.path === path),
  }))
}
