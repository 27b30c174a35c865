// Which references of a section may be followed? Rulebooks as data, requests, verdicts of the judge, and their results.
import type { Artifact } from './artifact.ts'

/** Along the relation, against it, or to the parent and the parent's other children in one hop. */
export type ExpansionDirection = 'out' | 'in' | 'family'

/** One permission: from chunks of a type, along a relation, to chunks of the allowed types, at a cost. */
export interface ExpansionRule {
  /** Name of a relation in lower case: `links`, `cites`, `defines`. */
  readonly via: string
  readonly direction: ExpansionDirection
  readonly allowed_target_types: readonly string[]
  /** A whole number: 0 for structure of the same file (tier 0), 1 for a hop of meaning (tier 1). */
  readonly cost: number
}

export interface ChunkRule {
  readonly allow_expansion: boolean
  readonly expansions: readonly ExpansionRule[]
}

/** What may expand to what, for one language. No depth, no budget, no files in it. */
export interface Rulebook {
  readonly language: string
  /** By chunk type. A type that is not named here expands to nothing. */
  readonly chunk_rules: Readonly<Record<string, ChunkRule>>
}

/** A proposal: the digest planner, an LLM or an agent asks to bring one artifact along. */
export interface ExpansionRequest {
  /** Canonical id of the artifact that the proposal starts from. */
  readonly from: string
  readonly via: string
  /** Canonical id, or one of the names, of what should come. */
  readonly target: string
}

/** One artifact at the other end of a relation. */
export interface ReachableArtifact {
  /** Canonical id. */
  readonly id: string
  readonly kind: string
  readonly direction: ExpansionDirection
  /** The relation; by default, the one that the request names. */
  readonly via?: string
  /** What else a request may call it: a heading, an anchor, `ADR-013`, the name of a function. */
  readonly names?: readonly string[]
}

/** What the judge knows: nothing of tokens, nothing of files. */
export interface Situation {
  /** Of the language of the artifact that the proposal starts from. */
  readonly rulebook: Rulebook
  /** Kind of the artifact that the proposal starts from; null when it is not in the context. */
  readonly fromKind: string | null
  /** What relations lead to from there. A caller that wants no offers may give only what it asks for. */
  readonly reachable: readonly ReachableArtifact[]
  readonly allowance: Allowance
}

/** What a query may still spend. Hops and cost only, never tokens. */
export interface ExpansionLeft {
  /** Global per query; never below 0. */
  readonly budgetLeft: number
  readonly maxDepth: number
}

/** What may still be followed from one origin. */
export interface Allowance extends ExpansionLeft {
  /** Hops from its primary chunk to the artifact that the proposal starts from: 0 for a primary chunk. */
  readonly depthOfFrom: number
  /** Canonical ids of everything that is in the context, or was. */
  readonly visited: ReadonlySet<string>
}

/** What one query has followed so far: the state between two requests. */
export interface ExpansionState extends ExpansionLeft {
  /** Everything visited, by canonical id, with its hops from the primary chunk that it came from: 0 for a primary chunk. */
  readonly depthOf: ReadonlyMap<string, number>
}

/** In the order of the checks. */
export const denialReasons = [
  'unknown_origin',
  'expansion_not_allowed',
  'via_not_allowed',
  'target_not_in_metadata',
  'target_type_not_allowed',
  'budget_exceeded',
  'depth_exceeded',
  'already_visited',
] as const
export type DenialReason = (typeof denialReasons)[number]

/** A request that would be granted, with its price. */
export interface ExpansionOffer {
  readonly via: string
  /** Canonical id. */
  readonly target: string
  readonly cost: number
}

/** Leave to bring one artifact along: its `target` is a canonical id, also when the request used another name. */
export interface Approval extends ExpansionRequest {
  readonly allowed: true
  readonly direction: ExpansionDirection
  readonly cost: number
  /** Hops from the primary chunk to the target. */
  readonly depth: number
}

export interface Denial {
  readonly allowed: false
  readonly reason: DenialReason
  /** One plain sentence. */
  readonly message: string
  /** What could be asked instead from the same place, cheapest first, along the asked relation before others. */
  readonly wouldBeAllowed: readonly ExpansionOffer[]
}

export type Verdict = Approval | Denial

/** Exact lines of one document (no line end after the last), with their position. */
export interface PlacedText extends Pick<Artifact, 'id' | 'path' | 'name' | 'lines' | 'text'> {
  readonly kind: string
  /** The position of an extracted text in the original file: `p. 12`; absent for plain text. */
  readonly place?: string
  /** Of `text` alone. */
  readonly tokens: number
  /** True when there was more than fitted. */
  readonly truncated: boolean
}

/** A request that would be granted, with the place that it starts from. */
export interface PlacedOffer extends ExpansionOffer {
  /** Canonical id. */
  readonly from: string
  /** Heading or title of the target. */
  readonly name: string
}

/** What became of a request by an LLM or an agent. */
export type ExpansionOutcome =
  | {
      readonly allowed: true
      readonly approval: Approval
      readonly brought: PlacedText
      readonly left: ExpansionLeft
    }
  | (Denial & { readonly wouldBeAllowed: readonly PlacedOffer[]; readonly left: ExpansionLeft })

/** A request whose origin may be left open, or named by path, path#anchor or path:lines. */
export interface OpenRequest {
  readonly from?: string | undefined
  readonly via: string
  readonly target: string
}

/** Which offers to return; all by default. */
export interface OfferFilter {
  readonly via?: string | undefined
  /** By any of its names. */
  readonly target?: string | undefined
}

/** Something in the context, with its hops from what the search itself found. */
export interface PresentArtifact {
  /** Canonical id. */
  readonly id: string
  readonly depth: number
}

/** The expansions of one query: what is in its context, what may still come, and what it costs. */
export interface ExpansionSession {
  readonly left: ExpansionLeft
  /** Canonical ids of everything in the context. */
  readonly present: readonly string[]
  /** Takes what another search found into the context; the budget stays what it is. */
  admit(present: readonly PresentArtifact[]): void
  /** What would be granted now, from one origin or from all, cheapest first. */
  offers(from?: string, only?: OfferFilter): readonly PlacedOffer[]
  /**
   * Judges, and when it is allowed spends and reads. A denial changes nothing. `maxTokens` holds for the text with its
   * source, as `renderPlaced` writes it.
   */
  expand(request: OpenRequest, limits: { readonly maxTokens: number }): ExpansionOutcome
}
