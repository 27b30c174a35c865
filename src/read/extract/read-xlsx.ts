// What is in a spreadsheet? Each sheet as a table with its first row as header; long sheets are cut with a note.
import type { FormatReader } from './format.ts'
import { readCoreFacts, readMain, readRelations } from './office-parts.ts'
import { Zip } from './read-zip.ts'
import { walkMarkup } from './walk-markup.ts'
import { MarkdownWriter, oneLine } from './write-markdown.ts'

/** A larger sheet is data, not a document. */
const MOST_ROWS = 2_000
const MOST_COLUMNS = 50
/** Rows are cited in groups. */
const ROWS_PER_TABLE = 50

/** Shared strings, which cells refer to by number. */
function readShared(source: string | null): string[] {
  const texts: string[] = []
  let isText = false
  let phonetic = 0
  if (source === null) return texts
  walkMarkup(source, 'xml', {
    open(name) {
      if (name === 'si') texts.push('')
      else if (name === 't') isText = true
      else if (name === 'rPh') phonetic++
    },
    text(text) {
      if (isText && phonetic === 0 && texts.length > 0) texts[texts.length - 1] += text
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') phonetic--
    },
  })
  return texts
}

/** `BC12` is column 54, from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

interface Sheet {
  /** With their numbers. */
  readonly rows: { readonly number: number; readonly cells: string[] }[]
  readonly isCut: boolean
}

function readSheet(source: string, shared: readonly string[]): Sheet {
  const rows: Sheet['rows'] = []
  let [isCut, value, type, column, isValue, number] = [false, '', '', 0, false, 0]
  walkMarkup(source, 'xml', {
    open(name, attributes) {
      if (name === 'row') {
        number = Number(attributes['r']) || number + 1
        if (rows.length < MOST_ROWS) rows.push({ number, cells: [] })
        else isCut = true
      } else if (name === 'c') {
        type = attributes['t'] ?? 'n'
        value = ''
        const cells = rows.at(-1)?.cells.length ?? 0
        column = attributes['r'] === undefined ? cells : columnOf(attributes['r'])
      } else if (name === 'v' || name === 't') isValue = true
    },
    text(text) {
      if (isValue) value += text
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name !== 'c' || isCut || value === '') return
      const cells = rows.at(-1)?.cells
      if (cells === undefined || column < 0 || column >= MOST_COLUMNS) return
      while (cells.length < column) cells.push('')
      cells[column] = oneLine(type === 's' ? (shared[Number(value)] ?? '') : value)
    },
  })
  return { rows: rows.filter(({ cells }) => cells.some((cell) => cell !== '')), isCut }
}

function writeSheet(writer: MarkdownWriter, name: string, { rows, isCut }: Sheet): void {
  const [header, ...body] = rows
  writer.at(`sheet ${name}`)
  writer.heading(2, name)
  if (header === undefined) return
  for (let at = 0; at === 0 || at < body.length; at += ROWS_PER_TABLE) {
    const part = body.slice(at, at + ROWS_PER_TABLE)
    const place = `sheet ${name}, rows ${(at === 0 ? header : part[0])?.number}-${(part.at(-1) ?? header).number}`
    writer.at(place)
    writer.table([header.cells, ...part.map(({ cells }) => cells)])
  }
  if (isCut) writer.warnings.push(`sheet ${name}: skipped rows after the first ${MOST_ROWS}`)
}

export const xlsx: FormatReader = {
  read(bytes) {
    const zip = new Zip(bytes)
    const { name, text: book } = readMain(zip, {
      part: 'xl/workbook.xml',
      root: 'workbook',
      what: 'a spreadsheet',
    })
    const relations = readRelations(zip, name)
    const strings = [...relations.values()].find(({ type }) => type.endsWith('/sharedStrings'))
    const shared = readShared(strings === undefined ? null : zip.text(strings.target))
    const writer = new MarkdownWriter()
    walkMarkup(book, 'xml', {
      open(tag, { name: title = '', id = '', state }) {
        if (tag !== 'sheet' || state === 'veryHidden') return
        const sheet = zip.text(relations.get(id)?.target ?? '')
        if (sheet !== null) writeSheet(writer, oneLine(title), readSheet(sheet, shared))
      },
    })
    return writer.finish(readCoreFacts(zip))
  },
}
