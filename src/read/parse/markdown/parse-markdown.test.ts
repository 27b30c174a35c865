import { expect, test } from 'vitest'
import type { Artifact, ParsedDocument } from '../../../model/artifact.ts'
import { parseDocument } from '../parse-document.ts'

const parse = (text: string, path = 'docs/guide.md'): ParsedDocument =>
  parseDocument({ path, language: 'markdown', text })
const sections = (text: string): readonly Artifact[] => parse(text).artifacts.slice(1)
const ids = (text: string): string[] =>
  sections(text).map((section) => section.id.slice('docs/guide.md#'.length))

const guide = `---
title: The Guide
status: Accepted
date: 2024-05-06
---
Before.

# Overview

Text.

## Install {#setup}
Run \`it\`.

### On Linux

## Use
Done.
# End
`

test('gives the file and one section per heading, with ids, anchors, levels and lines', () => {
  const { artifacts } = parse(guide)
  expect(artifacts[0]?.lines.end).toBe(19)
  expect(
    artifacts.map(({ id, kind, name, anchor, level, lines, ownLines, parent }) => [
      id,
      kind,
      name,
      anchor,
      level,
      lines,
      ownLines,
      parent,
    ]),
  ).toEqual([
    [
      'docs/guide.md',
      'markdown_module',
      'The Guide',
      null,
      0,
      { start: 1, end: 19 },
      { start: 1, end: 7 },
      null,
    ],
    [
      'docs/guide.md#overview',
      'markdown_section',
      'Overview',
      'overview',
      1,
      { start: 8, end: 18 },
      { start: 8, end: 11 },
      'docs/guide.md',
    ],
    [
      'docs/guide.md#overview.install',
      'markdown_section',
      'Install',
      'setup',
      2,
      { start: 12, end: 16 },
      { start: 12, end: 14 },
      'docs/guide.md#overview',
    ],
    [
      'docs/guide.md#overview.install.on-linux',
      'markdown_section',
      'On Linux',
      'on-linux',
      3,
      { start: 15, end: 16 },
      { start: 15, end: 16 },
      'docs/guide.md#overview.install',
    ],
    [
      'docs/guide.md#overview.use',
      'markdown_section',
      'Use',
      'use',
      2,
      { start: 17, end: 18 },
      { start: 17, end: 18 },
      'docs/guide.md#overview',
    ],
    [
      'docs/guide.md#end',
      'markdown_section',
      'End',
      'end',
      1,
      { start: 19, end: 19 },
      { start: 19, end: 19 },
      'docs/guide.md',
    ],
  ])
  expect(artifacts[3]?.headings).toEqual(['Overview', 'Install', 'On Linux'])
  expect(artifacts.map((artifact) => artifact.text).join('')).toBe(guide)
})

test('says what the document says about itself', () => {
  const { facts } = parse(guide)
  expect(facts).toMatchObject({ title: 'The Guide', status: 'accepted' })
  expect(parse('text').facts).toEqual({ title: 'guide', status: null, frontmatter: {} })
})

test('each section has its parent, and starts at its heading', () => {
  const sections = parse(guide).artifacts.slice(1)
  expect(sections.map(({ parent, id, lines }) => [parent, id, lines.start])).toEqual([
    ['docs/guide.md', 'docs/guide.md#overview', 8],
    ['docs/guide.md#overview', 'docs/guide.md#overview.install', 12],
    ['docs/guide.md#overview.install', 'docs/guide.md#overview.install.on-linux', 15],
    ['docs/guide.md#overview', 'docs/guide.md#overview.use', 17],
    ['docs/guide.md', 'docs/guide.md#end', 19],
  ])
})

test('a file that starts with a heading has no text of its own', () => {
  const [module, section] = parse('# A\ntext').artifacts
  expect(module).toMatchObject({ text: '', ownLines: null, pieces: [], lines: { start: 1, end: 2 } })
  expect(section?.text).toBe('# A\ntext')
})

test('an empty file is one artifact without text', () => {
  expect(parse('')).toMatchObject({
    artifacts: [{ text: '', ownLines: null, pieces: [], lines: { start: 1, end: 1 } }],
  })
})

test('the title is the first H1, else the first heading, else the file name', () => {
  expect(parse('## Small\n# Big\n# Other').facts.title).toBe('Big')
  expect(parse('## Small\n### Smaller').facts.title).toBe('Small')
  expect(parse('#\n## Said').facts.title).toBe('Said')
  expect(parse('text', 'a/CHANGES.old.md').facts.title).toBe('CHANGES.old')
  expect(parse('text', '.hidden').facts.title).toBe('.hidden')
})

test('setext headings count, headings inside lists, quotes, code and HTML do not', () => {
  const text =
    'One\n===\n\n- # in list\n\n> # in quote\n\n```\n# in code\n```\n\n<div>\n# in html\n</div>\n\n    # indented\n\nTwo\nlines\n---\n'
  expect(sections(text).map(({ name, level }) => [name, level])).toEqual([
    ['One', 1],
    ['Two lines', 2],
  ])
})

test('a skipped level hangs below the nearest lower one', () => {
  expect(ids('### Deep\n# Top\n#### Far\n## Near')).toEqual(['deep', 'top', 'top.far', 'top.near'])
})

test('repeated siblings are numbered, cousins are not, and anchors count over the document', () => {
  const text = '# A\n## X\n## X\n# B\n## X\n## x-1\n'
  expect(ids(text)).toEqual(['a', 'a.x', 'a.x-1', 'b', 'b.x', 'b.x-1'])
  expect(sections(text).map((section) => section.anchor)).toEqual(['a', 'x', 'x-1', 'b', 'x-2', 'x-1-1'])
})

test('a repeated sibling never takes the id that another heading has', () => {
  expect(ids('# a\n# a\n# a-1\n# a')).toEqual(['a', 'a-1', 'a-1-1', 'a-2'])
})

test('dots in headings do not look like nesting', () => {
  expect(ids('# a.b\n# a\n## b')).toEqual(['ab', 'a', 'a.b'])
})

test('an explicit id is taken before the same words of another heading', () => {
  expect(sections('# Foo\n# Bar {#foo}').map((section) => section.anchor)).toEqual(['foo-1', 'foo'])
})

test('headings of emphasis, links and code are named by their words', () => {
  expect(sections('# **Use** [`yore`][y]\n\n[y]: z')[0]).toMatchObject({
    name: 'Use yore',
    anchor: 'use-yore',
  })
})

test('a byte order mark does not hide the first heading or the frontmatter', () => {
  const [module, section] = parse('\ufeff# A\n').artifacts
  expect([module?.text, section?.text, section?.name]).toEqual(['', '\ufeff# A\n', 'A'])
  expect(parse('\ufeff---\ntitle: T\n---\n# A').facts.title).toBe('T')
})

test('lines count alike with \\n, \\r\\n, \\r and characters that only look like line ends', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['---', 'a: b', '---', 'x\fy\u2028z\u0085', '# A\0', '', 'text', '# B'].join(end)
    const [module, a, b] = parse(text).artifacts
    expect([module?.ownLines, a?.ownLines, b?.ownLines]).toEqual([
      { start: 1, end: 4 },
      { start: 5, end: 7 },
      { start: 8, end: 8 },
    ])
    expect(a?.text).toBe(['# A\0', '', 'text', ''].join(end))
  }
})

test('ids stay short below headings that are whole paragraphs', () => {
  const [outer, inner] = sections(`# ${'word '.repeat(500)}\n## in`)
  expect(outer!.id.length).toBeLessThan(150)
  expect(inner!.id).toBe(`${outer!.id}.in`)
})

test('a file in a language that yore does not know is a blind chunk', () => {
  const language = 'cobol' as 'markdown'
  const { artifacts } = parseDocument({ path: 'a.cob', language, text: 'a\n\nb' })
  expect(artifacts).toMatchObject([{ kind: 'blind', text: 'a\n\nb' }])
})

test('reads the text inside the tags of MDX as Markdown, whatever its indentation', () => {
  const text = `---
title: Commands
---
import Tabs from '~/Tabs.astro'
export const rows = [

  1,
]

Run a command.

## \`astro\` commands

<Tabs>
  <Fragment slot="npm">
  \`\`\`shell
  # create a project

  npm run build
  \`\`\`
  </Fragment>
  <Fragment
    slot="pnpm"
  >
      \`\`\`shell
      # create a project

      pnpm build
      \`\`\`
  </Fragment>
</Tabs>

## Flags

<TabItem>
### In a tab

See [the guide](./guide.md).
</TabItem>
`
  const { artifacts, mentions } = parse(text, 'docs/cli.mdx')
  expect(artifacts.map(({ name }) => name)).toEqual(['Commands', 'astro commands', 'Flags', 'In a tab'])
  expect(artifacts[0]?.pieces.map(({ lines }) => lines)).toEqual([
    { start: 1, end: 9 },
    { start: 10, end: 11 },
  ])
  expect(artifacts[1]?.pieces.map(({ lines }) => lines.start)).toEqual([12, 14, 22])
  expect(artifacts.map((one) => one.text).join('')).toBe(text)
  expect(mentions.map(({ target, line }) => [target, line])).toEqual([['./guide.md', 38]])
})

test('reads a heading that is written as a tag, but no banner', () => {
  const text =
    '<h1 align="center">Rig</h1>\n\n# FAQ\n\n<h3 name="replace">\nHow do I <code>replace</code>?\n</h3>\n\nWith sed.\n\n<h3>Why?</h3>\nSpeed.\n\n<h2 align="center">Sponsors</h2>\n\n<h2></h2>\n'
  const { artifacts } = parse(text)
  expect(artifacts.map(({ name, level, ownLines }) => [name, level, ownLines?.start])).toEqual([
    ['FAQ', 0, 1],
    ['FAQ', 1, 3],
    ['How do I replace?', 3, 5],
    ['Why?', 3, 11],
  ])
  expect(artifacts[2]?.anchor).toBe('replace')
  expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
})

test('divides a long list between its items, below the same heading and without changing other anchors', () => {
  const items = Array.from(
    { length: 80 },
    (_, at) =>
      `- \`option-${at}\` sets how often the thing of kind ${at} is done.\n\n  By default it is never done, and more than once a day is of no use to anyone.\n`,
  ).join('')
  const [file, , ...all] = parse(`# Guide\n\n## Options\n\n${items}\n## Next\n\nText.\n`).artifacts
  const parts = all.filter(({ kind }) => kind === 'markdown_module')
  expect(parts.length).toBeGreaterThan(2)
  for (const { headings, name, parent, text, level } of parts) {
    expect({ headings, name, level }).toEqual({ headings: ['Guide', 'Options'], name: 'Options', level: 3 })
    expect(parent).toBe('docs/guide.md#guide.options')
    expect(text).toMatch(/^- `option-/)
    expect(text.length).toBeLessThan(2_900)
  }
  expect(all.map(({ text }) => text).join('')).toContain(items.slice(-500))
  expect(all.filter(({ kind }) => kind === 'markdown_section').map(({ anchor }) => anchor)).toEqual([
    'options',
    'next',
  ])
  expect(file?.lines.end).toBe(4 + 3 * 80 + 4)
})
