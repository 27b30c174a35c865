import { expect, test } from 'vitest'
import { readHeading } from './heading-text.ts'

test.each([
  ['Plain words', 'Plain words'],
  ['**Bold** and _soft_ and ~~gone~~', 'Bold and soft and gone'],
  ['Run `npm *install*`', 'Run npm *install*'],
  ['See [the guide](guide.md#x)', 'See the guide'],
  ['![A *logo*](logo.png) yore', 'A logo yore'],
  ['<a name="x"></a>Title<br>', 'Title'],
  ['Fish &amp; chips \\*really\\*', 'Fish & chips *really*'],
  ['<https://example.org>', 'https://example.org'],
  ['two\nlines', 'two lines'],
  ['snake_case_name', 'snake_case_name'],
  ['tab\tand  spaces', 'tab and spaces'],
  ['{{< glossary_tooltip text="Pod" >}}', '{{< glossary_tooltip text="Pod" >}}'],
])('reads the heading %j as %j', (source, name) => {
  expect(readHeading(source, {}).name).toBe(name)
})

test('follows a link definition of the document', () => {
  const env = { references: { GUIDE: { href: 'guide.md', title: '' } } }
  expect(readHeading('The [way][guide]', env).name).toBe('The way')
})

test.each([
  ['Title {#custom-id}', 'Title', 'custom-id'],
  ['Title {#id_one_two .class}', 'Title', 'id_one_two'],
  ['Title {.class #x key=value}', 'Title', 'x'],
  ['Title {: #kram .c}', 'Title', 'kram'],
  ['Title {.only-class}', 'Title', null],
  ['Title{#tight}', 'Title', 'tight'],
  ['方法 %{#methods}%', '方法', 'methods'],
  ['Title \\{#escaped-for-mdx}', 'Title', 'escaped-for-mdx'],
  ['Title {/*try-react*/}', 'Title', 'try-react'],
  ['`useState` {/* #use_state */}', 'useState', 'use_state'],
  ['Title {/* a note to translators */}', 'Title', null],
])('takes the attributes off %j', (source, name, id) => {
  expect(readHeading(source, {})).toMatchObject({ name, explicitId: id })
})

test.each([
  'Use {braces}',
  'Set {}',
  'Is {{#if}}',
  'A {#}',
  '{{% heading "x" %}}',
  'a } {b}',
  'a {/* b */ c}',
])('leaves braces that are not attributes in %j', (source) => {
  expect(readHeading(source, {})).toMatchObject({ name: source, explicitId: null })
})

test('cuts a heading that is a whole paragraph', () => {
  expect(readHeading('word '.repeat(10_000), {}).name.length).toBeLessThanOrEqual(1_000)
})
