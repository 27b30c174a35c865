import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { stripLinks } from './strip-links.ts'

const source = `See [the guide](https://docs.example.com/guide) and https://status.example.com/now, or
![diagram](images/arch.png) and [setup](../setup.md "Setup"). <https://auto.example.com/x>
<img src="https://cdn.example.com/logo.png" alt="Logo"> and <a href="/local">here</a>.
[ref]: https://ref.example.com/page
Call (http://localhost:8080/health) for \`curl https://api.example.com/v1?x=1\`.`

const strip = (text: string): string => stripLinks(text, [source]).text

describe('what the sources have', () => {
  it.each([
    'See https://status.example.com/now, it says so.',
    '**https://status.example.com/now**',
    'https://ref.example.com/page',
    '`curl https://api.example.com/v1?x=1`',
    'http://localhost:8080/health.',
    'docs/deploy.md:12 and <service-name>, a<br>b, List<String>, x < y && z > 1, `//` comments // here',
    'AT&amp;T &lt;b&gt; [docs/deploy.md:3-4]',
  ])('stays: %s', (text) => expect(strip(text)).toBe(text))
})

describe('what they do not have', () => {
  it.each([
    ['[words](https://evil.example/x)', '[words] ((link removed))'],
    ['![](https://evil.example/x.png?q=secret)', '![] ((link removed))'],
    ['![a](images/other.png)', '![a] (images/other.png)'],
    ['![a](/api/delete?all=1)', '![a] (/api/delete?all=1)'],
    ['[a](javascript:alert(1))', '[a] ((link removed)))'],
    ['[a](<https://evil.example/x y>)', '[a] (&lt;(link removed) y>)'],
    ['See [the guide](https://docs.example.com/guide).', 'See [the guide] (https://docs.example.com/guide).'],
    ['<https://auto.example.com/x>', '&lt;https://auto.example.com/x >'],
    ['<a href="/local">here</a>', '&lt;a href="/local">here</a>'],
    ['see https://evil.example/x.', 'see (link removed).'],
    ['see HTTPS://EVIL.example/x.', 'see (link removed).'],
    ['see www.evil.example/x', 'see (link removed)'],
    ['see //evil.example/x', 'see (link removed)'],
    ['<https://evil.example/x>', '&lt;(link removed)>'],
    ['https://docs.example.com/guide?q=secret', '(link removed)'],
    ['https://docs.example.com/guide/secret', '(link removed)'],
    ['https://docs.example.com.evil.example/guide', '(link removed)'],
    ['[x]: https://evil.example/x', '[x] : (link removed)'],
    ['> 1. [x]: /relative', '> 1. [x] : /relative'],
    ['[a\nb]: /relative', '[a\nb] : /relative'],
    ['<img src="x.png">', '&lt;img src="x.png">'],
    ['<img src=x onerror=y', '&lt;img src=x onerror=y'],
    ['<script>fetch(1)</script>', '&lt;script>fetch(1)&lt;/script>'],
    ['&#104;ttps://evil.example', '&amp;#104;(link removed)'],
    ['data:text/html;base64,AAAA', '(link removed);base64,AAAA'],
    // An underscore ends emphasis, after which an address begins.
    ['_!_//evil.example/x', '_!_(link removed)'],
    ['[a](b', '[a] (b'],
  ])('goes: %s', (text, left) => expect(strip(text)).toBe(left))

  it('is told', () => {
    const { removed } = stripLinks('![a](https://evil.example/a) and http://b.example', [source])
    expect(removed).toEqual(['https://evil.example/a', 'http://b.example'])
  })
})

/** What a viewer with everything turned on would link to or fetch. */
function fetched(answer: string): string[] {
  const viewer = new MarkdownIt({ html: true, linkify: true })
  viewer.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  viewer.validateLink = () => true
  const found: string[] = []
  for (const token of viewer.parse(answer, {}).flatMap((one) => [one, ...(one.children ?? [])])) {
    const target = token.attrGet('href') ?? token.attrGet('src')
    if (target !== null) found.push(String(target))
    if (token.type === 'html_inline' || token.type === 'html_block')
      found.push(...fetchedByHtml(token.content))
  }
  return found
}

/** Anything in raw HTML that has a value, or that acts without one. */
function fetchedByHtml(html: string): string[] {
  const values = [...html.matchAll(/<[a-z][^>]*?[\s/"'][\w:-]+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi)]
  const acting = [
    ...html.matchAll(/<(?:script|style|iframe|object|embed|link|meta|base|svg|form)(?=[\s/>]|$)/gi),
  ]
  return [...values.map(([, value = '']) => value.replaceAll(/["']/g, '')), ...acting.map(([tag]) => tag)]
}

const known = [
  'https://docs.example.com/guide',
  'https://status.example.com/now',
  'images/arch.png',
  '../setup.md',
  'docs/deploy.md',
  'https://auto.example.com/x',
  'https://ref.example.com/page',
  'http://localhost:8080/health',
  'https://api.example.com/v1?x=1',
]
const allowed = new Set([...known, 'https://cdn.example.com/logo.png', 'Logo', '/local'])

/** Renderers differ in which marks after an address belong to it; three of them carry nothing. */
function isAllowed(target: string): boolean {
  return allowed.has(target) || allowed.has(decodeURI(target).replace(/[*_~`|\\"'.,;:!?)\]}]{1,3}$/, ''))
}

it('leaves nothing that a viewer would fetch and no source has (T26)', () => {
  const address = fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(
      'https://evil.example/?q=',
      '//evil.example/x',
      'http://evil.example',
      'data:image/png,x',
    ),
    fc.constantFrom('javascript:x', '/api?x=1', 'evil.png', 'www.evil.example/x', '&#104;ttp://evil.example'),
    fc.constantFrom('https:&#x2f;/evil.example', 'h\\ttps://evil.example', 'https:\\\\evil.example'),
  )
  const around = [
    ...[
      '![',
      '[',
      ']',
      '](',
      ')',
      '(',
      '<',
      '>',
      '"',
      "'",
      '`',
      '```\n',
      '\n',
      '\n\n',
      ' ',
      ': ',
      ']: ',
      '*',
      '|',
    ],
    ...[
      '<img src=',
      '<img src="',
      '<a href=',
      '<div>',
      '<script',
      '<style>',
      'style="background:url(',
      '<br>',
    ],
    ...[
      '[x]',
      '[x]: ',
      '![x][y]',
      '\n[y]: ',
      '> ',
      '- ',
      '\\',
      '&',
      ';',
      'srcset=',
      '<service-name>',
      '<!--',
      '-->',
    ],
    ...['<img src="https://cdn.example.com/logo.png" alt="Logo">', '=', '/', '.', ',', '#', '?', 'a', 'S1:3'],
  ]
  const part = fc.oneof(address, fc.constantFrom(...around), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const answer = parts.join('')
      const left = fetched(strip(answer)).filter((target) => !isAllowed(target))
      expect(left).toEqual([])
    }),
    { numRuns: 20_000 },
  )
})

it('ends a known address before a quote that opens more of it', () => {
  const answer = 'https://docs.example.com/guide"<div>style="background:url('
  expect(fetched(strip(answer)).filter((target) => !isAllowed(target))).toEqual([])
})

it('does nothing more the second time', () => {
  const answer = '![a](https://evil.example/a) see https://docs.example.com/guide?x [q]: <img src=z> &colon;'
  expect(strip(strip(answer))).toBe(strip(answer))
})

it('takes time in proportion, whatever comes', () => {
  for (const unit of [
    '[',
    '](',
    '](<',
    '![x](',
    '<',
    '<a ',
    '<a b="',
    '&',
    '&#1',
    ']:',
    'http://',
    '//',
    'www.',
    '\\',
  ]) {
    const time = (n: number): number => {
      const text = unit.repeat(Math.ceil(n / unit.length))
      const before = processorTime()
      strip(text)
      stripLinks('', [text])
      return processorTime() - before
    }
    time(10_000)
    expect(time(200_000), unit).toBeLessThan(2000)
  }
})
