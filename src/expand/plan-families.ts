// What explains a short section? Its parent, and when more is asked for its siblings: one hop of DEFINES, through the judge.
import type { Allowance } from '../model/expansion.ts'
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

/** A section that says too little alone, and those around it. */
export interface FoundFamily {
  /** Canonical id and kind of the short section. */
  readonly from: string
  readonly fromKind: string
  readonly path: string
  /** Line of its heading. */
  readonly line: number
  /** The parent first. */
  readonly members: readonly TargetSection[]
}

/** Parents explain in their first paragraphs. */
const PARAGRAPHS = 3

/** Plans what comes along with short sections, after references have taken what they need. */
export function planFamilies(
  input: Pick<PlanInput, 'rulebookFor' | 'depthOfFrom' | 'canonicality'>,
  families: readonly FoundFamily[],
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
  for (const { from, fromKind, path, line, members } of families) {
    const reachable = members.map(({ id, kind }) => ({ id, kind, direction: 'family' as const }))
    for (const { id } of members) {
      const known = planned.findIndex((one) => one.id === id)
      if (known >= 0) {
        const before = planned[known] as PlannedSection
        planned[known] = { ...before, referencedBy: [...before.referencedBy, { path, line }] }
        continue
      }
      const { maxDepth } = given.options
      const allowance: Allowance = { budgetLeft, maxDepth, depthOfFrom: input.depthOfFrom(from), visited }
      const situation = { rulebook: input.rulebookFor(fromKind), fromKind, reachable, allowance }
      const verdict = judgeExpansion({ from, via: 'defines', target: id }, situation)
      if (!verdict.allowed) {
        denied.push({ from, target: id, reason: verdict.reason })
        continue
      }
      budgetLeft -= verdict.cost
      visited.add(id)
      planned.push({
        path,
        id,
        because: id === members[0]?.id ? 'parent of a short section' : 'sibling of a short section',
        paragraphs: PARAGRAPHS,
        from,
        via: 'defines',
        depth: verdict.depth,
        cost: verdict.cost,
        referencedBy: [{ path, line }],
      })
    }
  }
  return { documents: byDocument(planned, input.canonicality), denied, budgetLeft }
}

function byDocument(
  planned: readonly PlannedSection[],
  canonicality: (path: string) => number,
): PlannedDocument[] {
  const paths = [...new Set(planned.map(({ path }) => path))]
  return paths.map((path) => ({
    path,
    type: classifyDocument(path),
    score: 0.5 * canonicality(path),
    sections: planned.filter((section) => section.path === path),
  }))
}
