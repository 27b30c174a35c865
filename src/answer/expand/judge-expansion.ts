// May this artifact be added to the context? Judges a request by the rulebook, and gives a verdict with its reason.

import type {
  ChunkRule,
  Denial,
  DenialReason,
  ExpansionOffer,
  ExpansionRequest,
  ExpansionRule,
  ReachableArtifact,
  Situation,
  Verdict,
} from '../../model/expansion.ts'
import { denialReasons } from '../../model/expansion.ts'
import { compareText } from '../../model/paths.ts'

/** A denial offers at most this many other requests. */
const maxOffers = 10

/** A rule and an artifact that it leads to. */
interface RuledTarget {
  readonly rule: ExpansionRule
  readonly artifact: ReachableArtifact
}

/**
 * Decides about one request. The checks run in this fixed order, and the first that nothing passes gives the reason:
 *
 * 1. `unknown_origin`: the origin is in the context.
 * 2. `expansion_not_allowed`: its chunk type has a rule with `allow_expansion`.
 * 3. `via_not_allowed`: one of its expansions has this `via`.
 * 4. `target_not_in_metadata`: the relation leads, in a direction of such an expansion, to something of that name.
 * 5. `target_type_not_allowed`: such an expansion allows the target's type.
 * 6. `budget_exceeded`: the cost is not above what is left of the query's budget.
 * 7. `depth_exceeded`: the target is not deeper below its primary chunk than allowed.
 * 8. `already_visited`: the target has not been in the context yet.
 *
 * A name may fit several artifacts: each check keeps those that pass, and of what is left the cheapest comes, then the
 * first by id.
 */
export function judgeExpansion(request: ExpansionRequest, situation: Situation): Verdict {
  const outcome = examine(request, situation)
  if ('reason' in outcome)
    return { allowed: false, ...outcome, wouldBeAllowed: listOffers(request, situation) }
  const { via, direction, cost } = outcome.rule
  const depth = situation.allowance.depthOfFrom + 1
  return { allowed: true, from: request.from, via, direction, target: outcome.artifact.id, cost, depth }
}

/** Of several denials the one that passed most checks, the first of equals: it is nearest to what was meant. */
export function mostSpecific<One extends { readonly reason: DenialReason }>(
  denials: readonly [One, ...One[]],
): One {
  const passed = ({ reason }: One): number => denialReasons.indexOf(reason)
  return denials.reduce((best, one) => (passed(one) > passed(best) ? one : best))
}

type Refusal = Pick<Denial, 'reason' | 'message'>

/** The checks, in their order. */
function examine(request: ExpansionRequest, situation: Situation): RuledTarget | Refusal {
  const { fromKind, allowance } = situation
  const { via, from, target } = request
  const refuse = (reason: DenialReason, message: string): Refusal => ({ reason, message })

  if (fromKind === null) return refuse('unknown_origin', `${show(from)} is not in the context.`)

  const chunk = ruleFor(situation)
  if (chunk === null) return refuse('expansion_not_allowed', `Nothing may be expanded from a ${fromKind}.`)

  const rules = chunk.expansions.filter((rule) => rule.via === via)
  if (rules.length === 0) return refuse('via_not_allowed', describeVias(via, fromKind, chunk))

  const named = findNamed(reachableBy(rules, request, situation), target)
  if (named.length === 0)
    return refuse(
      'target_not_in_metadata',
      `${show(from)} has nothing called ${show(target)} among its ${via}.`,
    )

  const typed = pair(rules, named)
  if (typed.length === 0)
    return refuse(
      'target_type_not_allowed',
      `A ${fromKind} may not expand to a ${named[0]!.kind} via ${via}.`,
    )

  const affordable = typed.filter(({ rule }) => rule.cost <= allowance.budgetLeft)
  if (affordable.length === 0) {
    const cost = Math.min(...typed.map(({ rule }) => rule.cost))
    return refuse('budget_exceeded', `This costs ${cost}, and ${allowance.budgetLeft} of the budget is left.`)
  }
  if (!isShallow(situation)) return refuse('depth_exceeded', describeDepth(situation))

  const fresh = affordable.filter((candidate) => isFresh(candidate, request, situation))
  if (fresh.length === 0) return refuse('already_visited', `${show(target)} is in the context already.`)
  return fresh.toSorted(byCost)[0]!
}

/** The rule of the origin's chunk type, when that may expand at all. */
function ruleFor({ rulebook, fromKind }: Situation): ChunkRule | null {
  // Own keys only: every object has a `constructor`, which is not a chunk type.
  if (fromKind === null || !Object.hasOwn(rulebook.chunk_rules, fromKind)) return null
  const rule = rulebook.chunk_rules[fromKind]!
  return rule.allow_expansion ? rule : null
}

/** What the rules lead to, whatever its type; each artifact with its relation filled in. */
function reachableBy(rules: readonly ExpansionRule[], request: ExpansionRequest, { reachable }: Situation) {
  return reachable
    .map((artifact) => (artifact.via === undefined ? { ...artifact, via: request.via } : artifact))
    .filter((artifact) => rules.some((rule) => leadsTo(rule, artifact)))
}

const leadsTo = (rule: ExpansionRule, artifact: ReachableArtifact): boolean =>
  rule.via === artifact.via && rule.direction === artifact.direction

/** By canonical id; else by a name as written; else by a name in any case. */
function findNamed(artifacts: readonly ReachableArtifact[], target: string): readonly ReachableArtifact[] {
  const byId = artifacts.filter(({ id }) => id === target)
  if (byId.length > 0) return byId
  const byName = artifacts.filter(({ names }) => names?.includes(target))
  if (byName.length > 0) return byName
  const wanted = fold(target)
  return artifacts.filter(({ names }) => names?.some((name) => fold(name) === wanted))
}

const fold = (name: string): string => name.trim().toLowerCase()

/** Every artifact with every rule that leads to it and allows its type. */
function pair(rules: readonly ExpansionRule[], artifacts: readonly ReachableArtifact[]) {
  return artifacts.flatMap((artifact) =>
    rules
      .filter((rule) => leadsTo(rule, artifact) && rule.allowed_target_types.includes(artifact.kind))
      .map((rule) => ({ rule, artifact })),
  )
}

/** Denies a depth of NaN. */
const isShallow = ({ allowance }: Situation): boolean => allowance.depthOfFrom + 1 <= allowance.maxDepth

/** The origin is in the context, whether or not it was noted as visited. */
const isFresh = ({ artifact }: RuledTarget, { from }: ExpansionRequest, { allowance }: Situation): boolean =>
  artifact.id !== from && !allowance.visited.has(artifact.id)

/** What the same origin could ask for now. */
function listOffers(request: ExpansionRequest, situation: Situation): readonly ExpansionOffer[] {
  const chunk = ruleFor(situation)
  if (chunk === null || !isShallow(situation)) return []
  const rules = chunk.expansions.filter(({ cost }) => cost <= situation.allowance.budgetLeft)
  const fresh = pair(rules, reachableBy(rules, request, situation)).filter((candidate) =>
    isFresh(candidate, request, situation),
  )
  const elsewhere = ({ rule }: RuledTarget): number => (rule.via === request.via ? 0 : 1)
  const offers = new Map<string, ExpansionOffer>()
  for (const { rule, artifact } of fresh.toSorted((a, b) => elsewhere(a) - elsewhere(b) || byCost(a, b))) {
    if (offers.size === maxOffers) break
    const key = JSON.stringify([rule.via, artifact.id])
    if (!offers.has(key)) offers.set(key, { via: rule.via, target: artifact.id, cost: rule.cost })
  }
  return [...offers.values()]
}

const byCost = (a: RuledTarget, b: RuledTarget): number =>
  a.rule.cost - b.rule.cost ||
  compareText(a.artifact.id, b.artifact.id) ||
  compareText(a.rule.via, b.rule.via) ||
  compareText(a.rule.direction, b.rule.direction)

function describeVias(asked: string, fromKind: string, chunk: ChunkRule): string {
  const vias = [...new Set(chunk.expansions.map(({ via }) => via))]
  const allowed = vias.length === 0 ? 'nothing is allowed' : `allowed: ${vias.join(', ')}`
  return `A ${fromKind} may not expand via ${show(asked)}; ${allowed}.`
}

function describeDepth({ allowance }: Situation): string {
  return `This would be hop ${allowance.depthOfFrom + 1} from a primary chunk, and the limit is ${allowance.maxDepth}.`
}

/** Quoted and short: a request may hold anything. */
const show = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text)
