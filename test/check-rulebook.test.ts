// Is a bad rulebook refused with the place, the fault and the likely name, and a good one read as it stands?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rulebookLanguages, viaNames } from '../src/model/config/rulebook-names.ts'
import { checkRulebook, describeProblem } from './support/check-rulebook.ts'
import { targetTypes } from './support/rulebook-types.ts'

const rule = (change: Record<string, unknown> = {}) => ({
  via: 'links',
  direction: 'out',
  allowed_target_types: ['markdown_section'],
  cost: 1,
  ...change,
})

const rulebook = (expansions: readonly unknown[], change: Record<string, unknown> = {}) => ({
  language: 'markdown',
  chunk_rules: { markdown_section: { allow_expansion: true, expansions } },
  ...change,
})

const problemsOf = (raw: unknown) => checkRulebook(raw).problems.map(describeProblem)
const inSection = 'chunk_rules.markdown_section'

describe('checkRulebook', () => {
  it('gives a valid rulebook back', () => {
    const raw = rulebook([rule(), rule({ via: 'defines', direction: 'family', cost: 0 })])
    expect(checkRulebook(raw)).toEqual({ value: raw, problems: [] })
  })

  it('reads a rule without a direction as one along the relation', () => {
    const { direction: _, ...undirected } = rule()
    expect(checkRulebook(rulebook([undirected])).value).toEqual(rulebook([rule()]))
  })

  it.each([
    [[], 'the document must be an object with language, chunk_rules, not []'],
    [{ language: 'markdown' }, 'chunk_rules is missing'],
    [
      { ...rulebook([]), language: 'markdwon' },
      'language must be a known name, not "markdwon"; did you mean "markdown"?',
    ],
    [{ ...rulebook([]), language: 7 }, `language must be one of ${rulebookLanguages.join(', ')}, not 7`],
    [{ ...rulebook([]), max_depth: 3 }, 'max_depth is not a known key; allowed: language, chunk_rules'],
    [
      { language: 'markdown', chunk_rules: { markdown_secton: { allow_expansion: true, expansions: [] } } },
      'chunk_rules.markdown_secton is not a known key; did you mean "markdown_section"?',
    ],
    [
      { language: 'text', chunk_rules: { markdown_section: { allow_expansion: true, expansions: [] } } },
      'chunk_rules.markdown_section is not a known key; allowed: text_document, blind',
    ],
    [
      { language: 'text', chunk_rules: { blind: { allow_expansion: true, expansions: [] } } },
      'chunk_rules.blind.allow_expansion must be false: chunks of this type are terminal',
    ],
    [
      { language: 'markdown', chunk_rules: { markdown_section: { allow_expansion: 'yes', expansions: {} } } },
      `${inSection}.allow_expansion must be true or false, not "yes"`,
      `${inSection}.expansions must be a list, not {}`,
    ],
    [
      rulebook([rule(), rule({ via: 'cites', cost: -1 })]),
      `${inSection}.expansions[1].cost must be a whole number of at least 0, not -1`,
    ],
    [
      rulebook([rule({ cost: 0.5 })]),
      `${inSection}.expansions[0].cost must be a whole number of at least 0, not 0.5`,
    ],
    [
      rulebook([rule({ cost: '1' })]),
      `${inSection}.expansions[0].cost must be a whole number of at least 0, not "1"`,
    ],
    [rulebook([rule({ cost: undefined })]), `${inSection}.expansions[0].cost is missing`],
    [
      rulebook([rule({ budget: 4 })]),
      `${inSection}.expansions[0].budget is not a known key; allowed: via, allowed_target_types, cost, direction`,
    ],
    [
      rulebook([rule({ via: 'link' })]),
      `${inSection}.expansions[0].via must be a known name, not "link"; did you mean "links"?`,
    ],
    [
      rulebook([rule({ via: 'LINKS' })]),
      `${inSection}.expansions[0].via must be a known name, not "LINKS"; did you mean "links"?`,
    ],
    [
      rulebook([rule({ via: 'constructor' })]),
      `${inSection}.expansions[0].via must be a known name, not "constructor"; allowed: ${viaNames.join(', ')}`,
    ],
    [
      rulebook([rule({ direction: 'both' })]),
      `${inSection}.expansions[0].direction must be a known name, not "both"; allowed: out, in, family`,
    ],
    [
      rulebook([rule({ allowed_target_types: ['markdown_section', 'text'] })]),
      `${inSection}.expansions[0].allowed_target_types[1] must be a known name, not "text"; allowed: ${targetTypes.join(', ')}`,
    ],
    [
      rulebook([rule({ allowed_target_types: 'markdown_section' })]),
      `${inSection}.expansions[0].allowed_target_types must be a list of chunk types, not "markdown_section"`,
    ],
    [
      rulebook([rule(), rule({ cost: 0 })]),
      `${inSection}.expansions[1] allows links out to markdown_section again, as expansions[0] does`,
    ],
    [
      rulebook([null]),
      `${inSection}.expansions[0] must be an object with via, allowed_target_types, cost, direction, not null`,
    ],
  ])('refuses %j', (raw, ...expected) => {
    expect(problemsOf(raw)).toEqual(expected)
    expect(checkRulebook(raw).value).toBeNull()
  })

  it('takes nothing for a rulebook that is not there', () => {
    for (const raw of [undefined, null, '', rulebook([undefined])])
      expect(checkRulebook(raw).value).toBeNull()
  })

  it('finds every problem, not only the first', () => {
    expect(
      problemsOf(rulebook([rule({ cost: -1 }), rule({ via: 'x' })], { language: 'latin' })),
    ).toHaveLength(3)
  })

  it('ignores keys that would reach a prototype', () => {
    const text = `{"__proto__": {"language": "text"}, "language": "markdown", "constructor": 1,
      "chunk_rules": {"__proto__": {"allow_expansion": true, "expansions": []}, "prototype": 2}}`
    const { value, problems } = checkRulebook(JSON.parse(text))
    expect(problems).toEqual([])
    expect(value).toEqual({ language: 'markdown', chunk_rules: {} })
    expect(Object.getPrototypeOf(value?.chunk_rules)).toBe(Object.prototype)
  })

  it('answers any JSON with a rulebook or with problems, and never throws', () => {
    const keys = fc.constantFrom(
      ...'language chunk_rules markdown_section expansions allow_expansion via cost'.split(' '),
    )
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('markdown', 'links'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(tree, (raw) => {
        const { value, problems } = checkRulebook(raw)
        expect(value === null).toBe(problems.length > 0)
        if (value !== null) expect(checkRulebook(value)).toEqual({ value, problems: [] })
      }),
      { numRuns: 500 },
    )
  })
})
