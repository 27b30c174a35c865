// Does the judge give each reason where it should, in its order, with what could be asked instead?
import { describe, expect, it } from 'vitest'
import { readShippedRulebook } from '../../model/config/read-rulebooks.ts'
import type {
  Allowance,
  DenialReason,
  ExpansionRule,
  ReachableArtifact,
  Rulebook,
  Situation,
  Verdict,
} from '../../model/expansion.ts'
import { judgeExpansion, mostSpecific } from './judge-expansion.ts'

const out = (via: string, id: string, change: Partial<ReachableArtifact> = {}): ReachableArtifact => ({
  id,
  kind: 'markdown_section',
  via,
  direction: 'out',
  ...change,
})

const allowance: Allowance = {
  budgetLeft: 4,
  maxDepth: 1,
  depthOfFrom: 0,
  visited: new Set(['guide.md#deploy']),
}

const deploy: Situation = {
  rulebook: readShippedRulebook('markdown'),
  fromKind: 'markdown_section',
  reachable: [
    out('cites', 'adr/013.md', { kind: 'markdown_module', names: ['ADR-013', 'Retries'] }),
    out('links', 'ops.md#rollback', { names: ['rollback', 'Rolling back'] }),
    out('links', 'run.sh', { kind: 'shell_script' }),
    out('links', 'index.md#all', { direction: 'in' }),
    out('defines', 'guide.md', { direction: 'family', kind: 'markdown_module' }),
    out('defines', 'guide.md#undo', { direction: 'family' }),
  ],
  allowance,
}

const ask = (via: string, target: string, change: Partial<Situation> = {}): Verdict =>
  judgeExpansion({ from: 'guide.md#deploy', via, target }, { ...deploy, ...change })
const within = (change: Partial<Allowance>): Partial<Situation> => ({
  allowance: { ...allowance, ...change },
})

describe('an approval', () => {
  it('says what comes, along what, at which cost and depth', () => {
    expect(ask('cites', 'adr/013.md')).toEqual({
      allowed: true,
      from: 'guide.md#deploy',
      via: 'cites',
      direction: 'out',
      target: 'adr/013.md',
      cost: 1,
      depth: 1,
    })
  })

  it.each(['ADR-013', 'adr-013', ' Retries '])('takes the name %j for the canonical id', (name) => {
    expect(ask('cites', name)).toMatchObject({ allowed: true, target: 'adr/013.md' })
  })

  it('brings the parent and a sibling in one hop', () => {
    expect(ask('defines', 'guide.md')).toMatchObject({ allowed: true, direction: 'family', depth: 1 })
    expect(ask('defines', 'guide.md#undo')).toMatchObject({ allowed: true, direction: 'family', depth: 1 })
  })

  it('takes an artifact without a relation for one along the asked relation', () => {
    const reachable: ReachableArtifact[] = [{ id: 'x.md', kind: 'markdown_module', direction: 'out' }]
    expect(ask('links', 'x.md', { reachable })).toMatchObject({ allowed: true, via: 'links' })
    expect(ask('uses', 'x.md', { reachable })).toMatchObject({ reason: 'via_not_allowed' })
  })

  it('prefers an id to a name, a name as written to one in another case, then the first by id', () => {
    const reachable = [
      out('links', 'b.md', { names: ['Go'] }),
      out('links', 'a.md', { names: ['go'] }),
      out('links', 'Go'),
    ]
    expect(ask('links', 'Go', { reachable })).toMatchObject({ target: 'Go' })
    expect(ask('links', 'Go', { reachable: reachable.slice(0, 2) })).toMatchObject({ target: 'b.md' })
    expect(ask('links', 'GO', { reachable })).toMatchObject({ target: 'a.md' })
  })

  it('passes over namesakes that may not come', () => {
    const reachable = [
      out('links', 'a.md', { names: ['Overview'] }),
      out('links', 'b.sh', { names: ['Overview'], kind: 'shell_script' }),
      out('links', 'c.md', { names: ['Overview'] }),
    ]
    const visited = new Set(['a.md'])
    expect(ask('links', 'Overview', { reachable, ...within({ visited }) })).toMatchObject({ target: 'c.md' })
  })
})

describe('a denial', () => {
  it.each<[DenialReason, () => Verdict, string]>([
    [
      'unknown_origin',
      () => ask('links', 'ops.md#rollback', { fromKind: null }),
      '"guide.md#deploy" is not in the context.',
    ],
    [
      'expansion_not_allowed',
      () => ask('links', 'ops.md#rollback', { fromKind: 'blind' }),
      'Nothing may be expanded from a blind.',
    ],
    [
      'via_not_allowed',
      () => ask('uses', 'ops.md#rollback'),
      'A markdown_section may not expand via "uses"; allowed: links, cites, defines, documents.',
    ],
    [
      'target_not_in_metadata',
      () => ask('links', 'adr/013.md'),
      '"guide.md#deploy" has nothing called "adr/013.md" among its links.',
    ],
    [
      'target_not_in_metadata',
      () => ask('links', 'index.md#all'),
      '"guide.md#deploy" has nothing called "index.md#all" among its links.',
    ],
    [
      'target_type_not_allowed',
      () => ask('links', 'run.sh'),
      'A markdown_section may not expand to a shell_script via links.',
    ],
    [
      'budget_exceeded',
      () => ask('cites', 'ADR-013', within({ budgetLeft: 0 })),
      'This costs 1, and 0 of the budget is left.',
    ],
    [
      'depth_exceeded',
      () => ask('cites', 'ADR-013', within({ depthOfFrom: 1 })),
      'This would be hop 2 from a primary chunk, and the limit is 1.',
    ],
    [
      'depth_exceeded',
      () => ask('cites', 'ADR-013', within({ maxDepth: 0 })),
      'This would be hop 1 from a primary chunk, and the limit is 0.',
    ],
    [
      'already_visited',
      () => ask('cites', 'ADR-013', within({ visited: new Set(['adr/013.md']) })),
      '"ADR-013" is in the context already.',
    ],
  ])('%s', (reason, judge, message) => {
    expect(judge()).toMatchObject({ allowed: false, reason, message })
  })

  it('never lets an artifact expand to itself', () => {
    const reachable = [out('links', 'guide.md#deploy')]
    expect(ask('links', 'guide.md#deploy', { reachable, ...within({ visited: new Set() }) })).toMatchObject({
      reason: 'already_visited',
    })
  })

  it('gives the first reason in the order of the checks', () => {
    const broken: Partial<Situation> = within({
      budgetLeft: 0,
      depthOfFrom: 9,
      visited: new Set(['run.sh', 'adr/013.md']),
    })
    expect(ask('uses', 'nothing', { ...broken, fromKind: null })).toMatchObject({ reason: 'unknown_origin' })
    expect(ask('uses', 'nothing', { ...broken, fromKind: 'blind' })).toMatchObject({
      reason: 'expansion_not_allowed',
    })
    expect(ask('uses', 'nothing', broken)).toMatchObject({ reason: 'via_not_allowed' })
    expect(ask('links', 'nothing', broken)).toMatchObject({ reason: 'target_not_in_metadata' })
    expect(ask('links', 'run.sh', broken)).toMatchObject({ reason: 'target_type_not_allowed' })
    expect(ask('cites', 'ADR-013', broken)).toMatchObject({ reason: 'budget_exceeded' })
    const rich = within({ depthOfFrom: 9, visited: new Set(['adr/013.md']) })
    expect(ask('cites', 'ADR-013', rich)).toMatchObject({ reason: 'depth_exceeded' })
  })

  it('says what could be asked instead, along the asked relation first', () => {
    expect(ask('links', 'nothing')).toMatchObject({
      wouldBeAllowed: [
        { via: 'links', target: 'ops.md#rollback', cost: 1 },
        { via: 'cites', target: 'adr/013.md', cost: 1 },
        { via: 'defines', target: 'guide.md', cost: 1 },
        { via: 'defines', target: 'guide.md#undo', cost: 1 },
      ],
    })
    expect(ask('links', 'nothing', within({ depthOfFrom: 1 }))).toMatchObject({ wouldBeAllowed: [] })
  })

  it('offers nothing that is in the context already, nor the origin itself', () => {
    const reachable = ['guide.md#deploy', 'seen.md', 'new.md'].map((id) => out('links', id))
    const verdict = ask('links', 'nothing', { reachable, ...within({ visited: new Set(['seen.md']) }) })
    expect(verdict).toMatchObject({ wouldBeAllowed: [{ target: 'new.md' }] })
  })

  describe('where several rules lead to the same', () => {
    const rule = (via: string, cost: number, direction: 'in' | 'out' = 'out'): ExpansionRule => ({
      via,
      direction,
      allowed_target_types: ['markdown_section'],
      cost,
    })
    const under = (expansions: ExpansionRule[], budgetLeft = 4): Partial<Situation> => ({
      rulebook: {
        language: 'markdown',
        chunk_rules: { markdown_section: { allow_expansion: true, expansions } },
      },
      reachable: expansions.map(({ via, direction }) => out(via, 'a.md', { direction })),
      ...within({ budgetLeft }),
    })
    const twoCosts = [rule('links', 2), rule('links', 3, 'in')]

    it('says what the cheapest costs when the budget is spent', () => {
      for (const rules of [twoCosts, twoCosts.toReversed()])
        expect(ask('links', 'a.md', under(rules, 1))).toMatchObject({
          message: 'This costs 2, and 1 of the budget is left.',
        })
    })

    it('offers it once by each relation, at the lowest cost', () => {
      for (const rules of [twoCosts, twoCosts.toReversed()])
        expect(ask('links', 'nothing', under(rules))).toMatchObject({
          wouldBeAllowed: [{ via: 'links', target: 'a.md', cost: 2 }],
        })
    })

    it('offers it in the same order whatever the order of the rules', () => {
      const rules = ['cites', 'documents', 'links'].map((via) => rule(via, 1))
      for (const one of [rules, rules.toReversed()])
        expect(ask('uses', 'a.md', under(one))).toMatchObject({
          wouldBeAllowed: [{ via: 'cites' }, { via: 'documents' }, { via: 'links' }],
        })
    })

    it('says so where a chunk type has no rule at all', () => {
      expect(ask('links', 'a.md', under([]))).toMatchObject({
        message: 'A markdown_section may not expand via "links"; nothing is allowed.',
      })
    })
  })

  it('offers no more than ten of a thousand', () => {
    const reachable = Array.from({ length: 1000 }, (_, at) => out('links', `${at}.md`))
    expect(ask('links', 'nothing', { reachable })).toMatchObject({ wouldBeAllowed: { length: 10 } })
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'is the answer to %j anywhere',
    (name) => {
      expect(ask(name, 'ADR-013')).toMatchObject({ reason: 'via_not_allowed' })
      expect(ask('links', name)).toMatchObject({ reason: 'target_not_in_metadata' })
      expect(ask('links', 'ops.md#rollback', { fromKind: name })).toMatchObject({
        reason: 'expansion_not_allowed',
      })
    },
  )

  it('does not find a rule that the rulebook only inherits', () => {
    const { rulebook } = deploy
    const inherited = {
      ...rulebook,
      chunk_rules: Object.create(rulebook.chunk_rules) as typeof rulebook.chunk_rules,
    }
    expect(ask('cites', 'ADR-013', { rulebook: inherited })).toMatchObject({
      reason: 'expansion_not_allowed',
    })
  })

  it('quotes and shortens what was asked', () => {
    const verdict = ask('links', `${'word '.repeat(1000)}\u001b[31m`)
    expect(verdict.allowed ? '' : verdict.message).toHaveLength(136)
    const asked = 'w'.repeat(80)
    expect(ask('links', asked)).toMatchObject({ message: expect.stringContaining(`"${asked}"`) })
  })
})

describe('tiers', () => {
  const rulebook: Rulebook = {
    language: 'python',
    chunk_rules: {
      python_class_function: {
        allow_expansion: true,
        expansions: [
          { via: 'class_header', direction: 'in', allowed_target_types: ['python_class'], cost: 0 },
          { via: 'class_name', direction: 'in', allowed_target_types: ['python_class'], cost: 1 },
        ],
      },
      python_import: { allow_expansion: false, expansions: [] },
    },
  }
  const change = (budgetLeft: number): Partial<Situation> => ({
    rulebook,
    fromKind: 'python_class_function',
    reachable: ['class_header', 'class_name'].map((via) =>
      out(via, 'a.py#Server', { direction: 'in', kind: 'python_class', names: ['Server'] }),
    ),
    ...within({ budgetLeft }),
  })

  it('tier 0 comes for nothing, also when nothing is left', () => {
    expect(ask('class_header', 'Server', change(0))).toMatchObject({ allowed: true, cost: 0 })
  })

  it('tier 1 costs 1', () => {
    expect(ask('class_name', 'Server', change(1))).toMatchObject({ allowed: true, cost: 1 })
    expect(ask('class_name', 'Server', change(0))).toMatchObject({
      reason: 'budget_exceeded',
      wouldBeAllowed: [{ via: 'class_header', target: 'a.py#Server', cost: 0 }],
    })
  })
})

describe('of several denials', () => {
  const denial = (reason: DenialReason, from = 'a'): { reason: DenialReason; from: string } => ({
    reason,
    from,
  })

  it('the one that passed most checks tells most', () => {
    const denials = [denial('via_not_allowed'), denial('already_visited'), denial('budget_exceeded')] as const
    expect(mostSpecific([...denials])).toBe(denials[1])
    expect(mostSpecific([denials[2], denials[0]])).toBe(denials[2])
    expect(mostSpecific([denials[0], denials[2]])).toBe(denials[2])
  })

  it('the checks count in the order in which they are made', () => {
    const order: DenialReason[] = [
      'unknown_origin',
      'expansion_not_allowed',
      'via_not_allowed',
      'target_not_in_metadata',
      'target_type_not_allowed',
      'budget_exceeded',
      'depth_exceeded',
      'already_visited',
    ]
    for (const [at, reason] of order.entries())
      for (const earlier of order.slice(0, at)) {
        expect(mostSpecific([denial(reason), denial(earlier)]).reason).toBe(reason)
        expect(mostSpecific([denial(earlier), denial(reason)]).reason).toBe(reason)
      }
  })

  it('the first of equals tells most', () => {
    const [one, two] = [denial('depth_exceeded', 'a'), denial('depth_exceeded', 'b')]
    expect(mostSpecific([one, two])).toBe(one)
  })
})
