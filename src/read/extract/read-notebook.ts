// What is in a Jupyter notebook? Markdown and code cells in order, each with its number; outputs are skipped.
import { isAscii } from 'node:buffer'
import { type FormatReader, UnreadableFormat } from './format.ts'
import { MarkdownWriter } from './write-markdown.ts'

interface Cell {
  readonly cell_type?: unknown
  readonly source?: unknown
  /** Before version 4. */
  readonly input?: unknown
  readonly language?: unknown
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text, or a list of its lines. */
function readSource({ source, input }: Cell): string {
  const value = source ?? input
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  const isText = (line: unknown): boolean => typeof line === 'string'
  return (value.every(isText) ? value : value.filter(isText)).join('')
}

/** Since version 4 the notebook holds its cells directly, before that in worksheets. */
function cellsOf(notebook: Fields): readonly Cell[] {
  const sheets = Array.isArray(notebook['worksheets']) ? notebook['worksheets'].filter(isFields) : []
  const lists = [notebook['cells'], ...sheets.map((sheet) => sheet['cells'])]
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : []))
}

function languageOf(notebook: Fields): string {
  const metadata = isFields(notebook['metadata']) ? notebook['metadata'] : {}
  for (const key of ['language_info', 'kernelspec']) {
    const facts = metadata[key]
    const name = isFields(facts) ? (facts['language'] ?? facts['name']) : null
    if (typeof name === 'string') return name.toLowerCase().replace(/^i?python\d?$/, 'python')
  }
  return 'python'
}

interface ParsedNotebook {
  readonly fields: Fields
  /** What a text of it says. */
  readonly decode: (text: string) => string
}

const byteOrderMark = Buffer.from('\ufeff')

/**
 * Parses the JSON. Most of it are outputs, which are skipped: without \u escapes, bytes stay bytes
 * until a text is needed, which saves a quarter of the time.
 */
function parse(bytes: Uint8Array): ParsedNotebook {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isMarked = all.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const json = isMarked ? all.subarray(byteOrderMark.length) : all
  const areBytes = !json.includes('\\u')
  const isDecoded = !areBytes || isAscii(json)
  try {
    const fields: unknown = JSON.parse(json.toString(areBytes ? 'latin1' : 'utf8'))
    const decode = (text: string): string => (isDecoded ? text : Buffer.from(text, 'latin1').toString())
    if (isFields(fields)) return { fields, decode }
  } catch {}
  throw new UnreadableFormat('it is not a notebook: its JSON cannot be read')
}

export const notebook: FormatReader = {
  read(bytes) {
    const { fields, decode } = parse(bytes)
    const language = languageOf(fields)
    const writer = new MarkdownWriter()
    for (const [at, cell] of cellsOf(fields).entries()) {
      writer.at(`cell ${at + 1}`)
      const source = decode(readSource(cell))
      if (cell.cell_type === 'code') {
        writer.code(source, typeof cell.language === 'string' ? cell.language : language)
      } else if (cell.cell_type === 'heading') writer.heading(1, source)
      else if (cell.cell_type === 'markdown') writer.markdown(source)
    }
    return writer.finish()
  },
}
