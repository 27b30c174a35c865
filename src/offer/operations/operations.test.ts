// Is the table of operations complete enough for everything that is made from it?
import { describe, expect, it } from 'vitest'
import { argumentUsage, optionUsage, resolveOptions, settingsIn } from './operation.ts'
import { operationSpecs, operations } from './operations.ts'

describe('operations', () => {
  it('are found by their own name', () => {
    for (const [key, operation] of Object.entries(operations)) expect(operation.name).toBe(key)
  })

  it('each say what they do in one sentence and show an example of themselves', () => {
    for (const { summary, examples, name } of operationSpecs) {
      expect(summary).toMatch(/^[A-Z][^\n]*\.$/)
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) expect(example).toContain(`yore ${name}`)
    }
  })

  it('give every number its bounds and every option one help sentence', () => {
    for (const operation of operationSpecs) {
      for (const option of resolveOptions(operation)) {
        expect(option.help).toMatch(/^[A-Z][^\n]*\.$/)
        if (option.type === 'number')
          expect(option).toMatchObject({ min: expect.any(Number), max: expect.any(Number) })
      }
    }
  })

  it('keep the contract of assemble', () => {
    const usage = resolveOptions(operations.assemble).map((option) => [optionUsage(option), option.default])
    expect(Object.fromEntries(usage)).toMatchObject({
      '--max-tokens <n>': 8000,
      '--format <markdown|json>': 'markdown',
      '--depth <n>': 1,
      '--sections <n>': 0,
    })
    expect(usage.map(([flag]) => flag)).toEqual(
      expect.arrayContaining(['-o, --output <path>', '--index <path>']),
    )
  })
})

it('writes arguments as usage lines do', () => {
  expect(argumentUsage('question', operations.assemble.arguments.question!)).toBe('<question...>')
  expect(argumentUsage('path', operations.index.arguments.path!)).toBe('[path...]')
})

it('finds the settings in an input', () => {
  expect(settingsIn(operations.assemble, { question: 'x', depth: 0, format: 'json' })).toEqual({ depth: 0 })
})
