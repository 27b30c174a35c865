import { expect, it } from 'vitest'
import { isFixturePath, isTestPath, testedName } from './code-roles.ts'

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
  ['tests/anything.py', true],
  ['src/__tests__/router.ts', true],
  ['spec/router.rb', true],
  ['lib/test_router.py', true],
  ['lib/router_test.go', true],
  ['lib/router_spec.rb', true],
  ['src/RouterTest.java', true],
  ['src/Latest.java', false],
  ['src/Contest.kt', false],
  ['src/router_test.cc', true],
  ['src/gtest.cc', true],
  ['suite/router.bats', true],
  ['scripts/router_test.sh', true],
  ['lib/bats-core/test_functions.bash', false],
  ['lib/test_support.sh', false],
  ['docs/test_plan.md', false],
  ['docs/writing-a-test.md', false],
  ['config/test.json', false],
])('%s is a test: %s', (path, is) => {
  expect(isTestPath(path)).toBe(is)
})

it.each([
  ['lib/req-hooks.js', 'test/req-hooks.test.js'],
  ['src/_pytest/pathlib.py', 'testing/test_pathlib.py'],
  ['lease/lessor.go', 'lease/lessor_test.go'],
  ['src/helper/streaming/index.ts', 'src/helper/streaming/index.test.ts'],
  ['src/router.ts', 'spec/router.spec.ts'],
])('%s and %s have one name', (path, test) => {
  expect(testedName(test)).toBe(testedName(path))
})

it('tells files apart that no test shares', () => {
  expect(testedName('src/latest.ts')).toBe('latest')
  expect(testedName('src/helper/cookie/index.ts')).not.toBe(testedName('src/helper/streaming/index.test.ts'))
})
