// What may come along with a section? Rulebooks as data, requests, and the verdicts of the one judge.
import type { ArtifactKind } from './artifact.ts'

export type ExpansionVia = string

/** One permission: from chunks of a type, along a relation, to chunks of the allowed types, at a cost. */
export interface ExpansionRule {
  readonly via: ExpansionVia
  /** Along the relation, against it, or to the parent and its other children in one hop. */
  readonly direction: 'out' | 'in' | 'family'
  readonly allowed_target_types: readonly string[]
  readonly cost: number
}

export interface ChunkRule {
  readonly allow_expansion: boolean
  readonly expansions: readonly ExpansionRule[]
}

/** What may expand to what, for one language. No depth, no budget, no files in it. */
export interface Rulebook {
  readonly language: string
  readonly chunk_rules: Readonly<Record<string, ChunkRule>>
}

/** A proposal: the digest planner, an LLM or an agent asks to bring one artifact along. */
export interface ExpansionRequest {
  /** Canonical id of the artifact that the proposal starts from. */
  readonly from: string
  readonly via: ExpansionVia
  /** Canonical id (or, from an LLM, an identifier) of what should come. */
  readonly target: string
}

/** What the judge knows: nothing of tokens, nothing of files. */
export interface Situation {
  readonly rulebook: Rulebook
  /** Kind of the artifact that the proposal starts from; null when it is not in the context. */
  readonly fromKind: ArtifactKind | null
  /** What the relation leads to from there: canonical ids with kinds. */
  readonly reachable: readonly { readonly id: string; readonly kind: string; readonly direction: 'out' | 'in' | 'family' }[]
  readonly allowance: Allowance
}

/** Hops and cost only, never tokens. */
export interface Allowance {
  readonly budgetLeft: number
  readonly maxDepth: number
  /** Hops from its primary chunk to the artifact that the proposal starts from: 0 for a primary chunk. */
  readonly depthOfFrom: number
  readonly visited: ReadonlySet<string>
}

export type DenialReason =
  | 'unknown_origin'
  | 'expansion_not_allowed'
  | 'via_not_allowed'
  | 'target_not_in_metadata'
  | 'target_type_not_allowed'
  | 'budget_exceeded'
  | 'depth_exceeded'
  | 'already_visited'

export type Verdict =
  | { readonly allowed: true; readonly cost: number; readonly depth: number }
  | { readonly allowed: false; readonly reason: DenialReason; readonly message: string; readonly wouldBeAllowed: readonly string[] }
