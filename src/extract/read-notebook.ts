// What is in a Jupyter notebook? Its Markdown and code cells in order, each at its number; outputs are left out.
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
    if (typeof name === 'string') return name.toLowerCase()
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

export const notebook: FormatReader = {
  read(bytes) {
    const fields = parse(bytes)
    const language = languageOf(fields)
    const writer = new MarkdownWriter()
    for (const [at, cell] of cellsOf(fields).entries()) {
      writer.at(`cell ${at + 1}`)
      const source = readSource(cell)
      if (cell.cell_type === 'code')
        writer.code(source, typeof cell.language === 'string' ? cell.language : language)
      else if (cell.cell_type === 'heading') writer.heading(1, source)
      else if (cell.cell_type === 'markdown') writer.markdown(source)
    }
    return writer.finish()
  },
}
