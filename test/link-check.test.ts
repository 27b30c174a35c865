// Does `yore links` call broken what is broken, and nothing else? CI stops by its word.
import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LinkReport } from '../src/check/links/link-report.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string
let engine: Engine
beforeEach(() => {
  root = makeFolder()
  engine = openCorpus(root, { 'embedding.provider': 'none', maxFileSize: 2000 })
})
afterEach(() => engine.close())

const targets = (faults: LinkReport['broken']): string[] => faults.map(({ target }) => target)

async function check(): Promise<LinkReport> {
  await engine.index()
  return (await engine.checkLinks()).links
}

it('does not call a file or a folder broken that is there and not in the index', async () => {
  writeFiles(root, {
    'README.md': [
      '[code](pkg/) [code without a slash](pkg) [data](data/) [make](Makefile) [ignored](private.md)',
      '[large](docs/large.md) [digest](digest.md) [ignored code](dist/app.py) [root](/Makefile)',
    ].join('\n\n'),
    'docs/guide.md': '[up](../Makefile) [from the root](docs/large.md)\n',
    '.gitignore': 'private.md\ndist\n',
    'pkg/app.py': 'x = 1\n',
    'data/a.json': '{}',
    Makefile: 'binary\0',
    'private.md': '# Private\n',
    'docs/large.md': 'x '.repeat(2000),
    'digest.md': '# Context Digest for: "x"\n\n**Token Budget:** 1\n',
    'dist/app.py': 'x = 1\n',
  })
  const links = await check()
  expect(targets(links.broken)).toEqual([])
  expect(targets(links.unindexed)).toEqual(
    'Makefile private.md docs/large.md digest.md dist/app.py /Makefile ../Makefile docs/large.md'.split(' '),
  )
})

it('does not look outside the root', async () => {
  const outside = makeFolder()
  try {
    writeFiles(outside, { Makefile: 'all:\n', 'app.py': 'x = 1\n' })
    symlinkSync(outside, path.join(root, 'out'))
    const name = path.basename(outside)
    writeFiles(root, { 'README.md': `[a](../${name}/Makefile) [b](out/Makefile) [c](../${name}/app.py)\n` })
    const links = await check()
    expect(targets(links.broken)).toEqual([`../${name}/Makefile`, 'out/Makefile'])
    expect(links.unindexed).toEqual([])
  } finally {
  }
})

it('calls a link to code broken when the code is not there, also after it was deleted', async () => {
  writeFiles(root, {
    'README.md': '[a](app.py) [b](missing.py) [c](lib/missing.go#L3) [image](missing.png) [data](x.json)\n',
    'app.py': 'x = 1\n',
  })
  const before = await check()
  expect(targets(before.broken)).toEqual(['missing.py', 'lib/missing.go#L3'])
  expect(before.checked).toBe(3)
  rmSync(path.join(root, 'app.py'))
  const after = await check()
  expect(targets(after.broken)).toEqual(['app.py', 'missing.py', 'lib/missing.go#L3'])
  expect(after.checked).toBe(3)
  writeFiles(root, { 'app.py': 'x = 1\n', 'missing.py': 'x = 1\n' })
  expect(targets((await check()).broken)).toEqual(['lib/missing.go#L3'])
})

it('takes a bare file name in a comment for prose, unless a document has it', async () => {
  writeFiles(root, {
    'app.py': [
      '"""SOURCES.txt might contain more than CHANGES.txt; see DESIGN.md and docs/gone.md."""',
      '# CHANGELOG.md of the package',
      'x = 1',
    ].join('\n'),
    'docs/DESIGN.md': '# Design\n',
    'a/CHANGELOG.md': '# A\n',
    'b/CHANGELOG.md': '# B\n',
  })
  const links = await check()
  expect([links.broken, links.ambiguous]).toEqual([[], []])
  expect(targets(links.doubtful)).toEqual(['docs/gone.md'])
  expect(links.checked).toBe(2)
})

it('doubts what a template writes, what code shows as an example, and what a tool makes', async () => {
  writeFiles(root, {
    'content/install/linux.md':
      '[a](/install/) [b](/nowhere/page/) [c](/install/gone) [d]({{ .URL }})\n\n[e](gone.md)\n',
    'docs/api.md': '[Matcher](trait.Matcher.html) [x](crate::args)\n',
    'src/a.py': '# See docs/example.txt for the format.\nx = 1\n',
    'tests/page.md': '[f](nothing.md)\n',
  })
  const links = await check()
  expect(targets(links.broken)).toEqual(['/install/gone', 'gone.md'])
  expect(links.doubtful.map(({ target, why }) => `${target}: ${why}`)).toEqual(
    expect.arrayContaining([
      '/nowhere/page/: a site generator may make it',
      'trait.Matcher.html: a tool may make it',
      'nothing.md: in a test, or in text that others wrote',
    ]),
  )
})

it('takes no path in an example of a comment for a document', async () => {
  const example = '/// ```markdown\n/// - [Title](relative/path/to/format.md)\n/// ```\n'
  writeFiles(root, {
    'src/lib.rs': `/// A list of chapters:\n///\n${example}pub fn parse() {}\n\n/// Reads old/format.md.\npub fn read() {}\n`,
    'guide/format.md': '# Format\n',
  })
  const { moved, broken } = await check()
  expect([targets(moved), broken]).toEqual([['old/format.md'], []])
})

it('knows what a site serves: public folders, redirects, pages that a tool makes, lists of a folder', async () => {
  writeFiles(root, {
    'docs/guide/a.md':
      '# A\n\n[a](/play.html) [b](/old/page.html) [c](/app/guide/a.html#x) [d](/older/b/) [e](gates/#FastGate) [f](first/index.html) [g](/guide/lost)\n',
    'docs/public/play.html': '<h1>Play</h1>\n',
    'docs/public/_redirects': '/old/page /guide/a 301\n/older/* /guide/:splat 301\n',
    'docs/guide/gates/index.md': '# Gates\n\nA list.\n',
    'docs/guide/gates/FastGate.md': '# Fast\n',
    'first/src/a.md': '# A\n',
  })
  const { broken, anchors, doubtful } = await check()
  expect([targets(broken), targets(anchors)]).toEqual([['/guide/lost'], []])
  expect(doubtful.map(({ target, why }) => `${target}: ${why}`)).toEqual([
    '/old/page.html: the site redirects or makes it',
    '/app/guide/a.html#x: a tool may make it',
    '/older/b/: the site redirects or makes it',
    'first/index.html: a tool may make it',
    'gates/#FastGate: the page lists the pages of its folder',
  ])
})

it('doubts a link that several books of one site could serve', async () => {
  writeFiles(root, {
    'redirects/a.md': '# A\n\n[a](ch01.html) [b](ch02.html)\n',
    'one/src/ch01.md': '# One\n',
    'two/src/ch01.md': '# One\n',
    'one/src/ch02.md': '# Two\n',
  })
  const { broken, ambiguous, moved, doubtful } = await check()
  expect([broken, ambiguous, moved]).toEqual([[], [], []])
  expect(targets(doubtful)).toEqual(['ch01.html'])
})

it('takes the ids of headings for anchors, in attributes and in comments of MDX', async () => {
  writeFiles(root, {
    'learn.mdx':
      '# Learn\n\n## Try React {/*sandbox*/}\n\nText.\n\n## Set up {/* #installation */}\n\nText.\n\n## Deploy {#shipping}\n\nText.\n\n- Item {/* #listed */}\n\n> ### Quoted {/*aside*/}\n',
    'start.mdx':
      '# Start\n\n[a](learn.mdx#sandbox) [b](learn.mdx#installation) [c](learn.mdx#shipping) [d](learn.mdx#listed) [e](learn.mdx#aside) [f](learn.mdx#lost)\n',
  })
  expect(targets((await check()).anchors)).toEqual(['learn.mdx#lost'])
  const { output } = await engine.assemble('How do I set up and deploy React?')
  expect(output).toContain('### Set up')
  expect(output).not.toMatch(/^#.*[{}]/m)
})

it('doubts templates of documents, pages of dynamic routes and line numbers', async () => {
  writeFiles(root, {
    'proposal-templates/0000-template.md': '# Title\n\n[a](NNNN-filename.md)\n',
    'src/pages/errors/[code].tsx': 'export default function Page() {\n  return null\n}\n',
    'src/content/errors/index.md': '# Errors\n\n[b](/errors/149) [c](/errors/sub/150) <a href={url}>d</a>\n',
    'src/content/errors/sub/index.md': '# Sub\n\n[d](../index.md?plain=1#L3)\n',
  })
  const { broken, anchors, doubtful } = await check()
  expect([targets(broken), targets(anchors)]).toEqual([['/errors/sub/150'], []])
  expect(targets(doubtful)).toEqual(['NNNN-filename.md', '/errors/149', '{url}', '../index.md?plain=1#L3'])
})

it('knows how Docusaurus finds files: from the site, from the root of the content, in imported parts', async () => {
  writeFiles(root, {
    'site/docusaurus.config.ts': 'export default { title: "Site" }\n',
    'site/docs/blog.mdx': '# Blog\n\n[e](gone.md)\n',
    'site/docs/api/plugin.mdx':
      "# Plugin\n\nimport Part from './part.mdx'\n\n<Part />\n\n[a](blog.mdx) [b](@site/docs/blog.mdx) [c](#tags-file) [d](/tests/docs) [f](how-to/index) [g](../typescript/index)\n",
    'site/sidebars.js':
      "export default [\n  { slug: '/how-to/index' },\n  { type: 'generated-index', slug: 'typescript/index' },\n]\n",
    'site/docs/api/_part.mdx': '## Tags file\n\nText.\n',
    'site/_own/tests/page.md': '# Page\n',
  })
  const { broken, moved, anchors } = await check()
  expect([targets(broken), targets(moved), targets(anchors)]).toEqual([['gone.md'], [], []])
})

it('is silenced by a comment beside the link and by a setting', async () => {
  writeFiles(root, {
    'README.md':
      '[a](a.md) <!-- yore-ignore-link -->\n\n<!-- yore-ignore-link: planned -->\n[b](b.md)\n\n[c](c.md)\n',
    'archive/old.md': '[d](d.md)\n',
  })
  expect(targets((await check()).broken)).toEqual(['c.md', 'd.md'])
  const told = openCorpus(root, { 'embedding.provider': 'none', ignoreLinks: ['archive/**', 'c.md'] })
  const { links } = await told.checkLinks()
  told.close()
  expect([targets(links.broken), links.silenced]).toEqual([[], 4])
})

it('lists a target once for a line, however often it names it', async () => {
  writeFiles(root, {
    'README.md':
      '# A\n\nSee [gone.md](gone.md), [again](gone.md).\n\nAnd [later](gone.md), [a](page.md#b) [c](page.md#b).\n',
    'page.md': '# Page\n\nText.\n',
  })
  const { broken, anchors } = await check()
  expect(broken.map(({ line, target }) => `${line} ${target}`)).toEqual(['3 gone.md', '5 gone.md'])
  expect(targets(anchors)).toEqual(['page.md#b'])
})

it('takes <a id>, <a name>, {#id}, the title and #top for anchors', async () => {
  writeFiles(root, {
    'README.md':
      '[a](page.md#one) [b](page.md#two) [c](page.md#three) [d](page.md#four) [e](page.md#top) [f](page.md#my-page)\n',
    'page.md':
      '---\ntitle: My page\n---\n\n<a id="one"></a>\n\nText <a class="x" name=\'two\'></a>.\n\n## Last {#four}\n\nText.\n',
  })
  expect(targets((await check()).anchors)).toEqual(['page.md#three'])
})

it('takes terms of definition lists for anchors, each once', async () => {
  writeFiles(root, {
    'README.md':
      '[a](page.md#cachedir) [b](page.md#time-zone) [c](page.md#targets) [d](page.md#targets-1) [e](page.md#gone)\n',
    'page.md':
      '# Page\n\n## Settings\n\n`cacheDir`\n: (`string`) A folder.\n\n`targets`\n: A list of [targets](#targets-1).\n\nTime zone\n\n: Of dates.\n\n## Targets\n\nText.\n',
  })
  expect(targets((await check()).anchors)).toEqual(['page.md#gone'])
  const { graph } = await engine.graph('README.md', { direction: 'out' })
  const led = graph.edges.map(({ to }) => to).filter((to) => to.startsWith('page'))
  expect([...new Set(led)].sort()).toEqual(['page.md', 'page.md#page.settings', 'page.md#page.targets'])
})

it('doubts a name that documents of several folders link to and no file has, and a layout that it does not know', async () => {
  const page =
    '[one](term) [two](/docs/api) [three](/docs/guide#top)\n\n[four][tool]\n\n[tool]: <{{% etu tool %}}>\n'
  writeFiles(root, {
    'src/docs/text/a/one.md': page,
    'src/docs/text/b/two.md': `${page}\n[lost](lost.md)\n`,
    'src/docs/text/c/three.md': page,
    'src/docs/text/api.md': '# API\n\n[Home](home)\n',
    'src/docs/text/guide.md': '# Guide\n\n[Home](home)\n',
  })
  const links = await check()
  expect(targets(links.broken)).toEqual(['home', 'lost.md', 'home'])
  expect([...new Set(links.doubtful.map(({ target, why }) => `${target}: ${why}`))].sort()).toEqual([
    '/docs/api: such links rarely have a file here',
    '/docs/guide#top: such links rarely have a file here',
    'term: such links rarely have a file here',
    '{{% etu tool %}}: a template writes it',
  ])
})

it('follows an anchor to the section that it stands in, or before', async () => {
  writeFiles(root, {
    'README.md': '# Start\n\nHow zebras sleep: [a](page.md#inside) and [b](page.md#before).\n',
    'page.md':
      '# Page\n\nIntro.\n\n## First\n\nOne. <a id="inside"></a>Two.\n\n<a name="before"></a>\n\n## Second\n\nThree.\n',
  })
  await check()
  const { graph } = await engine.graph('README.md', { direction: 'out' })
  const led = graph.edges.map(({ to }) => to).filter((to) => to.startsWith('page'))
  expect(led.sort()).toEqual(['page.md#page.first', 'page.md#page.second'])
})

it('doubts an anchor of a page that data makes', async () => {
  writeFiles(root, {
    'README.md': '[a](lang.md#format)\n',
    'lang.md': '---\ntitle: lang\ntype: template-func\n---\n',
  })
  const links = await check()
  expect(links.anchors).toEqual([])
  expect(links.doubtful).toMatchObject([
    { target: 'lang.md#format', why: 'a template or another page may write the heading' },
  ])
})

it('takes no test data for the document of a number', async () => {
  writeFiles(root, {
    'guide.md': 'As RFC 2047 and RFC 2822 say.\n',
    't/t5100/rfc2047-info-1': 'Author: A\n',
    't/t5100/rfc2047-info-2': 'Author: B\n',
    'tests/rfc2822-a.md': '# A\n',
    'tests/rfc2822-b.md': '# B\n',
  })
  const links = await check()
  expect([links.broken, links.ambiguous, links.checked]).toEqual([[], [], 0])
})

it('doubts anchors of a page whose headings a template writes', async () => {
  writeFiles(root, {
    'a.md': '# A\n\n## {{% heading "prerequisites" %}}\n\nText.\n',
    'b.md': '# B\n\nText with {{< glossary_tooltip >}} in it.\n',
    'c.md': '# C\n\n[1](a.md#before-you-begin) [2](b.md#gone) [3](d.md#part)\n',
    'd.md': '# D\n\n{{% include "/parts/part.md" %}}\n',
  })
  const { anchors, doubtful } = await check()
  expect(targets(anchors)).toEqual(['b.md#gone'])
  expect(targets(doubtful)).toEqual(['a.md#before-you-begin', 'd.md#part'])
})

it('doubts anchors of tabs, and of headings and terms that a comment makes a hook write', async () => {
  writeFiles(root, {
    'a.md': '# A\n\n## <!-- md:setting config.enabled -->\n\nText.\n',
    'b.md': '# B\n\n<!-- md:option toc.slugify -->\n\n:   Slugs.\n',
    'c.md': '# C\n\n<!-- No heading. -->\n\nText.\n',
    'logo.md': '# Logo\n\n=== "Image"\n\n    Text.\n',
    'd.md': '# D\n\n[1](a.md#config.enabled) [2](b.md#+toc.slugify) [3](c.md#gone) [4](logo.md#logo-image)\n',
  })
  const { anchors, doubtful } = await check()
  expect(targets(anchors)).toEqual(['c.md#gone'])
  expect(targets(doubtful)).toEqual(['a.md#config.enabled', 'b.md#+toc.slugify', 'logo.md#logo-image'])
})

it('doubts an anchor of an address, which may name a release or a fork', async () => {
  const forge = 'https://github.com/owner/name/blob'
  writeFiles(root, {
    'docs/types.md': '# Types\n\nText.\n',
    'docs/a.md': `# A\n\n[release](${forge}/v1.4.0/docs/types.md#any) [gone](types.md#any)\n`,
  })
  const { anchors, doubtful } = await check()
  expect(targets(anchors)).toEqual(['types.md#any'])
  expect(targets(doubtful)).toEqual([`${forge}/v1.4.0/docs/types.md#any`])
})

it('doubts names that Sphinx resolves, and addresses without a protocol', async () => {
  writeFiles(root, {
    'docs/conf.py': "# See log.readthedocs.io/llms.txt and gone.io\nextensions = ['myst_parser']\n",
    'docs/extras/llms.txt': 'Text.\n',
    'docs/guide/why.md': '# Why\n\n[](filtering) and [gone](gone.md).\n',
    'README.md': '# Log\n\n[Filtering](filtering)\n',
  })
  const { broken, moved, doubtful } = await check()
  expect(targets([...broken, ...moved])).toEqual(['filtering', 'gone.md'])
  expect(targets(doubtful)).toEqual(['filtering'])
})

it('takes no page for an orphan that a navigation lists, and no file that is no document', async () => {
  writeFiles(root, {
    'README.md': '# Site\n',
    LICENSE: 'Free.\n',
    'app/templates/layout.html': '<h1>Shop</h1>\n<p>Orders</p>\n',
    'docs/CNAME': 'example.org\n',
    'lib/py.typed': 'partial\n',
    'mkdocs.yml': 'site_name: Site\nnav:\n  - Welcome: index.md\n  - Topics:\n      - Logs: topics/logs.md\n',
    'docs/index.md': '# Welcome\n',
    'docs/topics/logs.md': '# Logs\n',
    'docs/topics/lost.md': '# Lost\n',
    'book/conf.py': 'extensions = []\n',
    'book/index.rst': 'Book\n====\n\n.. toctree::\n\n   first\n',
    'book/first.rst': 'First\n=====\n',
    'book/second.rst': 'Second\n======\n',
    'other/mkdocs.yml': 'docs_dir: pages\n',
    'other/pages/any.md': '# Any\n',
  })
  expect((await check()).orphans).toEqual(['book/second.rst', 'docs/topics/lost.md'])
})

it('lists a label of Sphinx that nothing defines, and doubts it where an extension may', async () => {
  const page =
    'Page\n====\n\n.. _here:\n\nPart\n----\n\nSee :ref:`here`, :ref:`other <there>`, :ref:`lost`, :ref:`python:tut`, :ref:`genindex`, :ref:`in-code`.\n'
  writeFiles(root, {
    'plain/conf.py': 'extensions = [\n    "sphinx.ext.autodoc",  # of Sphinx\n]\n',
    'plain/index.rst': page,
    'plain/b.rst': '.. _there:\n\nB\n=\n',
    'extended/conf.py': 'extensions = ["sphinx.ext.intersphinx", "sphinx_argparse_cli"]\n',
    'extended/index.rst': page.replace('lost', 'unknown'),
    'lib/code.py': 'def run():\n    """Run.\n\n    .. _in-code:\n    """\n',
    'none/index.rst': page.replace('lost', 'nowhere'),
  })
  const { broken, doubtful } = await check()
  expect(broken.map(({ path, line, target }) => `${path}:${line} ${target}`)).toEqual([
    'plain/index.rst:9 :ref:`lost`',
  ])
  expect(doubtful.map(({ target, why }) => `${target}: ${why}`)).toEqual([
    ':ref:`unknown`: an extension or another project may have the label',
  ])
})

it('finds resources of Antora where its modules have them', async () => {
  writeFiles(root, {
    'docs/antora.yml': 'name: tool\nversion: ~\nnav:\n- modules/ROOT/nav.adoc\n',
    'docs/modules/ROOT/nav.adoc':
      '* xref:index.adoc[Home]\n* xref:sub/a.adoc[A]\n* xref:cli:index.adoc[CLI]\n',
    'docs/modules/ROOT/pages/index.adoc':
      '= Home\n\nxref:old.adoc[A] xref:gone.adoc[] xref:other:ROOT:x.adoc[]\n',
    'docs/modules/ROOT/pages/sub/a.adoc':
      '= A\n:page-aliases: old.adoc\n\nxref:index.adoc[] xref:./b.adoc[] link:$$https://example.org$$[x]\n\ninclude::partial$p.adoc[]\n\ninclude::example$e.rb[]\n\n include::literal.adoc[]\n',
    'docs/modules/ROOT/pages/sub/b.adoc': '= B\n\nxref:cli:gone.adoc[]\n',
    'docs/modules/ROOT/partials/p.adoc': 'See xref:sub/b.adoc[B].\n',
    'docs/modules/ROOT/examples/e.rb': 'puts 1\n',
    'docs/modules/cli/pages/index.adoc': '= CLI\n\nxref:ROOT:index.adoc[]\n',
  })
  const { broken, moved, ambiguous, unindexed } = await check()
  expect([targets(broken), moved, ambiguous, unindexed]).toEqual([['gone.adoc', 'cli:gone.adoc'], [], [], []])
})

it('finds files of Sphinx from the root of its sources', async () => {
  writeFiles(root, {
    'doc/en/conf.py': "project = 'x'\n",
    'doc/en/index.rst': 'X\n=\n\n.. toctree::\n\n   /how/a\n',
    'doc/en/how/a.rst':
      'A\n=\n\n.. literalinclude:: /example/a.py\n\n.. include:: /data/big.rst\n\n.. literalinclude:: /example/gone.py\n',
    'doc/en/example/a.py': 'x = 1\n',
    'doc/en/data/big.rst': 'x '.repeat(2000),
  })
  const { broken, unindexed } = await check()
  expect([targets(broken), targets(unindexed)]).toEqual([['doc:/example/gone.py'], ['doc:/data/big.rst']])
})

it('follows the labels and directives of MyST', async () => {
  writeFiles(root, {
    'docs/conf.py': "extensions = ['sphinx.ext.autodoc']\n",
    'docs/index.md':
      '# X\n\n```{toctree}\na\ngone\n```\n\n[core](syntax/core) [core](#syntax/core) {ref}`no-label`\n',
    'docs/a.md': '(syntax/core)=\n# A\n\n```{include} ../CHANGES.md\n```\n',
    'CHANGES.md': '# Changes\n',
  })
  const { broken, doubtful, orphans } = await check()
  expect([targets(broken), targets(doubtful), orphans]).toEqual([[':ref:`no-label`'], ['gone'], []])
})

it('takes no page for an orphan that the settings of a site list, or that its tool shows', async () => {
  writeFiles(root, {
    'README.md': '# Site\n',
    'site/.vitepress/config/en.ts': "export default { nav: [{ link: '/guide/' }, { link: '/api/x#y' }] }\n",
    'site/index.md': '# Home\n',
    'site/zh/index.md': '# Home\n',
    'site/guide/index.md': '---\nfeatures:\n  - link: /guide/linked\n---\n# Guide\n',
    'site/guide/linked.md': '# Linked\n',
    'site/guide/lost.md': '# Lost\n',
    'site/api/x.md': '# X\n\n## Y\n',
    'web/docusaurus.config.js': "module.exports = { presets: [], docs: { path: '../manual' } }\n",
    'web/sidebars.js': "module.exports = { docs: ['intro/start'] }\n",
    'manual/intro/Start.md': '---\nid: start\n---\n# Start\n',
    'manual/intro/lost.mdx': "import Part from './part.mdx'\n\n# Lost\n\n<Part />\n",
    'manual/intro/part.mdx': 'Part.\n',
    'manual/intro/_hidden.md': 'Part.\n',
    'web/versioned_docs/version-1/intro/start.md': '# Start\n',
    'web/versioned_docs/version-1/intro/lost.md': '# Lost\n',
    'web/versioned_sidebars/version-1-sidebars.json': '{"docs": ["intro/start"]}',
    'hugo/content/_index.md': '# Home\n',
    'hugo/content/a.md': '# A\n',
    'nuxt/1.guide/2.start.md': '# Start\n',
    'book/conf.py': 'extensions = []\n',
    'book/index.rst': 'X\n=\n\n.. toctree::\n   :glob:\n\n   part/*\n',
    'book/part/a.rst': 'A\n=\n',
    'book/b.rst': ':orphan:\n\nB\n=\n',
    'book/c.rst': 'C\n=\n',
    'pyproject.toml': '[tool.towncrier]\npackage = "x"\ndirectory = "notes"\n\n[tool.other]\n',
    'notes/1.bugfix.md': 'Fixed.\n',
    'notes/plain.md': 'Added.\n',
    'SECURITY.md': '# Security\n',
    'pkg/CHANGELOG.md': '# Changes\n',
    'text/main.adoc': '= Main\n\ninclude::part-{lang}.adoc[]\n\n----\ninclude::example.adoc[]\n----\n',
    'text/part-de.adoc': 'Teil.\n',
    'text/example.adoc': '= Example\n',
  })
  expect((await check()).orphans).toEqual([
    'book/c.rst',
    'manual/intro/lost.mdx',
    'site/guide/lost.md',
    'text/main.adoc',
    'web/versioned_docs/version-1/intro/lost.md',
  ])
})

it('lists an anchor that a document itself does not have', async () => {
  writeFiles(root, {
    'README.md':
      '# My App\n\n[a](#use-it) [b](#in-list) [c](#tagged) [d](#nope) [e](README.md#gone) [f](#readme) [g](#/route) [h](#top)\n\n## Use it\n\n- ### In list\n\n<div><h3>Tagged</h3></div>\n',
  })
  const { anchors, broken } = await check()
  expect([targets(anchors), broken]).toEqual([['#nope', 'README.md#gone'], []])
  expect(anchors[0]?.candidates).toEqual(['README.md'])
})

it('doubts what a build writes into a folder that does not exist yet', async () => {
  writeFiles(root, { 'docs/a.md': '[b](made/b.md)\n', '.gitignore': 'docs/made/b.md\n' })
  const { broken, doubtful } = await check()
  expect([broken, targets(doubtful)]).toEqual([[], ['made/b.md']])
})
