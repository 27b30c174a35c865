// Do the schemas say the same as our own check?
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkInput } from './check-input.ts'
import { inputSchema } from './input-schema.ts'
import { operations } from './operations.ts'

describe('inputSchema', () => {
  it('describes assemble', () => {
    const schema = inputSchema(operations.assemble)
    expect(schema.required).toEqual(['question'])
    expect(schema.properties.maxTokens).toEqual({
      type: 'integer',
      description: 'Token budget of the digest.',
      default: 8000,
      minimum: 1,
      maximum: 1_000_000,
    })
    expect(schema.properties.format).toMatchObject({
      type: 'string',
      enum: ['markdown', 'json'],
      default: 'markdown',
    })
  })

  it('offers nothing that concerns the files of the machine', () => {
    for (const operation of Object.values(operations)) {
      expect(Object.keys(inputSchema(operation).properties)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(root|output|json|quiet|now)$/)]),
      )
    }
    expect(inputSchema(operations.search).properties).not.toHaveProperty('index')
  })

  it('is valid JSON Schema for every operation', () => {
    for (const operation of Object.values(operations))
      expect(() => new Ajv({ strict: true }).compile(inputSchema(operation))).not.toThrow()
  })

  it('accepts and refuses what our own check accepts and refuses', () => {
    const value = fc.oneof(
      fc.integer({ min: -1, max: 30 }),
      fc.boolean(),
      fc.double(),
      fc.constantFrom('json', 'auto', 'a', 'never'),
    )
    for (const operation of [operations.assemble, operations.search, operations.uses]) {
      const schema = inputSchema(operation)
      const validate = new Ajv().compile(schema)
      const keys = [...Object.keys(schema.properties), 'unknown']
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom(...keys), value), (given) => {
          const ours = accepts(() => checkInput(operation, given))
          expect([given, validate(given)]).toEqual([given, ours])
        }),
        { numRuns: 500 },
      )
    }
  })
})

function accepts(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
