// What is in a document of LibreOffice? Its headings, paragraphs, lists, tables and links, at the page of its last layout.
import { type FormatReader, UnreadableFormat } from './format.ts'
import { Zip } from './read-zip.ts'
import { type Attributes, textsOf, walkMarkup } from './walk-markup.ts'
import { MarkdownWriter, oneLine, yearOf } from './write-markdown.ts'

/** What is not said in the running text. */
const silent: ReadonlySet<string> = new Set([
  'note',
  'annotation',
  'tracked-changes',
  'forms',
  'table-of-content',
  'settings',
])
/** A cell may stand for as many of the same kind; an empty one for thousands. */
const MOST_REPEATED = 100
const MOST_SPACES = 200

interface Paragraph {
  text: string
  /** Of a heading. */
  readonly level: number | null
  readonly style: string
}

class DocumentReader {
  readonly #writer: MarkdownWriter
  readonly #hasPages: boolean
  /** Styles of this document that stand for a named one. */
  readonly #parents = new Map<string, string>()
  title: string | null = null
  #silent = 0
  #isBody = false
  #paragraph: Paragraph | null = null
  readonly #outer: Paragraph[] = []
  #lists = 0
  #tables: string[][][] = []
  #cell: { readonly texts: string[]; readonly repeated: number } | null = null
  #link: { readonly target: string; readonly start: number } | null = null
  #page = 1
  #code: string[] = []

  constructor(writer: MarkdownWriter, hasPages: boolean) {
    this.#writer = writer
    this.#hasPages = hasPages
    if (hasPages) writer.at('p. 1')
  }

  open(name: string, attributes: Attributes): void {
    if (silent.has(name)) this.#silent++
    if (name === 'style') this.#parents.set(attributes['name'] ?? '', attributes['parent-style-name'] ?? '')
    if (name === 'body') this.#isBody = true
    if (!this.#isBody || this.#silent > 0) return
    if (name === 'p' || name === 'h') this.#startParagraph(name, attributes)
    else if (name === 'list') this.#lists++
    else if (name === 'table') {
      this.#flushCode()
      this.#tables.push([])
    } else if (name === 'table-row') this.#tables.at(-1)?.push([])
    else if (name === 'table-cell' && this.#tables.length === 1)
      this.#cell = {
        texts: [],
        repeated: Math.min(MOST_REPEATED, Number(attributes['number-columns-repeated']) || 1),
      }
    else if (name === 'soft-page-break') this.#page++
    else if (this.#paragraph !== null) this.#inParagraph(this.#paragraph, name, attributes)
  }

  #startParagraph(name: string, attributes: Attributes): void {
    if (this.#paragraph !== null) this.#outer.push(this.#paragraph)
    const own = attributes['style-name'] ?? ''
    const level = name === 'h' ? Number(attributes['outline-level']) || 1 : null
    this.#paragraph = { text: '', level, style: this.#parents.get(own) || own }
  }

  #inParagraph(paragraph: Paragraph, name: string, attributes: Attributes): void {
    if (name === 's') paragraph.text += ' '.repeat(Math.min(MOST_SPACES, Number(attributes['c']) || 1))
    else if (name === 'tab') paragraph.text += '\t'
    else if (name === 'line-break') paragraph.text += '\n'
    else if (name === 'a') this.#link = { target: attributes['href'] ?? '', start: paragraph.text.length }
  }

  text(text: string): void {
    if (this.#isBody && this.#silent === 0 && this.#paragraph !== null)
      this.#paragraph.text += text.replace(/\s+/g, ' ')
  }

  close(name: string): void {
    if (silent.has(name)) {
      this.#silent--
      return
    }
    if (!this.#isBody || this.#silent > 0) return
    if (name === 'p' || name === 'h') this.#closeParagraph()
    else if (name === 'list') this.#lists--
    else if (name === 'a') this.#closeLink()
    else if (name === 'table-cell' && this.#cell !== null && this.#tables.length === 1) {
      const { texts, repeated } = this.#cell
      for (let at = 0; at < (texts.length === 0 ? 1 : repeated); at++)
        this.#tables[0]?.at(-1)?.push(texts.join(' '))
      this.#cell = null
    } else if (name === 'table') {
      const rows = this.#tables.pop()
      if (this.#tables.length === 0 && rows !== undefined) this.#place(() => this.#writer.table(rows))
    }
  }

  #closeLink(): void {
    const [link, paragraph] = [this.#link, this.#paragraph]
    this.#link = null
    if (link === null || paragraph === null || link.target === '' || /[\s<>()]/.test(link.target)) return
    const words = paragraph.text.slice(link.start)
    if (words.trim() === '') return
    paragraph.text = `${paragraph.text.slice(0, link.start)}[${oneLine(words).replace(/[[\]]/g, '\\$&')}](${link.target})`
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraph
    this.#paragraph = this.#outer.pop() ?? null
    if (paragraph === null || paragraph.text.trim() === '') return
    if (this.#tables.length > 0) {
      this.#cell?.texts.push(oneLine(paragraph.text))
      return
    }
    if (/^Preformatted|^Source_20_Text/.test(paragraph.style)) {
      this.#code.push(paragraph.text)
      return
    }
    this.#flushCode()
    this.#place(() => {
      if (paragraph.style === 'Title' && this.title === null) this.title = oneLine(paragraph.text)
      else if (paragraph.level !== null) this.#writer.heading(paragraph.level, paragraph.text)
      else if (this.#lists > 0) this.#writer.item(paragraph.text, { depth: this.#lists - 1 })
      else this.#writer.paragraph(paragraph.text.split('\n'))
    })
  }

  #flushCode(): void {
    if (this.#code.length > 0) this.#place(() => this.#writer.code(this.#code.join('\n')))
    this.#code = []
  }

  #place(write: () => void): void {
    if (this.#hasPages) this.#writer.at(`p. ${this.#page}`)
    write()
  }

  finish(): void {
    this.#flushCode()
  }
}

export const odt: FormatReader = {
  read(bytes) {
    const zip = new Zip(bytes)
    const source = zip.text('content.xml')
    if (source === null) throw new UnreadableFormat('it is no document of LibreOffice')
    const writer = new MarkdownWriter()
    const reader = new DocumentReader(writer, source.includes('soft-page-break'))
    walkMarkup(source, 'xml', reader)
    reader.finish()
    const facts = textsOf(zip.text('meta.xml'), ['title', 'initial-creator', 'creator', 'creation-date'])
    const title = reader.title ?? facts['title']?.[0]
    const authors = (facts['initial-creator'] ?? facts['creator'] ?? []).flatMap((names) => names.split(';'))
    return writer.finish({ ...(title ? { title } : {}), authors, ...yearOf(facts['creation-date']?.[0]) })
  },
}
