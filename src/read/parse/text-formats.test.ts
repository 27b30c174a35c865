// What is read of reStructuredText and AsciiDoc? Headings as their own tools see them, references, labels, facts.
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import type { ParsedDocument } from '../../model/artifact.ts'
import { parseDocument } from './parse-document.ts'
import { labelsKey } from './text/marked-text.ts'

const parse = (path: string, text: string): ParsedDocument =>
  parseDocument({ path, language: 'text', text }, { codeNames: true })
const heads = ({ artifacts }: ParsedDocument): string[] =>
  artifacts.slice(1).map(({ level, lines, name }) => `${level} ${lines.start} ${name}`)
const mentions = (document: ParsedDocument): string[] =>
  document.mentions.map(({ line, form, text, target }) => `${line} ${form} ${text} -> ${target}`)

const rst = `.. _guide:

=====
Guide
=====

:Status: Draft
:Date: 2024-02-03

See :ref:\`the start <start>\`, :doc:\`/api/index\`, :class:\`~app.core.Server\`,
:setting:\`DEBUG\`, :rfc:\`2616\`, \`the site <https://example.org/>\`_ and Docs_.

.. _start:
.. index:: start

The \`\`run()\`\` call
------------------

Example::

    Not a title
    ===========

    :ref:\`not-a-reference\`

.. code-block:: rst

   :doc:\`neither\`

.. toctree::
   :maxdepth: 2

   install
   Using it <usage>

=====  =====
a      b
=====  =====
x      :func:\`app.run\`
=====  =====

1. A list
2. Its end

Details
-------

.. class:: Server(host)

   .. method:: start()

      Starts, see \`start\`_.

.. setting:: DEBUG

.. _Docs: docs/more.rst
`

test('reStructuredText: titles are those of docutils, and start at their labels', () => {
  const document = parse('docs/guide.rst', rst)
  expect(heads(document)).toEqual(['1 1 Guide', '2 13 The run() call', '2 45 Details'])
  expect(document.artifacts.map(({ anchor }) => anchor)).toEqual([null, 'guide', 'start', 'details'])
  expect(document.facts).toMatchObject({
    title: 'Guide',
    status: 'draft',
    frontmatter: { date: '2024-02-03' },
  })
})

test('reStructuredText: roles, links, directives and included pages are mentions; examples are none', () => {
  expect(mentions(parse('docs/guide.rst', rst))).toEqual([
    '10 link the start -> role:start',
    '10 link /api/index -> doc:/api/index',
    '10 code Server -> :class:app.core.Server',
    '11 link DEBUG -> role::setting:debug',
    '11 id RFC 2616 -> RFC 2616',
    '11 link the site -> https://example.org/',
    '11 link Docs -> docs/more.rst',
    '16 code run() -> run()',
    '33 link install -> install',
    '34 link Using it -> usage',
    '39 code app.run -> :func:app.run',
  ])
})

test('reStructuredText: labels and described objects say in which section they stand', () => {
  expect(parse('docs/guide.rst', rst).facts.frontmatter[labelsKey]).toEqual([
    ['guide', 1],
    ['start', 2],
    [':server', 3],
    [':start', 3],
    [':server.start', 3],
    [':debug', 3],
    [':setting:debug', 3],
  ])
})

test('a PEP says of itself what its header says', () => {
  const text =
    'PEP: 8\nTitle: Style Guide\nStatus: Active\n\nIntroduction\n============\n\nText.\n\nMore\n====\n'
  expect(parse('pep-0008.rst', text).facts).toMatchObject({ title: 'Style Guide', status: 'active' })
})

const asciidoc = `= The manual
:revdate: 2024-05-06
:parts: chapters

[[intro]]
[preface]
== Introduction

See <<setup,the setup>>, <<other.adoc#x>>, xref:more.adoc#y[more], link:a/b.html[B],
linkgit:git-log[1] and https://example.org/[a site].

----
== No heading
<<nothing>>
----
Setup
~~~~~
include::{parts}/one.adoc[]
[#last]
=== Last [[inner]]

\`run_all()\` image::x.png[a]
`

test('AsciiDoc: titles are those of Asciidoctor, marked or underlined, with their anchors', () => {
  const document = parse('manual.adoc', asciidoc)
  expect(heads(document)).toEqual(['1 1 The manual', '2 5 Introduction', '3 16 Setup', '3 19 Last'])
  expect(document.artifacts.map(({ anchor }) => anchor)).toEqual([
    null,
    'the-manual',
    'intro',
    'setup',
    'last',
  ])
  expect(document.facts).toMatchObject({ title: 'The manual', frontmatter: { date: '2024-05-06' } })
  expect(document.facts.frontmatter[labelsKey]).toEqual([
    ['intro', 2],
    ['last', 4],
    ['inner', 4],
  ])
})

test('AsciiDoc: a described term is named without its anchor', () => {
  const text = `== Terms\n\n[[def_a]]a branch::\n    ${'words '.repeat(400)}\n\n[[def_b]]a commit::\n    text\n`
  expect(heads(parse('terms.adoc', text))).toEqual(['2 1 Terms', '3 3 a branch', '3 6 a commit'])
})

test('AsciiDoc: cross-references, macros and included files are mentions', () => {
  expect(mentions(parse('manual.adoc', asciidoc))).toEqual([
    '9 link more -> more.adoc#y',
    '9 link B -> a/b.html',
    '9 link the setup -> label:setup',
    '9 link other.adoc#x -> other.adoc#x',
    '10 link git-log -> man:git-log',
    '10 link a site -> https://example.org/',
    '18 link chapters/one.adoc -> chapters/one.adoc',
    '22 image a -> x.png',
    '22 code run_all() -> run_all()',
  ])
})

test.each([
  ['.. note:: x\n\nA\n=\n', 'rst'],
  ['[[a]]\nTerm::\n  text\n', 'asciidoc'],
])('a text of another name is known by its marks', (text, format) => {
  expect(Object.keys(parse('notes.txt', text).facts.frontmatter)).toEqual(format === 'rst' ? [] : [labelsKey])
})

const hostile = [
  '`',
  '``a',
  '`a`_ ',
  ':a:`b` ',
  'a_ ',
  '[[',
  '[[a][b]]',
  '<<',
  '<<a>> ',
  'link:x[',
  'a:[',
  '.. class:: a\n',
  '.. _a:\n',
  '::\n',
  'a::\n',
  '====\n',
  'a\n=\n',
  '====\na\n',
  '= =\n',
  '>>> a\n',
  '#+begin_src\n',
  '.BR a (1)\n',
  '\\fB',
  'a: b\n',
  '  /a:\n    get:\n',
  '[a]\n',
  '---\n',
  'all: b\n',
  'include::{a}[]\n',
]

test.each(['p.rst', 'p.adoc', 'p.1', 'p.txt', 'p.toml', 'p.yaml', 'Makefile'])(
  'T14: %s of one mark over and over is read in linear time',
  (path) => {
    const language = ['p.toml', 'p.yaml', 'Makefile'].includes(path) ? 'generic' : 'text'
    for (const seed of hostile) {
      const text = seed.repeat(Math.ceil(100_000 / seed.length))
      const started = processorTime()
      parseDocument({ path, language, text }, { codeNames: true })
      // 10 to 40 ms; what grows with the square takes minutes.
      expect([seed, processorTime() - started < 2_000]).toEqual([seed, true])
    }
  },
)

test('AsciiDoc: the rule below a title is no fence that would hide what follows', () => {
  const text =
    'NAME\n----\n\n[[top]]\nSee <<place>>.\n\n----\n<<code>>\n----\n\n[[place]]\nBUGS\n----\n\nNone, see <<top>>.\n'
  const document = parse('manual.adoc', text)
  expect(mentions(document)).toEqual(['5 link place -> label:place', '15 link top -> label:top'])
  expect(document.facts.frontmatter[labelsKey]).toEqual([
    ['top', 1],
    ['place', 2],
  ])
})
