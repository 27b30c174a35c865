// Are links found as the parser sees them, in the words that readers see?
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { listLinks } from './list-links.ts'

describe('listLinks', () => {
  it('gives words without markup, over line ends, and by reference', () => {
    const text =
      'See [how `it`\n**works**](a%20b.md#c).\r\n\r\n- a [second one][ref]\n\n[ref]: ../x.md "title"\n'
    expect(listLinks(text)).toEqual([
      { text: 'how it works', target: 'a%20b.md#c', around: 'See how it works.' },
      { text: 'second one', target: '../x.md', around: 'a second one' },
    ])
  })

  it('finds none in code, in images, or where there is no link', () => {
    expect(listLinks('`[a](b.md)` ![c](d.png)\n\n    [e](f.md)\n\n```\n[g](h.md)\n```\n[i] (j.md)')).toEqual(
      [],
    )
  })

  it('survives a text of brackets', () => {
    const start = processorTime()
    expect(listLinks('['.repeat(50_000))).toEqual([])
    expect(processorTime() - start).toBeLessThan(5000)
  })
})
