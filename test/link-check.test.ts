// Does `yore links` call broken what is broken, and nothing else? CI stops by its word.
import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../src/engine/engine.ts'
import type { LinkReport } from '../src/exploring/check-links.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string
let engine: Engine
beforeEach(() => {
  root = makeFolder()
  engine = openCorpus(root, { embedder: 'none', maxFileSize: 2000 })
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
  expect(targets(links.broken)).toEqual(['docs/gone.md'])
  expect(links.ambiguous).toEqual([])
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
      '/install/: a site generator may make it',
      '/nowhere/page/: a site generator may make it',
      'trait.Matcher.html: a documentation tool makes it',
      'nothing.md: in a test, or in text that others wrote',
    ]),
  )
})

it('is silenced by a comment beside the link and by a setting', async () => {
  writeFiles(root, {
    'README.md':
      '[a](a.md) <!-- yore-ignore-link -->\n\n<!-- yore-ignore-link: planned -->\n[b](b.md)\n\n[c](c.md)\n',
    'archive/old.md': '[d](d.md)\n',
  })
  expect(targets((await check()).broken)).toEqual(['c.md', 'd.md'])
  const told = openCorpus(root, { embedder: 'none', ignoreLinks: ['archive/**', 'c.md'] })
  const { links } = await told.checkLinks()
  told.close()
  expect([targets(links.broken), links.silenced]).toEqual([[], 4])
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
  expect(links.doubtful).toMatchObject([{ target: 'lang.md#format', why: 'a site generator may make it' }])
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
