// Which file does a resource of Antora mean from a page, a partial or a navigation of a module?
import { expect, test } from 'vitest'
import { readResource } from './read-target.ts'

const page = 'docs/modules/api/pages/sub/a.adoc'

test.each([
  ['a page of the module', 'b.adoc#x', page, '/docs/modules/api/pages/b.adoc#x'],
  [
    'a page from the navigation',
    'index.adoc',
    'docs/modules/api/nav.adoc',
    '/docs/modules/api/pages/index.adoc',
  ],
  ['a page from a partial', 'b.adoc', 'modules/ROOT/partials/p.adoc', '/modules/ROOT/pages/b.adoc'],
  ['a page of another module', 'cli:man/b.adoc', page, '/docs/modules/cli/pages/man/b.adoc'],
  ['a family', 'partial$b.adoc', page, '/docs/modules/api/partials/b.adoc'],
  ['a family of another module', 'cli:example$b.rb', page, '/docs/modules/cli/examples/b.rb'],
  ['another component', 'other:cli:b.adoc', page, 'antora:other:cli:b.adoc'],
  ['another version', '2.0@cli:b.adoc', page, 'antora:2.0@cli:b.adoc'],
  ['a path from the page', './b.adoc', page, './b.adoc'],
  ['an address', 'https://example.org/b.adoc', page, 'https://example.org/b.adoc'],
  ['a label', 'label:b', page, 'label:b'],
  ['a file outside a module', 'b.adoc', 'docs/a.adoc', 'b.adoc'],
])('reads %s', (_, written, origin, expected) => {
  expect(readResource(written, origin)).toBe(expected)
})
