// Is the list of commands complete, and does every command say what everything made from it needs?
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { argumentUsage, optionUsage, resolveOptions, settingsIn } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import { commandList, groups, loadSpecs } from './commands.ts'

const specs = await loadSpecs()
const specOf = (name: string) => specs.find((spec) => spec.name === name)!

describe('the list of commands', () => {
  it('has every file of commands/ once, by its name', () => {
    const files = readdirSync(path.join(import.meta.dirname, 'commands'))
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => file.replace(/\.ts$/, ''))
    expect(Object.keys(commandList).sort()).toEqual(files.sort())
  })

  it('names commands as their files do', async () => {
    for (const [name, { load }] of Object.entries(commandList)) {
      const { command } = await load()
      expect(command.spec.name).toBe(name)
    }
  })

  it('keeps the commands of a group together, in the order of the groups, at most 28 in all', () => {
    const used = Object.values(commandList).map(({ group }) => group)
    expect(used).toEqual(used.toSorted((a, b) => groups.indexOf(a) - groups.indexOf(b)))
    expect(new Set(used).size).toBe(groups.length)
    expect(used.length).toBeLessThanOrEqual(28)
  })
})

describe('commands', () => {
  it('offer every argument and option of the operation of their name', () => {
    for (const operation of Object.values(operations)) {
      const spec = specOf(operation.name)
      expect(spec.arguments).toEqual(operation.arguments)
      expect(spec.options).toMatchObject(operation.options)
    }
  })

  it('each say what they do in one sentence and show an example of themselves', () => {
    for (const { summary, examples, name } of specs) {
      expect(summary).toMatch(/^[A-Z][^\n]*\.$/)
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) expect(example).toContain(`yore ${name}`)
    }
  })

  it('give every number its bounds and every option one help sentence', () => {
    for (const operation of specs) {
      for (const option of resolveOptions(operation)) {
        expect(option.help).toMatch(/^[A-Z][^\n]*\.$/)
        if (option.type === 'number')
          expect(option).toMatchObject({ min: expect.any(Number), max: expect.any(Number) })
      }
    }
  })

  it('keep the contract of assemble', () => {
    const usage = resolveOptions(specOf('assemble')).map((option) => [optionUsage(option), option.default])
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
  expect(argumentUsage('question', operations.assemble.arguments.question)).toBe('<question...>')
  expect(argumentUsage('path', specOf('index').arguments['path']!)).toBe('[path...]')
})

it('finds the settings in an input', () => {
  expect(settingsIn(operations.assemble, { question: 'x', depth: 0, format: 'json' })).toEqual({ depth: 0 })
})
