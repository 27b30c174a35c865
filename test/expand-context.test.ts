import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { presentIn } from '../src/answer/answering/expand-context.ts'
import type { ExpansionOutcome, ExpansionSession, OpenRequest } from '../src/model/expansion.ts'
import { indexFixture } from './indexed-fixture.ts'

const execution = 'docs/testing/KUBERNETES_TEST_EXECUTION.md'
const retrySemantics = `${execution}#kubernetes-test-execution.retry-semantics`
const cleaning = `${execution}#kubernetes-test-execution.cleaning-up-after-a-run`
const retries = 'docs/adr/ADR-013-retries.md'
const room = { maxTokens: 2000 }

const { root, engine } = await indexFixture('crossref')

const start = (ids: readonly string[], limits = {}): Promise<ExpansionSession> =>
  engine.startExpansion(
    ids.map((id) => ({ id, depth: 0 })),
    limits,
  )

const linesOf = (file: string, { start, end }: { start: number; end: number }): string =>
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .slice(start - 1, end)
    .join('\n')

function denial(outcome: ExpansionOutcome): string {
  return outcome.allowed ? 'allowed' : outcome.reason
}

describe('an expansion that is allowed', () => {
  it('brings the exact lines of its target, costs what the rulebook says, and is remembered', async () => {
    const session = await start([retrySemantics])
    const outcome = session.expand({ from: retrySemantics, via: 'cites', target: 'ADR-013' }, room)
    expect(outcome).toMatchObject({
      allowed: true,
      approval: { from: retrySemantics, target: retries, via: 'cites', cost: 1, depth: 1 },
      brought: { id: retries, path: retries, name: 'ADR-013: Retries', truncated: false },
      left: { budgetLeft: 3, maxDepth: 1 },
    })
    if (outcome.allowed) expect(outcome.brought.text).toBe(linesOf(retries, outcome.brought.lines))
    expect(session.present).toContain(`${retries}#adr-013-retries.decision`)
    const again = session.expand({ from: retrySemantics, via: 'cites', target: retries }, room)
    expect(denial(again)).toBe('already_visited')
    expect(session.left.budgetLeft).toBe(3)
  })

  it('may start from a path, an anchor, some lines, or anywhere in the context', async () => {
    for (const from of [execution, `${execution}#retry-semantics`, `${execution}:6-7`, undefined]) {
      const session = await start([cleaning, retrySemantics])
      const outcome = session.expand({ from, via: 'cites', target: 'ADR-013' }, room)
      expect(outcome).toMatchObject({ allowed: true, approval: { from: retrySemantics } })
    }
  })

  it('brings the section above with its own lines only: what is below it is asked for apart', async () => {
    const session = await start([retrySemantics])
    const above = `${execution}#kubernetes-test-execution`
    const outcome = session.expand({ via: 'defines', target: above }, room)
    expect(outcome).toMatchObject({ allowed: true, brought: { id: above, lines: { start: 1, end: 3 } } })
    expect(session.present).toEqual([retrySemantics, above])
  })

  it('brings no more tokens than there is room for, whole lines of it, and says that it is cut', async () => {
    const session = await start([retrySemantics])
    const outcome = session.expand({ via: 'cites', target: 'ADR-013' }, { maxTokens: 60 })
    expect(outcome).toMatchObject({ allowed: true, brought: { truncated: true } })
    if (!outcome.allowed) return
    expect(outcome.brought.tokens).toBeLessThanOrEqual(60)
    expect(outcome.brought.text).toBe(linesOf(retries, outcome.brought.lines).trimEnd())
    // What did not come may still be asked for.
    expect(session.present).not.toContain(`${retries}#adr-013-retries.appendix`)
  })
})

describe('a denial', () => {
  it('says why, what could be asked instead, and changes nothing', async () => {
    const session = await start([retrySemantics])
    const before = session.left
    const outcome = session.expand({ from: retrySemantics, via: 'imports', target: 'x' }, room)
    expect(outcome).toMatchObject({ allowed: false, reason: 'via_not_allowed' })
    if (outcome.allowed) return
    expect(outcome.wouldBeAllowed.slice(0, 2)).toEqual([
      { from: retrySemantics, via: 'cites', target: retries, cost: 1, name: 'ADR-013: Retries' },
      {
        from: retrySemantics,
        via: 'cites',
        target: 'docs/adr/ADR-014-timeouts.md',
        cost: 1,
        name: 'ADR-014: Timeouts',
      },
    ])
    expect(session.left).toEqual(before)
  })

  it('has a reason for each rule that a request breaks', async () => {
    const session = await start([retrySemantics, cleaning], { budget: 1 })
    const ask = (request: OpenRequest): string => denial(session.expand(request, room))
    expect(ask({ from: 'docs/nothing.md', via: 'links', target: retries })).toBe('unknown_origin')
    expect(ask({ from: retries, via: 'links', target: retries })).toBe('unknown_origin')
    expect(ask({ from: retrySemantics, via: 'links', target: 'ADR-099' })).toBe('target_not_in_metadata')
    expect(ask({ from: retrySemantics, via: 'cites', target: 'ADR-013' })).toBe('allowed')
    expect(ask({ from: retrySemantics, via: 'cites', target: 'adr 14' })).toBe('budget_exceeded')
    const deep = await start(['docs/reference/chain.md#chain.first-hop'])
    expect(denial(deep.expand({ via: 'cites', target: 'ADR-041' }, room))).toBe('allowed')
    expect(denial(deep.expand({ via: 'cites', target: 'ADR-042' }, room))).toBe('depth_exceeded')
  })

  it('from an unknown origin offers what the context as a whole could bring', async () => {
    const session = await start([retrySemantics])
    const outcome = session.expand({ from: 'nowhere', via: 'cites', target: 'ADR-013' }, room)
    expect(outcome).toMatchObject({ allowed: false, reason: 'unknown_origin' })
    if (!outcome.allowed)
      expect(outcome.wouldBeAllowed[0]).toMatchObject({ from: retrySemantics, via: 'cites' })
  })
})

it('starts from what a digest holds, and what came along there is one hop deep', async () => {
  const { digest } = await engine.assemble('retry semantics of a failed job', { sections: 3 })
  const present = presentIn(digest)
  expect(present).toContainEqual({ id: retrySemantics, depth: 0 })
  const came = present.filter(({ depth }) => depth === 1).map(({ id }) => id)
  expect(came.length).toBeGreaterThan(0)
  const session = await engine.startExpansion(present)
  expect(session.left).toEqual({ budgetLeft: 4, maxDepth: 1 })
  for (const offer of session.offers()) expect(came).not.toContain(offer.target)
})

it('never spends below nothing, brings nothing twice, and grants what it offers, whatever is asked', async () => {
  const names = ['ADR-013', 'adr 14', 'ADR-041', retries, 'cleanup runbook', '', 'constructor', '__proto__']
  const request = fc.record({
    from: fc.constantFrom(retrySemantics, cleaning, execution, retries, undefined, 'x'),
    via: fc.constantFrom('cites', 'links', 'defines', 'constructor', ''),
    target: fc.oneof(fc.constantFrom(...names), fc.string()),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(request, fc.nat(9)), { maxLength: 15 }),
      fc.nat(3),
      fc.nat(2),
      async (steps, budget, maxDepth) => {
        const session = await start([retrySemantics, cleaning], { budget, maxDepth })
        const seen = new Set(session.present)
        for (const step of steps) {
          const offer = typeof step === 'number' ? session.offers()[step] : undefined
          if (typeof step === 'number' && offer === undefined) continue
          const outcome = session.expand(offer ?? (step as OpenRequest), room)
          if (offer !== undefined) expect(outcome.allowed).toBe(true)
          if (outcome.allowed) {
            expect(seen.has(outcome.brought.id)).toBe(false)
            seen.add(outcome.brought.id)
          }
          expect(outcome.left.budgetLeft).toBeGreaterThanOrEqual(0)
        }
        expect(session.left.budgetLeft).toBeLessThanOrEqual(budget)
      },
    ),
    { numRuns: 60 },
  )
})

describe('reading', () => {
  it('gives a document, a section or some lines exactly, and where to read on', async () => {
    const whole = await engine.read('ADR-013')
    expect(whole).toMatchObject({ passage: { path: retries, truncated: false }, next: null })
    expect(whole.passage.text).toBe(linesOf(retries, whole.passage.lines))
    const section = await engine.read(`${retries}#decision`)
    expect(section.passage).toMatchObject({ name: 'Decision', lines: { start: 11, end: 17 } })
    const lines = await engine.read(`${retries}:8-9`)
    expect(lines.passage.text).toBe(linesOf(retries, { start: 8, end: 9 }))
    const cut = await engine.read(retries, { maxTokens: 80 })
    expect(cut.passage.tokens).toBeLessThanOrEqual(80)
    expect(cut.next).toBe(`${retries}:${cut.passage.lines.end + 1}-25`)
  })

  it('refuses what is not in the index, and lines that a document has not', async () => {
    await expect(engine.read('../../etc/passwd')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(engine.read(`${retries}:900`)).rejects.toThrow('has no line 900')
  })
})
