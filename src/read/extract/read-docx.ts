// What is in a Word document? Headings, paragraphs, lists, tables and links, with the page breaks of Word's last layout.
import type { FormatReader } from './format.ts'
import { readCoreFacts, readMain, readRelations } from './office-parts.ts'
import { openZip } from './read-zip.ts'
import { type Attributes, type MarkupHandler, walkMarkup } from './walk-markup.ts'
import { MarkdownWriter, oneLine } from './write-markdown.ts'
import { type ParagraphLink, ParagraphWriter, startLink } from './write-paragraphs.ts'

interface Style {
  readonly name: string
  /** 1 to 9 for a heading. */
  readonly level: number | null
  readonly basedOn: string | null
}

/** Style names of Word and of publishers' templates: `Heading 2`, `HeadB`, `H2`. */
const headingName = /^(?:heading|head|h) ?([1-9a-e])$/i
const titleName = /^(?:(?:book|chapter) ?)?title$/i
/** Styles for code. */
const codeName = /^(?:source code|html preformatted|code|preformatted text|verbatim)(?!.*caption)/i

function readStyles(source: string | null): Map<string, Style> {
  const styles = new Map<string, Style>()
  let id = ''
  let style: Style = { name: '', level: null, basedOn: null }
  if (source === null) return styles
  walkMarkup(source, 'xml', {
    open(name, { styleId = '', val = '' }) {
      if (name === 'style') [id, style] = [styleId, { name: '', level: null, basedOn: null }]
      else if (name === 'name') style = { ...style, name: val, level: levelOfName(val) ?? style.level }
      else if (name === 'basedOn') style = { ...style, basedOn: val }
      else if (name === 'outlineLvl')
        style = { ...style, level: levelOf(String(Number(val) + 1)) ?? style.level }
    },
    close(name) {
      if (name === 'style') styles.set(id, style)
    },
  })
  return styles
}

/** Nine levels; ten is body text. */
function levelOf(written: string | undefined): number | null {
  const level = Number(written)
  return level >= 1 && level <= 9 ? level : null
}

/** `HeadA` is the first level. */
function levelOfName(name: string): number | null {
  const written = headingName.exec(name)?.[1]?.toLowerCase()
  return levelOf(written !== undefined && written >= 'a' ? String('abcde'.indexOf(written) + 1) : written)
}

/** Styles inherit; cycles end. */
function findStyle(styles: ReadonlyMap<string, Style>, id: string): Style | null {
  let found = styles.get(id) ?? null
  const own = found
  for (let hops = 0; found !== null && found.level === null && found.basedOn !== null && hops < 20; hops++)
    found = styles.get(found.basedOn) ?? null
  return own === null ? null : { ...own, level: found?.level ?? null }
}

interface Paragraph {
  text: string
  style: string
  level: number | null
  listDepth: number | null
}

/** What reads the markup of a document. */
function readDocument(
  writer: ParagraphWriter,
  {
    styles,
    links,
  }: { readonly styles: ReadonlyMap<string, Style>; readonly links: ReadonlyMap<string, string> },
): MarkupHandler {
  let openParagraph: Paragraph | null = null
  /** Outer paragraphs of text boxes. */
  const outer: Paragraph[] = []
  let isText = false
  let skipped = 0
  let link: ParagraphLink | null = null
  const tables: string[][][] = []
  let cell: string[] | null = null

  function open(name: string, attributes: Attributes): void {
    // Alternatives for newer and older versions of Word: only one of them is the text. Deleted text is skipped.
    if (name === 'Fallback' || name === 'del' || name === 'moveFrom') skipped++
    if (skipped > 0) return
    if (name === 'p') {
      if (openParagraph !== null) outer.push(openParagraph)
      openParagraph = { text: '', style: '', level: null, listDepth: null }
    } else if (name === 'tbl') {
      writer.endCode()
      tables.push([])
    } else if (name === 'tr') tables.at(-1)?.push([])
    else if (name === 'tc' && tables.length === 1) cell = []
    else if (openParagraph !== null) inParagraph(openParagraph, name, attributes)
  }

  function inParagraph(paragraph: Paragraph, name: string, attributes: Attributes): void {
    const { val = '' } = attributes
    if (name === 'pStyle') paragraph.style = val
    else if (name === 'outlineLvl') paragraph.level = levelOf(String(Number(val) + 1))
    else if (name === 'ilvl') paragraph.listDepth = Number(val) || 0
    else if (name === 't') isText = true
    else if (name === 'tab') paragraph.text += '\t'
    else if (name === 'noBreakHyphen') paragraph.text += '-'
    else if (name === 'lastRenderedPageBreak') writer.turnPage()
    else if (name === 'br' || name === 'cr') paragraph.text += '\n'
    else if (name === 'hyperlink') {
      const target = links.get(attributes['id'] ?? '') ?? ''
      const anchor = attributes['anchor'] === undefined ? '' : `#${attributes['anchor']}`
      link?.drop()
      link = startLink(paragraph, target + anchor)
    }
  }

  function text(text: string): void {
    if (isText && skipped === 0 && openParagraph !== null) openParagraph.text += text
  }

  function close(name: string): void {
    if (name === 'Fallback' || name === 'del' || name === 'moveFrom') skipped--
    if (skipped > 0) return
    if (name === 't') isText = false
    else if (name === 'hyperlink') closeLink()
    else if (name === 'p') closeParagraph()
    else if (name === 'tc' && tables.length === 1) {
      tables[0]?.at(-1)?.push((cell ?? []).join(' '))
      cell = null
    } else if (name === 'tbl') {
      const rows = tables.pop()
      if (tables.length === 0 && rows !== undefined) writer.table(rows)
    }
  }

  function closeLink(): void {
    link?.close()
    link = null
  }

  function closeParagraph(): void {
    const paragraph = openParagraph
    openParagraph = outer.pop() ?? null
    if (paragraph === null || paragraph.text.trim() === '') return
    if (tables.length > 0) {
      cell?.push(oneLine(paragraph.text))
      return
    }
    const style = findStyle(styles, paragraph.style)
    const level = paragraph.level ?? style?.level ?? null
    if (style !== null && codeName.test(style.name)) {
      writer.code(paragraph.text)
      return
    }
    writer.write({ ...paragraph, level, isTitle: titleName.test(style?.name ?? '') })
  }

  return { open, text, close }
}

export const docx: FormatReader = {
  read(bytes) {
    const zip = openZip(bytes)
    const main = { part: 'word/document.xml', root: 'document', what: 'a Word document' }
    const { name, text: source } = readMain(zip, main)
    const links = new Map<string, string>()
    for (const [id, { target, type, isExternal }] of readRelations(zip, name))
      if (type.endsWith('/hyperlink') && isExternal) links.set(id, target)
    const writer = new MarkdownWriter()
    const styles = readStyles(zip.text(name.replace(/[^/]*$/, 'styles.xml')))
    const paragraphs = new ParagraphWriter(writer, source.includes('lastRenderedPageBreak'))
    walkMarkup(source, 'xml', readDocument(paragraphs, { styles, links }))
    paragraphs.endCode()
    const facts = readCoreFacts(zip)
    return writer.finish(paragraphs.title === null ? facts : { ...facts, title: paragraphs.title })
  },
}
