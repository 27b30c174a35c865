// Which references has this query followed, and how many more may it follow? One budget per query, one depth per primary chunk.
import type { Allowance, Approval, ExpansionState } from '../../model/expansion.ts'

export interface ExpansionLimits {
  /** Cost that the whole query may spend. */
  readonly budget: number
  /** Hops from a primary chunk. */
  readonly maxDepth: number
}

/** The state of a query that has found its primary chunks, by canonical id. */
export function startExpansion(primary: Iterable<string>, limits: ExpansionLimits): ExpansionState {
  const depthOf = new Map([...primary].map((id) => [id, 0] as const))
  return { budgetLeft: Math.max(0, limits.budget), maxDepth: limits.maxDepth, depthOf }
}

/** What may still be expanded from `origin`; null when it is not in the context. */
export function allowanceFrom(state: ExpansionState, origin: string): Allowance | null {
  const depthOfFrom = state.depthOf.get(origin)
  if (depthOfFrom === undefined) return null
  const { budgetLeft, maxDepth, depthOf } = state
  return { budgetLeft, maxDepth, depthOfFrom, visited: new Set(depthOf.keys()) }
}

/**
 * The state after an approved expansion. An approval holds for the state that it was given for: one that is used twice,
 * or late, would break a limit, and is an error.
 */
export function spend(state: ExpansionState, approval: Approval): ExpansionState {
  const { target, cost, depth } = approval
  const fits = cost >= 0 && cost <= state.budgetLeft && depth <= state.maxDepth
  if (!fits || state.depthOf.has(target))
    throw new Error(`the approval to expand to ${target} no longer holds: judge again before spending`)
  return {
    budgetLeft: state.budgetLeft - cost,
    maxDepth: state.maxDepth,
    depthOf: new Map([...state.depthOf, [target, depth]]),
  }
}
