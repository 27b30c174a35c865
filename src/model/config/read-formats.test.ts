// Has the format of every language its own name, known chunk types and known fields?
import { expect, it } from 'vitest'
import { codeLanguages, codeTypesOf } from '../code-languages.ts'
import { readFormat } from './read-formats.ts'

it.each(codeLanguages)('reads the format of %s', (language) => {
  const { language: named, grammars, chunk_types, self, builtins, modules } = readFormat(language)
  expect([named, ...[grammars, self, builtins, modules].map((part) => typeof part)]).toEqual([
    ...[language, 'object', 'object', 'object', 'object'],
  ])
  const types = [...codeTypesOf(language), 'blind']
  for (const [type, { fields }] of Object.entries(chunk_types)) {
    expect(types).toContain(type)
    expect(['string', 'list']).toEqual(expect.arrayContaining(Object.values(fields)))
  }
})
