// What does a web page say? The blocks of its main content as Markdown, each with the nearest anchor; navigation is skipped.
import type { ExtractedMetadata, FormatReader } from './format.ts'
import { type Attributes, walkMarkup } from './walk-markup.ts'
import { anchorOf, MarkdownWriter, noHeading, oneLine } from './write-markdown.ts'

/** Elements without page text. */
const silent: ReadonlySet<string> = new Set(
  'script style noscript template svg nav aside form button select iframe object head dialog'.split(' '),
)
const silentClass =
  /(?:^|[\s_-])(?:toc|table-of-contents|contents|sidebar\w*|navigation|navbar|navheader|navfooter|nav-panel|nav_header|breadcrumbs?|footer|headerlink|related|sphinxsidebar|skip-link|anchor-link|edit-link|copyright)(?=$|[\s_-])/i
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** They end the paragraph before them. */
const blocks: ReadonlySet<string> = new Set(
  (
    'p div section article main header footer ul ol li dl dt dd table tr blockquote figure figcaption pre hr ' +
    'h1 h2 h3 h4 h5 h6 details summary address caption thead tbody'
  ).split(' '),
)
const fenceClass = /(?:language|lang|highlight|brush|sourceCode)[-: ]+([a-z][\w+#-]{0,20})/i

/** Navigation links as Texinfo writes them. */
const navigation = /^\s*(?:Next|Previous|Prev|Up): ?\[/

/** The text of a link to its own position. */
const selfSigns: ReadonlySet<string> = new Set(['¶', '#', '§', '🔗'])

type PageBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string | null }
  | { readonly kind: 'paragraph' | 'term' | 'definition' }
  | { readonly kind: 'item'; readonly depth: number; readonly mark: string }
  | { readonly kind: 'code'; readonly language: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

interface WrittenBlock {
  readonly block: PageBlock
  readonly text: string
  readonly place: string
  readonly isMain: boolean
}

/** One page, from its first tag to its last. */
class PageReader {
  readonly blocks: WrittenBlock[] = []
  title = ''
  readonly authors: string[] = []
  #text = ''
  #block: PageBlock = { kind: 'paragraph' }
  /** Names of open elements without page text. */
  #silent: string[] = []
  #main = 0
  #mainTags: string[] = []
  #lists: { readonly isOrdered: boolean; count: number }[] = []
  #rows: string[][] | null = null
  #tables = 0
  #pre = 0
  /** Start of the text in the open code element. */
  #codeStart = 0
  #href: string | null = null
  /** The text before the open link, kept aside so that links in a long text stay linear. */
  #before = ''
  #inTitle = false
  #place = 'top'
  /** The last id since the last text, which names a heading that follows. */
  #id: string | null = null

  open(name: string, attributes: Attributes): void {
    if (name === 'title') this.#inTitle = true
    if (
      name === 'meta' &&
      attributes['name']?.toLowerCase() === 'author' &&
      attributes['content'] !== undefined
    )
      this.authors.push(attributes['content'])
    if (this.#silent.length > 0 || isSilent(name, attributes)) {
      this.#silent.push(name)
      return
    }
    const isMain = name === 'main' || name === 'article' || attributes['role'] === 'main'
    if (isMain) {
      this.end()
      this.#main++
    }
    this.#mainTags.push(isMain ? name : '')
    if (blocks.has(name)) this.#startBlock(name, attributes)
    const id = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined)
    if (id !== undefined && id !== '') this.#setId(id)
    if (name === 'br') this.text(this.#pre > 0 ? '\n' : ' ')
    else if (name === 'code' && this.#pre === 0) {
      this.#text += '`'
      this.#codeStart = this.#before.length + this.#text.length
    } else if (name === 'a' && attributes['href'] !== undefined && this.#pre === 0) {
      this.#before += this.#text
      this.#text = ''
      this.#href = attributes['href']
    } else if ((name === 'td' || name === 'th') && this.#tables === 1) this.#rows?.at(-1)?.push('')
  }

  #setId(id: string): void {
    // Links name the element around a heading; the heading's own id may be a numbered duplicate.
    if (this.#block.kind === 'heading' && (this.#before + this.#text).trim() === '')
      this.#block = { ...this.#block, id: id === `${this.#block.id}-1` ? this.#block.id : id }
    else this.#id = id
  }

  #startBlock(name: string, attributes: Attributes): void {
    if (this.#tables > 0 && name !== 'table' && name !== 'tr') {
      this.#text += ' '
      return
    }
    this.end()
    if (headings.has(name)) this.#block = { kind: 'heading', level: Number(name[1]), id: this.#id }
    else if (name === 'pre') {
      this.#pre++
      this.#block = { kind: 'code', language: fenceClass.exec(attributes['class'] ?? '')?.[1] ?? '' }
    } else if (name === 'ul' || name === 'ol') this.#lists.push({ isOrdered: name === 'ol', count: 0 })
    else if (name === 'li') this.#startItem()
    else if (name === 'dt') this.#block = { kind: 'term' }
    else if (name === 'dd') this.#block = { kind: 'definition' }
    else if (name === 'table' && ++this.#tables === 1) this.#rows = []
    else if (name === 'tr' && this.#tables === 1) this.#rows?.push([])
  }

  #startItem(): void {
    const list = this.#lists.at(-1) ?? { isOrdered: false, count: 0 }
    list.count++
    const mark = list.isOrdered ? `${list.count}.` : '-'
    this.#block = { kind: 'item', depth: Math.max(0, this.#lists.length - 1), mark }
  }

  text(text: string): void {
    if (this.#inTitle) this.title += text
    // White space is normalized once, when a block is written.
    else if (this.#silent.length === 0) this.#text += text
  }

  close(name: string): void {
    if (name === 'title') this.#inTitle = false
    if (this.#silent.length > 0) {
      this.#silent.pop()
      return
    }
    if (name === 'code' && this.#pre === 0) this.#closeCode()
    else if (name === 'a') this.#closeLink()
    else if ((name === 'td' || name === 'th') && this.#tables === 1) this.#closeCell()
    if (blocks.has(name)) this.#endBlock(name)
    if ((this.#mainTags.pop() ?? '') !== '') {
      this.end()
      this.#main--
    }
  }

  #endBlock(name: string): void {
    if (this.#tables > 0 && name !== 'table') return
    this.end()
    if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1)
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
    else if (name === 'table' && --this.#tables === 0) this.#closeTable()
  }

  /** An empty element is not code. */
  #closeCode(): void {
    if (this.#before.length + this.#text.length > this.#codeStart) this.#text += '`'
    else if (this.#text === '') this.#before = this.#before.slice(0, -1)
    else this.#text = this.#text.slice(0, -1)
  }

  #closeLink(): void {
    const href = this.#href
    this.#href = null
    if (href === null) return
    const words = this.#text
    const target = href.trim()
    // A sign that links to its own position.
    const isSelf = selfSigns.has(words.trim())
    const isPlain =
      words.trim() === '' || /[\s<>()]/.test(target) || target === '' || /^javascript:/i.test(target)
    const shown = isSelf ? '' : isPlain ? words : `[${words.replace(/[[\]]/g, '\\$&')}](${target})`
    this.#text = this.#before + shown
    this.#before = ''
  }

  /** All of the text so far. */
  #take(): string {
    const text = this.#before + this.#text
    this.#before = ''
    this.#text = ''
    return text
  }

  #closeCell(): void {
    const row = this.#rows?.at(-1)
    const text = this.#take()
    if (row !== undefined && row.length > 0) row[row.length - 1] = oneLine(text)
  }

  #closeTable(): void {
    const rows = (this.#rows ?? []).filter((row) => row.some((cell) => cell !== ''))
    this.#rows = null
    // A table with one column is a layout.
    if (rows.some((row) => row.length > 1)) this.#add({ kind: 'table', rows }, '')
    else for (const [cell = ''] of rows) this.#add({ kind: 'paragraph' }, cell)
  }

  /** Writes the gathered text. */
  end(): void {
    const block = this.#block
    const text = this.#take()
    this.#href = null
    this.#block = { kind: 'paragraph' }
    if (text.trim() === '') return
    if (block.kind === 'heading' && block.id !== null) this.#place = `#${block.id}`
    this.#id = null
    if (!navigation.test(text)) this.#add(block, text)
  }

  #add(block: PageBlock, text: string): void {
    this.blocks.push({ block, text, place: this.#place, isMain: this.#main > 0 })
  }
}

function isSilent(name: string, attributes: Attributes): boolean {
  if (silent.has(name)) return name !== 'head'
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  if (attributes['role'] === 'navigation' || attributes['role'] === 'search') return true
  if (name === 'body' || name === 'main' || name === 'article' || headings.has(name)) return false
  const classes = attributes['class']
  return classes !== undefined && silentClass.test(classes)
}

/** Writes the anchor if the heading's words give another one. */
function headingText(text: string, id: string | null): string {
  const words = oneLine(text)
  if (id === null || !/^[\w.:-]{1,100}$/.test(id)) return words
  return anchorOf(words) === id ? words : `${words} {#${id}}`
}

function writeBlock(writer: MarkdownWriter, { block, text }: WrittenBlock): void {
  if (block.kind === 'heading' && noHeading.test(oneLine(text).replace(/\]\([^()]*\)|\[/g, '')))
    writer.paragraph([`**${oneLine(text)}**`])
  else if (block.kind === 'heading') writer.heading(block.level, headingText(text, block.id))
  else if (block.kind === 'item') writer.item(text, block)
  else if (block.kind === 'code') writer.code(text.replace(/^\n/, ''), block.language)
  else if (block.kind === 'table') writer.table(block.rows)
  else if (block.kind === 'term') writer.paragraph([`**${oneLine(text)}**`])
  else writer.paragraph([oneLine(text)])
}

/** Writes a page; returns its metadata. */
function writePage(source: string, writer: MarkdownWriter): ExtractedMetadata {
  const reader = new PageReader()
  walkMarkup(source, 'html', reader)
  reader.end()
  const hasMain = reader.blocks.some(({ isMain }) => isMain)
  for (const block of reader.blocks) {
    if (hasMain && !block.isMain) continue
    writer.at(block.place)
    writeBlock(writer, block)
  }
  const title = oneLine(reader.title)
  return {
    ...(title === '' ? {} : { title }),
    ...(reader.authors.length === 0 ? {} : { authors: reader.authors }),
  }
}

/** Decodes by the byte order mark or the page's declaration, otherwise as UTF-8 or Windows-1252. */
function decodePage(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  const named = /charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(head)?.[1]
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  for (const label of [marked, 'utf-8', named, 'windows-1252'])
    try {
      if (label !== null && label !== undefined) return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {}
  return new TextDecoder('latin1').decode(bytes)
}

export const html: FormatReader = {
  read(bytes) {
    const writer = new MarkdownWriter()
    return writer.finish(writePage(decodePage(bytes), writer))
  },
}
