// Are the shipped rulebooks there and valid?
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRulebook } from '../../../test/support/check-rulebook.ts'
import { chunkTypesOf } from '../../../test/support/rulebook-types.ts'
import { readShippedRulebook, shippedRulebookPath } from './read-rulebooks.ts'
import { isTerminal, rulebookLanguages } from './rulebook-names.ts'

describe.each(rulebookLanguages)('the shipped rulebook for %s', (language) => {
  const rulebook = readShippedRulebook(language)

  it('is valid and lies in the rulebooks folder of the package', () => {
    expect(rulebook.language).toBe(language)
    expect(checkRulebook(rulebook)).toEqual({ value: rulebook, problems: [] })
    expect(shippedRulebookPath(language)).toBe(
      path.join(import.meta.dirname, '..', '..', '..', 'rulebooks', `${language}.json`),
    )
  })

  it('has a rule for every chunk type that is not terminal', () => {
    const expected = chunkTypesOf(language).filter((type) => !isTerminal(type))
    expect(Object.keys(rulebook.chunk_rules).sort()).toEqual([...expected].sort())
  })

  it('asks a cost of 0 or 1 for everything', () => {
    for (const { expansions } of Object.values(rulebook.chunk_rules))
      for (const { cost } of expansions) expect([0, 1]).toContain(cost)
  })
})

describe('chunk types', () => {
  it('know what is terminal', () => {
    expect(['blind', 'python_import', 'python_docstring'].map(isTerminal)).toEqual([true, true, true])
    expect(['markdown_section', 'import_map', 'python_function'].map(isTerminal)).toEqual([
      false,
      false,
      false,
    ])
  })
})
