// What comes along with a short section: its parent, then its siblings, each once?
import { expect, it } from 'vitest'
import { readShippedRulebook } from '../config/read-rulebooks.ts'
import type { TargetSection } from './choose-sections.ts'
import { type FoundFamily, planFamilies } from './plan-families.ts'
import { PlanLedger } from './plan-ledger.ts'

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
const ledger = (budgetLeft: number): PlanLedger =>
  new PlanLedger(
    { rulebookFor: () => shipped, depthOfFrom: () => 0 },
    { visited: ['a.md#short', 'a.md#other'], budgetLeft, maxDepth: 1 },
  )

it('brings the parent and the siblings of a short section, in their first paragraphs', () => {
  const [document, ...more] = planFamilies([family('short', 4, ['parent', 'sibling'])], ledger(20), () => 0.8)
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
  const spent = ledger(20)
  const [document] = planFamilies(families, spent, () => 0.8)
  expect(document?.sections).toHaveLength(1)
  expect(document?.sections[0]?.from).toBe('a.md#short')
  expect(document?.sections[0]?.referencedBy).toEqual([
    { path: 'a.md', line: 4 },
    { path: 'a.md', line: 9 },
  ])
  expect(spent.budgetLeft).toBe(20 - (document?.sections[0]?.cost as number))
  expect(spent.denied).toEqual([])
})

it('brings nothing that the judge denies', () => {
  const spent = ledger(0)
  expect(planFamilies([family('short', 4, ['parent'])], spent, () => 0.8)).toEqual([])
  expect(spent.denied).toEqual([{ from: 'a.md#short', target: 'a.md#parent', reason: 'budget_exceeded' }])
})

it('goes on after a member that is in the digest already', () => {
  const [document] = planFamilies([family('short', 4, ['other', 'sibling'])], ledger(20), () => 0.8)
  expect(document?.sections.map(({ id, because }) => [id, because])).toEqual([
    ['a.md#sibling', 'sibling of a short section'],
  ])
})
