// What is in a Jupyter notebook? Its Markdown and code cells in order, each at its number, definitions in blocks of their own; outputs are left out.
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
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : ''
}

/** Since version 4 the cells stand in the notebook, before that in worksheets. */
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

function parse(bytes: Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (isFields(value)) return value
  } catch {}
  throw new UnreadableFormat('it is no notebook: its JSON cannot be read')
}

const definition = /^(?:@|(?:async\s+)?def\s|class\s)/
/** What may open or close a string or a bracket, a comment, and an escaped character. */
const sign = /\\.|"""|'''|["'#()[\]{}]/gs

/**
 * A cell of Python as it falls into definitions and what stands around them: a definition takes its decorators and the
 * comments above it. What is inside a string or brackets begins nothing.
 */
function splitPython(source: string): string[] {
  if (!/^(?:(?:async\s+)?def|class)\s/m.test(source)) return [source]
  const parts: string[][] = [[]]
  let isDefinition = false
  let open = { quote: '', depth: 0, isContinued: false }
  /** Comments since the last statement: whose they are the next one says. */
  let comments: string[] = []
  for (const line of source.split('\n')) {
    const isFree = open.quote === '' && open.depth === 0 && !open.isContinued
    const current = parts.at(-1) as string[]
    if (isFree && /^(?:#|\s*$)/.test(line)) comments.push(line)
    else {
      const starts = isFree && definition.test(line)
      const goesOn = !isFree || /^\s/.test(line) || (starts && isDecorated(current))
      if (!goesOn && (starts || isDefinition)) {
        parts.push([...comments, line])
        isDefinition = starts
      } else current.push(...comments, line)
      comments = []
    }
    open = readSigns(line, open)
  }
  ;(parts.at(-1) as string[]).push(...comments)
  return parts.map((lines) => lines.join('\n').replace(/^\n+/, ''))
}

/** Is the last statement so far a decorator? */
function isDecorated(lines: readonly string[]): boolean {
  return /^[@)]/.test(lines.at(-1) ?? '') && lines.some((line) => line.startsWith('@'))
}

interface OpenSigns {
  /** Of a string that goes on in the next line. */
  readonly quote: string
  readonly depth: number
  readonly isContinued: boolean
}

function readSigns(line: string, { quote: before, depth: from }: OpenSigns): OpenSigns {
  let quote = before
  let depth = from
  for (const [found] of line.matchAll(sign)) {
    if (quote !== '') {
      if (found === quote) quote = ''
    } else if (found === '#') break
    else if (/["']/.test(found)) quote = found
    else if ('([{'.includes(found)) depth++
    else if (')]}'.includes(found)) depth = Math.max(0, depth - 1)
  }
  const isContinued = line.endsWith('\\')
  return { quote: quote.length === 3 || isContinued ? quote : '', depth, isContinued }
}

export const notebook: FormatReader = {
  read(bytes) {
    const fields = parse(bytes)
    const language = languageOf(fields)
    const writer = new MarkdownWriter()
    for (const [at, cell] of cellsOf(fields).entries()) {
      writer.at(`cell ${at + 1}`)
      const source = readSource(cell)
      if (cell.cell_type === 'code') {
        const own = typeof cell.language === 'string' ? cell.language : language
        for (const part of own === 'python' ? splitPython(source) : [source]) writer.code(part, own)
      } else if (cell.cell_type === 'heading') writer.heading(1, source)
      else if (cell.cell_type === 'markdown') writer.markdown(source)
    }
    return writer.finish()
  },
}
