import { expect, it } from 'vitest'
import { isFixturePath, isTestPath } from './code-roles.ts'

it.each([
  ['tests/data/a.md', true],
  ['caddytest/integration/a.txt', true],
  ['adapt/proxy_health.caddyfiletest', true],
  ['docs/testing/guide.md', false],
  ['docs/latest/guide.md', false],
  ['docs/contest/rules.md', false],
  ['docs/writing-a-test.md', false],
  ['docs/unittest.md', false],
])('%s belongs to a test: %s', (path, is) => {
  expect(isFixturePath(path)).toBe(is)
})

it.each([
  ['adapt/proxy_health.caddyfiletest', true],
  ['src/router.test.ts', true],
  ['src/latest.ts', false],
  ['src/contest', false],
])('%s is a test: %s', (path, is) => {
  expect(isTestPath(path)).toBe(is)
})
