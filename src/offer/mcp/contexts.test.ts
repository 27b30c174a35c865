import { expect, it } from 'vitest'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import { Contexts } from './contexts.ts'

const { signal } = new AbortController()

/** Each session remembers what was admitted; nothing else of it matters here. */
function makeContexts(most?: number): { contexts: Contexts; started: PresentArtifact[][] } {
  const started: PresentArtifact[][] = []
  const startExpansion = async (): Promise<ExpansionSession> => {
    const admitted: PresentArtifact[] = []
    started.push(admitted)
    return {
      left: { budgetLeft: 4, maxDepth: 1 },
      present: [`q${started.length}`],
      admit: (present) => admitted.push(...present),
      offers: () => [],
      expand: () => {
        throw new Error('not asked for here')
      },
    }
  }
  const expand = (): never => {
    throw new Error('not asked for here')
  }
  return { contexts: new Contexts({ startExpansion, expand }, most), started }
}

const namesOf = (contexts: Contexts): readonly string[] => contexts.latest().flatMap(({ present }) => present)

it('means the latest question first, and none before the first', async () => {
  const { contexts } = makeContexts()
  expect(() => contexts.latest()).toThrow('no question was asked yet')
  await contexts.open('a', [], signal)
  await contexts.open('b', [], signal)
  expect(namesOf(contexts)).toEqual(['q2', 'q1'])
})

it('goes on with a question that is asked again: its budget is not filled up', async () => {
  const { contexts, started } = makeContexts()
  await contexts.open('How?', [], signal)
  await contexts.open('Why?', [], signal)
  await contexts.open(' how? ', [{ id: 'a.md', depth: 0 }], signal)
  expect(namesOf(contexts)).toEqual(['q1', 'q2'])
  expect(started).toEqual([[{ id: 'a.md', depth: 0 }], []])
})

it('forgets the oldest question when there are too many', async () => {
  const { contexts } = makeContexts(3)
  for (const question of ['a', 'b', 'c', 'd']) await contexts.open(question, [], signal)
  expect(namesOf(contexts)).toEqual(['q4', 'q3', 'q2'])
})

it('opens nothing for a call that was cancelled', async () => {
  const { contexts } = makeContexts()
  await expect(contexts.open('a', [], AbortSignal.abort())).rejects.toThrow('aborted')
  expect(() => contexts.latest()).toThrow('no question was asked yet')
})
