// Do directives, roles and labels of MyST count as those of reStructuredText do, and is plain Markdown as before?
import { expect, test } from 'vitest'
import { parseDocument } from '../parse-document.ts'
import { labelsKey } from '../text/marked-text.ts'

function parse(text: string) {
  return parseDocument({ path: 'docs/a.md', language: 'markdown', text }, { codeNames: true })
}

/** `form line target` of each mention. */
const brief = (text: string): string[] =>
  parse(text).mentions.map(({ form, line, target }) => `${form} ${line} ${target}`)

test.each([
  [
    'the children of a toctree',
    '# A\n\n```{toctree}\n:maxdepth: 1\n\nself\nb\nTitle <sub/c>\n```\n',
    ['link 7 b', 'link 8 sub/c'],
  ],
  ['options of a toctree in YAML', '```{toctree}\n---\nmaxdepth: 1\n---\nb\n```\n', ['link 5 b']],
  ['a toctree between colons', ':::{toctree}\n/b\n:::\n', ['link 2 doc:/b']],
  [
    'included files',
    '```{include} ../b.md\n```\n\n```{literalinclude} /c.py\n:lines: 1\n```\n',
    ['link 1 ../b.md', 'link 4 doc:/c.py'],
  ],
  ['images', '```{image} b.png\n:alt: x\n```\n', ['image 1 b.png']],
  [
    'roles in a paragraph and in a note',
    '{doc}`b` and\n{ref}`words <Label X>`\n\n```{note}\nSee {doc}`/c`.\n```\n',
    ['link 1 b', 'link 2 role:label x', 'link 5 doc:/c'],
  ],
  ['a role that names code, once', 'See {py:func}`app.run`.\n', ['code 1 :func:app.run']],
  [
    'reStructuredText in a fence',
    '```{eval-rst}\n.. include:: b.rst\n\n:doc:`c` and `d <e.html>`_\n```\n',
    ['link 2 b.rst', 'link 4 c', 'link 4 e.html'],
  ],
  ['no directive in an example', '````md\n```{toctree}\nb\n```\n{doc}`c`\n````\n', []],
  ['no role in code', '``{doc}`b` ``\n', []],
])('reads %s', (_, text, expected) => {
  expect(brief(text)).toEqual(expected)
})

test('a label names the heading below it, or its place in the text', () => {
  const { facts } = parse('(top)=\n\n# A\n\ntext\n\n(other one)=\n## B\n\n(mid)=\nA paragraph {ref}`top`.\n')
  expect(facts.frontmatter[labelsKey]).toEqual([
    ['top', 1],
    ['other one', 2],
    ['mid', 2],
  ])
})

test('plain Markdown with a fence for a note is unchanged', () => {
  const text = '```{note}\nSee [b](b.md).\n```\n\n[c](c.md#d) `app.run` `/users/{id}`and [x](#y)\n'
  expect(brief(text)).toEqual(['link 5 c.md#d', 'link 5 #y', 'code 5 app.run'])
})
