// How long does reading a format take beside the bare library that it uses? Processor time of both in one run, on the same bytes.
// Of markup there are two floors: the library's own way to the text of a document (its tree, and the text of that), and its
// events with nothing done to them, which is no text yet.
//
// node bench/formats.ts [--folder FOLDER: its PDFs and notebooks, too]; pandoc and LibreOffice make the files of docs/
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { DomUtils, Parser, parseDocument } from 'htmlparser2'
import PostalMime from 'postal-mime'
import type { FormatReader } from '../src/extract/format.ts'
import { withPdf } from '../src/extract/open-pdfium.ts'
import { docx } from '../src/extract/read-docx.ts'
import { epub } from '../src/extract/read-epub.ts'
import { html } from '../src/extract/read-html.ts'
import { eml } from '../src/extract/read-mail.ts'
import { notebook } from '../src/extract/read-notebook.ts'
import { odt } from '../src/extract/read-odt.ts'
import { pdf } from '../src/extract/read-pdf.ts'
import { pptx } from '../src/extract/read-pptx.ts'
import { xlsx } from '../src/extract/read-xlsx.ts'
import { Zip } from '../src/extract/read-zip.ts'
import { makeZip } from '../src/extract/sample-files.fixture.ts'

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
const ROUNDS = 11
/** Of a round: some machines count processor time in steps of 4 ms. */
const LEAST_MILLISECONDS = 200

/** Every event of markup, and nothing done with it. */
function parseMarkup(source: string, xmlMode: boolean): number {
  let length = 0
  const parser = new Parser(
    {
      onopentag: (name) => (length += name.length),
      onclosetag: (name) => (length += name.length),
      ontext: (text) => (length += text.length),
    },
    { xmlMode, decodeEntities: true },
  )
  parser.end(source)
  return length
}

/** The text of markup, as the library alone gives it. */
function textOf(source: string, xmlMode: boolean): number {
  return DomUtils.textContent(parseDocument(source, { xmlMode, decodeEntities: true })).length
}

type Floor = (source: string, xmlMode: boolean) => number

/** Members of an archive, inflated and parsed. */
const members =
  (wanted: RegExp, xmlMode = true) =>
  (floor: Floor) =>
  (bytes: Uint8Array): number => {
    const zip = new Zip(bytes)
    const names = zip.names.filter((name) => wanted.test(name))
    return names.reduce((sum, name) => sum + floor(String(zip.read(name)), xmlMode), 0)
  }

const page =
  (floor: Floor) =>
  (bytes: Uint8Array): number =>
    floor(Buffer.from(bytes).toString(), false)

const markup = (
  reader: FormatReader,
  read: (floor: Floor) => (bytes: Uint8Array) => number,
  library: string,
): Case => ({ reader, library, bare: read(textOf), events: read(parseMarkup) })

/** The sources of all cells, and nothing else. */
function readCells(bytes: Uint8Array): string {
  const { cells = [] } = JSON.parse(Buffer.from(bytes).toString()) as {
    cells?: { source: string | string[] }[]
  }
  return cells.map(({ source }) => (typeof source === 'string' ? source : source.join(''))).join('\n\n')
}

function readPdfTexts(bytes: Uint8Array): Promise<number> {
  return withPdf(bytes, (open) => {
    const { call, document } = open
    let length = 0
    for (let at = 0; at < call.FPDF_GetPageCount(document); at++) {
      const page = call.FPDF_LoadPage(document, at)
      const text = call.FPDFText_LoadPage(page)
      const count = call.FPDFText_CountChars(text)
      if (count > 0) length += open.pageText(text, count).length
      call.FPDFText_ClosePage(text)
      call.FPDF_ClosePage(page)
    }
    return length
  })
}

interface Case {
  readonly reader: FormatReader
  readonly library: string
  readonly bare: (bytes: Uint8Array) => unknown
  /** Its parser alone, with nothing made of what it says. */
  readonly events?: (bytes: Uint8Array) => unknown
}

const cases: Readonly<Record<string, Case>> = {
  pdf: { reader: pdf, library: 'PDFium, text of each page', bare: readPdfTexts },
  docx: markup(docx, members(/^word\/document\.xml$/), 'zlib, htmlparser2'),
  odt: markup(odt, members(/^content\.xml$/), 'zlib, htmlparser2'),
  pptx: markup(pptx, members(/^ppt\/slides\/(?:_rels\/)?[^/]+\.(?:xml|rels)$/), 'zlib, htmlparser2'),
  xlsx: markup(xlsx, members(/^xl\/(?:worksheets\/|shared)[^/]+\.xml$/), 'zlib, htmlparser2'),
  epub: markup(epub, members(/\.x?html$/, false), 'zlib, htmlparser2'),
  html: markup(html, page, 'htmlparser2'),
  ipynb: {
    reader: notebook,
    library: 'JSON.parse, cells joined',
    bare: readCells,
    events: (bytes) => JSON.parse(Buffer.from(bytes).toString()),
  },
  eml: { reader: eml, library: 'postal-mime', bare: (bytes) => PostalMime.parse(bytes) },
}

function makeFiles(folder: string): void {
  const docs = path.join(import.meta.dirname, '../docs')
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) =>
      readFileSync(path.join(docs, name), 'utf8').replace(/^---\n[\s\S]*?\n---\n|!\[[^\]]*\]\([^)]*\)/g, ''),
    )
  const source = path.join(folder, 'docs.md')
  writeFileSync(source, pages.join('\n\n'))
  for (const format of ['docx', 'odt', 'pptx', 'epub', 'html', 'ipynb'])
    execFileSync(
      'pandoc',
      [
        '--from=gfm',
        '--standalone',
        '--metadata=title:Docs',
        '--output',
        path.join(folder, `docs.${format}`),
        source,
      ],
      {
        stdio: 'ignore',
      },
    )
  const cells = pages.join('\n').replaceAll(/[<&]/g, ' ').split('\n').slice(0, 1900)
  const rows = cells.map(
    (cell) => `<row><c t="inlineStr"><is><t>${cell}</t></is></c><c><v>${cell.length}</v></c></row>`,
  )
  const relations = (type: string, target: string): string =>
    `<Relationships><Relationship Id="r1" Type="x/${type}" Target="${target}"/></Relationships>`
  const book = makeZip({
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': '<workbook><sheets><sheet name="Rows" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
  writeFileSync(path.join(folder, 'rows.xlsx'), book)
  execFileSync(
    'soffice',
    ['--headless', '--convert-to', 'pdf', '--outdir', folder, path.join(folder, 'docs.docx')],
    {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder },
    },
  )
  const body = Buffer.from(pages.join('\n')).toString('base64').replace(/.{76}/g, '$&\r\n')
  const head =
    'Subject: Docs\r\nFrom: a@example.org\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64'
  writeFileSync(path.join(folder, 'docs.eml'), `${head}\r\n\r\n${body}\r\n`)
}

type Read = (bytes: Uint8Array) => unknown

/** Milliseconds of this thread's processor time. */
async function timeOf(read: Read, files: readonly Uint8Array[], times: number): Promise<number> {
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time++) for (const bytes of files) await read(bytes)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

interface Comparison {
  readonly milliseconds: number
  readonly bare: number
  readonly ratio: number
  /** To the parser's events alone. */
  readonly events: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** The ways in turn, the medians of several rounds: what else a machine does is in all ways of a round. */
async function compare(
  { reader, bare, events = bare }: Case,
  files: readonly Uint8Array[],
): Promise<Comparison> {
  const own: Read = (bytes) => reader.read(bytes)
  // The first time compiles; the second says how often files are read in a round.
  for (const read of [own, bare, events]) await timeOf(read, files, 1)
  const times = Math.ceil(LEAST_MILLISECONDS / Math.max(1, await timeOf(bare, files, 1)))
  const rounds: (readonly [number, number, number])[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push([
      (await timeOf(own, files, times)) / times,
      (await timeOf(bare, files, times)) / times,
      (await timeOf(events, files, times)) / times,
    ])
  return {
    milliseconds: median(rounds.map(([time]) => time)),
    bare: median(rounds.map(([, time]) => time)),
    ratio: median(rounds.map(([a, b]) => a / b)),
    events: median(rounds.map(([a, , b]) => a / b)),
  }
}

const made = mkdtempSync(path.join(tmpdir(), 'yore-formats-'))
try {
  makeFiles(made)
  const folders = [made, ...(values.folder === undefined ? [] : [values.folder])]
  console.log('format  files      MB   yore ms   bare ms     ratio    events  bare')
  for (const [extension, one] of Object.entries(cases)) {
    const names = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(`.${extension}`))
        .map((name) => path.join(folder, name)),
    )
    const files = names.map((name) => readFileSync(name))
    const { milliseconds, bare, ratio, events } = await compare(one, files)
    const bytes = files.reduce((sum, file) => sum + file.length, 0)
    const cells = [(bytes / 1e6).toFixed(2), milliseconds.toFixed(1), bare.toFixed(1), ratio.toFixed(2)]
    cells.push(one.events === undefined ? '' : events.toFixed(2))
    console.log(
      `${extension.padEnd(6)} ${String(files.length).padStart(6)} ${cells.map((cell, at) => cell.padStart(at === 0 ? 7 : 9)).join(' ')}  ${one.library}`,
    )
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
