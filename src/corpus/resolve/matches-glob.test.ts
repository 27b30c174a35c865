// Do globs match what their writers mean, and soon?
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { matchesGlob } from './matches-glob.ts'

test.each([
  ['EIPS/eip-1.md', 'EIPS/**', true],
  ['EIPS/a/eip-1.md', 'EIPS/**', true],
  ['EIPS', 'EIPS/**', true],
  ['old/EIPS/eip-1.md', 'EIPS/**', false],
  ['old/EIPS/eip-1.md', '**/EIPS/**', true],
  ['EIPS/eip-1.md', 'EIPS/*.md', true],
  ['EIPS/a/eip-1.md', 'EIPS/*.md', false],
  ['EIPS/a/eip-1.md', 'EIPS/**/*.md', true],
  ['EIPS/eip-1.md', 'EIPS/**/*.md', true],
  ['a/b.md', 'a/?.md', true],
  ['a/bc.md', 'a/?.md', false],
  ['a/b.md', 'a/b.md', true],
  ['a/b.md', './a/b.md', true],
  ['a/b.md', 'a', false],
  ['a+b.md', 'a.b.md', false],
])('%s and %s: %s', (path, glob, expected) => {
  expect(matchesGlob(path, glob)).toBe(expected)
})

test('many stars end soon', () => {
  const started = processorTime()
  expect(
    matchesGlob(`${'a'.repeat(2_000)}/${'b/'.repeat(500)}c`, `${'*a'.repeat(500)}b/${'**/b/'.repeat(200)}x`),
  ).toBe(false)
  expect(processorTime() - started).toBeLessThan(2_000)
})
