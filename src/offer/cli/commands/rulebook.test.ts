// Can a person read what a rulebook allows, and what is wrong with one?
import { expect, it } from 'vitest'
import { makePalette } from '../format.ts'
import { printRulebookCheck, printRulebooks } from './rulebook.ts'

const plain = makePalette(false)

it('prints a line for each way, and says what is terminal', () => {
  const rulebook = {
    language: 'markdown',
    chunk_rules: {
      markdown_section: {
        allow_expansion: true,
        expansions: [
          {
            via: 'links',
            direction: 'out',
            allowed_target_types: ['markdown_section', 'text_document'],
            cost: 1,
          },
          { via: 'defines', direction: 'family', allowed_target_types: ['markdown_section'], cost: 0 },
        ],
      },
      blind: { allow_expansion: false, expansions: [] },
    },
  } as const
  expect(printRulebooks([{ rulebook, tightenedBy: 'yore.rulebook.json' }], plain)).toBe(
    [
      'markdown (tightened by yore.rulebook.json)',
      'from              via      direction  cost  to',
      'markdown_section  links    out        1     markdown_section, text_document',
      'markdown_section  defines  family     0     markdown_section',
      'blind             -        -          -     nothing: terminal',
      '',
    ].join('\n'),
  )
})

it('keeps within 100 columns, and loses nothing', () => {
  const allowed_target_types = Array.from({ length: 40 }, (_, at) => `language_${at}_function`)
  const expansions = [{ via: 'documents', direction: 'out', allowed_target_types, cost: 1 }] as const
  const rulebook = { language: 'text', chunk_rules: { text_document: { allow_expansion: true, expansions } } }
  const lines = printRulebooks([{ rulebook, tightenedBy: null }], plain).split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  const listed = lines
    .slice(2)
    .map((line) => line.slice('text_document  documents  out        1     '.length))
  expect(listed.join(' ').trim()).toBe(allowed_target_types.join(', '))
})

it('lists errors and warnings under their file, without control characters', () => {
  const text = printRulebookCheck(
    [
      { file: 'a.json', form: 'rulebook', errors: [], warnings: [] },
      {
        file: 'b\u001b.json',
        form: 'rulebook',
        errors: ['x is missing', 'y\u0007 is missing'],
        warnings: ['z stays 1'],
      },
    ],
    plain,
  )
  expect(text).toBe(
    [
      '✓ a.json: valid rulebook',
      '✗ b\\u001b.json: 2 errors, 1 warning',
      '  error: x is missing',
      '  error: y\\u0007 is missing',
      '  warning: z stays 1',
      '',
    ].join('\n'),
  )
})
