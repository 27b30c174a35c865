// What is a plan? What a planner is given, what it gives, and the budget that every proposal to the judge is paid from.
import type { FollowedFrom } from '../../model/digest.ts'
import type { Approval, ExpansionRequest, Rulebook, Situation } from '../../model/expansion.ts'
import type { TargetSection } from './choose-sections.ts'
import type { DocumentType } from './classify-document.ts'
import type { ExpansionLimits } from './expansion-state.ts'
import { judgeExpansion } from './judge-expansion.ts'

/** A resolved reference of a section that is in the digest. */
export interface FoundReference {
  /** Canonical id and kind of the section that refers. */
  readonly from: string
  readonly fromKind: string
  readonly fromPath: string
  readonly line: number
  /** `links` or `cites`. */
  readonly via: string
  readonly path: string
  readonly section: string | null
  readonly anchor: string | null
  /** Own text of the section that refers. */
  readonly fromText?: string
}

export interface PlanInput {
  /** References of the sections that expansion starts from, in the order of the digest. */
  readonly references: readonly FoundReference[]
  readonly sectionsOf: (path: string) => readonly TargetSection[]
  readonly canonicality: (path: string) => number
  readonly rulebookFor: (kind: string) => Rulebook
  /** Sections that are in the digest already. */
  readonly present: ReadonlySet<string>
  readonly depthOfFrom: (artifact: string) => number
  readonly relevance: (text: string) => number
  /** Relevance of the best chosen section: the scale for the threshold of plain links. */
  readonly bestRelevance: () => number
  /** Cheap pre-filter by the document's lexical score: false for documents with hardly any term of the question. */
  readonly speaksOfIt: (path: string) => boolean
}

export interface PlanOptions extends ExpansionLimits {
  /** Minimum relevance of the target of a plain link, as a share of the best section's; 0 expands every link. */
  readonly linkRelevance: number
}

export interface PlannedSection extends FollowedFrom {
  readonly path: string
  readonly id: string
  readonly paragraphs: number | null
  readonly referencedBy: readonly { readonly path: string; readonly line: number }[]
  /** Of a parent or sibling: the found sections that it belongs to. */
  readonly sameDocumentAs?: readonly { readonly path: string; readonly line: number }[]
}

export interface PlannedDocument {
  readonly path: string
  readonly type: DocumentType
  readonly score: number
  readonly sections: readonly PlannedSection[]
}

export interface DeniedProposal extends ExpansionRequest {
  readonly reason: string
}

export interface Plan {
  readonly documents: readonly PlannedDocument[]
  readonly denied: readonly DeniedProposal[]
  readonly budgetLeft: number
}

/** A found section with its first line in the digest, and its parent and siblings. */
export interface FoundFamily extends Pick<FoundReference, 'from' | 'fromKind' | 'path' | 'line'> {
  readonly parent: TargetSection | null
  /** The nearest first. */
  readonly siblings: readonly TargetSection[]
}

export interface Proposal extends ExpansionRequest {
  /** The kind of what refers. */
  readonly fromKind: string
  /** What the relation leads to from there; the target is among it. */
  readonly reachable: Situation['reachable']
}

type BudgetInput = Pick<PlanInput, 'rulebookFor' | 'depthOfFrom' | 'present'>

/** State of one plan: the budget left, what was approved, what was denied. */
export function openBudget(input: BudgetInput, { budget, maxDepth }: ExpansionLimits) {
  const denied: DeniedProposal[] = []
  const visited = new Set(input.present)
  let left = budget

  function deny({ from, via, target }: ExpansionRequest, reason: string): void {
    denied.push({ from, via, target, reason })
  }

  /** The approval, spent already; null when it was denied. */
  function propose({ from, fromKind, via, target, reachable }: Proposal): Approval | null {
    const rulebook = input.rulebookFor(fromKind)
    const depthOfFrom = input.depthOfFrom(from)
    const limits = { budgetLeft: left, maxDepth, visited }
    const situation = { rulebook, fromKind, reachable, allowance: { ...limits, depthOfFrom } }
    const verdict = judgeExpansion({ from, via, target }, situation)
    if (!verdict.allowed) {
      deny({ from, via, target }, verdict.reason)
      return null
    }
    left -= verdict.cost
    visited.add(target)
    return verdict
  }

  /** What is left, and what was denied. */
  const settle = () => ({ denied, budgetLeft: left })

  return { deny, propose, settle }
}
