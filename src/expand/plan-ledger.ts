// Which proposals of a planner may come along? Each goes to the one judge; what it allows is spent at once.
import type { Approval, Situation } from '../model/expansion.ts'
import { classifyDocument, type DocumentType } from './classify-document.ts'
import { judgeExpansion } from './judge-expansion.ts'
import type { Denied, PlanInput, PlannedDocument, PlannedSection } from './plan-expansions.ts'

export interface Proposal {
  /** Canonical id and kind of what refers. */
  readonly from: string
  readonly fromKind: string
  readonly via: string
  readonly target: string
  /** What the relation leads to from there; the target is among it. */
  readonly reachable: Situation['reachable']
}

/** What one plan has left, has brought along and was refused. */
export class PlanLedger {
  readonly denied: Denied[] = []
  budgetLeft: number
  readonly #visited: Set<string>
  readonly #maxDepth: number
  readonly #input: Pick<PlanInput, 'rulebookFor' | 'depthOfFrom'>

  constructor(
    input: Pick<PlanInput, 'rulebookFor' | 'depthOfFrom'>,
    given: {
      readonly visited: Iterable<string>
      readonly budgetLeft: number
      readonly maxDepth: number
    },
  ) {
    this.#input = input
    this.#visited = new Set(given.visited)
    this.budgetLeft = given.budgetLeft
    this.#maxDepth = given.maxDepth
  }

  deny({ from, target }: Pick<Proposal, 'from' | 'target'>, reason: string): void {
    this.denied.push({ from, target, reason })
  }

  /** The approval, spent already; null when it was denied. */
  propose({ from, fromKind, via, target, reachable }: Proposal): Approval | null {
    const verdict = judgeExpansion(
      { from, via, target },
      {
        rulebook: this.#input.rulebookFor(fromKind),
        fromKind,
        reachable,
        allowance: {
          budgetLeft: this.budgetLeft,
          maxDepth: this.#maxDepth,
          depthOfFrom: this.#input.depthOfFrom(from),
          visited: this.#visited,
        },
      },
    )
    if (!verdict.allowed) {
      this.deny({ from, target }, verdict.reason)
      return null
    }
    this.budgetLeft -= verdict.cost
    this.#visited.add(target)
    return verdict
  }
}

/** Planned sections under their documents, in the order of each document's first. */
export function groupByDocument(
  planned: readonly PlannedSection[],
  canonicality: (path: string) => number,
  typeOf: (path: string) => DocumentType = classifyDocument,
): PlannedDocument[] {
  return [...Map.groupBy(planned, ({ path }) => path)].map(([path, sections]) => ({
    path,
    type: typeOf(path),
    score: 0.5 * canonicality(path),
    sections,
  }))
}
