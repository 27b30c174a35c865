// Can an override ever widen a rulebook? No, whatever it says; and what it takes away is gone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOverride, anyRulebook } from '../../../test/support/rulebooks.ts'
import type { ExpansionRule, Rulebook, RulebookOverride } from '../../model/expansion.ts'
import { tightenRulebook } from './tighten-rulebook.ts'

const links: ExpansionRule = {
  via: 'links',
  direction: 'out',
  allowed_target_types: ['markdown_section', 'text_document'],
  cost: 1,
}
const family: ExpansionRule = {
  via: 'defines',
  direction: 'family',
  allowed_target_types: ['markdown_section'],
  cost: 1,
}
const base: Rulebook = {
  language: 'markdown',
  chunk_rules: {
    markdown_section: { allow_expansion: true, expansions: [links, family] },
    markdown_module: { allow_expansion: false, expansions: [links] },
  },
}
const section = (change: RulebookOverride['chunk_rules'][string]) =>
  tightenRulebook(base, { chunk_rules: { markdown_section: change } })

describe('tightenRulebook', () => {
  it('changes nothing that the override does not mention', () => {
    expect(tightenRulebook(base, { chunk_rules: {} })).toEqual({ rulebook: base, warnings: [] })
    expect(section({}).rulebook).toEqual(base)
    expect(section({ allow_expansion: true })).toEqual({ rulebook: base, warnings: [] })
  })

  it('turns expansion off for a chunk type', () => {
    const { rulebook, warnings } = section({ allow_expansion: false })
    expect(rulebook.chunk_rules.markdown_section).toEqual({
      allow_expansion: false,
      expansions: [links, family],
    })
    expect(warnings).toEqual([])
  })

  it('keeps of a list only what is in both, at the higher cost', () => {
    const { rulebook, warnings } = section({
      expansions: [{ ...links, allowed_target_types: ['text_document'], cost: 3 }],
    })
    expect(rulebook.chunk_rules.markdown_section?.expansions).toEqual([
      { ...links, allowed_target_types: ['text_document'], cost: 3 },
    ])
    expect(warnings).toEqual([])
  })

  it('keeps no rule that leads to no type any more', () => {
    const { rulebook } = section({ expansions: [{ ...family, allowed_target_types: ['text_document'] }] })
    expect(rulebook.chunk_rules.markdown_section?.expansions).toEqual([])
  })

  it('leaves out every attempt to widen, and says so', () => {
    const { rulebook, warnings } = tightenRulebook(base, {
      chunk_rules: {
        markdown_section: {
          expansions: [
            { ...links, direction: 'in' },
            { ...links, via: 'cites' },
            { ...links, allowed_target_types: ['markdown_section', 'markdown_module'], cost: 0 },
          ],
        },
        markdown_module: { allow_expansion: true },
        text_document: { allow_expansion: true, expansions: [links] },
      },
    })
    expect(rulebook.chunk_rules).toEqual({
      markdown_section: {
        allow_expansion: true,
        expansions: [{ ...links, allowed_target_types: ['markdown_section'] }],
      },
      markdown_module: base.chunk_rules.markdown_module,
    })
    expect(warnings).toEqual([
      'markdown.chunk_rules.text_document has no rule to tighten; it stays terminal',
      'markdown.chunk_rules.markdown_section.expansions[0] is ignored: links in is not allowed here, and a repository may only tighten',
      'markdown.chunk_rules.markdown_section.expansions[1] is ignored: cites out is not allowed here, and a repository may only tighten',
      'markdown.chunk_rules.markdown_section.expansions[2].cost stays 1 for markdown_section: a repository may only raise it',
      'markdown.chunk_rules.markdown_section.expansions[2].allowed_target_types leaves markdown_module out: links out does not lead there',
      'markdown.chunk_rules.markdown_module.allow_expansion stays false: a repository may only tighten',
    ])
  })

  it('allows nothing that the base does not allow at the same or a lower cost', () => {
    fc.assert(
      fc.property(anyRulebook, anyOverride, (book, override) => {
        const prices = priceList(book)
        for (const [step, cost] of priceList(tightenRulebook(book, override).rulebook)) {
          expect(prices.has(step)).toBe(true)
          expect(cost).toBeGreaterThanOrEqual(prices.get(step)!)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('allows nothing that the override forbids', () => {
    fc.assert(
      fc.property(anyRulebook, anyOverride, (book, override) => {
        const { rulebook } = tightenRulebook(book, override)
        for (const [type, change] of Object.entries(override.chunk_rules)) {
          const rule = Object.hasOwn(rulebook.chunk_rules, type) ? rulebook.chunk_rules[type]! : null
          if (rule === null) continue
          if (change.allow_expansion === false) expect(rule.allow_expansion).toBe(false)
          for (const { via, direction, allowed_target_types, cost } of change.expansions === undefined
            ? []
            : rule.expansions)
            for (const target of allowed_target_types)
              expect(
                change.expansions?.some(
                  (asked) =>
                    asked.via === via &&
                    asked.direction === direction &&
                    asked.allowed_target_types.includes(target) &&
                    asked.cost <= cost,
                ),
              ).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('warns of nothing when the override is the base itself, and changes nothing when it is used twice', () => {
    fc.assert(
      fc.property(anyRulebook, anyOverride, (book, override) => {
        expect(tightenRulebook(book, book).warnings).toEqual([])
        const once = tightenRulebook(book, override).rulebook
        expect(priceList(tightenRulebook(once, override).rulebook)).toEqual(priceList(once))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Every single step that a rulebook allows, with its lowest cost. */
function priceList({ chunk_rules }: Rulebook): ReadonlyMap<string, number> {
  const prices = new Map<string, number>()
  for (const [type, { allow_expansion, expansions }] of Object.entries(chunk_rules)) {
    if (!allow_expansion) continue
    for (const { via, direction, allowed_target_types, cost } of expansions) {
      for (const target of allowed_target_types) {
        const step = JSON.stringify([type, via, direction, target])
        prices.set(step, Math.min(cost, prices.get(step) ?? Number.POSITIVE_INFINITY))
      }
    }
  }
  return prices
}
