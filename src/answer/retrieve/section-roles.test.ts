import { expect, it } from 'vitest'
import { compareVersions, type RoleInput, rolesOf, type Version, versionIn } from './section-roles.ts'

const section = (path: string, more: Partial<RoleInput> = {}): RoleInput => ({
  path,
  title: '',
  headings: [],
  isCode: false,
  isContents: false,
  ...more,
})

it.each([
  ['CHANGELOG.md', 'release notes'],
  ['docs/Changes', 'release notes'],
  ['00-RELEASENOTES', 'release notes'],
  ['Documentation/RelNotes/2.39.0.txt', 'release notes'],
  ['docs/Guides/Migration-Guide-V4.md', 'upgrade guide'],
  ['Documentation/upgrades/upgrade_3_5.md', 'upgrade guide'],
  ['LICENSE', 'licence'],
  ['test/fixtures/a.md', 'test'],
  ['examples/basic.md', 'example'],
])('%s is %s', (path, role) => {
  expect(rolesOf(section(path))).toContain(role)
})

it.each([
  ['docs/testing/guide.md'],
  ['docs/history-api.md'],
  ['docs/exchanges.md'],
  ['src/migrate.ts'],
  ['docs/changing-passwords.md'],
])('%s is nothing of it', (path) => {
  expect(rolesOf(section(path, { isCode: path.endsWith('.ts') }))).toEqual([])
})

it('knows release notes and upgrades by their headings', () => {
  expect(rolesOf(section('a.md', { headings: ['[1.2.0] - 2024-01-02', 'Added'] }))).toEqual(['release notes'])
  expect(rolesOf(section('a.md', { headings: ['v1.6.4 to v2.0.0', 'Cookies'] }))).toEqual(['upgrade guide'])
  expect(rolesOf(section('a.md', { headings: ['Python 3.12 support'] }))).toEqual([])
})

it('knows a table of contents, which code has none of', () => {
  expect(rolesOf(section('a.md', { isContents: true }))).toEqual(['table of contents'])
  expect(rolesOf(section('a.ts', { isContents: true, isCode: true }))).toEqual([])
})

it('knows tests that stand beside what they test', () => {
  const code = { isCode: true }
  expect(rolesOf(section('src/lib.rs', { ...code, headings: ['tests', 'it_works'] }))).toEqual(['test'])
  expect(rolesOf(section('src/lib.rs', { ...code, headings: ['latest'] }))).toEqual([])
  expect(rolesOf(section('src/lib.rs', { ...code, headings: ['runs'], isTest: true }))).toEqual(['test'])
})

it('reads and compares versions', () => {
  expect(versionIn('v2.0.0-rc.1 (2024-01-02)')).toEqual({ release: '2.0.0', pre: 'rc.1' })
  expect(versionIn('[1.10.0] - 2024-01-02')).toEqual({ release: '1.10.0', pre: null })
  expect(versionIn('Added')).toBeNull()
  const version = (heading: string) => versionIn(heading) as Version
  expect(compareVersions(version('1.10.0'), version('1.9.2'))).toBeGreaterThan(0)
  expect(compareVersions(version('2.0.0'), version('2.0.0-beta'))).toBeGreaterThan(0)
  expect(compareVersions(version('2.0'), version('2.0.0'))).toBe(0)
})
