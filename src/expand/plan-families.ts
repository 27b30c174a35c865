// What explains a short section? Its parent, and when more is asked for its siblings: one hop of DEFINES, through the judge.
import type { TargetSection } from './choose-sections.ts'
import type { PlanInput, PlannedDocument, PlannedSection } from './plan-expansions.ts'
import { groupByDocument, type PlanLedger } from './plan-ledger.ts'

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
  families: readonly FoundFamily[],
  ledger: PlanLedger,
  canonicality: PlanInput['canonicality'],
): PlannedDocument[] {
  const planned: PlannedSection[] = []
  for (const { from, fromKind, path, line, members } of families) {
    const reachable = members.map(({ id, kind }) => ({ id, kind, direction: 'family' as const }))
    for (const { id } of members) {
      const known = planned.findIndex((one) => one.id === id)
      if (known >= 0) {
        const before = planned[known] as PlannedSection
        planned[known] = { ...before, referencedBy: [...before.referencedBy, { path, line }] }
        continue
      }
      const approval = ledger.propose({ from, fromKind, via: 'defines', target: id, reachable })
      if (approval === null) continue
      planned.push({
        path,
        id,
        because: id === members[0]?.id ? 'parent of a short section' : 'sibling of a short section',
        paragraphs: PARAGRAPHS,
        from,
        via: 'defines',
        depth: approval.depth,
        cost: approval.cost,
        referencedBy: [{ path, line }],
      })
    }
  }
  return groupByDocument(planned, canonicality)
}
