// What is in a Jupyter notebook? Markdown and code cells in order, each with its number, definitions in blocks of their own; outputs are skipped.
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
  const json = all.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? all.subarray(byteOrderMark.length)
    : all
  const areBytes = !json.includes('\\u')
  const isDecoded = !areBytes || isAscii(json)
  try {
    const fields: unknown = JSON.parse(json.toString(areBytes ? 'latin1' : 'utf8'))
    const decode = (text: string): string => (isDecoded ? text : Buffer.from(text, 'latin1').toString())
    if (isFields(fields)) return { fields, decode }
  } catch {}
  throw new UnreadableFormat('it is not a notebook: its JSON cannot be read')
}

const definition = /^(?:@|(?:async\s+)?def\s|class\s)/

/**
 * Splits a Python cell into definitions and the code around them: a definition includes its decorators and the
 * comments above it. Nothing starts inside a string or brackets.
 */
function splitPython(source: string): string[] {
  // A quick search first, because most cells define nothing.
  if (!source.includes('def') && !source.includes('class')) return [source]
  if (!/^(?:(?:async\s+)?def|class)\s/m.test(source)) return [source]
  const starts = [0]
  let at = 0
  let isDefinition = false
  let isDecorated = false
  let last = ''
  let open: OpenSigns = { quote: '', depth: 0, isContinued: false }
  /** Start of the comments since the last statement; they belong to the next one. */
  let comments = -1
  for (const line of source.split('\n')) {
    const isFree = open.quote === '' && open.depth === 0 && !open.isContinued
    const shown = line.trimStart()
    if (isFree && (shown === '' || line.startsWith('#'))) comments = comments < 0 ? at : comments
    else {
      if (isFree && shown.length === line.length) {
        const defines = definition.test(line)
        const goesOn = defines && isDecorated && /^[@)]/.test(last)
        if (!goesOn && (defines || isDefinition)) {
          const start = comments < 0 ? at : comments
          if (start > 0) starts.push(start)
          isDefinition = defines
          isDecorated = false
        }
      }
      isDecorated ||= line.startsWith('@')
      last = line
      comments = -1
    }
    open = readSigns(line, open)
    at += line.length + 1
  }
  return starts.map((start, part) => source.slice(start, (starts[part + 1] ?? at) - 1).replace(/^\n+/, ''))
}

interface OpenSigns {
  /** The quote of a string that continues on the next line. */
  readonly quote: string
  readonly depth: number
  readonly isContinued: boolean
}

function readSigns(line: string, { quote: before, depth: from }: OpenSigns): OpenSigns {
  let quote = before
  let depth = from
  for (let at = 0; at < line.length; at++) {
    const char = line[at]
    if (char === '\\') at++
    else if (char === '"' || char === "'") {
      const isLong = line[at + 1] === char && line[at + 2] === char
      const found = isLong ? char + char + char : char
      if (isLong) at += 2
      if (quote === '') quote = found
      else if (quote === found) quote = ''
    } else if (quote !== '') continue
    else if (char === '#') break
    else if (char === '(' || char === '[' || char === '{') depth++
    else if (char === ')' || char === ']' || char === '}') depth = Math.max(0, depth - 1)
  }
  const isContinued = line.endsWith('\\')
  return { quote: quote.length === 3 || isContinued ? quote : '', depth, isContinued }
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
        const own = typeof cell.language === 'string' ? cell.language : language
        for (const part of own === 'python' ? splitPython(source) : [source]) writer.code(part, own)
      } else if (cell.cell_type === 'heading') writer.heading(1, source)
      else if (cell.cell_type === 'markdown') writer.markdown(source)
    }
    return writer.finish()
  },
}
