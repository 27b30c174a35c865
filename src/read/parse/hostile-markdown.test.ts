// Does any text make parsing slow or break it? T13: hostile Markdown; T16: nesting 100,000 deep.
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { parseDocument } from './parse-document.ts'
import { splitFragments } from './split-fragments.ts'

const many = (text: string, chars = 150_000): string => text.repeat(Math.ceil(chars / text.length))
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const hostile: Readonly<Record<string, string>> = {
  'nested brackets': many('['),
  'bracket pairs in a heading': `# ${many('[a](')}`,
  'nested images in headings': lines(100, () => `# ${'!['.repeat(450)}`),
  'nested emphasis': many('*a **a '),
  'emphasis marks in headings': lines(150, () => `# ${'*_'.repeat(490)}a`),
  'deep lists on one line': many('- '),
  'deep lists line by line': lines(500, (index) => `${'  '.repeat(index)}- a`),
  'deep block quotes': `${many('> ', 50_000)}a`,
  'block quotes with lazy lines': many('> a\nb\n'),
  'backtick runs of every length': lines(400, (index) => `e${'`'.repeat(index)}`),
  'backtick runs in headings': lines(150, (index) => `# ${'`a'.repeat(index)}`),
  'an unclosed fence per line': many('```a\n~~~\n'),
  'unclosed comments': many('<!-- \n'),
  'unclosed tags in headings': lines(150, () => `# ${'<a href="'.repeat(100)}`),
  'HTML starts': many('<?\n<!A\n<![CDATA[\n<script>\n'),
  'a long table': `| a | b |\n|---|---|\n${many('| x | y |\n')}`,
  'a wide table': `${many('|a', 50_000)}|\n${many('|-', 50_000)}|\n${'|\n'.repeat(5_000)}`,
  'table heads without bodies': many('a|b\n-|-\n\n'),
  'link definitions': lines(4_000, (index) => `[label ${index}]: <url> "title"`),
  'unclosed link definitions': many('[a\n'),
  'link definitions with open titles': many('[a]: b "\n'),
  'entity floods in headings': lines(150, () => `# ${'&amp;&#35;&x'.repeat(80)}`),
  'one heading per line': many('# a\n'),
  'headings that climb and fall': many('# a\n###### a\n## a\n'),
  'a setext heading of a whole file': `${many('word word\n')}===\n`,
  'blank lines and spaces': many(' \n\t\n'),
  'a single long line': many('x'),
  'ordered lists that restart': many('1. a\n2) b\n'),
  'carriage returns': many('\r\r\n\n'),
  'rules and dashes': many('---\n***\n- - -\n'),
}

test.each(Object.entries(hostile))('T13: parses %s within 5 s', (_, text) => {
  const started = processorTime()
  const { artifacts } = parseDocument({ path: 'h.md', language: 'markdown', text })
  const fragments = artifacts.flatMap((artifact) => splitFragments(artifact))
  expect(processorTime() - started).toBeLessThan(5_000)
  expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
  expect(artifacts.every((artifact) => artifact.kind !== 'text_document')).toBe(true)
  expect(fragments.length > 0 || text.trim() === '').toBe(true)
})

const deep = 100_000
const nested: Readonly<Record<string, string>> = {
  'block quotes': `${'>'.repeat(deep)}a`,
  lists: `${'- '.repeat(deep)}a`,
  brackets: `${'['.repeat(deep)}a${']'.repeat(deep)}`,
  'emphasis in a heading': `# ${'*'.repeat(deep)}a${'*'.repeat(deep)}`,
  'images in a heading': `# ${'!['.repeat(deep)}a${'](b)'.repeat(deep)}`,
  HTML: `${'<div>\n'.repeat(deep)}a`,
  'YAML flow lists': `---\na: ${'['.repeat(deep)}\n---\n`,
  'YAML flow lists within the size limit': `---\na: ${'['.repeat(60_000)}\n---\n`,
  'YAML flow maps within the size limit': `---\na: ${'{b: '.repeat(15_000)}\n---\n`,
  'YAML block lists within the size limit': `---\na:\n  ${'- '.repeat(30_000)}x\n---\n`,
  'YAML block keys within the size limit': `---\n${'? '.repeat(30_000)}x\n---\n`,
  'YAML tagged lists within the size limit': `---\na:\n  ${'- !t '.repeat(12_000)}x\n---\n`,
  'YAML indentation within the size limit': `---\n${lines(350, (index) => `${' '.repeat(index)}a:`)}\n---\n`,
}

test.each(Object.entries(nested))('T16: survives %s nested deep', (_, text) => {
  const started = processorTime()
  const { artifacts, facts } = parseDocument({ path: 'h.md', language: 'markdown', text })
  expect(processorTime() - started).toBeLessThan(5_000)
  expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
  expect(() => JSON.stringify(facts)).not.toThrow()
})
