// Which paths are refused?
import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ServiceError } from '../errors.ts'
import { checkPath } from './check-path.ts'

it('takes ordinary paths as they are, and one form of composed letters', () => {
  for (const path of ['README.md', 'docs/a b/ü.md', 'src/[slug].tsx', '.github/x.md', 'a..b', '...'])
    expect(checkPath(path)).toBe(path)
  expect(checkPath('cafe\u0301.md')).toBe('caf\u00e9.md')
})

it.each([
  '',
  '/etc/passwd',
  '..',
  '../x.md',
  'a/../../x.md',
  'a/./b',
  'a//b',
  'a/',
  'C:\\x.md',
  'a\\..\\b',
  'a\0b',
  'a\nb',
  'a\u2028b',
  '\ud800.md',
  '.yore/index.db',
  'x/.YORE/owner',
  '.git/config',
  `${'a'.repeat(256)}.md`,
  'a/'.repeat(600),
  `${'a/'.repeat(64)}x.md`,
])('refuses %j', (path) => {
  expect(() => checkPath(path)).toThrow(ServiceError)
})

it('never lets a path out of its folder', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('..', '.', 'a', '/', '\\', '%2e', '\0', 'b.md')), (parts) => {
      let path: string
      try {
        path = checkPath(parts.join(''))
      } catch {
        return
      }
      expect(posix.resolve('/root', path)).toBe(`/root/${path}`)
      expect(path.split('/').some((segment) => segment === '..' || segment === '')).toBe(false)
    }),
  )
})
