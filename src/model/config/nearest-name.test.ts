// Does a misspelt name find its neighbour, and a strange one nothing?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'

const valid = ['index', 'search', 'assemble', 'maxTokens']

it.each([
  ['serch', 'search'],
  ['saerch', 'search'],
  ['max_tokens', 'maxTokens'],
  ['assembel', 'assemble'],
])('takes %s for %s', (given, expected) => {
  expect(nearestName(given, valid)).toBe(expected)
})

it('finds nothing for a word that is far from all', () => {
  expect(nearestName('frobnicate', valid)).toBeNull()
  expect(nearestName('', valid)).toBeNull()
  expect(nearestName('x'.repeat(100_000), valid)).toBeNull()
})

it('finds every name by itself', () => {
  fc.assert(fc.property(fc.constantFrom(...valid), (name) => nearestName(name, valid) === name))
})
