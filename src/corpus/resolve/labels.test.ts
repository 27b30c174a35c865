// Do labels, paths from a documentation's root and manual pages lead to the right place?
import { expect, test } from 'vitest'
import { brief, catalogueOf, documentAt, mentionOf } from '../../../test/support/catalogue.ts'
import { resolveMention } from './resolve-mention.ts'

test('a label leads to the place that carries it, an object also by the end of its name', () => {
  const labels = new Map([
    ['setup', 2],
    [':environment', 1],
    [':environment.loader', 1],
    ['top', 0],
    ['test generators', 2],
  ])
  const catalogue = catalogueOf([
    'docs/a.rst',
    documentAt('docs/b.rst', { anchors: ['api', 'installing'], labels }),
    documentAt('other/c.rst', { anchors: ['x'], labels: new Map([['own', 1]]) }),
  ])
  const from = (target: string, origin = 'docs/a.rst'): string =>
    brief(resolveMention(mentionOf(target, origin), catalogue))
  expect(from('label:setup')).toBe('docs/b.rst#installing label 0.95')
  expect(from('role::jinja2.environment.loader')).toBe('docs/b.rst#api label 0.95')
  expect(from('role::setting:environment')).toBe('docs/b.rst#api label 0.95')
  expect(from('role::other.environment')).toBe('external')
  expect(from(`role::${'a.'.repeat(100_000)}environment`)).toBe('external')
  expect(from('label:top')).toBe('docs/b.rst label 0.95')
  expect(from('b.html#setup')).toBe('docs/b.rst#installing page 0.95')
  expect(from('b.html#test-generators')).toBe('docs/b.rst#installing page 0.95')
  expect(from('label:nothing')).toBe('missing')
  expect(from('role:setup')).toBe('docs/b.rst#installing label 0.95')
  expect(from('role:nothing')).toBe('external')
  expect(from('label:own', 'other/c.rst')).toBe('self')
  expect(from('label:x', 'other/c.rst')).toBe('self')
})

test('a path from the root of a documentation starts at the nearest folder that has it', () => {
  const catalogue = catalogueOf([
    'docs/en/a/b.rst',
    'docs/en/more.rst',
    'docs/more.rst',
    'docs/en/sent.rst.txt',
  ])
  const from = (target: string): string =>
    brief(resolveMention(mentionOf(target, 'docs/en/a/b.rst'), catalogue))
  expect(from('doc:/more')).toBe('docs/en/more.rst page 0.95')
  expect(from('doc:/sent')).toBe('docs/en/sent.rst.txt page 0.95')
  expect(from('doc:/a/b')).toBe('self')
  expect(from('doc:/nothing')).toBe('missing')
})

test('a manual page is a fact that nothing follows, and external when it is not here', () => {
  const catalogue = catalogueOf([
    'man/man1/a.1',
    'man/man3/printf.3',
    'Documentation/git-log.txt',
    'Documentation/git.txt',
    'Documentation/git-gui.txt',
    'git-gui/README.md',
    'gitk/README.md',
  ])
  const from = (target: string, origin: string): string =>
    brief(resolveMention(mentionOf(target, origin), catalogue))
  expect(from('man:printf.3', 'man/man1/a.1')).toBe('man/man3/printf.3 man 0.5')
  expect(from('man:git-log', 'Documentation/git.txt')).toBe('Documentation/git-log.txt man 0.5')
  expect(from('man:git-gui', 'Documentation/config/gui.txt')).toBe('Documentation/git-gui.txt man 0.5')
  expect(from('man:gitk', 'Documentation/git.txt')).toBe('external')
  expect(from('man:ls.1', 'man/man1/a.1')).toBe('external')
})
