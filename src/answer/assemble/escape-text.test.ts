// Does document text survive its escapes, and can it not write the frame?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unescapeExcerpt } from '../../../test/parse-digest.ts'
import { processorTime } from '../../../test/processor-time.ts'
import { digestFixture, passageFixture } from '../../../test/support/digest.ts'
import { hostileText, propertyRuns } from '../../../test/support/hostile-digest.ts'
import { markInvisible } from '../../model/mark-invisible.ts'
import { escapeLine, wrapperOpening, writeCode, writeExcerpt } from './escape-text.ts'
import { documentLanguage } from './fence-language.ts'
import { renderMarkdown } from './render-markdown.ts'
import { excerptStart, nextBlockState } from './track-blocks.ts'

/** Every line escaped, also where the text is not self-contained. */
function escapeExcerpt(text: string): string {
  let state = excerptStart
  const lines = markInvisible(text).split('\n')
  const escaped = lines.map((line) => {
    const written = escapeLine(state, line)
    state = nextBlockState(state, line)
    return written
  })
  return escaped.join('\n')
}

const isSelfContained = (text: string): boolean =>
  !wrapperOpening.test(writeExcerpt(text).split('\n', 1)[0] as string)

describe('escapeExcerpt', () => {
  it('is inverted by unescapeExcerpt for hostile documents', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(unescapeExcerpt(escapeExcerpt(text))).toBe(text)
      }),
      { numRuns: propertyRuns },
    )
  })

  it('is inverted by unescapeExcerpt for every string', () => {
    const anyString = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    )
    fc.assert(
      fc.property(anyString, (text) => {
        expect(unescapeExcerpt(escapeExcerpt(text))).toBe(text)
      }),
      { numRuns: propertyRuns },
    )
  })

  it('keeps every heading a heading of Markdown, and reads it back', () => {
    const heading = fc
      .tuple(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.constantFrom(' ', '#', '###', 'a', '\t', '- ', '\\')),
      )
      .map(([level, parts]) => `${'#'.repeat(level)}${parts.join('')}`)
    fc.assert(
      fc.property(heading, (line) => {
        const escaped = escapeExcerpt(line)
        expect(unescapeExcerpt(escaped)).toBe(line)
        const level = (text: string): number => /^#*/.exec(text)?.[0].length ?? 0
        if (level(line) <= 6) expect(level(escaped)).toBeLessThanOrEqual(Math.max(6, level(line)))
        expect(level(escaped)).toBeGreaterThan(3)
      }),
      { numRuns: propertyRuns },
    )
  })

  it.each([
    ['# Title', '#### Title'],
    ['   ## Indented', '   ##### Indented'],
    ['#hashtag', '####hashtag'],
    ['### Third', '###### Third'],
    ['#### Fourth', '###### Fourth ####'],
    ['###### Sixth', '###### Sixth ######'],
    ['### Closed ####', '###### Closed #### ###'],
    ['> # Quoted', '> #### Quoted'],
    ['- # Listed', '- #### Listed'],
    ['## Attributes {#set-up}', '##### Attributes'],
    ['> ### Comments {/* #set-up */}', '> ###### Comments'],
    ['## Sets {/ #}', '##### Sets {/ #}'],
    ['**Source:** a.md:1-2', '\\**Source:** a.md:1-2'],
    ['\\**Source:** a.md:1-2', '\\\\**Source:** a.md:1-2'],
    ['__source:__ a.md', '\\__source:__ a.md'],
    ['**Referenced by:** a.md:1', '\\**Referenced by:** a.md:1'],
    ['**Refers to:** a.md:1', '\\**Refers to:** a.md:1'],
    ['**Generated:** now', '\\**Generated:** now'],
    ['> **Note:** x', '> \\**Note:** x'],
    ['*[… 3 lines omitted …]*', '\\*[… 3 lines omitted …]*'],
    ['Title\n===', 'Title\n\\==='],
    ['Title\n-', 'Title\n\\-'],
    ['---', '\\---'],
    ['* * *', '\\* * *'],
    ['> ---', '> \\---'],
    ['- a\n      ---', '- a\n      \\---'],
  ])('escapes %j', (source, rendered) => {
    expect(escapeExcerpt(source)).toBe(rendered)
  })

  it.each([
    ['plain prose, **bold** and `code`'],
    ['**Note:** an ordinary note'],
    ['**Note:** one -> two'],
    ['> see the **Note:** below'],
    ['see **Source:** below'],
    ['as in [… this]'],
    ['Source: the manual'],
    ['[Source](https://example.org/x)'],
    ['*Source* of truth'],
    ['<td>Source: x</td>'],
    ['*Sources:* several'],
    ['<h1 align="center">yore</h1>'],
    ['<b>Note:</b> an ordinary note'],
    ['& so on'],
    ['####### seven hashes are no heading'],
    ['    # a comment in indented code\n    ---'],
    ['```bash\n# a comment\n---\n**Source:** x\n```'],
    ['~~~\n# a comment\n~~~~'],
    ['- step:\n\n  ```bash\n  # a comment\n  ```\n- next'],
    ['1. step:\n   ```yaml\n   # a comment\n   ---\n   ```\n2. ```\n   # more\n   ```'],
    ['> ```\n> # a comment\n> ```'],
    ['| a | b |\n|---|---|\n| 1 | 2 |'],
    ['👩‍💻 ❤️ 1️⃣ 👍🏽'],
    ['می\u200cخواهید क्\u200dष'],
  ])('leaves %j as it is', (source) => {
    expect(escapeExcerpt(source)).toBe(source)
    expect(isSelfContained(source)).toBe(true)
  })

  it.each([
    ['a\u202eb', 'a⟦U+202E⟧b'],
    ['\u200b\ufeff\u00ad', '⟦U+200B⟧⟦U+FEFF⟧⟦U+00AD⟧'],
    ['\u001b[2J\u0000\r', '⟦U+001B⟧[2J⟦U+0000⟧⟦U+000D⟧'],
    ['\u{e0041}\u2028', '⟦U+E0041⟧⟦U+2028⟧'],
    ['\ud800 \udc00', '⟦U+D800⟧ ⟦U+DC00⟧'],
    ['⟦U+202E⟧ ⟦x⟧', '⟦U+27E6⟧U+202E⟧ ⟦x⟧'],
    ['a\u200cb می\u200c\u200c', 'a⟦U+200C⟧b می⟦U+200C⟧⟦U+200C⟧'],
    ['*\ufe0f*Source:**', '*⟦U+FE0F⟧*Source:**'],
  ])('shows what is invisible in %j', (source, rendered) => {
    expect(escapeExcerpt(source)).toBe(rendered)
  })
})

describe('what the frame opens a line with', () => {
  it('is escaped in a document, whichever label it is', () => {
    const place = [{ path: 'a.md', line: 1 }]
    const referring = { ...passageFixture, referencedBy: place }
    const digest = { ...digestFixture, primary: [...digestFixture.primary, referring] }
    const lines = renderMarkdown(digest, { actualTokens: '812' }).split('\n')
    const labelled = lines.filter((line) => /^\*\*[^*]+:\*\*/.test(line))
    expect(new Set(labelled.map((line) => line.split(':')[0])).size).toBe(11)
    for (const line of labelled) expect(escapeExcerpt(line)).toBe(`\\${line}`)
  })

  it.each([
    '\u00a0**Source:** x',
    '**\u00a0Source:** x',
    '**Source\u00a0:** x',
    '**Source**: x',
    '__SOURCE__: x',
    '[… 3 lines omitted',
    '[... 3 lines omitted',
    '\u00a0[… 3 lines omitted',
    '[\u00a0… 3 lines omitted',
    '**[… 3 lines omitted',
    '> \u00a0**Note:** x',
    '> **\u00a0note:** x',
    '> **Note\u00a0:** x',
    '> __Note__: x',
    '***Source:*** SECURITY.md:1-9',
    '<b>Source:</b> SECURITY.md:1-9',
    '*_**Source:**_* x',
    '**Source：** x',
    '**Source\u2236** x',
    '*Source:* x',
    '**Sou**_**rce:**_ x',
    '<strong title=">">Source</strong>: x',
    '<p><b>Source:</b> x',
    '<p style="font-weight:bold">Source: x',
    '**S&#111;urce&colon;** x',
    '**Source\\:** x',
    '**Ѕоurсе:** x',
    '＊＊Source:＊＊ x',
    '𝐒𝐨𝐮𝐫𝐜𝐞: x',
    '[**Source:** a.md](https://example.org)',
    '<i>[… 3 lines omitted …]</i>',
    '_[… 3 lines omitted …]_',
    '*［… 3 lines omitted …］*',
    '> ***Note:*** x',
    '> <b>Note:</b> x',
    '<hr>',
    '<hr/>',
    '<h2>Distilled Content</h2>',
  ])('is escaped in any disguise: %j', (line) => {
    expect(escapeExcerpt(line).replace('\\', '')).toBe(line)
    expect(escapeExcerpt(line)).not.toBe(line)
  })

  it.each(['# Title', '### Third', '---', '**Source:** a.md:1', '> **Note:** x'])(
    'is left as it is by unescapeExcerpt where nothing was escaped: %j',
    (line) => {
      expect(unescapeExcerpt(line)).toBe(line)
    },
  )
})

describe('writeCode', () => {
  it('fences code in its language, every line end as LF, the invisible shown', () => {
    expect(writeCode('let a\r\nlet b\u200b', 'js')).toBe('```js\nlet a\nlet b⟦U+200B⟧\n```')
  })

  it('has a fence longer than any inside', () => {
    expect(writeCode('`a`', 'md')).toBe('```md\n`a`\n```')
    expect(writeCode('```\n````', 'md')).toBe('`````md\n```\n````\n`````')
  })
})

describe('an excerpt without a fence of its own', () => {
  it.each([
    ['```\nopen'],
    ['code\n```\ntext after a fence that began before'],
    ['code\n```\ntext\n```js\nmore\n```'],
    ['~~~\n```'],
    ['````\n```'],
    ['<!-- open'],
    ['<script>\nlet a'],
    ['<pre>\n\ntext'],
    ['<?php'],
    ['<![CDATA['],
    ['<!X'],
    ['<div>\n```\n\n# heading\n```'],
    ['<!--\n```\n-->\n# heading\n```'],
    ['- a\n  ```\n# heading\n  ```'],
    ['> ```\n# heading\n> ```'],
    ['text\n2. ```\n   # heading\n   ```'],
    ['```markdown\nlooks like the wrapper\n```'],
  ])('is not written for %j', (text) => {
    expect(isSelfContained(text)).toBe(false)
  })

  it.each([
    ['```\nclosed\n```'],
    ['<!-- prettier-ignore -->\n```js\nlet a\n```'],
    ['<!-- a\n\nb -->'],
    ['<details>\n<summary>x</summary>\n\n```\na\n```\n\n</details>'],
    ['text with `<!--` inside'],
    ['    ```\n    indented code'],
  ])('is written for %j', (text) => {
    expect(isSelfContained(text)).toBe(true)
  })
})

describe('writeExcerpt', () => {
  it('quotes what is not self-contained in a longer fence, verbatim but for the invisible', () => {
    expect(writeExcerpt('# a\u200b\r\n````\n---')).toBe('`````markdown\n# a⟦U+200B⟧\n````\n---\n`````')
  })

  it('names the language that the text is in, and keeps apart what would read as a file of code', () => {
    const text = '<!--\nx'
    const language = (path: string): string => documentLanguage(path, 'text_document')
    const named = (path: string): string | undefined =>
      writeExcerpt(text, { language: language(path) }).split('\n', 1)[0]
    expect(named('docs/x.rst')).toBe('```rst')
    expect(['a.adoc', 'a.rst.txt', 'README'].map(named)).toEqual(['```asciidoc', '```rst', '```text'])
    expect(writeExcerpt('```html\n<p>\n```', { reserved: 'html' })).toBe(
      '````markdown\n```html\n<p>\n```\n````',
    )
  })

  it('writes every line end as LF', () => {
    expect(writeExcerpt('a\r\nb\rc')).toBe('a\nb\nc')
  })

  it.each([
    '- ',
    '> ',
    '#',
    '`',
    '⟦U+',
    '\\',
    '<!--',
    '\u200d',
    ' ',
    '1. ',
    '**Source:',
    '<b>',
    '<b title="',
    '<"<\'',
    '&#42;',
    '*_',
    '<i></i>S',
    '[',
    '\t',
    '= ',
    '*[',
    '~~~\n',
  ])('takes linear time on %j repeated', (fragment) => {
    const text = fragment.repeat(Math.ceil(200_000 / fragment.length))
    const started = processorTime()
    expect(unescapeExcerpt(escapeExcerpt(text))).toBe(text)
    writeExcerpt(`${text}x`)
    expect(processorTime() - started).toBeLessThan(5_000)
  })
})
