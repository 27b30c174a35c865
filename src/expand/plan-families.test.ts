// What comes along with a short section: its parent, then its siblings, each once?
import { expect, it } from 'vitest'
import { readShippedRulebook } from '../config/read-rulebooks.ts'
import type { TargetSection } from './choose-sections.ts'
import type { FoundFamily, Plan } from './plan.ts'
import { planExpansions } from './plan-expansions.ts'

const section = (name: string): TargetSection => ({
  id: `a.md#${name}`,
  kind: 'markdown_section',
  name,
  anchor: name,
  level: 2,
  body: `About ${name}.`,
})
const family = (from: string, line: number, members: readonly string[]): FoundFamily => ({
  from: `a.md#${from}`,
  fromKind: 'markdown_section',
  path: 'a.md',
  line,
  members: members.map(section),
})
const shipped = readShippedRulebook('markdown')
const planFamilies = (families: readonly FoundFamily[], budget: number): Plan =>
  planExpansions(
    {
      references: [],
      families,
      sectionsOf: () => [],
      canonicality: () => 0.8,
      rulebookFor: () => shipped,
      present: new Set(['a.md#short', 'a.md#other']),
      depthOfFrom: () => 0,
      relevance: () => 0,
      bestRelevance: () => 0,
      speaksOfIt: () => false,
    },
    { budget, maxDepth: 1, choose: {}, linkRelevance: 0 },
  )

it('brings the parent and the siblings of a short section, in their first paragraphs', () => {
  const [document, ...more] = planFamilies([family('short', 4, ['parent', 'sibling'])], 20).documents
  expect(more).toEqual([])
  expect([document?.path, document?.type, document?.score]).toEqual(['a.md', 'other', 0.4])
  expect(document?.sections).toMatchObject([
    {
      path: 'a.md',
      id: 'a.md#parent',
      because: 'parent of a short section',
      paragraphs: 3,
      from: 'a.md#short',
      via: 'defines',
      depth: 1,
      referencedBy: [{ path: 'a.md', line: 4 }],
    },
    { id: 'a.md#sibling', because: 'sibling of a short section' },
  ])
})

it('brings a parent of two short sections once, and names both', () => {
  const families = [family('short', 4, ['parent']), family('other', 9, ['parent'])]
  const plan = planFamilies(families, 20)
  const [document] = plan.documents
  expect(document?.sections).toHaveLength(1)
  expect(document?.sections[0]?.from).toBe('a.md#short')
  expect(document?.sections[0]?.referencedBy).toEqual([
    { path: 'a.md', line: 4 },
    { path: 'a.md', line: 9 },
  ])
  expect(plan.budgetLeft).toBe(20 - (document?.sections[0]?.cost as number))
  expect(plan.denied).toEqual([])
})

it('brings nothing that the judge denies', () => {
  const { documents, denied } = planFamilies([family('short', 4, ['parent'])], 0)
  expect(documents).toEqual([])
  expect(denied).toEqual([
    { from: 'a.md#short', via: 'defines', target: 'a.md#parent', reason: 'budget_exceeded' },
  ])
})

it('goes on after a member that is in the digest already', () => {
  const [document] = planFamilies([family('short', 4, ['other', 'sibling'])], 20).documents
  expect(document?.sections.map(({ id, because }) => [id, because])).toEqual([
    ['a.md#sibling', 'sibling of a short section'],
  ])
})
