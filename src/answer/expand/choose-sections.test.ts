// Which part of a document comes along, with an anchor and without, for each type?
import { describe, expect, it } from 'vitest'
import {
  type ChooseOptions,
  chooseByAnchor,
  chooseByType,
  compareWords,
  type TargetSection,
} from './choose-sections.ts'

function document(...headings: readonly (readonly [name: string, body?: string])[]): TargetSection[] {
  return headings.map(([name, body = `About ${name}.`]) => ({
    id: `x.md#${name}`,
    kind: 'markdown_section',
    name,
    anchor: name.toLowerCase().replaceAll(' ', '-'),
    level: 2,
    body,
  }))
}
const counting =
  (word: string) =>
  (text: string): number =>
    text.split(word).length - 1
const options = (change: Partial<ChooseOptions> = {}): ChooseOptions => ({
  nearness: () => 0,
  relevance: () => 0,
  ...change,
})
const names = (chosen: readonly { section: TargetSection }[]): string[] =>
  chosen.map(({ section }) => section.name)

describe('an anchor', () => {
  const onboarding = document(['Overview'], ['Retry Semantics'], ['Logging', 'Two zones, ten days.'])

  it.each([
    ['retry-semantics', 'Retry Semantics'],
    ['Retry-Semantics', 'Retry Semantics'],
    ['retry_semantics', 'Retry Semantics'],
    ['two-zones', 'Logging'],
    ['two--zones', 'Logging'],
  ])('#%s names %s', (anchor, name) => {
    expect(chooseByAnchor(onboarding, anchor)?.section.name).toBe(name)
  })

  it.each(['nothing-of-this', '', '-'])('#%s names nothing', (anchor) => {
    expect(chooseByAnchor(onboarding, anchor)).toBeNull()
  })

  it('says whether a heading or the text was meant', () => {
    expect(chooseByAnchor(onboarding, 'logging')?.because).toBe('anchor #logging')
    expect(chooseByAnchor(onboarding, 'Logging')?.because).toBe('anchor #Logging')
    expect(chooseByAnchor(onboarding, 'two-zones')?.because).toBe('text has "two zones"')
  })
})

describe('an anchor that several sections could mean', () => {
  it('is taken as written before it is taken in lower case', () => {
    const [lower, upper] = document(['setup'], ['Setup'])
    const sections = [lower!, { ...upper!, anchor: 'Setup' }]
    expect(chooseByAnchor(sections, 'Setup')?.section.name).toBe('Setup')
    expect(chooseByAnchor(sections, 'setup')?.section.name).toBe('setup')
    expect(chooseByAnchor(sections.toReversed(), 'SETUP')?.section.name).toBe('setup')
  })

  it('means a heading of its words before a text that has them', () => {
    const sections = document(['Intro', 'As in retry semantics.'], ['Retry Semantics'])
    expect(chooseByAnchor(sections, 'retry_semantics')?.section.name).toBe('Retry Semantics')
  })
})

describe('an adr', () => {
  it('5.2.1 gives decision, context and consequences in this order of need, never the appendix', () => {
    const sections = document(['ADR-013', ''], ['Context'], ['Decision'], ['Consequences'], ['Appendix'])
    expect(names(chooseByType(sections, 'adr', options()))).toEqual(['Decision', 'Context', 'Consequences'])
  })

  it('takes what was decided before what drove it, and the text below a heading without any', () => {
    const madr = document(
      ['Context and Problem'],
      ['Decision Drivers'],
      ['Decision Outcome'],
      ['Consequences'],
    )
    expect(names(chooseByType(madr, 'adr', options()))).toEqual([
      'Decision Outcome',
      'Context and Problem',
      'Consequences',
    ])
    const [decision, first, other] = document(['Decision', ''], ['1. Uploads'], ['Appendix'])
    const below = [decision!, { ...first!, level: 3 }, other!]
    expect(names(chooseByType(below, 'adr', options()))).toEqual(['1. Uploads'])
  })

  it('keeps to its limit', () => {
    const sections = document(['Context'], ['Decision'], ['Decision drivers'], ['More context'])
    expect(chooseByType(sections, 'adr', options())).toHaveLength(3)
    const reasons = document(['Intro'], ['Motivation'], ['Rationale'], ['Summary'])
    expect(names(chooseByType(reasons, 'adr', options()))).toEqual(['Intro', 'Motivation', 'Rationale'])
    const mixed = document(['Rationale'], ['Decision'], ['Summary'], ['Summary of summaries'])
    expect(names(chooseByType(mixed, 'adr', options()))).toEqual(['Decision', 'Rationale', 'Summary'])
  })

  it('gives a section once, whatever its heading says', () => {
    const sections = document(['Decision summary'], ['Consequences'])
    expect(names(chooseByType(sections, 'adr', options()))).toEqual(['Decision summary', 'Consequences'])
  })

  it('without context or decision gives its introduction and its reasons', () => {
    const sections = document(['Intro'], ['Details'], ['Rationale'], ['Summary'])
    expect(names(chooseByType(sections, 'adr', options()))).toEqual(['Intro', 'Rationale', 'Summary'])
  })

  it('passes over headings without text', () => {
    expect(names(chooseByType(document(['Context', ' \n'], ['Decision']), 'adr', options()))).toEqual([
      'Decision',
    ])
  })
})

describe('a design', () => {
  const sections = document(['Overview'], ['Storage', 'lease lease'], ['Keys', 'lease'], ['Gone', ''])

  it('gives what speaks of the question, best first', () => {
    const relevance = counting('lease')
    expect(names(chooseByType(sections, 'design', options({ relevance })))).toEqual(['Storage', 'Keys'])
  })

  it('gives three sections at most, and none without text', () => {
    const more = document(
      ['Lease', ' \n'],
      ['Keys', 'Lease'],
      ['Storage', 'Lease Lease'],
      ['Zones', 'Lease'],
      ['Nodes', 'Lease'],
    )
    const relevance = counting('Lease')
    expect(names(chooseByType(more, 'design', options({ relevance })))).toEqual(['Storage', 'Keys', 'Zones'])
  })

  it('of equals gives those that are nearer to what refers to them, then the first', () => {
    const equals = document(['One', 'lease'], ['Two', 'lease'], ['Three', 'lease zone'])
    const relevance = counting('lease')
    const nearness = counting('zone')
    expect(names(chooseByType(equals, 'design', options({ relevance, nearness })))).toEqual([
      'Three',
      'One',
      'Two',
    ])
  })

  it('goes by the question even where a heading is operational', () => {
    const practical = document(['Restart'], ['Keys', 'lease'])
    const relevance = counting('lease')
    expect(names(chooseByType(practical, 'design', options({ relevance })))).toEqual(['Keys'])
  })

  it('fills up to two with what is most similar to what refers to it', () => {
    const nearness = counting('lease')
    const chosen = chooseByType(sections, 'design', options({ nearness }))
    expect(names(chosen)).toEqual(['Storage', 'Keys'])
    expect(chosen[0]?.because).toBe('fits what refers to it')
    const relevance = counting('Overview')
    expect(names(chooseByType(sections, 'design', options({ nearness, relevance })))).toEqual([
      'Overview',
      'Storage',
    ])
  })

  it('else the overview, its first paragraphs', () => {
    const chosen = chooseByType(sections, 'design', options())
    expect([names(chosen), chosen[0]?.paragraphs]).toEqual([['Overview'], 3])
  })
})

describe('a runbook', () => {
  it('gives operational headings, two at most', () => {
    const sections = document(['Background'], ['Restart it'], ['History'], ['Rollback'], ['Monitoring'])
    expect(names(chooseByType(sections, 'ops', options()))).toEqual(['Restart it', 'Rollback'])
  })

  it('without any goes by the question', () => {
    const sections = document(['Background'], ['Quota', 'lease'])
    expect(names(chooseByType(sections, 'ops', options({ relevance: counting('lease') })))).toEqual(['Quota'])
  })
})

it('any other document gives its overview, and an empty one nothing', () => {
  const sections = document(['Title', ' \n'], ['First'], ['Second', 'lease'])
  expect(names(chooseByType(sections, 'other', options({ relevance: counting('lease') })))).toEqual(['First'])
  expect(chooseByType(document(['Title', '']), 'other', options())).toEqual([])
})

it.each([
  ['adr', ['Context'], 'context and decision'],
  ['adr', ['Rationale'], 'overview'],
  ['design', ['lease'], 'fits the question'],
  ['ops', ['Restart'], 'operational heading'],
  ['other', ['Anything'], 'overview'],
] as const)('of type %s with a section %j says why: %s', (type, headings, because) => {
  const [chosen] = chooseByType(document(headings), type, options({ relevance: counting('lease') }))
  expect(chosen?.because).toBe(because)
})

it('says of the reasons of a decision that they are', () => {
  const chosen = chooseByType(document(['Intro'], ['Rationale']), 'adr', options())
  expect(chosen.map(({ because }) => because)).toEqual(['overview', 'reasons of the decision'])
})

it('is 0 where two texts share nothing but short words', () => {
  const nearness = compareWords('The key of the lease is in use.')
  expect(nearness('What is the use of it? A key.')).toBe(0)
  expect(nearness('')).toBe(0)
})

it('counts long words more than short ones, and each once', () => {
  const nearness = compareWords('A zone has coordinators, and coordinators have a zone.')
  expect(nearness('zone zone zone')).toBe(Math.log2('zone'.length))
  expect(nearness('zone')).toBeLessThan(nearness('coordinators'))
  expect(nearness('zone coordinators')).toBe(nearness('zone') + nearness('coordinators'))
})

it('takes words in any form for the same', () => {
  expect(compareWords('deploying')('deployed')).toBeGreaterThan(0)
})
