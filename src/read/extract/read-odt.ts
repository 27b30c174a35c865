// What is in a LibreOffice document? Headings, paragraphs, lists, tables and links, with the pages of its last layout.
import { type FormatReader, UnreadableFormat } from './format.ts'
import { Zip } from './read-zip.ts'
import { type Attributes, textsOf, walkMarkup } from './walk-markup.ts'
import { MarkdownWriter, oneLine, yearOf } from './write-markdown.ts'
import { LinkInParagraph, ParagraphWriter } from './write-paragraphs.ts'

/** Elements outside the body text. */
const silent: ReadonlySet<string> = new Set([
  'note',
  'annotation',
  'tracked-changes',
  'forms',
  'table-of-content',
  'settings',
])
/** A cell may be repeated; an empty one thousands of times. */
const MOST_REPEATED = 100
const MOST_SPACES = 200

interface Paragraph {
  text: string
  /** Of a heading. */
  readonly level: number | null
  readonly style: string
}

class DocumentReader {
  readonly #writer: ParagraphWriter
  /** Automatic styles, by the named style that they derive from. */
  readonly #parents = new Map<string, string>()
  #silent = 0
  #isBody = false
  #paragraph: Paragraph | null = null
  readonly #outer: Paragraph[] = []
  #lists = 0
  #tables: string[][][] = []
  #cell: { readonly texts: string[]; readonly repeated: number } | null = null
  #link: LinkInParagraph | null = null

  constructor(writer: ParagraphWriter) {
    this.#writer = writer
  }

  open(name: string, attributes: Attributes): void {
    if (silent.has(name)) this.#silent++
    if (name === 'style') this.#parents.set(attributes['name'] ?? '', attributes['parent-style-name'] ?? '')
    if (name === 'body') this.#isBody = true
    if (!this.#isBody || this.#silent > 0) return
    if (name === 'p' || name === 'h') this.#startParagraph(name, attributes)
    else if (name === 'list') this.#lists++
    else if (name === 'table') {
      this.#writer.endCode()
      this.#tables.push([])
    } else if (name === 'table-row') this.#tables.at(-1)?.push([])
    else if (name === 'table-cell' && this.#tables.length === 1)
      this.#cell = {
        texts: [],
        repeated: Math.min(MOST_REPEATED, Number(attributes['number-columns-repeated']) || 1),
      }
    else if (name === 'soft-page-break') this.#writer.turnPage()
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
    else if (name === 'a') {
      this.#link?.drop()
      this.#link = new LinkInParagraph(paragraph, attributes['href'] ?? '')
    }
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
      if (this.#tables.length === 0 && rows !== undefined) this.#writer.table(rows)
    }
  }

  #closeLink(): void {
    this.#link?.close()
    this.#link = null
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
      this.#writer.code(paragraph.text)
      return
    }
    const listDepth = this.#lists > 0 ? this.#lists - 1 : null
    this.#writer.write({ ...paragraph, listDepth, isTitle: paragraph.style === 'Title' })
  }
}

export const odt: FormatReader = {
  read(bytes) {
    const zip = new Zip(bytes)
    const source = zip.text('content.xml')
    if (source === null) throw new UnreadableFormat('it is not a LibreOffice document')
    const writer = new MarkdownWriter()
    const paragraphs = new ParagraphWriter(writer, source.includes('soft-page-break'))
    const reader = new DocumentReader(paragraphs)
    walkMarkup(source, 'xml', reader)
    paragraphs.endCode()
    const facts = textsOf(zip.text('meta.xml'), ['title', 'initial-creator', 'creator', 'creation-date'])
    const title = paragraphs.title ?? facts['title']?.[0]
    const authors = (facts['initial-creator'] ?? facts['creator'] ?? []).flatMap((names) => names.split(';'))
    return writer.finish({ ...(title ? { title } : {}), authors, ...yearOf(facts['creation-date']?.[0]) })
  },
}
