// Is the text of every format what its document says, at the right places, and does a hostile file end within its limits?
import { afterAll, describe, expect, it } from 'vitest'
import * as samples from '../../../test/support/sample-files.ts'
import { type ExtractOutcome, Extractor, extractDefaults } from './extract-text.ts'

const extractor = new Extractor()
afterAll(() => extractor.close())

async function textOf(format: string, bytes: Uint8Array): Promise<string> {
  const outcome = await extractor.extract(format, bytes)
  if (!('extraction' in outcome)) throw new Error(outcome.detail)
  return outcome.extraction.text
}

async function placesOf(format: string, bytes: Uint8Array): Promise<string[]> {
  const outcome = await extractor.extract(format, bytes)
  return 'extraction' in outcome ? outcome.extraction.places.map(({ line, place }) => `${line} ${place}`) : []
}

const front = '---\ntitle: "Harbour Handbook"\nauthors: ["Ann Hummel","Bob Braun"]\nyear: 2021\n---\n'

describe('the text of', () => {
  it('a Word document has its headings, lists, links and tables, and escapes what only seems to be one', async () => {
    expect(await textOf('docx', samples.docx)).toBe(
      `${front}\n# Tides\n\nThe gauge & the moon.\n\n## Spring tide\n\n\\# no heading, see [the rules](rules.md#ebb)\n\n- one\n  - two\n\nOn the second page.\n\n| Port | Height |\n| --- | --- |\n| Cuxhaven | 3.1 \\| m |\n`,
    )
    expect(await placesOf('docx', samples.docx)).toEqual(['1 p. 1', '18 p. 2'])
  })

  it('a manuscript has the headings that its publisher’s template names', async () => {
    expect(await textOf('docx', samples.publisherDocx)).toBe(
      '---\ntitle: "Harbours"\n---\n\n# Tides\n\n## Ebb\n\n```\nleave()\n```\n\nListing 1: Leaving\n',
    )
  })

  it('slides comes in the order of the show, with what the speaker notes', async () => {
    expect(await textOf('pptx', samples.pptx)).toBe(
      `${front}\n## Tides\n\nA talk\n\n## Ebb\n\n- Boats leave\n  - before it\n\nNotes: Mention the harbour master.\n`,
    )
    expect(await placesOf('pptx', samples.pptx)).toEqual(['1 slide 1', '11 slide 2'])
  })

  it('a page is its main content with links, code, lists and anchors', async () => {
    expect(await textOf('html', Buffer.from(samples.html))).toBe(
      '---\ntitle: "Harbour"\nauthors: ["Ann Hummel"]\n---\n\n# Tides {#top-of-it}\n\nThe gauge reads `max()`, see [the rules](rules.md#ebb).\n\n## Spring tide {#spring}\n\n- one\n  - two\n1. first\n2. second\n\n```python\nheight = gauge.max()\nprint(height)\n```\n\n**ebb**\n\nFalling water.\n\n| Port | Height |\n| --- | --- |\n| Cuxhaven | 3.1 \\| m |\n',
    )
    expect(await placesOf('html', Buffer.from(samples.html))).toEqual(['1 #top-of-it', '10 #spring'])
  })

  it.each(['utf-8', 'latin1', 'utf16le'] as const)('a page is decoded from %s', async (encoding) => {
    const mark = encoding === 'utf16le' ? '\ufeff' : ''
    const page = `${mark}<html><head><meta charset="${encoding}"></head><body><h1>Café</h1><p>naïve</p></body></html>`
    expect(await textOf('html', Buffer.from(page, encoding))).toBe('# Café\n\nnaïve\n')
  })

  it.each([
    ['as bytes', (json: string) => json],
    ['by number', (json: string) => json.replace('\u00e9', '\\u00e9')],
    ['behind a byte order mark', (json: string) => `\ufeff${json}`],
  ])('a notebook says the same with its characters %s', async (_, write) => {
    const cells = [{ cell_type: 'markdown', source: ['Caf\u00e9 na\u00efve \u6f6e\n', 'ebb'] }]
    expect(await textOf('notebook', Buffer.from(write(JSON.stringify({ cells }))))).toBe(
      'Caf\u00e9 na\u00efve \u6f6e\nebb\n',
    )
  })

  it('a PDF stands under the headings of its outline, without running headers and page numbers', async () => {
    expect(await textOf('pdf', samples.handbook)).toBe(
      `${front}\n# 1 Tides\n\nThe moon pulls the water of the harbour.\nThe gauge shows its height in metres every hour.\nA keeper reads the gauge and writes the height down.\n\n# 2 Spring tide\n\nThe moon and the sun pull together at the harbour\nwall, and the water stands highest then.\n\\# Nobody leaves before the bell has been rung.\n\n# 3 Ebb\n\nBoats leave before the ebb, or stay until the flood.\nThe keeper rings a bell when the water falls.\n`,
    )
    expect(await placesOf('pdf', samples.handbook)).toEqual(['1 p. 1', '13 p. 2', '19 p. 3'])
  })

  it('a PDF without an outline stands under the headings of its type sizes; pages without text are told', async () => {
    const pages = [...samples.handbookPages(), []]
    const outcome = await extractor.extract('pdf', samples.makePdf({ pages }))
    if (!('extraction' in outcome)) throw new Error(outcome.detail)
    const { text, warnings } = outcome.extraction
    expect(text.match(/^# .*$/gm)).toEqual(['# 1 Tides', '# 2 Spring tide', '# 3 Ebb'])
    expect(warnings).toEqual(['page 4: no text'])
  })

  it('the words of links in a PDF are text', async () => {
    const line = (y: number, text: string) => ({ x: 72, y, size: 10, text })
    const row = (y: number): [number, number, number, number] => [70, y - 3, 300, y + 10]
    const text = await textOf(
      'pdf',
      samples.makePdf({
        pages: [[line(700, 'see Section 2'), line(650, 'and the rules')], [line(700, '2 Ebb')]],
        links: [
          { area: row(700), target: { page: 1, y: 770 } },
          { area: row(650), target: { file: '..\\rules.pdf' } },
        ],
      }),
    )
    expect(text).toContain('see Section 2\n')
    expect(text).toContain('and the rules\n')
    expect(text).not.toContain('](')
  })

  it('a PDF of pictures is refused with the reason', async () => {
    expect(await extractor.extract('pdf', samples.makePdf({ pages: [[], []] }))).toEqual({
      reason: 'parse-failed',
      detail: 'none of its 2 pages has text: they are pictures, or empty',
    })
  })
})

describe('T15: a hostile file', () => {
  const refusalOf = async (format: string, bytes: Uint8Array): Promise<string> => {
    const outcome: ExtractOutcome = await extractor.extract(format, bytes)
    return 'detail' in outcome ? `${outcome.reason}: ${outcome.detail}` : 'read'
  }

  it('whose table has one wide row takes as much room as it has cells', async () => {
    const page = `<h1>x</h1><table><tr>${'<td>x'.repeat(5_000)}${'<tr><td>y'.repeat(5_000)}</table>`
    expect((await textOf('html', Buffer.from(page))).length).toBeLessThan(100_000)
  })

  it.each([
    ['links in one cell', (n: number) => `<h1>x</h1><table><tr><td>${'<a href=x>y</a>'.repeat(n)}`],
    ['a line without a space', (n: number) => `<h1>x</h1><p>${'xyz'.repeat(8 * n)}`],
  ] as const)('of %s takes time in proportion to its size', async (_, write) => {
    const { html } = await import('./read-html.ts')
    const timeOf = async (n: number): Promise<number> => {
      const bytes = Buffer.from(write(n))
      const times: number[] = []
      for (let round = 0; round < 3; round++) {
        const before = process.threadCpuUsage()
        html.read(bytes)
        const { user, system } = process.threadCpuUsage(before)
        times.push((user + system) / 1000)
      }
      return Math.min(...times)
    }
    await timeOf(2_000)
    // Quadratic time takes 64 times as long.
    expect(await timeOf(32_000)).toBeLessThan(24 * Math.max(8, await timeOf(4_000)))
  })

  it('that unpacks to a thousand times its size is refused before it does', async () => {
    const bomb = samples.makeZip({ 'word/document.xml': Buffer.alloc(110 << 20) })
    expect(bomb.length).toBeLessThan(1 << 20)
    expect(await refusalOf('docx', bomb)).toBe('too-large: it unpacks to more than 96 MB')
  })

  it('that is nested 100,000 deep is refused', async () => {
    const deep = '<div>'.repeat(100_000)
    expect(await refusalOf('html', Buffer.from(deep))).toBe(
      'parse-failed: its markup is nested more than 2000 deep',
    )
    expect(await refusalOf('docx', samples.makeZip({ 'word/document.xml': deep }))).toContain(
      'nested more than',
    )
    expect(await refusalOf('notebook', Buffer.from('['.repeat(1_000_000)))).toContain('it is not a notebook')
  })

  it.each([
    ['an archive without its end', 'docx', samples.docx.subarray(0, 400), 'it is not a ZIP archive'],
    ['no archive at all', 'pptx', Buffer.from('hello'), 'it is not a ZIP archive'],
    ['another archive', 'pptx', samples.docx, 'it is not a presentation'],
    [
      'an old Office file',
      'docx',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'it is encrypted, or in the format',
    ],
    ['no PDF', 'pdf', Buffer.from('hello'), 'it is not a PDF, or it is damaged'],
    ['an empty file', 'pdf', Buffer.alloc(0), 'it is not a PDF, or it is damaged'],
    [
      'an encrypted PDF',
      'pdf',
      samples.makePdf({
        pages: samples.handbookPages(),
        trailer: `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O (${'a'.repeat(32)}) /U (${'b'.repeat(32)}) /P -4 >>`,
      }),
      'it is encrypted and needs a password',
    ],
  ])('%s is refused with its reason', async (_, format, bytes, reason) => {
    expect(await refusalOf(format, bytes)).toContain(reason)
  })

  it('that names 100,000 pages, or itself as its own page, ends', async () => {
    const many = samples.writePdf(
      ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 100000 /Kids [2 0 R] >>'],
      '',
    )
    expect(await refusalOf('pdf', many)).not.toBe('read')
    const loop = samples.makePdf({ pages: samples.handbookPages(), trailer: '/Prev 9' })
    expect(await refusalOf('pdf', loop)).toMatch(/^(?:read|parse-failed: )/)
  })

  it('whose page takes all memory ends at the limit, and the next file is read', async () => {
    // Millions of operators in a stream of some kilobytes.
    const content = Buffer.from('BT /F1 9 Tf (x) Tj ET\n'.repeat(1_200_000))
    const bomb = samples.writePdf(
      [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
        samples.pdfStream(content),
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ],
      '',
    )
    expect(await refusalOf('pdf', bomb)).toMatch(/it takes (?:more than 256 MB|longer than)/)
    expect(await refusalOf('pdf', samples.handbook)).toBe('read')
  }, 60_000)

  it('that takes too long, or too much of the heap, ends its thread and nothing else', async () => {
    const long = new Extractor({ ...extractDefaults, milliseconds: 1, millisecondsPerMegabyte: 0 })
    // Seconds of work: a thread that is still starting says only after one how much time it took.
    const page = Buffer.from('<h1>One</h1><p>Some prose.</p><h2>Two</h2><p>More prose.</p>'.repeat(150_000))
    expect(await long.extract('html', page)).toEqual({
      reason: 'parse-failed',
      detail: 'it takes longer than 0 s to read',
    })
    await long.close()
    const small = new Extractor({ heapMegabytes: 32 })
    expect(await small.extract('html', Buffer.from(samples.html.repeat(60_000)))).toMatchObject({
      detail: 'it takes more than 32 MB of memory to read',
    })
    expect(await small.extract('html', Buffer.from(samples.html))).toHaveProperty('extraction')
    await small.close()
  }, 60_000)
})
