// Is the list of tools complete, and does each name only inputs of its operation?
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tools, toolsFor } from './tools.ts'

it('has every file of tools/ once, by its name', () => {
  const files = readdirSync(path.join(import.meta.dirname, 'tools')).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  expect(tools.map(({ name }) => `${name.replaceAll('_', '-')}.ts`).sort()).toEqual(files.sort())
})

it('offers only inputs that the operation of a tool takes', () => {
  for (const { operation, inputs } of tools)
    expect(Object.keys({ ...operation.arguments, ...operation.options })).toEqual(
      expect.arrayContaining([...inputs]),
    )
})

it('offers joined corpora and corpora of a service what their engines can answer', () => {
  const names = (kind: Parameters<typeof toolsFor>[0]) => toolsFor(kind).map(({ name }) => name)
  expect(names('question')).toEqual(['assemble_context', 'search', 'expand', 'read'])
  expect(names('corpus')).toEqual(expect.arrayContaining([...names('question'), 'uses', 'outline']))
  for (const name of ['diff', 'status']) expect(names('corpus')).not.toContain(name)
  expect(names('folder')).toEqual(tools.map(({ name }) => name))
})
