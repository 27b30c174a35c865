// Are the shipped rulebooks there and valid, and are a repository's overrides read with care?
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  overridesFile,
  readRulebookOverrides,
  readShippedRulebook,
  shippedRulebookPath,
} from './read-rulebooks.ts'
import { chunkTypesOf, isTerminal, rulebookLanguages } from './rulebook-names.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'yore-rulebooks-'))
})

const overrides = (text: string) => writeFileSync(path.join(root, overridesFile), text)

describe.each(rulebookLanguages)('the shipped rulebook for %s', (language) => {
  const rulebook = readShippedRulebook(language)

  it('is valid and lies in the rulebooks folder of the package', () => {
    expect(rulebook.language).toBe(language)
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

describe('readRulebookOverrides', () => {
  it('finds none in a repository that has no such file', () => {
    expect(readRulebookOverrides(root)).toEqual({})
  })

  it('reads them', () => {
    overrides('{"text": {"chunk_rules": {"text_document": {"allow_expansion": false}}}}')
    expect(readRulebookOverrides(root)).toEqual({
      text: { chunk_rules: { text_document: { allow_expansion: false } } },
    })
  })

  it('names the file, the place and the number of problems when they are not valid', () => {
    overrides('{"text": {"chunk_rules": {"txt_document": {}, "text_document": {"allow_expansion": 1}}}}')
    expect(() => readRulebookOverrides(root)).toThrow(
      expect.objectContaining({
        code: 'BAD_CONFIG',
        message: `${overridesFile}: text.chunk_rules.txt_document is not a known key; did you mean "text_document"? (and 1 more)`,
        hint: expect.stringContaining('explanation/rulebooks.md'),
      }),
    )
  })

  it('refuses what is not JSON, and a link that leaves the repository', () => {
    overrides('{')
    expect(() => readRulebookOverrides(root)).toThrow(`${overridesFile}: not valid JSON`)
    rmSync(path.join(root, overridesFile))
    symlinkSync(shippedRulebookPath('text'), path.join(root, overridesFile))
    expect(() => readRulebookOverrides(root)).toThrow('a link that leaves the repository')
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
