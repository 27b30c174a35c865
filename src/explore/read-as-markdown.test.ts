// Does reStructuredText read as its authors mean it, line by line?
import { expect, it } from 'vitest'
import { readAsMarkdown } from './read-as-markdown.ts'

const read = (text: string, titles: readonly string[] = []): string => {
  const sections = titles.map((name) => {
    return { name, level: 1, lines: { start: text.split('\n').indexOf(name) + 1 } }
  })
  const shown = readAsMarkdown({ path: 'a.rst', language: 'text', text, sections }) ?? ''
  // Headings must stay at their lines.
  expect(shown.split('\n')).toHaveLength(text.split('\n').length)
  return shown
}
const filled = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

it('shows tables with and without a grid', () => {
  const grid =
    '+------+-------+\n|      |Token  |\n+======+=======+\n|**Y** |YYYY   |\n|      |[#t1]_ |\n+------+-------+\n|      |YY     |\n+------+-------+\n\nEnd'
  expect(filled(read(grid))).toEqual([
    '|  | Token |',
    '| --- | --- |',
    '| **Y** | YYYY \\[t1\\] |',
    '|  | YY |',
    'End',
  ])
  const plain = '=====  =====\nA      B|C\n=====  =====\none    two\n       more\n=====  =====\n\nEnd'
  expect(filled(read(plain))).toEqual(['| A | B\\|C |', '| --- | --- |', '| one | two more |', 'End'])
  expect(filled(read('====  ====\n1     2\n====  ====\n'))).toEqual(['|  |  |', '| --- | --- |', '| 1 | 2 |'])
})

it('leaves what only looks like a table', () => {
  expect(read('+ one\n| two\n')).toBe('+ one\n| two\n')
  expect(filled(read('::\n\n  +--+--+\n  |a |b |\n  +--+--+\n\nEnd\n')).slice(0, 3)).toEqual([
    ...['```', '+--+--+', '|a |b |'],
  ])
  expect(filled(read('One::\n\n  a\n\nTwo ::\n\n  b\n\nEnd\n')).join()).toBe(
    'One:,```,a,```,Two,```,b,```,End',
  )
})

it('shows pictures in a row, with their descriptions and targets', () => {
  const badges =
    '.. image:: https://x.org/build.svg\n   :alt: Build\n   :target: https://x.org\n\n.. image:: https://x.org/v.svg?a=1\n\nText'
  expect(filled(read(badges))).toEqual([
    ' [![Build](<https://x.org/build.svg>)](<https://x.org>) ![v](<https://x.org/v.svg?a=1>)',
    'Text',
  ])
  const named = '|Docs|_ and |version|\n\n.. |Docs| image:: https://x.org/d.svg\n   :alt: Manual\n'
  expect(filled(read(named))).toEqual(['![Manual](<https://x.org/d.svg>) and |version|'])
})

it('leads to what contents, roles and links name', () => {
  const contents =
    '.. toctree::\n   :maxdepth: 2\n\n   guide\n   The API </api/index>\n\n.. include:: ../README.rst\n'
  expect(filled(read(contents))).toEqual([
    '- [guide](<guide>)',
    '- [The API](<doc:/api/index>)',
    '**Includes** [../README.rst](<../README.rst>)',
  ])
  expect(read('See :doc:`guide`, :ref:`the tokens <supported>` and :class:`~a.b.Clock`.')).toBe(
    'See [guide](<guide>), [the tokens](<role:supported>) and [`Clock`](<:class:a.b.Clock>).',
  )
  expect(read('`time <https://x.org>`_, `Log <log.html>`__ and :code:`now`')).toBe(
    '[time](<https://x.org>), [Log](<log.html>) and `now`',
  )
  const own = 'Set up\n======\n\n`Set up`_, `tokens <Set up_>`_ and `Other`_\n'
  expect(filled(read(own, ['Set up']))[1]).toBe('[Set up](<#set up>), [tokens](<#set up>) and Other')
})

it('numbers lists, and lists footnotes', () => {
  expect(read('#. One\n#. Two\n')).toBe('1. One\n1. Two\n')
  expect(read('.. [#t1] a note\n.. [2] another\n')).toBe('- \\[t1\\] a note\n- \\[2\\] another\n')
})

it('sets notes apart, with the code in them, and hides comments and settings of the page', () => {
  const notes =
    ':tocdepth: 3\n\n.. note::\n\n   One\n\n   .. code::\n\n      two\n\n.. seealso:: Three\n\n..\n   Unseen\n\nFour\n'
  expect(
    read(notes)
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([
    ...['', '', '> **Note**', '>', '> One', '>', '> ```', '> ', '> two', '> ```'].map((line) =>
      line.trimEnd(),
    ),
    ...['> **See also** Three', '>', '', '', '', 'Four', ''],
  ])
  expect(read('.. topic:: Title\n\n   Text\n')).toContain('> **Title**')
})

it('keeps names with underscores, and follows names of links', () => {
  expect(read('``a_b`` a_b __version__ <x>')).toBe('`a_b` a\\_b \\_\\_version\\_\\_ \\<x>')
  const links = 'The `Docs`_ or Issues_ at https://x.org/a_b\n\n.. _Docs: https://x.org\n.. _issues: i.html\n'
  expect(read(links).split('\n')[0]).toBe(
    'The [Docs](<https://x.org>) or [Issues](<i.html>) at https://x.org/a_b',
  )
  expect(read('.. py:function:: f\n\n   :param int n_a: how many\n   :returns: all\n')).toContain(
    '- `n_a` how many\n- **returns** all',
  )
})

it('shows what containers hold, versions in words, and links over two lines', () => {
  expect(filled(read(':orphan:\n\n.. container::\n\n   .. rst-class:: h2\n\n   Inside\n'))).toEqual([
    'Inside',
  ])
  expect(read('.. versionchanged:: 2.0 It uses\n   `x`_.\n')).toBe('**changed in 2.0:** It uses\nx.\n')
  expect(filled(read('.. csv-table::\n\n   a,b\n\nEnd\n'))).toEqual(['```', 'a,b', '```', 'End'])
  expect(read('Under the `MIT\nlicense <https://x.org>`_, or :ref:`the\nother <other>`.')).toBe(
    'Under the\n[MIT license](<https://x.org>), or\n[the other](<role:other>).',
  )
})

it('names what an unknown directive describes, by its argument or its options', () => {
  const conf =
    '.. conf::\n    :keys: env_list, envlist\n    :default: <empty list>\n    :ref_suffix: x\n    :version_added: 1.0\n\n    Environments to run.\n'
  expect(filled(read(conf))).toEqual([
    '**`env_list`, `envlist`** · default `<empty list>` · version added `1.0`',
    'Environments to run.',
  ])
  expect(filled(read('.. confval:: nitpick\n   :type: bool\n\n   Warns.\n'))).toEqual([
    '**confval** `nitpick` · type `bool`',
    'Warns.',
  ])
  expect(read('.. autoclass:: a.One')).toBe('**autoclass** [`a.One`](<:obj:a.One>)')
  expect(filled(read('.. grid::\n   :gutter: 2\n\n   In it\n\n   .. py:data:: one\n\n      More\n'))).toEqual(
    [...['In it', '**py:data** `one`', 'More']],
  )
})

it('shows tabs by their titles, and code and diagrams without their options', () => {
  const tabs = '.. tab:: TOML\n\n   .. code-block:: toml\n      :caption: a\n\n      [tox]\n\nEnd'
  expect(filled(read(tabs))).toEqual(['**TOML**', '```toml', '[tox]', '```', 'End'])
  expect(filled(read('.. mermaid::\n   :alt: Flow\n\n   a --> b\n\nEnd'))).toEqual([
    '```',
    'a --> b',
    '```',
    'End',
  ])
  expect(read('.. versionadded:: 4.49.0\n\nA :PEP:`751` file')).toBe('**added in 4.49.0** \n\nA PEP 751 file')
})

it('shows lists of lists as tables', () => {
  const list =
    '.. list-table:: Names\n    :header-rows: 1\n\n    - - Flag\n      - Level\n    * - ``-q|-s``\n\n        or more\n      -\n    - - b\n      - one\n        two\n\nEnd'
  expect(filled(read(list))).toEqual([
    '**Names**',
    ...['| Flag | Level |', '| --- | --- |', '| `-q\\|-s` or more |  |', '| b | one two |'],
    'End',
  ])
})

it('shows a title between two rules once, below its label or in an excerpt', () => {
  const boxed = '.. _how:\n\n########\n How to\n########\n\nText\n'
  const sections = [{ name: 'How to', level: 1, lines: { start: 1 } }]
  const given = { path: 'a.rst', language: 'text', text: boxed }
  expect(filled(readAsMarkdown({ ...given, sections }) ?? '')).toEqual(['# How to', 'Text'])
})

it('sets boxes of site generators apart in Markdown', () => {
  const markdown = (text: string, path = 'a.md'): string[] => {
    const shown = readAsMarkdown({ path, language: 'markdown', text, sections: [] }) ?? ''
    expect(shown.split('\n')).toHaveLength(text.split('\n').length)
    return shown.split('\n').map((line) => line.trimEnd())
  }
  expect(markdown('::: tip Title\nOne\n\n```js\n:::\n```\n:::\nTwo')).toEqual(
    ['> **Title**', '> One', '>', '> ```js', '> :::', '> ```', '', 'Two'].map((line) => line),
  )
  expect(markdown('!!! note "Title"\n\n    One\n\n    Two\nThree').join('|')).toBe(
    '> **Title**|>|> One|>|> Two|Three',
  )
  expect(markdown('/// tip | Title\nOne\n///\n\n// a/b')).toEqual(['> **Title**', '> One', '', '', '// a/b'])
  expect(
    markdown(
      '??? abstract "API"\n    ::: a.b.C\n        options:\n            x: 1\n\nText\n\n    code\n\n::: a b',
    ),
  ).toEqual([
    ...['> **API**', '> [`a.b.C`](<:obj:a.b.C>)', '>', '>', '>', 'Text', '', '    code', '', '::: a b'],
  ])
  expect(markdown('=== "Python"\n\n    One')).toEqual(['**Python**', '', 'One'])
  expect(markdown(':::warning[Careful]\nOne\n:::')).toEqual(['> **Careful**', '> One', ''])
  expect(markdown('> [!NOTE]\n> One')).toEqual(['> **Note**', '> One'])
  const myst =
    '(label)=\n# A\n\n```{note}\n:class: x\nSee {doc}`b` and {class}`~a.B`.\n```\n\n```{currentmodule} a\n```\n\n```{eval-rst}\n.. autofunction:: f\n```\n\n```{code-block} python\n:linenos:\n\nx\n```'
  expect(markdown(myst)).toEqual([
    ...['', '# A', '', '> **Note**', '>', '> See [b](<b>) and [`B`](<:class:a.B>).', '', '', '', '', ''],
    ...['', '**autofunction** [`f`](<:obj:f>)', '', '', '', '```python', '', 'x', '```'],
  ])
  expect(markdown('```{versionchanged} 8.2\nSee {class}`!Any` :wink: at 10:30:00.\n```')).toEqual([
    ...['**changed in 8.2:**', 'See `Any` 😉 at 10:30:00.', ''],
  ])
  expect(markdown('import A from "a"\n\nText\n', 'a.mdx')).toEqual(['', '', 'Text', ''])
  expect(markdown('<script setup>\nimport x\n</script>\n\nimport is a word')[4]).toBe('import is a word')
})
