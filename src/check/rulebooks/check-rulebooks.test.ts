// Which rulebooks hold in a repository, and what is said about files that are not right?

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { overridesFile, readShippedRulebook } from '../../model/config/read-rulebooks.ts'
import { rulebookLanguages } from '../../model/config/rulebook-names.ts'
import { checkRulebooks } from './check-rulebooks.ts'
import { loadRulebooks } from './load-rulebooks.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'yore-rulebooks-'))
})

const write = (name: string, value: unknown) =>
  writeFileSync(path.join(root, name), typeof value === 'string' ? value : JSON.stringify(value))
const onlyCites = {
  markdown: {
    chunk_rules: {
      markdown_section: {
        expansions: [{ via: 'cites', allowed_target_types: ['markdown_section'], cost: 2 }],
      },
      markdown_module: { allow_expansion: false },
    },
  },
}

describe('loadRulebooks', () => {
  it('gives the shipped rulebooks where a repository says nothing', () => {
    const { rulebooks, warnings } = loadRulebooks(root)
    expect(rulebooks.markdown).toEqual({ rulebook: readShippedRulebook('markdown'), tightenedBy: null })
    expect(rulebooks.text).toEqual({ rulebook: readShippedRulebook('text'), tightenedBy: null })
    expect(warnings).toEqual([])
  })

  it('tightens the one that a repository names, and leaves the shipped one alone', () => {
    write(overridesFile, onlyCites)
    const { rulebooks, warnings } = loadRulebooks(root)
    expect(rulebooks.markdown).toEqual({
      rulebook: {
        language: 'markdown',
        chunk_rules: {
          markdown_module: {
            ...readShippedRulebook('markdown').chunk_rules.markdown_module,
            allow_expansion: false,
          },
          markdown_section: {
            allow_expansion: true,
            expansions: [
              { via: 'cites', direction: 'out', allowed_target_types: ['markdown_section'], cost: 2 },
            ],
          },
        },
      },
      tightenedBy: overridesFile,
    })
    expect(rulebooks.text.tightenedBy).toBeNull()
    expect(warnings).toEqual([])
    expect(readShippedRulebook('markdown').chunk_rules.markdown_module?.allow_expansion).toBe(true)
  })

  it('says what a repository was not allowed to widen', () => {
    write(overridesFile, { text: { chunk_rules: { blind: { expansions: [] } } } })
    expect(loadRulebooks(root).warnings).toEqual([
      `${overridesFile}: text.chunk_rules.blind has no rule to tighten; it stays terminal`,
    ])
  })
})

describe('checkRulebooks', () => {
  const summary = (file: string | null) =>
    checkRulebooks(root, file).map(({ file, form, errors, warnings }) => [
      file,
      form,
      errors.length,
      warnings.length,
    ])

  it('finds the shipped rulebooks valid', () => {
    expect(summary(null)).toEqual(
      rulebookLanguages.map((language) => [`rulebooks/${language}.json`, 'rulebook', 0, 0]),
    )
  })

  it("checks the repository's own file beside them", () => {
    write(overridesFile, {
      markdown: { chunk_rules: { markdown_section: { allow_expansion: 1 } } },
      latin: {},
    })
    expect(checkRulebooks(root, null).at(-1)).toEqual({
      file: overridesFile,
      form: 'overrides',
      errors: [
        `latin is not a known key; allowed: ${rulebookLanguages.join(', ')}`,
        'markdown.chunk_rules.markdown_section.allow_expansion must be true or false, not 1',
      ],
      warnings: [],
    })
  })

  it('tells a rulebook from overrides, whatever the file is called', () => {
    write('one.json', readShippedRulebook('text'))
    write('some.json', onlyCites)
    write('none.json', [])
    expect([summary('one.json'), summary('some.json'), summary('none.json')]).toEqual([
      [['one.json', 'rulebook', 0, 0]],
      [['some.json', 'overrides', 0, 0]],
      [['none.json', 'rulebook', 1, 0]],
    ])
  })

  it('takes a file that is not JSON for one with an error, and a missing one for a mistake', () => {
    write('bad.json', '{')
    expect(checkRulebooks(root, 'bad.json')[0]?.errors[0]).toMatch(/^not valid JSON/)
    expect(() => checkRulebooks(root, 'no.json')).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: 'no such file: no.json' }),
    )
  })
})
