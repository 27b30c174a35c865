// Does the judge say what the rules say? A second, naive reading of them judges the same 10,000 requests (fault test T25).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Aim,
  aimAt,
  anyAim,
  anyGraph,
  anyRequest,
  anyRulebook,
  anySituation,
} from '../../../test/support/rulebooks.ts'
import { atScale } from '../../../test/support/scaled-runs.ts'
import type {
  ExpansionRequest,
  ExpansionState,
  ReachableArtifact,
  Rulebook,
  Situation,
} from '../../model/expansion.ts'
import { allowanceFrom, spend, startExpansion } from './expansion-state.ts'
import { judgeExpansion } from './judge-expansion.ts'

/**
 * The rules once more, without the judge's code: for every artifact and every line of the rulebook, count how many of
 * the checks it passes before it fails one. The farthest attempt is the answer.
 */
function interpret(request: ExpansionRequest, situation: Situation): string {
  const { rulebook, fromKind, reachable, allowance } = situation
  if (fromKind === null) return 'unknown_origin'
  let allowExpansion = false
  const lines: { via: string; direction: string; type: string; cost: number }[] = []
  for (const type of Object.getOwnPropertyNames(rulebook.chunk_rules)) {
    if (type !== fromKind) continue
    const chunk = rulebook.chunk_rules[type]!
    allowExpansion = chunk.allow_expansion
    for (const rule of chunk.expansions) {
      // A line without a type keeps rules that allow no type at all.
      lines.push({ via: rule.via, direction: rule.direction, type: '', cost: rule.cost })
      for (const target of rule.allowed_target_types)
        lines.push({ via: rule.via, direction: rule.direction, type: target, cost: rule.cost })
    }
  }
  if (!allowExpansion) return 'expansion_not_allowed'
  let viaIsThere = false
  for (const line of lines) if (line.via === request.via) viaIsThere = true
  if (!viaIsThere) return 'via_not_allowed'

  // How well the request names each artifact that a line of this via leads to: 3 by id, 2 by name, 1 by another case.
  const closeness = (artifact: ReachableArtifact): number => {
    if ((artifact.via ?? request.via) !== request.via) return 0
    if (!lines.some((line) => line.via === request.via && line.direction === artifact.direction)) return 0
    if (artifact.id === request.target) return 3
    let best = 0
    for (const name of artifact.names ?? []) {
      if (name === request.target) best = Math.max(best, 2)
      else if (name.toLowerCase().trim() === request.target.toLowerCase().trim()) best = Math.max(best, 1)
    }
    return best
  }
  const closest = Math.max(0, ...reachable.map(closeness))
  if (closest === 0) return 'target_not_in_metadata'

  const stages = ['target_type_not_allowed', 'budget_exceeded', 'depth_exceeded', 'already_visited']
  let farthest = 0
  const winners: { cost: number; id: string }[] = []
  for (const artifact of reachable) {
    if (closeness(artifact) !== closest) continue
    for (const line of lines) {
      if (line.via !== request.via || line.direction !== artifact.direction) continue
      let passed = 0
      if (line.type !== '' && line.type === artifact.kind) passed = 1
      if (passed === 1 && allowance.budgetLeft - line.cost >= 0) passed = 2
      if (passed === 2 && allowance.depthOfFrom < allowance.maxDepth) passed = 3
      if (passed === 3 && !new Set([request.from, ...allowance.visited]).has(artifact.id)) passed = 4
      farthest = Math.max(farthest, passed)
      if (passed === 4) winners.push({ cost: line.cost, id: artifact.id })
    }
  }
  if (farthest < 4) return stages[farthest]!
  let best = winners[0]!
  for (const winner of winners)
    if (winner.cost < best.cost || (winner.cost === best.cost && winner.id < best.id)) best = winner
  return `${best.id} for ${best.cost} at ${allowance.depthOfFrom + 1}`
}

function summarize(request: ExpansionRequest, situation: Situation): string {
  const verdict = judgeExpansion(request, situation)
  return verdict.allowed ? `${verdict.target} for ${verdict.cost} at ${verdict.depth}` : verdict.reason
}

const runs = { numRuns: 10_000 }

describe('the judge and the reference interpreter', () => {
  it('agree on 10,000 random requests, among which every outcome occurs', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(anyRequest, anyAim, anySituation, (raw, aim, situation) => {
        const request = aimAt(raw, situation.reachable, aim)
        const expected = interpret(request, situation)
        expect(summarize(request, situation)).toBe(expected)
        const outcome = expected.includes(' for ') ? 'allowed' : expected
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }),
      runs,
    )
    expect([...seen.keys()].sort()).toEqual([
      'allowed',
      'already_visited',
      'budget_exceeded',
      'depth_exceeded',
      'expansion_not_allowed',
      'target_not_in_metadata',
      'target_type_not_allowed',
      'unknown_origin',
      'via_not_allowed',
    ])
  })

  it('agree that everything offered after a denial would be allowed, at that cost', () => {
    let offered = 0
    fc.assert(
      fc.property(anyRequest, anySituation, (request, situation) => {
        const verdict = judgeExpansion(request, situation)
        if (verdict.allowed) return
        for (const { via, target, cost } of verdict.wouldBeAllowed) {
          offered++
          // What has no relation of its own was found along the one that was asked for first.
          const reachable = situation.reachable.map((artifact) => ({ via: request.via, ...artifact }))
          const next = { from: request.from, via, target }
          const expected = `${target} for ${cost} at ${situation.allowance.depthOfFrom + 1}`
          expect(interpret(next, { ...situation, reachable })).toBe(expected)
        }
      }),
      runs,
    )
    expect(offered).toBeGreaterThan(atScale(200))
  })
})

describe('sequences of requests', () => {
  const limits = fc.record({ budget: fc.nat(6), maxDepth: fc.nat(2) })
  const sequence = fc.array(fc.tuple(anyRequest, anyAim), { minLength: 1, maxLength: 25 })

  it('keep every limit: budget, depth, nothing twice; and agree with the interpreter at each step', () => {
    let approved = 0
    fc.assert(
      fc.property(anyGraph, anyRulebook, limits, sequence, (graph, rulebook, limit, requests) => {
        let state = startExpansion(['a.md#x', 'b.md'], limit)
        let spent = 0
        // Replays: the same requests three times over.
        for (const [raw, aim] of [...requests, ...requests, ...requests]) {
          const request = aimFrom(raw, aim, { graph, rulebook, state })
          const situation = situationOf(request, { graph, rulebook, state })
          expect(summarize(request, situation)).toBe(interpret(request, situation))
          const verdict = judgeExpansion(request, situation)
          if (!verdict.allowed) continue
          approved++
          expect(state.depthOf.has(verdict.target)).toBe(false)
          expect(verdict.depth).toBe(state.depthOf.get(request.from)! + 1)
          state = spend(state, verdict)
          spent += verdict.cost
          expect(state.budgetLeft).toBe(limit.budget - spent)
          expect(state.budgetLeft).toBeGreaterThanOrEqual(0)
          expect(state.depthOf.get(verdict.target)).toBeLessThanOrEqual(limit.maxDepth)
        }
      }),
      { numRuns: 1000 },
    )
    expect(approved).toBeGreaterThan(atScale(50))
  })

  it('end, also around cycles and for nothing: whoever takes every offer runs out of offers', () => {
    fc.assert(
      fc.property(anyGraph, anyRulebook, limits, (graph, rulebook, limit) => {
        let state = startExpansion(['a.md', 'b.md#x'], limit)
        let steps = 0
        for (let moved = true; moved; ) {
          moved = false
          for (const from of state.depthOf.keys()) {
            const context = { graph, rulebook, state }
            const probe = { from, via: 'links', target: 'no such thing' }
            const denial = judgeExpansion(probe, situationOf(probe, context))
            const offer = denial.allowed ? undefined : denial.wouldBeAllowed[0]
            if (offer === undefined) continue
            // The graph's artifacts have their relation here, or the one that was probed for.
            const verdict = judgeExpansion(
              { from, via: offer.via, target: offer.target },
              situationOf(probe, context),
            )
            if (!verdict.allowed) throw new Error(`the offer ${offer.target} was no offer: ${verdict.reason}`)
            state = spend(state, verdict)
            moved = true
            steps++
          }
        }
        expect(steps).toBeLessThanOrEqual(graph.size)
      }),
      { numRuns: 1000 },
    )
  })
})

interface Context {
  readonly graph: ReadonlyMap<
    string,
    { readonly kind: string; readonly reachable: readonly ReachableArtifact[] }
  >
  readonly rulebook: Rulebook
  readonly state: ExpansionState
}

/** Mostly from what is in the context, to what can be reached from there. */
function aimFrom(request: ExpansionRequest, aim: Aim | null, { graph, state }: Context): ExpansionRequest {
  if (aim === null) return request
  const from = [...state.depthOf.keys()][aim.at % state.depthOf.size]!
  return aimAt({ ...request, from }, graph.get(from)?.reachable ?? [], aim)
}

function situationOf(request: ExpansionRequest, { graph, rulebook, state }: Context): Situation {
  const allowance = allowanceFrom(state, request.from)
  const node = graph.get(request.from)
  if (allowance === null || node === undefined) {
    const { budgetLeft, maxDepth } = state
    const nowhere = { budgetLeft, maxDepth, depthOfFrom: 0, visited: new Set<string>() }
    return { rulebook, fromKind: null, reachable: [], allowance: nowhere }
  }
  const reachable = node.reachable.map((artifact) => ({ via: request.via, ...artifact }))
  return { rulebook, fromKind: node.kind, reachable, allowance }
}
