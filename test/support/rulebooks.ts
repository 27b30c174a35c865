// Which rulebooks and requests can there be? For property tests: small vocabularies, so that collisions are frequent.
import fc from 'fast-check'
import type {
  ExpansionRequest,
  ExpansionRule,
  ReachableArtifact,
  Rulebook,
  Situation,
} from '../../src/model/expansion.ts'

const kinds = ['markdown_section', 'markdown_module', 'text_document', 'blind', 'constructor']
const vias = ['links', 'cites', 'defines']
const ids = ['a.md', 'a.md#x', 'a.md#y', 'b.md', 'b.md#x', 'c.txt', '__proto__']
const names = ['x', 'X', ' x', 'Retries', 'retries', 'ADR-013', 'a.md', 'constructor', '']

/** What a language model may write where a name belongs. */
const garbage = fc.constantFrom(
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'links out',
  'LINKS',
  'Sure! I will expand "links" now.',
  '{"via": "links"}',
  'a.md#x\n',
  '../../etc/passwd',
  'x'.repeat(500),
)

const anyDirection = fc.constantFrom<ExpansionRule['direction']>('out', 'in', 'family')

const anyRule: fc.Arbitrary<ExpansionRule> = fc.record({
  via: fc.constantFrom(...vias),
  direction: anyDirection,
  allowed_target_types: fc.oneof(
    { weight: 6, arbitrary: fc.subarray(kinds, { minLength: 2 }) },
    fc.constant([]),
  ),
  cost: fc.constantFrom(0, 1, 1, 1, 2, 3),
})

const anyRules = fc.array(anyRule, { minLength: 1, maxLength: 12, size: 'max' })

/** Each kind has something or, now and then, nothing. */
function perKind<T>(something: fc.Arbitrary<T>, among: readonly string[]): fc.Arbitrary<Record<string, T>> {
  return fc
    .tuple(...among.map((kind) => fc.tuple(fc.constant(kind), fc.option(something, { freq: 6, nil: null }))))
    .map((entries) => Object.fromEntries(entries.flatMap(([kind, it]) => (it === null ? [] : [[kind, it]]))))
}

export const anyRulebook: fc.Arbitrary<Rulebook> = fc.record({
  language: fc.constant('markdown'),
  chunk_rules: perKind(
    fc.record({
      allow_expansion: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.constant(false)),
      expansions: anyRules,
    }),
    kinds,
  ),
})

const anyReachable: fc.Arbitrary<ReachableArtifact> = fc.record(
  {
    id: fc.constantFrom(...ids),
    kind: fc.constantFrom(...kinds),
    direction: anyDirection,
    via: fc.constantFrom(...vias),
    names: fc.array(fc.constantFrom(...names), { maxLength: 2 }),
  },
  { requiredKeys: ['id', 'kind', 'direction'] },
)

export const anyRequest: fc.Arbitrary<ExpansionRequest> = fc.record({
  from: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids) }, garbage),
  via: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...vias) }, garbage, fc.string()),
  target: fc.oneof(
    { weight: 7, arbitrary: fc.constantFrom(...ids) },
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    garbage,
    fc.string(),
  ),
})

/** Random requests mostly miss: an aim turns one towards something that is there. */
export interface Aim {
  readonly at: number
  readonly name: number
}

export const anyAim: fc.Arbitrary<Aim | null> = fc.option(
  fc.record({ at: fc.nat(60), name: fc.constantFrom(0, 0, 1, 2) }),
  { freq: 5, nil: null },
)

/** The request, or one from the same origin for an artifact that can be reached. */
export function aimAt(
  request: ExpansionRequest,
  reachable: readonly ReachableArtifact[],
  aim: Aim | null,
): ExpansionRequest {
  const artifact = aim === null ? undefined : reachable[aim.at % Math.max(1, reachable.length)]
  if (aim === null || artifact === undefined) return request
  const called = [artifact.id, ...(artifact.names ?? [])]
  return { from: request.from, via: artifact.via ?? request.via, target: called[aim.name % called.length]! }
}

export const anySituation: fc.Arbitrary<Situation> = fc.record({
  rulebook: anyRulebook,
  fromKind: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...kinds) },
    fc.constantFrom(null, '__proto__'),
  ),
  reachable: fc.array(anyReachable, { minLength: 2, maxLength: 10 }),
  allowance: fc.record({
    budgetLeft: fc.nat(4),
    maxDepth: fc.constantFrom(0, 1, 1, 2),
    depthOfFrom: fc.constantFrom(0, 0, 0, 1, 2),
    visited: fc.subarray(ids, { maxLength: 4 }).map((visited) => new Set(visited)),
  }),
})

/** A whole little graph: every artifact with its kind and what its relations lead to. */
export const anyGraph: fc.Arbitrary<
  ReadonlyMap<string, { readonly kind: string; readonly reachable: readonly ReachableArtifact[] }>
> = fc
  .tuple(
    ...ids.map((id) =>
      fc.tuple(
        fc.constant(id),
        fc.constantFrom(...kinds),
        fc.array(anyReachable, { minLength: 2, maxLength: 10 }),
      ),
    ),
  )
  .map((nodes) => {
    const kindOf = new Map(nodes.map(([id, kind]) => [id, kind]))
    return new Map(
      nodes.map(([id, kind, reachable]) => [
        id,
        { kind, reachable: reachable.map((artifact) => ({ ...artifact, kind: kindOf.get(artifact.id)! })) },
      ]),
    )
  })
