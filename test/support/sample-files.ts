// Which files can be made without a program that makes them? A small one of each format, and the parts they are made of.
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** An archive with these members; their order is that of the list. */
export function makeZip(members: Readonly<Record<string, string | Buffer>>): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const title = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, title, packed])
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 0, 'latin1')
    facts.copy(entry, 6)
    entry.writeUInt32LE(offset, 42)
    locals.push(local)
    entries.push(entry, title)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length / 2, 8)
  end.writeUInt16LE(entries.length / 2, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const relations = (...list: readonly (readonly [string, string, string, string?])[]): string =>
  `<Relationships>${list.map(([id, type, target, mode = '']) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}" ${mode}/>`).join('')}</Relationships>`

const core =
  '<cp:coreProperties><dc:title>Harbour Handbook</dc:title><dc:creator>Ann Hummel; Bob Braun</dc:creator><dcterms:created>2021-03-01T00:00:00Z</dcterms:created></cp:coreProperties>'

const word = (style: string, text: string, more = ''): string =>
  `<w:p><w:pPr>${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}${more}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

export const docx: Buffer = makeZip({
  '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
  'docProps/core.xml': core,
  'word/_rels/document.xml.rels': relations(['r9', 'hyperlink', 'rules.md#ebb', 'TargetMode="External"']),
  'word/styles.xml':
    '<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>',
  'word/document.xml': `<w:document><w:body>${word('H1', 'Tides')}${word('', 'The gauge &amp; the moon.')}${word('Mine', 'Spring tide')}<w:p><w:r><w:t># no heading, see </w:t></w:r><w:hyperlink r:id="r9"><w:r><w:t>the rules</w:t></w:r></w:hyperlink><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>${word('', 'one', '<w:numPr><w:ilvl w:val="0"/></w:numPr>')}${word('', 'two', '<w:numPr><w:ilvl w:val="1"/></w:numPr>')}<w:p><w:r><w:lastRenderedPageBreak/><w:t>On the second page.</w:t></w:r></w:p><w:tbl><w:tr><w:tc>${word('', 'Port')}</w:tc><w:tc>${word('', 'Height')}</w:tc></w:tr><w:tr><w:tc>${word('', 'Cuxhaven')}</w:tc><w:tc>${word('', '3.1 | m')}</w:tc></w:tr></w:tbl></w:body></w:document>`,
})

/** As a publisher's template names its styles. */
export const publisherDocx: Buffer = makeZip({
  '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
  'word/styles.xml': `<w:styles>${['ChapterTitle', 'HeadA', 'HeadB', 'Code', 'CodeCaption'].map((name) => `<w:style w:styleId="${name}"><w:name w:val="${name}"/></w:style>`).join('')}</w:styles>`,
  'word/document.xml': `<w:document><w:body>${word('ChapterTitle', 'Harbours')}${word('HeadA', 'Tides')}${word('HeadB', 'Ebb')}${word('Code', 'leave()')}${word('CodeCaption', 'Listing 1: Leaving')}</w:body></w:document>`,
})

const shape = (type: string, ...points: readonly string[]): string =>
  `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><p:txBody>${points.map((point, at) => `<a:p><a:pPr lvl="${at}"/><a:r><a:t>${point}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`

export const pptx: Buffer = makeZip({
  '_rels/.rels': relations(['r1', 'officeDocument', 'ppt/presentation.xml']),
  'docProps/core.xml': core,
  'ppt/presentation.xml':
    '<p:presentation><p:sldIdLst><p:sldId id="257" r:id="r3"/><p:sldId id="256" r:id="r2"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels': relations(
    ['r2', 'slide', 'slides/slide1.xml'],
    ['r3', 'slide', 'slides/slide2.xml'],
  ),
  'ppt/slides/slide1.xml': `<p:sld>${shape('title', 'Ebb')}${shape('body', 'Boats leave', 'before it')}${shape('sldNum', '2')}</p:sld>`,
  'ppt/slides/slide2.xml': `<p:sld>${shape('ctrTitle', 'Tides')}${shape('subTitle', 'A talk')}</p:sld>`,
  'ppt/slides/_rels/slide1.xml.rels': relations(['r1', 'notesSlide', '../notesSlides/notes1.xml']),
  'ppt/notesSlides/notes1.xml': `<p:notes>${shape('body', 'Mention the harbour master.')}</p:notes>`,
})

export const html = `<!DOCTYPE html><html><head><title>Harbour</title><meta name="author" content="Ann Hummel"></head>
<body><nav><a href="/">Home</a></nav><main><h1 id="top-of-it">Tides<a class="headerlink" href="#x">¶</a></h1>
<p>The <b>gauge</b> reads <code>max()</code>, see <a href="rules.md#ebb">the rules</a>.</p>
<section id="spring"><h2>Spring tide</h2><ul><li>one<ul><li>two</li></ul></li></ul><ol><li>first</li><li>second</li></ol>
<pre class="language-python">height = gauge.max()
print(height)
</pre><dl><dt>ebb</dt><dd>Falling water.</dd></dl>
<table><tr><th>Port</th><th>Height</th></tr><tr><td>Cuxhaven</td><td>3.1 | m</td></tr></table></section></main>
<footer class="footer">Printed yesterday</footer></body></html>`

interface PdfText {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
}

export interface PdfParts {
  readonly pages: readonly (readonly PdfText[])[]
  readonly outline?: readonly { readonly title: string; readonly page: number; readonly y: number }[]
  readonly info?: string
  readonly trailer?: string
  /** Of the first page. */
  readonly links?: readonly PdfArea[]
}

/** A part of a page that opens an address, another file, or a place of this one: left, bottom, right, top. */
interface PdfArea {
  readonly area: readonly [number, number, number, number]
  readonly target: string | { readonly file: string } | { readonly page: number; readonly y: number }
}

const escapePdf = (text: string): string => text.replace(/[\\()]/g, '\\$&')

/** Objects with a right table of their offsets. */
export function writePdf(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const push = (part: string | Buffer): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    parts.push(bytes)
    length += bytes.length
  }
  for (const [at, object] of objects.entries()) {
    offsets.push(length)
    push(`${at + 1} 0 obj\n`)
    push(object)
    push('\nendobj\n')
  }
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`)
  push(`trailer << /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}

export function pdfStream(content: Buffer, facts = ''): Buffer {
  const packed = deflateSync(content)
  const head = `<< /Length ${packed.length} /Filter /FlateDecode ${facts} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')])
}

const FIRST_PAGE = 5

function writeLink({ area, target }: PdfArea): string {
  const opens =
    typeof target === 'string'
      ? `/A << /S /URI /URI (${escapePdf(target)}) >>`
      : 'file' in target
        ? `/A << /S /GoToR /F (${escapePdf(target.file)}) /D [0 /Fit] >>`
        : `/Dest [${FIRST_PAGE + 2 * target.page} 0 R /XYZ 0 ${target.y} 0]`
  return `<< /Type /Annot /Subtype /Link /Rect [${area.join(' ')}] ${opens} >>`
}

export function makePdf({ pages, outline = [], info = '', trailer = '', links = [] }: PdfParts): Buffer {
  const firstPage = FIRST_PAGE
  const firstMark = firstPage + 2 * pages.length
  const kids = pages.map((_, at) => `${firstPage + 2 * at} 0 R`).join(' ')
  const marks = outline.map(({ title, page, y }, at) => {
    const next = at + 1 < outline.length ? `/Next ${firstMark + at + 1} 0 R` : ''
    return `<< /Title (${escapePdf(title)}) /Parent 4 0 R ${next} /Dest [${firstPage + 2 * page} 0 R /XYZ 0 ${y} 0] >>`
  })
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${outline.length > 0 ? '/Outlines 4 0 R' : ''} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    outline.length === 0
      ? '<< >>'
      : `<< /First ${firstMark} 0 R /Last ${firstMark + outline.length - 1} 0 R >>`,
  ]
  for (const [at, texts] of pages.entries()) {
    const content = texts.map(
      ({ x, y, size, text }) => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escapePdf(text)}) Tj ET`,
    )
    const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${firstPage + 2 * at + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> /Annots [${at === 0 ? links.map(writeLink).join(' ') : ''}] >>`
    objects.push(page, pdfStream(Buffer.from(content.join('\n'), 'latin1')))
  }
  objects.push(...marks, `<< ${info} >>`)
  return writePdf(objects, `/Info ${objects.length} 0 R ${trailer}`)
}

const linesFrom = (y: number, ...texts: readonly string[]): PdfText[] =>
  texts.map((text, at) => ({ x: 72, y: y - 14 * at, size: 10, text }))

/** Three pages with running headers, page numbers, and a divided word. */
export function handbookPages(): PdfText[][] {
  const page = (number: number, ...texts: readonly PdfText[]): PdfText[] => [
    { x: 72, y: 760, size: 8, text: 'Harbour Handbook' },
    ...texts,
    { x: 300, y: 30, size: 8, text: `${number}` },
  ]
  return [
    page(
      1,
      { x: 72, y: 700, size: 18, text: '1 Tides' },
      ...linesFrom(
        670,
        'The moon pulls the water of the harbour.',
        'The gauge shows its height in metres every hour.',
        'A keeper reads the gauge and writes the height down.',
      ),
    ),
    page(
      2,
      { x: 72, y: 700, size: 18, text: '2 Spring tide' },
      ...linesFrom(
        670,
        'The moon and the sun pull together at the har-',
        'bour wall, and the water stands highest then.',
        '# Nobody leaves before the bell has been rung.',
      ),
    ),
    page(
      3,
      { x: 72, y: 700, size: 18, text: '3 Ebb' },
      ...linesFrom(
        670,
        'Boats leave before the ebb, or stay until the flood.',
        'The keeper rings a bell when the water falls.',
      ),
    ),
  ]
}

export const handbook: Buffer = makePdf({
  pages: handbookPages(),
  outline: [
    { title: 'Tides', page: 0, y: 720 },
    { title: 'Spring tide', page: 1, y: 720 },
    { title: 'Ebb', page: 2, y: 720 },
  ],
  info: '/Title (Harbour Handbook) /Author (Ann Hummel and Bob Braun) /CreationDate (D:20210301120000)',
})
