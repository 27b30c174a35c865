import { describe, expect, it } from 'vitest'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import { type ContextOptions, Contexts } from './contexts.ts'

/** Remembers what was admitted; nothing else of a session matters here. */
function makeSession(): ExpansionSession & { readonly admitted: PresentArtifact[] } {
  const admitted: PresentArtifact[] = []
  return {
    admitted,
    left: { budgetLeft: 4, maxDepth: 1 },
    present: [],
    held: [],
    admit: (present) => admitted.push(...present),
    offers: () => [],
    expand: () => {
      throw new Error('not asked for here')
    },
  }
}

function makeContexts(options: Partial<ContextOptions> = {}): Contexts {
  let count = 0
  return new Contexts({ newId: () => `q${++count}`, alone: true, most: 3, ...options })
}

describe('one conversation', () => {
  it('means the latest question when none is named', () => {
    const contexts = makeContexts()
    contexts.open('a', [], makeSession())
    contexts.open('b', [], makeSession())
    expect(contexts.find(undefined).map(({ id }) => id)).toEqual(['q2', 'q1'])
    expect(contexts.find('q1').map(({ id }) => id)).toEqual(['q1'])
  })

  it('goes on with a question that is asked again: its budget is not filled up', () => {
    const contexts = makeContexts()
    const first = makeSession()
    contexts.open('How?', [], first)
    const again = contexts.open(' how? ', [{ id: 'a.md', depth: 0 }], makeSession())
    expect(again).toMatchObject({ id: 'q1', session: first })
    expect(first.admitted).toEqual([{ id: 'a.md', depth: 0 }])
  })

  it('forgets the oldest question when there are too many', () => {
    const contexts = makeContexts()
    for (const question of ['a', 'b', 'c', 'd']) contexts.open(question, [], makeSession())
    expect(() => contexts.find('q1')).toThrow('there is no context "q1"')
    expect(contexts.find('q2')).toHaveLength(1)
  })
})

describe('several conversations', () => {
  it('must name their context, and never share one', () => {
    const contexts = makeContexts({ alone: false })
    const mine = contexts.open('How?', [], makeSession())
    const yours = contexts.open('How?', [], makeSession())
    expect(mine.id).not.toBe(yours.id)
    expect(mine.session).not.toBe(yours.session)
    expect(() => contexts.find(undefined)).toThrow('no context is named')
  })
})
