// What is expanded around a found section: its parent, then its siblings, each once?
import { expect, it } from 'vitest'
import { readShippedRulebook } from '../../model/config/read-rulebooks.ts'
import type { TargetSection } from './choose-sections.ts'
import type { FoundFamily, Plan } from './plan.ts'
import { planFamilies } from './plan-families.ts'

const section = (name: string): TargetSection => ({
  id: `a.md#${name}`,
  kind: 'markdown_section',
  name,
  anchor: name,
  level: 2,
  body: `About ${name}.`,
})
const family = (
  from: string,
  line: number,
  parent: string | null,
  siblings: readonly string[] = [],
): FoundFamily => ({
  from: `a.md#${from}`,
  fromKind: 'markdown_section',
  path: 'a.md',
  line,
  parent: parent === null ? null : section(parent),
  siblings: siblings.map(section),
})
const shipped = readShippedRulebook('markdown')
const plan = (families: readonly FoundFamily[], budget = 20): Plan =>
  planFamilies(
    families,
    {
      canonicality: () => 0.8,
      rulebookFor: () => shipped,
      present: new Set(['a.md#found', 'a.md#other']),
      depthOfFrom: () => 0,
    },
    { budget, maxDepth: 1 },
  )

it('plans the parent, then the siblings in the order given, as a document of its own type', () => {
  const [document, ...more] = plan([family('found', 4, 'parent', ['near', 'far'])]).documents
  expect(more).toEqual([])
  expect([document?.path, document?.type, document?.score]).toEqual(['a.md', 'family', 0.4])
  const common = { path: 'a.md', from: 'a.md#found', via: 'defines', depth: 1, referencedBy: [] }
  expect(document?.sections).toMatchObject([
    { ...common, id: 'a.md#parent', because: 'parent of a found section' },
    { ...common, id: 'a.md#near', because: 'sibling of a found section' },
    { ...common, id: 'a.md#far', sameDocumentAs: [{ path: 'a.md', line: 4 }] },
  ])
})

it('plans a parent of two found sections once, and names both', () => {
  const { documents, denied, budgetLeft } = plan([family('found', 4, 'parent'), family('other', 9, 'parent')])
  const [parent, ...more] = documents.flatMap(({ sections }) => sections)
  expect(more).toEqual([])
  expect(parent?.from).toBe('a.md#found')
  expect(parent?.sameDocumentAs).toEqual([
    { path: 'a.md', line: 4 },
    { path: 'a.md', line: 9 },
  ])
  expect(budgetLeft).toBe(20 - (parent?.cost as number))
  expect(denied).toEqual([])
})

it('plans nothing that the judge denies', () => {
  const { documents, denied } = plan([family('found', 4, 'parent')], 0)
  expect(documents).toEqual([])
  expect(denied).toEqual([
    { from: 'a.md#found', via: 'defines', target: 'a.md#parent', reason: 'budget_exceeded' },
  ])
})

it('skips a member that is in the digest already, and plans the next', () => {
  const { documents, denied } = plan([family('found', 4, null, ['other', 'sibling'])])
  expect(documents.flatMap(({ sections }) => sections.map(({ id }) => id))).toEqual(['a.md#sibling'])
  expect(denied).toEqual([])
})
