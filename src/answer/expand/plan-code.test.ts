// Which related code is added, in which order, and what is denied as not relevant to the question?
import { describe, expect, it } from 'vitest'
import type { ExpansionDirection, Rulebook } from '../../model/expansion.ts'
import { type FoundCode, planCode } from './plan-code.ts'

const vias = 'uses external_scripts documents cites member_functions class_name imports docstring'.split(' ')
const directions: readonly ExpansionDirection[] = ['out', 'in']
const rulebook: Rulebook = {
  language: 'python',
  chunk_rules: {
    python_function: {
      allow_expansion: true,
      expansions: vias.flatMap((via) =>
        directions.map((direction) => ({
          via,
          direction,
          allowed_target_types: ['python_function', 'markdown_section'],
          cost: 1,
        })),
      ),
    },
  },
}

/** A target whose text is its own relevance: `0.4` is worth 0.4. */
function found(name: string, relevance: number, change: Partial<FoundCode> = {}): FoundCode {
  const path = change.path ?? 'lib/a.py'
  const kind = change.isCode === false ? 'markdown_section' : 'python_function'
  return {
    from: 'main.py#run',
    fromKind: 'python_function',
    fromPath: 'main.py',
    line: 7,
    fromRelevance: 1,
    via: 'uses',
    direction: 'out',
    path,
    isCode: true,
    target: { id: `${path}#${name}`, kind, name, anchor: null, level: 1, body: String(relevance) },
    ...change,
  }
}

function plan(all: readonly FoundCode[], { best = 1, budget = 100 } = {}): ReturnType<typeof planCode> {
  return planCode(
    {
      rulebookFor: () => rulebook,
      depthOfFrom: () => 0,
      canonicality: () => 0.6,
      relevance: (text) => Number(text.split('\n')[1]),
      bestRelevance: () => {
        if (all.length === 0) throw new Error('nobody needs it')
        return best
      },
    },
    all,
    {
      visited: new Set(['main.py#run']),
      budgetLeft: budget,
      options: { budget, maxDepth: 1, linkRelevance: 0.8 },
    },
  )
}

const namesOf = (all: ReturnType<typeof planCode>): string[] =>
  all.documents.flatMap(({ sections }) => sections.map(({ id }) => id.split('#')[1] as string))

describe('the order of code', () => {
  it('is by relevance, then by id', () => {
    expect(namesOf(plan([found('b', 0.3), found('c', 0.3), found('a', 0.3), found('z', 0.9)]))).toEqual([
      'z',
      'a',
      'b',
      'c',
    ])
  })

  it('counts how well the origin answers half as much as what the target says', () => {
    const near = found('near', 0.3, { fromRelevance: 1 })
    expect(namesOf(plan([found('far', 0.7, { fromRelevance: 0 }), near]))).toEqual(['near', 'far'])
    expect(namesOf(plan([near, found('far', 0.9, { fromRelevance: 0 })]))).toEqual(['far', 'near'])
  })

  it('measures relevance by the best section', () => {
    const near = found('near', 3, { fromRelevance: 1 })
    expect(namesOf(plan([near, found('far', 7, { fromRelevance: 0 })], { best: 10 }))).toEqual([
      'near',
      'far',
    ])
    expect(namesOf(plan([found('far', 0, { fromRelevance: 0 }), found('near', 0)], { best: 0 }))).toEqual([
      'near',
      'far',
    ])
  })

  it('puts structure last, however well it fits', () => {
    const structure = [found('i', 1, { via: 'imports' }), found('d', 1, { via: 'docstring' })]
    expect(namesOf(plan([...structure, found('used', 0.1)]))).toEqual(['used', 'd', 'i'])
  })
})

describe('what is not relevant to the question', () => {
  it.each([
    ['uses', 0],
    ['external_scripts', 0],
    ['imports', 0.1],
    ['docstring', 0.1],
    ['documents', 0.15],
    ['cites', 0.2],
    ['member_functions', 0.25],
    ['class_name', 0.5],
  ])('of %s is what has less than %d of the relevance of the best section', (via, share) => {
    expect(namesOf(plan([found('just', 4 * share, { via })], { best: 4 }))).toEqual(['just'])
    if (share === 0) return
    const less = plan([found('less', 4 * share - 0.01, { via })], { best: 4 })
    expect(less.documents).toEqual([])
    expect(less.denied).toEqual([
      { from: 'main.py#run', via, target: 'lib/a.py#less', reason: 'not relevant to the question' },
    ])
    expect(less.budgetLeft).toBe(100)
  })

  it('does not keep what follows from coming along', () => {
    const all = [found('class', 0.4, { via: 'class_name' }), found('used', 0.3)]
    expect(namesOf(plan(all))).toEqual(['used'])
  })
})

describe('a plan of code', () => {
  it('is empty, and asks for nothing, where nothing was found', () => {
    expect(plan([])).toEqual({ documents: [], denied: [], budgetLeft: 100 })
  })

  it('says of each piece why it came, from where and at which cost', () => {
    const all = [found('wheel', 1, { via: 'member_functions', line: 12 })]
    expect(plan(all).documents).toEqual([
      {
        path: 'lib/a.py',
        type: 'code',
        score: 0.3,
        sections: [
          {
            path: 'lib/a.py',
            id: 'lib/a.py#wheel',
            because: 'member functions',
            paragraphs: null,
            from: 'main.py#run',
            via: 'member_functions',
            depth: 1,
            cost: 1,
            referencedBy: [{ path: 'main.py', line: 12 }],
          },
        ],
      },
    ])
  })

  it('has each target once, with every place that leads to it once', () => {
    const places = [
      { line: 7 },
      { line: 9 },
      { line: 9 },
      { line: 9, fromPath: 'other.py' },
      { line: 3, direction: 'in' as const },
    ]
    const [document] = plan(places.map((change) => found('wheel', 1, change))).documents
    expect(document?.sections).toHaveLength(1)
    expect(document?.sections[0]?.referencedBy).toEqual([
      { path: 'main.py', line: 7 },
      { path: 'main.py', line: 9 },
      { path: 'other.py', line: 9 },
    ])
    expect(document?.sections[0]?.refersTo).toEqual([{ path: 'main.py', line: 3 }])
  })

  it('takes documents for what their paths say, and code for code', () => {
    const page = { path: 'docs/adr/1.md', isCode: false, via: 'documents', direction: 'in' } as const
    const { documents } = plan([found('why', 0.9, page), found('wheel', 0.5)])
    expect(documents.map(({ path, type }) => [path, type])).toEqual([
      ['docs/adr/1.md', 'adr'],
      ['lib/a.py', 'code'],
    ])
  })

  it('has 24 pieces at most', () => {
    const all = Array.from({ length: 30 }, (_, at) => found(`f${at}`, 1))
    expect(namesOf(plan(all))).toHaveLength(24)
    expect(namesOf(plan(all, { budget: 5 }))).toHaveLength(5)
  })

  it('goes on after what the judge denies', () => {
    const denied = found('denied', 1, { via: 'inherits' })
    const all = plan([denied, found('used', 0.5)])
    expect(namesOf(all)).toEqual(['used'])
    expect(all.denied.map(({ reason }) => reason)).toEqual(['via_not_allowed'])
  })
})
