// Is the list of tools complete, and does each name only inputs of its operation?
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { nameInputs } from './name-inputs.ts'
import { listTool, toolOperation } from './tool.ts'
import { instructions, tools } from './tools.ts'

it('has every file of tools/ once, by its name', () => {
  const files = readdirSync(path.join(import.meta.dirname, 'tools')).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  expect(tools.map(({ name }) => `${name.replaceAll('_', '-')}.ts`).sort()).toEqual(files.sort())
})

it('offers only inputs that the operation of a tool takes', () => {
  for (const { operation, inputs, unlisted = [] } of tools)
    expect(Object.keys({ ...operation.arguments, ...operation.options })).toEqual(
      expect.arrayContaining([...inputs, ...unlisted]),
    )
})

it('has at most six tools, which take at most 800 tokens of a context with the instructions', () => {
  const count = loadTokenizer()
  expect(tools.length).toBeLessThanOrEqual(6)
  const listed = JSON.stringify({ tools: tools.map((tool) => listTool(tool, 'this repository')) })
  expect(count(listed) + count(instructions)).toBeLessThanOrEqual(800)
})

it('says of each tool what it is about, when to call it and when not, with an example that it takes', () => {
  for (const tool of tools) {
    const { description } = listTool(tool, 'this repository')
    expect(description, tool.name).toMatch(/\b(?:this repository|a reply)\b/)
    expect(description, tool.name).toMatch(/\bCall it\b/)
    expect(description, tool.name).toMatch(/[;.] [Nn]ot (?:for|to) [^.]+\((?:read|search|assemble_context)\)/)
    const example = JSON.parse(/Example: (\{.+\})$/.exec(description)?.[1] ?? 'null') as object
    expect(tool.inputs).toEqual(expect.arrayContaining(Object.keys(example)))
    expect(listTool(tool, 'the corpus handbook').description).not.toContain('this repository')
  }
})

it.each([
  ['assemble_context', { query: 'why?', max_tokens: 900 }, { question: 'why?', maxTokens: 900 }],
  [
    'assemble_context',
    { q: 'why?', MaxTokens: 900, paths: ['a', 'b'] },
    { question: 'why?', maxTokens: 900, path: 'a,b' },
  ],
  [
    'assemble_context',
    { question: 'why?', keywords: ['x'], file: 'a.md' },
    { question: 'why?', words: ['x'], path: 'a.md' },
  ],
  ['search', { q: 'x', top_k: 3 }, { query: 'x', limit: 3 }],
  ['search', { pattern: 'x', maxResults: 3, glob: '*.md' }, { query: 'x', limit: 3, path: '*.md' }],
  ['read', { path: 'a.md' }, { place: 'a.md' }],
  ['read', { file_path: 'a.md', start_line: 3, end_line: 9 }, { place: 'a.md:3-9' }],
  ['uses', { symbol: 'retry' }, { name: 'retry' }],
  ['outline', { path: 'a.md' }, { place: 'a.md' }],
  ['outline', { ref: 'main' }, { since: 'main' }],
  [
    'expand',
    { place: 'a.md', relation: 'links', to: 'b.md' },
    { from: 'a.md', via: 'links', target: 'b.md' },
  ],
  // Unknown names stay, so that the check names them.
  [
    'read',
    { place: 'a.md', constructor: 1, __proto__x: 2 },
    { place: 'a.md', constructor: 1, __proto__x: 2 },
  ],
  ['search', { query: 'x', question: 'y' }, { query: 'x', question: 'y' }],
] as const)('%s takes the names that models try: %o', (name, given, named) => {
  const tool = tools.find((one) => one.name === name)
  expect(nameInputs(toolOperation(tool!), given)).toEqual(named)
})
