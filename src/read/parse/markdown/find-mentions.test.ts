// Does every form of link give one mention, with its line and its section, and does code give none?
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Mention } from '../../../model/reference.ts'
import { parseDocument } from '../parse-document.ts'
import type { MentionOptions } from './find-mentions.ts'

function mentionsIn(text: string, options: Partial<MentionOptions> = {}): readonly Mention[] {
  return parseDocument({ path: 'docs/a.md', language: 'markdown', text }, options).mentions
}

/** `form line target` of each mention. */
function brief(text: string, options: Partial<MentionOptions> = {}): string[] {
  return mentionsIn(text, options).map(({ form, line, target }) => `${form} ${line} ${target}`)
}

test.each([
  ['inline', '[b](b.md)', ['link 1 b.md']],
  ['inline with a title', '[b](b.md "words")', ['link 1 b.md']],
  ['inline in angle brackets', '[b](<b c.md>)', ['link 1 b c.md']],
  ['percent-encoded, as written', '[b](b%20c.md#d)', ['link 1 b%20c.md#d']],
  ['brackets in the words', '[a [b] c](d.md)', ['link 1 d.md']],
  ['reference', '[b][x]\n\n[x]: b.md', ['link 1 b.md']],
  ['reference defined before', '[x]: b.md\n\n[b][X]', ['link 3 b.md']],
  ['collapsed reference', '[x][]\n\n[x]: b.md', ['link 1 b.md']],
  ['shortcut reference', '[x]\n\n[x]: b.md', ['link 1 b.md']],
  ['reference without a definition', '[b][x] and [y]', []],
  ['autolink', '<https://example.com/x>', ['link 1 https://example.com/x']],
  ['mail autolink', '<a@b.org>', ['link 1 mailto:a@b.org']],
  ['angle brackets around a file, which is no autolink', '<file.md>', []],
  ['HTML anchor in a paragraph', 'see <a href="b.md">it</a>', ['link 1 b.md']],
  ['HTML anchor without quotes', 'see <a class=x href=b.md>it</a>', ['link 1 b.md']],
  [
    'HTML anchor in a block',
    "<div>\n<p>see <A HREF='b.md?x=1&amp;y=2'>it</A></p>\n</div>",
    ['link 2 b.md?x=1&y=2'],
  ],
  ['HTML anchor that is a target', '<a name="x"></a>', []],
  ['HTML image', 'an <img src="b.png" alt="B"> here', ['image 1 b.png']],
  ['HTML image in a block', '<p>\n<img src="b.png"></p>', ['image 2 b.png']],
  ['image', '![b](b.png)', ['image 1 b.png']],
  ['image in a link', '[![b](b.png)](c.md)', ['image 1 b.png', 'link 1 c.md']],
  ['in a heading', '# See [b](b.md)', ['link 1 b.md']],
  ['in a list', '- a\n- [b](b.md)\n  and [c](c.md)', ['link 2 b.md', 'link 3 c.md']],
  ['in a quote', '> a\n> [b](b.md)', ['link 2 b.md']],
  ['in a table', '| a |\n|---|\n| x |\n| [b](b.md) |', ['link 4 b.md']],
  ['in emphasis', '**[b](b.md)**', ['link 1 b.md']],
  ['over lines', 'a\nb [c\nd](e.md) f\n[g](h.md)', ['link 2 e.md', 'link 4 h.md']],
  ['after a code span over lines', '`a\nb` [c](d.md)', ['link 2 d.md']],
  ['after a hard break', 'a  \nb\\\n[c](d.md)', ['link 3 d.md']],
  ['with carriage returns', 'a\r\n\r\nb\r\n[c](d.md)', ['link 4 d.md']],
  ['in frontmatter', '---\ntitle: x\nreason: see [b](b.md)\n---\n[c](c.md)', ['link 3 b.md', 'link 5 c.md']],
  ['footnotes, which are none', 'a[^1]\n\n[^1]: word', []],
  ['escaped brackets', '\\[b](b.md)', []],
])('finds links: %s', (_, text, expected) => {
  expect(brief(text)).toEqual(expected)
})

test.each([
  ['code span', '`[b](b.md) ADR-013`'],
  ['double code span', '`` ` [b](b.md) ``'],
  ['fence', '```\n[b](b.md) ADR-013\n```'],
  ['tilde fence', '~~~md\n[b](b.md)\n~~~'],
  ['indented code', '    [b](b.md) ADR-013'],
  ['fence in a list', '- a\n  ```\n  ADR-013\n  ```'],
  ['HTML code', 'a <code>ADR-013</code>'],
  ['HTML pre', '<pre>\nADR-013\n</pre>'],
  ['HTML comment', '<!-- [b](b.md) ADR-013 <a href="x"> -->'],
  ['HTML comment in a paragraph', 'a <!-- ADR-013 --> b'],
  ['script', '<script>\nlet x = "<a href=\'b.md\'>ADR-013"\n</script>'],
])('finds nothing in code and comments: %s', (_, text) => {
  expect(brief(text)).toEqual([])
})

test.each([
  ['ref in a link', '[b]({{< ref "b#c" >}}) [d](d.md)', ['link 1 ref:b#c', 'link 1 d.md']],
  ['relref with an anchor behind it', '[b]({{% relref "/docs/b.md" %}}#c)', ['link 1 ref:/docs/b.md#c']],
  ['ref in an HTML anchor', 'x <a href="{{< ref "../b#c" >}}">B</a>', ['link 1 ref:../b#c']],
  ['ref in an HTML block', '<td>\n<a href="{{< ref "../b#c" >}}">B</a></td>', ['link 2 ref:../b#c']],
  ['glossary', 'a\n{{< glossary_tooltip text="clusters" term_id="cluster" >}}', ['link 2 glossary:cluster']],
  [
    'glossary over lines',
    '{{< glossary_tooltip\ntext="x" term_id="y" >}} [b](b.md)',
    ['link 1 glossary:y', 'link 2 b.md'],
  ],
  ['link', '{{< link text="x" url="/docs/x/" >}}', ['link 1 /docs/x/']],
  ['commented out', 'a {{</* ref "b" */>}}', []],
  ['in code', '`{{< ref "b" >}}`', []],
  ['others, and what stands between them', '{{< note >}}\n[b](b.md)\n{{< /note >}}', ['link 2 b.md']],
  ['never closed', '[b]({{< ref "b"', []],
])('finds Hugo shortcodes: %s', (_, text, expected) => {
  expect(brief(text)).toEqual(expected)
})

test('finds wiki links only when configured', () => {
  const text = '[[Page]] [[Page|words]] [[Page#Section]] ![[x]] `[[no]]` [[]] [[a\nb]]'
  expect(brief(text)).toEqual([])
  expect(brief(text, { wikiLinks: true })).toEqual([
    'wiki 1 Page',
    'wiki 1 Page',
    'wiki 1 Page#Section',
    'wiki 1 x',
  ])
  expect(mentionsIn(text, { wikiLinks: true })[1]?.text).toBe('words')
})

test.each([
  ['in text', 'See ADR-013.', ['id 1 ADR-013']],
  ['on their lines', 'a\nADR-013\n\n- ADR 14', ['id 2 ADR-013', 'id 4 ADR 14']],
  ['beside code', '`x` ADR-013 `y\nz` ADR-014', ['id 1 ADR-013', 'id 2 ADR-014']],
  ['not twice in a link to it', '[ADR-013](./adr-13-x.md)', ['link 1 ./adr-13-x.md']],
  ['by reference', '[ADR-013]\n\n[ADR-013]: adr-0013.md', ['link 1 adr-0013.md']],
  ['beside the link', '[x](adr-14.md) and ADR-013', ['link 1 adr-14.md', 'id 1 ADR-013']],
  ['in a link to something else', '[see ADR-013](x.md)', ['link 1 x.md', 'id 1 ADR-013']],
  [
    'in a link to another site',
    '[EIP-1559](https://x.org/1559)',
    ['link 1 https://x.org/1559', 'id 1 EIP-1559'],
  ],
  ['not in a destination', '[x](ADR-013.md)', ['link 1 ADR-013.md']],
  ['not in a bare address', 'https://x.org/ADR-013', []],
  ['in HTML text', '<p>\nADR-013</p>', ['id 2 ADR-013']],
  ['not in HTML attributes', '<p title="ADR-013">x</p>', []],
  ['in frontmatter', '---\nstatus: superseded by ADR-014\n---\n', ['id 2 ADR-014']],
  ['in a table', '| a |\n|---|\n| ADR-013 |', ['id 3 ADR-013']],
])('finds ids: %s', (_, text, expected) => {
  expect(brief(text)).toEqual(expected)
})

test('finds the ids of plain text on their lines, whatever ends them', () => {
  const { mentions } = parseDocument({
    path: 'a.txt',
    language: 'text',
    text: 'a\r\nADR-013 [b](b.md)\rADR-014',
  })
  expect(mentions.map(({ origin, line, target }) => [origin, line, target])).toEqual([
    ['a.txt', 2, 'ADR-013'],
    ['a.txt', 3, 'ADR-014'],
  ])
})

test('names the section whose own lines hold the mention', () => {
  const text = '[a](a.md)\n# One\n[b](b.md)\n## Two [c](c.md)\n> # Quoted\n> [d](d.md)\n# Three\nADR-013'
  expect(mentionsIn(text).map(({ origin }) => origin)).toEqual([
    'docs/a.md',
    'docs/a.md#one',
    'docs/a.md#one.two-c',
    'docs/a.md#one.two-c',
    'docs/a.md#three',
  ])
})

test('keeps the words of a link without markup', () => {
  const words = (text: string): string | undefined => mentionsIn(text)[0]?.text
  expect(words('[a **b** `c`\n_d_](e.md)')).toBe('a b c d')
  expect(words('[snake_case_name](e.md)')).toBe('snake_case_name')
  expect(words('x <a href="e.md">a <b>b</b></a>')).toBe('a b')
  expect(words('[x &amp; y](e.md)')).toBe('x & y')
  expect(words(`[${'a'.repeat(500)}](e.md)`)).toHaveLength(200)
})

const pieces = fc.constantFrom(
  '[',
  ']',
  '(',
  ')',
  '[a](b.md)',
  '<',
  '>',
  '<a href="',
  '</a>',
  '{{<',
  '>}}',
  ' ref "x" ',
  '"',
  "'",
  '`',
  '\n',
  '\n\n',
  '# h\n',
  '- ',
  '> ',
  '|',
  '|-|\n',
  '![',
  ': ',
  '[x]: y\n',
  'ADR-013',
  'é',
  '\\',
  '&amp;',
  '<!--',
  '-->',
  '\r',
  '\0',
  '---\n',
)

test('never throws; lines lie in the document and origins are its artifacts', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.boolean(), (words, wikiLinks) => {
      const text = words.join('')
      const parsed = parseDocument({ path: 'a.md', language: 'markdown', text }, { wikiLinks })
      const byId = new Map(parsed.artifacts.map((artifact) => [artifact.id, artifact]))
      let last = 0
      for (const { origin, line, target } of parsed.mentions) {
        const own = byId.get(origin)?.ownLines
        expect(own !== null && own !== undefined && own.start <= line && line <= own.end).toBe(true)
        expect(typeof target).toBe('string')
        last = Math.max(last, line)
      }
      expect(last).toBeLessThanOrEqual(parsed.artifacts[0]!.lines.end)
      expect(parsed.artifacts[0]?.kind).toBe('markdown_module')
    }),
    { numRuns: 3_000 },
  )
})
