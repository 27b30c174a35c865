// Does finding mentions take time in proportion to the text, however hostile it is?
import { expect, test } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { parseDocument } from '../parse-document.ts'

const row = (text: string) => (chars: number) => text.repeat(Math.ceil(chars / text.length))
const hostile: Readonly<Record<string, (chars: number) => string>> = {
  'open brackets': row('['),
  'nested brackets with definitions': (n) => `[x]: y\n\n${'['.repeat(n / 2)}x${']'.repeat(n / 2)}`,
  'open links': row('[a]('),
  'links with open titles': row('[a](b "'),
  'links with open angle brackets': row('[a](<b'),
  'nested images': (n) => '!['.repeat(n / 4) + '](b)'.repeat(n / 4),
  'open anchors': row('<a '),
  'anchors with open values': row('<a href="'),
  'anchors with open shortcodes': row('<a href="{{< '),
  'anchors beside a shortcode': (n) => `{{< x >}} ${row('<a b="c" ')(n)}`,
  'open shortcodes': row('{{< ref "a'),
  'links to open shortcodes': row('[a]({{< ref "'),
  'many values in a shortcode': (n) => `{{< ref ${row('"a" ')(n)}>}}`,
  'anchors in a block': (n) => `<div>\n${row('<a href="')(n)}`,
  'open comments in a block': (n) => `<div>\n${row('<!--')(n)}`,
  'tags in a block with an id': (n) => `<div>ADR-1\n${row('<b ')(n)}`,
  'one link per line': row('[a](b)\n'),
  ids: row('ADR-13 '),
  'wiki links': row('[[a'),
}

test.each(Object.entries(hostile))('T13: finds mentions among %s in linear time', (_, make) => {
  const timeOf = (chars: number): number => {
    const text = make(chars)
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      const started = processorTime()
      parseDocument({ path: 'docs/a.md', language: 'markdown', text }, { wikiLinks: true })
      best = Math.min(best, processorTime() - started)
    }
    return best
  }
  timeOf(10_000)
  let fault: string | null = null
  for (let attempt = 0; attempt < 4; attempt++) {
    const times = [25_000, 50_000, 100_000].map(timeOf)
    fault = times.some((time, index) => index > 0 && time > Math.max(40, 2.6 * times[index - 1]!))
      ? times.join()
      : null
    if (fault === null) break
  }
  expect(fault).toBeNull()
})
