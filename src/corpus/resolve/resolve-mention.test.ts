// Does each way of writing a target lead to the right document, with the right certainty, and never outside the catalogue?
// Long because each way of writing a target is a row here.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { brief, catalogueOf, documentAt, mentionOf, resolveBrief } from '../../../test/support/catalogue.ts'
import { parseDocument } from '../../read/parse/parse-document.ts'
import { listOwnAnchors } from './find-section.ts'
import { resolveMention } from './resolve-mention.ts'

test('5.1.1 Markdown link parsing', () => {
  const text = `See [Service Onboarding](../architecture/SERVICE_ONBOARDING.md#retry-semantics)
and [External Docs](https://example.com/ext).

![Diagram](../images/arch.png)
`
  const { mentions } = parseDocument({ path: 'docs/guides/a.md', language: 'markdown', text })
  const catalogue = catalogueOf([
    'docs/guides/a.md',
    documentAt('docs/architecture/SERVICE_ONBOARDING.md', {
      anchors: ['overview', 'retry-semantics', 'logging'],
    }),
  ])
  const resolutions = mentions.map((mention) => resolveMention(mention, catalogue))
  expect(resolutions.filter(({ outcome }) => outcome === 'resolved')).toEqual([
    {
      outcome: 'resolved',
      path: 'docs/architecture/SERVICE_ONBOARDING.md',
      section: 'docs/architecture/SERVICE_ONBOARDING.md#retry-semantics',
      anchor: 'retry-semantics',
      confidence: 1,
      method: 'path',
    },
  ])
  expect(resolutions.map(({ outcome }) => outcome)).toEqual(['resolved', 'external', 'external'])
})

test('5.1.2 ADR ID parsing', () => {
  const text = 'As described in ADR-013 and ADR 14, we changed the retry semantics.\n'
  const { mentions } = parseDocument({ path: 'docs/a.md', language: 'markdown', text })
  const catalogue = catalogueOf(['docs/a.md', 'docs/adr/ADR-013-retries.md', 'docs/adr/ADR-014-timeouts.md'])
  expect(mentions.map(({ form, text: words }) => [form, words])).toEqual([
    ['id', 'ADR-013'],
    ['id', 'ADR 14'],
  ])
  expect(mentions.map((mention) => brief(resolveMention(mention, catalogue)))).toEqual([
    'docs/adr/ADR-013-retries.md id 0.95',
    'docs/adr/ADR-014-timeouts.md id 0.95',
  ])
})

const repository = catalogueOf([
  'README.md',
  'docs/README.md',
  'docs/a.md',
  'docs/b.md',
  'docs/sub/c.md',
  'docs/sub/README.md',
  'docs/sub/With Blank.md',
  'docs/Größe.md',
  'docs/UPPER.md',
  'docs/guide/01-start.md',
  'docs/notes.txt',
  'docs/both.md',
  'docs/both/README.md',
  'docs/lonely/deep/thing.md',
  'docs/x/twin.md',
  'docs/y/twin.md',
  'docs/bare/only.md',
  documentAt('docs/old.md', { frontmatter: { aliases: ['/legacy/old', 'former'], slug: 'renewed' } }),
])

test.each([
  ['b.md', 'docs/b.md path 1'],
  ['./b.md', 'docs/b.md path 1'],
  ['../docs/b.md', 'docs/b.md path 1'],
  ['/docs/b.md', 'docs/b.md path 1'],
  ['b.md?plain=1', 'docs/b.md path 1'],
  ['sub/With%20Blank.md', 'docs/sub/With Blank.md path 1'],
  ['sub/With Blank.md', 'docs/sub/With Blank.md path 1'],
  ['Gr%C3%B6%C3%9Fe.md', 'docs/Größe.md path 1'],
  ['sub\\c.md', 'docs/sub/c.md path 1'],
  ['notes.txt', 'docs/notes.txt path 1'],
  ['b', 'docs/b.md page 0.95'],
  ['b.html', 'docs/b.md page 0.95'],
  ['b/', 'docs/b.md page 0.95'],
  ['sub/', 'docs/sub/README.md page 0.95'],
  ['sub', 'docs/sub/README.md page 0.95'],
  ['sub/index.html', 'docs/sub/README.md page 0.95'],
  ['..', 'README.md page 0.85'],
  ['./', 'docs/README.md page 0.95'],
  ['/', 'external'],
  ['both/', 'docs/both/README.md page 0.85'],
  ['both', 'docs/both.md page 0.85'],
  ['../b', 'docs/b.md address 0.9'],
  ['former', 'docs/old.md alias 0.9'],
  ['renewed', 'docs/old.md alias 0.9'],
  ['/legacy/old', 'docs/old.md alias 0.9'],
  ['guide/start', 'docs/guide/01-start.md number 0.9'],
  ['upper.md', 'docs/UPPER.md case 0.85'],
  ['SUB/C.md', 'docs/sub/c.md case 0.85'],
  ['lonely/moved/thing.md', 'docs/lonely/deep/thing.md file-name 0.7'],
  ['deep/thing.md', 'docs/lonely/deep/thing.md path-end 0.75'],
  ['elsewhere/twin.md', 'ambiguous docs/x/twin.md docs/y/twin.md'],
  ['sub.md', 'docs/sub/README.md page 0.95'],
  ['nothing.md', 'missing'],
  ['gone/nothing/', 'missing'],
  ['bare/', 'external'],
  ['b.go', 'external'],
  ['a.md', 'self'],
  ['a.md#x', 'missing docs/a.md'],
  ['#readme', 'self'],
  ['#/route', 'self'],
  ['#x', 'missing docs/a.md'],
  ['', 'self'],
  ['https://example.com/docs/b.md', 'external'],
  ['//example.com/docs/b.md', 'external'],
  ['mailto:b.md@example.com', 'external'],
  ['tel:+123', 'external'],
  ['data:text/plain,b.md', 'external'],
  ['ftp://example.com/b.md', 'external'],
  ['%E0%A4%A.md', 'missing'],
])('resolves %j from docs/a.md to %j', (target, expected) => {
  expect(resolveBrief(repository, target, 'docs/a.md#some.section')).toBe(expected)
})

const site = catalogueOf([
  'content/en/docs/_index.md',
  'content/en/docs/concepts/pods/_index.md',
  'content/en/docs/concepts/config.v1beta1.md',
  'content/en/docs/concepts/nodes.md',
  'content/en/docs/reference/glossary/cluster.md',
  documentAt('content/en/docs/reference/glossary/crd.md', {
    frontmatter: { id: 'CustomResourceDefinition' },
  }),
  'content/en/docs/reference/tool/tool.md',
  'content/en/docs/reference/tool/tool_run/_index.md',
  'content/en/docs/reference/tool_run.md',
  'content/zh/docs/concepts/nodes.md',
  'content/zh/docs/reference/glossary/cluster.md',
  'content/zh/docs/reference/unique-name.md',
  'content/zh/docs/tasks/_index.md',
  'content/fr/docs/concepts/volumes.md',
  'content/de/docs/concepts/volumes.md',
])

test.each([
  ['/docs/concepts/pods/', 'content/en/docs/concepts/pods/_index.md site 0.9'],
  ['/docs/concepts/pods', 'content/en/docs/concepts/pods/_index.md site 0.9'],
  ['/docs/concepts/nodes/#a', 'content/en/docs/concepts/nodes.md site 0.9'],
  ['/zh/docs/concepts/nodes/', 'content/zh/docs/concepts/nodes.md site 0.9'],
  ['/docs/concepts/config.v1beta1/', 'content/en/docs/concepts/config.v1beta1.md site 0.9'],
  ['/docs/Concepts/Nodes/', 'content/en/docs/concepts/nodes.md site 0.85'],
  [
    '/docs/concepts/volumes/',
    'ambiguous content/de/docs/concepts/volumes.md content/fr/docs/concepts/volumes.md',
  ],
  ['/docs/concepts/gone/', 'missing'],
  ['/nodes', 'missing'],
  ['../tool_run/', 'content/en/docs/reference/tool/tool_run/_index.md address 0.85'],
  ['ref:/docs/concepts/nodes', 'content/en/docs/concepts/nodes.md site 0.9'],
  ['ref:../../concepts/nodes.md#a', 'content/en/docs/concepts/nodes.md path 1'],
  ['ref:tool_run', 'content/en/docs/reference/tool/tool_run/_index.md page 0.95'],
  ['ref:unique-name', 'content/zh/docs/reference/unique-name.md ref 0.7'],
  ['ref:gone', 'missing'],
  ['glossary:cluster', 'content/en/docs/reference/glossary/cluster.md glossary 0.9'],
  ['glossary:customresourcedefinition', 'content/en/docs/reference/glossary/crd.md glossary 0.9'],
  ['glossary:gone', 'missing'],
])('resolves %j on a Hugo site to %j', (target, expected) => {
  expect(resolveBrief(site, target, 'content/en/docs/reference/tool/tool.md')).toBe(expected)
})

test('prefers the language of the origin', () => {
  const from = (origin: string): string => resolveBrief(site, '/docs/concepts/nodes/', origin)
  expect(from('content/zh/docs/tasks/_index.md')).toBe('content/zh/docs/concepts/nodes.md site 0.9')
  expect(resolveBrief(site, 'glossary:cluster', 'content/zh/docs/tasks/_index.md')).toBe(
    'content/zh/docs/reference/glossary/cluster.md glossary 0.9',
  )
})

test.each([
  ['docs/docs/learn/a.md', '/docs/learn/b', ['docs/docs/learn/02-b.md'], 'docs/docs/learn/02-b.md'],
  ['website/docs/a.md', '/docs/guide/b', ['website/docs/guide/b.mdx'], 'website/docs/guide/b.mdx'],
  ['docs/a.md', '/guide/b.html', ['docs/guide/b.md', 'src/lib/guide/b.md'], 'docs/guide/b.md'],
  ['other/a.md', '/guide/b', ['docs/guide/b.md', 'src/lib/guide/b.md'], 'docs/guide/b.md'],
])('finds the root of the site of %s for %s', (origin, target, paths, expected) => {
  const resolution = resolveMention(mentionOf(target, origin), catalogueOf([origin, ...paths]))
  expect(resolution).toMatchObject({ outcome: 'resolved', path: expected })
})

test.each([
  ['retry-semantics', 'a.md#retry-semantics'],
  ['Retry-Semantics', 'a.md#retry-semantics'],
  ['retry_semantics', 'a.md#retry-semantics'],
  ['user-content-retry-semantics', 'a.md#retry-semantics'],
  ['what-s-new', 'a.md#whats-new'],
  ['gr%C3%B6%C3%9Fe', 'a.md#größe'],
  ['a-b', 'a.md#a--b'],
  ['gone', null],
  ['%', null],
  ['--', null],
])('finds the section of the anchor %j', (anchor, section) => {
  const catalogue = catalogueOf([
    'b.md',
    documentAt('a.md', { anchors: ['intro', 'retry-semantics', 'whats-new', 'größe', 'a--b'] }),
  ])
  expect(resolveMention(mentionOf(`a.md#${anchor}`, 'b.md'), catalogue)).toMatchObject({
    outcome: 'resolved',
    path: 'a.md',
    section,
    anchor,
  })
})

test('an absolute slug stands below the root folder of its documents', () => {
  const versions = ['www/docs', 'www/versioned_docs/version-1'].flatMap((root) => [
    documentAt(`${root}/further/faq.mdx`, { frontmatter: { slug: '/faq' } }),
    `${root}/main/start.mdx`,
  ])
  const docs = catalogueOf(versions)
  expect(resolveBrief(docs, '/docs/faq', 'www/docs/main/start.mdx')).toBe('www/docs/further/faq.mdx site 0.9')
  expect(resolveBrief(docs, '/docs/faq', 'www/versioned_docs/version-1/main/start.mdx')).toBe(
    'www/docs/further/faq.mdx site 0.9',
  )
  expect(resolveBrief(docs, '../faq', 'www/versioned_docs/version-1/main/start.mdx')).toBe(
    'www/versioned_docs/version-1/further/faq.mdx alias 0.9',
  )
})

test('a like name elsewhere is the nearest one, and none where a folder of code is meant', () => {
  const docs = catalogueOf(['v1/main/start.md', 'v1/server/express.md', 'v2/server/express.md'], {
    codePaths: ['v1/main/src/express/app.ts'],
  })
  expect(resolveBrief(docs, 'express', 'v1/main/start.md')).toBe('v1/server/express.md file-name 0.7')
  expect(resolveBrief(docs, './src/express', 'v1/main/start.md')).toBe('external')
})

test('an anchor may be that of a heading in a quoted block', () => {
  const texts = [{ id: 'src/own.md#moves', text: '## Moves\n\n> ### The Stack and the Heap\n>\n> Words.\n' }]
  const target = documentAt('src/own.md', { anchors: ['moves'], ownAnchors: listOwnAnchors(texts) })
  const book = catalogueOf(['src/types.md', target])
  expect(resolveBrief(book, 'own.html#the-stack-and-the-heap', 'src/types.md')).toBe(
    'src/own.md#moves page 0.95',
  )
})

test('a page above the root of a book is no page of the corpus', () => {
  const book = catalogueOf(['old/src/SUMMARY.md', 'old/src/box.md', 'src/SUMMARY.md', 'src/drop.md'])
  expect(resolveBrief(book, '../std/index.html', 'src/drop.md')).toBe('external')
  expect(resolveBrief(book, '../drop.html', 'old/src/box.md')).toBe('external')
  expect(resolveBrief(book, 'lost.html', 'src/drop.md')).toBe('missing')
  expect(resolveBrief(book, '../lost.md', 'src/drop.md')).toBe('missing')
})

test('resolves wiki links by name, by path and by title', () => {
  const wiki = catalogueOf([
    'Home.md',
    'notes/My-Page.md',
    documentAt('notes/x.md', { title: 'A Long Title' }),
    'a/t.md',
    'b/t.md',
  ])
  const resolve = (target: string): string => resolveBrief(wiki, target, 'Home.md', 'wiki')
  expect(resolve('My Page')).toBe('notes/My-Page.md wiki 0.9')
  expect(resolve('my-page')).toBe('notes/My-Page.md wiki 0.9')
  expect(resolve('notes/x')).toBe('notes/x.md page 0.95')
  expect(resolve('a long title')).toBe('notes/x.md title 0.85')
  expect(resolve('t')).toBe('ambiguous a/t.md b/t.md')
  expect(resolve('#here')).toBe('self')
  expect(resolve('Nowhere')).toBe('missing')
})

test('takes addresses on a code host that end with the path of a document for it, without being sure', () => {
  const paths = ['README.md', 'docs/a.md', 'docs/b.md']
  const at = (address: string): string => resolveBrief(catalogueOf(paths), address, 'docs/b.md')
  expect(at('https://github.com/acme/tool/blob/main/docs/a.md#x')).toBe('docs/a.md repository 0.6')
  expect(at('https://github.com/acme/tool/blob/release/v1/docs/a.md')).toBe('docs/a.md repository 0.6')
  expect(at('https://gitlab.com/acme/tool/-/blob/main/docs/a.md')).toBe('docs/a.md repository 0.6')
  expect(at('https://raw.githubusercontent.com/acme/tool/main/docs/a.md')).toBe('docs/a.md repository 0.6')
  expect(at('https://github.com/acme/tool/blob/main/README.md')).toBe('external')
  expect(at('https://github.com/acme/tool/blob/main/gone.md')).toBe('external')
  expect(at('https://github.com/acme/tool/issues/1')).toBe('external')
})

const vectors = [
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '/../../etc/passwd',
  'file:///etc/passwd',
  '//host/share/a.md',
  '\\\\host\\share\\a.md',
  'C:\\a.md',
  '/etc/passwd',
  '~/a.md',
  'a.md\0.png',
  '....//....//b.md',
  './..//../..//../b.md',
  '../../../docs/b.md',
  'ref:../../../../docs/b.md',
  'glossary:../../b',
  'https://github.com/a/b/blob/main/../../../../etc/passwd',
  '__proto__',
  'constructor',
  'toString/',
]

test.each(vectors)('T19: %j leads to no place outside the catalogue', (target) => {
  const resolution = resolveMention(mentionOf(target, 'docs/a.md'), repository)
  if (resolution.outcome === 'resolved') expect(repository.documents.has(resolution.path)).toBe(true)
  else expect(resolution.candidates.every((path) => repository.documents.has(path))).toBe(true)
})

test('T19: a path that climbs above the root is missing, even when its end names a document', () => {
  expect(resolveBrief(repository, '../../../docs/b.md', 'docs/a.md')).toBe('missing')
  expect(resolveBrief(repository, '/../docs/b.md', 'docs/a.md')).toBe('missing')
})

const parts = fc.constantFrom(
  'a',
  'b',
  'docs',
  '.md',
  '.html',
  '/',
  '//',
  '..',
  '.',
  '#',
  '?',
  '%',
  '%2e',
  '%2F',
  '\\',
  ':',
  'http://',
  'ref:',
  'glossary:',
  'README',
  '_index',
  'index',
  'ADR-',
  '1',
  '13',
  'é',
  '\0',
  ' ',
  '~',
  'github.com/o/r/blob/main/',
  '__proto__',
)
const text = fc.array(parts, { maxLength: 12 }).map((words) => words.join(''))

test('never throws, never leaves the catalogue, and is the same every time', () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 12 }),
      text,
      fc.constantFrom('link', 'wiki', 'id', 'image'),
      (paths, target, form) => {
        const documents = paths.filter((path) => path !== '')
        const catalogue = catalogueOf(documents)
        const mention = mentionOf(target, documents[0] ?? 'a.md', form)
        const resolution = resolveMention(mention, catalogue)
        expect(resolveMention(mention, catalogueOf([...documents].reverse()))).toEqual(resolution)
        const named = resolution.outcome === 'resolved' ? [resolution.path] : resolution.candidates
        expect(named.every((path) => catalogue.documents.has(path))).toBe(true)
        if (resolution.outcome !== 'resolved') return
        expect(resolution.path).not.toBe(mention.origin)
        expect(resolution.confidence > 0 && resolution.confidence <= 1).toBe(true)
      },
    ),
    { numRuns: 5_000 },
  )
})

test.each(['../', './', 'a/', '/', '%2e', '#', '\\', 'a', '?', 'ref:', '%'])(
  'T14: a target of many %j is resolved in linear time',
  (seed) => {
    const timeOf = (chars: number): number => {
      const mention = mentionOf(seed.repeat(chars / seed.length), 'docs/a.md')
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < 3; round++) {
        const started = processorTime()
        resolveMention(mention, repository)
        best = Math.min(best, processorTime() - started)
      }
      return best
    }
    expect(timeOf(1_000_000)).toBeLessThan(Math.max(1_000, 6 * timeOf(250_000)))
  },
)
