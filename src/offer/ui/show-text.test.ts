// Which words does a card mark, and what of a document's markup does it show?
import { expect, it } from 'vitest'
import { chooseWindow, plainName } from '../../explore/show-passage.ts'
import { html } from './html.ts'
import { markWords, showText } from './show-text.ts'

it('marks the forms of a word, and no longer word that begins alike', () => {
  const write = markWords(['live', 'work', 'stop', 'set'])
  const marked = html`${write('Liveness works; stopping the workload sets the setup')}`.text
  expect([...marked.matchAll(/<mark>(\w+)/g)].map(([, word]) => word)).toEqual([
    'Liveness',
    'works',
    'stopping',
    'sets',
  ])
})

it('shows no tags that only shape text, and the words that they hold', () => {
  const text =
    '<b>Bold</b> and <Foo> stay.\n\n<!-- hidden -->\n\n<div align="center">\nCentred <img src="a.svg"\n  width="6" />\n</div>'
  const passage = { path: 'a.md', language: 'markdown', excerpts: [{ lines: { start: 1, end: 8 }, text }] }
  const { body } = showText(passage as never, { lines: 8, terms: [] })
  expect(body.text.replaceAll(/<[^>]*>/g, '')).toMatch(/^Bold and &lt;Foo&gt; stay\.\s*Centred\s*$/)
})

it('shows a picture by its description, and no badges', () => {
  const text =
    '[![Build](https://x.org/b.svg)](https://x.org) ![v][1]\n\n![How it works](docs/how.svg)\n\nText.'
  const passage = { path: 'a.md', language: 'markdown', excerpts: [{ lines: { start: 1, end: 5 }, text }] }
  const { body } = showText(passage as never, { lines: 8, terms: [] })
  expect(
    body.text
      .replaceAll(/<[^>]*>/g, ' ')
      .split(/\s+/)
      .join(' ')
      .trim(),
  ).toBe('How it works Text.')
})

it('shows a heading of HTML as a heading', () => {
  const text = '<h1 align="center">Fastify</h1>\n\n## Hooks\n'
  const passage = { path: 'a.md', language: 'markdown', excerpts: [{ lines: { start: 1, end: 3 }, text }] }
  const { body } = showText(passage as never, { lines: 8, terms: [] })
  expect(body.text).toContain('<p class="head h1">Fastify')
})

it('opens a card where most words of the question are, and counts no compound of them', () => {
  const blocks = [
    '`setHandler(handler, error)`: set a handler of each error',
    'No handler: `errorHandler` is set',
  ]
  const found = blocks.map((text) => ({ lines: 2, text }))
  expect(chooseWindow(found, 2, ['set', 'error', 'handler', 'errorhandl'])).toMatchObject({ from: 0, to: 1 })
})

it('names a section without its shortcode', () => {
  expect(plainName('{{% heading "whatsnext" %}}')).toBe('whatsnext')
  expect(plainName('Use {{ value }}')).toBe('Use {{ value }}')
})
