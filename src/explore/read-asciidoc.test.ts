// Does AsciiDoc read as its authors mean it, line by line?
import { expect, it } from 'vitest'
import { readAsMarkdown } from './read-as-markdown.ts'

const read = (text: string): string => {
  const shown = readAsMarkdown({ path: 'a.adoc', language: 'text', text, sections: [] }) ?? ''
  // Headings must stay at their lines.
  expect(shown.split('\n')).toHaveLength(text.split('\n').length)
  return shown
}
const filled = (text: string): string[] =>
  read(text)
    .split('\n')
    .filter((line) => !/^>?(?:&#32;)?\s*$/.test(line))

it('replaces attributes, also in those that follow, and characters that have a name', () => {
  const header =
    '= Title\nAda Lovelace <https://x.org/ada[@ada]>\n:org: https://x.org\n:docs: {org}/docs\n:long: one \\\n  two\n\n{docs}[Manual] at {docs}, {long}{nbsp}three, {unknown}, \\{org} and C{plus}{plus}\n'
  expect(filled(header)).toEqual([
    '# Title',
    'Ada Lovelace [@ada](<https://x.org/ada>)  ',
    '[Manual](<https://x.org/docs>) at https://x.org/docs, one two\u00a0three, {unknown}, {org} and C++',
  ])
  expect(read('{url}/a[Text^] and link:{url}[more]')).toBe('Text and more')
})

it('shows what holds where a repository is read, and what a build may set', () => {
  const badges = ':status:\n\nifdef::status[]\nBadge\nendif::[]\nifdef::env-site[]\nSite\nendif::[]\n'
  expect(filled(badges)).toEqual(['Badge'])
  expect(filled('ifndef::env-github[Away]\nifdef::env-github[Here]\n')).toEqual(['Here'])
  expect(filled('ifdef::a,env-site[]\nBoth\nendif::[]\nifdef::a+env-site[]\nNo\nendif::[]')).toEqual(['Both'])
  expect(read('One\n// comment\ntwo')).toBe('One\n&#32;\ntwo')
  expect(filled('////\nhidden\n\nlong\n////\nShown')).toEqual(['Shown'])
})

it('shows headings at their anchors, with marks or with rules below them', () => {
  expect(read('[[first]]\n== One ==\n\nTwo\n---\n\ntext\n')).toBe('## One\n\n\n## Two\n\n\ntext\n')
})

it('frames admonitions, quotes, sidebars and examples', () => {
  expect(read('NOTE: Mind *this*\nline.\n\nText')).toBe('> **Note** Mind **this**\n> line.\n\nText')
  expect(read('[TIP]\n.Look\n====\nOne\n\n* two\n====\nEnd')).toBe(
    '\n\n> **Tip** **Look**  \n> One\n>\n> - two\n\nEnd',
  )
  expect(filled('[quote, Ada, A book]\n____\nWords\n____\n')).toEqual(['> Words', '> — Ada, A book'])
  expect(filled('.Aside\n****\nText\n****')).toEqual(['**Aside**  ', '> Text'])
  expect(filled('[IMPORTANT]\nText')).toEqual(['> **Important** Text'])
})

it('shows code with its language, callouts and nothing of its own markup', () => {
  const code = '[source,ruby]\n----\na = *b* # <1>\n{x} <.>\n----\n<1> First\n<2> Second\n'
  expect(filled(code)).toEqual(['```ruby', 'a = *b* # (1)', '{x} (.)', '```', '1. First', '1. Second'])
  expect(read('[source,sh]\nls -l\n\nEnd')).toBe('```sh\nls -l\n```\nEnd')
  expect(read('Type:\n\n $ yore\n   index\n\nEnd')).toBe('Type:\n\n    $ yore\n      index\n\nEnd')
  expect(filled(':v: 2\n\n[,text,subs="attributes+"]\n....\nv{v}\n....')).toEqual(['```text', 'v2', '```'])
  expect(filled('----\n\\include::a[]\n----')[1]).toBe('include::a[]')
  expect(filled('....\n```\n....')).toEqual(['~~~', '```', '~~~'])
  expect(filled('++++\n<b>x</b>\n++++')).toEqual(['<b>x</b>'])
  expect(filled('```\nrest\n----\n*After*')).toEqual(['```', 'rest', '```', '**After**'])
})

it('nests lists and joins blocks to their items', () => {
  const list = '. One\n+\n----\ncode\n----\n* [x] done\n* [ ] open\ngoes on\n. Two\n\nAfter'
  expect(read(list)).toBe(
    '1. One\n\n   ```\n   code\n   ```\n   - ☑ done\n   - ☐ open\n     goes on\n1. Two\n\nAfter',
  )
  expect(read('* a\n** b\n\n+\nof a\n\nEnd\n* no item')).toBe('- a\n  - b\n\n\n  of a\n\nEnd\n\\* no item')
  expect(read('CPU:: fast\nDisk::\n  large\n\n* a')).toBe('- **CPU**: fast\n- **Disk**  \n  large\n\n  - a')
})

it('shows tables in their lines', () => {
  const table =
    '[cols="1,2a",options="header"]\n|===\n|Name |Text\n\n|`a\\|b`\n|one\n\n* two\n\n2+|both\n.2+|x |y\n|z\n|==='
  expect(filled(table)).toEqual([
    ...[
      '| Name | Text |',
      '| --- | --- |',
      '| `a\\|b` | one • two |',
      '| both |  |',
      '| x | y |',
      '|  | z |',
    ],
  ])
  expect(filled('|====\n|a |b\n|*c* |d\n|====')).toEqual([
    '|  |  |',
    '| --- | --- |',
    '| a | b |',
    '| **c** | d |',
  ])
})

it('leads to what references and macros name', () => {
  expect(read('See <<set-up,the set-up>>, <<b.adoc#x>> and xref:a/b.adoc#c[*C*].')).toBe(
    'See [the set-up](<label:set-up>), [b.adoc#x](<b.adoc#x>) and [**C**](<a/b.adoc#c>).',
  )
  expect(read('xref:here[], link:c.html[C^], https://x.org["a, b",role=x] and linkgit:git-log[1]')).toBe(
    '[here](<label:here>), [C](<c.html>), [a, b](<https://x.org>) and [git-log(1)](<man:git-log>)',
  )
  expect(filled('image::a/b.png[]\n\nimage:c.png[The "C",link=https://x.org]')).toEqual([
    '![b](<a/b.png>)',
    '[![The "C"](<c.png>)](<https://x.org>)',
  ])
  expect(read('include::part/one.adoc[leveloffset=+1]')).toBe('**Includes** [part/one.adoc](<part/one.adoc>)')
  expect(read('kbd:[Ctrl+T] btn:[OK] menu:File[New > Page] footnote:[More.] javadoc:a.b.C[]')).toBe(
    '`Ctrl`+`T` **OK** **File › New › Page**  (More.) `a.b.C`',
  )
  expect(read("[[x]]Text ((term)) (((gone)))\n\n'''\n\ntoc::[]")).toBe('Text term \n\n***\n\n')
})

it('shows inline markup as Markdown, and leaves what is code or literal', () => {
  expect(read('_em_ *strong* __u__nder #mark# x^2^ H~2~O [.lead]*l* `*code*` `+{a}+` "`quoted`"')).toBe(
    '*em* **strong** *u*nder mark x² H2O **l** `*code*` `{a}` “quoted”',
  )
  expect(read('+*a*+ pass:[_b_] \\*c* 2 * 3 * 4 a_b_c <tag> *open (C) a -- b')).toBe(
    '\\*a\\* \\_b\\_ \\*c\\* 2 * 3 * 4 a_b_c \\<tag> \\*open © a — b',
  )
  expect(read('*-S*=_SAFE_MODE_ a_b _c_')).toBe('**-S**=*SAFE_MODE* a_b *c*')
  expect(read('One +\ntwo\n- three\n# four')).toBe('One  \ntwo\n\\- three\n\\# four')
  expect(read('`+a`b+` and `pass:[++]`')).toBe('`` a`b `` and `++`')
})

it('bounds what attributes of attributes grow to', () => {
  const grown = Array.from({ length: 30 }, (_, at) => `:a${at + 1}: ${`{a${at}}`.repeat(10)}`)
  const text = [':a0: 0123456789', ...grown, '', '{a30}'.repeat(900)].join('\n')
  expect(read(text).length).toBeLessThan(10_000)
})

it('joins the lines of cells without their breaks', () => {
  expect(filled('[cols=2*]\n|===\n|a +\nb |`x \\=> y`\n\n|c |d\n|===')).toContain('| a b | `x => y` |')
})
