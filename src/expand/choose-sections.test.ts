// Which part of a document comes along, with an anchor and without, for each type?
import { describe, expect, it } from 'vitest'
import {
  type ChooseOptions,
  chooseByAnchor,
  chooseByType,
  chooseDefaults,
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
  ...chooseDefaults,
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
  ])('#%s names %s', (anchor, name) => {
    expect(chooseByAnchor(onboarding, anchor)?.section.name).toBe(name)
  })

  it.each(['nothing-of-this', '', '-'])('#%s names nothing', (anchor) => {
    expect(chooseByAnchor(onboarding, anchor)).toBeNull()
  })

  it('says whether a heading or the text was meant', () => {
    expect(chooseByAnchor(onboarding, 'logging')?.because).toBe('anchor #logging')
    expect(chooseByAnchor(onboarding, 'two-zones')?.because).toBe('text has "two zones"')
  })
})

describe('an adr', () => {
  it('5.2.1 gives context and decision, perhaps consequences, never the appendix', () => {
    const sections = document(['ADR-013', ''], ['Context'], ['Decision'], ['Consequences'], ['Appendix'])
    expect(names(chooseByType(sections, 'adr', options()))).toEqual(['Context', 'Decision', 'Consequences'])
  })

  it('keeps to its limit', () => {
    const sections = document(['Context'], ['Decision'], ['Decision drivers'], ['More context'])
    expect(chooseByType(sections, 'adr', options({ maxPerAdr: 2 }))).toHaveLength(2)
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

  it('else the one section that speaks of the same as what refers to it', () => {
    const chosen = chooseByType(sections, 'design', options({ nearness: counting('lease') }))
    expect(names(chosen)).toEqual(['Storage'])
    expect(chosen[0]?.because).toBe('fits what refers to it')
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
  expect(names(chooseByType(document(['Title', ''], ['First'], ['Second']), 'other', options()))).toEqual([
    'First',
  ])
  expect(chooseByType(document(['Title', '']), 'other', options())).toEqual([])
})
