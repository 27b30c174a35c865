// Is everything in a plan what the judge grants, in the order of types and authority, within cost and depth?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShippedRulebook } from '../../model/config/read-rulebooks.ts'
import type { Rulebook } from '../../model/expansion.ts'
import type { TargetSection } from './choose-sections.ts'
import { judgeExpansion } from './judge-expansion.ts'
import type { FoundReference, PlanInput, PlanOptions } from './plan.ts'
import { planExpansions } from './plan-expansions.ts'

const section = (path: string, name: string, body = `About ${name}.`): TargetSection => ({
  id: name === '' ? path : `${path}#${name}`,
  kind: name === '' ? 'markdown_module' : 'markdown_section',
  name,
  anchor: name === '' ? null : name,
  level: name === '' ? 0 : 1,
  body,
})
const corpus: Readonly<Record<string, TargetSection[]>> = {
  'docs/adr/ADR-1-a.md': ['', 'context', 'decision', 'appendix'].map((name) =>
    section('docs/adr/ADR-1-a.md', name),
  ),
  'docs/adr/ADR-2-b.md': ['', 'decision'].map((name) => section('docs/adr/ADR-2-b.md', name)),
  'docs/design.md': ['', 'overview', 'keys'].map((name) => section('docs/design.md', name)),
  'docs/runbook.md': ['', 'restart', 'history'].map((name) => section('docs/runbook.md', name)),
  'guide.md': ['', 'install'].map((name) => section('guide.md', name)),
  'empty.md': [],
}
const reference = (path: string, change: Partial<FoundReference> = {}): FoundReference => ({
  from: 'here.md#a',
  fromKind: 'markdown_section',
  fromPath: 'here.md',
  line: 3,
  via: 'links',
  path,
  section: null,
  anchor: null,
  ...change,
})
const shipped = readShippedRulebook('markdown')
const input = (references: readonly FoundReference[], change: Partial<PlanInput> = {}): PlanInput => ({
  references,
  sectionsOf: (path) => corpus[path] ?? [],
  canonicality: () => 0.5,
  rulebookFor: () => shipped,
  present: new Set(['here.md#a']),
  depthOfFrom: () => 0,
  relevance: () => 1,
  bestRelevance: () => 1,
  speaksOfIt: () => true,
  ...change,
})
const options: PlanOptions = { budget: 20, maxDepth: 1, linkRelevance: 0.8 }
const brief = (plan: ReturnType<typeof planExpansions>): string[] =>
  plan.documents.flatMap(({ sections }) => sections.map(({ id }) => id))

describe('the order of documents', () => {
  it('is decisions, designs, runbooks, the rest', () => {
    const paths = ['guide.md', 'docs/runbook.md', 'docs/design.md', 'docs/adr/ADR-2-b.md']
    // Whatever their authority: the rest has the most here.
    const canonicality = (path: string): number => 1 - paths.indexOf(path) / 10
    const plan = planExpansions(
      input(
        paths.map((path) => reference(path)),
        { canonicality },
      ),
      options,
    )
    expect(plan.documents.map(({ type }) => type)).toEqual(['adr', 'design', 'ops', 'other'])
  })

  it('within a type goes by authority and the number of places that refer, then by path', () => {
    const both = [reference('docs/adr/ADR-1-a.md'), reference('docs/adr/ADR-2-b.md')]
    const paths = (references: FoundReference[], change: Partial<PlanInput> = {}): string[] =>
      planExpansions(input(references, change), options).documents.map(({ path }) => path)
    expect(paths(both)[0]).toBe('docs/adr/ADR-1-a.md')
    expect(paths(both.toReversed())[0]).toBe('docs/adr/ADR-1-a.md')
    expect(paths([...both, reference('docs/adr/ADR-2-b.md', { from: 'here.md#b' })])[0]).toBe(
      'docs/adr/ADR-2-b.md',
    )
    expect(paths(both, { canonicality: (path) => (path.includes('ADR-2') ? 0.9 : 0.1) })[0]).toBe(
      'docs/adr/ADR-2-b.md',
    )
  })

  it('scores as the contract says: half authority, half the logarithm of one more than the references', () => {
    const [document] = planExpansions(input([reference('docs/adr/ADR-1-a.md')]), options).documents
    expect(document?.score).toBeCloseTo(0.5 * 0.5 + 0.5 * Math.log(2), 12)
  })

  it('counts a section that refers twice to the same place once, and to two places twice', () => {
    const score = (...anchors: (string | null)[]): number | undefined =>
      planExpansions(input(anchors.map((anchor) => reference('docs/adr/ADR-1-a.md', { anchor }))), options)
        .documents[0]?.score
    expect(score('context', 'context')).toBeCloseTo(0.25 + 0.5 * Math.log(2), 12)
    expect(score(null, null)).toBeCloseTo(0.25 + 0.5 * Math.log(2), 12)
    expect(score('context', 'appendix')).toBeCloseTo(0.25 + 0.5 * Math.log(3), 12)
    expect(score('context', null)).toBeCloseTo(0.25 + 0.5 * Math.log(3), 12)
  })

  it('counts a reference of a later section for less', () => {
    const leading = reference('docs/adr/ADR-2-b.md', { from: 'first.md#a' })
    const later = reference('docs/adr/ADR-1-a.md', { from: 'second.md#a' })
    const scores = planExpansions(input([leading, later]), options).documents.map(({ path, score }) => [
      path,
      score,
    ])
    expect(scores).toEqual([
      ['docs/adr/ADR-2-b.md', 0.25 + 0.5 * Math.log(2)],
      ['docs/adr/ADR-1-a.md', 0.25 + 0.5 * Math.log(1 + 1 / Math.log2(3))],
    ])
  })
})

describe('what is asked for', () => {
  it('is the section of the anchor alone, for several anchors each', () => {
    const anchors = ['appendix', 'context'].map((anchor) => reference('docs/adr/ADR-1-a.md', { anchor }))
    expect(brief(planExpansions(input(anchors), options))).toEqual([
      'docs/adr/ADR-1-a.md#appendix',
      'docs/adr/ADR-1-a.md#context',
    ])
  })

  it('is the section that the reference was resolved to, whatever its anchor says now', () => {
    const resolved = reference('docs/adr/ADR-1-a.md', {
      section: 'docs/adr/ADR-1-a.md#appendix',
      anchor: 'context',
    })
    const plan = planExpansions(input([resolved]), options)
    expect(brief(plan)).toEqual(['docs/adr/ADR-1-a.md#appendix'])
    expect(plan.documents[0]?.sections[0]?.because).toBe('anchor #context')
    const gone = { ...resolved, section: 'docs/adr/ADR-1-a.md#gone' }
    expect(brief(planExpansions(input([gone]), options))).toEqual(['docs/adr/ADR-1-a.md#context'])
  })

  it('is a section once; of a decision also its decision and context where another reference names none', () => {
    const anchors = ['appendix', 'appendix', null].map((anchor) =>
      reference('docs/adr/ADR-1-a.md', { anchor }),
    )
    const plan = planExpansions(input(anchors), options)
    expect(brief(plan)).toEqual(
      ['decision', 'context', 'appendix'].map((name) => `docs/adr/ADR-1-a.md#${name}`),
    )
    expect(plan.denied).toEqual([])
  })

  it('of a design without a word of the question is what the referring section speaks of', () => {
    const about = (fromText?: string): string[] =>
      brief(
        planExpansions(
          input([reference('docs/design.md', fromText === undefined ? {} : { fromText })], {
            relevance: () => 0,
          }),
          options,
        ),
      )
    expect(about('An overview of leases.')).toEqual(['docs/design.md#overview'])
    expect(about()).toEqual(['docs/design.md'])
  })

  it('is the default of the type when an anchor leads nowhere', () => {
    const plan = planExpansions(input([reference('docs/adr/ADR-2-b.md', { anchor: 'zzz' })]), options)
    expect(brief(plan)).toEqual(['docs/adr/ADR-2-b.md#decision'])
  })

  it('is not what is there already', () => {
    const present = new Set(['here.md#a', 'docs/adr/ADR-2-b.md#decision'])
    const plan = planExpansions(input([reference('docs/adr/ADR-2-b.md')], { present }), options)
    expect(plan.documents).toEqual([])
    expect(plan.denied).toEqual([
      { from: 'here.md#a', via: 'links', target: 'docs/adr/ADR-2-b.md#decision', reason: 'already_visited' },
    ])
  })

  it('is nothing of a document without sections', () => {
    expect(planExpansions(input([reference('empty.md')]), options).documents).toEqual([])
  })
})

describe('a mere link that does not speak of the question', () => {
  const guide = [reference('guide.md')]
  const change = { relevance: () => 0.1 }

  it('is left out, and a citation, a decision and a design are kept', () => {
    const plan = planExpansions(input(guide, change), options)
    expect(plan.documents).toEqual([])
    expect(plan.denied).toEqual([
      { from: 'here.md#a', via: 'links', target: 'guide.md', reason: 'not relevant to the question' },
    ])
    const kept = (one: FoundReference): number =>
      planExpansions(input([one], change), options).documents.length
    expect(kept(reference('guide.md', { via: 'cites' }))).toBe(1)
    expect(kept(reference('docs/adr/ADR-2-b.md'))).toBe(1)
    expect(kept(reference('docs/design.md'))).toBe(1)
    expect(kept(reference('docs/runbook.md'))).toBe(1)
  })

  it('is one whose section has less than its share of the best relevance', () => {
    const relevance = (share: number) => (text: string) => (text === '\nAbout .' ? share * 10 : 0)
    const shown = (share: number): number =>
      planExpansions(input(guide, { relevance: relevance(share), bestRelevance: () => 10 }), options)
        .documents.length
    expect(shown(0.8)).toBe(1)
    expect(shown(0.79)).toBe(0)
  })

  it('is one whose document has next to no word of it, however its section scores', () => {
    expect(planExpansions(input(guide, { speaksOfIt: () => false }), options).documents).toEqual([])
  })

  it('comes along where every link is wanted', () => {
    const all = { ...options, linkRelevance: 0 }
    expect(planExpansions(input(guide, { ...change, speaksOfIt: () => false }), all).documents).toHaveLength(
      1,
    )
  })
})

it('names for a section only the lines that mean it or the whole document', () => {
  const path = 'docs/adr/ADR-1-a.md'
  const places = [
    reference(path, { line: 9 }),
    reference(path, { line: 4, section: `${path}#decision`, anchor: 'decision' }),
    reference(path, { line: 5, section: `${path}#context`, anchor: 'context' }),
    reference(path, { line: 6, section: `${path}#context`, anchor: 'context' }),
    reference(path, { line: 7, anchor: 'zzz' }),
    reference(path, { line: 8, section: `${path}#context` }),
  ]
  const [document] = planExpansions(input(places), options).documents
  expect(
    document?.sections.map(({ id, referencedBy }) => [id, referencedBy.map(({ line }) => line)]),
  ).toEqual([
    [`${path}#decision`, [4, 9]],
    [`${path}#context`, [5, 6, 8, 9]],
  ])
})

it('names every line that refers to a section, each once, those that name it first', () => {
  const places = [
    reference('docs/adr/ADR-2-b.md', { line: 9 }),
    reference('docs/adr/ADR-2-b.md', { line: 9 }),
    reference('docs/adr/ADR-2-b.md', {
      line: 4,
      section: 'docs/adr/ADR-2-b.md#decision',
      anchor: 'decision',
    }),
  ]
  const [planned] = planExpansions(input(places), options).documents[0]?.sections ?? []
  expect(planned?.referencedBy).toEqual([
    { path: 'here.md', line: 4 },
    { path: 'here.md', line: 9 },
  ])
})

const rulebooks: readonly Rulebook[] = [
  shipped,
  { language: 'markdown', chunk_rules: {} },
  {
    language: 'markdown',
    chunk_rules: {
      markdown_section: {
        allow_expansion: true,
        expansions: [{ via: 'links', direction: 'out', allowed_target_types: ['markdown_section'], cost: 3 }],
      },
    },
  },
  {
    language: 'markdown',
    chunk_rules: {
      markdown_section: {
        allow_expansion: true,
        expansions: [
          {
            via: 'cites',
            direction: 'out',
            allowed_target_types: ['markdown_module', 'markdown_section'],
            cost: 0,
          },
          { via: 'links', direction: 'in', allowed_target_types: ['markdown_section'], cost: 1 },
        ],
      },
    },
  },
]

const anyReference = fc
  .record({
    from: fc.constantFrom('here.md#a', 'here.md#b', 'docs/design.md#keys'),
    fromKind: fc.constantFrom('markdown_section', 'markdown_module', 'blind'),
    line: fc.nat(50),
    via: fc.constantFrom('links' as const, 'cites' as const),
    path: fc.constantFrom(...Object.keys(corpus), 'unknown.md'),
    anchor: fc.constantFrom(null, null, 'decision', 'keys', 'nowhere'),
  })
  .map(({ path, ...rest }) => reference(path, rest))

it('holds nothing that the judge denies, spends no more than there is, and goes no deeper than allowed', () => {
  fc.assert(
    fc.property(
      fc.array(anyReference, { maxLength: 12 }),
      fc.constantFrom(...rulebooks),
      fc.record({ budget: fc.integer({ min: 0, max: 6 }), maxDepth: fc.integer({ min: 0, max: 2 }) }),
      fc.integer({ min: 0, max: 2 }),
      (references, rulebook, limits, depth) => {
        const depthOfFrom = (id: string): number => (id.startsWith('here') ? 0 : depth)
        const plan = planExpansions(input(references, { rulebookFor: () => rulebook, depthOfFrom }), {
          ...options,
          ...limits,
        })
        let budgetLeft = limits.budget
        const visited = new Set(['here.md#a'])
        for (const planned of plan.documents.flatMap(({ sections }) => sections)) {
          const origin = references.find(({ from, via, path }) =>
            [from === planned.from, via === planned.via, path === planned.path].every(Boolean),
          )
          const kinds = references.filter(({ from }) => from === planned.from).map(({ fromKind }) => fromKind)
          const verdicts = kinds.map((fromKind) =>
            judgeExpansion(
              { from: planned.from, via: planned.via, target: planned.id },
              {
                rulebook,
                fromKind,
                reachable: (corpus[planned.path] ?? []).map(({ id, kind }) => ({
                  id,
                  kind,
                  direction: 'out',
                })),
                allowance: {
                  budgetLeft,
                  maxDepth: limits.maxDepth,
                  depthOfFrom: depthOfFrom(planned.from),
                  visited,
                },
              },
            ),
          )
          expect(origin).toBeDefined()
          expect(verdicts.some(({ allowed }) => allowed)).toBe(true)
          budgetLeft -= planned.cost
          visited.add(planned.id)
          expect(budgetLeft).toBeGreaterThanOrEqual(0)
          expect(planned.depth).toBeLessThanOrEqual(limits.maxDepth)
          expect(planned.referencedBy.length).toBeGreaterThan(0)
        }
        expect(plan.budgetLeft).toBe(budgetLeft)
      },
    ),
    { numRuns: 2000 },
  )
})
