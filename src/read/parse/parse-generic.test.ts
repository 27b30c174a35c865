// How are texts divided that have neither Markdown's headings nor a grammar?
import { expect, test } from 'vitest'
import type { ParsedDocument } from '../../model/artifact.ts'
import type { Language } from '../../model/source-file.ts'
import { parseDocument } from './parse-document.ts'

const parse = (text: string, language: Language, path = 'docs/x.txt'): ParsedDocument =>
  parseDocument({ path, language, text })
const outline = (text: string, language: Language): [string, number, string][] =>
  parse(text, language)
    .artifacts.slice(1)
    .map(({ name, level, id }) => [name, level, id.slice(id.indexOf('#') + 1)])
const filler = 'Some words that fill the section below this heading.\n'.repeat(45)

test('underlined titles are sections, by the order of their styles', () => {
  const text =
    'git-x(1)\n========\n\nNAME\n----\ngit-x - does it\n\n[[opts]]\nOPTIONS\n-------\n------------\n$ git x\n\nls\n------------\n\nDeeper\n~~~~~~\ntext\n'
  const { artifacts, facts } = parse(text, 'text')
  expect(facts.title).toBe('git-x(1)')
  expect(outline(text, 'text')).toEqual([
    ['git-x(1)', 1, 'git-x1'],
    ['NAME', 2, 'git-x1.name'],
    ['OPTIONS', 2, 'git-x1.options'],
    ['Deeper', 3, 'git-x1.options.deeper'],
  ])
  expect(artifacts.map(({ anchor }) => anchor)).toEqual([null, 'git-x1', 'name', 'opts', 'deeper'])
  expect(artifacts[3]?.headings).toEqual(['git-x(1)', 'OPTIONS'])
  expect(artifacts[3]?.lines).toEqual({ start: 8, end: 19 })
})

test('boxed and marked titles are sections', () => {
  expect(outline('=======\n Intro\n=======\n\n`Use` it\n--------\n', 'text').map(([name]) => name)).toEqual([
    'Intro',
    'Use it',
  ])
  expect(outline('= One\n\n== Two ==\n\ntext\n', 'text').map(([name, level]) => [name, level])).toEqual([
    ['One', 1],
    ['Two', 2],
  ])
})

test('what only looks like a title is none', () => {
  expect(
    outline(
      'a = b\n\nExample:\n----------------\n$ x\n----------------\n\n- one\n- two\n\n-----\n\ntext\n',
      'text',
    ),
  ).toEqual([])
})

test('numbered titles are sections where nothing else is, and numbered lists are none', () => {
  const faq =
    'FAQ\n\n 1. Usage\n  1.1 What is it?\n  1.2 Why?\n\n1. Usage\n\n  1.1 What is it?\n\n  A tool.\n\n  1.2 Why?\n\n  Because.\n\n2. Alone\n\nx\n'
  expect(outline(faq, 'text').map(([name, level]) => [name, level])).toEqual([
    ['1 Usage', 1],
    ['1.1 What is it?', 2],
    ['1.2 Why?', 2],
  ])
  expect(outline('1. Do this\n\n2. Do that\n\n3. Done\n\ntext\n', 'text')).toEqual([])
})

test('terms and directives have sections too', () => {
  const names = (text: string): string[] => outline(text, 'text').map(([name]) => name)
  expect(names(`core.editor::\ncore.pager::\n\t${filler}\ncore.bare::\n\tx\n`)).toEqual([
    'core.editor, core.pager',
    'core.bare',
  ])
  expect(names(`API\n===\n\n.. autofunction:: jinja2.tests.x\n\n.. note:: no\n\n${filler}`)).toEqual([
    'API',
    'jinja2.tests.x',
  ])
})

const rule = (name: string): string =>
  `# Builds ${name}.\n${name}: ${name}.o\n${'\tcc -o $@ $< -lm -lpthread -O2 -Wall\n'.repeat(18)}\n`

test('generic text is divided at blank lines and named by the line that says most', () => {
  const text = `# A licence of some words.\n\n${rule('alpha')}${rule('beta')}${rule('gamma')}`
  const { artifacts, facts, outline: own } = parse(text, 'generic', 'src/rules.x')
  expect(facts.title).toBe('rules.x')
  expect(own).toEqual({ symbols: [], imports: [], exports: [] })
  expect(artifacts.every(({ kind }) => kind === 'blind')).toBe(true)
  expect(artifacts.slice(1).map(({ name }) => name)).toEqual(['beta: beta.o', 'gamma: gamma.o'])
  expect(artifacts.map(({ text: part }) => part).join('')).toBe(text)
})

test('brackets and bodies stay with their head, and long ones are divided inside', () => {
  const member = (name: string): string =>
    `  "${name}": {\n${'    "command": "make all", \n\n'.repeat(30)}  },\n\n`
  const text = `{\n${['build', 'test', 'lint', 'docs'].map(member).join('')}}\n`
  const parts = parse(text, 'generic', 'tasks.json').artifacts.slice(1)
  expect(parts.map(({ name }) => name)).toEqual(['build', 'test', 'lint', 'docs'])
  expect(parts.every(({ text: part }) => part.trimEnd().endsWith('},') || part.trimEnd().endsWith('}'))).toBe(
    true,
  )
})

test('banners of comments are sections above the blocks below them', () => {
  const setting = (name: string): string =>
    `# ${'Words about it that explain.'.repeat(30)}\n#\n${name} yes\n\n`
  const text = `# Example\n\n############ NETWORK ############\n\n${setting('bind')}${setting('port')}##### TLS #####\n\ntls no\n`
  expect(outline(text, 'generic')).toEqual([
    ['NETWORK', 1, 'network'],
    ['bind yes', 2, 'network.bind-yes'],
    ['port yes', 2, 'network.port-yes'],
    ['TLS', 1, 'tls'],
  ])
})

test('prose in a value of YAML is divided as prose, and an entry is called by its title', () => {
  const words = `${'Words that explain it at some length. '.repeat(30)}\n`
  const text = `headline: Manual
sections:
  - title: "Invoking it"
    body: |

      ${words}
      * \`--slurp\` / \`-s\`:

        ${words}
      Text with a bracket ( that nothing closes [ ever.

      ${words}
  - title: Sorting
    body: |

      ${words}${words}
`
  const names = parse(text, 'generic', 'docs/manual.yml').artifacts.map(({ name }) => name)
  expect(names).toContain('Invoking it')
  expect(names).toContain('Sorting')
  expect(names).toContain('`--slurp` / `-s`')
})

test.each([
  ['builtin.jq', 'def limit($n; expr):\n  if $n > 0 then . else empty end;\n', 'limit'],
  ['app.lua', '-- Opens it.\nlocal function open(path)\n  return path\nend\n', 'open'],
  ['app.lua', 'M.close = function(path)\n  return path\nend\n', 'M.close'],
  ['app.ex', 'defmodule Shop.Cart do\n  def add(cart, item), do: [item | cart]\nend\n', 'Shop.Cart'],
  ['App.swift', 'public final class Store: Base {\n  var items: [Item]\n}\n', 'Store'],
  ['App.scala', 'case class Order(id: Long, total: BigDecimal, customer: Customer)\n', 'Order'],
  ['stats.r', 'weigh <- function(x, by) {\n  sum(x * by) / sum(by)\n}\n', 'weigh'],
  ['core.clj', '(defn add-item [cart item]\n  (conj cart item))\n', 'add-item'],
  ['Main.hs', "parse' :: String -> Either Error Tree\nparse' text = Left (Error text)\n", "parse'"],
])('%s has the definitions of its code', (path, definition, name) => {
  const others = ['one', 'two'].map((one) => definition.replaceAll(name, one)).join('\n')
  const body = '# words that stand for a body of some length\n'.repeat(20)
  const text = `${definition}${body}\n${others}${body}`
  const names = parse(text, 'generic', path).artifacts.map((part) => part.name)
  expect(names.some((one) => one.split(', ').includes(name))).toBe(true)
})

test('a short text is one artifact', () => {
  expect(parse('a = 1\n\nb = 2\n', 'generic').artifacts).toHaveLength(1)
})

test('a definition of code without a grammar has the documentation and attributes above it', () => {
  const filler = Array.from(
    { length: 20 },
    (_, line) => `  Sentence ${line} of what it does, function by function.`,
  )
  const define = (name: string): string =>
    [
      '  @doc """',
      ...filler,
      '  """',
      `  @spec ${name}(map) :: map`,
      `  def ${name}(store) do`,
      '    store',
      '  end',
      '',
    ].join('\n')
  const text = `defmodule Store do\n  use Base, with: a_name_that_is_long_enough_to_stand_alone_in_a_part_of_its_own\n\n${define('open?')}\n${define('close')}\nend\n`
  const parts = parse(text, 'generic', 'store.ex').artifacts
  expect(parts.map(({ name }) => name)).toEqual(['store.ex', 'Store', 'open?', 'close'])
  for (const { name, text: own } of parts.slice(2)) {
    expect(own.startsWith('  @doc """\n')).toBe(true)
    expect(own).toContain(`def ${name}(store) do`)
  }
})
