// Are families of ids read as people write them in the settings?
import { expect, it } from 'vitest'
import { parseIdFamilies } from './parse-id-families.ts'

it.each([
  ['EIP', [{ prefix: 'EIP', aliases: [] }]],
  ['EIP=ERC', [{ prefix: 'EIP', aliases: ['ERC'] }]],
  [' EIP = ', []],
  ['EIP=ERC, ERCS:EIPS/**', [{ prefix: 'EIP', aliases: ['ERC', 'ERCS'], paths: 'EIPS/**' }]],
  ['TIP:tips/*.md', [{ prefix: 'TIP', aliases: [], paths: 'tips/*.md' }]],
  ['1BAD', []],
  ['', []],
])('reads the family %j', (written, families) => {
  expect(parseIdFamilies([written])).toEqual(families)
})
