// Which sections around a found one are expanded? Its parent, then its siblings, each once and as the judge allows.
import type { ExpansionLimits } from './expansion-state.ts'
import { type FoundFamily, openBudget, type Plan, type PlanInput, type PlannedSection } from './plan.ts'

type FamilyInput = Pick<PlanInput, 'canonicality' | 'rulebookFor' | 'depthOfFrom' | 'present'>

/** Plans with the cost that references left over. */
export function planFamilies(
  families: readonly FoundFamily[],
  input: FamilyInput,
  limits: ExpansionLimits,
): Plan {
  const budget = openBudget(input, limits)
  const planned = new Map<string, PlannedSection>()
  for (const { from, fromKind, path, line, parent, siblings } of families) {
    const members = parent === null ? siblings : [parent, ...siblings]
    const reachable = members.map(({ id, kind }) => ({ id, kind, direction: 'family' as const }))
    for (const member of members) {
      const { id } = member
      const known = planned.get(id)
      if (known !== undefined) {
        planned.set(id, { ...known, sameDocumentAs: [...(known.sameDocumentAs ?? []), { path, line }] })
        continue
      }
      if (input.present.has(id)) continue
      const approval = budget.propose({ from, fromKind, via: 'defines', target: id, reachable })
      if (approval === null) continue
      const { depth, cost } = approval
      const because = member === parent ? 'parent of a found section' : 'sibling of a found section'
      const section = { path, id, because, paragraphs: null, from, via: 'defines', depth, cost }
      planned.set(id, { ...section, referencedBy: [], sameDocumentAs: [{ path, line }] })
    }
  }
  // In the order of each document's first section.
  const documents = [...Map.groupBy(planned.values(), ({ path }) => path)].map(([path, sections]) => {
    return { path, type: 'family' as const, score: 0.5 * input.canonicality(path), sections }
  })
  return { documents, ...budget.settle() }
}
